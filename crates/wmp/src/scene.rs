//! `.wmp` ⇄ scene: what a map means.
//!
//! | in the file | in the scene |
//! |---|---|
//! | object with other objects | group |
//! | object with one block or entity | one node, with the place of the object |
//! | convex block | brush; polygons as stored, of A4 planes alone |
//! | other block | mesh with texture projections, and texture coordinates where stored |
//! | texture | material of that name; a face without an entry has none |
//! | vectors, offset, rotation, scale | texture projection; `local` if the texture moves with the block |
//! | model, region | entity of class `model`, `region` |
//! | start | marker |
//! | light, sound, path | light, sound, path; colours and volumes of 100 % are 1 |
//! | sun, ambient light | root nodes `sun` (directional) and `ambient` |
//! | other settings of the level, palette, sources of textures | properties of the scene; on the way back a day of creation of more than 100 bytes is dropped |
//! | other fields | properties, unless they are 0, empty or usual (albedo 50) |
//!
//! Lengths are quants; the format says nothing of metres. Texts are bytes, spelled as [`spell`](crate::io::escape_bytes) does. What
//! else files hold, such as comments and windows of the editor, is not in the scene: [`merge_scene`] keeps it.

mod entity_class;
mod parts;
mod read;
mod shapes;
mod sun;
mod texture_lock;
mod values;
mod write;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, Estimate, Export, Feature, Import, Losses, Scene};

use self::write::{Before, TreeChange, write_scene};
use crate::{Dialect, Document, ReadError, WriteError};

/// How the axes of files become those of scenes: (x, y, z) → (x, z, −y). In files z points up.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// How to make a scene of a map.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {}

/// How to make a map of a scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Which form is made.
    pub form: Form,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { form: Form::default(), max_bytes: Estimate::MAX_BYTES }
    }
}

/// A form that maps are made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// Text, version 710.
    #[default]
    Text,
    /// WMPB, which can hold meshes that are not convex.
    Binary,
}

impl Form {
    const fn dialect(self) -> Dialect {
        match self {
            Self::Text => Dialect::A7,
            Self::Binary => Dialect::Binary,
        }
    }
}

impl ExportOptions {
    /// Changes [`form`](Self::form).
    #[must_use]
    pub fn with_form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

/// Makes a scene of a map.
///
/// # Errors
/// None: what has no meaning is left out, and reported.
pub fn to_scene(document: &Document, _options: &ImportOptions) -> Result<Import, ReadError> {
    Ok(read::read_scene(document))
}

/// Makes a new map of a scene.
///
/// # Errors
/// When the scene contradicts itself (see [`Scene::validate`]).
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let mut document = Document::new(options.form.dialect());
    let properties = read::scene_properties(&document);
    let before = Before { properties: &properties, scene: None };
    let (losses, _) = write_scene(&mut document, before, scene, options.max_bytes)?;
    document.renumber();
    Ok(Export { document, losses })
}

/// Puts a changed scene back into the map that it came from. What the scene says as before stays as it is, down to the byte.
///
/// # Errors
/// When the scene contradicts itself (see [`Scene::validate`]), or when the map could not be written; then it is as it was.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let old = read::read_scene(document).scene;
    if old == *scene {
        return Ok(Losses::new());
    }
    let mut changed = document.clone();
    let before = Before { properties: &old.properties, scene: Some(&old) };
    let (losses, change) = write_scene(&mut changed, before, scene, options.max_bytes)?;
    match change {
        TreeChange::None => {}
        // A map whose numbers do not follow its tree keeps them. Added parts got the next ones.
        TreeChange::Reordered if !is_numbered(document) => changed.recount(),
        TreeChange::Reordered | TreeChange::Removed => changed.renumber(),
    }
    // A scene that gives an invalid file must not change the document.
    changed.to_bytes()?;
    *document = changed;
    Ok(losses)
}

/// Returns `true` if the numbers of a document follow its tree.
fn is_numbered(document: &Document) -> bool {
    let mut again = document.clone();
    again.renumber();
    again == *document
}

/// What a map can say of a scene.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[
            F::Hierarchy,
            F::Brushes,
            F::BrushProperties,
            F::SideProperties,
            F::Projections,
            F::Entities,
            F::Markers,
            F::Sounds,
            F::Paths,
        ])
        .full(&[F::Materials, F::TextureSizes, F::PointLights, F::SceneProperties, F::NodeProperties])
        // What these lose depends on the values: the parts that write them say so.
        .full(&[F::Transforms, F::Meshes, F::Polygons, F::Uvs, F::PartialUvs, F::Attributes, F::MeshProperties])
        .full(&[F::LightFalloff, F::LightProperties, F::DirectionalLights, F::AmbientLights, F::HardEdges])
        .approximated(F::SharedMeshes, "a block for each node")
}

#[cfg(test)]
mod tests {
    #[test]
    fn up_is_up() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
        // Faces are clockwise in files and counter-clockwise in scenes all the same.
        assert!(!super::AXES.reverses_winding());
    }
}
