//! Settings of the level and the editor ⇄ properties, sun and ambient light.

use mapwright_scene::{Content, Light, LightKind, Losses, Node, Properties, Scene, Transform, Value};

use super::AXES;
use super::values::{changes, list, name, neat, number, numbers, push_name, text, unspelled};
use crate::convert::is_day;
use crate::resolve::colour;
use crate::{Dialect, Document, EntityKind, Level, Name, TextureSource, Wed};

/// The keys of the nodes that the level has.
pub(super) const SUN: &str = "sun";
pub(super) const AMBIENT: &str = "ambient";

/// Says what the map is, and the lights of the level.
pub(super) fn say(document: &Document, scene: &mut Scene) {
    scene.properties = properties(document);
    let Some(level) = document.level() else { return };
    let mut colours = level.colours.iter().map(|colour| colour::of_level(document.dialect, *colour));
    let sun = sun(level, colours.next());
    if sun.color.iter().chain([&level.azimuth, &level.elevation]).all(|number| number.is_finite()) {
        let rotation = shine(level.azimuth, level.elevation);
        let id = scene.lights.push(sun);
        let transform = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
        let node = Node { transform, key: Some(SUN.to_owned()), ..Node::new(SUN, Content::Light(id)) };
        scene.add_node(None, node);
    }
    let ambient = colours.next().filter(|colour| colour.iter().all(|part| part.is_finite()));
    if let Some([red, green, blue]) = ambient.map(|colour| colour.map(|part| part / 100.0)) {
        let light = Light { kind: LightKind::Ambient, color: [red, green, blue, 1.0], ..Light::default() };
        let id = scene.lights.push(light);
        let node = Node { key: Some(AMBIENT.to_owned()), ..Node::new(AMBIENT, Content::Light(id)) };
        scene.add_node(None, node);
    }
}

fn sun(level: &Level, colour: Option<[f64; 3]>) -> Light {
    let [red, green, blue] = colour.unwrap_or([100.0; 3]).map(|part| part / 100.0);
    let mut properties = Properties::new();
    properties.push("azimuth", level.azimuth);
    properties.push("elevation", level.elevation);
    Light { kind: LightKind::Directional, color: [red, green, blue, 1.0], properties, ..Light::default() }
}

/// The turn of a light that shines from a direction.
fn shine(azimuth: f64, elevation: f64) -> [f64; 4] {
    let (sin, cos) = azimuth.to_radians().sin_cos();
    let (up, flat) = elevation.to_radians().sin_cos();
    Transform::looking_along(AXES.apply([-cos * flat, -sin * flat, -up]))
}

/// The direction from which a light shines, as azimuth and elevation in degrees.
fn direction(transform: &Transform) -> (f64, f64) {
    let [x, y, z] = AXES.inverse().apply(transform.vector([0.0, 0.0, 1.0]));
    // Without the noise, a hair of which would be rounded up to 360.
    let azimuth = neat(y.atan2(x).to_degrees());
    (if azimuth < 0.0 { azimuth + 360.0 } else { azimuth + 0.0 }, neat(z.atan2(x.hypot(y)).to_degrees()))
}

/// What the scene says of the whole map.
pub(super) fn properties(document: &Document) -> Properties {
    let mut properties = Properties::new();
    properties.push("format", "wmp");
    properties.push("dialect", document.dialect.name());
    push_name(&mut properties, "generator", &document.header.generator);
    push_name(&mut properties, "created", &document.header.created);
    if let Some(level) = document.level() {
        push_name(&mut properties, "wad", &level.wad);
        push_name(&mut properties, "palette_file", &level.palette);
        push_name(&mut properties, "script", &level.script);
        properties.push("nexus", level.nexus);
        let fogs = level.colours.iter().skip(2).map(|colour| list(colour::of_level(document.dialect, *colour)));
        let fogs: Vec<Value> = fogs.collect();
        if !fogs.is_empty() {
            properties.push("fogs", fogs);
        }
    }
    if let Some(wed) = &document.wed {
        if let Some(palette) = &wed.palette {
            properties.push("palette", palette.clone());
        }
        for (key, sources) in [("wads", &wed.wads), ("folders", &wed.folders)] {
            if !sources.is_empty() {
                properties.push(key, sources.iter().map(|source| Value::from(text(&source.path))).collect::<Vec<_>>());
            }
        }
    }
    properties
}

/// Takes into a map what a scene says of the whole and the map does not.
pub(super) fn hear(document: &mut Document, now: &Properties, losses: &mut Losses) {
    let before = properties(document);
    for (key, value) in changes(&before, now) {
        // What the map is does not change; a scene from elsewhere does not say most of this.
        if matches!(key, "format" | "dialect" | "generator")
            || (value.is_none() && now.get("format") != before.get("format"))
        {
            continue;
        }
        if take(document, key, value).is_none() {
            losses.dropped("properties", format!("property {key}"));
        }
    }
}

