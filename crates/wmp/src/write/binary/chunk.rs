//! Chunks.

use mapwright_io::{Output, Patch};

use crate::chunk::HEAD;
use crate::{Chunk, Name, WriteError, WriteErrorKind};

/// A chunk whose size is not written yet.
#[derive(Debug)]
#[must_use = "a chunk is complete once it is closed"]
pub(super) struct Open {
    start: usize,
    size: Patch,
}

/// Opens a chunk.
pub(super) fn open(out: &mut Output, id: u16) -> Open {
    let start = out.len();
    let [field, class] = id.to_be_bytes();
    out.u8(field);
    out.u8(class);
    out.u16_le(u16::from(class).saturating_add(1));
    Open { start, size: out.reserve_u32() }
}

/// Closes a chunk. Files beyond 4 GiB are rejected as a whole.
pub(super) fn close(out: &mut Output, open: Open) {
    let size = out.len().saturating_sub(open.start);
    out.patch_u32_le(open.size, u32::try_from(size).unwrap_or(u32::MAX));
}

/// Writes the head of a chunk of known size.
pub(super) fn fixed(out: &mut Output, id: u16, bytes: usize) {
    let [field, class] = id.to_be_bytes();
    out.u8(field);
    out.u8(class);
    out.u16_le(u16::from(class).saturating_add(1));
    let size = u32::try_from(bytes).unwrap_or(u32::MAX).saturating_add(HEAD);
    out.u32_le(size);
}

/// Writes doubles.
pub(super) fn doubles(out: &mut Output, values: &[f64]) {
    for value in values {
        out.f64_le(*value);
    }
}

/// Inserts preserved chunks between known ones.
#[derive(Debug)]
pub(super) struct ChunkWriter<'a> {
    index: u32,
    extra: &'a [Chunk],
}

impl<'a> ChunkWriter<'a> {
    pub(super) const fn new(extra: &'a [Chunk]) -> Self {
        Self { index: 0, extra }
    }

    /// Writes the preserved chunks before the next known one.
    pub(super) fn before(&mut self, out: &mut Output) {
        while let Some((chunk, rest)) = self.extra.split_first().filter(|(chunk, _)| chunk.index <= self.index) {
            out.bytes(&chunk.bytes);
            self.extra = rest;
        }
        self.index = self.index.saturating_add(1);
    }

    /// Writes the remaining chunks.
    pub(super) fn finish(self, out: &mut Output) {
        for chunk in self.extra {
            out.bytes(&chunk.bytes);
        }
    }

    /// Writes a chunk of doubles.
    pub(super) fn doubles(&mut self, out: &mut Output, id: u16, values: &[f64]) {
        self.before(out);
        fixed(out, id, size_of_val(values));
        doubles(out, values);
    }

    /// Writes a chunk of a name, unless it is empty.
    pub(super) fn name(&mut self, out: &mut Output, id: u16, name: &Name) -> Result<(), WriteError> {
        if name.is_empty() { Ok(()) } else { self.text(out, id, name.as_bytes()) }
    }

    /// Writes a chunk with a string.
    pub(super) fn text(&mut self, out: &mut Output, id: u16, text: &[u8]) -> Result<(), WriteError> {
        self.before(out);
        self::text(out, id, text)
    }
}

/// Writes a chunk with a string.
pub(super) fn text(out: &mut Output, id: u16, text: &[u8]) -> Result<(), WriteError> {
    fixed(out, id, text.len().saturating_add(1));
    terminated(out, text)
}

/// Writes a string and its NUL.
pub(super) fn terminated(out: &mut Output, text: &[u8]) -> Result<(), WriteError> {
    if text.contains(&0) {
        let name = mapwright_io::escape_bytes(text);
        return Err(WriteError::without_position(WriteErrorKind::Name { name, why: "a NUL would end it" }));
    }
    out.bytes(text);
    out.u8(0);
    Ok(())
}

/// Converts a count to 32 bits.
pub(super) fn count(count: usize, what: &'static str) -> Result<u32, WriteError> {
    let too_many = |_| WriteErrorKind::TooMany { what, count: count as u64, most: u32::MAX.into() };
    u32::try_from(count).map_err(|error| WriteError::without_position(too_many(error)))
}

/// Converts a count or an index to 16 bits.
pub(super) fn small(count: u64, what: &'static str) -> Result<u16, WriteError> {
    let too_many = |_| WriteErrorKind::TooMany { what, count, most: u16::MAX.into() };
    u16::try_from(count).map_err(|error| WriteError::without_position(too_many(error)))
}

/// A number that the format keeps in single precision.
#[expect(
    clippy::cast_possible_truncation,
    reason = "what is lost beyond its precision is the format's; its range is checked"
)]
pub(super) fn single(value: f64) -> Result<f32, WriteError> {
    let single = value as f32;
    if single.is_infinite() && value.is_finite() {
        return Err(WriteError::without_position(WriteErrorKind::Number {
            value,
            what: "a number of single precision",
        }));
    }
    Ok(single)
}

/// Converts a number to a whole one, up to `most`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "its range is checked")]
pub(super) fn whole(value: f64, most: u32, what: &'static str) -> Result<u32, WriteError> {
    // Zero may have a sign.
    if value.trunc() == value && (0.0..=f64::from(most)).contains(&value) {
        Ok(value as u32)
    } else {
        Err(WriteError::without_position(WriteErrorKind::Number { value, what }))
    }
}

/// Returns an error for a value that the dialect cannot store.
pub(super) fn require_absent(absent: bool, what: &'static str) -> Result<(), WriteError> {
    let dialect = crate::Dialect::Binary;
    if absent { Ok(()) } else { Err(WriteError::without_position(WriteErrorKind::Dialect { what, dialect })) }
}
