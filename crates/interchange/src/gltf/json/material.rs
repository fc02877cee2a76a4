//! Materials, textures, images.

use mapwright_io::math;
use serde::{Deserialize, Serialize};

use super::{Extras, ImageNote, Json, MaterialNote};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Material {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pbr_metallic_roughness: Option<Pbr>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal_texture: Option<NormalTexture>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occlusion_texture: Option<OcclusionTexture>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emissive_texture: Option<TextureInfo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emissive_factor: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha_mode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha_cutoff: Option<f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub double_sided: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<MaterialExtensions>,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<MaterialNote>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_emissive_strength", default, skip_serializing_if = "Option::is_none")]
    pub emissive_strength: Option<EmissiveStrength>,
    /// Only read, to report the loss.
    #[serde(rename = "KHR_materials_unlit", default, skip_serializing)]
    pub unlit: Option<serde::de::IgnoredAny>,
    /// Only read, for materials without metallic and roughness.
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness", default, skip_serializing)]
    pub specular_glossiness: Option<SpecularGlossiness>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct SpecularGlossiness {
    #[serde(default)]
    pub diffuse_factor: Option<[f64; 4]>,
    #[serde(default)]
    pub diffuse_texture: Option<TextureInfo>,
    #[serde(default = "one")]
    pub glossiness_factor: f64,
    /// Only read, to report the loss.
    #[serde(default)]
    pub specular_glossiness_texture: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct EmissiveStrength {
    #[serde(default = "one")]
    pub emissive_strength: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Pbr {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_color_factor: Option<[f64; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<TextureInfo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metallic_factor: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roughness_factor: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct TextureInfo {
    pub index: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tex_coord: u32,
    /// Only read: the transform is applied to texture coordinates.
    #[serde(default, skip_serializing)]
    pub extensions: TextureExtensions,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct NormalTexture {
    #[serde(flatten)]
    pub info: TextureInfo,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct OcclusionTexture {
    #[serde(flatten)]
    pub info: TextureInfo,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub strength: f64,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(in crate::gltf) struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform", default)]
    pub transform: Option<TextureTransform>,
}

/// Source: `KHR_texture_transform`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::gltf) struct TextureTransform {
    pub offset: [f64; 2],
    pub rotation: f64,
    pub scale: [f64; 2],
    pub tex_coord: Option<u32>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

impl TextureTransform {
    /// Returns the coordinates in the image: scaled, then turned counter-clockwise as seen on the image, then moved.
    pub(in crate::gltf) fn apply(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let ([offset_u, offset_v], [scale_u, scale_v]) = (self.offset, self.scale);
        let (sin, cos) = if self.rotation == 0.0 { (0.0, 1.0) } else { math::sin_cos(self.rotation) };
        let (u, v) = (u * scale_u, v * scale_v);
        [offset_u + cos * u + sin * v, offset_v - sin * u + cos * v]
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct Texture {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampler: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<u32>,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub extras: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Image {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer_view: Option<u32>,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<ImageNote>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Sampler {
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub mag_filter: Option<u32>,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub min_filter: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrap_s: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrap_t: Option<u32>,
}

const fn one() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signatures that serde asks for
fn is_one(number: &f64) -> bool {
    *number == 1.0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
