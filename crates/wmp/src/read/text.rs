//! Text: A4, 510, 710 and `$$M`.

use mapwright_io::{Budget, Position};

use crate::{Dialect, Document, ReadError, ReadErrorKind};

/// The dialect of a text without a version, by what its blocks hold.
pub(super) fn dialect(_bytes: &[u8]) -> Dialect {
    Dialect::A4
}

/// Reads a text map.
pub(super) fn read(_bytes: &[u8], _dialect: Dialect, _budget: &mut Budget) -> Result<Document, ReadError> {
    Err(ReadError::new(ReadErrorKind::Unknown, Position::file(0)))
}
