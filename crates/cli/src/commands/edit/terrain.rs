//! Edits of terrains that read other files, and edits of heightmaps.

use std::path::{Path, PathBuf};

use mapwright::interchange::heightmap::{interpolate_missing, is_missing};
use mapwright::io::format_count;
use mapwright::scene::{Content, Losses, Terrain};
use mapwright::wrp::edit::EditError;
use mapwright::wrp::lists::{
    Centres, Elevation, TERRAIN_BUILDER_ORIGIN, read_csv_with, read_lbt, read_pairs, read_terrain_builder,
};
use mapwright::wrp::query::{Glob, Text};
use mapwright::wrp::{Document, Objects, scene};
use mapwright::{Format, ReadOptions, read_objects_json};

use super::{EditProblem, read, take_file};
use crate::commands::query::read_centres;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;

/// The edits, as error messages list them.
pub(super) const EDITS: &[&str] = &[
    "heights import FILE",
    "heights fill METRES",
    "heights fill interpolate",
    "cells import FILE",
    "objects import FILE [relative] [centres=FILE] [origin=EAST,NORTH]",
    "paste FILE X,Z",
    "models rename-table FILE",
    "textures rename-table FILE",
];

/// Applies an edit. A file that it reads is added to `files`. Returns `None` for other edits.
pub(super) fn apply(
    terrain: &mut Document,
    words: &[Text],
    (options, is_empty_allowed): (&ReadOptions, bool),
    files: &mut Vec<PathBuf>,
) -> Option<Result<String, EditProblem>> {
    let words: Vec<_> = words.iter().map(Text::to_string_lossy).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let how = (options, is_empty_allowed);
    let mut file = |word: &str| take_file(word, files);
    Some(match words[..] {
        ["heights", "import", name] => import_heights(terrain, &file(name), options),
        ["heights", "fill", height] => fill_heights(terrain, height),
        ["cells", "import", name] => {
            let name = file(name);
            import_cells(terrain, &name, options, files)
        }
        ["objects", "import", name, ref how @ ..] => {
            let name = file(name);
            import_objects(terrain, &name, how, options, files)
        }
        ["paste", name, at] => paste(terrain, &file(name), at, how),
        ["models", "rename-table", name] => rename(&file(name), |table| terrain.rename_models_by(table), "object", how),
        ["textures", "rename-table", name] => {
            rename(&file(name), |table| terrain.rename_textures_by(table), "texture", how)
        }
        _ => return None,
    })
}

fn import_heights(terrain: &mut Document, file: &str, options: &ReadOptions) -> Result<String, EditProblem> {
    let import = read(file, None, options)?.into_scene().map_err(|error| EditProblem::from_read_error(file, error))?;
    let before = terrain.clone();
    // Of a terrain that has more than heights only these are taken.
    let mut heights = import.scene;
    heights.instance_sets = Default::default();
    heights.properties = Default::default();
    for (_, field) in heights.terrains.iter_mut() {
        (field.cells, field.cell_size, field.materials) = (Vec::new(), [0, 0], Vec::new());
    }
    heights.nodes.iter_mut().for_each(|(_, node)| {
        if let Content::InstanceSet(_) = node.content {
            node.content = Content::Group;
        }
    });
    let losses = scene::merge_scene(terrain, &heights, &Default::default()).map_err(|error| error.to_string())?;
    let (old, new) = (before.ground(), terrain.ground());
    let changed = old.heights.iter().zip(new.heights.iter()).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    Ok(format!("{} changed{}", format_count(changed, "height"), format_losses(&losses, "heights")))
}