fn take(document: &mut Document, key: &str, value: Option<&Value>) -> Option<()> {
    let text = || value.map_or(Some(Name::NONE), name);
    match key {
        // The level of a resolved map has none of them.
        "script" | "nexus" | "fogs" if document.dialect == Dialect::Resolved => return value.is_none().then_some(()),
        "created" => document.header.created = text().filter(is_day)?,
        "wad" => level(document)?.wad = text()?,
        "palette_file" => level(document)?.palette = text()?,
        "script" => level(document)?.script = text()?,
        "nexus" => {
            let number = value.map_or(Some(0.0), number)?;
            #[allow(clippy::cast_possible_truncation, reason = "it saturates")]
            let whole = number as i32;
            level(document)?.nexus = whole;
        }
        "fogs" => {
            let Value::List(rows) = value? else { return None };
            let rows: Option<Vec<[f64; 3]>> = rows.iter().map(|row| numbers(row)?.try_into().ok()).collect();
            let dialect = document.dialect;
            let rows = rows?.into_iter().map(|row| in_unit(dialect, row));
            let colours = &mut level(document)?.colours;
            colours.truncate(2);
            colours.extend(rows);
        }
        "palette" => {
            let palette = match value {
                Some(Value::Bytes(bytes)) if bytes.len() == 768 => Some(bytes.clone()),
                None => None,
                Some(_) => return None,
            };
            wed(document)?.palette = palette;
        }
        "wads" => {
            let wed = wed(document)?;
            sources(&mut wed.wads, value)?;
        }
        "folders" => {
            let wed = wed(document)?;
            sources(&mut wed.folders, value)?;
        }
        _ => return None,
    }
    Some(())
}

fn wed(document: &mut Document) -> Option<&mut Wed> {
    (document.dialect != Dialect::Resolved).then(|| &mut **document.wed.get_or_insert_default())
}

fn sources(sources: &mut Vec<TextureSource>, value: Option<&Value>) -> Option<()> {
    let paths = match value {
        None => Vec::new(),
        Some(Value::List(paths)) => paths.iter().map(|path| Some(unspelled(path.as_text()?))).collect::<Option<_>>()?,
        Some(_) => return None,
    };
    let old = std::mem::take(sources);
    let enabled = |path: &Name| old.iter().find(|source| source.path == *path).map_or(1, |source| source.enabled);
    sources.extend(paths.into_iter().map(|path| TextureSource { enabled: enabled(&path), path }));
    Some(())
}

fn level(document: &mut Document) -> Option<&mut Level> {
    let part = document.entities.iter_mut().find(|entity| matches!(entity.kind, EntityKind::Level(_)))?;
    match &mut part.kind {
        EntityKind::Level(level) => Some(level),
        _ => None,
    }
}

/// A colour in percent in the unit of a dialect.
fn in_unit(dialect: Dialect, percent: [f64; 3]) -> [f64; 3] {
    if dialect == Dialect::Binary { percent.map(|part| (part * 2.55).round().clamp(0.0, 255.0)) } else { percent }
}

/// Takes the sun or the ambient light of a scene into the level; `before` is the same node as the map has it.
pub(super) fn hear_light(
    document: &mut Document,
    (scene, node, light): (Option<&Scene>, &Node, &Light),
    world: &Transform,
    losses: &mut Losses,
) {
    let old = scene.and_then(|scene| {
        let (_, old) = scene.nodes.iter().find(|(_, old)| old.key == node.key)?;
        let Content::Light(id) = old.content else { return None };
        Some((old, scene.lights.get(id)?))
    });
    let colour = |light: &Light| {
        let [red, green, blue, _] = light.color;
        [red, green, blue].map(|part| part * light.intensity)
    };
    let is_ambient = light.kind == LightKind::Ambient;
    let coloured = old.is_none_or(|(_, old)| colour(old) != colour(light));
    let said = old.is_none_or(|(_, old)| old.properties != light.properties);
    let turned = !is_ambient && (said || old.is_some_and(|(old, _)| direction(&old.transform) != direction(world)));
    if !coloured && !turned {
        return;
    }
    let dialect = document.dialect;
    let Some(level) = level(document) else { return };
    if coloured {
        match level.colours.get_mut(usize::from(is_ambient)) {
            Some(slot) => *slot = in_unit(dialect, colour(light).map(|part| neat(part * 100.0))),
            None => losses.dropped("lights", "the colour of the sun or ambient light"),
        }
    }
    if turned {
        let angle = |key: &str| light.properties.get(key).and_then(number).filter(|_| said);
        let (azimuth, elevation) = direction(world);
        (level.azimuth, level.elevation) =
            (angle("azimuth").unwrap_or(azimuth), angle("elevation").unwrap_or(elevation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suns_shine_from_where_they_stand() {
        let turned = |azimuth, elevation| {
            let rotation = shine(azimuth, elevation);
            direction(&Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] })
        };
        for (azimuth, elevation) in [(0.0, 60.0), (45.0, 35.0), (300.0, -10.0)] {
            let (a, e) = turned(azimuth, elevation);
            assert!((a - azimuth).abs() < 1e-9 && (e - elevation).abs() < 1e-9, "{a} {e}");
        }
    }
}
