//! Links instances to their targets.

use mapwright_scene::Content;

use super::super::names;
use super::context::ReadContext;
use super::instance_cycles::cut_cycles;
use super::tree::FoundNode;

/// Links instances to the nodes that they show, except for those that contain themselves.
pub(super) fn link_targets(context: &mut ReadContext<'_>, found: &[FoundNode]) {
    for found in found {
        let Some(element) = context.graph.element(found.element).filter(|element| element.is("CMapInstance")) else {
            continue;
        };
        let target = element.child("target").and_then(|target| context.nodes.get(&target.id()));
        let node = context.nodes.get(&found.element).and_then(|&id| context.linked.scene.nodes.get_mut(id));
        match (target, node) {
            (Some(&target), Some(node)) => node.content = Content::Instance(target),
            _ => context.losses.dropped(names::node_path(element), "instance without a target in the world"),
        }
    }
    for id in cut_cycles(&mut context.linked.scene) {
        let element = context.linked.elements.get(id.index()).and_then(|&element| context.graph.element(element));
        let path = element.map_or_else(String::new, names::node_path);
        context.losses.dropped(path, "instance that contains itself");
    }
}
