//! Bytes → document.

pub(crate) mod binary;
mod shared;
pub(crate) mod text;

use std::borrow::Cow;
use std::sync::Arc;

use mapwright_io::{Budget, FaultKind, Position};

use crate::sniff::Content;
use crate::{Dialect, Document, ReadError, ReadErrorKind, ReadOptions};

mapwright_io::read_functions!("a map", read);

fn read(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    let mut budget = Budget::new(&options.limits);
    let refuse = |kind: ReadErrorKind| Err(ReadError::new(kind, Position::file(0)));
    // Parts store their offsets in 32 bits.
    if u32::try_from(bytes.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of the file", asked: bytes.len() as u64, limit: u32::MAX.into() };
        return refuse(kind.into());
    }
    let mut map = match Content::from_bytes(&bytes) {
        Content::Map(Dialect::Binary) => binary::read(&bytes, &mut budget),
        Content::Map(dialect) => text::read(&bytes, dialect, &mut budget),
        Content::Fragment => text::read(&bytes, text::dialect(&bytes), &mut budget),
        Content::Version(found) => refuse(ReadErrorKind::Version { found }),
        Content::Other(other) => refuse(ReadErrorKind::Other(other)),
        Content::Unknown => refuse(ReadErrorKind::Unknown),
    }?;
    if let Some(source) = map.source.as_mut().and_then(Arc::get_mut) {
        source.bytes = bytes.into_owned();
    }
    map.stamp();
    Ok(map)
}
