//! `.wwd` ⇄ scene: what a level means.
//!
//! | in the file | in the scene |
//! |---|---|
//! | plane | root node with a tile layer; hidden if it is not drawn; `main` = true if it is the main plane |
//! | cells | the words as they are |
//! | image sets | tile sets; planes that name the same set share it, and it has a tile for each frame that a cell shows |
//! | movement | parallax: 1 for 100 % |
//! | tile properties | collision of the tiles of one set: the first of the main plane, else the first of all |
//! | object | entity below its plane, at (x, −y, z): class = logic, model = image set; hidden if it is not drawn |
//! | start | marker `start` behind the planes, at (x, −y) |
//! | other fields | properties by the names of the fields, unless they are 0 or empty; rectangles as four numbers (`rect_move_left`) |
//! | profile, bytes after the stored block | `style` (`editor`, `wapmap`) and `trailer` among the properties of the scene |
//! | checksum of another kind than the profile's | `checksum`, and of which main block in `checksum_block`: it is kept as long as that stays |
//!
//! Texts are bytes, spelled as [`spell`](crate::escape_bytes) does. Lengths are pixels; the format says nothing of metres. Where the
//! sections stand in files of an unusual order is not in the scene: [`merge_scene`] keeps it.
//!
//! The way back takes numbers as numbers or texts, and does not ask who wrote them. A scene whose property `format` is not `wwd`
//! did not come from a level: it gets what a level must have and the scene does not say, with a report.

mod count;
pub(crate) mod fields;
mod from;
mod images;
mod new;
mod tiles;
mod to;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, Estimate, Export, Feature, Import, Losses, Scene};

use crate::{Document, ReadError, WriteError, WriterProfile};

/// How the axes of files become those of scenes: (x, y, z) → (x, −y, z). In files y points down the screen; larger z is nearer in
/// both.
pub const AXES: AxisChange = AxisChange::FLIP_Y;

/// How to make a scene of a level.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {}

/// How to make a level of a scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// In which program's way the level is stored. `None`: as the scene says, which is the original editor's way if it says
    /// nothing.
    pub profile: Option<WriterProfile>,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { profile: None, max_bytes: Estimate::MAX_BYTES }
    }
}

impl ExportOptions {
    /// Changes [`profile`](Self::profile).
    #[must_use]
    pub fn with_profile(mut self, profile: Option<WriterProfile>) -> Self {
        self.profile = profile;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

/// Makes a scene of a level.
///
/// # Errors
/// When a plane has another number of cells than its grid, which never happens with a level that was read.
pub fn to_scene(document: &Document, _options: &ImportOptions) -> Result<Import, ReadError> {
    to::read(document)
}

/// Makes a new level of a scene.
///
/// # Errors
/// When the scene contradicts itself (see [`Scene::validate`]).
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    from::write(scene, options)
}

/// Puts a changed scene back into the level that it came from. What the scene says as before stays as it is, down to the byte: a
/// scene says everything of a level but where its sections stand and how it was stored, and that stays for as long as it fits. So
/// does the start if no marker of that name says where it is.
///
/// # Errors
/// As [`from_scene`]; then the level is as it was.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let Export { document: mut new, losses } = from_scene(scene, options)?;
    if !scene.walk().any(|visit| from::is_start(visit.node)) {
        (new.header.start_x, new.header.start_y) = (document.header.start_x, document.header.start_y);
    }
    let (layout, kept) = (document.layout.take(), document.kept.take());
    *document = Document { layout, kept, ..new };
    Ok(losses)
}

/// What a level can say of a scene.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::SceneNames, F::Hierarchy, F::HiddenNodes, F::Tiles, F::Entities])
        // What these lose depends on the values: the parts that write them say so.
        .full(&[F::Transforms, F::Markers, F::SceneProperties, F::EmbeddedImages, F::ExternalImages])
}

#[cfg(test)]
mod tests {
    #[test]
    fn down_the_screen_is_down() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, -2.0, 3.0]);
        assert!(super::AXES.reverses_winding());
    }
}
