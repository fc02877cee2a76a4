//! Expands instances to separate nodes, for targets without instances.

use mapwright_scene::{Arena, Content, Estimate, Id, InstanceSet, Losses, Model, Node, NodeId, Scene, Value};

use crate::{ConvertOptions, Error};

/// Replaces each instance by a copy of the nodes that it shows. Meshes and other items that nodes refer to stay shared.
///
/// # Errors
/// [`Error::Items`] and [`Error::Excess`] if that creates more nodes than the options allow, because instances of groups of instances
/// multiply. The scene is unchanged then.
pub(crate) fn expand(scene: &mut Scene, losses: &mut Losses, options: &ConvertOptions) -> Result<(), Error> {
    drop_cycles(scene, losses);
    let instances: Vec<NodeId> =
        scene.walk().filter(|visit| matches!(visit.node.content, Content::Instance(_))).map(|visit| visit.id).collect();
    if instances.is_empty() {
        return Ok(());
    }
    let shown = scene.occurrences();
    let counts = shown.counts(scene);
    let asked = counts.nodes.saturating_add(counts.instances);
    if asked > options.max_items {
        return Err(Error::Items { asked, limit: options.max_items });
    }
    let sizes = scene.nodes.items().iter().zip(&shown.nodes).map(|(node, copies)| copies.saturating_mul(size(node)));
    Estimate { output: 0, memory: sizes.fold(0, u64::saturating_add) }.check(options.max_output)?;
    // Copies are made from the original nodes, because instances are replaced on the way.
    let before = scene.nodes.clone();
    for &instance in &instances {
        // A node, and the node whose content and children it gets.
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
            // The instance itself keeps its own children.
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
    losses.approximated("nodes", format!("instances of other nodes, expanded to separate nodes: {}", instances.len()));
    Ok(())
}

/// Replaces each instance of a mesh in a set by a child node, for targets without instance sets.
///
/// # Errors
/// [`Error::Items`] if that creates more nodes than the options allow. The scene is unchanged then.
pub(crate) fn expand_sets(scene: &mut Scene, losses: &mut Losses, options: &ConvertOptions) -> Result<(), Error> {
    let is_mesh = |set: &InstanceSet, instance: &usize| matches!(set.model_of(*instance), Some(Model::Mesh(_)));
    let sets: Vec<(NodeId, Id<InstanceSet>)> = scene
        .walk()
        .filter_map(|visit| match visit.node.content {
            Content::InstanceSet(set) => Some((visit.id, set)),
            _ => None,
        })
        .collect();
    let counts = sets.iter().filter_map(|(_, set)| scene.instance_sets.get(*set));
    let counts = counts.map(|set| (0..set.transforms.len()).filter(|instance| is_mesh(set, instance)).count() as u64);
    let created = counts.fold(0, u64::saturating_add);
    let asked = created.saturating_add(scene.nodes.len() as u64);
    if created == 0 {
        return Ok(());
    }
    if asked > options.max_items {
        return Err(Error::Items { asked, limit: options.max_items });
    }
    for (node, id) in sets {
        let Some(set) = scene.instance_sets.get(id).cloned() else { continue };
        let count = set.transforms.len();
        for instance in (0..count).filter(|instance| is_mesh(&set, instance)) {
            if let (Some(Model::Mesh(mesh)), Some(transform)) = (set.model_of(instance), set.transforms.get(instance)) {
                scene.add_node(Some(node), Node { transform, ..Node::new(&set.name, Content::Mesh(*mesh)) });
            }
        }
        // A set that only has meshes is empty now. Models of other files stay in it.
        if (0..count).all(|instance| is_mesh(&set, &instance))
            && let Some(node) = scene.nodes.get_mut(node)
        {
            node.content = Content::Group;
        }
    }
    if !scene.nodes.iter().any(|(_, node)| matches!(node.content, Content::InstanceSet(_))) {
        scene.instance_sets = Arena::default();
    }
    losses.approximated("instance_sets", format!("instances of meshes, expanded to separate nodes: {created}"));
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

/// Turns instances that contain themselves, directly or through other nodes, into empty groups.
fn drop_cycles(scene: &mut Scene, losses: &mut Losses) {
    let components = components(scene);
    let component = |id: NodeId| components.get(id.index()).copied().flatten();
    let mut dropped = 0_usize;
    for id in scene.nodes.ids() {
        let Some(node) = scene.nodes.get_mut(id) else { continue };
        if let Content::Instance(target) = node.content
            && component(id).is_some_and(|own| component(target) == Some(own))
        {
            node.content = Content::Group;
            dropped = dropped.saturating_add(1);
        }
    }
    if dropped > 0 {
        losses.dropped("nodes", format!("instances that contain themselves: {dropped}"));
    }
}

/// Returns the strongly connected component of each node that a root leads to, by children and by targets of instances. Two nodes
/// have the same number if each of them leads to the other.
///
/// This is Tarjan's algorithm with its own stack: trees may be deeper than the stack of the thread.
fn components(scene: &Scene) -> Vec<Option<usize>> {
    /// A node that is being visited.
    struct Open {
        node: NodeId,
        /// The number of edges that were followed.
        followed: usize,
        /// The lowest number of a node that this one leads to and that has no component yet.
        lowest: usize,
    }
    let edge = |node: NodeId, index: usize| {
        let node = scene.nodes.get(node)?;
        match node.content {
            Content::Instance(target) if index == node.children.len() => Some(target),
            _ => node.children.get(index).copied(),
        }
    };
    let mut components = vec![None; scene.nodes.len()];
    // The order in which nodes were entered.
    let mut numbers = vec![None; scene.nodes.len()];
    let mut entered = 0_usize;
    // Nodes that were entered and have no component yet.
    let mut pending: Vec<NodeId> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for &root in &scene.roots {
        let mut next = Some(root);
        loop {
            if let Some(node) = next.take()
                && let Some(number) = numbers.get_mut(node.index())
            {
                match *number {
                    None => {
                        *number = Some(entered);
                        pending.push(node);
                        open.push(Open { node, followed: 0, lowest: entered });
                        entered = entered.saturating_add(1);
                    }
                    Some(number) if components.get(node.index()) == Some(&None) => {
                        open.last_mut().into_iter().for_each(|from| from.lowest = from.lowest.min(number));
                    }
                    Some(_) => {}
                }
            }
            let Some(last) = open.last_mut() else { break };
            next = edge(last.node, last.followed);
            last.followed = last.followed.saturating_add(1);
            if next.is_some() {
                continue;
            }
            let Some(Open { node, lowest, .. }) = open.pop() else { break };
            if let Some(parent) = open.last_mut() {
                parent.lowest = parent.lowest.min(lowest);
            }
            if numbers.get(node.index()) == Some(&Some(lowest)) {
                // The node is the first of its component. The others were entered after it.
                while let Some(member) = pending.pop() {
                    components.get_mut(member.index()).into_iter().for_each(|component| *component = Some(lowest));
                    if member == node {
                        break;
                    }
                }
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Excess, LossKind, Transform};

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
    fn instances_are_expanded_at_their_positions() {
        let mut scene = Scene::default();
        // The transform of a group does not apply to its instances.
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
    fn instances_of_themselves_are_dropped() {
        let mut scene = Scene::default();
        let first = scene.add_node(None, Node::new("first", Content::Group));
        scene.add_node(Some(first), Node::new("itself", Content::Instance(first)));
        let mut losses = Losses::default();
        expand(&mut scene, &mut losses, &ConvertOptions::default()).unwrap();
        assert!(scene.nodes.len() == 2 && losses.lost_count() == 1);
    }

    #[test]
    fn many_instances_of_their_parent_are_dropped() {
        let mut scene = Scene::default();
        let first = scene.add_node(None, Node::new("first", Content::Group));
        for _ in 0..10_000 {
            scene.add_node(Some(first), Node::new("itself", Content::Instance(first)));
        }
        let mut losses = Losses::default();
        expand(&mut scene, &mut losses, &ConvertOptions::default()).unwrap();
        assert!(scene.nodes.len() == 10_001 && losses.lost_count() == 1);
    }

    #[test]
    fn cycles_through_children_are_found() {
        let mut scene = Scene::default();
        let outer = scene.add_node(None, Node::new("outer", Content::Group));
        let child = scene.add_node(Some(outer), Node::new("child", Content::Instance(outer)));
        let last = scene.add_node(None, Node::new("last", Content::Instance(child)));
        for roots in [[outer, last], [last, outer]] {
            let mut scene = Scene { roots: roots.to_vec(), ..scene.clone() };
            let mut losses = Losses::default();
            expand(&mut scene, &mut losses, &ConvertOptions::default()).unwrap();
            assert!(scene.nodes.items().iter().all(|node| node.content == Content::Group));
            assert_eq!((scene.nodes.len(), losses.count(LossKind::Dropped)), (3, 1));
        }
    }

    #[test]
    fn cycles_in_deep_trees_are_found() {
        let mut scene = Scene::default();
        let root = scene.add_node(None, Node::new("root", Content::Group));
        let mut last = root;
        for _ in 0..100_000 {
            last = scene.add_node(Some(last), Node::new("", Content::Group));
        }
        let closing = scene.add_node(Some(last), Node::new("closing", Content::Instance(root)));
        scene.add_node(None, Node::new("other", Content::Instance(closing)));
        drop_cycles(&mut scene, &mut Losses::default());
        let nodes = scene.nodes.items().iter();
        let instances = nodes.filter(|node| matches!(node.content, Content::Instance(_)));
        assert_eq!(instances.map(|node| &*node.name).collect::<Vec<_>>(), ["other"]);
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
