//! Settings of the level and the editor → properties of the scene, sun and ambient light.

use mapwright_scene::{Content, Light, LightKind, Node, Properties, Transform, Value};

use super::context::Context;
use crate::resolve::colour::level_to_percent;
use crate::scene::parts::{AMBIENT, SUN};
use crate::scene::sun;
use crate::scene::values::{name_text, number_list, push_name};
use crate::{Document, Level};

/// Adds the nodes of the sun and of ambient light.
pub(super) fn add_level_lights(context: &mut Context<'_>) {
    let document = context.document;
    let Some(level) = document.level() else { return };
    let mut colours = level.colours.iter().map(|colour| level_to_percent(document.dialect, *colour));
    let light = sun_light(level, colours.next());
    if light.color.iter().chain([&level.azimuth, &level.elevation]).all(|number| number.is_finite()) {
        let rotation = sun::rotation(level.azimuth, level.elevation);
        let transform = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
        add_light(context, SUN, light, transform);
    }
    let ambient = colours.next().filter(|colour| colour.iter().all(|part| part.is_finite()));
    if let Some([red, green, blue]) = ambient.map(|colour| colour.map(|part| part / 100.0)) {
        let light = Light { kind: LightKind::Ambient, color: [red, green, blue, 1.0], ..Light::default() };
        add_light(context, AMBIENT, light, Transform::IDENTITY);
    }
}

fn add_light(context: &mut Context<'_>, key: &str, light: Light, transform: Transform) {
    let id = context.scene.lights.push(light);
    let node = Node { transform, key: Some(key.to_owned()), ..Node::new(key, Content::Light(id)) };
    context.scene.add_node(None, node);
}

fn sun_light(level: &Level, colour: Option<[f64; 3]>) -> Light {
    let [red, green, blue] = colour.unwrap_or([100.0; 3]).map(|part| part / 100.0);
    let mut properties = Properties::new();
    properties.push("azimuth", level.azimuth);
    properties.push("elevation", level.elevation);
    Light { kind: LightKind::Directional, color: [red, green, blue, 1.0], properties, ..Light::default() }
}

/// Returns the properties of the whole scene.
pub(in crate::scene) fn scene_properties(document: &Document) -> Properties {
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
        let fogs = level.colours.iter().skip(2);
        let fogs: Vec<Value> = fogs.map(|colour| number_list(level_to_percent(document.dialect, *colour))).collect();
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
                let paths = sources.iter().map(|source| Value::from(name_text(&source.path)));
                properties.push(key, paths.collect::<Vec<_>>());
            }
        }
    }
    properties
}
