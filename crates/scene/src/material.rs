//! Materials.

use crate::{ImageId, Losses, MaterialId, Properties, Scene};

/// The appearance of a surface.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Material {
    /// The name.
    pub name: String,
    /// Path in the game's files, as the file stores it; for formats that refer to materials.
    pub reference: Option<String>,
    /// Width and height of the main texture in texels, if it is known. Texture projections need it.
    pub texture_size: Option<[u32; 2]>,
    /// Red, green, blue and opacity, 0 to 1. Diffuse colour of classic materials.
    pub base_color: [f64; 4],
    /// Metalness: 0 for dielectrics, 1 for metals.
    pub metallic: f64,
    /// Roughness: 0 for mirrors, 1 for chalk.
    pub roughness: f64,
    /// Emitted light: red, green, blue, and a fourth number without meaning, 1 by default.
    pub emissive: [f64; 4],
    /// Values of older lighting models, if the file stores them.
    pub classic: Option<ClassicMaterial>,
    /// Textures.
    pub textures: Vec<TextureSlot>,
    /// Use of vertex colours.
    pub vertex_colors: VertexColors,
    /// Use of opacity.
    pub alpha: AlphaMode,
    /// `true` if faces are visible from behind.
    pub double_sided: bool,
    /// `true` if games do not draw faces with this material: those of triggers, clip brushes, skies and so on. It follows from
    /// the name or path of the material by the rules of the format.
    pub is_tool: bool,
    /// Other data of the file.
    pub properties: Properties,
}

impl Material {
    /// Creates a white, dull material.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Returns the first texture with a usage.
    pub fn texture(&self, usage: &TextureUsage) -> Option<&TextureSlot> {
        self.textures.iter().find(|slot| slot.usage == *usage)
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            reference: None,
            texture_size: None,
            base_color: [1.0; 4],
            metallic: 0.0,
            roughness: 1.0,
            emissive: [0.0, 0.0, 0.0, 1.0],
            classic: None,
            textures: Vec::new(),
            vertex_colors: VertexColors::Ignore,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            is_tool: false,
            properties: Properties::new(),
        }
    }
}

impl Scene {
    /// Reports the materials that are not among the used ones, for formats that only store those.
    pub fn report_unused_materials(&self, used: impl IntoIterator<Item = MaterialId>, losses: &mut Losses) {
        let mut is_used = vec![false; self.materials.len()];
        for id in used {
            is_used.get_mut(id.index()).into_iter().for_each(|used| *used = true);
        }
        for (index, _) in is_used.into_iter().enumerate().filter(|(_, is_used)| !is_used) {
            losses.dropped(format!("materials[{index}]"), "unused material");
        }
    }

    /// Returns the materials of the faces of all meshes and brushes, with repetitions.
    pub fn face_materials(&self) -> impl Iterator<Item = MaterialId> {
        let meshes = self.meshes.items().iter().flat_map(|mesh| mesh.face_materials.iter().copied().flatten());
        let sides = self.brushes.items().iter().flat_map(|brush| &brush.sides);
        meshes.chain(sides.filter_map(|side| side.material))
    }

    /// Returns the materials of all terrains, with repetitions.
    pub fn terrain_materials(&self) -> impl Iterator<Item = MaterialId> {
        self.terrains.items().iter().flat_map(|terrain| terrain.materials.iter().copied().flatten())
    }
}

/// Values of the lighting model of OpenGL 1 that physical materials do not have.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClassicMaterial {
    /// Reflected part of ambient light.
    pub ambient: [f64; 4],
    /// Colour of highlights.
    pub specular: [f64; 4],
    /// Sharpness of highlights, 0 to 1: the exponent of OpenGL divided by 128.
    pub shininess: f64,
}

/// A texture of a material.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextureSlot {
    /// The property that the texture controls.
    pub usage: TextureUsage,
    /// The image.
    pub image: ImageId,
    /// Index of the UV set of the mesh.
    pub uv_set: usize,
    /// Behaviour beyond the edges, along u and v.
    pub wrap: [Wrap; 2],
    /// Strength: the scale of normals, or the strength of occlusion. 1 is normal.
    pub strength: f64,
}

impl TextureSlot {
    /// Creates a repeating texture on the first UV set.
    pub fn new(usage: TextureUsage, image: ImageId) -> Self {
        Self { usage, image, uv_set: 0, wrap: [Wrap::Repeat; 2], strength: 1.0 }
    }
}

/// The property that a texture controls.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum TextureUsage {
    /// Colour, multiplied with the base colour. Its alpha is opacity.
    BaseColor,
    /// Tangent-space normals.
    Normal,
    /// Heights.
    Bump,
    /// Metalness only, as grey.
    Metallic,
    /// Roughness only, as grey.
    Roughness,
    /// Roughness in green, metalness in blue.
    MetallicRoughness,
    /// Ambient occlusion in red.
    Occlusion,
    /// Emitted light.
    Emission,
    /// Smoothness, the inverse of roughness, as grey.
    Gloss,
    /// Opacity only, as grey.
    Opacity,
    /// Another usage, with its name in the file.
    Other(String),
}

/// Behaviour of a texture beyond its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Wrap {
    /// The texture repeats.
    #[default]
    Repeat,
    /// The texture repeats, mirrored each time.
    Mirror,
    /// The colour of the edge continues.
    Clamp,
}

/// Use of vertex colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum VertexColors {
    /// Ignored.
    #[default]
    Ignore,
    /// Vertex colours multiply the base colour.
    Multiply,
}

/// Use of opacity.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum AlphaMode {
    /// Ignored: the surface is opaque.
    #[default]
    Opaque,
    /// Parts with an opacity below the value are invisible.
    Mask(f64),
    /// Blended with the background.
    Blend,
}
