//! WMPB.

use crate::{Document, WriteError, WriteErrorKind};

/// Writes a binary map.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    Err(WriteError::nowhere(WriteErrorKind::Dialect { what: "a map", dialect: document.dialect }))
}
