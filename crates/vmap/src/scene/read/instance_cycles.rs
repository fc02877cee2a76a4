//! Finds instances that contain themselves.

use mapwright_scene::{Content, Node, NodeId, Scene};

/// Turns instances on a cycle of instances and children, or between two cycles, into groups, and returns them.
pub(super) fn cut_cycles(scene: &mut Scene) -> Vec<NodeId> {
    let instances = scene.nodes.items().iter().filter_map(target).count();
    if instances == 0 {
        return Vec::new();
    }
    // Remove nodes that no remaining node contains, then nodes that contain no remaining one. Cycles remain.
    let edges: Vec<(usize, usize)> = scene
        .nodes
        .iter()
        .flat_map(|(id, node)| contents(node).map(move |other| (id.index(), other.index())))
        .filter(|&(_, other)| other < scene.nodes.len())
        .collect();
    let mut remaining = vec![true; scene.nodes.len()];
    trim(&mut remaining, edges.iter().copied());
    trim(&mut remaining, edges.iter().map(|&(from, to)| (to, from)));
    let remains = |id: NodeId| remaining.get(id.index()).copied().unwrap_or(false);
    let cyclic: Vec<NodeId> = scene
        .nodes
        .iter()
        .filter(|(id, node)| remains(*id) && target(node).is_some_and(remains))
        .map(|(id, _)| id)
        .collect();
    for &id in &cyclic {
        if let Some(node) = scene.nodes.get_mut(id) {
            node.content = Content::Group;
        }
    }
    cyclic
}

fn target(node: &Node) -> Option<NodeId> {
    if let Content::Instance(id) = node.content { Some(id) } else { None }
}

fn contents(node: &Node) -> impl Iterator<Item = NodeId> {
    node.children.iter().copied().chain(target(node))
}

/// Removes nodes without an incoming edge from a remaining node, until there are none.
fn trim(remaining: &mut [bool], edges: impl Iterator<Item = (usize, usize)> + Clone) {
    let remains = |remaining: &[bool], node: usize| remaining.get(node).copied().unwrap_or(false);
    // Start of the edges of each node in the list of their ends.
    let mut starts = vec![0_usize; remaining.len() + 1];
    let mut uses = vec![0_usize; remaining.len()];
    for (from, to) in edges.clone().filter(|&(from, to)| remains(remaining, from) && remains(remaining, to)) {
        if let (Some(start), Some(uses)) = (starts.get_mut(from + 1), uses.get_mut(to)) {
            *start += 1;
            *uses += 1;
        }
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let mut next = starts.clone();
    let mut ends = vec![0_usize; total];
    for (from, to) in edges.filter(|&(from, to)| remains(remaining, from) && remains(remaining, to)) {
        if let Some(place) = next.get_mut(from)
            && let Some(end) = ends.get_mut(std::mem::replace(place, *place + 1))
        {
            *end = to;
        }
    }
    let mut free: Vec<usize> =
        (0..remaining.len()).filter(|&node| remains(remaining, node) && uses.get(node) == Some(&0)).collect();
    while let Some(node) = free.pop() {
        if let Some(flag) = remaining.get_mut(node) {
            *flag = false;
        }
        let range = starts.get(node).copied().unwrap_or(0)..starts.get(node + 1).copied().unwrap_or(0);
        for &to in ends.get(range).unwrap_or_default() {
            if let Some(count) = uses.get_mut(to) {
                *count -= 1;
                if *count == 0 {
                    free.push(to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_instances_on_cycles_are_cut() {
        let mut scene = Scene::default();
        let plain = scene.add_node(None, Node::new("definition", Content::Group));
        let first = scene.add_node(None, Node::new("shows itself", Content::Group));
        let inner = scene.add_node(Some(first), Node::new("inner", Content::Instance(first)));
        let user = scene.add_node(None, Node::new("user", Content::Instance(first)));
        let other = scene.add_node(Some(first), Node::new("other", Content::Instance(plain)));
        assert_eq!(cut_cycles(&mut scene), [inner]);
        assert_eq!(scene.nodes[user].content, Content::Instance(first));
        assert_eq!(scene.nodes[other].content, Content::Instance(plain));
        assert_eq!(cut_cycles(&mut scene), []);
        assert!(scene.validate().is_empty());
    }
}
