//! Polygon meshes, the input and output of winged edges.

use std::fmt;

use super::edges::{lower, pack, upper};
use super::{Corner, RingError};
use crate::{Name, WingedMesh};

/// A polygon mesh.
///
/// [`push`](Self::push) keeps the columns of faces and corners consistent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Polygons {
    /// Positions of the vertices.
    pub positions: Vec<[f64; 3]>,
    /// The corners of all faces, one face after the other, counter-clockwise as seen from outside.
    pub corners: Vec<PolygonCorner>,
    /// The end of each face in `corners`.
    pub ends: Vec<usize>,
    /// The material of each face; `None` is the material `default`.
    pub materials: Vec<Option<Name>>,
    /// Hard edges as pairs of vertices, in any order.
    pub hard_edges: Vec<[u32; 2]>,
}

/// A corner of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PolygonCorner {
    /// The vertex.
    pub vertex: u32,
    /// U and V, origin at the lower left.
    pub uv: Option<[f64; 2]>,
    /// Red, green and blue.
    pub color: Option<[f32; 3]>,
}

impl PolygonCorner {
    /// Creates a corner without coordinates and colour.
    pub const fn new(vertex: u32) -> Self {
        Self { vertex, uv: None, color: None }
    }
}

impl Polygons {
    /// Adds a face.
    pub fn push(&mut self, corners: impl IntoIterator<Item = PolygonCorner>, material: Option<Name>) {
        self.corners.extend(corners);
        self.ends.push(self.corners.len());
        self.materials.push(material);
    }

    /// Returns the number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there is no face.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Iterates over the corners of each face, in order.
    pub fn faces(&self) -> impl Iterator<Item = &[PolygonCorner]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let corners = self.corners.get(start..end).unwrap_or_default();
            start = end;
            corners
        })
    }

    /// Merges vertices at the same position. Returns the number of vertices that are no longer used. The positions stay.
    pub fn weld(&mut self) -> usize {
        let (same, merged) = same_places(&self.positions);
        let now = |vertex: &mut u32| *vertex = same.get(*vertex as usize).copied().unwrap_or(*vertex);
        self.corners.iter_mut().for_each(|corner| now(&mut corner.vertex));
        self.hard_edges.iter_mut().flatten().for_each(now);
        merged
    }
}

/// Returns for each position the first equal one, and the number of positions that are not the first.
pub(crate) fn same_places(positions: &[[f64; 3]]) -> (Vec<u32>, usize) {
    // Adding 0.0 turns −0.0 into 0.0.
    let key = |vertex: u32| positions.get(vertex as usize).map(|p| p.map(|c| (c + 0.0).to_bits()));
    let count = u32::try_from(positions.len()).unwrap_or(u32::MAX);
    // Numbers of 64 bits are sorted much faster than positions: a hash of the position, and the vertex.
    let mut order: Vec<u64> =
        positions.iter().zip(0..count).map(|(p, vertex)| pack(hash_position(p), vertex)).collect();
    order.sort_unstable();
    let mut same: Vec<u32> = (0..count).collect();
    let mut merged = 0;
    for run in order.chunk_by(|&a, &b| upper(a) == upper(b)).filter(|run| run.len() > 1) {
        // Different positions may have the same hash.
        let mut vertices: Vec<u32> = run.iter().copied().map(lower).collect();
        vertices.sort_by_cached_key(|&vertex| (key(vertex), vertex));
        for group in vertices.chunk_by(|&a, &b| key(a) == key(b)) {
            let [first, rest @ ..] = group else { continue };
            merged += rest.len();
            for &vertex in rest {
                if let Some(place) = same.get_mut(vertex as usize) {
                    *place = *first;
                }
            }
        }
    }
    (same, merged)
}

/// Returns a hash of a position. 0.0 and −0.0 have the same.
fn hash_position(position: &[f64; 3]) -> u32 {
    /// An odd number without a pattern in its bits: 2⁶⁴ divided by the golden ratio.
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = 0_u64;
    for c in position {
        hash = (hash ^ (c + 0.0).to_bits()).wrapping_mul(FACTOR);
        hash ^= hash >> 32;
    }
    upper(hash.wrapping_mul(FACTOR))
}

impl WingedMesh {
    /// Converts the mesh to polygons: faces in ascending order, hard edges as pairs of vertices. Hard edges that do not exist are
    /// left out.
    ///
    /// # Errors
    /// As [`rings`](Self::rings).
    pub fn polygons(&self) -> Result<Polygons, RingError> {
        let rings = self.rings()?;
        let mut polygons = Polygons { positions: self.vertices.clone(), ..Polygons::default() };
        for (face, ring) in rings.iter() {
            let corners = ring.iter().filter_map(|&corner| self.polygon_corner(corner));
            polygons.push(corners, self.faces.get(face as usize).cloned().flatten());
        }
        let hard = self.hard_edges.iter().filter_map(|&edge| self.edges.get(edge as usize));
        polygons.hard_edges = hard.map(|edge| [edge.start.min(edge.end), edge.start.max(edge.end)]).collect();
        polygons.hard_edges.sort_unstable();
        polygons.hard_edges.dedup();
        Ok(polygons)
    }

