//! Reads and writes Quake `.map` files, with standard or Valve 220 texture projections.
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
//! # Mapping
//!
//! | `.map` | scene |
//! |---|---|
//! | (x, y, z), Z up | (x, z, −y) |
//! | entity | a node with an entity; its brushes are the nodes below it |
//! | `classname` | the class of the entity; its other keys are the properties, as text |
//! | `origin` of an entity without brushes | translation of the node |
//! | its `angle` or `angles` | rotation of the node; the keys stay and are reused if they still match |
//! | entity `light` | a light: `light` is its range, `_color` its colour; `_light` contains both |
//! | brush | a brush of planes, each with the three points of the file |
//! | texture and its numbers | a material with that name, and a projection; `__TB_empty` is no material |
//! | numbers after them | properties of the side: `contents`, `flags`, `value`, then a list `extra` |
//!
//! Comments are ignored. Patches and brushes of other grammars (`patchDef2`, `brushDef`, `brushDef3`) are left out and counted;
//! a map that contains nothing else is an error.
//! Other contents are written as follows:
//!
//! | scene | `.map` |
//! |---|---|
//! | brushes below groups, or without an entity as ancestor | part of `worldspawn` |
//! | convex mesh | a brush, with projections fitted to its texture coordinates |
//! | marker | `info_null` with the name as `targetname` |
//! | path | a `path_corner` for each point |
//! | spot light | a `light` |
//! | other contents | left out |
//!
//! All changes are reported as losses. The file stores no unit, and lengths are written unchanged.
//!
//! Texture projections are written in the standard format if it stores all faces exactly, that is, if all textures follow the axes of
//! the face normal. Otherwise they are written in the Valve 220 format. Numbers have the fewest digits that read back the same. Files
//! that this crate wrote are written again with the same bytes.

mod angles;
mod light;
mod options;
mod read;
mod write;

use mapwright_scene::{AxisChange, Capabilities, Feature};

pub use options::{ExportOptions, ImportOptions, ProjectionFormat};
pub use read::to_scene;
pub use write::from_scene;

/// Z up, X forward, Y left. Points of faces are clockwise as seen from outside.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// The texture of faces without one, as editors write it.
const NO_TEXTURE: &str = "__TB_empty";
/// Names of the numbers after the texture of a side, as in Quake 2.
const FLAGS: [&str; 3] = ["contents", "flags", "value"];
/// Name of the list of further numbers.
const EXTRA: &str = "extra";
/// The rotation that Valve 220 stores for editors. The axes already contain it.
const VALVE_ROTATION: &str = "valve_rotation";
/// Assumed metres per unit: a player of Quake is 56 units high.
pub const METRES: f64 = 1.0 / 32.0;

/// Returns the features that a map can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    // The writer reports losses that depend on values: meshes, groups, transforms, the unit.
    Capabilities::none()
        .full(&[F::Brushes, F::SideProperties, F::Entities, F::Hierarchy, F::Transforms, F::Materials, F::Unit])
        .full(&[F::Meshes, F::Polygons, F::Uvs, F::Projections, F::PointLights, F::LightFalloff, F::LightProperties])
        .preserved(&[F::TextureSizes], "stored in the image")
        .approximated(F::SharedMeshes, "one copy per node")
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
