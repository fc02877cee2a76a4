//! WMPB.

use mapwright_io::{Budget, Position};

use crate::{Document, ReadError, ReadErrorKind};

/// Reads a binary map.
pub(super) fn read(_bytes: &[u8], _budget: &mut Budget) -> Result<Document, ReadError> {
    Err(ReadError::new(ReadErrorKind::Unknown, Position::file(0)))
}
