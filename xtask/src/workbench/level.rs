//! Levels with all files that they refer to.

use std::fs;
use std::path::Path;

use mapwright::content::resolve_references;
use mapwright::interchange::gltf;
use mapwright::scene::{NoFiles, Scene};
use mapwright::{AnyDocument, ContentSource, ReadOptions, detect};

/// Maximum bytes of decoded files.
pub(crate) const MAX_BYTES: usize = 1 << 30;

/// Reads a level and resolves its references, in the folder of its game. Fails if that finds no file.
pub(crate) fn read_whole_level(level: &Path) -> Result<Scene, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", level.display());
    let bytes = fs::read(level).map_err(|error| failed(&error))?;
    let format = detect(&bytes, Some(level)).format.ok_or_else(|| failed(&"unknown format"))?;
    let document = AnyDocument::from_vec_as(bytes, format, &ReadOptions::default());
    let mut scene = document.and_then(AnyDocument::into_scene).map_err(|error| failed(&error))?.scene;
    let report = resolve_references(&mut scene, format, Some(level), &ContentSource::default(), MAX_BYTES);
    if report.files.is_empty() { Err(failed(&"none of its files was found")) } else { Ok(scene) }
}

/// Writes a scene as binary glTF.
pub(crate) fn to_glb(scene: &Scene) -> Result<Vec<u8>, String> {
    let export = gltf::from_scene(scene, &NoFiles, &gltf::ExportOptions::default());
    export.map(|export| export.document.main).map_err(|error| error.to_string())
}
