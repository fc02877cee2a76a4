//! Polygons to mesh.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "every index is checked on the way in or made here"
)]

mod assemble;
mod fans;
mod rings;
mod shading;

use super::{Mesh, Soup};
use fans::Fans;
use rings::Rings;

/// What to do with a face that half-edges cannot have where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Repair {
    /// Put it on vertices of its own, as far as it must be.
    #[default]
    SplitVertices,
    /// As `SplitVertices`, but faces that touch others in a vertex alone share it with them. Hammer does not
    /// import such faces, but its own maps have some.
    ShareVertices,
    /// Leave it out. In soups whose leaving out uncovers ever more such faces the last of them are put on vertices of their own.
    LeaveOut,
}

/// How to build a mesh.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// What to do with faces that half-edges cannot have.
    pub repair: Repair,
    /// The size of textures in texels, which relates texture coordinates to the stored projections. 512 by 512 if not given.
    pub texture_size: [f64; 2],
    /// Degrees up to which faces share a normal across an automatic edge, where normals have to be computed. 40, as nodes have, if not
    /// given.
    pub smoothing_angle: f64,
    /// The material of faces without one.
    pub material: Vec<u8>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            repair: Repair::default(),
            texture_size: [512.0; 2],
            smoothing_angle: 40.0,
            material: b"materials/dev/reflectivity_30.vmat".to_vec(),
        }
    }
}

impl BuildOptions {
    /// The same options with another repair.
    #[must_use]
    pub fn with_repair(mut self, repair: Repair) -> Self {
        self.repair = repair;
        self
    }

    /// The same options with another size of textures.
    #[must_use]
    pub fn with_texture_size(mut self, texels: [f64; 2]) -> Self {
        self.texture_size = texels;
        self
    }

    /// The same options with another angle of smoothing, in degrees.
    #[must_use]
    pub fn with_smoothing_angle(mut self, degrees: f64) -> Self {
        self.smoothing_angle = degrees;
        self
    }

    /// The same options with another material for faces without one.
    #[must_use]
    pub fn with_material(mut self, name: impl Into<Vec<u8>>) -> Self {
        self.material = name.into();
        self
    }
}

/// Something in a soup that a mesh cannot have as it is. Faces and vertices are those of the soup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// An edge would get a third face, or a second one on the same side.
    #[error("face {face} is one too many at the edge between vertices {} and {}, or turned over against the other one there", edge[0], edge[1])]
    EdgeFull {
        /// The face.
        face: u32,
        /// The vertices of the edge, the smaller first.
        edge: [u32; 2],
    },
    /// All edges of a vertex have two faces already.
    #[error("face {face} touches vertex {vertex}, which other faces surround")]
    VertexClosed {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A vertex has open edges, but the face has none of them. Not told of faces that share it.
    #[error("face {face} touches other faces in vertex {vertex} alone")]
    NotJoined {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// Faces surround a vertex that has other edges as well.
    #[error("face {face} and others surround vertex {vertex}, which has more edges than theirs")]
    EdgesBetween {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A face comes to a vertex twice in a row, which counts as once. Coming back to one later is no problem: faces with a hole
    /// have an edge on both sides of which they lie.
    #[error("face {face} is at vertex {vertex} twice in a row")]
    RepeatedVertex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A face has less than three different vertices. It is left out.
    #[error("face {face} has less than three vertices")]
    TooFewCorners {
        /// The face.
        face: u32,
    },
    /// A face is at a vertex that does not exist. It is left out.
    #[error("face {face} is at vertex {vertex}, which does not exist")]
    NoSuchVertex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// No face is at a vertex. It is left out.
    #[error("no face is at vertex {vertex}")]
    UnusedVertex {
        /// The vertex.
        vertex: u32,
    },
}

/// A mesh, and how it follows from the soup that it was built from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Built {
    /// The mesh. [`Mesh::check`] finds nothing but what the soup itself says: numbers that are not finite, faces without area,
    /// normals that contradict the winding, scales of 0.
    pub mesh: Mesh,
    /// The face of the soup that each face was, ascending.
    pub faces: Vec<u32>,
    /// The vertex of the soup that each vertex was. Copies of one vertex follow all others.
    pub vertices: Vec<u32>,
    /// What had to be put right.
    pub problems: Vec<Problem>,
}

/// Rounds of leaving faces out before the rest is repaired otherwise.
const ROUNDS: usize = 32;

impl Mesh {
    /// Builds a half-edge mesh from polygons. Faces and their corners keep their order, vertices too.
    ///
    /// Edges are numbered as faces come to them; the even half-edge is that of the first face, and corners are numbered as half-edges.
    /// All streams that Hammer writes are there, in its order: texture coordinates come from the projection along the nearest
    /// axis where the soup has none, normals from faces and edges, tangents from the coordinates, the projection of a
    /// face is the one that fits its coordinates best. Positions are taken for places of the world.
    ///
    /// What half-edges cannot have is put right, and told in [`Built::problems`]: see [`Problem`] and [`Repair`].
    /// n log n in the number of corners.
    pub fn build(soup: &Soup, options: &BuildOptions) -> Built {
        let mut problems = Vec::new();
        let mut rings = Rings::new(soup, &mut problems);
        if options.repair == Repair::LeaveOut {
            for _ in 0..ROUNDS {
                if !fans::leave_out(&mut rings, &mut problems) {
                    break;
                }
            }
        }
        let fans = Fans::new(&mut rings, options.repair == Repair::ShareVertices, &mut problems);
        assemble::assemble(soup, &rings, &fans, options, problems)
    }
}
