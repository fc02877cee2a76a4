//! Conversion between lights and the keys of light entities.
//!
//! A light has all keys but those of its place as properties. Its fields are derived from them.

use mapwright_scene::{Attenuation, Light, LightKind, Properties, Value};

use super::conventions::{format_number, format_numbers, round_noise};
use super::names::CLASS;

const COLOR: &str = "_light";
const CONE: &str = "_cone";
const INNER_CONE: &str = "_inner_cone";
const EXPONENT: &str = "_exponent";
const RANGE: &str = "_distance";
const FALLOFF: [&str; 3] = ["_constant_attn", "_linear_attn", "_quadratic_attn"];
/// The distance in units at which a light has the brightness of its key.
const DISTANCE: f64 = 100.0;
/// The brightness of full light.
const FULL: f64 = 255.0;

/// Classes of lights, the usual one of each kind first.
const CLASSES: [(&str, Kind); 4] = [
    ("light", Kind::Point),
    ("light_spot", Kind::Spot),
    ("light_environment", Kind::Directional),
    ("light_directional", Kind::Directional),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Point,
    Spot,
    Directional,
}

impl Kind {
    /// Returns the kind of light of a class. Returns `None` for classes that are not lights.
    pub(super) fn of_class(class: &str) -> Option<Self> {
        CLASSES.iter().find(|(name, _)| class.eq_ignore_ascii_case(name)).map(|(_, kind)| *kind)
    }

    /// Returns `true` for lights with a direction, which have the key `pitch`.
    pub(super) fn has_direction(self) -> bool {
        self != Self::Point
    }
}

/// Returns the class and kind of the entity of a light: those of its keys, if they fit.
pub(super) fn class_of_light(light: &Light) -> (&str, Kind) {
    let wanted = match light.kind {
        LightKind::Spot { .. } => Kind::Spot,
        LightKind::Directional => Kind::Directional,
        _ => Kind::Point,
    };
    let stated = light.properties.get(CLASS).and_then(Value::as_text);
    if let Some(class) = stated.filter(|class| Kind::of_class(class) == Some(wanted)) {
        return (class, wanted);
    }
    let usual = CLASSES.iter().find(|(_, kind)| *kind == wanted).map_or("light", |(class, _)| class);
    (usual, wanted)
}

fn find<'a>(properties: &'a Properties, key: &str) -> Option<&'a str> {
    properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).and_then(|(_, value)| value.as_text())
}

