//! Helpers shared by the test files.
#![allow(dead_code, reason = "every test file takes what it needs")]

use std::path::PathBuf;

use mapwright_qmap::{Document, ReadError};
use mapwright_testkit::{Refusal, corpus, files_below};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

/// Reads a map for the laws of the testkit.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Reads a map that is valid.
pub(crate) fn map(text: impl AsRef<[u8]>) -> Document {
    Document::from_bytes(text.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the maps of the corpus.
pub(crate) fn corpus_maps() -> Vec<PathBuf> {
    let files = corpus("quake-map").into_iter().flat_map(|folder| files_below(&folder));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "map")).collect()
}

/// A cube of six faces, with the given text after the points of each.
pub(crate) fn cube(after: &str) -> String {
    cube_at([0, 0, 0], 64, after)
}

/// A cube with its lowest corner at a point.
pub(crate) fn cube_at([x, y, z]: [i32; 3], size: i32, after: &str) -> String {
    let (i, j, k) = (x + size, y + size, z + size);
    let (a, b, c) = (x + 1, y + 1, z + 1);
    format!(
        "( {x} {y} {z} ) ( {x} {b} {z} ) ( {x} {y} {c} ) {after}\n\
         ( {x} {y} {z} ) ( {x} {y} {c} ) ( {a} {y} {z} ) {after}\n\
         ( {x} {y} {z} ) ( {a} {y} {z} ) ( {x} {b} {z} ) {after}\n\
         ( {i} {j} {k} ) ( {i} {} {k} ) ( {} {j} {k} ) {after}\n\
         ( {i} {j} {k} ) ( {} {j} {k} ) ( {i} {j} {} ) {after}\n\
         ( {i} {j} {k} ) ( {i} {j} {} ) ( {i} {} {k} ) {after}\n",
        j + 1,
        i + 1,
        i + 1,
        k + 1,
        k + 1,
        j + 1
    )
}
