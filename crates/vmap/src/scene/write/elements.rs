//! Matches nodes with existing elements and creates elements for the others.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::Value as Attribute;
use mapwright_scene::{Content, NodeId, Value};

use super::super::names::{self, CLASS};
use super::context::{WriteContext, node_path};
use super::reachable::{ReachableNode, reachable_nodes};
use crate::WriteError;

/// Matches nodes with the nodes of the base by key. If several nodes of the base have the same key, the last one
/// is used. It matches the first node whose content fits it.
pub(super) fn match_existing_elements(context: &mut WriteContext<'_, '_, '_>) {
    let Some(base) = context.base else { return };
    context.old_worlds = vec![None; base.scene.nodes.len()];
    let mut by_key: HashMap<&str, NodeId> = HashMap::new();
    for reachable in reachable_nodes(&base.scene) {
        context.old_worlds[reachable.id.index()] = Some(reachable.world);
        if let Some(key) = &base.scene.nodes[reachable.id].key {
            by_key.insert(key, reachable.id);
        }
    }
    for reachable in &context.reachable {
        let node = &context.scene.nodes[reachable.id];
        let Some(key) = node.key.as_deref() else { continue };
        let Some(&old) = by_key.get(key) else { continue };
        if can_reuse_element(&base.scene.nodes[old].content, &node.content) {
            by_key.remove(key);
            context.elements[reachable.id.index()] = Some(base.elements[old.index()]);
            context.old[reachable.id.index()] = Some(old);
        }
    }
}

