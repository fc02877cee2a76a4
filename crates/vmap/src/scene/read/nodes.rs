//! Reads nodes: names, transforms and contents.

use std::collections::HashSet;

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_scene as scene;
use mapwright_scene::{Content, Node, NodeId, Prefab, Transform, angles};

use super::super::names::{self, with_count};
use super::super::transforms;
use super::context::ReadContext;
use super::properties::read_properties;
use super::tree::{NodeTree, instance_target};
use super::{entities, meshes, paths, tile_grids};
use crate::HiddenFlags;

/// Reads the world's own entity, unless it is that of an empty map.
pub(super) fn read_world<'a>(context: &mut ReadContext<'a>, world: ElementRef<'a>) {
    let node = read_node(context, world, stored_transform(world).unwrap_or_default());
    let is_plain = match &node.content {
        Content::Entity(id) => context.linked.scene.entities.get(*id).is_none_or(|entity| {
            let keys = &entity.properties;
            let is_nameless = keys.len() == 1 && keys.get("targetname").and_then(scene::Value::as_text) == Some("");
            entity.class == "worldspawn" && (keys.is_empty() || is_nameless) && entity.connections.is_empty()
        }),
        _ => true,
    };
    if is_plain && node.properties.is_empty() && node.transform.is_identity() && node.visible && !node.locked {
        context.linked.scene.entities = scene::Arena::new();
        return;
    }
    context.add_node(world.id(), None, Some(None), node);
}

/// Reads all nodes of the tree, parents first.
pub(super) fn read_nodes(context: &mut ReadContext<'_>, tree: &NodeTree) {
    let groups: HashSet<ElementId> = tree
        .nodes
        .iter()
        .filter_map(|found| instance_target(context, found.element))
        .filter(|target| target.is("CMapGroup"))
        .map(ElementRef::id)
        .collect();
    // The id of each node, and the nearest node at or above it that does not collapse space. A transform relative to a node of
    // scale 0 does not exist, so its children become children of that one.
    let mut nodes: Vec<(NodeId, Option<(NodeId, Transform)>)> = Vec::with_capacity(tree.nodes.len());
    let mut collapsed = 0_usize;
    for found in &tree.nodes {
        let Some(element) = context.graph.element(found.element) else { continue };
        let above = found.parent.and_then(|parent| nodes.get(parent));
        // Instances place the group, so its content is relative to the group alone.
        let is_group = groups.contains(&found.element);
        let anchor = above.filter(|_| !is_group).and_then(|(_, anchor)| anchor.as_ref());
        let world = stored_transform(element).unwrap_or_else(|| {
            context.losses.repaired(names::node_path(element), "non-finite transform, replaced by the identity");
            Transform::IDENTITY
        });
        let parent_world = anchor.map_or(Transform::IDENTITY, |(_, world)| *world);
        let transform = world.relative_to(&parent_world).unwrap_or_else(|| {
            let text = "transform out of range relative to the parent, replaced by the identity";
            context.losses.repaired(names::node_path(element), text);
            Transform::IDENTITY
        });
        if above.is_some_and(|(node, _)| anchor.is_none_or(|(anchor, _)| anchor != node)) && !is_group {
            collapsed += 1;
        }
        let node = read_node(context, element, transform);
        let points = tree.points.get(&found.element).map(Vec::as_slice).unwrap_or_default();
        if let Content::Path(path) = node.content {
            paths::read_points(context, path, &world, points);
        }
        let has_place = !is_group && (found.is_listed || found.parent.is_some());
        let scene_parent = has_place.then(|| anchor.map(|(id, _)| *id));
        let listed_in = match (found.is_listed, found.parent) {
            (false, _) => None,
            (true, Some(parent)) => tree.nodes.get(parent).map(|parent| parent.element),
            (true, None) => Some(context.linked.world),
        };
        // Children of a light are relative to the rotated light.
        let is_light = matches!(node.content, Content::Light(_));
        let own = if is_light { world.turned(&angles::X_TO_MINUS_Z) } else { world };
        let id = context.add_node(found.element, listed_in, scene_parent, node);
        if !points.is_empty() {
            context.linked.points.insert(id, points.to_vec());
        }
        let is_invertible = own.determinant().is_normal() && Transform::IDENTITY.relative_to(&own).is_some();
        nodes.push((id, if is_invertible { Some((id, own)) } else { anchor.copied() }));
    }
    if collapsed > 0 {
        let text = format!("{} of nodes with scale 0, moved out of them", with_count_children(collapsed));
        context.losses.approximated("nodes", text);
    }
    if !groups.is_empty() {
        let count = with_count(groups.len(), "group");
        context
            .losses
            .approximated("nodes", format!("{count} used by instances, not shown at the group's own position"));
    }
}

