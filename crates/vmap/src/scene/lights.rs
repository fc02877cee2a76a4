//! Lights: entities whose class begins with `light_`.
//!
//! All key values are properties of the light; the fields are what they mean.

use mapwright_dmx::{ElementId, ElementRef};
use mapwright_scene::{Content, Light, LightId, LightKind, Node, Properties, Value};

use super::entities::{self, CLASS_NAME};
use super::from::Writer;
use super::to::Reader;
use crate::WriteError;

/// Classes of lights and what they are.
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
enum Kind {
    Ambient,
    Directional,
    Point,
    Spot,
    Area,
    Other,
}

/// Keys in the spellings of several games; they are compared without case.
const COLOR: [&str; 1] = ["color"];
const BRIGHTNESS: [&str; 1] = ["brightness"];
const RANGE: [&str; 1] = ["range"];
const INNER: [&str; 2] = ["innerconeangle", "inner_angle"];
const OUTER: [&str; 2] = ["outerconeangle", "outer_angle"];

/// Reads a light; `None` if the entity is none.
pub(super) fn read(reader: &mut Reader<'_>, element: ElementRef<'_>) -> Option<LightId> {
    let class = element.child("entity_properties")?.text(CLASS_NAME)?;
    let (_, kind) = CLASSES.iter().find(|(name, _)| name.as_bytes() == class)?;
    let properties = entities::keys(reader, element);
    Some(reader.reading.scene.lights.push(light(*kind, properties)))
}

fn light(kind: Kind, properties: Properties) -> Light {
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
        // What shines from afar has no range, whatever its key says.
        range: number(&RANGE).filter(|range| *range > 0.0 && !is_directional),
        properties,
        ..Light::default()
    }
}

/// The text of the first key of one of these names.
fn find<'a>(properties: &'a Properties, keys: &[&str]) -> Option<&'a str> {
    let found = |name: &str| keys.iter().any(|key| key.eq_ignore_ascii_case(name));
    properties.iter().find(|(name, _)| found(name)).and_then(|(_, value)| value.as_text())
}

/// The numbers of a text; `None` if something else is in it.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok().filter(|number: &f64| number.is_finite())).collect()
}

