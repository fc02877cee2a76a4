//! Chunks.

use mapwright_io::{Output, Patch};

use crate::chunk::HEAD;
use crate::{Chunk, Name, WriteError, WriteErrorKind};

/// A chunk that is not complete yet.
#[derive(Debug)]
#[must_use = "a chunk is complete once it is closed"]
pub(super) struct Open {
    start: usize,
    size: Patch,
}

/// Begins a chunk.
pub(super) fn open(out: &mut Output, id: u16) -> Open {
    let start = out.len();
    let [field, class] = id.to_be_bytes();
    out.u8(field);
    out.u8(class);
    out.u16_le(u16::from(class).saturating_add(1));
    Open { start, size: out.reserve_u32() }
}

/// Ends a chunk. Files beyond 4 GiB are refused as a whole.
pub(super) fn close(out: &mut Output, open: Open) {
    let size = out.len().saturating_sub(open.start);
    out.patch_u32_le(open.size, u32::try_from(size).unwrap_or(u32::MAX));
}

/// Writes a chunk whose size is known.
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

/// Puts back what is not known between the chunks that are.
#[derive(Debug)]
pub(super) struct Row<'a> {
    index: u32,
    extra: &'a [Chunk],
}

impl<'a> Row<'a> {
    pub(super) const fn new(extra: &'a [Chunk]) -> Self {
        Self { index: 0, extra }
    }

    /// A chunk that is known comes next.
    pub(super) fn before(&mut self, out: &mut Output) {
        while let Some((chunk, rest)) = self.extra.split_first().filter(|(chunk, _)| chunk.index <= self.index) {
            out.bytes(&chunk.bytes);
            self.extra = rest;
        }
        self.index = self.index.saturating_add(1);
    }

    /// No chunk comes any more.
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

    /// Writes a chunk of a name, if there is one.
    pub(super) fn name(&mut self, out: &mut Output, id: u16, name: &Name) -> Result<(), WriteError> {
        if name.is_empty() { Ok(()) } else { self.text(out, id, name.as_bytes()) }
    }

    /// Writes a chunk of a text.
    pub(super) fn text(&mut self, out: &mut Output, id: u16, text: &[u8]) -> Result<(), WriteError> {
        self.before(out);
        self::text(out, id, text)
    }
}

/// Writes a chunk of a text.
pub(super) fn text(out: &mut Output, id: u16, text: &[u8]) -> Result<(), WriteError> {
    fixed(out, id, text.len().saturating_add(1));
    terminated(out, text)
}

/// Writes a text and its NUL.
pub(super) fn terminated(out: &mut Output, text: &[u8]) -> Result<(), WriteError> {
    if text.contains(&0) {
        let name = mapwright_io::escape_bytes(text);
        return Err(WriteError::without_position(WriteErrorKind::Name { name, why: "a NUL would end it" }));
    }
    out.bytes(text);
    out.u8(0);
    Ok(())
}

/// A count that the format gives 32 bits.
pub(super) fn count(count: usize, what: &'static str) -> Result<u32, WriteError> {
    let too_many = |_| WriteErrorKind::TooMany { what, count: count as u64, most: u32::MAX.into() };
    u32::try_from(count).map_err(|error| WriteError::without_position(too_many(error)))
}

/// A count or a number that the format gives 16 bits.
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

/// A number that the format keeps as a whole one, up to `most`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "its range is checked")]
pub(super) fn whole(value: f64, most: u32, what: &'static str) -> Result<u32, WriteError> {
    // Zero with a sign is zero.
    if value.trunc() == value && (0.0..=f64::from(most)).contains(&value) {
        Ok(value as u32)
    } else {
        Err(WriteError::without_position(WriteErrorKind::Number { value, what }))
    }
}

/// What the format has no place for.
pub(super) fn unless(absent: bool, what: &'static str) -> Result<(), WriteError> {
    let dialect = crate::Dialect::Binary;
    if absent { Ok(()) } else { Err(WriteError::without_position(WriteErrorKind::Dialect { what, dialect })) }
}
