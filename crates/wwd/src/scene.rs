//! Conversion between levels and scenes.
//!
//! | in the file | in the scene |
//! |---|---|
//! | plane | root node with a tile layer; hidden if it is not drawn; `main` = true if it is the main plane |
//! | cells | the unchanged words |
//! | image sets | tile sets, shared by planes that name the same set; each contains a tile for each frame that a cell shows |
//! | movement | parallax: 1 for 100 % |
//! | tile properties | collision of the tiles of one set: the first of the main plane, else the first of all |
//! | object | entity, child of its plane, at (x, −y, z): class = logic, model = image set; hidden if it is not drawn |
//! | start | marker `start` after the planes, at (x, −y) |
//! | other fields | properties by the names of the fields, unless they are 0 or empty; rectangles as four numbers (`rect_move_left`) |
//! | profile, bytes after the stored block | `profile` (`editor`, `wapmap`) and `trailer` among the properties of the scene |
//! | checksum that the profile does not produce | `checksum`, and the Adler-32 of its main block in `checksum_block`: the checksum is preserved while that matches |
//!
//! Texts are bytes, escaped as [`escape_bytes`](crate::escape_bytes) does. Lengths are in pixels; the format does not define metres.
//! The offsets of sections in an unusual order are not part of the scene: [`merge_scene`] preserves them.
//!
//! The cells of a plane begin at 0. In a scene with another position of the main plane, its start and the objects outside of the plane move
//! with it, which is reported. Decimal numbers `width` and `height` are the size of an entity that a scene places at its top left corner; its
//! object is in the middle. An entity with a tile (`tile_set` and `tile`) is an object with that frame: see [`show_object_tiles`].
//!
//! The conversion from a scene reads numbers and strings alike. A scene whose property `format` is not `wwd` was not converted from a
//! level. Required data that it lacks is synthesized and reported.

mod fields;
mod object_tiles;
mod read;
mod values;
mod write;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, Estimate, Export, Feature, Import, Losses, Scene};
pub use object_tiles::show_object_tiles;

use crate::{Document, ReadError, WriteError, WriterProfile};

/// Axis change from files to scenes: (x, y, z) → (x, −y, z). In files y points down the screen. A larger z is nearer in both.
pub const AXES: AxisChange = AxisChange::FLIP_Y;

/// Options of [`to_scene`].
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {}

mapwright_io::options! {
    /// Options of [`from_scene`] and [`merge_scene`].
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// The program whose compressor and checksum are reproduced. `None`: the one that the scene names, else the original editor.
        pub profile: Option<WriterProfile> = None, with_profile;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}

/// Converts a level to a scene.
///
/// # Errors
/// If the number of cells of a plane differs from the size of its grid. A level that was read never has that error.
pub fn to_scene(document: &Document, _options: &ImportOptions) -> Result<Import, ReadError> {
    read::read_scene(document)
}

/// Converts a scene to a new level.
///
/// # Errors
/// If the scene is invalid; see [`Scene::validate`].
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    write::write_scene(scene, options)
}

/// Writes a changed scene back into its level. Unchanged parts stay the same, byte for byte. The offsets of sections and the stored
/// block are not part of a scene: they are preserved while they match. The start is preserved if the scene has no marker of that name.
///
/// # Errors
/// As [`from_scene`]; the level is unchanged then.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    write::merge_scene(document, scene, options)
}

/// Returns the features of scenes that levels can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::SceneNames, F::Hierarchy, F::HiddenNodes, F::Tiles, F::Entities])
        .approximated(F::TileLayouts, "rectangles in rows and columns")
        // Their losses depend on the values; the code that writes them reports them.
        .full(&[F::Transforms, F::Markers, F::SceneProperties, F::EmbeddedImages, F::ExternalImages])
}

#[cfg(test)]
mod tests {
    #[test]
    fn y_points_up_in_scenes() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, -2.0, 3.0]);
        assert!(super::AXES.reverses_winding());
    }
}
