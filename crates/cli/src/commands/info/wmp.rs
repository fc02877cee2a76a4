//! Gamestudio maps in words.

use mapwright::info::{UseCount, WmpInfo};

use super::{line, list};
use crate::text::{clean, count};

pub(super) fn text(out: &mut String, map: &WmpInfo) {
    let ends = map.line_end.map(|end| format!(", lines end with {end}")).unwrap_or_default();
    line(out, "dialect", &format!("{}{ends}", dialect(map.dialect)));
    let said: Vec<&str> =
        [&map.generator, &map.created].into_iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    if !said.is_empty() {
        line(out, "written by", &clean(&said.join(", ")));
    }
    if let Some(level) = &map.level {
        let script = if level.script.is_empty() { "no script".to_owned() } else { format!("script {}", level.script) };
        let sun = format!("sun at {}° and {}° high", level.azimuth, level.elevation);
        line(out, "level", &clean(&format!("{script}, palette {}, nexus {} MB, {sun}", level.palette, level.nexus)));
    }
    let concave = if map.concave > 0 { format!(" ({} not convex)", map.concave) } else { String::new() };
    let parts = [count(map.faces, "face"), count(map.vertices, "vertex")];
    line(out, "blocks", &format!("{}{concave}, {}", map.blocks, parts.join(", ")));
    if let Some([low, high]) = map.extent {
        let size: Vec<String> = high.iter().zip(low).map(|(high, low)| format!("{:.0}", high - low)).collect();
        line(out, "extent", &format!("{} quants", size.join(" × ")));
    }
    line(out, "tree", &format!("{}, {}", count(map.groups, "group"), count(map.depth, "level")));
    let all = |counts: &[UseCount]| -> Vec<String> {
        counts.iter().map(|one| format!("{} × {}", one.count, clean(&one.name))).collect()
    };
    list(out, "entities", &all(&map.entities));
    list(out, "models", &all(&map.models));
    list(out, "actions", &all(&map.actions));
    list(out, "textures", &all(&map.textures));
    list(out, "sources", &map.sources.iter().map(|source| clean(source)).collect::<Vec<_>>());
}

fn dialect(name: &str) -> String {
    match name {
        "a4" => "A4 text, planes".to_owned(),
        "711" => "$$M, resolved for the level compiler (711)".to_owned(),
        "wmpb" => "WMPB, binary".to_owned(),
        version => format!("text, version {version}"),
    }
}
