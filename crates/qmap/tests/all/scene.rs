//! Conversion to scenes and from them: contents, written text, changes, and that nothing hostile does harm.

mod corpus;
mod hostile;
mod laws;
mod merge;
mod read;
mod witness;
mod write;

use mapwright_qmap::scene::mapwright_scene::Import;
use mapwright_qmap::{Document, ReadError, ReadOptions, scene};

/// Reads a map and converts it to a scene.
pub(crate) fn to_scene(bytes: &[u8]) -> Result<Import, ReadError> {
    let options = ReadOptions::default().with_max_text(1 << 20);
    scene::to_scene(&Document::from_bytes_with(bytes, &options)?, &scene::ImportOptions::default())
}
