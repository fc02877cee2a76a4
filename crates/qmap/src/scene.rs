//! Converts maps to and from the scene model.
//!
//! | in the file | in the scene |
//! |---|---|
//! | (x, y, z), z up | (x, z, −y) |
//! | entity | node with an entity; its brushes are the nodes below it |
//! | `classname`, `model`, other keys | class, model and properties of the entity, as text |
//! | `origin` of an entity without brushes | translation of the node |
//! | its `angle` or `angles` | rotation of the node; the keys stay and are reused if they still match |
//! | `light` and other classes of lights | light: `light` is its range, `_color` its colour; `_light` contains both |
//! | `func_group`; layer or group of TrenchBroom | group with the property `group`: `func_group`, `layer` or `group`. Its other keys are properties. Members are below it. Layers can be hidden and locked |
//! | `func_detail` and its variants | group with the property `detail`: the class |
//! | brush | brush with the planes of the file and with polygons. A brush that encloses no space has no polygons |
//! | patch | mesh with normals and texture coordinates. Its properties contain the control points, so that it becomes a patch again |
//! | texture | material of that name. `__TB_empty` and the empty names of other editors are no material |
//! | mapping of a texture | texture projection. Brush primitives store repeats of the texture, not texels: they are read for a texture of 64 × 64, see [`apply_texture_sizes`] |
//! | words after the mapping | properties of the side: `contents`, `flags`, `value`, then a list `extra` |
//! | `// Game:` other than `Quake` and `Quake 2` | property `game` of the scene |
//!
//! Comments, among them the layers of netradiant-custom, and the number formatting are not in the scene: [`merge_scene`] preserves them.
//! Other contents are written as follows:
//!
//! | in the scene | in a new file |
//! |---|---|
//! | group with a name | group of TrenchBroom; without a name, its members only |
//! | brushes without an entity as ancestor | part of `worldspawn` or of the group |
//! | convex mesh | brush, with projections fitted to its texture coordinates |
//! | marker | `info_player_start` if its name contains `start`, otherwise `info_null`, with the name as `targetname` |
//! | path | `path_corner` for each point |
//! | spot light | `light` |
//! | other contents | left out |
//!
//! A file stores no unit. Lengths are written unchanged, and one unit is 1/32 m, or an inch in Half-Life and Doom 3.
//!
//! Texture projections are written in the standard format if it stores all faces exactly, that is, if all textures follow the axes of
//! the face normal. Otherwise they are written in the Valve 220 format. Numbers have the fewest digits that read back the same.

mod angles;
mod classes;
mod light;
mod read;
mod textures;
mod write;

pub use mapwright_scene;
use mapwright_scene::images::TextureSizes;
use mapwright_scene::{AxisChange, Capabilities, Estimate, Export, Feature, Import, Losses, Scene};

use crate::{Document, Patch, ReadError, WriteError};

/// The change of axes from files, where z points up, to scenes: (x, y, z) → (x, z, −y). Points of faces are clockwise as seen from
/// outside.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// Assumed metres per unit of most games: a player of Quake is 56 units high.
pub const METRES_PER_UNIT: f64 = 1.0 / 32.0;

mapwright_io::options! {
    /// Options for converting a map to a scene.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ImportOptions {
        /// Metres per unit of length, which the file does not store. `None`: that of the game.
        pub metres_per_unit: Option<f64> = None, with_metres_per_unit(f64);
        /// Number of segments of each curve of a patch that states none. Default: 8.
        pub patch_segments: usize = Patch::SEGMENTS, with_patch_segments;
        /// Maximum number of points of all patches together. Default: 4 million.
        pub max_patch_points: usize = 4_000_000, with_max_patch_points;
    }
}

mapwright_io::options! {
    /// Options for converting a scene to a map.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ExportOptions {
        /// The format of texture projections.
        pub projection: ProjectionFormat = ProjectionFormat::Auto, with_projection;
        /// Moves the planes of brushes to a grid with this step if each corner moves by at most half a step. Other brushes are not moved,
        /// and are reported. `None`: planes are written as they are.
        pub snap: Option<f64> = None, with_snap(f64);
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}

/// The format of texture projections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ProjectionFormat {
    /// Standard if it stores all projections exactly, else Valve 220.
    #[default]
    Auto,
    /// Standard Quake: shift, rotation and scale on axes that follow from the normal of the face. Other projections are approximated.
    Standard,
    /// Valve 220: with texture axes.
    Valve,
}

/// Converts a map to a scene. Each entity, brush and patch becomes a node, in order.
///
/// # Errors
/// If the patches have more points than the options allow. Data that a scene cannot represent is left out and reported.
pub fn to_scene(document: &Document, options: &ImportOptions) -> Result<Import, ReadError> {
    read::read_scene(document, options)
}

/// Converts a scene to a new map: `worldspawn`, then the other entities in the order of the tree.
///
/// # Errors
/// If the scene contradicts itself (see [`Scene::validate`]), if a transform moves a point out of range, and for more text than the
/// options allow.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    write::write_scene(scene, options)
}

/// Applies a changed scene to the map that it came from. Unchanged data keeps its bytes.
///
/// # Errors
/// As [`from_scene`]. The map is unchanged then.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    write::merge_scene(document, scene, options)
}

/// Applies the sizes of textures to the projections of brush primitives, which store repeats of the texture. For scenes of maps whose
/// materials got images after reading.
pub fn apply_texture_sizes(scene: &mut Scene) {
    let sizes = TextureSizes::new(scene, &vec![false; scene.materials.len()], &mut Losses::new());
    for side in scene.brushes.iter_mut().flat_map(|(_, brush)| &mut brush.sides) {
        if side.properties.get(textures::MATRIX).is_some() {
            side.projection.scale = sizes.texture_size(side.material).map(f64::recip);
        }
    }
}

/// Returns the metres per unit of a map, by the convention of its game: 1/32, or an inch in Half-Life and Doom 3.
pub fn metres_per_unit(document: &Document) -> f64 {
    classes::metres_per_unit(classes::game_of(document).as_deref())
}

/// Returns the features of scenes that maps can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    // The writer reports losses that depend on values: meshes, groups, transforms, hidden nodes, the unit.
    Capabilities::none()
        .full(&[F::Brushes, F::SideProperties, F::Entities, F::Hierarchy, F::Transforms, F::Materials, F::Unit])
        .full(&[F::Meshes, F::Polygons, F::Uvs, F::Projections, F::PointLights, F::LightFalloff, F::LightProperties])
        .full(&[F::HiddenNodes, F::LockedNodes, F::NodeProperties, F::SceneProperties, F::MeshProperties, F::Normals])
        .preserved(&[F::TextureSizes], "stored in the image")
        .approximated(F::SharedMeshes, "one copy per node")
        .approximated(F::SpotLights, "as a point light")
        .approximated(F::Markers, "as a point entity")
        .approximated(F::Paths, "as path_corner entities")
        .approximated(F::BaseColorTextures, "by the name of the material")
}

#[cfg(test)]
mod tests {
    #[test]
    fn z_up_becomes_y_up() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
    }
}
