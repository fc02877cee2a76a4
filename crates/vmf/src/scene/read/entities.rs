//! The world and entities → nodes.

use mapwright_scene::{
    Connection, Content, Entity as SceneEntity, Mesh, Node, NodeId, Prefab, Properties, Smoothing, Transform, UvSet,
    angles,
};

use super::context::Context;
use super::editor::{group_of, read_editor};
use super::solids;
use crate::document::entity::is_replacement;
use crate::scene::AXES;
use crate::scene::light_keys::{Kind, light_from_keys};
use crate::scene::names::{
    ANGLES, CLASS, FIXUP, FIXUP_STYLE, ID, MODEL, ORIGIN, PREFAB_NAME, TARGET_NAME, WORLD_CLASS,
};
use crate::scene::parts::Part;
use crate::{Connection as MapConnection, Entity, FixupStyle, Instance, Overlay};

/// Keys of the world that the editor counts.
const COUNTED: &str = "mapversion";

/// Reads the keys of the world, unless they are those of an empty map.
pub(super) fn read_world(context: &mut Context<'_>) {
    let Some(world) = context.document.world() else { return };
    let skipped = |key: &str| is(key, ID) || is(key, COUNTED) || is(key, CLASS);
    let entity = SceneEntity {
        class: world.class().map_or_else(|| WORLD_CLASS.to_owned(), std::borrow::Cow::into_owned),
        model: None,
        properties: read_keys(world, skipped),
        connections: read_outputs(context, world, "world"),
    };
    report_blocks(context, world, "world");
    if entity.properties.is_empty() && entity.connections.is_empty() && is(&entity.class, WORLD_CLASS) {
        return;
    }
    let class = entity.class.clone();
    let id = context.scene.entities.push(entity);
    let node = Node { key: Some(Part::World.node_key()), ..Node::new(class, Content::Entity(id)) };
    let node = context.scene.add_node(None, node);
    read_editor(context, node, world.editor());
}

/// Reads entities and solids, in the order of the text.
pub(super) fn read_entities(context: &mut Context<'_>) {
    let document = context.document;
    let mut index = 0;
    for entity in document.all_entities() {
        if entity.is_world() {
            for solid in entity.solids() {
                let group = group_of(context, solid.editor());
                solids::read_solid(context, solid, group, Transform::IDENTITY);
            }
        } else {
            read_entity(context, entity, index);
            index += 1;
        }
    }
}

fn is(key: &str, name: &str) -> bool {
    key.eq_ignore_ascii_case(name)
}

fn read_entity(context: &mut Context<'_>, entity: Entity<'_>, index: usize) {
    let path = format!("entity[{index}]");
    report_blocks(context, entity, &path);
    let class = entity.class().map(std::borrow::Cow::into_owned).unwrap_or_default();
    let has_solids = entity.solids().next().is_some();
    let kind = Kind::of_class(&class).filter(|_| !has_solids);
    let (content, transform, properties) = if let Some(kind) = kind {
        read_light(context, entity, kind, &path)
    } else if let Some(instance) = entity.as_instance().filter(|_| !has_solids) {
        read_instance(context, instance, &path)
    } else {
        let (transform, skipped) = placement(entity, has_solids);
        let id = read_game_entity(context, entity, &class, &skipped, &path);
        (Content::Entity(id), transform, Properties::new())
    };
    let name = entity.name().filter(|name| !name.is_empty()).map_or(class, std::borrow::Cow::into_owned);
    let node = Node {
        transform,
        visible: !entity.is_hidden(),
        properties,
        key: Some(Part::Entity(index).node_key()),
        ..Node::new(name, content)
    };
    let group = group_of(context, entity.editor());
    let node = context.scene.add_node(group, node);
    read_editor(context, node, entity.editor());
    // Solids have coordinates of the world.
    let origin = transform.origin();
    let back = if origin == [0.0; 3] { Transform::IDENTITY } else { Transform::translation(origin.map(|c| -c)) };
    for solid in entity.solids() {
        context.counts.grouped_solids += usize::from(solid.editor().is_some_and(|editor| editor.group_id().is_some()));
        solids::read_solid(context, solid, Some(node), back);
    }
    if let Some(overlay) = entity.as_overlay() {
        add_overlay(context, overlay, node, back, index);
    }
}

