//! Polygon soups.

use std::ops::Range;

use super::{Corner, Hardness, Polygons, Stream, StreamData};

/// A polygon soup: faces without connectivity. [`Mesh::build`](super::Mesh::build) builds a mesh from it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Soup {
    /// Positions of vertices.
    pub positions: Vec<[f32; 3]>,
    /// Vertices of all corners, face by face, counter-clockwise as seen from the front.
    pub vertices: Vec<u32>,
    /// End of each face in [`vertices`](Self::vertices), ascending.
    pub ends: Vec<usize>,
    /// Names of materials.
    pub materials: Vec<Vec<u8>>,
    /// Index in [`materials`](Self::materials) for each face. If empty, all faces have the first material.
    pub face_materials: Vec<u32>,
    /// Per-corner data in the order of [`vertices`](Self::vertices): `texcoord:0`, `normal:0`, `tangent:0`, paint and more.
    pub corner_streams: Vec<Stream>,
    /// Per-face data: `textureScale:0`, `textureAxisU:0` and `textureAxisV:0` together, `flags:0` and more.
    pub face_streams: Vec<Stream>,
    /// Hard and soft edges by their vertices, in any order.
    pub edges: Vec<([u32; 2], Hardness)>,
}

impl Soup {
    /// Adds a face by the vertices of its corners.
    pub fn push_face(&mut self, vertices: &[u32]) {
        self.vertices.extend_from_slice(vertices);
        self.ends.push(self.vertices.len());
    }

    /// Returns the range of a face's corners; empty if the face does not exist.
    pub(super) fn face(&self, face: usize) -> Range<usize> {
        let start = face.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(face).map_or(start, |&end| end.min(self.vertices.len()));
        start.min(end)..end
    }
}

impl Polygons<'_> {
    /// Returns the polygons as a soup, with all data except subdivision. A mesh that is built from it with
    /// [`ShareVertices`](super::Repair::ShareVertices) has the same polygons. Faces with an invalid material get the first one.
    pub fn to_soup(&self) -> Soup {
        let mesh = self.mesh();
        let places: Vec<usize> = self.corners().iter().map(|corner: &Corner| corner.corner as usize).collect();
        let faces: Vec<usize> =
            mesh.face_data_indices.iter().map(|&face| usize::try_from(face).unwrap_or(usize::MAX)).collect();
        let gather = |streams: &[Stream], places: &[usize]| {
            let pick = |stream: &Stream| Stream { data: stream.data.gather(places), ..stream.clone() };
            streams.iter().map(pick).collect::<Vec<Stream>>()
        };
        let mut face_streams = gather(&mesh.face_data.streams, &faces);
        face_streams.retain(|stream| stream.name != b"materialindex:0");
        let mut soup = Soup {
            positions: self.positions().unwrap_or_else(|| vec![[0.0; 3]; mesh.vertex_edge_indices.len()]),
            materials: mesh.materials.clone(),
            face_materials: self.materials().into_iter().map(Option::unwrap_or_default).collect(),
            corner_streams: gather(&mesh.face_vertex_data.streams, &places),
            face_streams,
            ..Soup::default()
        };
        soup.vertices = self.corners().iter().map(|corner| corner.vertex).collect();
        let mut end = 0_usize;
        soup.ends = self
            .iter()
            .map(|face| {
                end = end.saturating_add(face.len());
                end
            })
            .collect();
        let marked = self.edges().filter(|edge| edge.hardness != Hardness::AUTOMATIC);
        soup.edges = marked.map(|edge| (edge.vertices, edge.hardness)).collect();
        soup
    }
}

impl StreamData {
    /// Returns the items at the given indices, and zeros for indices out of range.
    pub(super) fn gather(&self, places: &[usize]) -> Self {
        fn pick<T: Copy + Default>(items: &[T], places: &[usize]) -> Vec<T> {
            places.iter().map(|&at| items.get(at).copied().unwrap_or_default()).collect()
        }
        match self {
            Self::Int(items) => Self::Int(pick(items, places)),
            Self::Float(items) => Self::Float(pick(items, places)),
            Self::Vector2(items) => Self::Vector2(pick(items, places)),
            Self::Vector3(items) => Self::Vector3(pick(items, places)),
            Self::Vector4(items) => Self::Vector4(pick(items, places)),
        }
    }
}
