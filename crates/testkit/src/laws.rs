//! The laws of reading and writing. Each panics with a report if it is violated, so that `proptest` can shrink the input.
//!
//! | law | function |
//! |---|---|
//! | L1 total | [`total`] |
//! | L2 stable | [`stable`] |
//! | L3 exact | [`exact`] |
//! | L4 model | [`model`] |
//! | L5 prefix | [`prefixes`] |
//! | queries and edits | [`selection`] |
//!
//! L2 to L4 cannot detect a mistake that reader and writer share. Hand-assembled bytes and other programs can.

use std::fmt::{Debug, Display};

use crate::{debugdiff, hexdiff};

/// A reader's rejection: the data of an error that the laws check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `truncated`, `malformed`, `unsupported`, `limit` or `io`.
    pub category: &'static str,
    /// Byte offset in the input. `None` if the position is in decompressed data.
    pub offset: Option<u64>,
    /// The printed error.
    pub text: String,
}

impl Refusal {
    /// Creates a rejection. Prints the error, so that printing is tested, too.
    pub fn new(category: &'static str, offset: Option<u64>, error: impl Display) -> Self {
        Self { category, offset, text: error.to_string() }
    }

    /// Panics unless the rejection has a text and a position inside the input.
    fn check(&self, bytes: &[u8]) {
        assert!(!self.text.is_empty(), "an error without a text: {self:?}");
        if let Some(offset) = self.offset {
            assert!(offset <= bytes.len() as u64, "an error behind the end of {} bytes: {self:?}", bytes.len());
        }
    }
}

/// L1: any bytes are read or rejected, and a rejection has a text and a position inside the input. Returns the document.
/// # Panics
/// If the law is violated.
pub fn total<T>(bytes: &[u8], read: impl FnOnce(&[u8]) -> Result<T, Refusal>) -> Option<T> {
    read(bytes).map_err(|refusal| refusal.check(bytes)).ok()
}

/// L2: a document that was read is the same after writing and reading it again, and writing it twice gives the same bytes. Returns these
/// bytes, or `None` if the input is rejected.
///
/// Documents are compared with `PartialEq`; documents with floats compare them by their bits.
///
/// # Panics
/// If the law is violated.
pub fn stable<T: PartialEq + Debug, W: Display>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<T, Refusal>,
    write: impl Fn(&T) -> Result<Vec<u8>, W>,
) -> Option<Vec<u8>> {
    let document = total(bytes, &read)?;
    let first = written(&document, &write);
    let again = accepted(&first, &read);
    assert!(again == document, "the document changes when written and read\n{}", debugdiff(&document, &again));
    let second = written(&again, &write);
    if let Some(diff) = hexdiff(&first, &second) {
        panic!("the second writing differs from the first: {diff}");
    }
    Some(first)
}

/// L3: reading and writing gives the bytes of the file. `name` is the name of the file in the report.
///
/// # Panics
/// If the law is violated.
pub fn exact<T, W: Display>(
    name: &str,
    bytes: &[u8],
    read: impl FnOnce(&[u8]) -> Result<T, Refusal>,
    write: impl FnOnce(&T) -> Result<Vec<u8>, W>,
) {
    let document = read(bytes).unwrap_or_else(|refusal| panic!("{name}: refused: {}", refusal.text));
    let found = write(&document).unwrap_or_else(|error| panic!("{name}: not written: {error}"));
    if let Some(diff) = hexdiff(bytes, &found) {
        panic!("{name}: {diff}");
    }
}

/// L4: a valid model survives writing and reading. Returns its bytes.
///
/// # Panics
/// If the law is violated.
pub fn model<T: PartialEq + Debug, W: Display>(
    model: &T,
    read: impl FnOnce(&[u8]) -> Result<T, Refusal>,
    write: impl FnOnce(&T) -> Result<Vec<u8>, W>,
) -> Vec<u8> {
    let bytes = written(model, write);
    let found = accepted(&bytes, read);
    assert!(found == *model, "the model changes when written and read\n{}", debugdiff(model, &found));
    bytes
}

/// L5: every proper prefix is rejected as `truncated` or `malformed` with a position inside it, or is a shorter document that `allowed`
/// accepts (for formats with lists up to the end of the file; others pass `|_, _| false`).
///
/// Reads every prefix. Of more than 64 KiB, it reads only those that lack or contain less than 1 KiB, and 512 others.
///
/// # Panics
/// If the law is violated.
pub fn prefixes<T>(bytes: &[u8], read: impl Fn(&[u8]) -> Result<T, Refusal>, allowed: impl Fn(&[u8], &T) -> bool) {
    const ALL: usize = 64 << 10;
    const ENDS: usize = 1 << 10;
    let step = if bytes.len() <= ALL { 1 } else { bytes.len() / 512 };
    let is_read = |length: &usize| *length < ENDS || bytes.len() - length < ENDS || length.is_multiple_of(step);
    for length in (0..bytes.len()).filter(is_read) {
        let prefix = &bytes[..length];
        match read(prefix) {
            Ok(document) => assert!(allowed(prefix, &document), "the prefix of {length} bytes is accepted"),
            Err(refusal) => {
                refusal.check(prefix);
                let fits = matches!(refusal.category, "truncated" | "malformed");
                assert!(fits, "the prefix of {length} bytes is refused as {refusal:?}");
            }
        }
    }
}

fn written<T, W: Display>(document: &T, write: impl FnOnce(&T) -> Result<Vec<u8>, W>) -> Vec<u8> {
    write(document).unwrap_or_else(|error| panic!("a document that was read, or is valid, is not written: {error}"))
}

fn accepted<T>(bytes: &[u8], read: impl FnOnce(&[u8]) -> Result<T, Refusal>) -> T {
    read(bytes).unwrap_or_else(|refusal| panic!("what was written is refused: {}", refusal.text))
}

/// Queries and edits: a field exists whatever its value, and the objects of `query f=v` are those that `edit 'set f=v: …'` selects.
///
/// `fields` are the fields of each object with their values, as a query compares them. `query` returns the indices of the objects that
/// match, `edit` those that an edit with this query changes, or `None` if the format refuses that edit. Returns the number of pairs of
/// field and value that were edited.
///
/// # Panics
/// When the law is broken.
pub fn selection(
    fields: &[Vec<(String, String)>],
    query: impl Fn(&str) -> Vec<usize>,
    edit: impl Fn(&str) -> Option<Vec<usize>>,
) -> usize {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for (index, object) in fields.iter().enumerate() {
        for (field, value) in object {
            let text = format!("{field}={value}");
            let found = query(&text);
            assert!(found.contains(&index), "`{text}` does not find object {index}, but {found:?}");
            if !pairs.contains(&(field, value)) {
                pairs.push((field, value));
            }
        }
    }
    let mut edited = 0;
    for (field, value) in pairs {
        let text = format!("{field}={value}");
        if let Some(changed) = edit(&text) {
            assert_eq!(changed, query(&text), "an edit of `{text}` changes other objects than a query finds");
            edited += 1;
        }
    }
    edited
}
