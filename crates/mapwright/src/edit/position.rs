//! Moves objects of a scene.

use std::collections::HashMap;

use mapwright_query::{Assignment, QueryError};
use mapwright_scene::{AxisChange, Content, NodeId, Scene, Transform};

use super::assign::{invalid_value, set_number};
use crate::query::Pose;

/// An object to be changed.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) node: NodeId,
    pub(super) kind: &'static str,
    /// New position in the world, along the axes of the file. Initially the position before any ancestor moved.
    pub(super) position: [f64; 3],
    /// `true` in files whose objects have a pose.
    pub(super) has_pose: bool,
    /// New pose. Initially the pose before any ancestor turned. `None` for sheared nodes, and in files without such fields.
    pub(super) pose: Option<Pose>,
}

/// The axes of the file and the parents of nodes, which relate positions in the world to those in the scene.
pub(super) struct Frame {
    axes: AxisChange,
    parents: HashMap<NodeId, NodeId>,
}

impl Frame {
    pub(super) fn new(scene: &Scene, axes: AxisChange) -> Self {
        Self { axes, parents: scene.walk().filter_map(|visit| Some((visit.id, visit.parent?))).collect() }
    }

    /// Iterates over the parents of a node, inside out.
    pub(super) fn above(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parents.get(&node).copied(), |node| self.parents.get(node).copied())
    }

    /// Returns the axes of the file.
    pub(super) fn axes(&self) -> AxisChange {
        self.axes
    }

    /// Returns the transform of the parents of a node.
    pub(super) fn parent_transform(&self, scene: &Scene, node: NodeId) -> Transform {
        let chain: Vec<NodeId> = self.above(node).collect();
        let own = |node: &NodeId| scene.nodes.get(*node).map(|node| node.transform);
        chain.iter().rev().filter_map(own).fold(Transform::IDENTITY, |around, own| around.compose(&own))
    }
}

/// Returns the index of the axis that a field is the position along.
pub(super) fn axis(field: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|name| name.eq_ignore_ascii_case(field))
}

/// Moves an object along an axis of the file. It may be at its new position already, because a parent moved.
pub(super) fn move_along(
    scene: &mut Scene,
    target: &mut Target,
    assignment: &Assignment,
    axis: usize,
    frame: &Frame,
) -> Result<(), QueryError> {
    let own = scene.nodes[target.node].transform;
    let wanted = &mut target.position[axis];
    set_number(wanted, assignment)?;
    let wanted = *wanted;
    let around = frame.parent_transform(scene, target.node);
    let now = frame.axes.inverse().apply(around.compose(&own).origin());
    let now = now[axis];
    // Smaller differences are rounding errors of rotations.
    if (wanted - now).abs() <= 1e-9 * wanted.abs().max(1.0) {
        return Ok(());
    }
    let mut way = [0.0; 3];
    way[axis] = wanted - now;
    let Some(way) = around.inverse_vector(frame.axes.apply(way)) else {
        return Err(invalid_value(assignment, "a position in a space with a scale other than 0"));
    };
    scene.nodes[target.node].transform = move_by(&own, way);
    Ok(())
}

/// Returns the transform with another origin.
fn move_by(own: &Transform, [dx, dy, dz]: [f64; 3]) -> Transform {
    match *own {
        Transform::Trs { translation: [x, y, z], rotation, scale } => {
            Transform::Trs { translation: [x + dx, y + dy, z + dz], rotation, scale }
        }
        Transform::Matrix([a, b, c, [x, y, z, w]]) => Transform::Matrix([a, b, c, [x + dx, y + dy, z + dz, w]]),
    }
}

/// Returns for each node the position in the world, along the axes of the file, of the first visible part of it or of its children.
/// Formats store positions of meshes in their vertices, and those of groups in their members.
pub(super) fn visible_positions(scene: &Scene, axes: AxisChange) -> HashMap<NodeId, [f64; 3]> {
    let frame = Frame::new(scene, axes);
    let mut shown = HashMap::new();
    for visit in scene.walk() {
        let first = match visit.node.content {
            Content::Group => continue,
            Content::Mesh(id) => scene.meshes.get(id).and_then(|mesh| mesh.positions.first().copied()),
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
