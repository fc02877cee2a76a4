//! KeyValues2.

use mapwright_io::Output;

use crate::{Document, WriteError, WriteOptions};

pub(super) fn write(_document: &Document, _options: &WriteOptions, _output: &mut Output) -> Result<(), WriteError> {
    unimplemented!()
}
