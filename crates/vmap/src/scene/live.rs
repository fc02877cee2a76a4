//! The nodes that count: those that roots or instances lead to.

use mapwright_scene::{Content, NodeId, Scene, Transform};

/// A node that roots or instances lead to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Live {
    pub(super) id: NodeId,
    pub(super) parent: Option<NodeId>,
    /// From the node's own space to that of the scene; of what only instances lead to, to that of its topmost node's parent.
    pub(super) world: Transform,
    /// What the mesh of the node has to say besides, from its own space to that of the node: the identity, but for those that
    /// shear.
    pub(super) baked: Transform,
    /// Whether roots lead to it.
    pub(super) shown: bool,
}

/// All of them, parents before children: what roots lead to, then what instances lead to besides.
pub(super) fn live(scene: &Scene) -> Vec<Live> {
    let mut list: Vec<Live> = Vec::with_capacity(scene.nodes.len());
    let mut seen = vec![false; scene.nodes.len()];
    let mut stack: Vec<(NodeId, Option<NodeId>, Transform, bool)> = Vec::new();
    stack.extend(scene.roots.iter().rev().map(|&id| (id, None, Transform::IDENTITY, true)));
    let mut next = 0;
    loop {
        while let Some((id, parent, above, shown)) = stack.pop() {
            let Some(node) = scene.nodes.get(id) else { continue };
            match seen.get_mut(id.index()) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let world = above.then(&node.transform);
            stack.extend(node.children.iter().rev().map(|&child| (child, Some(id), world, shown)));
            list.push(Live { id, parent, world, baked: Transform::IDENTITY, shown });
        }
        let Some(entry) = list.get(next) else { break };
        next += 1;
        if let Some(Content::Instance(target)) = scene.nodes.get(entry.id).map(|node| &node.content) {
            stack.push((*target, None, Transform::IDENTITY, false));
        }
    }
    list
}
