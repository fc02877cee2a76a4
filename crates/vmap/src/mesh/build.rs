//! Builds meshes from polygons.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "every index was checked before or is created here"
)]

mod assemble;
mod fans;
mod rings;
mod shading;

use super::{Mesh, Soup};
use fans::Fans;
use rings::Rings;

/// Treatment of faces that half-edges cannot represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Repair {
    /// Move the face to copies of its vertices, as far as necessary.
    #[default]
    SplitVertices,
    /// As `SplitVertices`, but faces that touch only at a vertex share it. Hammer does not
    /// import such faces, but its own maps have some.
    ShareVertices,
    /// Leave the face out. If that uncovers more such faces again and again, the last ones are split.
    LeaveOut,
}

mapwright_io::options! {
    /// Options of [`Mesh::build`].
    #[derive(Debug, Clone, PartialEq)]
    pub struct BuildOptions {
        /// Treatment of faces that half-edges cannot represent.
        pub repair: Repair = Repair::default(), with_repair;
        /// Size of textures in texels, for the relation of texture coordinates and stored projections. Default: 512 × 512.
        pub texture_size: [f64; 2] = [512.0; 2], with_texture_size;
        /// Maximum angle in degrees at which faces share a normal across an automatic edge, for computed normals. Default: 40, as for
        /// nodes.
        pub smoothing_angle: f64 = 40.0, with_smoothing_angle;
        /// Material of faces without one.
        pub material: Vec<u8> = b"materials/dev/reflectivity_30.vmat".to_vec(), with_material(impl Into<Vec<u8>>);
    }
}

/// A part of a soup that a mesh cannot represent. Faces and vertices are those of the soup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// An edge would get a third face, or a second one on the same side.
    #[error("edge {}–{} is non-manifold or inconsistently wound at face {face}", edge[0], edge[1])]
    EdgeFull {
        /// The face.
        face: u32,
        /// Vertices of the edge, the smaller one first.
        edge: [u32; 2],
    },
    /// Other faces already surround a vertex.
    #[error("vertex {vertex} is non-manifold at face {face}: other faces surround it")]
    VertexClosed {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A face touches others only at a vertex. Not reported for faces that share it.
    #[error("face {face} touches other faces only at vertex {vertex}")]
    NotJoined {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// Faces surround a vertex that has other edges as well.
    #[error("vertex {vertex} is non-manifold at face {face}: it has more edges than the faces around it")]
    EdgesBetween {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A face repeats a vertex, which is then used once. Only consecutive corners count: a face with a hole
    /// visits an edge twice.
    #[error("face {face} repeats vertex {vertex}")]
    RepeatedVertex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A face has fewer than three distinct vertices. It is left out.
    #[error("face {face} has fewer than three distinct vertices")]
    TooFewCorners {
        /// The face.
        face: u32,
    },
    /// A face has a vertex that does not exist. It is left out.
    #[error("vertex index {vertex} of face {face} is out of range")]
    NoSuchVertex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A vertex has no face. It is left out.
    #[error("vertex {vertex} is unused")]
    UnusedVertex {
        /// The vertex.
        vertex: u32,
    },
}

/// A mesh with its relation to the soup that it was built from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Built {
    /// The mesh. [`Mesh::check`] only finds problems of the soup itself: non-finite numbers, faces without area,
    /// normals that contradict the winding, scales of 0.
    pub mesh: Mesh,
    /// For each face, the face of the soup that it came from, in ascending order.
    pub faces: Vec<u32>,
    /// For each vertex, the vertex of the soup that it came from. Copies follow all other vertices.
    pub vertices: Vec<u32>,
    /// Repaired problems.
    pub problems: Vec<Problem>,
}

/// Maximum number of rounds of leaving faces out. Then the remaining faces are split.
const MAX_ROUNDS: usize = 32;

impl Mesh {
    /// Builds a half-edge mesh from polygons. Faces and their corners keep their order, vertices too.
    ///
    /// Edges are numbered in the order of faces. The even half-edge belongs to the first face, and corners have the numbers of
    /// half-edges. The mesh has all streams that Hammer writes, in its order. If the soup has no texture coordinates, they come
    /// from the projection along the nearest axis. Missing normals are computed from faces and edges, missing tangents from the
    /// coordinates. The projection of a face is the one that fits its coordinates best. Positions are assumed to be in world space.
    ///
    /// Faces that half-edges cannot represent are repaired and reported in [`Built::problems`]; see [`Problem`] and [`Repair`].
    /// The time is O(n log n) in the number of corners.
    pub fn build(soup: &Soup, options: &BuildOptions) -> Built {
        let mut problems = Vec::new();
        let mut rings = Rings::new(soup, &mut problems);
        if options.repair == Repair::LeaveOut {
            for _ in 0..MAX_ROUNDS {
                if !fans::leave_out_rings(&mut rings, &mut problems) {
                    break;
                }
            }
        }
        let fans = Fans::new(&mut rings, options.repair == Repair::ShareVertices, &mut problems);
        assemble::assemble(soup, &rings, &fans, options, problems)
    }
}
