//! Shared functions of the tests: reading and writing levels.

#![allow(dead_code, reason = "each test uses a part")]

use mapwright_testkit::Refusal;
use mapwright_wwd::edit::{Assignment, EditObjects, EditOptions, Edited, Objects as _, QueryError};
use mapwright_wwd::io::Space;
use mapwright_wwd::{Document, ReadError, WriteError};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    let in_file = error.position().filter(|at| at.space == Space::File);
    Refusal::new(error.category().name(), in_file.map(|at| at.offset), error)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Writes a level whose grids and objects no longer refer to the block that was read.
pub(crate) fn write_detached(document: &Document) -> Result<Vec<u8>, WriteError> {
    let mut document = document.clone();
    for plane in &mut document.planes {
        plane.tiles = plane.tiles.to_vec().into();
        plane.objects = plane.objects.to_vec().into();
    }
    document.to_bytes()
}

/// Applies an edit.
pub(crate) fn edit(document: &mut Document, line: &str) -> Result<Edited, QueryError> {
    document.apply(&line.parse()?, &EditOptions::default())
}

/// Sets fields of the objects that a query matches, if there are any.
pub(crate) fn set(document: &mut Document, query: &str, fields: &[Assignment]) -> Result<Edited, QueryError> {
    let objects = document.select(&query.parse()?)?;
    document.set(&objects, fields, false)
}
