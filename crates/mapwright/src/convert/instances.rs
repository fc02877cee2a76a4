//! Nodes of their own for what instances show, where the target has no instances of nodes.

use mapwright_scene::{Content, Losses, Node, NodeId, Scene};

/// So many nodes are made at most: instances of groups of instances multiply.
const MOST: usize = 1 << 20;

/// Copies what instances show to where they stand. Meshes and all else that nodes refer to stay shared.
pub(crate) fn expand(scene: &mut Scene, losses: &mut Losses) {
    let instances: Vec<NodeId> =
        scene.walk().filter(|visit| matches!(visit.node.content, Content::Instance(_))).map(|visit| visit.id).collect();
    if instances.is_empty() {
        return;
    }
    // Copies are made of what was there before, whatever has become of it meanwhile.
    let before = scene.nodes.clone();
    let (mut left, mut cut) = (MOST, 0_usize);
    for &instance in &instances {
        // A node, and what is to stand there and below it.
        let mut next = vec![(instance, instance)];
        let mut is_cut = false;
        // Paid for when it is put there, so that what waits has a bound, too.
        let mut pay = || {
            is_cut |= left == 0;
            left = left.saturating_sub(1);
            !is_cut
        };
        while let Some((place, source)) = next.pop() {
            let Some(node) = before.get(source) else { continue };
            let content = match node.content {
                Content::Instance(target) => {
                    if pay() {
                        next.push((place, target));
                    }
                    Content::Group
                }
                ref content => content.clone(),
            };
            if let Some(place) = scene.nodes.get_mut(place) {
                place.content = content;
            }
            // Its own children it has already.
            if place == instance && source == instance {
                continue;
            }
            for &child in &node.children {
                let Some(original) = before.get(child) else { continue };
                if !pay() {
                    break;
                }
                let copy = Node { children: Vec::new(), content: Content::Group, key: None, ..original.clone() };
                next.push((scene.add_node(Some(place), copy), child));
            }
        }
        cut += usize::from(is_cut);
    }
    losses.approximated(
        "nodes",
        format!("instances of other nodes, which became nodes of their own: {}", instances.len()),
    );
    if cut > 0 {
        losses.dropped("nodes", format!("instances that would make too many nodes: {cut}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::Transform;

    fn at(x: f64) -> Transform {
        Transform::Trs { translation: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }

    fn markers(scene: &Scene) -> Vec<f64> {
        let markers = scene.walk().filter(|visit| visit.node.content == Content::Marker);
        let mut places: Vec<f64> = markers.map(|visit| visit.world.point([0.0; 3])[0]).collect();
        places.sort_by(f64::total_cmp);
        places
    }

    #[test]
    fn instances_stand_where_they_are_and_nest() {
        let mut scene = Scene::default();
        // Its own place does not count for those who show it.
        let inner = scene.add_node(None, Node { transform: at(100.0), ..Node::new("inner", Content::Group) });
        scene.add_node(Some(inner), Node { transform: at(1.0), ..Node::new("marker", Content::Marker) });
        let outer = scene.add_node(None, Node { transform: at(1000.0), ..Node::new("outer", Content::Group) });
        scene.add_node(Some(outer), Node { transform: at(10.0), ..Node::new("again", Content::Instance(inner)) });
        scene.add_node(None, Node { transform: at(5.0), ..Node::new("both", Content::Instance(outer)) });
        let mut losses = Losses::default();
        expand(&mut scene, &mut losses);
        assert_eq!(markers(&scene), [16.0, 101.0, 1011.0]);
        assert!(scene.nodes.items().iter().all(|node| !matches!(node.content, Content::Instance(_))));
        assert_eq!(losses.len(), 1);
    }

    #[test]
    fn what_shows_itself_comes_to_an_end() {
        let mut scene = Scene::default();
        let first = scene.add_node(None, Node::new("first", Content::Group));
        scene.add_node(Some(first), Node::new("itself", Content::Instance(first)));
        let mut losses = Losses::default();
        expand(&mut scene, &mut losses);
        assert!(scene.nodes.len() <= MOST + 3 && losses.lost() == 2);
    }

    #[test]
    fn many_that_show_what_they_are_in_come_to_an_end() {
        let mut scene = Scene::default();
        let first = scene.add_node(None, Node::new("first", Content::Group));
        for _ in 0..10_000 {
            scene.add_node(Some(first), Node::new("itself", Content::Instance(first)));
        }
        let mut losses = Losses::default();
        expand(&mut scene, &mut losses);
        assert!(scene.nodes.len() <= MOST + 10_001 && losses.lost() == 2);
    }
}
