//! Moving items.

use std::collections::HashMap;

use mapwright_io::Assignment;
use mapwright_scene::{AxisChange, Content, InstanceTransforms, NodeId, Scene, Transform};

use super::super::QueryError;
use super::assign::{number, wrong};

/// An item to be changed.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) node: NodeId,
    pub(super) instance: Option<usize>,
    pub(super) kind: &'static str,
    /// Where it is to be in the world, along the axes of the file: at first where it was before anything above it moved.
    pub(super) position: [f64; 3],
}

/// How places in the world and in the scene go together.
pub(super) struct Frame {
    axes: AxisChange,
    parents: HashMap<NodeId, NodeId>,
}

impl Frame {
    pub(super) fn new(scene: &Scene, axes: AxisChange) -> Self {
        Self { axes, parents: scene.walk().filter_map(|visit| Some((visit.id, visit.parent?))).collect() }
    }

    /// What a node stands in, inside out.
    pub(super) fn above(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parents.get(&node).copied(), |node| self.parents.get(node).copied())
    }

    /// What is around a target as the scene is now: of a node its parents, of an instance its node as well.
    fn around(&self, scene: &Scene, target: &Target) -> Transform {
        let outer = target.instance.is_some().then_some(target.node);
        let chain: Vec<NodeId> = outer.into_iter().chain(self.above(target.node)).collect();
        let own = |node: &NodeId| scene.nodes.get(*node).map(|node| node.transform);
        chain.iter().rev().filter_map(own).fold(Transform::IDENTITY, |around, own| around.then(&own))
    }
}

/// Which axis of the file a field is, if it is one.
pub(super) fn axis(field: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|name| *name == field)
}

/// Moves an item along an axis of the file. What moved with something above it is where it is to be already.
pub(super) fn place(
    scene: &mut Scene,
    target: &mut Target,
    assignment: &Assignment,
    axis: usize,
    frame: &Frame,
) -> Result<(), QueryError> {
    let own = match target.instance {
        None => scene.nodes.get(target.node).map(|node| node.transform),
        Some(at) => set_of(scene, target.node).and_then(|set| set.get(at)),
    };
    let (Some(own), Some(wanted)) = (own, target.position.get_mut(axis)) else { return Ok(()) };
    number(wanted, assignment)?;
    let wanted = *wanted;
    let around = frame.around(scene, target);
    let now = frame.axes.inverse().apply(around.then(&own).origin());
    let mut way = [0.0; 3];
    let (Some(along), Some(now)) = (way.get_mut(axis), now.get(axis)) else { return Ok(()) };
    // Less is what turning there and back makes of numbers.
    if (wanted - now).abs() <= 1e-9 * wanted.abs().max(1.0) {
        return Ok(());
    }
    *along = wanted - now;
    let Some(way) = around.back(frame.axes.apply(way)) else {
        return Err(wrong(assignment, "a place in a space that is not flat"));
    };
    let moved = move_by(&own, way);
    match target.instance {
        None => {
            if let Some(node) = scene.nodes.get_mut(target.node) {
                node.transform = moved;
            }
        }
        Some(at) => {
            if let Some(set) = set_of(scene, target.node) {
                put(set, at, moved.origin());
            }
        }
    }
    Ok(())
}

fn set_of(scene: &mut Scene, node: NodeId) -> Option<&mut InstanceTransforms> {
    match scene.nodes.get(node)?.content {
        Content::InstanceSet(id) => scene.instance_sets.get_mut(id).map(|set| &mut set.transforms),
        _ => None,
    }
}

fn put(transforms: &mut InstanceTransforms, at: usize, origin: [f64; 3]) {
    let place = match transforms {
        InstanceTransforms::Trs { translations, .. } => translations.get_mut(at),
        InstanceTransforms::Affine(maps) => maps.get_mut(at).map(|[_, _, _, place]| place),
    };
    if let Some(place) = place {
        *place = origin;
    }
}

/// The transform with its origin elsewhere.
fn move_by(own: &Transform, [dx, dy, dz]: [f64; 3]) -> Transform {
    match *own {
        Transform::Trs { translation: [x, y, z], rotation, scale } => {
            Transform::Trs { translation: [x + dx, y + dy, z + dz], rotation, scale }
        }
        Transform::Matrix([a, b, c, [x, y, z, w]]) => Transform::Matrix([a, b, c, [x + dx, y + dy, z + dz, w]]),
    }
}

/// Where in the world, along the axes of the file, that stands which nodes show, themselves or in what is below them: formats put
/// the places of meshes into their vertices, and those of groups into what is in them.
pub(super) fn shown(scene: &Scene, axes: AxisChange) -> HashMap<NodeId, [f64; 3]> {
    let frame = Frame::new(scene, axes);
    let mut shown = HashMap::new();
    for visit in scene.walk() {
        let first = match visit.node.content {
            Content::Group => continue,
            Content::Mesh(id) => scene.meshes.get(id).and_then(|mesh| mesh.positions.first().copied()),
            Content::Brush(id) => scene.brushes.get(id).and_then(|brush| {
                let plane = || brush.sides.first().map(|side| side.plane[0]);
                brush.vertices.first().copied().or_else(plane)
            }),
            Content::InstanceSet(id) => {
                scene.instance_sets.get(id).and_then(|set| set.transforms.get(0)).map(|first| first.origin())
            }
            _ => None,
        };
        let place = axes.inverse().apply(visit.world.point(first.unwrap_or_default()));
        for node in std::iter::once(visit.id).chain(frame.above(visit.id)) {
            if shown.contains_key(&node) {
                break;
            }
            shown.insert(node, place);
        }
    }
    shown
}
