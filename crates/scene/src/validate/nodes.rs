//! Checks of the tree, its transforms and its ids.

use super::{Report, finite};
use crate::{Arena, Content, Elements, Id, Node, NodeId, Properties, Scene, Transform, Value};

pub(super) fn check(scene: &Scene, report: &mut Report) {
    tree(scene, report);
    instances(scene, report);
    for (id, node) in scene.nodes.iter() {
        let path = format!("nodes[{}]", id.index());
        transform(&node.transform, &path, report);
        properties(&node.properties, &path, report);
        content(scene, node, &path, report);
    }
    sets(scene, report);
    properties(&scene.properties, "scene", report);
    if scene.metres_per_unit.is_some_and(|metres| !(metres.is_finite() && metres > 0.0)) {
        report.error(&"metres_per_unit", "not a positive number");
    }
}

fn tree(scene: &Scene, report: &mut Report) {
    let mut parents = vec![0_u32; scene.nodes.len()];
    let mut link = |id: NodeId, path: &dyn std::fmt::Display, report: &mut Report| match parents.get_mut(id.index()) {
        None => report.error(path, format!("missing node {id:?}")),
        Some(count) => *count = count.saturating_add(1),
    };
    for &id in &scene.roots {
        link(id, &"roots", report);
    }
    for (id, node) in scene.nodes.iter() {
        for &child in &node.children {
            link(child, &format_args!("nodes[{}].children", id.index()), report);
        }
    }
    for (node, _) in parents.iter().enumerate().filter(|(_, count)| **count > 1) {
        report.error(&format_args!("nodes[{node}]"), "has more than one parent, or is a root and has one");
    }
    // Every node has at most one parent here, so no root can lead to a cycle.
    let mut reached = vec![false; scene.nodes.len()];
    let mut stack: Vec<NodeId> = scene.nodes.ids().filter(|id| parents.get(id.index()) == Some(&0)).collect();
    stack.extend(&scene.roots);
    while let Some(id) = stack.pop() {
        match (reached.get_mut(id.index()), scene.nodes.get(id)) {
            (Some(reached), Some(node)) if !*reached => {
                *reached = true;
                stack.extend(&node.children);
            }
            _ => {}
        }
    }
    report.column(super::Severity::Error, &"nodes", "nodes that contain themselves", &reached, |reached| !reached);
}

/// Instances must not contain themselves: no descendant of a node may be an instance of that node. Nodes are removed as soon as
/// no remaining node contains them; the rest contain themselves, or are contained in such nodes.
fn instances(scene: &Scene, report: &mut Report) {
    if !scene.nodes.items().iter().any(|node| matches!(node.content, Content::Instance(_))) {
        return;
    }
    fn shown(node: &Node) -> impl Iterator<Item = NodeId> {
        let instance = match node.content {
            Content::Instance(id) => Some(id),
            _ => None,
        };
        node.children.iter().copied().chain(instance)
    }
    let mut uses = vec![0_usize; scene.nodes.len()];
    for id in scene.nodes.items().iter().flat_map(shown) {
        if let Some(uses) = uses.get_mut(id.index()) {
            *uses += 1;
        }
    }
    let mut free: Vec<NodeId> = scene.nodes.ids().filter(|id| uses.get(id.index()) == Some(&0)).collect();
    while let Some(node) = free.pop().and_then(|id| scene.nodes.get(id)) {
        for id in shown(node) {
            let Some(uses) = uses.get_mut(id.index()) else { continue };
            *uses -= 1;
            if *uses == 0 {
                free.push(id);
            }
        }
    }
    report.column(super::Severity::Error, &"nodes", "nodes that contain an instance of themselves", &uses, |&uses| {
        uses > 0
    });
}

