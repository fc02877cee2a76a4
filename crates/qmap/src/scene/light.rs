//! Keys of lights.

use mapwright_scene::{ColorSpace, Light, Properties, Value};

use super::angles::numbers;

/// Range of a light without keys in Quake.
const RANGE: f64 = 300.0;

/// Returns the colour and range of keys.
fn colour_and_range(properties: &Properties) -> ([f64; 3], f64) {
    let text = |key| properties.get(key).and_then(Value::as_text);
    let (mut color, mut range) = ([1.0; 3], RANGE);
    if let Some([r, g, b, brightness]) = text("_light").and_then(numbers) {
        (color, range) = ([r, g, b].map(|c| c / 255.0), brightness);
    }
    // Quake 2 and 3 may have the brightness alone.
    if let Some([brightness]) = text("_light").and_then(numbers) {
        range = brightness;
    }
    if let Some([brightness]) = text("light").and_then(numbers) {
        range = brightness;
    }
    if let Some(rgb) = text("_color").and_then(numbers::<3>) {
        // Both scales occur.
        let most = if rgb.iter().any(|c| *c > 1.0) { 255.0 } else { 1.0 };
        color = rgb.map(|c| c / most);
    }
    (color.map(|c| c.clamp(0.0, 1.0)), range)
}

/// Creates a light from its keys.
pub(super) fn read(properties: Properties) -> Light {
    let ([r, g, b], range) = colour_and_range(&properties);
    Light { color: [r, g, b, 1.0], range: Some(range).filter(|range| *range > 0.0), properties, ..Light::default() }
}

/// Returns `true` if a light without a range has one after its keys are read again.
pub(super) fn gains_range(light: &Light) -> bool {
    light.range.is_none() && colour_and_range(&light.properties).1 > 0.0
}

/// Returns the keys of a light: its own keys if they still match, otherwise new ones. `space` is that of its colour.
pub(super) fn keys(light: &Light, space: ColorSpace, number: impl Fn(f64) -> String) -> Properties {
    let mut keys = light.properties.clone();
    let (color, range) = colour_and_range(&keys);
    let [r, g, b, _] = match space {
        ColorSpace::Srgb => light.color,
        // Without the rounding errors of the conversion, which would change white.
        ColorSpace::Linear => space.color_to_srgb(light.color).map(|c| (c * 1e12).round() / 1e12),
    };
    let wanted = light.range.unwrap_or(range);
    if wanted != range {
        keys.set("light", number(wanted));
    }
    if color != [r, g, b] {
        let [r, g, b] = [r, g, b].map(|c| number(c.clamp(0.0, 1.0)));
        keys.set("_color", format!("{r} {g} {b}"));
    }
    keys
}
