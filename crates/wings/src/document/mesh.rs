//! Winged-edge meshes as files store them.

use mapwright_etf::Tree;

use super::Name;

/// A winged-edge mesh. Vertices, edges and faces are numbered separately, by index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WingedMesh {
    /// Edges. They store the topology, the texture coordinates and the colours.
    pub edges: Vec<Edge>,
    /// Materials of the faces; `None` is the material `default`. The list may be shorter or longer than the number of faces,
    /// which follows from the edges. Missing entries are `default`.
    pub faces: Vec<Option<Name>>,
    /// Positions of the vertices. Right-handed, Y up, without a declared unit.
    pub vertices: Vec<[f64; 3]>,
    /// Numbers of the hard edges. Wings writes them sorted, and accepts any order and duplicates.
    pub hard_edges: Vec<u32>,
    /// Unknown terms in the entries of edges, faces and vertices. Rare.
    pub extras: Vec<Extra>,
}

/// One edge from `start` to `end`.
///
/// Left and right are as seen by someone who walks along the edge on the outside. "Predecessor" and "successor" follow the
/// *clockwise* order around the face, so the counter-clockwise ring of a face follows predecessors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Edge {
    /// The first vertex. Its corner of the left face has the attributes of [`left`](Self::left).
    pub start: u32,
    /// The second vertex. Its corner of the right face has the attributes of [`right`](Self::right).
    pub end: u32,
    /// The left side.
    pub left: Wing,
    /// The right side.
    pub right: Wing,
}

/// One side of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wing {
    /// The face on this side.
    pub face: u32,
    /// The edge before this one, clockwise around the face.
    pub predecessor: u32,
    /// The edge after this one, clockwise around the face.
    pub successor: u32,
    /// U and V of the corner of the face, origin at the lower left.
    pub uv: Option<[f64; 2]>,
    /// Red, green and blue of the corner of the face: sRGB, usually 0..=1, not clamped.
    pub color: Option<[f32; 3]>,
}

/// A side of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Left, with the corner of the start vertex.
    Left,
    /// Right, with the corner of the end vertex.
    Right,
}

impl Edge {
    /// Sets the eight numbers of an `edge` tuple, in its order.
    pub(crate) fn set_numbers(&mut self, numbers: [u32; 8]) {
        let Self { start, end, left, right } = self;
        [*start, *end, left.face, right.face, left.predecessor, left.successor, right.predecessor, right.successor] =
            numbers;
    }

    /// Returns one side.
    pub fn wing(&self, side: Side) -> &Wing {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// Returns a mutable reference to one side.
    pub fn wing_mut(&mut self, side: Side) -> &mut Wing {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    /// Returns the vertex of the face corner whose attributes a side stores.
    pub fn corner(&self, side: Side) -> u32 {
        match side {
            Side::Left => self.start,
            Side::Right => self.end,
        }
    }
}

/// An unknown term in the entry of an edge, face or vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// The list that contains the entry.
    pub list: ExtraList,
    /// The index of the entry.
    pub index: u32,
    /// The term.
    pub term: Tree,
}

/// A list of a mesh whose entries may contain unknown terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExtraList {
    /// The edges.
    Edge,
    /// The faces.
    Face,
    /// The vertices.
    Vertex,
    /// The hard edges. The term is not the number of an edge.
    HardEdge,
}
