//! Conversion between lights and the key values of `light_…` entities.
//!
//! A light has all key values as properties. Its fields are derived from them.

use mapwright_scene::{Light, LightKind, Properties, Value};

use super::names::CLASS_NAME;

/// Kind of light for each class.
const CLASSES: [(&str, Kind); 12] = [
    ("light_omni", Kind::Point),
    ("light_omni2", Kind::Point),
    ("light_spot", Kind::Spot),
    ("light_environment", Kind::Directional),
    ("light_directional", Kind::Directional),
    ("light_ortho", Kind::Other),
    ("light_rect", Kind::Area),
    ("light_barn", Kind::Other),
    ("light_capsule", Kind::Other),
    ("light_sky", Kind::Other),
    ("light_dynamic", Kind::Spot),
    ("light_ambient", Kind::Ambient),
];

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Ambient,
    Directional,
    Point,
    Spot,
    Area,
    Other,
}

// Names of keys in several games; case is ignored.
const COLOR: [&str; 1] = ["color"];
const BRIGHTNESS: [&str; 1] = ["brightness"];
const RANGE: [&str; 1] = ["range"];
const INNER: [&str; 2] = ["innerconeangle", "inner_angle"];
const OUTER: [&str; 2] = ["outerconeangle", "outer_angle"];

/// Returns the kind of light for a class of entities; `None` if it is not a light.
pub(super) fn kind_of_class(class: &[u8]) -> Option<Kind> {
    CLASSES.iter().find(|(name, _)| name.as_bytes() == class).map(|(_, kind)| *kind)
}

/// Derives a light from its key values.
pub(super) fn light_from_keys(kind: Kind, properties: Properties) -> Light {
    let number = |keys: &[&str]| find(&properties, keys).and_then(numbers).and_then(|list| list.first().copied());
    let angle = |keys: &[&str], usual: f64| number(keys).unwrap_or(usual).clamp(0.0, 90.0).to_radians();
    let is_directional = kind == Kind::Directional;
    let kind = match kind {
        Kind::Ambient => LightKind::Ambient,
        Kind::Directional => LightKind::Directional,
        Kind::Point => LightKind::Point,
        Kind::Spot => {
            let outer = angle(&OUTER, 60.0);
            LightKind::Spot { inner: angle(&INNER, 45.0).min(outer), outer, exponent: 0.0 }
        }
        Kind::Area => LightKind::Area { mesh: None },
        Kind::Other => LightKind::Other(find(&properties, &[CLASS_NAME]).unwrap_or_default().to_owned()),
    };
    let color = match find(&properties, &COLOR).and_then(numbers).as_deref() {
        Some([r, g, b, ..]) => [r / 255.0, g / 255.0, b / 255.0, 1.0],
        _ => [1.0; 4],
    };
    Light {
        kind,
        color,
        intensity: number(&BRIGHTNESS).unwrap_or(1.0).max(0.0),
        // Directional lights have no range, even if they have the key.
        range: number(&RANGE).filter(|range| *range > 0.0 && !is_directional),
        properties,
        ..Light::default()
    }
}

/// Returns the text of the first key with one of these names.
fn find<'a>(properties: &'a Properties, keys: &[&str]) -> Option<&'a str> {
    let found = |name: &str| keys.iter().any(|key| key.eq_ignore_ascii_case(name));
    properties.iter().find(|(name, _)| found(name)).and_then(|(_, value)| value.as_text())
}

/// Parses a list of numbers; `None` if the text contains anything else.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok().filter(|number: &f64| number.is_finite())).collect()
}

/// Applies changed key values to the fields that did not change.
pub(super) fn apply_changed_keys(light: &Light, before: &Light) -> Light {
    let from_keys = |properties: &Properties| {
        let kind = kind_of_class(find(properties, &[CLASS_NAME])?.as_bytes())?;
        Some(light_from_keys(kind, properties.clone()))
    };
    let mut light = light.clone();
    let (Some(was), Some(now)) = (from_keys(&before.properties), from_keys(&light.properties)) else { return light };
    if light.kind == before.kind && now.kind != was.kind {
        light.kind = now.kind;
    }
    if light.color == before.color && now.color != was.color {
        light.color = now.color;
    }
    if light.intensity == before.intensity && now.intensity != was.intensity {
        light.intensity = now.intensity;
    }
    if light.range == before.range && now.range != was.range {
        light.range = now.range;
    }
    light
}

