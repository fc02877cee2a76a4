//! Helpers shared by the tests.

#![allow(dead_code, reason = "each test uses a part")]

use mapwright_testkit::Refusal;
use mapwright_tiled::{Document, Item, ReadError};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

/// Reads a document for the laws of the testkit.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Reads a document that must be valid.
pub(crate) fn document(text: &str) -> Document {
    Document::from_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the item at a path of names and indices.
pub(crate) fn find<'a>(document: &'a Document, path: &[&str]) -> Item<'a> {
    path.iter().fold(document.root(), |item, name| {
        let mut items = item.items();
        let found = match name.parse() {
            Ok(index) => items.nth(index),
            Err(_) => items.find(|item| item.is(name)),
        };
        found.unwrap_or_else(|| panic!("no {name} in {item:?}"))
    })
}