fn with_count_children(count: usize) -> String {
    if count == 1 { "1 child".to_owned() } else { format!("{count} children") }
}

/// Reads a node without its children.
fn read_node<'a>(context: &mut ReadContext<'a>, element: ElementRef<'a>, transform: Transform) -> Node {
    let (content, default_class, skip): (Content, &str, &[&str]) = match element.class() {
        b"CMapEntity" | b"CMapWorld" if element.child("entity_properties").is_some() => {
            match entities::read_light(context, element) {
                Some(light) => (Content::Light(light), "CMapEntity", &names::LIGHT),
                None => (Content::Entity(entities::read_entity(context, element)), "CMapEntity", &names::ENTITY),
            }
        }
        // Targets are linked when all nodes exist.
        b"CMapInstance" => (Content::Group, "CMapInstance", &names::INSTANCE),
        b"CMapPrefab" | b"CMapTileObject" => {
            (Content::Prefab(read_prefab(context, element)), "CMapPrefab", &names::PREFAB)
        }
        b"CMapDotaTileGrid" => match tile_grids::read_tile_grid(context, element) {
            Some(mesh) => (Content::Mesh(mesh), "CMapGroup", &[]),
            None => (Content::Group, "CMapGroup", &[]),
        },
        class if names::is_path(class) => (paths::read_path(context, element), "CMapPath", &names::PATH),
        _ => match element.child("meshData").and_then(|mesh| meshes::read_mesh(context, element, mesh)) {
            Some(mesh) => (Content::Mesh(mesh), "CMapMesh", &names::MESH),
            // The mesh cannot be read; the rest of the node becomes a group.
            None if element.child("meshData").is_some() => (Content::Group, "CMapGroup", &["meshData"]),
            None => (Content::Group, "CMapGroup", &[]),
        },
    };
    if element.is("CMapGameObject") {
        let text = "game object of s&box: a group; its models and other components stay in its text";
        context.losses.approximated(names::node_path(element), text);
    }
    let class =
        if element.is(default_class) || element.is("CMapWorld") { None } else { context.values.text(element.class()) };
    let mut properties = read_properties(context, element, skip);
    if let Some(class) = class {
        properties.entries.insert(0, (names::CLASS.to_owned(), class.into()));
    }
    // Names of entities in a prefab begin with its number.
    let is_used = |number: &i32| element.is("CMapPrefab") || context.overlay_targets.contains(number);
    if let Some(number) = element.int(names::NODE_NUMBER).filter(is_used) {
        properties.push(names::NODE_NUMBER, number);
    }
    let flag = context.hidden.get(&element.id()).copied().unwrap_or(0);
    if ![HiddenFlags::VISIBLE, HiddenFlags::SELECTION_SET].contains(&HiddenFlags(flag)) {
        properties.push(names::HIDDEN_FLAGS, flag);
    }
    let transform = match content {
        Content::Light(_) => transform.turned(&angles::X_TO_MINUS_Z),
        _ => transform,
    };
    Node {
        transform,
        visible: flag == 0,
        locked: matches!(element.get("transformLocked"), Some(Value::Bool(flag)) if *flag != 0),
        properties,
        ..Node::new(context.values.text(names::node_name(element)).unwrap_or_default(), content)
    }
}

fn read_prefab<'a>(context: &mut ReadContext<'a>, element: ElementRef<'a>) -> Prefab {
    let (names, values) = (element.texts("variableOverrideNames"), element.texts("variableOverrideValues"));
    if names.len() != values.len() {
        context.losses.repaired(names::node_path(element), "override names and values differ in number");
    }
    if element.child("target").is_some() {
        context.losses.dropped(names::node_path(element), "embedded copy of the prefab");
    }
    Prefab {
        reference: context.values.text(element.text("targetMapPath").unwrap_or_default()).unwrap_or_default(),
        overrides: names
            .zip(values)
            .filter_map(|(name, value)| Some((context.values.text(name)?, context.values.text(value)?)))
            .collect(),
    }
}

/// Returns the absolute transform of a node in the axes of scenes; `None` if it has non-finite numbers.
fn stored_transform(element: ElementRef<'_>) -> Option<Transform> {
    let numbers = |name: &str, default: f64| match element.get(name) {
        Some(Value::Vector3(numbers) | Value::QAngle(numbers)) => numbers.map(f64::from),
        _ => [default; 3],
    };
    let world = transforms::from_map(numbers("origin", 0.0), numbers("angles", 0.0), numbers("scales", 1.0));
    world.is_finite().then_some(world)
}
