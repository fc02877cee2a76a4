//! Mesh to polygons.

use super::{Mesh, Stream};

mapwright_io::open_code! {
    /// What an edge does to the shading: the values of the stream `flags:0` of edges.
    pub struct Hardness(i32) {
        /// Smooth if the faces meet at less than the smoothing angle of the node.
        AUTOMATIC = 0,
        /// Normals differ on both sides.
        HARD = 1,
        /// Normals are the same on both sides.
        SOFT = 2,
    }
}

/// A corner of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Corner {
    /// The vertex, below NV.
    pub vertex: u32,
    /// The place in per-corner streams, below [`face_vertex_data.size`](super::DataArray::size).
    pub corner: u32,
    /// The half-edge that leads to the corner.
    pub half_edge: u32,
}

/// An edge between two vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Where the even half-edge starts and where it leads to.
    pub vertices: [u32; 2],
    /// The faces of the even and the odd half-edge; `None` for an open side.
    pub faces: [Option<u32>; 2],
    /// What it does to the shading.
    pub hardness: Hardness,
}

/// Why a mesh has no polygons: its indices do not form loops. [`Mesh::check`] tells everything that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoopError {
    /// Index arrays that go together differ in length.
    #[error("{array} has another length than the arrays that go with it")]
    Length {
        /// The array.
        array: &'static str,
    },
    /// An index is out of range.
    #[error("{array}[{index}] is out of range")]
    Range {
        /// The array.
        array: &'static str,
        /// The place in it.
        index: usize,
    },
    /// A walk round a face does not come back to where it began, or leaves the face.
    #[error("the half-edges of face {face} do not form a loop")]
    NoLoop {
        /// The face.
        face: usize,
    },
    /// A loop has fewer than three corners.
    #[error("face {face} has {corners} corners")]
    Degenerate {
        /// The face.
        face: usize,
        /// 1 or 2.
        corners: usize,
    },
}

/// The faces of a mesh as loops of corners. Every face has at least three, and every index of [`Corner`] is in range.
///
/// A real face may have a hole: its loop then leads along an edge to the hole, round it, and back along the same edge, so that two
/// vertices stand in it twice. Faces may be concave, and not quite planar.
#[derive(Debug, Clone)]
pub struct Polygons<'a> {
    pub(super) mesh: &'a Mesh,
    corners: Vec<Corner>,
    ends: Vec<usize>,
}

/// An index as a place, if it is in range.
pub(super) fn place(index: i32, length: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < length)
}

/// The length that a data array states.
pub(super) fn size(data: &super::DataArray) -> usize {
    usize::try_from(data.size).unwrap_or(0)
}

impl Mesh {
    /// Walks round every face. Linear, whatever the indices say.
    ///
    /// # Errors
    /// If the index arrays do not form loops of at least three corners each, or point outside of their data.
    pub fn polygons(&self) -> Result<Polygons<'_>, LoopError> {
        self.in_range()?;
        let half_edges = self.edge_vertex_indices.len();
        let mut corners = Vec::with_capacity(half_edges);
        let mut ends = Vec::with_capacity(self.face_edge_indices.len());
        let mut seen = vec![false; half_edges];
        for (face, &start) in self.face_edge_indices.iter().enumerate() {
            let begin = corners.len();
            let mut half = start;
            loop {
                let corner = self.corner(half, face, &mut seen).ok_or(LoopError::NoLoop { face })?;
                corners.push(corner);
                half = self.edge_next_indices.get(corner.half_edge as usize).copied().unwrap_or(start);
                if half == start {
                    break;
                }
            }
            let count = corners.len().saturating_sub(begin);
            if count < 3 {
                return Err(LoopError::Degenerate { face, corners: count });
            }
            ends.push(corners.len());
        }
        Ok(Polygons { mesh: self, corners, ends })
    }

    /// The corner that a half-edge leads to, unless the half-edge is not of that face or was met before.
    fn corner(&self, half: i32, face: usize, seen: &mut [bool]) -> Option<Corner> {
        let half_edge = u32::try_from(half).ok()?;
        let half = half_edge as usize;
        let seen = seen.get_mut(half)?;
        if *seen || usize::try_from(*self.edge_face_indices.get(half)?).ok()? != face {
            return None;
        }
        *seen = true;
        let vertex = u32::try_from(*self.edge_vertex_indices.get(half)?).ok()?;
        let corner = u32::try_from(*self.edge_vertex_data_indices.get(half)?).ok()?;
        Some(Corner { vertex, corner, half_edge })
    }

    /// The first array that has another length than the others of its kind.
    pub(super) fn odd_length(&self) -> Option<&'static str> {
        let arrays = self.index_arrays();
        // Two arrays of vertices, six of half-edges, two of faces.
        let (vertices, others) = arrays.split_at(2);
        let (half_edges, faces) = others.split_at(6);
        [vertices, half_edges, faces].into_iter().find_map(|group| {
            let length = group.first().map_or(0, |(_, items)| items.len());
            group.iter().find(|(_, items)| items.len() != length).map(|(name, _)| *name)
        })
    }

    /// Every index array with the bounds of its items: the lowest, and the first that is too large.
    pub(super) fn bounds(&self) -> [(&'static str, &[i32], i32, usize); 10] {
        let (vertices, half_edges) = (self.vertex_edge_indices.len(), self.edge_vertex_indices.len());
        let faces = self.face_edge_indices.len();
        let bounds = [
            (-1, half_edges),
            (0, size(&self.vertex_data)),
            (0, vertices),
            (0, half_edges),
            (0, half_edges),
            (-1, faces),
            (0, size(&self.edge_data)),
            (0, size(&self.face_vertex_data)),
            (0, half_edges),
            (0, size(&self.face_data)),
        ];
        let arrays = self.index_arrays();
        std::array::from_fn(|at| {
            let (name, items) = arrays.get(at).copied().unwrap_or_default();
            let (low, high) = bounds.get(at).copied().unwrap_or_default();
            (name, items, low, high)
        })
    }

    fn in_range(&self) -> Result<(), LoopError> {
        if let Some(array) = self.odd_length() {
            return Err(LoopError::Length { array });
        }
        for (array, items, low, high) in self.bounds() {
            if let Some(index) = out_of_range(items, low, high) {
                return Err(LoopError::Range { array, index });
            }
        }
        Ok(())
    }
}

