//! The winged-edge structure: rings of faces, and building it from polygons.

mod build;
mod orient;
mod pair;
mod polygons;
mod soup;

pub use build::Built;
#[cfg(feature = "scene")]
pub(crate) use polygons::same_places;
pub use polygons::{PolygonCorner, Polygons, Repair, RepairKind};

use crate::{Side, WingedMesh};

/// A corner of a face: a side of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Corner {
    /// The edge.
    pub edge: u32,
    /// The side of it that the face is on.
    pub side: Side,
}

/// The corners of every face, counter-clockwise as seen from outside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rings {
    /// The numbers of the faces, ascending. Dense from 0 in every file that Wings wrote.
    pub faces: Vec<u32>,
    /// The corners of all faces, one face after the other, each from its lowest-numbered edge on.
    pub corners: Vec<Corner>,
    /// Where each face ends in `corners`.
    pub ends: Vec<usize>,
}

/// Why edges form no rings.
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
    /// A walk around a face leads to an edge that does not exist.
    #[error("the walk around face {face} leads from edge {edge} to edge {next}, which does not exist")]
    NoEdge {
        /// The face.
        face: u32,
        /// The edge that leads away.
        edge: u32,
        /// Where it leads.
        next: u32,
    },
    /// A walk around a face leads to an edge that is not at that face.
    #[error("the walk around face {face} leads from edge {edge} to edge {next}, which is not at that face")]
    LeavesFace {
        /// The face.
        face: u32,
        /// The edge that leads away.
        edge: u32,
        /// Where it leads.
        next: u32,
    },
    /// A walk around a face does not come back to where it began, or leaves edges of the face out.
    #[error("the edges at face {face} do not form one ring")]
    NotOneRing {
        /// The face.
        face: u32,
    },
}

impl WingedMesh {
    /// Walks around every face along the predecessors.
    ///
    /// # Errors
    /// The first inconsistency in the order of the faces; Wings loads such objects and then cannot use them.
    pub fn rings(&self) -> Result<Rings, RingError> {
        self.consistent_rings(|face| Err(RingError::NotOneRing { face }))
    }

    /// The rings as Wings sees them: of a face with several the one with its lowest-numbered edge. Those faces are told.
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

    /// The rings of a mesh without errors; `split` judges faces that have edges elsewhere too.
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

    /// Walks around every face from its lowest-numbered edge. `judge` is told the face, how many edges name it, the corners
    /// and how the walk ended; it says whether the corners stay.
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

    /// Face, edge and side of both sides of every edge.
    #[expect(clippy::cast_possible_truncation, reason = "a file of 4 GiB has fewer edges")]
    fn face_starts(&self) -> Vec<(u32, u32, Side)> {
        let sides = |(index, edge): (usize, &crate::Edge)| {
            let index = index as u32;
            [(edge.left.face, index, Side::Left), (edge.right.face, index, Side::Right)]
        };
        self.edges.iter().enumerate().flat_map(sides).collect()
    }

    /// Walks around one face that so many edges name, until it comes back.
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
    /// The faces with their corners.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[Corner])> {
        let mut start = 0;
        self.faces.iter().zip(&self.ends).map(move |(&face, &end)| {
            let corners = self.corners.get(start..end).unwrap_or_default();
            start = end;
            (face, corners)
        })
    }
}
