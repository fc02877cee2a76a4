//! Settings of maps → properties of the scene.

use mapwright_scene::{Properties, Value};

use super::context::Context;
use crate::Separator;
use crate::document::value;
use crate::scene::AXES;
use crate::scene::names::{CORDONS, ESCAPE, GRID_SPACING, IS_PREFAB, SEPARATOR, SHOW_GRID};

/// Blocks that are read elsewhere.
const READ: [&str; 9] =
    ["versioninfo", "visgroups", "viewsettings", "world", "entity", "hidden", "cameras", "cordon", "cordons"];
/// Settings of the views, with the value in new maps.
const VIEW_DEFAULTS: [(&str, &str); 5] =
    [("bSnapToGrid", "1"), ("bShowGrid", "1"), ("bShowLogicalGrid", "0"), ("nGridSpacing", "64"), ("bShow3DGrid", "0")];
/// Settings of the views that are properties.
const VIEW_PROPERTIES: [&str; 2] = ["bShowGrid", "nGridSpacing"];

/// Reads the settings of the map, and reports those of the editor.
pub(super) fn read_settings(context: &mut Context<'_>) {
    let document = context.document;
    let mut properties = Properties::new();
    if document.version("prefab").is_some_and(|flag| flag != 0) {
        properties.push(IS_PREFAB, true);
    }
    let setting = |key: &str| document.blocks("viewsettings").find_map(|block| value::integer(block, key));
    if let Some(spacing) = setting("nGridSpacing").filter(|spacing| *spacing != 64) {
        properties.push(GRID_SPACING, spacing);
    }
    if setting("bShowGrid") == Some(0) {
        properties.push(SHOW_GRID, false);
    }
    if context.separator == Separator::Escape {
        properties.push(SEPARATOR, ESCAPE);
    }
    read_cordons(context, &mut properties);
    context.scene.properties = properties;
    report_editor_blocks(context);
}

fn read_cordons(context: &mut Context<'_>, properties: &mut Properties) {
    let mut list = Vec::new();
    for (index, cordon) in context.document.cordons().enumerate() {
        let Some([low, high]) = cordon.bounds() else {
            context.losses.dropped(format!("cordons[{index}]"), "cordon without bounds");
            continue;
        };
        let mut item = Properties::new();
        if let Some(name) = cordon.name() {
            item.push("name", &*name);
        }
        item.push("active", cordon.is_active().unwrap_or(false));
        // The change of axes negates y, which swaps its minimum and maximum.
        let (low, high) = (AXES.apply(low), AXES.apply(high));
        let numbers = |pick: fn(f64, f64) -> f64| {
            let pairs = low.iter().zip(high);
            Value::List(pairs.map(|(&a, b)| Value::Float(pick(a, b) + 0.0)).collect())
        };
        item.push("min", numbers(f64::min));
        item.push("max", numbers(f64::max));
        list.push(Value::Map(item));
    }
    if !list.is_empty() {
        properties.push(CORDONS, list);
    }
}

/// Reports settings that only editors use.
fn report_editor_blocks(context: &mut Context<'_>) {
    let document = context.document;
    let is_default = |name: &str, text: Option<&str>| {
        VIEW_PROPERTIES.iter().any(|key| key.eq_ignore_ascii_case(name))
            || VIEW_DEFAULTS.iter().any(|(key, default)| key.eq_ignore_ascii_case(name) && text == Some(*default))
    };
    let views = document.blocks("viewsettings").flat_map(mapwright_keyvalues::kv1::Item::items);
    let views = views.filter(|item| !is_default(&item.name_text(), item.text().as_deref())).count();
    if views > 0 {
        context.losses.dropped("viewsettings", "settings of the editor's views");
    }
    let mut seen = std::collections::HashSet::new();
    for item in document.text().items() {
        context.counts.comments += item.comments().count();
        let name = item.name_text().to_ascii_lowercase();
        if !READ.iter().any(|known| *known == name) && seen.insert(name.clone()) {
            context.losses.dropped(name, if item.is_block() { "block of the editor" } else { "key outside of blocks" });
        }
    }
    let worlds = document.blocks("world").count();
    if worlds > 1 {
        context.losses.approximated("world", "keys of further worlds, whose solids are part of the first one");
    }
}
