//! The roles of textures.

use super::{Parameter, ParameterValue, Vmat, fill, has_prefix};

/// The role of a texture in a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The base colour, with opacity in its alpha channel.
    BaseColor,
    /// The normal map. Green points down as in DirectX.
    Normal,
    /// Roughness, in the red channel.
    Roughness,
    /// Metalness, in the red channel.
    Metalness,
    /// Ambient occlusion, in the red channel.
    Occlusion,
    /// Opacity, in the red channel. Without it, the alpha channel of the base colour is the opacity.
    Opacity,
    /// The mask of the emission. It only has an effect if [`Vmat::is_emissive`].
    Emission,
    /// Heights.
    Height,
    /// The mask that blends two layers.
    BlendMask,
    /// The base colour of the second layer.
    SecondColor,
    /// The mask of the tint.
    TintMask,
    /// Reflectance of Dota 2 (green channel) and SteamVR.
    Specular,
    /// The detail texture.
    Detail,
    /// The cube map.
    CubeMap,
}

/// The texture or constant of a role.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Input<'a> {
    /// The key.
    pub key: &'a str,
    /// The value.
    pub source: Source<'a>,
    /// `true` for glossiness, which is 1 − roughness.
    pub is_inverted: bool,
}

/// An image or a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Source<'a> {
    /// The path of an image, relative to a content root.
    Image(&'a str),
    /// Red, green, blue and alpha. Missing numbers are 0, missing alpha is 1.
    Constant([f64; 4]),
}

/// The keys of each role, best first. `*` at the end matches any ending.
const ROLES: [(Role, &[&str]); 14] = [
    (
        Role::BaseColor,
        &[
            "TextureColor",
            "TextureColor1",
            "TextureColorA",
            "TextureColor0",
            "TextureLayer1Color",
            "Color",
            "Texture",
            "TextureAtlasColor",
            "SkyTexture",
        ],
    ),
    (
        Role::Normal,
        &["TextureNormal", "TextureNormal1", "TextureNormalA", "TextureNormal0", "TextureLayer1Normal", "Normal"],
    ),
    (
        Role::Roughness,
        &["TextureRoughness", "TextureRoughness1", "TextureRoughnessA", "TextureLayer1Roughness", GLOSSINESS],
    ),
    (Role::Metalness, &["TextureMetalness", "TextureMetalness1", "TextureMetalnessA", "g_flMetalness"]),
    (
        Role::Occlusion,
        &[
            "TextureAmbientOcclusion",
            "TextureAmbientOcclusion1",
            "TextureAmbientOcclusionA",
            "TextureLayer1AmbientOcclusion",
            "AO",
        ],
    ),
    (Role::Opacity, &["TextureTranslucency", "TextureTranslucency1", "TextureLayer1Translucency"]),
    (Role::Emission, &["TextureSelfIllumMask", "TextureEmissive*", "TextureSelfIllum"]),
    (Role::Height, &["TextureHeight", "TextureHeight1"]),
    (Role::BlendMask, &["TextureMask", "TextureBlendMask*", "TextureRevealMask*"]),
    (Role::SecondColor, &["TextureColorB", "TextureColor2", "TextureLayer2Color"]),
    (Role::TintMask, &["TextureTintMask*"]),
    (Role::Specular, &["TextureReflectance", "TextureSpecularMask"]),
    (Role::Detail, &["TextureDetail"]),
    (Role::CubeMap, &["TextureCubeMap"]),
];

const GLOSSINESS: &str = "TextureGlossiness";

/// The shaders whose keys are known.
pub(super) const SHADERS: [&str; 31] = [
    // Half-Life: Alyx and SteamVR.
    "vr_complex",
    "vr_simple",
    "vr_static_overlay",
    "vr_parallax_occlusion",
    "vr_projected_decals",
    "vr_glass",
    "vr_simple_2way_blend",
    "vr_simple_2layer_parallax",
    "vr_simple_3layer_parallax",
    "vr_standard",
    "vr_eyeball",
    // Counter-Strike 2.
    "csgo_complex",
    "csgo_vertexlitgeneric",
    "csgo_static_overlay",
    "csgo_simple",
    "csgo_environment",
    "csgo_environment_blend",
    "csgo_lightmappedgeneric",
    "csgo_character",
    "csgo_water_fancy",
    "csgo_effects",
    "csgo_moondome",
    "sky",
    // Dota 2.
    "global_lit_simple",
    "multiblend",
    "hero",
    // s&box.
    "complex",
    "simple",
    "glass",
    "decal",
    "blendable",
];

/// The folder of default textures, which are not among the sources of maps.
const DEFAULTS: &str = "materials/default/";

