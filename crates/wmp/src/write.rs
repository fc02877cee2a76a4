//! Document → bytes.

mod binary;
pub(crate) mod text;

use std::io::Write;

use crate::document::{Part, Source};
use crate::{Dialect, Document, WriteError};

impl Document {
    /// Writes the map. Unchanged parts are copied from the file that was read.
    ///
    /// # Errors
    ///
    /// If the document contains something that its dialect cannot store.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        if let Some(own) = self.without_foreign() {
            return own.to_bytes();
        }
        if let Some(source) = self.untouched() {
            return Ok(source.bytes.clone());
        }
        match self.dialect {
            Dialect::Binary => binary::write(self),
            _ => text::write(self),
        }
    }

    /// Writes the map to a writer.
    ///
    /// # Errors
    ///
    /// If the writer fails, and as [`to_bytes`](Self::to_bytes). Nothing is written in the second case.
    pub fn write_to(&self, mut writer: impl Write) -> Result<(), WriteError> {
        let written = match self.untouched().filter(|_| self.without_foreign().is_none()) {
            Some(source) => writer.write_all(&source.bytes),
            None => writer.write_all(&self.to_bytes()?),
        };
        written.and_then(|()| writer.flush()).map_err(|error| WriteError::without_position(error.into()))
    }

    /// Returns the source if every part is unchanged and in its place.
    fn untouched(&self) -> Option<&Source> {
        let source = self.source.as_deref()?;
        let same = source.dialect == self.dialect
            && source.line_end == self.line_end
            && source.counts == [self.blocks.len(), self.entities.len(), self.objects.len()]
            && source.wed == self.wed.is_some()
            && pristine(&self.header)
            && self.wed.as_ref().is_none_or(pristine)
            && is_in_file_order(&self.blocks)
            && is_in_file_order(&self.entities)
            && is_in_file_order(&self.objects);
        same.then_some(source)
    }
}

fn pristine<T>(part: &Part<T>) -> bool {
    part.origin().is_some_and(crate::document::Origin::is_pristine)
}

/// Returns `true` if parts are unchanged and in the order of the file. If there are as many as were read, they are the same ones.
fn is_in_file_order<T>(parts: &[Part<T>]) -> bool {
    let mut last = None;
    parts.iter().all(|part| {
        let start = part.origin().filter(|origin| origin.is_pristine()).map(|origin| origin.range().start);
        let follows = start.is_some() && start > last;
        last = start;
        follows
    })
}