fn transform(transform: &Transform, path: &str, report: &mut Report) {
    let (numbers, length) = match transform {
        Transform::Trs { translation, rotation, scale } => {
            (finite(translation.iter().chain(rotation).chain(scale)), rotation.iter().map(|c| c * c).sum::<f64>())
        }
        Transform::Matrix(matrix) => {
            if matrix.map(|column| column[3]) != [0.0, 0.0, 0.0, 1.0] {
                report.error(&format_args!("{path}.transform"), "not affine: expected the last row 0 0 0 1");
            }
            (finite(matrix.iter().flatten()), 1.0)
        }
    };
    let path = format_args!("{path}.transform");
    if !numbers {
        report.error(&path, "has a number that is not finite");
    } else if (length - 1.0).abs() > 1e-6 {
        report.warning(&path, "the rotation is not of length 1");
    } else if transform.determinant() == 0.0 {
        report.warning(&path, "collapses space");
    }
}

fn content(scene: &Scene, node: &Node, path: &str, report: &mut Report) {
    let path = format_args!("{path}.content");
    match &node.content {
        Content::Group | Content::Marker => {}
        Content::Mesh(id) => check_reference(&scene.meshes, *id, &path, report),
        Content::Brush(id) => check_reference(&scene.brushes, *id, &path, report),
        Content::Terrain(id) => check_reference(&scene.terrains, *id, &path, report),
        Content::TileLayer(id) => check_reference(&scene.tile_layers, *id, &path, report),
        Content::InstanceSet(id) => check_reference(&scene.instance_sets, *id, &path, report),
        Content::Light(id) => check_reference(&scene.lights, *id, &path, report),
        Content::Sound(id) => check_reference(&scene.sounds, *id, &path, report),
        Content::Camera(id) => check_reference(&scene.cameras, *id, &path, report),
        Content::Path(id) => check_reference(&scene.paths, *id, &path, report),
        Content::Entity(id) => check_reference(&scene.entities, *id, &path, report),
        Content::Instance(id) => check_reference(&scene.nodes, *id, &path, report),
        Content::Prefab(prefab) => properties(&prefab.overrides, &path.to_string(), report),
    }
}

/// Checks that an id has an item.
pub(super) fn check_reference<T>(arena: &Arena<T>, id: Id<T>, path: &dyn std::fmt::Display, report: &mut Report) {
    if !arena.contains(id) {
        report.error(path, format!("missing item {id:?}"));
    }
}

/// Checks free values for depth and finite numbers.
pub(super) fn properties(properties: &Properties, path: &str, report: &mut Report) {
    let mut stack: Vec<(&Value, usize)> = properties.iter().map(|(_, value)| (value, 1)).collect();
    let (mut infinite, mut deep) = (false, false);
    while let Some((value, depth)) = stack.pop() {
        if depth > Value::MAX_DEPTH {
            deep = true;
            continue;
        }
        match value {
            Value::Float(number) => infinite |= !number.is_finite(),
            Value::List(items) => stack.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Map(map) => stack.extend(map.iter().map(|(_, item)| (item, depth + 1))),
            Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::Bytes(_) => {}
        }
    }
    if infinite {
        report.warning(&format_args!("{path}.properties"), "has a number that is not finite");
    }
    if deep {
        report.warning(&format_args!("{path}.properties"), format!("nested deeper than {}", Value::MAX_DEPTH));
    }
}

fn sets(scene: &Scene, report: &mut Report) {
    for (index, set) in scene.sets.iter().enumerate() {
        let path = format!("sets[{index}]");
        properties(&set.properties, &path, report);
        for (member, (id, elements)) in set.members.iter().enumerate() {
            let path = format_args!("{path}.members[{member}]");
            let Some(node) = scene.nodes.get(*id) else {
                report.error(&path, format!("missing node {id:?}"));
                continue;
            };
            let mesh = match node.content {
                Content::Mesh(id) => scene.meshes.get(id),
                _ => None,
            };
            let in_range = match (elements, mesh) {
                (Elements::Node, _) => true,
                (_, None) => {
                    report.error(&path, "selected parts of a node that is not a mesh");
                    continue;
                }
                (Elements::Vertices(list), Some(mesh)) => list.iter().all(|&v| (v as usize) < mesh.positions.len()),
                (Elements::Edges(list), Some(mesh)) => {
                    list.iter().flatten().all(|&v| (v as usize) < mesh.positions.len())
                }
                (Elements::Faces(list), Some(mesh)) => list.iter().all(|&f| (f as usize) < mesh.faces.len()),
            };
            if !in_range {
                report.error(&path, "missing part");
            }
        }
    }
}
