//! Quake `.map`, in the standard spelling and in that of Valve (220), in and out.
//!
//! ```
//! use mapwright_interchange::map;
//!
//! let file = br#"{ "classname" "worldspawn" }
//! { "classname" "info_player_start" "origin" "32 -64 24" "angle" "90" }"#;
//! let import = map::to_scene(file, &map::ImportOptions::default())?;
//! assert_eq!(import.scene.nodes.items()[1].transform.origin(), [32.0, 24.0, 64.0]);
//!
//! let export = map::from_scene(&import.scene, &map::ExportOptions::default())?;
//! assert!(String::from_utf8_lossy(&export.document.main).contains("\"origin\" \"32 -64 24\""));
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! # What is what
//!
//! | `.map` | scene |
//! |---|---|
//! | (x, y, z), Z up | (x, z, −y) |
//! | entity | a node with an entity; its brushes are the nodes below it |
//! | `classname` | the class of the entity; its other keys are the properties, as text |
//! | `origin` of an entity without brushes | where the node is |
//! | `angle`, `angles` of one | how the node is turned; the keys stay, for numbers that need not change |
//! | entity `light` | a light: `light` is its range, `_color` its colour; `_light` gives both |
//! | brush | a brush of planes, each with the three points of the file |
//! | texture and its numbers | a material of that name and a projection; `__TB_empty` is no material |
//! | numbers behind them | properties of the side: `contents`, `flags`, `value`, then a list `extra` |
//!
//! Comments are passed over. Patches and brushes of other grammars (`patchDef2`, `brushDef`, `brushDef3`) are left out and counted.
//! Written are also:
//!
//! | scene | `.map` |
//! |---|---|
//! | brushes below groups, or without an entity above them | in `worldspawn` |
//! | convex mesh | a brush, with projections fitted to its texture coordinates |
//! | marker | `info_null` with the name as `targetname` |
//! | path | a `path_corner` for each point |
//! | spot light | a `light` |
//! | what else there is | left out |
//!
//! Everything that is left out or changed is in the losses. The file says no unit, and lengths are written as they are.
//!
//! The standard spelling is taken if it can say all faces exactly: those whose textures follow the axes that the
//! direction of the face gives. Otherwise, Valve's is. Numbers are the shortest that read back as the same, so that what
//! was read is written with the same numbers, and what was written and read is written as the same bytes.

mod angles;
mod light;
mod options;
mod read;
mod write;

use mapwright_scene::{AxisChange, Capabilities, Feature};

pub use options::{ExportOptions, ImportOptions, ProjectionFormat};
pub use read::to_scene;
pub use write::from_scene;

/// Z up, X forward, Y left. Points of faces run clockwise as seen from outside.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// The texture that editors show where a face has none.
const NO_TEXTURE: &str = "__TB_empty";
/// The names of the numbers behind the texture of a side: those of Quake 2.
const FLAGS: [&str; 3] = ["contents", "flags", "value"];
/// The numbers behind these.
const EXTRA: &str = "extra";
/// The turn that Valve's spelling carries along for editors; the axes have it in them.
const VALVE_ROTATION: &str = "valve_rotation";
/// Metres in a unit, where nobody says otherwise: a player of Quake is 56 units high.
const METRES: f64 = 1.0 / 32.0;

/// What a map can say.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    // The writer reports itself what depends on values: meshes, groups, transforms, the unit.
    Capabilities::none()
        .full(&[F::Brushes, F::SideProperties, F::Entities, F::Hierarchy, F::Transforms, F::Materials, F::Unit])
        .full(&[F::Meshes, F::Polygons, F::Uvs, F::Projections, F::PointLights, F::LightFalloff, F::LightProperties])
        .preserved(&[F::TextureSizes], "the picture has it")
        .approximated(F::SharedMeshes, "written once for each of them")
        .approximated(F::SpotLights, "as a point light")
        .approximated(F::Markers, "as info_null")
        .approximated(F::Paths, "as path_corner entities")
        .approximated(F::BaseColorTextures, "by the name of the material")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: Quake 2 map format: the three numbers of a side that follow its texture.
    #[test]
    fn numbers_of_sides_have_the_published_order() {
        assert_eq!(FLAGS, ["contents", "flags", "value"]);
    }
}