/// Returns the entity class for a light; `None` for kinds that maps do not have.
fn class_of_light(light: &Light) -> Option<&str> {
    let wanted = match &light.kind {
        LightKind::Ambient => Kind::Ambient,
        LightKind::Directional => Kind::Directional,
        LightKind::Point => Kind::Point,
        LightKind::Spot { .. } => Kind::Spot,
        LightKind::Area { .. } => Kind::Area,
        LightKind::Other(class) => {
            return CLASSES.iter().find(|(name, kind)| name == class && *kind == Kind::Other).map(|(name, _)| *name);
        }
    };
    let stated = find(&light.properties, &[CLASS_NAME]);
    let fits = CLASSES.iter().filter(|(_, kind)| *kind == wanted).map(|(name, _)| *name);
    fits.clone().find(|name| Some(*name) == stated).or_else(|| fits.clone().next())
}

/// Returns the key values of a light: its properties, updated where its fields differ. The second
/// result is `true` if the key values represent the light exactly.
pub(super) fn keys_from_light(light: &Light) -> Option<(Properties, bool)> {
    let mut keys = Properties::new();
    let class = class_of_light(light)?;
    if find(&light.properties, &[CLASS_NAME]).is_none() {
        keys.push(CLASS_NAME, class);
    }
    keys.entries.extend(light.properties.entries.iter().cloned());
    keys.set(CLASS_NAME, class);
    let kind = kind_of_class(class.as_bytes()).unwrap_or(Kind::Other);
    let read_back = |keys: &Properties| light_from_keys(kind, keys.clone());
    let set = |keys: &mut Properties, names: &[&str], text: String| {
        let place = keys.entries.iter_mut().find(|(name, _)| names.iter().any(|key| key.eq_ignore_ascii_case(name)));
        match (place, names.first()) {
            (Some((_, value)), _) => *value = Value::Text(text),
            (None, Some(name)) => keys.push(*name, text),
            (None, None) => {}
        }
    };
    let now = read_back(&keys);
    // Keep the text of numbers that only differ by the noise of a unit conversion.
    let light = &snap_to(light, &now);
    if now.color.iter().zip(light.color).take(3).any(|(a, b)| *a != b) {
        let [r, g, b, _] = light.color.map(|channel| format_number(channel * 255.0));
        let stated = find(&keys, &COLOR).and_then(numbers);
        let rest = match stated.as_deref() {
            Some([_, _, _]) => String::new(),
            Some([_, _, _, rest, ..]) => format!(" {}", format_number(*rest)),
            _ => " 255".to_owned(),
        };
        set(&mut keys, &COLOR, format!("{r} {g} {b}{rest}"));
    }
    if now.intensity != light.intensity {
        set(&mut keys, &BRIGHTNESS, format_number(light.intensity));
    }
    if now.range != light.range {
        set(&mut keys, &RANGE, format_number(light.range.unwrap_or(0.0)));
    }
    if let LightKind::Spot { inner, outer, .. } = light.kind
        && now.kind != light.kind
    {
        set(&mut keys, &INNER, format_number(inner.to_degrees()));
        set(&mut keys, &OUTER, format_number(outer.to_degrees()));
    }
    let exact = read_back(&keys) == Light { properties: keys.clone(), ..light.clone() };
    Some((keys, exact))
}

/// Replaces numbers by those of another light if they differ by no more than a conversion of units or colours can cause.
fn snap_to(light: &Light, other: &Light) -> Light {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-8 * a.abs().max(1.0);
    let pick = |own: f64, other: f64| if near(own, other) { other } else { own };
    let mut light = light.clone();
    for (own, other) in light.color.iter_mut().zip(other.color) {
        *own = pick(*own, other);
    }
    light.intensity = pick(light.intensity, other.intensity);
    light.range = light.range.map(|own| pick(own, other.range.unwrap_or(own)));
    if let (LightKind::Spot { inner, outer, .. }, LightKind::Spot { inner: near_inner, outer: near_outer, .. }) =
        (&mut light.kind, &other.kind)
    {
        (*inner, *outer) = (pick(*inner, *near_inner), pick(*outer, *near_outer));
    }
    light
}

