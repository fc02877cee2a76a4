//! Element graphs and Source 2 maps in words.

use mapwright::info::{AssetInfo, DmxInfo, ThumbnailInfo, UseCount, VmapInfo, VmapTotals};

use super::wings::point;
use super::{line, list, names};
use crate::text::{count, quoted, size};

pub(super) fn graph(out: &mut String, dmx: &DmxInfo, is_map: bool) {
    let layout = match dmx.profile {
        Some("valve") => ", laid out as Valve's programs do".to_owned(),
        Some(profile) => format!(", laid out {profile}"),
        None => String::new(),
    };
    line(out, "graph", &format!("{}, format {} {}{layout}", dmx.encoding, quoted(&dmx.format), dmx.format_version));
    let mut parts = vec![count(dmx.elements, "element"), count(dmx.attributes, "attribute")];
    let mut say = |number: usize, text: String| {
        if number > 0 {
            parts.push(text);
        }
    };
    say(dmx.strings, format!("{} in the table", count(dmx.strings, "string")));
    say(dmx.external_references, format!("{} to other files", count(dmx.external_references, "reference")));
    say(dmx.trailing_bytes, format!("{} behind the end", size(dmx.trailing_bytes as u64)));
    line(out, "contents", &parts.join(", "));
    if !dmx.prefix.is_empty() {
        let all: Vec<String> = dmx.prefix.iter().map(|one| one.name.clone()).collect();
        line(out, "prefix", &names(&all));
    }
    // Of maps the nodes say more.
    if !is_map {
        list(out, "classes", &counts(&dmx.classes));
    }
}

pub(super) fn map(out: &mut String, vmap: &VmapInfo) {
    let build = match vmap.editor_build {
        0 => "a program that does not say its build".to_owned(),
        build => format!("build {build} of Hammer"),
    };
    line(out, "written by", &build);
    let prefab = if vmap.is_prefab { ", a prefab" } else { "" };
    line(out, "usage", &format!("{}{prefab}", quoted(&vmap.usage)));
    let VmapTotals { nodes, entities, outputs, meshes, vertices, faces, hidden, bounds, bounds_cut, .. } = vmap.totals;
    let mut totals = vec![
        count(nodes, "node"),
        count(entities, "entity"),
        count(outputs, "output"),
        count(meshes, "mesh"),
        count(vertices, "vertex"),
        count(faces, "face"),
    ];
    if hidden > 0 {
        totals.push(count(hidden, "hidden node"));
    }
    line(out, "totals", &totals.join(", "));
    if let Some([low, high]) = bounds {
        let cut = if bounds_cut { ", without what too many instances show" } else { "" };
        line(out, "bounds", &format!("{} to {}{cut}", point(low), point(high)));
    }
    let told = |picture: &ThumbnailInfo| format!("{}, {}", quoted(&picture.format), size(picture.bytes as u64));
    line(out, "thumbnail", &vmap.thumbnail.as_ref().map_or("none".to_owned(), told));
    list(out, "nodes", &counts(&vmap.nodes));
    list(out, "entities", &counts(&vmap.entities));
    for assets in vmap.assets.chunk_by(|one, other| one.kind == other.kind) {
        list(out, assets.first().map_or("assets", |asset| asset.kind), &assets.iter().map(asset).collect::<Vec<_>>());
    }
}

fn counts(counts: &[UseCount]) -> Vec<String> {
    counts.iter().map(|UseCount { name, count }| format!("{count} × {}", quoted(name))).collect()
}

fn asset(asset: &AssetInfo) -> String {
    let listed = if asset.listed { "" } else { ", not listed" };
    format!("{} × {}{listed}", asset.uses, quoted(&asset.path))
}
