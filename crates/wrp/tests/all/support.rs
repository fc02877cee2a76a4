//! Helpers shared by the tests.

#![allow(dead_code, reason = "each test uses a part")]

use mapwright_testkit::Refusal;
use mapwright_wrp::{Document, ReadError};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}
