//! Blocks.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Chunk, Model, Name};
use crate::codes::{BlockFlags, FaceFlags};

/// A body in the space of the object that contains it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Block {
    /// Its number. In all files of the editor this is its index.
    pub number: u32,
    /// Planes or polygons.
    pub shape: Shape,
    /// Properties of the body, such as passable.
    pub flags: BlockFlags,
    /// Its material, formerly its function.
    pub material: Name,
    /// The number again, at the end of the block. `None` in A4 and where the file omits it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub index: Option<u32>,
    /// Binary: unknown chunks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

/// The shape of a block.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Shape {
    /// A4: half-spaces whose intersection is the body.
    Planes(Vec<PlaneFace>),
    /// Since A5: polygons.
    Mesh(Mesh),
}

/// A side of an A4 block.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PlaneFace {
    /// Three points of the plane, clockwise seen from outside, in quants.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub points: [[f64; 3]; 3],
    /// The texture.
    pub texture: Name,
    /// Offset in x and y in texels, rotation in degrees, scale in x and y.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub mapping: [f64; 5],
    /// Rendering flags.
    pub flags: FaceFlags,
    /// Ambient light of the texture in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub ambient: f64,
    /// Albedo of the texture in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub albedo: f64,
    /// The material. Empty in all files.
    pub material: Name,
    /// Unknown. Empty in all files.
    pub name: Name,
    /// Unknown. 0 in all files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub number: f64,
    /// A second word of flags. Bit 7 is a mirror, bits 0 to 5 are probably user flags.
    pub flags2: FaceFlags,
}

/// Polygons that usually close a body.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Mesh {
    /// Positions in quants.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub vertices: Vec<[f64; 3]>,
    /// Polygons.
    pub faces: Vec<Face>,
}

/// Vertex indices of a face. Up to four need no allocation.
pub type Corners = SmallVec<[u32; 4]>;

/// The mapping of a texture without offset, rotation and scale.
pub(crate) const PLAIN_MAPPING: [f64; 5] = [0.0, 0.0, 0.0, 1.0, 1.0];

/// The texture of faces without one.
pub(crate) const DEFAULT_TEXTURE: &str = "#default";

/// A polygon.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Face {
    /// Vertex indices, clockwise seen from outside.
    pub corners: Corners,
    /// The texture.
    pub texture: Name,
    /// Texture coordinates of the vertices of a triangle: u and v of each, in multiples of the image size, v down. Imported
    /// meshes have them.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub uvs: Option<Box<[f64]>>,
    /// The texture vectors U and V, each with a constant. `None` in A5, where they follow from the normal. Faces share them: use
    /// `Arc::make_mut` to change one alone.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub vectors: Option<Arc<[[f64; 4]; 2]>>,
    /// Offset in x and y in texels, rotation in degrees, scale in x and y. `None` in resolved maps, whose vectors include them.
    /// Faces share them: use `Arc::make_mut` to change one alone.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub mapping: Option<Arc<[f64; 5]>>,
    /// Rendering flags.
    pub flags: FaceFlags,
    /// Ambient light of the texture in percent. May be negative.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub ambient: f64,
    /// Albedo of the texture in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub albedo: f64,
    /// The material. Binary files have none.
    pub material: Name,
    /// Binary: `true` if the face has no entry. It then has only vertices, and the default texture is drawn.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub bare: bool,
    /// Binary: unknown chunks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Box<[Chunk]>,
}

impl Default for PlaneFace {
    /// Creates a side without a plane and texture, with the default albedo.
    fn default() -> Self {
        Self {
            points: [[0.0; 3]; 3],
            texture: Name::NONE,
            mapping: PLAIN_MAPPING,
            flags: FaceFlags(0),
            ambient: 0.0,
            albedo: Model::ALBEDO,
            material: Name::NONE,
            name: Name::NONE,
            number: 0.0,
            flags2: FaceFlags(0),
        }
    }
}

impl Block {
    /// Creates a block of a mesh without flags.
    pub fn new(number: u32, mesh: Mesh) -> Self {
        Self {
            number,
            shape: Shape::Mesh(mesh),
            flags: BlockFlags::default(),
            material: Name::NONE,
            index: Some(number),
            extra: Vec::new(),
        }
    }
}
