//! Maps as scenes, and scenes as maps.
#![cfg(feature = "scene")]

mod hostile;
mod ids;
mod laws;
mod layouts;
mod levels;
mod merge;
mod new_parts;
mod program;
mod read;
mod strategies;
mod write;

use mapwright_scene::{Export, FileSource, Files, Import, Scene};
use mapwright_tiled::scene::{self, ExportOptions, ImportOptions};
use mapwright_tiled::{Document, ReadError, WriteError};

/// Reads the scene of a map, without keys, which scenes from other formats do not have.
pub(crate) fn to_scene(bytes: &[u8], files: &dyn FileSource) -> Result<Import, ReadError> {
    let document = Document::from_bytes(bytes)?;
    let mut import = scene::to_scene(&document, files, &ImportOptions::default())?;
    import.scene.nodes.iter_mut().for_each(|(_, node)| node.key = None);
    Ok(import)
}

/// Writes a scene as files.
pub(crate) fn from_scene(
    scene: &Scene,
    files: &dyn FileSource,
    options: &ExportOptions,
) -> Result<Export<Files>, WriteError> {
    let Export { document, losses } = scene::from_scene(scene, files, options)?;
    Ok(Export { document: document.into_files(), losses })
}
