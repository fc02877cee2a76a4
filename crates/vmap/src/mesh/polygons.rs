//! The faces of a mesh as polygons.

use super::{Mesh, Stream};

mapwright_io::open_code! {
    /// Effect of an edge on the shading: values of the edge stream `flags:0`.
    pub struct Hardness(i32) {
        /// Smooth if the angle between the faces is less than the smoothing angle of the node.
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
    /// Vertex, below NV.
    pub vertex: u32,
    /// Index in per-corner streams, below [`face_vertex_data.size`](super::DataArray::size).
    pub corner: u32,
    /// Half-edge that leads to the corner.
    pub half_edge: u32,
}

/// An edge between two vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Start and destination of the even half-edge.
    pub vertices: [u32; 2],
    /// Faces of the even and the odd half-edge; `None` for an open side.
    pub faces: [Option<u32>; 2],
    /// Effect on the shading.
    pub hardness: Hardness,
}

/// The first reason why the indices of a mesh do not form polygons. [`Mesh::check`] reports all problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoopError {
    /// Parallel index arrays differ in length.
    #[error("the length of {array} differs from that of the parallel arrays")]
    Length {
        /// The array.
        array: &'static str,
    },
    /// An index is out of range.
    #[error("{array}[{index}] is out of range")]
    Range {
        /// The array.
        array: &'static str,
        /// Index of the item.
        index: usize,
    },
    /// The half-edges of a face do not return to the first one, or leave the face.
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
/// A face can have a hole. Its loop then follows an edge to the hole, surrounds it, and returns along the same edge, so that it
/// contains two vertices twice. Faces can be concave and not exactly planar.
#[derive(Debug, Clone)]
pub struct Polygons<'a> {
    pub(super) mesh: &'a Mesh,
    corners: Vec<Corner>,
    ends: Vec<usize>,
}

/// Converts an index, if it is in range.
pub(super) fn to_index(index: i32, length: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < length)
}

/// Returns the stated size of a data array.
pub(super) fn size(data: &super::DataArray) -> usize {
    usize::try_from(data.size).unwrap_or(0)
}

impl Mesh {
    /// Collects the corners of all faces. The time is linear for any indices.
    ///
    /// # Errors
    /// If the index arrays do not form loops of at least three corners each, or point outside of their data.
    pub fn polygons(&self) -> Result<Polygons<'_>, LoopError> {
        self.check_range()?;
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

    /// Returns the corner at the destination of a half-edge; `None` if the half-edge is not of that face or was visited before.
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

