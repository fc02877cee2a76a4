//! The metadata of this crate in `extras.mapwright`, with which the reader restores the scene.
//!
//! Other programs ignore it. It is not needed to show the document.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Json;

/// Metadata of the scene. It is always written, to recognise documents of this crate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct SceneNote {
    /// The version of all metadata in the document. It increases if old metadata would be misread.
    pub version: u32,
    /// Metres per unit of the scene, if it is declared. The last node then scales all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metres_per_unit: Option<f64>,
}

impl SceneNote {
    /// The version that is written.
    pub(in crate::gltf) const VERSION: u32 = 1;
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct NodeNote {
    /// `true` if the node only scales units to metres.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unit: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub marker: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<Box<EntityNote>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefab: Option<Box<PrefabNote>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instances: Option<Box<InstancesNote>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<Box<SoundNote>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Box<PathNote>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct SoundNote {
    pub reference: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// In units of the scene, like all lengths of notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<f64>,
    #[serde(default, skip_serializing_if = "super::extras::is_empty_json")]
    pub properties: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct PathNote {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub points: Vec<PathPointNote>,
    /// From, to and weight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<(u32, u32, f64)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    #[serde(default, skip_serializing_if = "super::extras::is_empty_json")]
    pub properties: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct PathPointNote {
    pub position: [f64; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangents: Option<[[f64; 3]; 2]>,
    #[serde(default, skip_serializing_if = "super::extras::is_empty_json")]
    pub properties: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct PrefabNote {
    pub reference: String,
    #[serde(default, skip_serializing_if = "super::extras::is_empty_json")]
    pub overrides: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct EntityNote {
    pub class: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "super::extras::is_empty_json")]
    pub properties: Json,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connections: Vec<ConnectionNote>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct ConnectionNote {
    pub output: String,
    pub target: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_type: Option<i32>,
    pub input: String,
    pub parameter: String,
    pub delay: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct InstancesNote {
    pub name: String,
    /// The model file of the placeholder box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Runs of instances that follow the ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_ground: Vec<u32>,
    #[serde(default, skip_serializing_if = "super::extras::is_empty_json")]
    pub properties: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct MeshNote {
    /// `true` if the mesh is a placeholder box.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub placeholder: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uv_sets: Vec<UvNote>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub color_sets: Vec<ColorNote>,
    /// Hard edges that do not follow from the normals: pairs of vertices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hard_edges: Vec<u32>,
    /// Soft edges with different normals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub soft_edges: Vec<u32>,
    /// `true` if the mesh stored normals in addition to edges.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub normals: bool,
    /// Runs of hidden faces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct UvNote {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `true` if the set has its origin at the lower left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_left: bool,
    /// Runs of corners without coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmapped: Vec<u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct ColorNote {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Runs of corners without a colour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncolored: Vec<u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct PrimitiveNote {
    /// Polygons of the triangles: pairs of a number of corners and the number of such polygons. Empty: all are triangles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub polygons: Vec<u32>,
    /// Face numbers in the mesh, as runs. Empty: they follow the faces of the previous primitives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<u32>,
    /// Accessors of columns that are not attributes, because importers of other programs confuse several custom attributes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct MaterialNote {
    /// `true` if the material is that of a placeholder box.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub placeholder: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// `true` if games do not draw faces with the material.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tool: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_size: Option<[u32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classic: Option<ClassicNote>,
    /// `true` if vertex colours are visible. The reader needs this if no primitive has vertex colours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vertex_colors: bool,
    /// The fourth number of the emissive colour, if it is not 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emissive_alpha: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct ClassicNote {
    pub ambient: [f64; 4],
    pub specular: [f64; 4],
    pub shininess: f64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct ImageNote {
    /// `true` if the image was pixels, not a file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pixels: bool,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct LightNote {
    /// `true` if the intensity is not photometric.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub relative: bool,
    /// The fourth number of the colour, if it is not 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color_alpha: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attenuation: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ambient: Option<[f64; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specular: Option<[f64; 4]>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct CameraNote {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<[f64; 3]>,
    /// `true` if the aspect ratio was synthesized.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_aspect: bool,
    /// `true` if the far plane was synthesized.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_far: bool,
}
