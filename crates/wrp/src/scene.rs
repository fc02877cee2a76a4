//! Conversion of `.wrp` to and from scenes.
//!
//! | in the file | in the scene |
//! |---|---|
//! | heights | root node `terrain` with a heightmap; rows run north, so the step along Z is negative; quads are divided from (c + 1, r) to (c, r + 1) |
//! | raw heights of 1WVR to 4WVR | steps of 0.045 m, exact |
//! | textures, materials | materials with the file name as their reference, at the same indices; none for the sea and empty slots |
//! | texture cells | cells of the heightmap; indices that are out of range are preserved |
//! | the sea | water level 0 |
//! | objects | root node `objects` with an instance set for each model; names that differ only in case share a set |
//! | index and ID of an object | the columns `order` and `ids` |
//! | an object that fits to the ground | the column `on_ground`; its position is on the surface |
//! | the variant | the property `variant` of the scene |
//!
//! Lengths are metres. Models are file names. The position of an instance is that of the *bounding centre* of its model. Texts are
//! bytes, escaped by [`escape_bytes`](mapwright_io::escape_bytes). The scene does not contain the other parts of a [`Document`];
//! [`merge_scene`] preserves them.

mod axes;
mod read;
mod write;

pub use axes::AXES;
pub use mapwright_scene;
use mapwright_scene::{Capabilities, Estimate, Export, Feature, Import, Losses, Scene};

use crate::{Document, ReadError, WriteError, WriteErrorKind};

/// Options for converting a terrain to a scene.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {}

mapwright_io::options! {
    /// Options for converting a scene to a terrain.
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// Variant of the terrain. `None` selects the variant that the scene came from, or the nearest one that can be written. For
        /// scenes from elsewhere, this is 4WVR if it is exact: for heights in steps of 0.045 m and cells of 50 m. Else it is 8WVR, as it
        /// is for a terrain of 4WVR whose cells are not 50 m large any more.
        pub variant: Option<Variant> = None, with_variant;
        /// Resamples the heights to a square with this number of heights per side. `None`: the heights stay as they are.
        pub size: Option<u32> = None, with_size;
        /// Cuts out this number of heights per side, from the south-west corner. `None`: all heights.
        pub crop: Option<u32> = None, with_crop;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}

/// Variant of a new terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// 4WVR.
    Wvr4,
    /// 8WVR.
    Wvr8,
}

/// Converts a terrain to a scene.
///
/// # Errors
/// Fails if a grid does not match its size, which never happens with an unedited terrain.
pub fn to_scene(document: &Document, _options: &ImportOptions) -> Result<Import, ReadError> {
    read::read_scene(document)
}

/// Converts the first heightmap and the instances of a scene to a new terrain.
///
/// # Errors
/// Fails if the scene is invalid (see [`Scene::validate`]), has no heightmap, or exceeds the size limit.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    write::write_scene(scene, options)
}

/// Merges a changed scene into the terrain that it came from. Parts that are unchanged in the scene keep their bytes.
///
/// A scene from elsewhere that contains only a heightmap changes only the heights.
///
/// # Errors
/// As [`from_scene`], or if the heightmap and the terrain differ in size. The terrain is not changed then.
pub fn merge_scene(document: &mut Document, scene: &Scene, _options: &ExportOptions) -> Result<Losses, WriteError> {
    let Ok(Import { scene: before, .. }) = read::read_scene(document) else {
        let text = "grids of the terrain do not match their sizes";
        return Err(WriteError::without_position(WriteErrorKind::Scene(text.to_owned())));
    };
    // An unchanged scene changes nothing, even if the exporter would reject it.
    if before == *scene {
        return Ok(Losses::new());
    }
    write::merge_scene(document, scene, &before)
}

/// Returns the features of scenes that terrains can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Terrains, F::Instances, F::MaterialReferences, F::Hierarchy, F::Transforms, F::Unit])
        // The losses of these depend on the values, so the writer reports them.
        .full(&[F::WaterLevels, F::Materials, F::SceneProperties])
}