fn number(properties: &Properties, key: &str) -> Option<f64> {
    find(properties, key)?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Derives a light from its keys.
pub(super) fn light_from_keys(kind: Kind, properties: Properties) -> Light {
    let words = find(&properties, COLOR).unwrap_or("255 255 255 200");
    let numbers: Vec<f64> = words.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
    let finite = numbers.iter().all(|number| number.is_finite());
    let (color, brightness) = match numbers.as_slice() {
        [r, g, b, i, ..] if finite => ([*r, *g, *b], *i),
        [r, g, b] if finite => ([*r, *g, *b], FULL),
        _ => ([FULL; 3], 200.0),
    };
    let [r, g, b] = color.map(|channel| channel / FULL);
    // The sun does not get darker, and its entity has no such keys.
    let attenuation = if kind == Kind::Directional { Attenuation::default() } else { falloff(&properties) };
    let angle = |key: &str, usual: f64| number(&properties, key).unwrap_or(usual).clamp(0.0, 90.0).to_radians();
    let outer = angle(CONE, 45.0);
    Light {
        kind: match kind {
            Kind::Point => LightKind::Point,
            Kind::Directional => LightKind::Directional,
            Kind::Spot => LightKind::Spot {
                inner: angle(INNER_CONE, 30.0).min(outer),
                outer,
                exponent: number(&properties, EXPONENT).unwrap_or(1.0).max(0.0),
            },
        },
        color: [r, g, b, 1.0],
        intensity: (brightness / FULL * ratio(&attenuation)).max(0.0),
        attenuation,
        range: number(&properties, RANGE).filter(|range| *range > 0.0),
        properties,
        ..Light::default()
    }
}

/// Returns the falloff. Without any it is constant, as compilers do it.
fn falloff(properties: &Properties) -> Attenuation {
    let [constant, linear, quadratic] = FALLOFF.map(|key| number(properties, key).unwrap_or(0.0).max(0.0));
    // Editors give new lights a quadratic falloff, and leave out keys with their default.
    let has_keys = FALLOFF.iter().any(|key| find(properties, key).is_some());
    match [constant, linear, quadratic] {
        _ if !has_keys => Attenuation { constant: 0.0, linear: 0.0, quadratic: 1.0 },
        [0.0, 0.0, 0.0] => Attenuation::default(),
        _ => Attenuation { constant, linear, quadratic },
    }
}

/// The factor between the brightness of the key and that at the light.
fn ratio(falloff: &Attenuation) -> f64 {
    falloff.constant + falloff.linear * DISTANCE + falloff.quadratic * DISTANCE * DISTANCE
}

/// Returns the keys of a light: its properties, changed where they differ from its fields. The second result is `true` if they represent
/// the light exactly.
pub(super) fn keys_from_light(light: &Light) -> (Properties, bool) {
    let (_, kind) = class_of_light(light);
    let derived = light_from_keys(kind, light.properties.clone());
    let mut keys = light.properties.clone();
    keys.entries.retain(|(key, _)| key != CLASS);
    let mut set =
        |key: &str, value: String| match keys.entries.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(key)) {
            Some((_, old)) => *old = value.into(),
            None => keys.push(key, value),
        };
    let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3);
    let Attenuation { constant, linear, quadratic } = light.attenuation;
    let mut falloff = light.attenuation;
    let mut is_exact = light.ambient.is_none() && light.specular.is_none();
    if falloff != derived.attenuation {
        if kind == Kind::Directional {
            falloff = Attenuation::default();
            is_exact = false;
        } else {
            for (key, number) in FALLOFF.into_iter().zip([constant, linear, quadratic]) {
                set(key, format_number(round_noise(number)));
            }
        }
    }
    let ratio = ratio(&falloff);
    // Compilers read no falloff at all as a constant one.
    is_exact &= ratio > 0.0;
    let brightness = light.intensity * FULL / if ratio > 0.0 { ratio } else { 1.0 };
    let derived_brightness = derived.intensity * FULL / self::ratio(&derived.attenuation);
    let colors = light.color.iter().zip(derived.color).take(3);
    let is_same_color = colors.clone().all(|(a, b)| is_near(*a, b)) && is_near(brightness, derived_brightness);
    // A light without the key has the default of compilers, which the file must not rely on.
    if !is_same_color || find(&light.properties, COLOR).is_none() {
        let numbers = colors.map(|(channel, _)| round_noise(channel * FULL)).chain([significant(brightness)]);
        set(COLOR, format_numbers(numbers));
    }
    if let LightKind::Spot { inner, outer, exponent } = light.kind {
        let LightKind::Spot { inner: old_inner, outer: old_outer, exponent: old_exponent } = derived.kind else {
            return (keys, false);
        };
        for (key, new, old) in [(CONE, outer, old_outer), (INNER_CONE, inner, old_inner)] {
            if !is_near(new, old) {
                set(key, format_number(round_noise(new.to_degrees())));
            }
        }
        if !is_near(exponent, old_exponent) {
            set(EXPONENT, format_number(exponent));
        }
    }
    let has_range = light.range.is_some_and(|range| range > 0.0);
    match (light.range.filter(|_| has_range), derived.range) {
        (Some(new), Some(old)) if is_near(new, old) => {}
        (Some(new), _) => set(RANGE, format_number(round_noise(new))),
        (None, Some(_)) => set(RANGE, "0".to_owned()),
        (None, None) => {}
    }
    (keys, is_exact && (light.range.is_none() || has_range))
}

/// Rounds to nine significant digits, which removes the noise of a product.
fn significant(number: f64) -> f64 {
    format!("{number:.8e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lamp() -> Properties {
        [(CLASS, "light"), ("_light", "255 128 0 200"), ("_quadratic_attn", "1"), ("style", "0")].into_iter().collect()
    }

    /// Source: the light has the brightness of its key at a distance of 100 units.
    #[test]
    fn brightness_is_that_at_a_hundred_units() {
        let light = light_from_keys(Kind::Point, lamp());
        let Attenuation { constant, linear, quadratic } = light.attenuation;
        let at = |distance: f64| light.intensity / (constant + linear * distance + quadratic * distance * distance);
        assert!((at(100.0) - 200.0 / 255.0).abs() < 1e-12, "{}", at(100.0));
        assert_eq!(light.color, [1.0, 128.0 / 255.0, 0.0, 1.0]);
    }

    #[test]
    fn matching_keys_keep_their_text_and_others_change() {
        let mut light = light_from_keys(Kind::Point, lamp());
        let mut wanted = lamp();
        wanted.entries.remove(0);
        assert_eq!(keys_from_light(&light), (wanted.clone(), true));
        light.color[2] = 1.0;
        light.range = Some(512.0);
        wanted.set("_light", "255 128 255 200");
        wanted.push("_distance", "512");
        assert_eq!(keys_from_light(&light), (wanted, true));
    }

    #[test]
    fn lights_without_keys_come_back_from_new_ones() {
        let spot = LightKind::Spot { inner: 0.25, outer: 0.5, exponent: 2.0 };
        for kind in [LightKind::Point, LightKind::Directional, spot] {
            let light =
                Light { kind, color: [0.5, 0.25, 1.0, 1.0], intensity: 3.0, range: Some(40.0), ..Light::default() };
            let (keys, is_exact) = keys_from_light(&light);
            let (_, kind) = class_of_light(&light);
            let back = light_from_keys(kind, keys);
            assert!(is_exact && (back.intensity - 3.0).abs() < 1e-6, "{back:?}");
            assert_eq!((back.color, back.range, back.attenuation), (light.color, light.range, light.attenuation));
        }
    }
}
