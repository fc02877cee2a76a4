//! The winged-edge mesh as the file has it.

use mapwright_etf::Tree;

use super::Name;

/// A winged-edge mesh. Vertices, edges and faces are numbered by position, each in a space of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WingedMesh {
    /// Edges, which carry all topology, texture coordinates and colours.
    pub edges: Vec<Edge>,
    /// Materials of the faces by number: `None` means the material `default`. The list may be shorter or longer than the
    /// number of faces, which follows from the edges; what is missing is `default`.
    pub faces: Vec<Option<Name>>,
    /// Positions of the vertices: right-handed, Y up, in no particular unit.
    pub vertices: Vec<[f64; 3]>,
    /// Numbers of the hard edges. Wings writes them sorted and accepts them in any order and repeatedly.
    pub hard_edges: Vec<u32>,
    /// What stands in the entries of edges, faces and vertices beside what is understood. Rare.
    pub extras: Vec<Extra>,
}

/// One edge from `start` to `end`.
///
/// Left and right are those of someone who walks the edge on the outside. "Predecessor" and "successor" follow the
/// *clockwise* order around the face, so the counter-clockwise ring of a face is walked along predecessors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Edge {
    /// The first vertex. Its corner of the left face has the attributes of [`left`](Self::left).
    pub start: u32,
    /// The second vertex. Its corner of the right face has the attributes of [`right`](Self::right).
    pub end: u32,
    /// What lies to the left.
    pub left: Wing,
    /// What lies to the right.
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
    /// U and V of the face's corner here, origin at the lower left.
    pub uv: Option<[f64; 2]>,
    /// Red, green and blue of the face's corner here: sRGB, usually 0..=1, not clamped.
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
    /// One side.
    pub fn wing(&self, side: Side) -> &Wing {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// One side, to be changed.
    pub fn wing_mut(&mut self, side: Side) -> &mut Wing {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    /// The vertex whose corner a side has the attributes of.
    pub fn corner(&self, side: Side) -> u32 {
        match side {
            Side::Left => self.start,
            Side::Right => self.end,
        }
    }
}

/// A term in the entry of an edge, face or vertex that is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// In which list.
    pub of: ExtraOf,
    /// In which entry of it.
    pub index: u32,
    /// The term.
    pub term: Tree,
}

/// A list of the mesh whose entries can hold extras.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExtraOf {
    /// The edges.
    Edge,
    /// The faces.
    Face,
    /// The vertices.
    Vertex,
    /// The hard edges: a term that is no number of an edge.
    HardEdge,
}