/// Returns the transform of an entity, and the keys that it is made of. Angles of entities with solids do not turn the solids.
fn placement(entity: Entity<'_>, has_solids: bool) -> (Transform, Vec<&'static str>) {
    let mut keys = Vec::new();
    let translation = entity.origin().inspect(|_| keys.push(ORIGIN)).unwrap_or_default();
    let angles = entity.angles().filter(|_| !has_solids).inspect(|_| keys.push(ANGLES)).unwrap_or_default();
    (AXES.transform(&at_angles(translation, angles)), keys)
}

fn at_angles(translation: [f64; 3], angles: [f64; 3]) -> Transform {
    Transform::Trs { translation, rotation: angles::to_rotation(angles), scale: [1.0; 3] }
}

fn read_light(
    context: &mut Context<'_>,
    entity: Entity<'_>,
    kind: Kind,
    path: &str,
) -> (Content, Transform, Properties) {
    let (mut transform, mut skipped) = placement(entity, false);
    if kind.has_direction()
        && let Some([pitch]) = entity.numbers("pitch")
    {
        // The pitch of lights points up, and replaces that of the angles.
        let [_, yaw, roll] = entity.angles().unwrap_or_default();
        transform = AXES.transform(&at_angles(entity.origin().unwrap_or_default(), [-pitch, yaw, roll]));
        skipped.push("pitch");
    }
    // Lights with outputs are entities of the game: scenes have no outputs of lights.
    let connections = read_outputs(context, entity, path);
    if !connections.is_empty() {
        context.losses.dropped(path, mapwright_io::format_count(connections.len(), "output") + " of a light");
    }
    let keys = read_keys(entity, |key| is(key, ID) || skipped.iter().any(|skipped| is(key, skipped)));
    let id = context.scene.lights.push(light_from_keys(kind, keys));
    (Content::Light(id), transform.turned(&angles::X_TO_MINUS_Z), Properties::new())
}

fn read_instance(context: &mut Context<'_>, instance: Instance<'_>, path: &str) -> (Content, Transform, Properties) {
    let entity = instance.entity();
    let (transform, mut skipped) = placement(entity, false);
    skipped.extend([ID, CLASS, "file", TARGET_NAME]);
    let mut overrides = Properties::new();
    for (name, value) in instance.replacements() {
        match name.strip_prefix('$') {
            Some(name) => overrides.push(name, value),
            None => context.losses.dropped(path, format!("replacement {name:?}, which has no `$`")),
        }
    }
    let mut properties = Properties::new();
    if let Some(name) = entity.name().filter(|name| !name.is_empty()) {
        properties.push(PREFAB_NAME, &*name);
    }
    match instance.fixup_style() {
        Some(FixupStyle::Prefix) => skipped.push(FIXUP_STYLE),
        Some(FixupStyle::None) => {
            skipped.push(FIXUP_STYLE);
            properties.push(FIXUP, false);
        }
        // Postfixes and unknown styles stay as they are.
        _ => {}
    }
    let others = read_keys(entity, |key| is_replacement(key) || skipped.iter().any(|skipped| is(key, skipped)));
    properties.entries.extend(others.entries);
    let connections = read_outputs(context, entity, path);
    if !connections.is_empty() {
        let count = mapwright_io::format_count(connections.len(), "output");
        context.losses.dropped(path, format!("{count} of an instance"));
    }
    let reference = instance.file().map(std::borrow::Cow::into_owned).unwrap_or_default();
    (Content::Prefab(Prefab { reference, overrides }), transform, properties)
}

