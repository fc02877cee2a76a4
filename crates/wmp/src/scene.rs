//! Converts maps to and from the scene model.
//!
//! | in the file | in the scene |
//! |---|---|
//! | object with other objects | group |
//! | object with one block or entity | one node, with the transform of the object |
//! | convex block | brush, with its polygons; of A4 only planes |
//! | other block | mesh with texture projections, and with texture coordinates where stored |
//! | texture | material of that name; a face without an entry has none |
//! | vectors, offset, rotation, scale | texture projection; `local` if the texture moves with the block |
//! | model, region | entity of class `model`, `region` |
//! | start | marker |
//! | light, sound, path | light, sound, path; colours and volumes of 100 % are 1 |
//! | sun, ambient light | root nodes `sun` (directional) and `ambient` |
//! | other settings of the level, palette, texture sources | properties of the scene |
//! | other fields | properties, unless they have their default |
//!
//! The key `wad` of an entity `worldspawn`, which lists the texture files of a Quake map, becomes texture sources.
//!
//! Lengths are quants, for which the format states no size. Text is escaped as by [`escape_bytes`](crate::io::escape_bytes). Other data,
//! such as comments and windows of the editor, is not in the scene: [`merge_scene`] preserves it.

mod entity_class;
mod fields;
mod parts;
mod read;
mod shapes;
mod sun;
mod texture_lock;
mod values;
mod write;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, Estimate, Export, Feature, Import, Losses, Scene};

use self::write::{OldScene, TreeChange, write_scene};
use crate::{Dialect, Document, ReadError, WriteError};

/// The change of axes from files, where z points up, to scenes: (x, y, z) → (x, z, −y).
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// Options for converting a map to a scene.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {}

mapwright_io::options! {
    /// Options for converting a scene to a map.
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// The form of the map.
        pub form: Form = Form::default(), with_form;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}

/// A form of new maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// Text, version 710.
    #[default]
    Text,
    /// WMPB, which can store meshes that are not convex.
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

/// Converts a map to a scene.
///
/// # Errors
/// None. Data that a scene cannot represent is left out and reported.
pub fn to_scene(document: &Document, _options: &ImportOptions) -> Result<Import, ReadError> {
    Ok(read::read_scene(document))
}

/// Converts a scene to a new map.
///
/// # Errors
/// If the scene contradicts itself (see [`Scene::validate`]).
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let mut document = Document::new(options.form.dialect());
    let properties = read::scene_properties(&document);
    let before = OldScene { properties: &properties, scene: None };
    let (losses, _) = write_scene(&mut document, before, scene, options.max_bytes)?;
    document.renumber();
    Ok(Export { document, losses })
}

/// Applies a changed scene to the map that it came from. Unchanged data keeps its bytes.
///
/// # Errors
/// If the scene contradicts itself (see [`Scene::validate`]), or if the result could not be written. The map is unchanged then.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let old = read::read_scene(document).scene;
    if old == *scene {
        return Ok(Losses::new());
    }
    let mut changed = document.clone();
    let before = OldScene { properties: &old.properties, scene: Some(&old) };
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

/// Returns the features of scenes that maps can store.
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
        // Their losses depend on the values, and are reported when writing.
        .full(&[F::Transforms, F::Meshes, F::Polygons, F::Uvs, F::PartialUvs, F::Attributes, F::MeshProperties])
        // Files have only hard edges. Soft ones are reported when writing.
        .full(&[F::HardEdges])
        .full(&[F::LightFalloff, F::LightProperties, F::DirectionalLights, F::AmbientLights])
        .approximated(F::SharedMeshes, "one block per node")
        .approximated(F::SpotLights, "point light")
        .approximated(F::AreaLights, "point light")
        .approximated(F::OtherLights, "point light")
}

#[cfg(test)]
mod tests {
    #[test]
    fn z_up_becomes_y_up() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
        // The winding still differs: faces are clockwise in files and counter-clockwise in scenes.
        assert!(!super::AXES.reverses_winding());
    }
}
