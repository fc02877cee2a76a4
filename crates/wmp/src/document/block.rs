//! Blocks.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Chunk, Model, Name};
use crate::codes::{BlockFlags, FaceFlags};

/// A body of the world, in the space of the object that holds it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Block {
    /// Its number: its place among the blocks in all files of the editor.
    pub number: u32,
    /// Its form.
    pub shape: Shape,
    /// What it is to the world.
    pub flags: BlockFlags,
    /// Its material, formerly its function.
    pub material: Name,
    /// The number once more, at the end of the block. None in A4 and where the file leaves it out.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub index: Option<u32>,
    /// Binary: chunks that are not known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

/// The form of a block.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Shape {
    /// A4: what lies behind all of these planes.
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
    /// How it is drawn.
    pub flags: FaceFlags,
    /// Ambient light of the texture in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub ambient: f64,
    /// Albedo of the texture in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub albedo: f64,
    /// Its material; none in all files.
    pub material: Name,
    /// Not known; none in all files.
    pub name: Name,
    /// Not known; 0 in all files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub number: f64,
    /// A second word of flags: bit 7 is a mirror, bits 0 to 5 the user's, it seems.
    pub flags2: FaceFlags,
}

/// Polygons that close a body, most of them.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Mesh {
    /// Points in quants.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub vertices: Vec<[f64; 3]>,
    /// Polygons.
    pub faces: Vec<Face>,
}

/// Numbers of vertices: a `SmallVec` of `smallvec` 1, made `from` a slice, an array or a `Vec`. Those of a triangle or of a quad take
/// no memory of their own.
pub type Corners = SmallVec<[u32; 4]>;

/// The mapping of a texture without offset, rotation and scale.
pub(crate) const PLAIN_MAPPING: [f64; 5] = [0.0, 0.0, 0.0, 1.0, 1.0];

/// The texture of faces without one.
pub(crate) const DEFAULT_TEXTURE: &str = "#default";

/// A polygon.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Face {
    /// Numbers of its vertices, clockwise seen from outside.
    pub corners: Corners,
    /// The texture.
    pub texture: Name,
    /// Texture coordinates of the corners of a triangle, u and v of each, in pictures, v down. Imported meshes have them.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub uvs: Option<Box<[f64]>>,
    /// The texture vectors U and V, each with a constant. None in A5, where they follow from the normal. Faces share them;
    /// `Arc::make_mut` changes one alone.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub vectors: Option<Arc<[[f64; 4]; 2]>>,
    /// Offset in x and y in texels, rotation in degrees, scale in x and y. None in resolved maps, where they are worked in. Faces
    /// share them; `Arc::make_mut` changes one alone.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub mapping: Option<Arc<[f64; 5]>>,
    /// How it is drawn.
    pub flags: FaceFlags,
    /// Ambient light of the texture in percent, may be negative.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub ambient: f64,
    /// Albedo of the texture in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub albedo: f64,
    /// Its material. Binary files have none.
    pub material: Name,
    /// Binary: whether the face has no entry, and with it none of the above but corners: it is drawn as the default texture.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub bare: bool,
    /// Binary: chunks that are not known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Box<[Chunk]>,
}

impl Default for PlaneFace {
    /// A side without a plane and texture, in the usual light.
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
    /// A block of a mesh without flags.
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