/// The constants of default textures, as red, green and blue. The images are not public, so these values are assumptions: `default_rough`,
/// `default_blend`, the colours, and all zeros except `default_metal`.
const CONSTANTS: [(&str, [f64; 3]); 13] = [
    ("default_ao.tga", [1.0; 3]),
    ("default_normal.tga", [0.5, 0.5, 1.0]),
    ("default.tga", [1.0; 3]),
    ("default_color.tga", [1.0; 3]),
    ("default_rough.tga", [0.5; 3]),
    ("default_metal.tga", [0.0; 3]),
    ("default_trans.tga", [1.0; 3]),
    ("default_blend.tga", [0.5; 3]),
    ("default_selfillum.tga", [0.0; 3]),
    ("default_bloom.tga", [0.0; 3]),
    ("default_refl.tga", [0.0; 3]),
    ("default_black_mask.tga", [0.0; 3]),
    ("default_detailmask.tga", [0.0; 3]),
];

/// Default textures that no constant can replace.
const WITHOUT_CONSTANT: [&str; 3] = ["default_cube.pfm", "default_noise.tga", "default_skin_diffusewarp.tga"];

impl Vmat {
    /// Returns the texture or constant of a role: the first key of the role that has one.
    ///
    /// A material may have sets of textures with a word before `Texture`, such as `TopTextureColor`. They are used if the role has no key
    /// without such a word. Without any key, the base colour is the first image whose key contains `color`.
    pub fn input(&self, role: Role) -> Option<Input<'_>> {
        let keys = ROLES.iter().find(|(other, _)| *other == role).map_or(&[][..], |(_, keys)| keys);
        let plain = |key: &&str| self.find_input(|name| matches(name, key));
        let prefixed = |key: &&str| {
            let is_prefixed = |name: &str| {
                let start = name.to_ascii_lowercase().find("texture").filter(|start| *start > 0);
                start.and_then(|start| name.get(start..)).is_some_and(|rest| matches(rest, key))
            };
            key.starts_with("Texture").then(|| self.find_input(is_prefixed)).flatten()
        };
        let found = keys.iter().find_map(plain).or_else(|| keys.iter().find_map(prefixed));
        found.or_else(|| {
            let mut images = self.images().filter(|_| role == Role::BaseColor);
            let parameter = images.find(|parameter| parameter.name.to_ascii_lowercase().contains("color"))?;
            parameter.input()
        })
    }

    fn find_input(&self, is_key: impl Fn(&str) -> bool) -> Option<Input<'_>> {
        self.parameters.iter().filter(|parameter| is_key(&parameter.name)).find_map(Parameter::input)
    }
}

impl Parameter {
    /// Returns the image or constant of a key. `None` for other values, and for default textures that no constant can replace.
    fn input(&self) -> Option<Input<'_>> {
        let constant = |numbers: &[f64]| Source::Constant(fill(numbers, [0.0, 0.0, 0.0, 1.0]));
        let source = match &self.value {
            ParameterValue::Number(number) => constant(&[*number]),
            ParameterValue::Vector(numbers) => constant(numbers),
            ParameterValue::Image => {
                let path = self.text.replace('\\', "/").to_ascii_lowercase();
                let name = path.strip_prefix(DEFAULTS).unwrap_or_default();
                match CONSTANTS.iter().find(|(other, _)| *other == name) {
                    Some((_, color)) => constant(color),
                    None if WITHOUT_CONSTANT.contains(&name) => return None,
                    None => Source::Image(self.text.trim()),
                }
            }
            ParameterValue::Text => return None,
        };
        Some(Input { key: &self.name, source, is_inverted: self.name.eq_ignore_ascii_case(GLOSSINESS) })
    }
}

/// Compares a name with a key of the table, without case.
fn matches(name: &str, key: &str) -> bool {
    match key.strip_suffix('*') {
        Some(start) => has_prefix(name, start),
        None => name.eq_ignore_ascii_case(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the table of roles.
    #[test]
    fn every_role_has_its_published_first_key() {
        let first: Vec<(Role, &str)> = ROLES.iter().map(|(role, keys)| (*role, keys[0])).collect();
        let expected = [
            (Role::BaseColor, "TextureColor"),
            (Role::Normal, "TextureNormal"),
            (Role::Roughness, "TextureRoughness"),
            (Role::Metalness, "TextureMetalness"),
            (Role::Occlusion, "TextureAmbientOcclusion"),
            (Role::Opacity, "TextureTranslucency"),
            (Role::Emission, "TextureSelfIllumMask"),
            (Role::Height, "TextureHeight"),
            (Role::BlendMask, "TextureMask"),
            (Role::SecondColor, "TextureColorB"),
            (Role::TintMask, "TextureTintMask*"),
            (Role::Specular, "TextureReflectance"),
            (Role::Detail, "TextureDetail"),
            (Role::CubeMap, "TextureCubeMap"),
        ];
        assert_eq!(first, expected);
    }
}