    /// Returns the vertex and the attributes of a face corner.
    pub fn polygon_corner(&self, corner: Corner) -> Option<PolygonCorner> {
        let edge = self.edges.get(corner.edge as usize)?;
        let wing = edge.wing(corner.side);
        Some(PolygonCorner { vertex: edge.corner(corner.side), uv: wing.uv, color: wing.color })
    }
}

/// A kind of change that was necessary to represent polygons as winged edges, with the number of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Repair {
    /// Kind of change.
    pub kind: RepairKind,
    /// Number of cases.
    pub count: usize,
    /// The first case: the number of a face or a vertex; see `kind`.
    pub first: u32,
}

/// Kinds of changes to polygons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RepairKind {
    /// A face has a vertex that does not exist or is not finite. The face is left out. Counts faces.
    MissingVertex,
    /// A face has fewer than three corners, or fewer than three different ones in a row. The face is left out. Counts faces.
    DegenerateFace,
    /// A face passes a vertex or an edge more than once. The face is shortened or split. Counts faces.
    RepeatedVertex,
    /// A face surrounds an opening, so that it passes a vertex or an edge more than once. The face is split, and a new face covers
    /// the opening. Counts faces.
    CoveredOpening,
    /// A face has the same corners as another. The face is left out. Counts faces.
    DuplicateFace,
    /// A face is wound against its neighbours. The face is turned over. Counts faces.
    TurnedFace,
    /// A surface has only one side. The surface is cut. Counts surfaces; `first` is a face.
    OneSided,
    /// More than two faces share an edge. The faces are paired around it. Counts edges; `first` is a vertex.
    ManyFaces,
    /// The surface is open. A hole face is added. Counts holes; `first` is a vertex.
    OpenSurface,
    /// Parts without a common edge share a vertex. The vertex is copied. Counts copies; `first` is a vertex.
    SplitVertex,
    /// Unused vertices were left out; `count` is their number.
    UnusedVertex,
    /// A hard edge belongs to no face. The hard edge is left out. Counts edges; `first` is a vertex.
    LostHardEdge,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, first, .. } = self;
        let (s, vertices, copies) = if *count == 1 { ("", "vertex", "copy") } else { ("s", "vertices", "copies") };
        match self.kind {
            RepairKind::MissingVertex => {
                write!(f, "{count} face{s} with a missing vertex left out, the first is face {first}")
            }
            RepairKind::DegenerateFace => {
                write!(f, "{count} face{s} with fewer than three corners left out, the first is face {first}")
            }
            RepairKind::RepeatedVertex => {
                write!(f, "{count} face{s} that pass a vertex twice taken apart, the first is face {first}")
            }
            RepairKind::CoveredOpening => {
                write!(f, "{count} face{s} around an opening, which a new face covers, the first is face {first}")
            }
            RepairKind::DuplicateFace => {
                write!(f, "{count} face{s} equal to another left out, the first is face {first}")
            }
            RepairKind::TurnedFace => write!(f, "{count} face{s} turned over, the first is face {first}"),
            RepairKind::OneSided => write!(f, "{count} one-sided surface{s} cut, the first at face {first}"),
            RepairKind::ManyFaces => {
                write!(f, "{count} edge{s} of more than two faces taken apart, the first at vertex {first}")
            }
            RepairKind::OpenSurface => write!(f, "{count} hole{s} closed by a hole face, the first at vertex {first}"),
            RepairKind::SplitVertex => {
                write!(
                    f,
                    "{count} {copies} of vertices made between parts without a common edge, the first of vertex {first}"
                )
            }
            RepairKind::UnusedVertex => write!(f, "{count} unused {vertices} left out, the first is vertex {first}"),
            RepairKind::LostHardEdge => {
                write!(f, "{count} hard edge{s} of no face left out, the first at vertex {first}")
            }
        }
    }
}

/// Collects repairs.
#[derive(Debug, Default)]
pub(super) struct Repairs(Vec<Repair>);

impl Repairs {
    pub(super) fn add(&mut self, kind: RepairKind, place: u32) {
        match self.0.iter_mut().find(|repair| repair.kind == kind) {
            Some(repair) => repair.count += 1,
            None => self.0.push(Repair { kind, count: 1, first: place }),
        }
    }

    pub(super) fn finish(mut self) -> Vec<Repair> {
        self.0.sort_by_key(|repair| repair.kind);
        self.0
    }
}
