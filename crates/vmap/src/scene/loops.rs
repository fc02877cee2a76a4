//! Instances that show themselves.

use mapwright_scene::{Content, Node, NodeId, Scene};

/// Makes groups of instances that lie on a ring of instances and children, or between two rings, and says which: what they
/// show would have no end.
pub(super) fn cut(scene: &mut Scene) -> Vec<NodeId> {
    let instances = scene.nodes.items().iter().filter_map(target).count();
    if instances == 0 {
        return Vec::new();
    }
    // Nodes are taken away as long as nothing that is left shows them, then as long as they show nothing that is left.
    let edges: Vec<(usize, usize)> = scene
        .nodes
        .iter()
        .flat_map(|(id, node)| shown(node).map(move |other| (id.index(), other.index())))
        .filter(|&(_, other)| other < scene.nodes.len())
        .collect();
    let mut left = vec![true; scene.nodes.len()];
    trim(&mut left, edges.iter().copied());
    trim(&mut left, edges.iter().map(|&(from, to)| (to, from)));
    let is_left = |id: NodeId| left.get(id.index()).copied().unwrap_or(false);
    let unending: Vec<NodeId> = scene
        .nodes
        .iter()
        .filter(|(id, node)| is_left(*id) && target(node).is_some_and(is_left))
        .map(|(id, _)| id)
        .collect();
    for &id in &unending {
        if let Some(node) = scene.nodes.get_mut(id) {
            node.content = Content::Group;
        }
    }
    unending
}

fn target(node: &Node) -> Option<NodeId> {
    if let Content::Instance(id) = node.content { Some(id) } else { None }
}

fn shown(node: &Node) -> impl Iterator<Item = NodeId> {
    node.children.iter().copied().chain(target(node))
}

/// Takes away nodes that no edge from a node that is left leads to, until there are none.
fn trim(left: &mut [bool], edges: impl Iterator<Item = (usize, usize)> + Clone) {
    let is_left = |left: &[bool], node: usize| left.get(node).copied().unwrap_or(false);
    // Where the edges of each node begin in a list of their ends.
    let mut starts = vec![0_usize; left.len() + 1];
    let mut uses = vec![0_usize; left.len()];
    for (from, to) in edges.clone().filter(|&(from, to)| is_left(left, from) && is_left(left, to)) {
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
    for (from, to) in edges.filter(|&(from, to)| is_left(left, from) && is_left(left, to)) {
        if let Some(place) = next.get_mut(from)
            && let Some(end) = ends.get_mut(std::mem::replace(place, *place + 1))
        {
            *end = to;
        }
    }
    let mut free: Vec<usize> =
        (0..left.len()).filter(|&node| is_left(left, node) && uses.get(node) == Some(&0)).collect();
    while let Some(node) = free.pop() {
        if let Some(flag) = left.get_mut(node) {
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
    fn only_what_has_no_end_is_cut() {
        let mut scene = Scene::default();
        let plain = scene.add_node(None, Node::new("definition", Content::Group));
        let first = scene.add_node(None, Node::new("shows itself", Content::Group));
        let inner = scene.add_node(Some(first), Node::new("inner", Content::Instance(first)));
        let user = scene.add_node(None, Node::new("user", Content::Instance(first)));
        let other = scene.add_node(Some(first), Node::new("other", Content::Instance(plain)));
        assert_eq!(cut(&mut scene), [inner]);
        assert_eq!(scene.nodes[user].content, Content::Instance(first));
        assert_eq!(scene.nodes[other].content, Content::Instance(plain));
        assert_eq!(cut(&mut scene), []);
        assert!(scene.validate().is_empty());
    }
}