/// Replaces heights that are missing.
fn fill_heights(terrain: &mut Document, height: &str) -> Result<String, EditProblem> {
    let is_interpolated = height.eq_ignore_ascii_case("interpolate");
    let metres = height.parse().ok().filter(|height: &f32| height.is_finite());
    if !is_interpolated && metres.is_none() {
        return Err(format!("expected metres or interpolate, found {height:?}").into());
    }
    let Document::Wvr8(terrain) = terrain else {
        return Err(format!("{} has no missing heights", terrain.variant()).into());
    };
    let missing = terrain.heights.iter().filter(|height| is_missing(**height)).count();
    if let Some(metres) = metres {
        terrain.heights.iter_mut().filter(|height| is_missing(**height)).for_each(|height| *height = metres);
    } else {
        // The method is defined for rows from the north.
        let columns = terrain.terrain[0].max(1) as usize;
        let mut rows: Vec<f32> = terrain.heights.rchunks(columns).flatten().copied().collect();
        if missing > 0 && !interpolate_missing(&mut rows, terrain.terrain[0]) {
            return Err("no height exists: expected at least one to interpolate from".into());
        }
        terrain.heights = rows.rchunks(columns).flatten().copied().collect();
    }
    Ok(format!("{} filled", format_count(missing, "height")))
}

/// Returns the losses of a part, for the end of a report.
fn format_losses(losses: &Losses, part: &str) -> String {
    let of_part = losses.iter().filter(|loss| loss.path.to_string().contains(part));
    of_part.map(|loss| format!("; {}: {}", loss.kind.name(), loss.text)).collect()
}

fn import_cells(
    terrain: &mut Document,
    file: &str,
    options: &ReadOptions,
    beside: &mut Vec<PathBuf>,
) -> Result<String, EditProblem> {
    let image = read(file, Some(Format::CellPng), options)?;
    beside.extend_from_slice(image.side_files());
    let image = image.into_scene().map_err(|error| {
        let failure = Failure::new(file, &error);
        EditProblem::File(failure.with_help("`mapwright convert TERRAIN -o cells.png` writes an image and its legend"))
    })?;
    let image = image.scene;
    let mut scene = scene::to_scene(terrain, &Default::default()).map_err(|error| error.to_string())?.scene;
    let Some(Terrain { cell_size, cells, materials, .. }) = image.terrains.items().first() else {
        return Err("the file contains no cells".into());
    };
    // An image without a legend stores only numbers.
    let with_legend = !materials.is_empty();
    let materials = materials.iter().map(|id| id.and_then(|id| image.materials.get(id)).cloned());
    let materials = materials.map(|material| material.map(|material| scene.materials.push(material))).collect();
    let Some((_, own)) = scene.terrains.iter_mut().next() else { return Err("the terrain has no cells".into()) };
    if own.cell_size != *cell_size {
        let ([columns, rows], [width, height]) = (own.cell_size, *cell_size);
        return Err(format!("{width} by {height} pixels for {columns} by {rows} cells").into());
    }
    let changed = own.cells.iter().zip(cells).filter(|(old, new)| old != new).count();
    own.cells.clone_from(cells);
    if with_legend {
        own.materials = materials;
    }
    let losses = scene::merge_scene(terrain, &scene, &Default::default()).map_err(|error| error.to_string())?;
    Ok(format!("{} changed{}", format_count(changed, "cell"), format_losses(&losses, "cells")))
}

