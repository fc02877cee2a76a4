//! A WAP32 level in words.

use mapwright::info::{LogicInfo, TilePropertiesInfo, TreasureInfo, WwdInfo, WwdPlane, WwdProvenance};
use mapwright::io::align_columns;

use super::{line, list};
use crate::text::{clean, count, size};

pub(super) fn text(out: &mut String, wwd: &WwdInfo) {
    // Texts of levels are spelled in printable ASCII already; backslashes are those of folders.
    let said = |out: &mut String, title: &str, text: &str| {
        if !text.is_empty() {
            line(out, title, &format!("\"{}\"", clean(text)));
        }
    };
    said(out, "name", &wwd.name);
    said(out, "author", &wwd.author);
    said(out, "saved", &wwd.birth);
    let game = wwd.game.unwrap_or("a game that the header does not tell");
    let number = wwd.level_number.map_or("no number".to_owned(), |number| format!("level {number}"));
    line(out, "game", &format!("{game}, {number}"));
    line(out, "written by", wwd.writer.unwrap_or("no known program"));
    if let Some(provenance) = &wwd.provenance {
        line(out, "traces", &traces(provenance));
    }
    line(out, "start", &format!("({}, {})", wwd.start[0], wwd.start[1]));
    said(out, "tiles", &wwd.image_dir);
    said(out, "palette", &wwd.palette);
    said(out, "archive", &wwd.rez_file);
    said(out, "launches", &wwd.launch_app);
    if !wwd.image_folders.is_empty() {
        let folders: Vec<String> =
            wwd.image_folders.iter().map(|one| format!("{} \"{}\"", one.prefix, one.folder)).collect();
        line(out, "images", &clean(&folders.join(", ")));
    }
    planes(out, &wwd.planes);
    let mut objects = count(wwd.objects, "object");
    let dropped = wwd.dropped;
    for (number, why) in [
        (dropped.outside, "outside the plane"),
        (dropped.without_logic, "without a logic"),
        (dropped.unknown_logic, "with a logic that the game does not know"),
    ] {
        if number > 0 {
            objects += &format!(", {number} of them dropped by the game ({why})");
        }
    }
    line(out, "objects", &objects);
    list(out, "logics", &wwd.logics.iter().map(logic).collect::<Vec<_>>());
    list(out, "treasure", &wwd.treasure.iter().map(treasure).collect::<Vec<_>>());
    if !wwd.treasure.is_empty() {
        line(out, "score", &wwd.score.to_string());
    }
    line(out, "properties", &wwd.tile_properties.as_ref().map_or("none".to_owned(), properties));
    if wwd.unusual_layout {
        line(out, "layout", "sections stand elsewhere than all known programs write them");
    }
    if wwd.trailer_bytes > 0 {
        line(out, "trailer", &format!("{} behind the stored block", size(wwd.trailer_bytes as u64)));
        list(out, "notes", &wwd.notes.iter().map(|note| clean(note)).collect::<Vec<_>>());
    }
}

fn traces(provenance: &WwdProvenance) -> String {
    let mut parts = vec![match provenance.checksums.as_slice() {
        [] => "checksum of no known program".to_owned(),
        names => format!("checksum of {}", names.join(" or ")),
    }];
    parts.push(match (&provenance.zlib_header, provenance.compressor) {
        (None, _) => "not compressed".to_owned(),
        (Some(header), None) => format!("zlib {header}, compressed as no known program begins"),
        (Some(header), Some(name)) => format!("zlib {header}, compressed as {name} begins"),
    });
    parts.extend(provenance.birth.map(|name| format!("date as {name} writes it")));
    parts.join("; ")
}

/// A table: what stands below each other is compared.
fn planes(out: &mut String, planes: &[WwdPlane]) {
    if planes.is_empty() {
        return line(out, "planes", "none");
    }
    let title = ["name", "cells", "tile", "movement", "z", "objects", ""].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(title).chain(planes.iter().map(plane)).collect();
    let mut lines = align_columns(&rows, |_| false);
    let head = lines.remove(0);
    list(out, "planes", &lines);
    // The head of the table stands between its title and its rows.
    if let Some(at) = out.rfind("  planes (").and_then(|start| Some(start + out.get(start..)?.find('\n')? + 1)) {
        out.insert_str(at, &format!("    {head}\n"));
    }
}

fn plane(plane: &WwdPlane) -> [String; 7] {
    let by = |[a, b]: [i32; 2]| format!("{a} × {b}");
    let mut more = vec![format!("{} cells with {} different tiles", plane.tiles, plane.different_tiles)];
    if plane.filled > 0 {
        more.push(format!("{} filled", plane.filled));
    }
    more.extend(plane.flags.iter().cloned());
    more.push(plane.image_sets.join(" "));
    [
        plane.name.clone(),
        format!("{} × {}", plane.size[0], plane.size[1]),
        by(plane.tile_size),
        by(plane.movement),
        plane.z.to_string(),
        plane.objects.to_string(),
        more.join(", "),
    ]
}

fn logic(one: &LogicInfo) -> String {
    let name = if one.logic.is_empty() { "no logic" } else { &one.logic };
    let meaning = one.meaning.map(|meaning| format!(": {meaning}")).unwrap_or_default();
    format!("{} × {}{meaning}", one.count, clean(name))
}

fn treasure(one: &TreasureInfo) -> String {
    format!("{} × {}, {} of them held: {} points", one.lying + one.held, one.treasure, one.held, one.score)
}

fn properties(table: &TilePropertiesInfo) -> String {
    let mut parts = vec![format!("{} single", table.single), format!("{} double", table.double)];
    if table.mask > 0 {
        parts.push(count(table.mask, "mask"));
    }
    let attributes: Vec<String> = table
        .attributes
        .iter()
        .map(|one| format!("{} {}", one.tiles, one.name.map_or_else(|| one.attribute.to_string(), str::to_owned)))
        .collect();
    format!("{}; {}", parts.join(", "), attributes.join(", "))
}
