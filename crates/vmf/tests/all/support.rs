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

/// The sides of a box, as texts of blocks `side`. Their ids count from the given one.
pub(crate) fn box_sides([x, y, z]: [i32; 3], [a, b, c]: [i32; 3], id: usize, content: &str) -> String {
    let planes = [
        format!("({x} {b} {c}) ({a} {b} {c}) ({a} {y} {c})"),
        format!("({x} {y} {z}) ({a} {y} {z}) ({a} {b} {z})"),
        format!("({x} {b} {c}) ({x} {y} {c}) ({x} {y} {z})"),
        format!("({a} {b} {z}) ({a} {y} {z}) ({a} {y} {c})"),
        format!("({a} {b} {c}) ({x} {b} {c}) ({x} {b} {z})"),
        format!("({a} {y} {z}) ({x} {y} {z}) ({x} {y} {c})"),
    ];
    let side = |(index, plane): (usize, &String)| {
        let id = id + index;
        format!("\t\tside\n\t\t{{\n\t\t\t\"id\" \"{id}\"\n\t\t\t\"plane\" \"{plane}\"\n{content}\t\t}}\n")
    };
    planes.iter().enumerate().map(side).collect()
}

/// A world with one solid.
pub(crate) fn world(sides: &str) -> String {
    format!(
        "world\n{{\n\t\"id\" \"1\"\n\t\"classname\" \"worldspawn\"\n\tsolid\n\t{{\n\t\t\"id\" \"2\"\n{sides}\t}}\n}}\n"
    )
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
