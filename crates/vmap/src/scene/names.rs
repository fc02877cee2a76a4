//! Names of attributes, keys and nodes.

use mapwright_dmx::{ElementRef, Value};

use crate::{Entity, Node};

/// Position, identity and children of a node: never properties.
pub(super) const NODE: [&str; 7] =
    ["origin", "angles", "scales", "nodeID", "referenceID", "children", "transformLocked"];

// Attributes that are part of the content of a node, by kind.
pub(super) const ENTITY: [&str; 2] = ["entity_properties", "connectionsData"];
pub(super) const LIGHT: [&str; 1] = ["entity_properties"];
pub(super) const MESH: [&str; 2] = ["meshData", "smoothingAngle"];
pub(super) const INSTANCE: [&str; 1] = ["target"];
pub(super) const PREFAB: [&str; 4] = ["target", "targetMapPath", "variableOverrideNames", "variableOverrideValues"];
pub(super) const PATH: [&str; 1] = ["closedLoop"];
pub(super) const POINT: [&str; 2] = ["inTangent", "outTangent"];

/// Attributes of the root that are not properties of the scene: it has fields for them, a new map gets them from its options, or they
/// are reported as losses.
pub(super) const ROOT: [&str; 10] = [
    "defaultcamera",
    "3dcameras",
    "world",
    "visbility",
    "visibility",
    "rootSelectionSet",
    "editorbuild",
    "editorversion",
    "nodeInstanceData",
    "m_ReferencedMeshSnapshots",
];

/// Properties for the class and the name of an element. No attribute of a known map has these names.
pub(super) const CLASS: &str = "$class";
pub(super) const NAME: &str = "$name";
/// The property with the number of a node. Prefabs have it, and nodes that overlays refer to.
pub const NODE_NUMBER: &str = "nodeID";
/// The attribute of overlays that lists numbers of nodes.
pub(super) const OVERLAY_TARGETS: &str = "projectionTargets";
/// Class of elements without a meaning of their own.
pub(super) const PLAIN_CLASS: &str = "DmElement";
/// The property for unusual hidden flags.
pub(super) const HIDDEN_FLAGS: &str = "hiddenFlags";

/// Keys of entities that scenes have a field for.
pub(super) const CLASS_NAME: &str = "classname";
pub(super) const MODEL: &str = "model";

/// The property of a selection set with the index of its parent.
pub(super) const PARENT_SET: &str = "within";

/// Maximum depth of elements in properties. Each takes two levels of values.
pub(super) const MAX_DEPTH: usize = mapwright_scene::Value::MAX_DEPTH / 2 - 2;

/// Decodes text of the file.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a count with its noun, which has a regular plural.
pub(super) fn with_count(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the name for a node without one: its name in the game, else its class.
pub(super) fn fallback_name(node: ElementRef<'_>) -> &[u8] {
    let entity = Node(node).entity();
    let names = [entity.map(Entity::targetname), node.text("targetName"), entity.map(Entity::classname)];
    if let Some(name) = names.into_iter().flatten().find(|name| !name.is_empty()) {
        return name;
    }
    node.class().strip_prefix(b"CMap").unwrap_or(node.class())
}

/// Returns the name of a node.
pub(super) fn node_name(node: ElementRef<'_>) -> &[u8] {
    if node.name().is_empty() { fallback_name(node) } else { node.name() }
}

/// Returns the path of a node in losses: by its number.
pub(super) fn node_path(node: ElementRef<'_>) -> String {
    match node.get("nodeID") {
        Some(Value::Int(number)) => format!("nodes[{number}]"),
        _ => format!("elements[{}]", node.id().index()),
    }
}

/// Returns `true` if the children of a class include the points of a path.
pub(super) fn is_path(class: &[u8]) -> bool {
    matches!(class, b"CMapPath" | b"CMapCable" | b"CTrajectoryPath")
}

/// Returns `true` for classes of points of a path.
pub(super) fn is_point(class: &[u8]) -> bool {
    matches!(class, b"CMapPathNode" | b"CTrajectoryPathNode")
}

/// Returns `true` for materials that the game does not draw, such as `materials/tools/toolsclip.vmat`. `toolsblack` is drawn.
pub(super) fn is_tool_material(reference: &str) -> bool {
    let reference = reference.to_ascii_lowercase();
    let name = reference.rsplit('/').next().unwrap_or_default();
    reference.starts_with("materials/tools") && name.starts_with("tools") && !name.starts_with("toolsblack")
}

/// Returns the reference to a material without the common prefix and suffix.
pub(super) fn material_name(reference: &str) -> &str {
    let name = reference.strip_prefix("materials/").unwrap_or(reference);
    name.strip_suffix(".vmat").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_materials_that_the_game_draws_are_drawn() {
        for tool in [
            "materials/tools/toolsclip.vmat",
            "Materials/Tools/ToolsSkybox.vmat",
            "materials/tools_postprocess_volume.vmat",
        ] {
            assert!(is_tool_material(tool), "{tool}");
        }
        for drawn in
            ["materials/tools/toolsblack.vmat", "materials/tools/hammer.vmat", "materials/dev/toolsclip.vmat", ""]
        {
            assert!(!is_tool_material(drawn), "{drawn}");
        }
    }
}
