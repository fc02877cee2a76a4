//! Names of textures with a meaning, and names of numbers of faces.

/// The texture of faces without one, as editors write it.
pub(super) const NO_TEXTURE: &str = "__TB_empty";
/// Names of the numbers after the texture of a side, as in Quake 2.
pub(super) const FLAGS: [&str; 3] = ["contents", "flags", "value"];
/// Name of the list of further words.
pub(super) const EXTRA: &str = "extra";
/// The rotation that Valve 220 stores for editors. The axes already contain it.
pub(super) const VALVE_ROTATION: &str = "valve_rotation";
/// The matrix of a face of a brush primitive: two rows of three numbers.
pub(super) const MATRIX: &str = "matrix";
/// The properties of meshes that were a patch: its kind, the numbers after its texture, the segments of its curves, and its control points
/// in the axes of the file, five numbers each.
pub(super) const PATCH: &str = "patch";
pub(super) const PATCH_INFO: &str = "patch_info";
pub(super) const PATCH_SEGMENTS: &str = "patch_segments";
pub(super) const PATCH_POINTS: &str = "patch_points";
/// Assumed side of a texture of unknown size in texels. Most textures of the games have this size.
pub(super) const ASSUMED_SIZE: f64 = 64.0;

/// Returns `true` for textures that games do not draw, by the names that the compilers of Quake, Half-Life, Hexen II, Quake 3 and
/// Doom 3 know. Case is ignored.
pub(super) fn is_tool(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    match name.rsplit_once('/') {
        None => {
            let names = ["skip", "null", "clip", "hint", "hintskip", "trigger", "aaatrigger", "origin"];
            names.contains(&&*name) || name.starts_with("sky") || name.starts_with('*') && name.ends_with("skip")
        }
        Some((folder, name)) => match folder.strip_prefix("textures/").unwrap_or(folder) {
            "common" => ["caulk", "nodraw", "hint", "trigger", "origin"].contains(&name) || name.contains("clip"),
            folder => folder == "skies",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: Quake 2 map format: the three numbers of a side that follow its texture.
    #[test]
    fn numbers_of_sides_have_the_published_order() {
        assert_eq!(FLAGS, ["contents", "flags", "value"]);
    }

    #[test]
    fn textures_that_games_do_not_draw_are_tools() {
        let tools =
            ["clip", "SKY4", "*waterskip", "aaatrigger", "common/caulk", "textures/common/weapclip", "skies/dm1"];
        assert!(tools.into_iter().all(is_tool));
        let others = ["brick/clip", "*water1", "base/sky_panel", "eclipse", "common/black", "hints"];
        assert!(!others.into_iter().any(is_tool));
    }
}