/// The light, with what its key values have come to mean where they changed and its fields did not.
fn agreed(light: &Light, before: &Light) -> Light {
    let says = |properties: &Properties| {
        let class = find(properties, &[CLASS_NAME]);
        let (_, kind) = CLASSES.iter().find(|(name, _)| Some(*name) == class)?;
        Some(self::light(*kind, properties.clone()))
    };
    let mut light = light.clone();
    let (Some(was), Some(now)) = (says(&before.properties), says(&light.properties)) else { return light };
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

/// The class that a light is written as.
pub(super) fn class(light: &Light) -> Option<&str> {
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

/// The key values of a light: those among its properties, with what its fields say in place of what contradicts them. The second
/// result says whether that is all of the light.
pub(super) fn keys(light: &Light) -> Option<(Properties, bool)> {
    let mut keys = Properties::new();
    let class = class(light)?;
    if find(&light.properties, &[CLASS_NAME]).is_none() {
        keys.push(CLASS_NAME, class);
    }
    keys.entries.extend(light.properties.entries.iter().cloned());
    keys.set(CLASS_NAME, class);
    let kind = CLASSES.iter().find(|(name, _)| *name == class).map_or(Kind::Other, |(_, kind)| *kind);
    let again = |keys: &Properties| self::light(kind, keys.clone());
    let put = |keys: &mut Properties, names: &[&str], text: String| {
        let place = keys.entries.iter_mut().find(|(name, _)| names.iter().any(|key| key.eq_ignore_ascii_case(name)));
        match (place, names.first()) {
            (Some((_, value)), _) => *value = Value::Text(text),
            (None, Some(name)) => keys.push(*name, text),
            (None, None) => {}
        }
    };
    let now = again(&keys);
    let light = &nearly(light, &now);
    if now.color.iter().zip(light.color).take(3).any(|(a, b)| *a != b) {
        let [r, g, b, _] = light.color.map(|channel| spell(channel * 255.0));
        let stated = find(&keys, &COLOR).and_then(numbers);
        let rest = match stated.as_deref() {
            Some([_, _, _]) => String::new(),
            Some([_, _, _, rest, ..]) => format!(" {}", spell(*rest)),
            _ => " 255".to_owned(),
        };
        put(&mut keys, &COLOR, format!("{r} {g} {b}{rest}"));
    }
    if now.intensity != light.intensity {
        put(&mut keys, &BRIGHTNESS, spell(light.intensity));
    }
    if now.range != light.range {
        put(&mut keys, &RANGE, spell(light.range.unwrap_or(0.0)));
    }
    if let LightKind::Spot { inner, outer, .. } = light.kind
        && now.kind != light.kind
    {
        put(&mut keys, &INNER, spell(inner.to_degrees()));
        put(&mut keys, &OUTER, spell(outer.to_degrees()));
    }
    let again = again(&keys);
    let exact = again == Light { properties: keys.clone(), ..light.clone() };
    Some((keys, exact))
}

/// The light, with the numbers of another one where it is not farther from them than other units and colour spaces bring it.
fn nearly(light: &Light, other: &Light) -> Light {
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

/// A number with as few digits as it takes, without the noise of a last bit or two.
fn spell(number: f64) -> String {
    let short = format!("{number:.6}");
    let near = short.parse::<f64>().is_ok_and(|near| (near - number).abs() <= 1e-12 * number.abs().max(1.0));
    if near { short.trim_end_matches('0').trim_end_matches('.').to_owned() } else { number.to_string() }
}

impl<'a> Writer<'a, '_, '_> {
    /// Writes a light.
    pub(super) fn light(
        &mut self,
        element: ElementId,
        id: LightId,
        old: Option<&'a Node>,
        path: &str,
    ) -> Result<(), WriteError> {
        let Some(light) = self.scene.lights.get(id) else { return Ok(()) };
        let before = old.and_then(|old| match old.content {
            Content::Light(id) => self.base?.scene.lights.get(id),
            _ => None,
        });
        if before == Some(light) {
            return Ok(());
        }
        let light = &before.map_or_else(|| light.clone(), |before| agreed(light, before));
        let (new, exact) = keys(light).unwrap_or_else(|| {
            let point = Light { kind: LightKind::Point, ..light.clone() };
            (keys(&point).map_or_else(Properties::new, |(keys, _)| keys), false)
        });
        if !exact {
            self.losses.approximated(path, "what the light is, as far as key values can say it");
        } else if light.properties.is_empty() {
            self.losses.synthesized(path, "key values of the light");
        }
        let old_keys = self.old_light_keys(old);
        self.keys(element, &new, old_keys.as_ref(), path)
    }

    /// The keys that a node had when it was a light.
    pub(super) fn old_light_keys(&self, old: Option<&Node>) -> Option<Properties> {
        match old?.content {
            Content::Light(id) => self.base?.scene.lights.get(id).map(|light| light.properties.clone()),
            _ => None,
        }
    }
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
    fn keys_that_say_the_same_keep_their_spelling() {
        let light = light(Kind::Spot, spot());
        assert_eq!(light.color, [254.0 / 255.0, 213.0 / 255.0, 183.0 / 255.0, 1.0]);
        assert_eq!(light.intensity, 2.5);
        let LightKind::Spot { inner, outer, .. } = light.kind else { panic!("{light:?}") };
        assert_eq!((inner, outer), (20.0_f64.to_radians(), 60.0_f64.to_radians()));
        assert_eq!(keys(&light), Some((spot(), true)));
    }

    #[test]
    fn what_changed_changes_its_key() {
        let mut light = light(Kind::Spot, spot());
        light.color[0] = 1.0;
        light.range = Some(300.0);
        let mut wanted = spot();
        wanted.set("Color", "255 213 183 255");
        wanted.push("range", "300");
        assert_eq!(keys(&light), Some((wanted, true)));
        light.ambient = Some([0.0; 4]);
        assert!(!keys(&light).unwrap().1);
    }

    #[test]
    fn keys_that_say_nearly_the_same_stay() {
        let keys_of = [(CLASS_NAME, "light_environment"), ("color", "255 255 128"), ("range", "512")];
        let mut sun = light(Kind::Directional, keys_of.into_iter().collect());
        assert_eq!(sun.range, None);
        sun.color = sun.color.map(|channel| channel * (1.0 - 1e-12));
        assert_eq!(keys(&sun), Some((keys_of.into_iter().collect(), true)));
        sun.color[0] = 0.0;
        assert_eq!(keys(&sun).unwrap().0.get("color").and_then(Value::as_text), Some("0 255 128"));
        let mut spot = light(Kind::Spot, spot());
        let LightKind::Spot { inner, .. } = &mut spot.kind else { panic!("{spot:?}") };
        *inner *= 1.0 - 1e-9;
        assert_eq!(keys(&spot), Some((self::spot(), true)));
    }

    #[test]
    fn keys_that_changed_count_where_fields_did_not() {
        let before = light(Kind::Spot, spot());
        let mut now = before.clone();
        now.properties.set(CLASS_NAME, "light_omni");
        now.properties.set("Brightness", "4");
        now.properties.set("Color", "0 0 0");
        now.color = [1.0; 4];
        let now = agreed(&now, &before);
        assert_eq!((&now.kind, now.intensity, now.color), (&LightKind::Point, 4.0, [1.0; 4]));
        let keys = keys(&now).unwrap().0;
        assert_eq!(keys.get(CLASS_NAME).and_then(Value::as_text), Some("light_omni"));
        assert_eq!(keys.get("Brightness").and_then(Value::as_text), Some("4"));
    }

    #[test]
    fn a_light_without_keys_gets_what_it_needs() {
        let light = Light { intensity: 0.1, range: Some(0.3), color: [0.5, 0.25, 1.0, 1.0], ..Light::default() };
        let (keys, exact) = keys(&light).unwrap();
        let expected =
            [(CLASS_NAME, "light_omni"), ("color", "127.5 63.75 255 255"), ("brightness", "0.1"), ("range", "0.3")];
        assert!(exact);
        assert_eq!(keys, expected.into_iter().collect());
        let odd = Light { kind: LightKind::Other("light_odd".into()), ..Light::default() };
        assert_eq!(super::keys(&odd), None);
    }
}
