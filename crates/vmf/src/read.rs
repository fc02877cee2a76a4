//! Reads bytes into a [`Document`].

use std::borrow::Cow;

use mapwright_io::Position;
use mapwright_keyvalues::kv1;

use crate::{Document, ReadError, ReadErrorKind, ReadOptions};

mapwright_io::read_functions!("a map", read);

fn read(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    let text = match bytes {
        Cow::Borrowed(bytes) => kv1::Document::from_bytes_with(bytes, &options.for_text()),
        Cow::Owned(bytes) => kv1::Document::from_vec_with(bytes, &options.for_text()),
    };
    let document = Document { text: text.map_err(|error| error.map_kind(Into::into))? };
    let is_map = ["versioninfo", "world", "entity"].into_iter().any(|name| document.blocks(name).next().is_some());
    if is_map { Ok(document) } else { Err(ReadError::new(ReadErrorKind::NotAMap, Position::file(0))) }
}

impl Document {
    /// Reads a text that this crate changed. It may have been read with other limits than the defaults.
    #[cfg(feature = "scene")]
    pub(crate) fn from_text(text: Vec<u8>, escapes: bool) -> Result<Self, crate::WriteError> {
        let unlimited = mapwright_io::Limits::default().with_max_items(u64::MAX).with_max_depth(u32::MAX);
        let options = kv1::ReadOptions::vmf().with_limits(unlimited).with_max_text(usize::MAX).with_escapes(escapes);
        let invalid = |error: mapwright_keyvalues::ReadError| {
            error.map_kind(|kind| mapwright_keyvalues::WriteErrorKind::Invalid(Box::new(kind)).into())
        };
        Ok(Self { text: kv1::Document::from_vec_with(text, &options).map_err(invalid)? })
    }
}