/// The place of the first item below the lowest or beyond the highest.
pub(super) fn out_of_range(items: &[i32], low: i32, high: usize) -> Option<usize> {
    items.iter().position(|&item| item < low || usize::try_from(item).is_ok_and(|item| item >= high))
}

impl<'a> Polygons<'a> {
    /// The mesh.
    pub fn mesh(&self) -> &'a Mesh {
        self.mesh
    }

    /// How many faces there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The corners of all faces, one face after the other.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The corners of a face, counter-clockwise about its normals, from the half-edge on that
    /// [`face_edge_indices`](Mesh::face_edge_indices) names; none if there is no such face.
    pub fn face(&self, face: usize) -> &[Corner] {
        let start = face.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(face).and_then(|&end| self.corners.get(start..end)).unwrap_or_default()
    }

    /// The corners of each face, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Corner]> {
        (0..self.len()).map(|face| self.face(face))
    }

    /// The position of every vertex; `None` if there is no whole stream `position:0`.
    pub fn positions(&self) -> Option<Vec<[f32; 3]>> {
        let stream = self.mesh.vertex_data.stream("position:0")?.data.as_vector3s()?;
        pick(stream, &self.mesh.vertex_data_indices)
    }

    /// The texture coordinates of a set by [`Corner::corner`]; `None` if there is no whole stream `texcoord:SET`.
    pub fn texcoords(&self, set: u32) -> Option<&'a [[f32; 2]]> {
        self.whole(&format!("texcoord:{set}"))?.data.as_vector2s()
    }

    /// Unit normals by [`Corner::corner`]; `None` if there is no whole stream `normal:0`.
    pub fn normals(&self) -> Option<&'a [[f32; 3]]> {
        self.whole("normal:0")?.data.as_vector3s()
    }

    /// Tangents by [`Corner::corner`]: x, y, z run along increasing U, cross(normal, tangent) · w along increasing V, w is 1 or −1.
    /// `None` if there is no whole stream `tangent:0`.
    pub fn tangents(&self) -> Option<&'a [[f32; 4]]> {
        self.whole("tangent:0")?.data.as_vector4s()
    }

    /// Four numbers by [`Corner::corner`], as `VertexPaintTintColor:0` or `VertexPaintBlendParams:0` has; `None` if there is no
    /// whole stream of that name and type.
    pub fn colors(&self, name: &str) -> Option<&'a [[f32; 4]]> {
        self.whole(name)?.data.as_vector4s()
    }

    /// The per-corner stream of a name if it has an item for every corner.
    fn whole(&self, name: &str) -> Option<&'a Stream> {
        let data = &self.mesh.face_vertex_data;
        data.stream(name).filter(|stream| stream.data.len() >= size(data))
    }

    /// Which of the [`materials`](Mesh::materials) each face has; `None` for an index that is out of range, and for all faces if
    /// there is no whole stream `materialindex:0`.
    pub fn materials(&self) -> Vec<Option<u32>> {
        let stream = self.mesh.face_data.stream("materialindex:0").and_then(|stream| stream.data.as_ints());
        let indices = stream.and_then(|stream| pick(stream, &self.mesh.face_data_indices)).unwrap_or_default();
        let material = |face| {
            let index: i32 = *indices.get(face)?;
            place(index, self.mesh.materials.len()).and_then(|index| u32::try_from(index).ok())
        };
        (0..self.len()).map(material).collect()
    }

    /// The flags of each face: 4 on faces of tile meshes, 1 on a few (not known), else 0. 0 also where the stream `flags:0` ends early.
    pub fn face_flags(&self) -> Vec<i32> {
        let stream = self.mesh.face_data.stream("flags:0").and_then(|stream| stream.data.as_ints()).unwrap_or_default();
        let flag = |&index: &i32| place(index, stream.len()).and_then(|at| stream.get(at)).copied().unwrap_or(0);
        self.mesh.face_data_indices.iter().map(flag).collect()
    }

    /// Every edge once, by its even half-edge.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        let mesh = self.mesh;
        let flags = mesh.edge_data.stream("flags:0").and_then(|stream| stream.data.as_ints()).unwrap_or_default();
        let sides = mesh.edge_vertex_indices.chunks_exact(2).zip(mesh.edge_face_indices.chunks_exact(2));
        sides.zip(mesh.edge_data_indices.chunks(2)).filter_map(move |((vertices, faces), data)| {
            let (&[end, start], &[even, odd], &[index, ..]) = (vertices, faces, data) else { return None };
            let flag = place(index, flags.len()).and_then(|at| flags.get(at)).copied().unwrap_or(0);
            let vertices = [u32::try_from(start).ok()?, u32::try_from(end).ok()?];
            Some(Edge { vertices, faces: [even, odd].map(|face| u32::try_from(face).ok()), hardness: Hardness(flag) })
        })
    }
}

/// The items at the given places; `None` if one is not there.
fn pick<T: Copy>(items: &[T], places: &[i32]) -> Option<Vec<T>> {
    places.iter().map(|&at| place(at, items.len()).and_then(|at| items.get(at)).copied()).collect()
}
