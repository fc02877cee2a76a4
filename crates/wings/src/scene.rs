//! Conversion between documents and scenes.
//!
//! | in the file | in the scene |
//! |---|---|
//! | object | node with a mesh; hidden and locked as flags; a folder is a group around it |
//! | winged edges | polygons, each from its lowest-numbered edge on; hard edges by their vertices; all other edges are soft |
//! | hidden faces, holes, mirror face | face flags, [`mirror`](mapwright_scene::Mesh::mirror) |
//! | UVs | one set with its origin at the lower left, values untouched |
//! | colours | one set; in an object that has any colour, a face corner without one is white |
//! | material | base colour, emission, metallic and roughness (for older files computed as Wings does); the classic terms if they do not follow from these |
//! | image | pixels from the top row on (the file starts at the bottom), or a path |
//! | light | node at its position, turned towards its aim, which is also stored exactly |
//! | view | camera; the orbit that Wings stores is among its properties |
//! | selection, groups | named sets; the selection is the one without a name |
//! | `default` | a material only if the file has one; faces without a material have none. Wings 2.1 and later show their own instead |
//!
//! Wings stores vertices in the space of the scene, without transforms and without a unit.

mod capabilities;
mod imported;
mod materials;
mod options;
mod orbit;
mod plugin_states;
mod read;
mod report;
mod write;

use mapwright_etf::{Compressor, Packing};
pub use mapwright_scene;
use mapwright_scene::{AxisChange, Export, Import, Losses, Scene};

pub use capabilities::capabilities;
pub use options::{ExportOptions, ImportOptions, Mirror, Weld};

use crate::{Document, Model, ReadError, WriteError};
use write::Form;

/// Change from the axes of files to those of scenes: none. Both are right-handed with Y up, and a camera without rotation
/// looks along −Z.
pub const AXES: AxisChange = AxisChange::NONE;

/// Reads the model of a document, with the parts of the document that it does not keep: repaired meshes, and elements that a later one of
/// the same entry replaces. They are lost if a document is created from the model.
///
/// # Errors
/// If the term is not a Wings 3D scene.
pub fn read_model(document: &Document) -> Result<(Model, Losses), ReadError> {
    read::read_model(document)
}

/// Converts a document to a scene.
///
/// # Errors
/// If the term is not a Wings 3D scene. Parts that cannot be understood are losses.
pub fn to_scene(document: &Document, options: &ImportOptions) -> Result<Import, ReadError> {
    let mut imported = read::read_document(document)?;
    if options.mirror == Mirror::Freeze {
        for (_, mesh) in imported.scene.meshes.iter_mut() {
            if mesh.mirror.is_some() {
                *mesh = mesh.freeze_mirror().into_owned();
            }
        }
    }
    Ok(Import { scene: imported.scene, losses: imported.losses })
}

/// Converts a scene to a new document.
///
/// # Errors
/// If the scene is inconsistent (see [`Scene::validate`]) or a number cannot be encoded.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let mut losses = Losses::new();
    let scene = scene.with_texture_uv_set_first(&mut losses);
    let (written, write_losses) = write::write_model(&scene, None, Form::Document, options)?;
    losses.append(write_losses);
    Ok(Export { document: Document::from_model_with(&written.into_model(), &options.encode)?, losses })
}

/// Converts a scene to a new file: the bytes of the document that [`from_scene`] creates. This takes a fraction of the memory, because
/// edges are compressed as they are encoded.
///
/// # Errors
/// As [`from_scene`] and [`Document::to_bytes`].
pub fn scene_to_bytes(scene: &Scene, options: &ExportOptions) -> Result<Export<Vec<u8>>, WriteError> {
    if options.encode.packing != Packing::compressed(Compressor::Fast) {
        let Export { document, losses } = from_scene(scene, options)?;
        return Ok(Export { document: document.to_bytes()?, losses });
    }
    let mut losses = Losses::new();
    let scene = scene.with_texture_uv_set_first(&mut losses);
    let (written, write_losses) = write::write_model(&scene, None, Form::File, options)?;
    losses.append(write_losses);
    Ok(Export { document: written.to_bytes(&options.encode)?, losses })
}

/// Writes a changed scene into the document that it came from. Unchanged parts of the scene keep their bytes. Nodes are
/// matched with objects, lights and views by their [`key`](mapwright_scene::Node::key), materials and images by their index.
/// Nodes without a key are added. Entries without a node are removed.
///
/// # Errors
/// As [`from_scene`], if the document cannot be understood, and if it is of version 0 or 1 and the scene has changed.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let base = read::read_document(document).map_err(|error| error.map_kind(Into::into))?;
    if base.scene == *scene {
        return Ok(Losses::new());
    }
    let (written, losses) = write::write_model(scene, Some(&base), Form::Document, options)?;
    document.set_model(&written.into_model())?;
    Ok(losses)
}

#[cfg(test)]
mod tests {
    #[test]
    fn axes_are_unchanged() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert!(!super::AXES.reverses_winding());
    }
}
