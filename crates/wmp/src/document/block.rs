//! Blocks.

use std::sync::Arc;

use mapwright_query::{FieldValue, Value, ValueError, fields};

use super::{Chunk, Corners, Model, Name};
use crate::codes::{BlockFlags, FaceFlags};

/// A body in the space of the object that contains it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Block {
    /// Number. In all files of the editor this is its index.
    pub number: u32,
    /// Planes or polygons.
    pub shape: Shape,
    /// Properties of the body, such as passable.
    pub flags: BlockFlags,
    /// Material, formerly its function.
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

impl Block {
    /// Returns the textures of its faces.
    pub fn textures(&self) -> impl Iterator<Item = &Name> {
        let (planes, faces) = self.faces();
        let faces = faces.iter().filter(|face| !face.bare).map(|face| &face.texture);
        planes.iter().map(|face| &face.texture).chain(faces)
    }

    /// Iterates mutably over the texture and the material of each face.
    pub(crate) fn surfaces_mut(&mut self) -> impl Iterator<Item = (&mut Name, &mut Name)> {
        let (planes, faces) = match &mut self.shape {
            Shape::Planes(planes) => (planes.as_mut_slice(), Default::default()),
            Shape::Mesh(mesh) => (Default::default(), mesh.faces.as_mut_slice()),
        };
        let faces: &mut [Face] = faces;
        let faces = faces.iter_mut().filter(|face| !face.bare).map(|face| (&mut face.texture, &mut face.material));
        planes.iter_mut().map(|face| (&mut face.texture, &mut face.material)).chain(faces)
    }

    /// Returns its faces, which are either planes or polygons.
    pub(crate) fn faces(&self) -> (&[PlaneFace], &[Face]) {
        match &self.shape {
            Shape::Planes(planes) => (planes, &[]),
            Shape::Mesh(mesh) => (&[], &mesh.faces),
        }
    }

    /// Returns a value of each face with an entry.
    fn any_face<'a>(
        &'a self,
        of_plane: impl Fn(&'a PlaneFace) -> Option<Value<'a>>,
        of_face: impl Fn(&'a Face) -> Option<Value<'a>>,
    ) -> Option<Value<'a>> {
        let (planes, faces) = self.faces();
        let faces = faces.iter().filter(|face| !face.bare);
        Some(Value::Any(planes.iter().filter_map(of_plane).chain(faces.filter_map(of_face)).collect()))
    }

    fn set_textures(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        self.surfaces_mut().try_for_each(|(texture, _)| texture.set_value(value))
    }
}

impl PlaneFace {
    /// Returns a side on a plane, with the surface of a polygon.
    pub(crate) fn from_face(points: [[f64; 3]; 3], face: &Face) -> Self {
        let Face { texture, flags, ambient, albedo, material, .. } = face.clone();
        Self { points, texture, flags, ambient, albedo, material, ..Self::default() }
    }

    /// Returns ambient light and albedo, in the order of all encodings.
    pub(crate) const fn light(&self) -> [f64; 2] {
        [self.ambient, self.albedo]
    }

    /// Sets ambient light and albedo.
    pub(crate) const fn set_light(&mut self, [ambient, albedo]: [f64; 2]) {
        (self.ambient, self.albedo) = (ambient, albedo);
    }
}

impl Face {
    /// Returns a polygon without vertices, with the surface of a side.
    pub(crate) fn from_plane(face: &PlaneFace) -> Self {
        let PlaneFace { texture, flags, ambient, albedo, material, .. } = face.clone();
        Self { texture, flags, ambient, albedo, material, ..Self::default() }
    }

    /// Returns a polygon without vertices, with the default light.
    pub(crate) fn in_default_light() -> Self {
        Self { albedo: Model::ALBEDO, ..Self::default() }
    }

    /// Returns ambient light and albedo, in the order of all encodings.
    pub(crate) const fn light(&self) -> [f64; 2] {
        [self.ambient, self.albedo]
    }

    /// Sets ambient light and albedo.
    pub(crate) const fn set_light(&mut self, [ambient, albedo]: [f64; 2]) {
        (self.ambient, self.albedo) = (ambient, albedo);
    }
}

fields! {
    /// Fields of blocks. Those of faces match if one face matches.
    pub(crate) static BLOCK: "block" = Block {
        /// Material, formerly the function.
        material: Name;
        /// Properties of the body.
        flags: BlockFlags;
        /// Textures of the faces. Setting it sets all of them.
        texture: Name => get(|block| block.any_face(|face| face.texture.to_value(), |face| face.texture.to_value()))
            set(|block, value| block.set_textures(value));
        /// Rendering flags of the faces.
        face_flags: FaceFlags => get(|block| block.any_face(|face| face.flags.to_value(), |face| face.flags.to_value()));
        /// Materials of the faces.
        face_material: Name
            => get(|block| block.any_face(|face| face.material.to_value(), |face| face.material.to_value()));
        /// Number of faces.
        faces: u32 => get(|block| { let (planes, faces) = block.faces(); Some((planes.len() + faces.len()).into()) });
        /// Number of vertices. A4 stores none.
        vertices: u32 => get(|block| match &block.shape {
            Shape::Planes(_) => Some(0_u32.into()),
            Shape::Mesh(mesh) => Some(mesh.vertices.len().into()),
        });
    }
}

fields! {
    /// Surface of polygons.
    pub(crate) static FACE: "face" = Face {
        /// Texture.
        texture: Name;
        /// Rendering flags.
        flags: FaceFlags;
        /// Ambient light of the texture. May be negative.
        ambient: f64 { unit: "percent", default: "0" };
        /// Albedo of the texture.
        albedo: f64 { unit: "percent", default: "50" };
        /// Material. Binary files have none.
        material: Name;
    }
}

fields! {
    /// Surface of sides of A4 blocks.
    pub(crate) static PLANE_FACE: "side" = PlaneFace {
        /// Texture.
        texture: Name;
        /// Rendering flags.
        flags: FaceFlags;
        /// Second word of flags.
        flags2: FaceFlags;
        /// Ambient light of the texture.
        ambient: f64 { unit: "percent", default: "0" };
        /// Albedo of the texture.
        albedo: f64 { unit: "percent", default: "50" };
        /// Material. Empty in all files.
        material: Name;
        /// Unknown. Empty in all files.
        name: Name;
        /// Unknown. 0 in all files.
        number: f64 { default: "0" };
    }
}
