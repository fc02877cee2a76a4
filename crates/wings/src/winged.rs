//! The winged-edge structure: rings of faces, and conversion from and to polygons.

mod build;
mod edges;
mod orient;
mod pair;
mod polygons;
mod soup;

pub use build::BuiltMesh;
#[cfg(feature = "scene")]
pub(crate) use build::Topology;
#[cfg(feature = "scene")]
pub(crate) use polygons::same_places;
pub use polygons::{PolygonCorner, Polygons, Repair, RepairKind};

use crate::{Side, WingedMesh};

/// A corner of a face, identified by a side of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Corner {
    /// The edge.
    pub edge: u32,
    /// The side of the edge that is at the face.
    pub side: Side,
}

/// Polygons as columns, the input of winged edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaceColumns<'a> {
    /// Positions of the vertices.
    pub(crate) positions: &'a [[f64; 3]],
    /// The vertex of each corner.
    pub(crate) vertices: &'a [u32],
    /// The end of each face in `vertices`.
    pub(crate) ends: &'a [usize],
    /// The faces in the order of the mesh, which numbers them. `None` keeps the order.
    pub(crate) order: Option<&'a [u32]>,
    /// Hard edges as pairs of vertices, in any order.
    pub(crate) hard_edges: &'a [[u32; 2]],
}

impl<'a> FaceColumns<'a> {
    fn face_count(self) -> usize {
        self.order.map_or(self.ends.len(), <[u32]>::len)
    }

    /// Iterates over the faces, each with its first corner and its vertices.
    fn faces(self) -> impl Iterator<Item = (u32, &'a [u32])> {
        (0..self.face_count()).map(move |place| {
            let face = self.order.map_or(place, |order| order[place] as usize);
            let start = if face == 0 { 0 } else { self.ends[face - 1] };
            let ring = self.vertices.get(start..self.ends[face]).unwrap_or_default();
            (soup::to_u32(start), ring)
        })
    }
}

/// The corners of every face, counter-clockwise as seen from outside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rings {
    /// The numbers of the faces, ascending. Dense from 0 in every file that Wings has written.
    pub faces: Vec<u32>,
    /// The corners of all faces, one face after the other, each from its lowest-numbered edge on.
    pub corners: Vec<Corner>,
    /// The end of each face in `corners`.
    pub ends: Vec<usize>,
}

/// Reason why edges form no rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RingError {
    /// An edge has one face on both sides.
    #[error("edge {edge} has face {face} on both sides")]
    OneFace {
        /// The edge.
        edge: u32,
        /// The face.
        face: u32,
    },
    /// The ring of a face refers to an edge that does not exist.
    #[error("broken ring of face {face}: edge {edge} refers to edge {next}, which does not exist")]
    NoEdge {
        /// The face.
        face: u32,
        /// The edge with the invalid reference.
        edge: u32,
        /// The edge that is referred to.
        next: u32,
    },
    /// The ring of a face refers to an edge of other faces.
    #[error("broken ring of face {face}: edge {edge} refers to edge {next}, which belongs to other faces")]
    LeavesFace {
        /// The face.
        face: u32,
        /// The edge with the invalid reference.
        edge: u32,
        /// The edge that is referred to.
        next: u32,
    },
    /// The ring of a face does not return to its first edge, or does not contain all edges of the face.
    #[error("the edges of face {face} do not form a single ring")]
    NotOneRing {
        /// The face.
        face: u32,
    },
}

impl WingedMesh {
    /// Finds the corners of every face, along the predecessors.
    ///
    /// # Errors
    /// The first inconsistency in the order of the faces. Wings loads such objects, but cannot edit them.
    pub fn rings(&self) -> Result<Rings, RingError> {
        self.consistent_rings(|face| Err(RingError::NotOneRing { face }))
    }

    /// Finds the rings that Wings uses: if a face has several, the one with its lowest-numbered edge. Also returns those faces.
    ///
    /// # Errors
    /// As [`rings`](Self::rings).
    #[cfg(feature = "scene")]
    pub(crate) fn lowest_rings(&self) -> Result<(Rings, Vec<u32>), RingError> {
        let mut split = Vec::new();
        let rings = self.consistent_rings(|face| {
            split.push(face);
            Ok(())
        })?;
        Ok((rings, split))
    }

    /// Finds the rings of a consistent mesh. `split` decides about faces with edges outside of their ring.
    fn consistent_rings(&self, mut split: impl FnMut(u32) -> Result<(), RingError>) -> Result<Rings, RingError> {
        let has_one_face =
            |edge: u32| self.edges.get(edge as usize).is_some_and(|edge| edge.left.face == edge.right.face);
        self.walk(|face, count, corners, walked| {
            if let Some(edge) = corners.iter().map(|corner| corner.edge).find(|&edge| has_one_face(edge)) {
                return Err(RingError::OneFace { edge, face });
            }
            walked?;
            if corners.len() < count {
                split(face)?;
            }
            Ok(true)
        })
    }

    /// Walks around every face from its lowest-numbered edge. `judge` receives the face, the number of edges that refer to it, the
    /// corners, and the result of the walk. It returns `true` to keep the corners.
    pub(crate) fn walk<E>(
        &self,
        mut judge: impl FnMut(u32, usize, &[Corner], Result<(), RingError>) -> Result<bool, E>,
    ) -> Result<Rings, E> {
        let mut starts = self.face_starts();
        starts.sort_unstable();
        let mut rings = Rings { corners: Vec::with_capacity(starts.len()), ..Rings::default() };
        for group in starts.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(face, edge, side)) = group.first() else { continue };
            let begin = rings.corners.len();
            let walked = self.ring(face, Corner { edge, side }, group.len(), &mut rings.corners);
            if !judge(face, group.len(), rings.corners.get(begin..).unwrap_or_default(), walked)? {
                rings.corners.truncate(begin);
            }
            rings.faces.push(face);
            rings.ends.push(rings.corners.len());
        }
        Ok(rings)
    }

    /// Returns the face, edge and side of both sides of every edge.
    #[expect(clippy::cast_possible_truncation, reason = "a file of 4 GiB has fewer edges")]
    fn face_starts(&self) -> Vec<(u32, u32, Side)> {
        let sides = |(index, edge): (usize, &crate::Edge)| {
            let index = index as u32;
            [(edge.left.face, index, Side::Left), (edge.right.face, index, Side::Right)]
        };
        self.edges.iter().enumerate().flat_map(sides).collect()
    }

    /// Walks around one face with `count` edges until it returns to the start.
    fn ring(&self, face: u32, start: Corner, count: usize, corners: &mut Vec<Corner>) -> Result<(), RingError> {
        let mut corner = start;
        for _ in 0..count {
            let Some(edge) = self.edges.get(corner.edge as usize) else { break };
            corners.push(corner);
            let next = edge.wing(corner.side).predecessor;
            let Some(target) = self.edges.get(next as usize) else {
                return Err(RingError::NoEdge { face, edge: corner.edge, next });
            };
            let side = match face {
                _ if target.left.face == face => Side::Left,
                _ if target.right.face == face => Side::Right,
                _ => return Err(RingError::LeavesFace { face, edge: corner.edge, next }),
            };
            corner = Corner { edge: next, side };
            if corner == start {
                return Ok(());
            }
        }
        Err(RingError::NotOneRing { face })
    }
}

impl Rings {
    /// Iterates over the faces with their corners.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[Corner])> {
        let mut start = 0;
        self.faces.iter().zip(&self.ends).map(move |(&face, &end)| {
            let corners = self.corners.get(start..end).unwrap_or_default();
            start = end;
            (face, corners)
        })
    }
}
