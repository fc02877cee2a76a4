//! Chunks.

use mapwright_io::{Fault, FaultKind, Input};

use crate::chunk::HEAD;
use crate::document::Origin;
use crate::read::shared::Shared;
use crate::{Chunk, Name, ReadError, ReadErrorKind};

/// A chunk.
#[derive(Debug, Clone)]
pub(super) struct Raw<'a> {
    /// Field and class, or `u16::MAX` if the type does not match the class.
    pub(super) id: u16,
    /// All bytes.
    pub(super) whole: &'a [u8],
    /// The bytes after the head.
    pub(super) body: Input<'a>,
}

impl Raw<'_> {
    /// Returns its position in the file.
    pub(super) fn origin(&self) -> Option<Origin> {
        let end = usize::try_from(self.body.position().offset).ok()?.checked_add(self.body.remaining())?;
        Origin::new(end.checked_sub(self.whole.len())?..end)
    }
}

/// Returns field and class, and the bytes, of the next chunk, for looking ahead. Returns `None` at the end and where no chunk can
/// be.
#[inline]
pub(super) fn skim<'a>(bytes: &mut &'a [u8]) -> Option<(u16, &'a [u8])> {
    let (id, size) = head(*bytes.first_chunk()?);
    let (whole, rest) = bytes.split_at_checked(length(size))?;
    if size < HEAD {
        return None;
    }
    *bytes = rest;
    Some((id, whole))
}

/// Splits the head of a chunk into its id and size. The id is `u16::MAX` if the type is not that of the class.
///
/// A bulk cast with one bounds check: field by field, reading a file takes a fifth more instructions.
const fn head([field, class, k0, k1, s0, s1, s2, s3]: [u8; 8]) -> (u16, u32) {
    let is_usual = u16::from_le_bytes([k0, k1]) == (class as u16).saturating_add(1);
    let id = if is_usual { u16::from_be_bytes([field, class]) } else { u16::MAX };
    (id, u32::from_le_bytes([s0, s1, s2, s3]))
}

/// Reads the next chunk.
#[inline]
pub(super) fn next<'a>(input: &mut Input<'a>) -> Result<Option<Raw<'a>>, ReadError> {
    if input.is_empty() {
        return Ok(None);
    }
    let mut body = input.clone();
    let (id, size) = head(body.array()?);
    if size < HEAD {
        return Err(short(size, input));
    }
    let whole = input.take(length(size))?;
    let body = Input::at_base(whole.get(length(HEAD)..).unwrap_or_default(), body.position());
    Ok(Some(Raw { id, whole, body }))
}

#[cold]
fn short(size: u32, input: &Input<'_>) -> ReadError {
    let found = format!("one of {size}");
    let kind = ReadErrorKind::Expected { expected: "a chunk of 8 bytes or more", found };
    ReadError::new(kind, input.position())
}

/// Converts a number of the file to a length, saturated.
pub(super) fn length(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Reads doubles.
#[inline]
pub(super) fn doubles<const N: usize>(input: &mut Input<'_>) -> Result<[f64; N], Fault> {
    let bytes = input.take(size_of::<[f64; N]>())?;
    // A bulk cast with one bounds check: vertices are most of a file.
    let mut values = [0.0; N];
    for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *value = f64::from_le_bytes(*bytes);
    }
    Ok(values)
}

/// Reads text, which ends with its only NUL and is not empty.
pub(super) fn text<'a>(body: &Input<'a>) -> Option<&'a [u8]> {
    match body.peek().split_last() {
        Some((0, text)) if !text.is_empty() && !text.contains(&0) => Some(text),
        _ => None,
    }
}

/// Counts known chunks, and preserves unknown ones with their position.
#[derive(Debug, Default)]
pub(super) struct ChunkReader {
    index: u32,
    extra: Vec<Chunk>,
}

impl ChunkReader {
    /// Counts a known chunk.
    pub(super) fn known(&mut self) {
        self.index = self.index.saturating_add(1);
    }

    /// Counts a chunk if it is known, else preserves it.
    pub(super) fn known_if(&mut self, known: bool, raw: &Raw<'_>) {
        if known { self.known() } else { self.keep(raw) }
    }

    /// Preserves a chunk.
    pub(super) fn keep(&mut self, raw: &Raw<'_>) {
        match self.extra.last_mut() {
            Some(last) if last.index == self.index => last.bytes.extend_from_slice(raw.whole),
            _ => self.extra.push(Chunk { index: self.index, bytes: raw.whole.to_vec() }),
        }
    }

    /// Reads a name, if there is none yet. Other chunks are preserved.
    pub(super) fn name(&mut self, raw: &Raw<'_>, slot: &mut Name, shared: &mut Shared) {
        match text(&raw.body).filter(|_| slot.is_empty()) {
            Some(text) => {
                *slot = shared.name(text);
                self.known();
            }
            None => self.keep(raw),
        }
    }

    /// Returns the preserved chunks.
    pub(super) fn finish(self) -> Vec<Chunk> {
        self.extra
    }
}

/// Memory for values that take more memory than bytes of the file.
#[derive(Debug)]
pub(super) struct Spare(usize);

impl Spare {
    /// Values of at most this many times their bytes are free.
    const FACTOR: usize = 5;

    pub(super) const fn new() -> Self {
        Self(8 << 20)
    }

    /// Takes memory for a value that costs `cost` and has `bytes` in the file. Returns `false` if there is not enough.
    pub(super) fn try_charge(&mut self, cost: usize, bytes: usize) -> bool {
        let rest = self.0.checked_sub(cost.saturating_sub(bytes.saturating_mul(Self::FACTOR)));
        if let Some(rest) = rest {
            self.0 = rest;
        }
        rest.is_some()
    }
}

/// Reads the count of an array of items of `size` bytes. It must match the number of bytes.
pub(super) fn counted(body: &mut Input<'_>, size: usize, what: &'static str) -> Result<usize, Fault> {
    let declared = body.u32_le()?;
    let count = body.count(declared.into(), size, what)?;
    match body.remaining().saturating_sub(count.saturating_mul(size)) {
        0 => Ok(count),
        left => Err(body.fault(FaultKind::Trailing { count: left as u64 })),
    }
}
