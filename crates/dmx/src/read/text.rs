//! KeyValues2.

use mapwright_io::Budget;

use crate::{Document, Header, ReadError};

pub(super) fn read(_header: Header, _bytes: &[u8], _start: usize, _budget: &mut Budget) -> Result<Document, ReadError> {
    unimplemented!()
}
