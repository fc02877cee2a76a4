//! Properties of the scene, sun and ambient light → settings of the level and the editor.

use mapwright_scene::{Content, Entity, Light, LightKind, Node, Transform, Value};

use super::context::Context;
use super::entities::brightness;
use crate::convert::is_day;
use crate::scene::parts::{AMBIENT, SUN};
use crate::scene::sun;
use crate::scene::values::{array_from, changes, name_from, number_from, parse_name, round_noise};
use crate::{Dialect, Document, EntityKind, Level, Name, TextureSource, Wed};

/// Applies the properties of the scene that differ from those of the document.
pub(super) fn write_settings(context: &mut Context<'_>) {
    let (before, now) = (context.before.properties, &context.scene.properties);
    let same_format = before.get("format") == now.get("format");
    for (key, value) in changes(before, now) {
        // The dialect is no property to be changed, and scenes from other formats lack most settings.
        let is_fixed = matches!(key, "format" | "dialect" | "generator");
        if is_fixed || (value.is_none() && !same_format) {
            continue;
        }
        if apply_property(context.document, key, value).is_none() {
            context.losses.dropped("properties", format!("property {key}"));
        }
    }
}

fn apply_property(document: &mut Document, key: &str, value: Option<&Value>) -> Option<()> {
    let dialect = document.dialect;
    let name = || value.map_or(Some(Name::NONE), name_from);
    match key {
        // The level of a resolved map does not store these.
        "script" | "nexus" | "fogs" if dialect == Dialect::Resolved => return value.is_none().then_some(()),
        "created" => document.header.created = name().filter(is_day)?,
        "wad" => level_mut(document)?.wad = name()?,
        "palette_file" => level_mut(document)?.palette = name()?,
        "script" => level_mut(document)?.script = name()?,
        "nexus" => {
            let number = value.map_or(Some(0.0), number_from)?;
            #[allow(clippy::cast_possible_truncation, reason = "it saturates")]
            let whole = number as i32;
            level_mut(document)?.nexus = whole;
        }
        "fogs" => {
            let Value::List(rows) = value? else { return None };
            let rows: Vec<[f64; 3]> = rows.iter().map(array_from).collect::<Option<_>>()?;
            let colours = &mut level_mut(document)?.colours;
            // Sun and ambient light come before the fogs.
            colours.truncate(2);
            colours.extend(rows.into_iter().map(|row| stored_colour(dialect, row)));
        }
        "palette" => {
            let palette = match value {
                Some(Value::Bytes(bytes)) if bytes.len() == 768 => Some(bytes.clone()),
                None => None,
                Some(_) => return None,
            };
            wed_mut(document)?.palette = palette;
        }
        "wads" => apply_sources(&mut wed_mut(document)?.wads, value)?,
        "folders" => apply_sources(&mut wed_mut(document)?.folders, value)?,
        _ => return None,
    }
    Some(())
}

fn wed_mut(document: &mut Document) -> Option<&mut Wed> {
    (document.dialect != Dialect::Resolved).then(|| &mut **document.wed.get_or_insert_default())
}

fn apply_sources(sources: &mut Vec<TextureSource>, value: Option<&Value>) -> Option<()> {
    let paths = match value {
        None => Vec::new(),
        Some(Value::List(paths)) => {
            paths.iter().map(|path| Some(parse_name(path.as_text()?))).collect::<Option<_>>()?
        }
        Some(_) => return None,
    };
    let old = std::mem::take(sources);
    let enabled = |path: &Name| old.iter().find(|source| source.path == *path).map_or(1, |source| source.enabled);
    sources.extend(paths.into_iter().map(|path| TextureSource { enabled: enabled(&path), path }));
    Some(())
}

/// Adds the texture files that the world of a Quake map lists: paths with semicolons between them.
pub(super) fn add_wads(context: &mut Context<'_>, world: &Entity, path: &str) {
    let Some(text) = world.properties.get("wad").and_then(Value::as_text) else { return };
    // Files enclose paths in angle brackets.
    let is_bad = |path: &str| path.contains(|letter: char| letter.is_control() || matches!(letter, '<' | '>'));
    let paths = text.split(';').map(str::trim).filter(|path| !path.is_empty());
    let (bad, good): (Vec<&str>, Vec<&str>) = paths.partition(|path| is_bad(path));
    for bad in bad {
        context.losses.dropped(path, format!("the texture file {bad:?}: invalid path"));
    }
    let Some(wed) = wed_mut(context.document).filter(|_| !good.is_empty()) else { return };
    for path in good.into_iter().map(parse_name) {
        if !wed.wads.iter().any(|source| source.path == path) {
            wed.wads.push(TextureSource { path, enabled: 1 });
        }
    }
    context.losses.preserved(path, "texture files of the key wad, as WADs of the map");
}

fn level_mut(document: &mut Document) -> Option<&mut Level> {
    // Borrowing another entity mutably would count as a change of it.
    let part = document.entities.iter_mut().find(|entity| matches!(entity.kind, EntityKind::Level(_)))?;
    match &mut part.kind {
        EntityKind::Level(level) => Some(level),
        _ => None,
    }
}

/// Returns a colour of the level in the unit of a dialect.
fn stored_colour(dialect: Dialect, percent: [f64; 3]) -> [f64; 3] {
    if dialect == Dialect::Binary { percent.map(|part| (part * 2.55).round().clamp(0.0, 255.0)) } else { percent }
}

/// Applies the sun or the ambient light of the scene to the level. `world` is the transform of its node.
pub(super) fn write_level_light(context: &mut Context<'_>, node: &Node, light: &Light, world: &Transform, path: &str) {
    let old = context.before.scene.and_then(|scene| {
        let (_, old) = scene.nodes.iter().find(|(_, old)| old.key == node.key)?;
        let Content::Light(id) = old.content else { return None };
        Some((old, scene.lights.get(id)?))
    });
    if old.is_none() && !matches!(&*node.name, "" | SUN | AMBIENT) {
        context.losses.dropped(path, "name of the sun or ambient light");
    }
    let colour = brightness;
    if light.range.is_some() || light.attenuation != mapwright_scene::Attenuation::default() {
        context.losses.dropped(path, "range and falloff of the sun or ambient light");
    }
    let is_ambient = light.kind == LightKind::Ambient;
    for (key, _) in light.properties.iter().filter(|(key, _)| is_ambient || !matches!(*key, "azimuth" | "elevation")) {
        context.losses.dropped(path, format!("property {key}"));
    }
    let has_new_colour = old.is_none_or(|(_, old)| colour(old) != colour(light));
    let has_new_angles = old.is_none_or(|(_, old)| old.properties != light.properties);
    let direction = sun::direction(world);
    let is_turned =
        !is_ambient && (has_new_angles || old.is_some_and(|(old, _)| sun::direction(&old.transform) != direction));
    if !has_new_colour && !is_turned {
        return;
    }
    let dialect = context.dialect;
    let level = level_mut(context.document).expect("the level was checked before");
    if has_new_colour {
        match level.colours.get_mut(usize::from(is_ambient)) {
            Some(slot) => *slot = stored_colour(dialect, colour(light).map(|part| round_noise(part * 100.0))),
            None => context.losses.dropped("lights", "the colour of the sun or ambient light"),
        }
    }
    if is_turned {
        // Explicit angles are exact; those of the rotation are rounded.
        let angle = |key: &str| light.properties.get(key).and_then(number_from).filter(|_| has_new_angles);
        level.azimuth = angle("azimuth").unwrap_or(direction.0);
        level.elevation = angle("elevation").unwrap_or(direction.1);
    }
}
