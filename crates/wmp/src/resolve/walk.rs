//! Walk through the tree.

use super::transform::{IDENTITY, Matrix, add, apply, object_rotation, product, scaled};
use super::{Precision, Precision::Double};
use crate::tree::{PartIndex, Tree};
use crate::{Document, Object};

/// An object in world space.
#[derive(Clone)]
pub(super) struct WorldObject {
    /// Index in the document.
    pub(super) object: usize,
    /// The position.
    pub(super) position: [f64; 3],
    /// Rotation and scale of its contents.
    pub(super) matrix: Matrix,
}

impl WorldObject {
    fn new(document: &Document, at: usize, object: &Object, around: Option<&Self>, precision: Precision) -> Self {
        let (position, turn) = around.map_or(([0.0; 3], IDENTITY), |around| (around.position, around.matrix));
        let way = precision.point(apply(&turn, object.position));
        let own = scaled(&object_rotation(document.dialect, object.angles), object.scale);
        Self { object: at, position: precision.point(add(position, way)), matrix: product(&turn, &own) }
    }
}

impl Precision {
    /// Rounds a point to this precision.
    pub(super) fn point(self, point: [f64; 3]) -> [f64; 3] {
        if self == Double { point } else { point.map(super::single) }
    }
}

/// Visits each block and entity below the root once, in the order of the tree.
pub(super) fn walk(
    document: &Document,
    tree: &Tree,
    precision: Precision,
    mut visit: impl FnMut(PartIndex, &WorldObject),
) {
    let enter = |at: usize, around: Option<&WorldObject>| {
        document.objects.get(at).map(|object| WorldObject::new(document, at, object, around, precision))
    };
    // The open objects, with the number of members that were visited.
    let root = tree.order.first().filter(|_| tree.rooted > 0).and_then(|root| enter(*root, None));
    let mut open: Vec<(WorldObject, usize)> = root.map(|root| (root, 0)).into_iter().collect();
    while let Some((around, done)) = open.pop() {
        let members = tree.members_of(around.object);
        // All members were visited.
        let Some(member) = members.get(done) else { continue };
        let below = match *member {
            PartIndex::Object(object) => enter(object, Some(&around)),
            place => {
                visit(place, &around);
                None
            }
        };
        open.push((around, done.saturating_add(1)));
        open.extend(below.map(|below| (below, 0)));
    }
}
