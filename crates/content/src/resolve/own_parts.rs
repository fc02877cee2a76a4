//! Parts that a map has alone, but not inside another map.

use std::collections::HashMap;

use mapwright_scene::{Arena, Content, Entity, Node, NodeId, Scene};

/// Removes the world entity, cameras of the editor, and other nodes for which a function returns `true`. The nodes below them stay: a removed
/// node with such nodes becomes a group.
pub(super) fn remove_own_parts(scene: &mut Scene, is_removed: impl Fn(&Node, Option<&Entity>) -> bool) {
    let is_own = |node: &Node, entity: Option<&Entity>| {
        let is_world = entity.is_some_and(|entity| entity.class.eq_ignore_ascii_case("worldspawn"));
        is_world || matches!(node.content, Content::Camera(_)) || is_removed(node, entity)
    };
    let Scene { nodes, entities, .. } = &mut *scene;
    for (_, node) in nodes.iter_mut() {
        let entity = if let Content::Entity(id) = node.content { entities.get(id) } else { None };
        if is_own(node, entity) {
            let children = std::mem::take(&mut node.children);
            let Node { transform, visible, .. } = *node;
            *node = Node { transform, visible, children, ..Node::default() };
        }
    }
    keep_nodes(scene, |node| !is_empty(node));
}

/// Returns `true` for a group without anything.
fn is_empty(node: &Node) -> bool {
    node.content == Content::Group && node.children.is_empty() && node.name.is_empty() && node.properties.is_empty()
}

/// Removes the nodes for which a function returns `false`, and all below them. Returns the number of these nodes without those below them.
pub(super) fn keep_nodes(scene: &mut Scene, is_kept: impl Fn(&Node) -> bool) -> usize {
    let Scene { nodes, roots, .. } = scene;
    let mut new_ids: HashMap<NodeId, NodeId> = HashMap::new();
    let mut kept = Vec::new();
    let mut stack: Vec<NodeId> = roots.iter().rev().copied().collect();
    let mut removed = 0_usize;
    while let Some(id) = stack.pop() {
        let Some(node) = nodes.get(id).filter(|_| !new_ids.contains_key(&id)) else { continue };
        if !is_kept(node) {
            removed = removed.saturating_add(1);
            continue;
        }
        new_ids.insert(id, NodeId::new(u32::try_from(kept.len()).unwrap_or(u32::MAX)));
        kept.push(id);
        stack.extend(node.children.iter().rev());
        // Instances show nodes that need not be in the tree.
        stack.extend(if let Content::Instance(target) = node.content { Some(target) } else { None });
    }
    let moved = |ids: &[NodeId]| ids.iter().filter_map(|id| new_ids.get(id).copied()).collect();
    let mut all = Arena::default();
    for id in kept {
        let Some(node) = nodes.get_mut(id) else { continue };
        let mut node = std::mem::take(node);
        node.children = moved(&node.children);
        node.content = match node.content {
            Content::Instance(target) => new_ids.get(&target).map_or(Content::Group, |id| Content::Instance(*id)),
            content => content,
        };
        all.push(node);
    }
    *roots = moved(roots);
    *nodes = all;
    // Sets are those of the map, and other maps do not get them.
    scene.sets.clear();
    removed
}
