//! `.wrp` ⇄ scene: what a terrain means.
//!
//! | in the file | in the scene |
//! |---|---|
//! | heights | root node `terrain` with a height field; rows run north, so the step along Z is negative |
//! | raw heights of 1WVR to 4WVR | steps of 0.045 m, exact |
//! | textures, materials | materials with the file as their reference, in the places that the file gives them; sea and empty slots are none |
//! | texture cells | cells of the height field; numbers beyond the table stay what they are |
//! | the sea | the water level 0 |
//! | objects | root node `objects`, below it an instance set for each model (names in upper and lower case are one) |
//! | an object's place in the file, its number | the columns `order` and `ids` |
//! | an object that fits to the ground | the column `on_ground`; it stands on the surface |
//! | the variant | `variant` among the properties of the scene |
//!
//! Lengths are metres. Models are names of files: the point that stands at the place of an instance is the model's *bounding centre*.
//! Texts are bytes, spelled as [`spell`](mapwright_io::escape_bytes) does. What else files hold ([`Document`]) is not in the scene:
//! [`merge_scene`] keeps it.

mod from;
mod merge;
mod names;
mod objects;
mod surface;
mod to;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, Estimate, Export, Feature, Import, Losses, Scene};

use crate::{Document, ReadError, WriteError};

/// How the axes of files become those of scenes: (x, y, z) → (x, y, −z). In files z points north.
pub const AXES: AxisChange = AxisChange::FLIP_Z;

/// How to make a scene of a terrain.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {}

/// How to make a terrain of a scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Which variant is made. `None`: the one that the scene came from, or its relative that can be written; for scenes from
    /// elsewhere 4WVR where heights are in steps, and else 8WVR.
    pub variant: Option<Variant>,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { variant: None, max_bytes: Estimate::MAX_BYTES }
    }
}

/// A variant that terrains are made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// 4WVR.
    Wvr4,
    /// 8WVR.
    Wvr8,
}

impl ExportOptions {
    /// Changes [`variant`](Self::variant).
    #[must_use]
    pub fn with_variant(mut self, variant: Option<Variant>) -> Self {
        self.variant = variant;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

/// Makes a scene of a terrain.
///
/// # Errors
/// When a grid has another number of values than its size says, which never happens with a terrain that was read.
pub fn to_scene(document: &Document, _options: &ImportOptions) -> Result<Import, ReadError> {
    to::read(document)
}

/// Makes a new terrain of a scene: of its first height field, and its instances.
///
/// # Errors
/// When the scene contradicts itself (see [`Scene::validate`]), or has no height field.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    from::write(scene, options)
}

/// Puts a changed scene back into the terrain that it came from. What the scene says as before stays as it is, down to the byte.
///
/// A scene that came from elsewhere and has a height field alone, such as a picture of heights, changes the heights and nothing
/// else.
///
/// # Errors
/// As [`from_scene`], and when the height field has another size than the terrain; then the terrain is as it was.
pub fn merge_scene(document: &mut Document, scene: &Scene, _options: &ExportOptions) -> Result<Losses, WriteError> {
    merge::merge(document, scene)
}

/// What a terrain can say of a scene.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Terrains, F::Instances, F::MaterialReferences, F::Hierarchy, F::Transforms, F::Unit])
        // What these lose depends on the values: the parts that write them say so.
        .full(&[F::WaterLevels, F::Materials, F::SceneProperties])
}

#[cfg(test)]
mod tests {
    #[test]
    fn north_is_forward() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 2.0, -3.0]);
        assert!(super::AXES.reverses_winding());
    }
}