    /// Returns the first array whose length differs from that of its parallel arrays.
    pub(super) fn unequal_length(&self) -> Option<&'static str> {
        let arrays = self.index_arrays();
        // Two arrays of vertices, six of half-edges, two of faces.
        let (vertices, others) = arrays.split_at(2);
        let (half_edges, faces) = others.split_at(6);
        [vertices, half_edges, faces].into_iter().find_map(|group| {
            let length = group.first().map_or(0, |(_, items)| items.len());
            group.iter().find(|(_, items)| items.len() != length).map(|(name, _)| *name)
        })
    }

    /// Returns every index array with the bounds of its items: the lowest, and the first that is too large.
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

    fn check_range(&self) -> Result<(), LoopError> {
        if let Some(array) = self.unequal_length() {
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

/// Returns the index of the first item outside the bounds.
pub(super) fn out_of_range(items: &[i32], low: i32, high: usize) -> Option<usize> {
    items.iter().position(|&item| item < low || usize::try_from(item).is_ok_and(|item| item >= high))
}

impl<'a> Polygons<'a> {
    /// Returns the mesh.
    pub fn mesh(&self) -> &'a Mesh {
        self.mesh
    }

    /// Returns the number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no faces.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the corners of all faces, face by face.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// Returns the corners of a face, counter-clockwise about its normals, beginning with the half-edge in
    /// [`face_edge_indices`](Mesh::face_edge_indices); empty if the face does not exist.
    pub fn face(&self, face: usize) -> &[Corner] {
        let start = face.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(face).and_then(|&end| self.corners.get(start..end)).unwrap_or_default()
    }

    /// Iterates over the corners of each face in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Corner]> {
        (0..self.len()).map(|face| self.face(face))
    }

    /// Returns the position of every vertex; `None` if there is no complete stream `position:0`.
    pub fn positions(&self) -> Option<Vec<[f32; 3]>> {
        let stream = self.mesh.vertex_data.stream("position:0")?.data.as_vector3s()?;
        pick(stream, &self.mesh.vertex_data_indices)
    }

    /// Returns the texture coordinates of a set by [`Corner::corner`]; `None` if there is no complete stream `texcoord:SET`.
    pub fn texcoords(&self, set: u32) -> Option<&'a [[f32; 2]]> {
        self.complete_stream(&format!("texcoord:{set}"))?.data.as_vector2s()
    }

    /// Returns unit normals by [`Corner::corner`]; `None` if there is no complete stream `normal:0`.
    pub fn normals(&self) -> Option<&'a [[f32; 3]]> {
        self.complete_stream("normal:0")?.data.as_vector3s()
    }

    /// Returns tangents by [`Corner::corner`]: x, y, z in the direction of U, cross(normal, tangent) · w in that of V, w is 1 or −1.
    /// `None` if there is no complete stream `tangent:0`.
    pub fn tangents(&self) -> Option<&'a [[f32; 4]]> {
        self.complete_stream("tangent:0")?.data.as_vector4s()
    }

    /// Returns a stream of four numbers by [`Corner::corner`], such as `VertexPaintTintColor:0` or `VertexPaintBlendParams:0`; `None` if
    /// there is no complete stream with that name and type.
    pub fn colors(&self, name: &str) -> Option<&'a [[f32; 4]]> {
        self.complete_stream(name)?.data.as_vector4s()
    }

    /// Returns a per-corner stream if it has an item for every corner.
    fn complete_stream(&self, name: &str) -> Option<&'a Stream> {
        let data = &self.mesh.face_vertex_data;
        data.stream(name).filter(|stream| stream.data.len() >= size(data))
    }

    /// Returns the index in [`materials`](Mesh::materials) for each face; `None` if it is out of range, and for all faces if
    /// there is no complete stream `materialindex:0`.
    pub fn materials(&self) -> Vec<Option<u32>> {
        let stream = self.mesh.face_data.stream("materialindex:0").and_then(|stream| stream.data.as_ints());
        let indices = stream.and_then(|stream| pick(stream, &self.mesh.face_data_indices)).unwrap_or_default();
        let material = |face| {
            let index: i32 = *indices.get(face)?;
            to_index(index, self.mesh.materials.len()).and_then(|index| u32::try_from(index).ok())
        };
        (0..self.len()).map(material).collect()
    }

    /// Returns the flags of each face: 4 on faces of tile meshes, 1 on a few (unknown), otherwise 0. Also 0 if the stream `flags:0`
    /// is too short.
    pub fn face_flags(&self) -> Vec<i32> {
        let stream = self.mesh.face_data.stream("flags:0").and_then(|stream| stream.data.as_ints()).unwrap_or_default();
        let flag = |&index: &i32| to_index(index, stream.len()).and_then(|at| stream.get(at)).copied().unwrap_or(0);
        self.mesh.face_data_indices.iter().map(flag).collect()
    }

    /// Iterates over the edges, by their even half-edges.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        let mesh = self.mesh;
        let flags = mesh.edge_data.stream("flags:0").and_then(|stream| stream.data.as_ints()).unwrap_or_default();
        let sides = mesh.edge_vertex_indices.chunks_exact(2).zip(mesh.edge_face_indices.chunks_exact(2));
        sides.zip(mesh.edge_data_indices.chunks(2)).filter_map(move |((vertices, faces), data)| {
            let (&[end, start], &[even, odd], &[index, ..]) = (vertices, faces, data) else { return None };
            let flag = to_index(index, flags.len()).and_then(|at| flags.get(at)).copied().unwrap_or(0);
            let vertices = [u32::try_from(start).ok()?, u32::try_from(end).ok()?];
            Some(Edge { vertices, faces: [even, odd].map(|face| u32::try_from(face).ok()), hardness: Hardness(flag) })
        })
    }
}

/// Returns the items at the given indices; `None` if one is out of range.
fn pick<T: Copy>(items: &[T], places: &[i32]) -> Option<Vec<T>> {
    places.iter().map(|&at| to_index(at, items.len()).and_then(|at| items.get(at)).copied()).collect()
}
