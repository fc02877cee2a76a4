//! Nodes that roots or instances reach.

use mapwright_scene::{Content, NodeId, Scene, Transform};

/// A node that roots or instances reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ReachableNode {
    pub(super) id: NodeId,
    pub(super) parent: Option<NodeId>,
    /// Transform to the space of the scene. If only instances reach the node: to the parent space of its topmost node.
    pub(super) world: Transform,
    /// Shear that is applied to the vertices of the node's mesh before `world`; mostly the identity.
    pub(super) shear: Transform,
    /// `true` if a root reaches the node.
    pub(super) has_root: bool,
}

/// Returns the nodes that roots reach, then those that only instances reach. Parents come before children.
pub(super) fn reachable_nodes(scene: &Scene) -> Vec<ReachableNode> {
    let mut list: Vec<ReachableNode> = Vec::with_capacity(scene.nodes.len());
    let mut seen = vec![false; scene.nodes.len()];
    let mut stack: Vec<(NodeId, Option<NodeId>, Transform, bool)> = Vec::new();
    stack.extend(scene.roots.iter().rev().map(|&id| (id, None, Transform::IDENTITY, true)));
    let mut next = 0;
    loop {
        while let Some((id, parent, above, has_root)) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let node = &scene.nodes[id];
            let world = above.compose(&node.transform);
            stack.extend(node.children.iter().rev().map(|&child| (child, Some(id), world, has_root)));
            list.push(ReachableNode { id, parent, world, shear: Transform::IDENTITY, has_root });
        }
        let Some(reachable) = list.get(next) else { break };
        next += 1;
        if let Content::Instance(target) = scene.nodes[reachable.id].content {
            stack.push((target, None, Transform::IDENTITY, false));
        }
    }
    list
}