fn read_game_entity(
    context: &mut Context<'_>,
    entity: Entity<'_>,
    class: &str,
    skipped: &[&str],
    path: &str,
) -> mapwright_scene::EntityId {
    let model = entity.text(MODEL).filter(|model| !model.is_empty());
    let mut is_first = true;
    let mut properties =
        read_keys(entity, |key| is(key, ID) || is(key, CLASS) || skipped.iter().any(|skipped| is(key, skipped)));
    // The first model is the field.
    properties.entries.retain(|(key, _)| !(model.is_some() && is(key, MODEL) && std::mem::take(&mut is_first)));
    let connections = read_outputs(context, entity, path);
    let model = model.map(std::borrow::Cow::into_owned);
    context.scene.entities.push(SceneEntity { class: class.to_owned(), model, properties, connections })
}

/// Reads keys in order. Of the skipped ones, only the first of each name is left out.
fn read_keys(entity: Entity<'_>, is_skipped: impl Fn(&str) -> bool) -> Properties {
    let mut properties = Properties::new();
    let mut skipped: Vec<String> = Vec::new();
    for item in entity.keys() {
        let name = item.name_text();
        let lower = name.to_ascii_lowercase();
        if is_skipped(&name) && !skipped.contains(&lower) {
            skipped.push(lower);
            continue;
        }
        properties.push(&*name, &*item.text().unwrap_or_default());
    }
    properties
}

fn read_outputs(context: &mut Context<'_>, entity: Entity<'_>, path: &str) -> Vec<Connection> {
    let mut connections = Vec::new();
    for output in entity.outputs() {
        let Some(connection) = output.connection() else {
            context.losses.dropped(path, format!("output {} without five fields", output.name()));
            continue;
        };
        let MapConnection { target, input, parameter, delay, times, separator } = connection;
        context.counts.other_separators += usize::from(separator != context.separator);
        if times < -1 || times > i64::from(u32::MAX) {
            context.losses.approximated(path, format!("output that fires {times} times, read as unlimited"));
        }
        let output = output.name().into_owned();
        let times = u32::try_from(times).ok();
        connections.push(Connection { output, target, target_type: None, input, parameter, delay, times });
    }
    connections
}

/// Reports blocks that scenes do not have.
fn report_blocks(context: &mut Context<'_>, entity: Entity<'_>, path: &str) {
    for item in entity.item().items().filter(|item| item.is_block()) {
        context.counts.comments += item.comments().count();
        let known = ["solid", "hidden", "connections", "editor"].iter().any(|name| item.is(name));
        if !(known || entity.is_world() && item.is("group")) {
            context.losses.dropped(path, format!("block {}", item.name_text()));
        }
        if item.is("connections") && item.items().any(mapwright_keyvalues::kv1::Item::is_block) {
            context.losses.dropped(path, "blocks among the outputs");
        }
    }
}

/// Adds the quad of an overlay below its entity.
fn add_overlay(context: &mut Context<'_>, overlay: Overlay<'_>, parent: NodeId, back: Transform, index: usize) {
    let (Some(corners), Some(uvs)) = (overlay.corners(), overlay.texture_coordinates()) else {
        context.losses.dropped(format!("entity[{index}]"), "quad of an overlay without all of its numbers");
        return;
    };
    let finite = corners.iter().flatten().chain(uvs.iter().flatten()).all(|number| number.is_finite());
    if !finite {
        context.losses.dropped(format!("entity[{index}]"), "quad of an overlay with numbers that are not finite");
        return;
    }
    let material = overlay.material().map(|name| context.material(&name));
    let [a, b, c, d] = corners.map(|corner| AXES.apply(corner));
    let [first, second, third, fourth] = uvs.map(Some);
    // Corners are clockwise as seen from in front of the overlay.
    let mesh = Mesh {
        positions: vec![a, b, c, d],
        faces: [[3, 2, 1, 0]].into_iter().collect(),
        face_materials: vec![material],
        uv_sets: vec![UvSet { corners: [fourth, third, second, first].into_iter().collect(), ..UvSet::default() }],
        smoothing: Smoothing::Flat,
        ..Mesh::default()
    };
    let id = context.scene.meshes.push(mesh);
    let key = Some(Part::Overlay(index).node_key());
    context.scene.add_node(Some(parent), Node { transform: back, key, ..Node::new("", Content::Mesh(id)) });
}
