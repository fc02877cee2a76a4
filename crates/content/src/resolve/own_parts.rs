//! Parts that only a map of its own has, and not a map inside another one.

use mapwright_scene::{Content, Entity, Node, Scene};

/// Removes the world entity, cameras of the editor, and other nodes for which a function returns `true`. Nodes with children become groups.
pub(super) fn remove_own_parts(scene: &mut Scene, is_other: impl Fn(&Node, Option<&Entity>) -> bool) {
    let Scene { nodes, entities, roots, .. } = scene;
    let is_own = |node: &Node| {
        let entity = if let Content::Entity(id) = node.content { entities.get(id) } else { None };
        let is_world = entity.is_some_and(|entity| entity.class.eq_ignore_ascii_case("worldspawn"));
        is_world || matches!(node.content, Content::Camera(_)) || is_other(node, entity)
    };
    roots.retain(|id| nodes.get(*id).is_some_and(|node| !node.children.is_empty() || !is_own(node)));
    for (_, node) in nodes.iter_mut() {
        if is_own(node) {
            node.content = Content::Group;
        }
    }
}
