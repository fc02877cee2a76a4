//! Helpers shared by the test files.
#![allow(dead_code, reason = "every test file takes what it needs")]

use std::path::PathBuf;

use mapwright_testkit::{Refusal, corpus, files_below};
use mapwright_vmf::{Document, ReadError, ReadOptions};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

/// Reads a map for the laws of the testkit.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Reads a map with escapes for the laws of the testkit.
pub(crate) fn read_escaped(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes_with(bytes, &ReadOptions::default().with_escapes(true)).map_err(|error| refusal(&error))
}

/// Reads a map that is valid.
pub(crate) fn map(text: impl AsRef<[u8]>) -> Document {
    Document::from_bytes(text.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the maps of the corpus.
pub(crate) fn corpus_maps() -> Vec<PathBuf> {
    let files = corpus("vmf").into_iter().flat_map(|folder| files_below(&folder));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "vmf")).collect()
}

/// Reads a map of the corpus.
pub(crate) fn corpus_map(path: &PathBuf) -> Document {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Document::from_vec(bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
