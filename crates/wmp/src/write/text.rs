//! Text: A4, 510, 710 and `$$M`.

use crate::{Document, WriteError, WriteErrorKind};

/// Writes a text map.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    Err(WriteError::nowhere(WriteErrorKind::Dialect { what: "a map", dialect: document.dialect }))
}
