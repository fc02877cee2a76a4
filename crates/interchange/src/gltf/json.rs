//! The JSON of glTF 2.0, one struct per object of the specification.
//!
//! The same structs are written and read. Keys are written in the order of the fields, so that equal scenes give equal bytes.
//! Unknown keys are ignored, and reported as losses from `extensionsUsed`.

mod extras;
mod geometry;
mod material;
mod notes;

pub(super) use extras::{Extras, Json, is_empty_json, json_to_properties, properties_to_json};
pub(super) use geometry::{Accessor, Buffer, BufferView, Mesh, Primitive, codes};
pub(super) use material::{
    EmissiveStrength, Image, Material, MaterialExtensions, NormalTexture, OcclusionTexture, Pbr, Sampler, Texture,
    TextureInfo, TextureTransform,
};
pub(super) use notes::*;

use serde::{Deserialize, Serialize};

/// The whole document.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub asset: Asset,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions_used: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions_required: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenes: Vec<Scene>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<Camera>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<Sampler>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accessors: Vec<Accessor>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buffer_views: Vec<BufferView>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Buffer>,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub skins: Vec<serde::de::IgnoredAny>,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub animations: Vec<serde::de::IgnoredAny>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<RootExtensions>,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub extras: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_version: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub generator: String,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub copyright: String,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub extras: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct RootExtensions {
    #[serde(rename = "KHR_lights_punctual", default, skip_serializing_if = "Option::is_none")]
    pub lights: Option<Lights>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Scene {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u32>,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<SceneNote>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Node {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Box<[f64; 16]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f64; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Box<NodeExtensions>>,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<NodeNote>,
}

impl Node {
    /// The name of the node that scales the unit of the scene to metres.
    pub(super) const UNIT: &str = "metres";
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual", default, skip_serializing_if = "Option::is_none")]
    pub light: Option<LightIndex>,
    #[serde(rename = "EXT_mesh_gpu_instancing", default, skip_serializing_if = "Option::is_none")]
    pub instances: Option<Instances>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LightIndex {
    pub light: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Instances {
    pub attributes: InstanceAttributes,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct InstanceAttributes {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<u32>,
    /// Numbers of the instances in the file.
    #[serde(rename = "_ID", default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// Indices of the instances in the list of the file.
    #[serde(rename = "_ORDER", default, skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Camera {
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orthographic: Option<Orthographic>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perspective: Option<Perspective>,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<CameraNote>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Orthographic {
    pub xmag: f64,
    pub ymag: f64,
    pub zfar: f64,
    pub znear: f64,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Perspective {
    #[serde(rename = "aspectRatio", default, skip_serializing_if = "Option::is_none")]
    pub aspect_ratio: Option<f64>,
    pub yfov: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zfar: Option<f64>,
    pub znear: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Lights {
    pub lights: Vec<Light>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Light {
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<f64>,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<Spot>,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<LightNote>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spot {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner_cone_angle: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outer_cone_angle: Option<f64>,
}