fn import_objects(
    terrain: &mut Document,
    file: &str,
    how: &[&str],
    options: &ReadOptions,
    taken: &mut Vec<PathBuf>,
) -> Result<String, EditProblem> {
    let mut elevation = Elevation::Absolute;
    let (mut known, mut origin) = (Centres::default(), None);
    for word in how {
        match word.split_once('=') {
            None if *word == "relative" => elevation = Elevation::Relative,
            None if *word == "absolute" => elevation = Elevation::Absolute,
            Some(("centres", table)) => {
                let table = take_file(table, taken);
                known = read_centres(Some(Path::new(&table))).map_err(EditProblem::File)?;
            }
            Some(("origin", place)) => {
                let numbers = place.split_once(',').and_then(|(east, north)| {
                    Some([east.parse::<f64>().ok()?, north.parse::<f64>().ok()?]).filter(|[x, z]| (x + z).is_finite())
                });
                origin = Some(numbers.ok_or_else(|| format!("expected origin=EAST,NORTH in metres, found {word:?}"))?);
            }
            _ => {
                let expected = "expected relative, absolute, centres=FILE or origin=EAST,NORTH";
                return Err(format!("{expected}, found {word}").into());
            }
        }
    }
    let map = origin.unwrap_or_default();
    let text = read_text(file, options)?;
    let wrong = |error: mapwright::wrp::lists::ListError| EditProblem::from_list_error(file, error);
    let extension = Path::new(file).extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let (mut unknown, mut ambiguous) = (Vec::new(), Vec::new());
    let objects: Objects = match extension.as_deref() {
        Some("csv") => read_csv_with(&text, map).map_err(wrong)?,
        Some("lbt") => read_lbt(&text).map_err(wrong)?,
        Some("txt") => {
            let options = (elevation, &known, origin.unwrap_or(TERRAIN_BUILDER_ORIGIN));
            let listed = read_terrain_builder(&text, options, terrain).map_err(wrong)?;
            (unknown, ambiguous) = (listed.unknown, listed.ambiguous);
            listed.objects
        }
        Some("json" | "geojson") => {
            read_objects_json(&text, map).map_err(|error| EditProblem::from_read_error(file, error))?
        }
        _ => {
            return Err("lists of objects are .csv, .json, .geojson, .lbt and .txt of Terrain Builder".into());
        }
    };
    if objects.is_empty() {
        let failure = Failure::other(file, "usage", Exit::Usage, "the file contains no objects".to_owned());
        return Err(EditProblem::File(failure.with_help("use the edit `delete *` to delete all objects")));
    }
    let (before, after) = (terrain.objects().len(), objects.len());
    terrain.replace_objects(objects).map_err(|error| error.to_string())?;
    let mut report = format!("{} replaced by {after}", format_count(before, "object"));
    if let Some(first) = unknown.first() {
        report.push_str(&format!("; {} of unknown models, such as {first}", format_count(unknown.len(), "template")));
    }
    if let Some(first) = ambiguous.first() {
        report.push_str(&format!(
            "; {} templates of several models, such as {first}: the last one is taken",
            ambiguous.len()
        ));
    }
    Ok(report)
}

fn paste(
    terrain: &mut Document,
    file: &str,
    at: &str,
    (options, allow_no_match): (&ReadOptions, bool),
) -> Result<String, EditProblem> {
    let at = at.split_once(',').and_then(|(x, z)| Some([x.parse().ok()?, z.parse().ok()?]));
    let at = at.ok_or("invalid cell: expected columns and rows from the south-west, such as 64,-8")?;
    let other = read(file, None, options)?
        .into_wrp()
        .map_err(|other| EditProblem::unexpected_format(file, "a terrain (wrp)", other.format()))?;
    let pasted = terrain.paste(&other, at).map_err(|error| error.to_string())?;
    if !allow_no_match && pasted.heights == 0 && pasted.cells == 0 && pasted.objects == 0 {
        return Err(format!("nothing to paste: {pasted}").into());
    }
    Ok(pasted.to_string())
}

/// Reads a list or a table, which may be UTF-16.
fn read_text(file: &str, options: &ReadOptions) -> Result<Vec<u8>, EditProblem> {
    let item = Item::new(file);
    item.text(options).map_err(|error| EditProblem::from_read_error(file, error))
}

/// Renames by the rows of a table of old and new names.
fn rename(
    file: &str,
    rename: impl FnOnce(&[(Glob, Vec<u8>)]) -> Result<Vec<usize>, EditError>,
    what: &str,
    (options, is_empty_allowed): (&ReadOptions, bool),
) -> Result<String, EditProblem> {
    let text = read_text(file, options)?;
    let pairs = read_pairs(&text).map_err(|error| EditProblem::from_list_error(file, error))?;
    let table: Vec<(Glob, Vec<u8>)> = pairs.into_iter().map(|[from, to]| (Glob::new(&from), to)).collect();
    let renamed = rename(&table).map_err(|error| error.to_string())?;
    let count = renamed.iter().sum::<usize>();
    if count == 0 && !is_empty_allowed {
        let first = table.first().map(|(from, _)| format!(", such as {from}")).unwrap_or_default();
        return Err(format!("no {what} has one of the old names of the table{first}").into());
    }
    let mut report = format!("{} renamed", format_count(count, what));
    if let Some(row) = renamed.iter().position(|count| *count == 0) {
        let rows = renamed.iter().filter(|count| **count == 0).count();
        report.push_str(&format!("; {} changed nothing, such as that of {}", format_count(rows, "row"), table[row].0));
    }
    Ok(report)
}
