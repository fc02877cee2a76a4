//! Properties of the scene → settings of the map.

use mapwright_scene::{Losses, Properties, Scene, Value};

use super::text::TextWriter;
use super::values::{clean_text, format_value};
use crate::Separator;
use crate::scene::AXES;
use crate::scene::conventions::format_numbers;
use crate::scene::names::{CORDONS, ESCAPE, GRID_SPACING, IS_PREFAB, SEPARATOR, SHOW_GRID};

/// Returns the separator of outputs that a scene states.
pub(super) fn stated_separator(scene: &Scene) -> Option<Separator> {
    let stated = scene.properties.get(SEPARATOR)?.as_text()?;
    (stated == ESCAPE).then_some(Separator::Escape)
}

/// Settings of a map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settings {
    /// The keys `prefab` of `versioninfo`, and `nGridSpacing` and `bShowGrid` of `viewsettings`.
    pub(super) values: [String; 3],
    cordons: Vec<Cordon>,
}

/// The block, key and place in [`Settings::values`] of each setting.
pub(super) const KEYS: [(&str, &str); 3] =
    [("versioninfo", "prefab"), ("viewsettings", "nGridSpacing"), ("viewsettings", "bShowGrid")];

#[derive(Debug, Clone, PartialEq)]
struct Cordon {
    name: String,
    is_active: bool,
    bounds: [[f64; 3]; 2],
}

/// Returns the settings of a scene. Other properties are reported.
pub(super) fn plan_settings(scene: &Scene, losses: &mut Losses) -> Settings {
    let mut settings = Settings { values: ["0", "64", "1"].map(str::to_owned), cordons: Vec::new() };
    let [is_prefab, spacing, show_grid] = &mut settings.values;
    for (key, value) in scene.properties.iter() {
        match (key, value) {
            (IS_PREFAB, Value::Bool(_)) => *is_prefab = format_value(value).unwrap_or_default(),
            (GRID_SPACING, Value::Int(_)) => *spacing = format_value(value).unwrap_or_default(),
            (SHOW_GRID, Value::Bool(_)) => *show_grid = format_value(value).unwrap_or_default(),
            (SEPARATOR, Value::Text(text)) if text == ESCAPE => {}
            (CORDONS, Value::List(list)) => {
                for (index, item) in list.iter().enumerate() {
                    match read_cordon(item, losses) {
                        Some(cordon) => settings.cordons.push(cordon),
                        None => losses.dropped(format!("properties.{CORDONS}[{index}]"), "cordon without bounds"),
                    }
                }
            }
            _ => losses.dropped(format!("properties.{key}"), format!("property {key}")),
        }
    }
    settings
}

fn read_cordon(value: &Value, losses: &mut Losses) -> Option<Cordon> {
    let Value::Map(item) = value else { return None };
    let point = |item: &Properties, key: &str| {
        let Some(Value::List(numbers)) = item.get(key) else { return None };
        let numbers: Option<Vec<f64>> = numbers.iter().map(Value::as_f64).collect();
        <[f64; 3]>::try_from(numbers?).ok().filter(|point| point.iter().all(|number| number.is_finite()))
    };
    let back = AXES.inverse();
    let (low, high) = (back.apply(point(item, "min")?), back.apply(point(item, "max")?));
    let pick = |pick: fn(f64, f64) -> f64| -> [f64; 3] {
        let mut numbers = low;
        numbers.iter_mut().zip(high).for_each(|(number, other)| *number = pick(*number, other));
        numbers
    };
    let name = item.get("name").and_then(Value::as_text).unwrap_or_default();
    let name = clean_text(name, CORDONS, losses);
    let is_active = item.get("active").and_then(Value::as_bool).unwrap_or(false);
    Some(Cordon { name, is_active, bounds: [pick(f64::min), pick(f64::max)] })
}

impl Settings {
    /// Returns `true` if the cordons are the same.
    pub(super) fn has_cordons_of(&self, other: &Self) -> bool {
        self.cordons == other.cordons
    }

    /// Writes the block of the cordons.
    pub(super) fn write_cordons(&self, text: &mut TextWriter) {
        text.open("cordons");
        text.key("active", if self.cordons.iter().any(|cordon| cordon.is_active) { "1" } else { "0" });
        for cordon in &self.cordons {
            text.open("cordon");
            if !cordon.name.is_empty() {
                text.key("name", &cordon.name);
            }
            text.key("active", if cordon.is_active { "1" } else { "0" });
            text.open("box");
            for (key, point) in ["mins", "maxs"].into_iter().zip(cordon.bounds) {
                text.key(key, &format!("({})", format_numbers(point)));
            }
            text.close();
            text.close();
        }
        text.close();
    }
}
