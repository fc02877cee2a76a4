//! The maps of the corpus, binary and text.

use std::path::PathBuf;

use mapwright_testkit::{corpus, files_below};
use mapwright_vmap::Document;

/// Returns the folder with the maps. Prints a note if it is missing.
pub(crate) fn folder() -> Option<PathBuf> {
    corpus("vmap")
}

/// Returns name, map and bytes of all maps of the corpus.
pub(crate) fn maps() -> Vec<(String, Document, Vec<u8>)> {
    let Some(folder) = folder() else { return Vec::new() };
    let files = files_below(&folder).into_iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    });
    // Three files of the corpus are intentionally not maps.
    let is_map = |name: &str, bytes: &[u8]| {
        bytes.starts_with(b"<!-- dmx encoding") && !name.contains("damaged") && !name.contains("unquoted")
    };
    files
        .filter(|(name, bytes)| is_map(name, bytes))
        .map(|(name, bytes)| {
            let map = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, map, bytes)
        })
        .collect()
}
