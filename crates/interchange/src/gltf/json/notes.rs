//! What this crate writes into `extras.mapwright`, so that its reader gives back the same scene.
//!
//! Other programs pass over it. Nothing here is needed to show the document.

use serde::{Deserialize, Serialize};

use super::Json;

/// On the scene: written always, so that it tells our documents from others.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct SceneNote {
    /// The version of all notes of the document; raised when old ones would be misread.
    pub version: u32,
    /// Metres per unit of the scene, if it said so; the last node then scales all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metres_per_unit: Option<f64>,
}

impl SceneNote {
    /// The version that is written.
    pub(in crate::gltf) const VERSION: u32 = 1;
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct NodeNote {
    /// The node only scales units to metres.
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
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct PrefabNote {
    pub reference: String,
    #[serde(default, skip_serializing_if = "Json::is_empty")]
    pub overrides: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct EntityNote {
    pub class: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Json::is_empty")]
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
    /// The model file that the placeholder box stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Runs of instances that are to be on the ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_ground: Vec<u32>,
    #[serde(default, skip_serializing_if = "Json::is_empty")]
    pub properties: Json,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct MeshNote {
    /// The mesh is a box for models that are elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub placeholder: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uv_sets: Vec<UvNote>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub color_sets: Vec<ColorNote>,
    /// Hard edges that do not show in the normals: pairs of vertices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hard_edges: Vec<u32>,
    /// Edges that are not hard although the normals differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub soft_edges: Vec<u32>,
    /// Whether the mesh had normals of its own, besides its edges.
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
    /// Whether the set had its origin at the lower left.
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
    /// How the triangles make polygons: pairs of a number of corners and how many such polygons follow.
    /// Empty: all are triangles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub polygons: Vec<u32>,
    /// Which faces of the mesh they are: runs. Empty: the ones after those of the primitives before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct MaterialNote {
    /// The material is that of a box for models that are elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub placeholder: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_size: Option<[u32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classic: Option<ClassicNote>,
    /// Whether colours of corners are seen, where no primitive tells.
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
    /// The picture was plain pixels, not a file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pixels: bool,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct LightNote {
    /// The intensity counts nothing photometric.
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
    /// The aspect was made up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_aspect: bool,
    /// The far plane was made up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_far: bool,
}
