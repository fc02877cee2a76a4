//! Entities → contents of nodes.

use mapwright_scene::angles::X_TO_MINUS_Z;
use mapwright_scene::{Content, Entity as SceneEntity, Node, NodeId, Properties, Scene, Transform, Value};

use super::context::Context;
use crate::Entity;
use crate::scene::classes::{DETAIL, GROUP, MEMBERSHIP, Role};
use crate::scene::{AXES, angles, light};

/// Sets name, content and transform of the node of an entity, whose brushes are below the node already.
pub(super) fn fill_node(context: &mut Context<'_>, entity: Entity<'_>, role: Role, id: NodeId) {
    let mut class = String::new();
    let mut keys = Properties::new();
    for pair in entity.pairs() {
        let offset = pair.key_range().start;
        let (key, value) = (context.text(pair.key(), offset), context.text(pair.value(), offset));
        if key == "classname" && class.is_empty() {
            class = value;
        } else {
            keys.push(key, value);
        }
    }
    let text = |key: &str| keys.get(key).and_then(Value::as_text);
    let named = |key: &str| text(key).filter(|name| !name.is_empty()).map(str::to_owned);
    let name = named("_tb_name").or_else(|| named("targetname"));
    let Some(node) = context.scene.nodes.get_mut(id) else { return };
    if role.is_group() {
        fill_group(node, role, class, keys, name);
        return;
    }
    node.name = name.unwrap_or_else(|| class.clone());
    if entity.primitives().len() == 0 && class != "worldspawn" {
        place(node, &mut keys, role);
    }
    if class == "worldspawn" && text_is(&keys, "mapversion", "220") {
        remove(&mut keys, "mapversion");
    }
    node.content = if role == Role::Light {
        if class != "light" {
            keys.push("classname", class);
        }
        Content::Light(context.scene.lights.push(light::read(keys)))
    } else {
        let model = remove(&mut keys, "model");
        Content::Entity(context.scene.entities.push(SceneEntity {
            class,
            model,
            properties: keys,
            ..SceneEntity::default()
        }))
    };
}

/// Makes a node a group: its class and the keys of the editor become its kind, name and flags.
fn fill_group(node: &mut Node, role: Role, class: String, mut keys: Properties, name: Option<String>) {
    node.name = name.unwrap_or_default();
    let kind = match role {
        // A group with a name needs no property: it is written as a group of the editor again.
        Role::Group("group") if !node.name.is_empty() => None,
        Role::Group(kind) => Some((GROUP, kind.to_owned())),
        Role::Detail => Some((DETAIL, class)),
        _ => None,
    };
    if matches!(role, Role::Group("layer" | "group")) {
        remove(&mut keys, "_tb_type");
        remove(&mut keys, "_tb_name");
        // Only references to the group need the number. They follow from the tree.
        if keys.get("_tb_id").and_then(Value::as_text).is_some_and(|id| id.trim().parse::<u64>().is_ok()) {
            remove(&mut keys, "_tb_id");
        }
    }
    let mut has_flag = |key: &str| {
        let is_set = role == Role::Group("layer") && text_is(&keys, key, "1");
        if is_set {
            remove(&mut keys, key);
        }
        is_set
    };
    node.locked = has_flag("_tb_layer_locked");
    node.visible = !has_flag("_tb_layer_hidden");
    node.properties = kind.into_iter().map(|(key, kind)| (key, Value::Text(kind))).collect();
    node.properties.entries.extend(keys.entries);
}

/// Sets the transform of an entity without brushes.
fn place(node: &mut Node, keys: &mut Properties, role: Role) {
    let origin = keys.get("origin").and_then(Value::as_text).and_then(angles::numbers).map(|origin| AXES.apply(origin));
    if origin.is_some() {
        remove(keys, "origin");
    }
    let turn = angles::rotation(keys);
    node.transform = Transform::Trs {
        translation: origin.unwrap_or_default(),
        rotation: turn.unwrap_or([0.0, 0.0, 0.0, 1.0]),
        scale: [1.0; 3],
    };
    if role == Role::Light && turn.is_some() {
        node.transform = node.transform.turned(&X_TO_MINUS_Z);
    }
}

/// Removes the keys of a group that refer to the group around it, which is its parent.
pub(super) fn remove_membership(node: &mut Node, is_member: bool) {
    if is_member && node.content == Content::Group {
        MEMBERSHIP.iter().for_each(|key| drop(remove(&mut node.properties, key)));
    }
}

/// Removes the keys of an entity that refer to the group around it, which is the parent of its node.
pub(super) fn remove_membership_keys(scene: &mut Scene, id: NodeId, is_member: bool) {
    let content = scene.nodes.get(id).filter(|_| is_member).map(|node| node.content.clone());
    let properties = match content {
        Some(Content::Entity(id)) => scene.entities.get_mut(id).map(|entity| &mut entity.properties),
        Some(Content::Light(id)) => scene.lights.get_mut(id).map(|light| &mut light.properties),
        _ => None,
    };
    if let Some(properties) = properties {
        MEMBERSHIP.iter().for_each(|key| drop(remove(properties, key)));
    }
}

fn text_is(keys: &Properties, key: &str, value: &str) -> bool {
    keys.get(key).and_then(Value::as_text) == Some(value)
}

/// Removes the first value of a key, and returns its text.
fn remove(keys: &mut Properties, key: &str) -> Option<String> {
    let place = keys.iter().position(|(name, _)| name == key)?;
    match keys.entries.remove(place) {
        (_, Value::Text(text)) => Some(text),
        _ => None,
    }
}
