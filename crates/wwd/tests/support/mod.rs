//! What the tests share: how levels are read.

#![allow(dead_code, reason = "each test uses a part")]

use mapwright_testkit::Refusal;
use mapwright_wwd::io::Space;
use mapwright_wwd::{Document, ReadError};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    let in_file = error.position().filter(|at| at.space == Space::File);
    Refusal::new(error.category().name(), in_file.map(|at| at.offset), error)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}
