//! Finds the nodes of a map.

use std::collections::HashMap;

use mapwright_dmx::{ElementId, ElementRef};

use super::super::names;
use super::context::ReadContext;

/// The nodes of a map.
pub(super) struct NodeTree {
    /// All nodes below the world and in targets of instances, parents first.
    pub(super) nodes: Vec<FoundNode>,
    /// Points of each path.
    pub(super) points: HashMap<ElementId, Vec<ElementId>>,
}

/// A node of the map.
pub(super) struct FoundNode {
    pub(super) element: ElementId,
    /// Index of the parent; `None` for children of the world and targets of instances.
    pub(super) parent: Option<usize>,
    /// `true` if a list of children contains the node.
    pub(super) is_listed: bool,
}

/// Finds all nodes below the world, then those that only instances show.
pub(super) fn find_nodes<'a>(context: &mut ReadContext<'a>, world: ElementRef<'a>) -> NodeTree {
    let mut tree = NodeTree { nodes: Vec::new(), points: HashMap::new() };
    let mut stack: Vec<(ElementId, Option<usize>, bool)> = Vec::new();
    let push_children = |node: ElementRef<'a>, parent, stack: &mut Vec<_>| {
        stack.extend(node.children("children").rev().map(|child| (child.id(), parent, true)));
    };
    push_children(world, None, &mut stack);
    let mut next_instance = 0;
    loop {
        while let Some((id, parent, is_listed)) = stack.pop() {
            let Some(node) = context.graph.element(id) else { continue };
            if !context.values.used.insert(id) {
                context.losses.dropped(names::node_path(node), "repeated entry in a list of children");
                continue;
            }
            let above = parent.and_then(|parent: usize| context.graph.element(tree.nodes.get(parent)?.element));
            if let Some(path) = above.filter(|above| names::is_path(above.class()) && names::is_point(node.class())) {
                tree.points.entry(path.id()).or_default().push(id);
                continue;
            }
            push_children(node, Some(tree.nodes.len()), &mut stack);
            tree.nodes.push(FoundNode { element: id, parent, is_listed });
        }
        // The target of an instance need not be below the world.
        let Some(node) = tree.nodes.get(next_instance) else { break };
        next_instance += 1;
        if let Some(target) = instance_target(context, node.element)
            && !context.values.used.contains(&target.id())
        {
            stack.push((target.id(), None, false));
        }
    }
    tree
}

/// Returns the target of an instance; `None` for other nodes.
pub(super) fn instance_target<'a>(context: &ReadContext<'a>, id: ElementId) -> Option<ElementRef<'a>> {
    context.graph.element(id).filter(|node| node.is("CMapInstance"))?.child("target")
}
