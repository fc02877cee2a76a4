//! Names of keys, properties and nodes.

use mapwright_scene::NodeId;

pub(super) const CLASS: &str = "classname";
pub(super) const MODEL: &str = "model";
pub(super) const ORIGIN: &str = "origin";
pub(super) const ANGLES: &str = "angles";
pub(super) const TARGET_NAME: &str = "targetname";
pub(super) const WORLD_CLASS: &str = "worldspawn";
pub(super) const OVERLAY_CLASS: &str = "info_overlay";
pub(super) const INSTANCE_CLASS: &str = "func_instance";
/// The class of markers.
pub(super) const MARKER_CLASS: &str = "info_target";
/// The class of points of paths.
pub(super) const PATH_CLASS: &str = "path_corner";

// Properties of nodes, sides and scenes.
pub(super) const COMMENTS: &str = "comments";
pub(super) const ID: &str = "id";
pub(super) const ACTIVE: &str = "active";
pub(super) const PREFAB_NAME: &str = "targetName";
pub(super) const FIXUP: &str = "fixupEntityNames";
pub(super) const FIXUP_STYLE: &str = "fixup_style";
/// The property of a set with the index of its parent.
pub(super) const PARENT_SET: &str = "within";
pub(super) const CORDONS: &str = "cordons";
pub(super) const SEPARATOR: &str = "output_separator";
/// The value of [`SEPARATOR`] for the byte 0x1B.
pub(super) const ESCAPE: &str = "escape";
pub(super) const IS_PREFAB: &str = "isprefab";
pub(super) const GRID_SPACING: &str = "gridspacing";
pub(super) const SHOW_GRID: &str = "showgrid";
/// The attribute of meshes of displacements for the weight of the second texture.
pub(super) const BLEND: &str = "VertexPaintBlendParams";

/// The name of cameras, which maps do not name.
pub(super) const CAMERA: &str = "camera";

/// Keys of sides that scenes have a field for, or that follow from others.
pub(super) const SIDE_FIELDS: [&str; 5] = ["id", "plane", "material", "uaxis", "vaxis"];
/// Keys of sides with the value that scenes leave out.
pub(super) const SIDE_DEFAULTS: [(&str, &str); 3] =
    [("rotation", "0"), ("lightmapscale", "16"), ("smoothing_groups", "0")];

/// Returns the path of a node of the scene in losses.
pub(super) fn node_path(id: NodeId) -> String {
    format!("nodes[{}]", id.index())
}

/// Returns `true` for materials that games do not draw, such as `tools/toolsclip`. `toolsblack` is drawn.
pub(super) fn is_tool_material(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('\\', "/");
    name.strip_prefix("tools/tools").is_some_and(|rest| !rest.starts_with("black"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_materials_that_games_draw_are_drawn() {
        for tool in ["tools/toolsclip", "TOOLS/TOOLSNODRAW", "tools\\toolsskybox"] {
            assert!(is_tool_material(tool), "{tool}");
        }
        for drawn in ["tools/toolsblack", "dev/toolsclip", "tools/climb", ""] {
            assert!(!is_tool_material(drawn), "{drawn}");
        }
    }
}
