//! Nodes of their own for what instances show, where the target has no instances of nodes.

use mapwright_scene::{Content, Estimate, Losses, Node, NodeId, Scene, Value};

use super::ConvertOptions;
use crate::Error;

/// Copies what instances show to where they stand. Meshes and all else that nodes refer to stay shared.
///
/// # Errors
/// [`Error::Items`] and [`Error::Excess`] if that makes more nodes than the options allow: instances of groups of instances
/// multiply. Then nothing is copied.
pub(crate) fn expand(scene: &mut Scene, losses: &mut Losses, options: &ConvertOptions) -> Result<(), Error> {
    drop_cycles(scene, losses);
    let instances: Vec<NodeId> =
        scene.walk().filter(|visit| matches!(visit.node.content, Content::Instance(_))).map(|visit| visit.id).collect();
    if instances.is_empty() {
        return Ok(());
    }
    let shown = scene.shown();
    let counts = shown.counts(scene);
    let asked = counts.nodes.saturating_add(counts.instances);
    if asked > options.max_items {
        return Err(Error::Items { asked, limit: options.max_items });
    }
    let sizes = scene.nodes.items().iter().zip(&shown.nodes).map(|(node, copies)| copies.saturating_mul(size(node)));
    Estimate { output: 0, memory: sizes.fold(0, u64::saturating_add) }.check(options.max_output)?;
    // Copies are made of what was there before, whatever has become of it meanwhile.
    let before = scene.nodes.clone();
    for &instance in &instances {
        // A node, and what is to stand there and below it.
        let mut next = vec![(instance, instance)];
        while let Some((place, source)) = next.pop() {
            let Some(node) = before.get(source) else { continue };
            let content = match node.content {
                Content::Instance(target) => {
                    next.push((place, target));
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
                let copy = Node { children: Vec::new(), content: Content::Group, key: None, ..original.clone() };
                next.push((scene.add_node(Some(place), copy), child));
            }
        }
    }
    losses.approximated(
        "nodes",
        format!("instances of other nodes, which became nodes of their own: {}", instances.len()),
    );
    Ok(())
}

/// Returns roughly the memory that a node takes, in bytes.
fn size(node: &Node) -> u64 {
    let properties: usize = node.properties.iter().map(|(name, value)| 100 + name.len() + text_size(value)).sum();
    (size_of::<Node>() + 64 + node.name.len() + properties) as u64
}

fn text_size(value: &Value) -> usize {
    let mut size = 0_usize;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        size = size.saturating_add(size_of::<Value>());
        match value {
            Value::Text(text) => size = size.saturating_add(text.len()),
            Value::Bytes(bytes) => size = size.saturating_add(bytes.len()),
            Value::List(list) => stack.extend(list),
            Value::Map(map) => stack.extend(map.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    size
}

/// Turns instances that contain themselves, directly or through other instances, into empty groups.
fn drop_cycles(scene: &mut Scene, losses: &mut Losses) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; scene.nodes.len()];
    let mut cycles = Vec::new();
    // A node is open while what it leads to is visited: what leads back to an open node closes a cycle.
    enum Step {
        Enter(NodeId, Option<NodeId>),
        Leave(NodeId),
    }
    let mut stack: Vec<Step> = scene.roots.iter().map(|root| Step::Enter(*root, None)).collect();
    while let Some(step) = stack.pop() {
        match step {
            Step::Leave(id) => states.get_mut(id.index()).into_iter().for_each(|state| *state = State::Done),
            Step::Enter(id, by) => match states.get_mut(id.index()) {
                Some(state @ State::New) => {
                    *state = State::Open;
                    stack.push(Step::Leave(id));
                    let Some(node) = scene.nodes.get(id) else { continue };
                    stack.extend(node.children.iter().map(|child| Step::Enter(*child, None)));
                    if let Content::Instance(target) = node.content {
                        stack.push(Step::Enter(target, Some(id)));
                    }
                }
                Some(State::Open) => cycles.extend(by),
                _ => {}
            },
        }
    }
    for id in &cycles {
        scene.nodes.get_mut(*id).into_iter().for_each(|node| node.content = Content::Group);
    }
    if !cycles.is_empty() {
        losses.dropped("nodes", format!("instances that contain themselves: {}", cycles.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Excess, Transform};

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
        expand(&mut scene, &mut losses, &ConvertOptions::default()).unwrap();
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
        expand(&mut scene, &mut losses, &ConvertOptions::default()).unwrap();
        assert!(scene.nodes.len() == 2 && losses.lost() == 1);
    }

    #[test]
    fn many_that_show_what_they_are_in_come_to_an_end() {
        let mut scene = Scene::default();
        let first = scene.add_node(None, Node::new("first", Content::Group));
        for _ in 0..10_000 {
            scene.add_node(Some(first), Node::new("itself", Content::Instance(first)));
        }
        let mut losses = Losses::default();
        expand(&mut scene, &mut losses, &ConvertOptions::default()).unwrap();
        assert!(scene.nodes.len() == 10_001 && losses.lost() == 1);
    }

    #[test]
    fn groups_of_instances_that_multiply_are_refused() {
        let mut scene = Scene::default();
        let mut last = scene.add_node(None, Node::new("marker", Content::Marker));
        for _ in 0..30 {
            let group = scene.add_node(None, Node::new("group", Content::Group));
            scene.add_node(Some(group), Node::new("a", Content::Instance(last)));
            scene.add_node(Some(group), Node::new("b", Content::Instance(last)));
            last = group;
        }
        let before = scene.clone();
        let mut expand = |options: &ConvertOptions| expand(&mut scene, &mut Losses::default(), options).unwrap_err();
        let options = ConvertOptions::default().with_max_items(1_000_000);
        assert!(matches!(expand(&options), Error::Items { limit: 1_000_000, .. }));
        assert!(matches!(expand(&ConvertOptions::default()), Error::Excess(Excess::Limit { .. })));
        assert_eq!(scene, before);
    }
}