/// Returns `true` if the element of the old content can store the new one.
fn can_reuse_element(old: &Content, new: &Content) -> bool {
    match (old, new) {
        (Content::Light(_) | Content::Entity(_), Content::Light(_) | Content::Entity(_)) => true,
        _ => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}

/// Creates the elements of new nodes with the default attributes of their class.
pub(super) fn create_elements(context: &mut WriteContext<'_, '_, '_>) -> Result<(), WriteError> {
    match_world(context);
    let mut numbers = claim_numbers(context);
    let mut unknown_classes = Vec::new();
    for index in 0..context.reachable.len() {
        let reachable = context.reachable[index];
        if context.element(reachable.id).is_some() {
            continue;
        }
        let node = &context.scene.nodes[reachable.id];
        let class = match &node.content {
            // A camera becomes a stored camera later. It is a node only to be the parent of others.
            Content::Camera(_) if node.children.is_empty() => continue,
            content if context.groups.is_shared(content) => Some("CMapInstance"),
            content => class_of_content(content),
        };
        let class = match class {
            Some(class) => class,
            // Maps do not have this content. The node is only needed as a parent.
            None if node.children.is_empty() => continue,
            None => "CMapGroup",
        };
        let parent = context.parent_element(&reachable);
        let stated = node.properties.get(CLASS).and_then(Value::as_text).filter(|stated| *stated != class);
        // Without its layers, a tile grid has no surface.
        let has_layers = ["layerData", "tileGridData"].iter().any(|name| node.properties.get(name).is_some());
        let is_grid = stated == Some("CMapDotaTileGrid");
        let fitting = stated.filter(|stated| class_fits_content(&node.content, stated) && (has_layers || !is_grid));
        let class = if is_grid && has_layers { "CMapGroup" } else { class };
        let element = match fitting.map(|class| (class, context.editor.add_node(parent, class))) {
            Some((_, Ok(element))) => element,
            // Neither the schema nor the map has the class: create another node and rename its class below.
            Some((unknown, Err(_))) if is_node_class_name(unknown) => {
                let element = context.editor.add_node(parent, class)?;
                unknown_classes.push((element, unknown));
                element
            }
            _ => {
                if let Some(stated) = stated {
                    let text = format!("class {stated}, written as {class}");
                    context.losses.approximated(node_path(reachable.id), text);
                }
                context.editor.add_node(parent, class)?
            }
        };
        context.elements[reachable.id.index()] = Some(element);
        if let Some(number) = numbers.remove(&reachable.id) {
            context.set(element, names::NODE_NUMBER, Attribute::Int(number));
        }
    }
    // Rename after all nodes exist: the first node of a class in the map serves as the pattern for new ones.
    for (element, class) in unknown_classes {
        let graph = context.editor.graph_mut();
        graph.elements[element.index()].class = graph.intern(class);
        graph.unset(element, "deformationMode");
    }
    Ok(())
}

/// Reserves the numbers of nodes that overlays refer to, so that overlays of new maps have the right targets, and those of prefabs,
/// because names of their entities begin with them. Returns those of new nodes.
fn claim_numbers(context: &mut WriteContext<'_, '_, '_>) -> HashMap<NodeId, i32> {
    let nodes = &context.scene.nodes;
    let properties = context.reachable.iter().map(|reachable| (reachable.id, &nodes[reachable.id].properties));
    let targets = properties.clone().filter_map(|(_, properties)| properties.get(names::OVERLAY_TARGETS));
    let targets = targets.filter_map(|targets| if let Value::List(list) = targets { Some(list) } else { None });
    let targets: HashSet<i64> = targets.flatten().filter_map(Value::as_int).collect();
    let stated = properties.filter_map(|(id, properties)| Some((id, properties.get(names::NODE_NUMBER)?.as_int()?)));
    let is_prefab = |id: NodeId| matches!(nodes[id].content, Content::Prefab(_));
    let (old, new): (Vec<_>, Vec<_>) = stated
        .filter(|(id, number)| targets.contains(number) || is_prefab(*id))
        .partition(|(id, _)| context.element(*id).is_some());
    for (_, number) in old {
        context.numbers.extend(i32::try_from(number).map(|same| (number, same)));
    }
    let mut claimed = HashMap::new();
    for (id, stated) in new {
        let Ok(wish) = i32::try_from(stated) else { continue };
        let number = context.editor.claim_number(wish);
        if number != wish {
            context.losses.approximated(node_path(id), format!("number {wish}, now {number}"));
        }
        context.numbers.entry(stated).or_insert(number);
        claimed.insert(id, number);
    }
    claimed
}

/// Matches the world with the first root that is a `worldspawn`, unless a node of the base is the world.
fn match_world(context: &mut WriteContext<'_, '_, '_>) {
    if context.elements.contains(&Some(context.world)) {
        return;
    }
    let is_world = |reachable: &&ReachableNode| {
        let is_worldspawn = match context.scene.nodes[reachable.id].content {
            Content::Entity(id) => context.scene.entities[id].class == "worldspawn",
            _ => false,
        };
        is_worldspawn && reachable.parent.is_none() && reachable.has_root
    };
    let Some(id) = context.reachable.iter().find(is_world).map(|reachable| reachable.id) else { return };
    context.elements[id.index()].get_or_insert(context.world);
}

/// Returns the class for new nodes with a content; `None` for content that maps do not have.
fn class_of_content(content: &Content) -> Option<&'static str> {
    Some(match content {
        Content::Group | Content::InstanceSet(_) => "CMapGroup",
        Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_) => "CMapMesh",
        Content::Light(_) | Content::Entity(_) | Content::Marker => "CMapEntity",
        Content::Path(_) => "CMapPath",
        Content::Instance(_) => "CMapInstance",
        Content::Prefab(_) => "CMapPrefab",
        _ => return None,
    })
}

/// Returns `true` if an unknown class of nodes may have this name.
fn is_node_class_name(name: &str) -> bool {
    let rest = name.strip_prefix("CMap").filter(|rest| !["World", ""].contains(rest));
    rest.is_some_and(|rest| rest.len() < 64 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Returns `true` if nodes of a class can have a content.
fn class_fits_content(content: &Content, class: &str) -> bool {
    let is = |classes: &[&str]| classes.contains(&class);
    let is_path = names::is_path(class.as_bytes());
    let has_mesh = is(&["CMapMesh", "CMapStaticOverlay", "CMapTileMesh"]);
    let is_prefab = is(&["CMapPrefab", "CMapTileObject"]);
    match content {
        Content::Mesh(_) => has_mesh || class == "CMapDotaTileGrid",
        Content::Path(_) => is_path,
        Content::Prefab(_) => is_prefab,
        Content::Group => !(is_path || has_mesh || is_prefab || is(&["CMapEntity", "CMapInstance"])),
        _ => false,
    }
}