/// Formats a number with few digits, without the noise of a last bit or two.
fn format_number(number: f64) -> String {
    let short = format!("{number:.6}");
    let near = short.parse::<f64>().is_ok_and(|near| (near - number).abs() <= 1e-12 * number.abs().max(1.0));
    if near { short.trim_end_matches('0').trim_end_matches('.').to_owned() } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot() -> Properties {
        [(CLASS_NAME, "light_spot"), ("Color", "254 213 183 255"), ("Brightness", "2.50"), ("InnerConeAngle", "20")]
            .into_iter()
            .collect()
    }

    #[test]
    fn matching_keys_keep_their_text() {
        let light = light_from_keys(Kind::Spot, spot());
        assert_eq!(light.color, [254.0 / 255.0, 213.0 / 255.0, 183.0 / 255.0, 1.0]);
        assert_eq!(light.intensity, 2.5);
        let LightKind::Spot { inner, outer, .. } = light.kind else { panic!("{light:?}") };
        assert_eq!((inner, outer), (20.0_f64.to_radians(), 60.0_f64.to_radians()));
        assert_eq!(keys_from_light(&light), Some((spot(), true)));
    }

    #[test]
    fn changed_fields_change_their_keys() {
        let mut light = light_from_keys(Kind::Spot, spot());
        light.color[0] = 1.0;
        light.range = Some(300.0);
        let mut wanted = spot();
        wanted.set("Color", "255 213 183 255");
        wanted.push("range", "300");
        assert_eq!(keys_from_light(&light), Some((wanted, true)));
        light.ambient = Some([0.0; 4]);
        assert!(!keys_from_light(&light).unwrap().1);
    }

    #[test]
    fn nearly_equal_keys_keep_their_text() {
        let keys_of = [(CLASS_NAME, "light_environment"), ("color", "255 255 128"), ("range", "512")];
        let mut sun = light_from_keys(Kind::Directional, keys_of.into_iter().collect());
        assert_eq!(sun.range, None);
        sun.color = sun.color.map(|channel| channel * (1.0 - 1e-12));
        assert_eq!(keys_from_light(&sun), Some((keys_of.into_iter().collect(), true)));
        sun.color[0] = 0.0;
        assert_eq!(keys_from_light(&sun).unwrap().0.get("color").and_then(Value::as_text), Some("0 255 128"));
        let mut spot = light_from_keys(Kind::Spot, spot());
        let LightKind::Spot { inner, .. } = &mut spot.kind else { panic!("{spot:?}") };
        *inner *= 1.0 - 1e-9;
        assert_eq!(keys_from_light(&spot), Some((self::spot(), true)));
    }

    #[test]
    fn changed_keys_update_unchanged_fields() {
        let before = light_from_keys(Kind::Spot, spot());
        let mut now = before.clone();
        now.properties.set(CLASS_NAME, "light_omni");
        now.properties.set("Brightness", "4");
        now.properties.set("Color", "0 0 0");
        now.color = [1.0; 4];
        let now = apply_changed_keys(&now, &before);
        assert_eq!((&now.kind, now.intensity, now.color), (&LightKind::Point, 4.0, [1.0; 4]));
        let keys = keys_from_light(&now).unwrap().0;
        assert_eq!(keys.get(CLASS_NAME).and_then(Value::as_text), Some("light_omni"));
        assert_eq!(keys.get("Brightness").and_then(Value::as_text), Some("4"));
    }

    #[test]
    fn lights_without_keys_get_the_required_ones() {
        let light = Light { intensity: 0.1, range: Some(0.3), color: [0.5, 0.25, 1.0, 1.0], ..Light::default() };
        let (keys, exact) = keys_from_light(&light).unwrap();
        let expected =
            [(CLASS_NAME, "light_omni"), ("color", "127.5 63.75 255 255"), ("brightness", "0.1"), ("range", "0.3")];
        assert!(exact);
        assert_eq!(keys, expected.into_iter().collect());
        let unknown = Light { kind: LightKind::Other("light_unknown".into()), ..Light::default() };
        assert_eq!(keys_from_light(&unknown), None);
    }
}
