//! Materials.

use crate::{ImageId, Properties};

/// How a surface looks.
///
/// | in | |
/// |---|---|
/// | wings | a material: `opengl` and `maps` |
/// | vmap | a path to a `.vmat`: name and [`reference`](Self::reference) only |
/// | WMP | a texture of a WAD: name and size |
/// | WWD | – |
/// | wrp | a texture slot or `.rvmat`: reference only |
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Material {
    /// The name.
    pub name: String,
    /// Where the game finds it, as the file spells it; for formats that name materials and do not hold them.
    pub reference: Option<String>,
    /// Width and height in texels of the main texture, where texture projections count in texels and the size is known.
    pub texture_size: Option<[u32; 2]>,
    /// Red, green, blue and opacity, 0 to 1. The diffuse colour of classic materials.
    pub base_color: [f64; 4],
    /// 0: not a metal, 1: a metal.
    pub metallic: f64,
    /// 0: a mirror, 1: chalk.
    pub roughness: f64,
    /// Light that the surface gives off: red, green, blue, and a fourth number without a meaning that wings stores.
    pub emissive: [f64; 4],
    /// What older lighting models say besides, where the file says it.
    pub classic: Option<ClassicMaterial>,
    /// Pictures on the surface.
    pub textures: Vec<TextureSlot>,
    /// What colours of corners do.
    pub vertex_colors: VertexColors,
    /// What opacity does.
    pub alpha: AlphaMode,
    /// Whether the back of a face is drawn as well.
    pub double_sided: bool,
    /// What else the file says about it.
    pub properties: Properties,
}

impl Material {
    /// A white, dull material.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The first texture of a usage.
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
            properties: Properties::new(),
        }
    }
}

/// The terms of the lighting model of OpenGL 1 that a physical material has no place for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClassicMaterial {
    /// The part of ambient light that comes back.
    pub ambient: [f64; 4],
    /// The colour of highlights.
    pub specular: [f64; 4],
    /// How sharp highlights are, 0 to 1 (OpenGL's exponent divided by 128, OBJ's `Ns` by 100 as Wings writes it).
    pub shininess: f64,
}

/// A picture on a surface.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextureSlot {
    /// What the picture controls.
    pub usage: TextureUsage,
    /// The picture.
    pub image: ImageId,
    /// Which UV set of the mesh places it.
    pub uv_set: usize,
    /// What happens beyond the edge, along u and v.
    pub wrap: [Wrap; 2],
    /// How strongly it acts: the scale of normals, the strength of occlusion; 1 is plain.
    pub strength: f64,
}

impl TextureSlot {
    /// A repeating texture on the first UV set.
    pub fn new(usage: TextureUsage, image: ImageId) -> Self {
        Self { usage, image, uv_set: 0, wrap: [Wrap::Repeat; 2], strength: 1.0 }
    }
}

/// What a texture controls.
///
/// | in | |
/// |---|---|
/// | wings | the key in `maps`: `diffuse`, `normal`, `bump`, `metallic`, `roughness`, `occlusion`, `emission`, `gloss`, any other |
/// | others | – (their materials are references) |
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum TextureUsage {
    /// Colour, multiplied with the base colour; its alpha is opacity.
    BaseColor,
    /// Tangent-space normals.
    Normal,
    /// Heights.
    Bump,
    /// Metalness alone, as grey.
    Metallic,
    /// Roughness alone, as grey.
    Roughness,
    /// Roughness in green, metalness in blue: glTF.
    MetallicRoughness,
    /// Ambient occlusion in red.
    Occlusion,
    /// Light given off.
    Emission,
    /// Smoothness, the reverse of roughness, as grey.
    Gloss,
    /// Opacity alone, as grey.
    Opacity,
    /// Something else, by the name it has in the file.
    Other(String),
}

/// What a texture does beyond its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Wrap {
    /// It starts again.
    #[default]
    Repeat,
    /// It comes back.
    Mirror,
    /// Its edge goes on.
    Clamp,
}

/// What colours of corners do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum VertexColors {
    /// Nothing.
    #[default]
    Ignore,
    /// They multiply the base colour: glTF, wings `set` and `multiply`.
    Multiply,
}

/// What opacity does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum AlphaMode {
    /// Nothing: the surface is solid.
    #[default]
    Opaque,
    /// Below the value there is no surface.
    Mask(f64),
    /// What is behind shines through.
    Blend,
}
