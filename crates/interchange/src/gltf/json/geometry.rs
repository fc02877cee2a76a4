//! Meshes and their numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Extras, MeshNote, PrimitiveNote};

/// Numbers that glTF adopted from OpenGL.
pub(in crate::gltf) mod codes {
    pub(in crate::gltf) const BYTE: u32 = 5120;
    pub(in crate::gltf) const UNSIGNED_BYTE: u32 = 5121;
    pub(in crate::gltf) const SHORT: u32 = 5122;
    pub(in crate::gltf) const UNSIGNED_SHORT: u32 = 5123;
    pub(in crate::gltf) const UNSIGNED_INT: u32 = 5125;
    pub(in crate::gltf) const FLOAT: u32 = 5126;
    pub(in crate::gltf) const ARRAY_BUFFER: u32 = 34962;
    pub(in crate::gltf) const ELEMENT_ARRAY_BUFFER: u32 = 34963;
    pub(in crate::gltf) const TRIANGLES: u32 = 4;
    pub(in crate::gltf) const TRIANGLE_STRIP: u32 = 5;
    pub(in crate::gltf) const TRIANGLE_FAN: u32 = 6;
    pub(in crate::gltf) const CLAMP_TO_EDGE: u32 = 33071;
    pub(in crate::gltf) const MIRRORED_REPEAT: u32 = 33648;
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct Mesh {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub primitives: Vec<Primitive>,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<MeshNote>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::gltf) struct Primitive {
    pub attributes: BTreeMap<String, u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indices: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
    /// Only read, to report the loss.
    #[serde(default, skip_serializing)]
    pub targets: Vec<serde::de::IgnoredAny>,
    /// Only read: compressed geometry must not be ignored.
    #[serde(default, skip_serializing)]
    pub extensions: PrimitiveExtensions,
    #[serde(default, skip_serializing_if = "Extras::is_empty")]
    pub extras: Extras<PrimitiveNote>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(in crate::gltf) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression", default)]
    pub draco: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Accessor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer_view: Option<u32>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub max: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub min: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::gltf) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct SparseIndices {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct SparseValues {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct BufferView {
    pub buffer: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub byte_offset: u64,
    pub byte_length: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte_stride: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Buffer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    pub byte_length: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature that serde asks for
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::codes;

    /// Source: glTF 2.0 specification, "Accessor data types", "bufferView.target", "primitive.mode" and "sampler.wrapS".
    #[test]
    fn codes_have_the_published_numbers() {
        let component_types = [
            ("BYTE", codes::BYTE, 5120),
            ("UNSIGNED_BYTE", codes::UNSIGNED_BYTE, 5121),
            ("SHORT", codes::SHORT, 5122),
            ("UNSIGNED_SHORT", codes::UNSIGNED_SHORT, 5123),
            ("UNSIGNED_INT", codes::UNSIGNED_INT, 5125),
            ("FLOAT", codes::FLOAT, 5126),
        ];
        let targets = [
            ("ARRAY_BUFFER", codes::ARRAY_BUFFER, 34962),
            ("ELEMENT_ARRAY_BUFFER", codes::ELEMENT_ARRAY_BUFFER, 34963),
        ];
        let modes = [
            ("TRIANGLES", codes::TRIANGLES, 4),
            ("TRIANGLE_STRIP", codes::TRIANGLE_STRIP, 5),
            ("TRIANGLE_FAN", codes::TRIANGLE_FAN, 6),
        ];
        let wraps =
            [("CLAMP_TO_EDGE", codes::CLAMP_TO_EDGE, 33071), ("MIRRORED_REPEAT", codes::MIRRORED_REPEAT, 33648)];
        for (name, code, number) in component_types.into_iter().chain(targets).chain(modes).chain(wraps) {
            assert_eq!(code, number, "{name}");
        }
    }
}
