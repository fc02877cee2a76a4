//! Chunks.

use mapwright_io::{Fault, FaultKind, Input};

use crate::chunk::HEAD;
use crate::document::Origin;
use crate::read::shared::Shared;
use crate::{Chunk, Name, ReadError, ReadErrorKind};

/// A chunk as it stands.
#[derive(Debug, Clone)]
pub(super) struct Raw<'a> {
    /// Its field and class; none that is known if its type is not that of its class.
    pub(super) id: u16,
    /// All of it.
    pub(super) whole: &'a [u8],
    /// What stands behind its head.
    pub(super) body: Input<'a>,
}

impl Raw<'_> {
    /// Where it stands in the file.
    pub(super) fn origin(&self) -> Option<Origin> {
        let end = usize::try_from(self.body.position().offset).ok()?.checked_add(self.body.remaining())?;
        Origin::new(end.checked_sub(self.whole.len())?..end)
    }
}

/// What stands next, for looking ahead: its field and class and all of it. None at the end, and where no chunk can stand.
#[inline]
pub(super) fn skim<'a>(bytes: &mut &'a [u8]) -> Option<(u16, &'a [u8])> {
    let [field, class, k0, k1, s0, s1, s2, s3] = *bytes.first_chunk()?;
    let size = u32::from_le_bytes([s0, s1, s2, s3]);
    let (whole, rest) = bytes.split_at_checked(length(size))?;
    if size < HEAD {
        return None;
    }
    *bytes = rest;
    Some((id(field, class, [k0, k1]), whole))
}

/// A chunk's field and class; none that is known if its type is not that of its class.
const fn id(field: u8, class: u8, kind: [u8; 2]) -> u16 {
    if u16::from_le_bytes(kind) == (class as u16).saturating_add(1) {
        u16::from_be_bytes([field, class])
    } else {
        u16::MAX
    }
}

/// The chunk that stands next.
#[inline]
pub(super) fn next<'a>(input: &mut Input<'a>) -> Result<Option<Raw<'a>>, ReadError> {
    if input.is_empty() {
        return Ok(None);
    }
    let mut body = input.clone();
    let [field, class, k0, k1, s0, s1, s2, s3] = body.array()?;
    let size = u32::from_le_bytes([s0, s1, s2, s3]);
    if size < HEAD {
        return Err(short(size, input));
    }
    let whole = input.take(length(size))?;
    let body = Input::at_base(whole.get(length(HEAD)..).unwrap_or_default(), body.position());
    Ok(Some(Raw { id: id(field, class, [k0, k1]), whole, body }))
}

#[cold]
fn short(size: u32, input: &Input<'_>) -> ReadError {
    let found = format!("one of {size}");
    let kind = ReadErrorKind::Expected { expected: "a chunk of 8 bytes or more", found };
    ReadError::new(kind, input.position())
}

/// A number of the file as a length; too long where there is no such length.
pub(super) fn length(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Reads doubles.
#[inline]
pub(super) fn doubles<const N: usize>(input: &mut Input<'_>) -> Result<[f64; N], Fault> {
    let bytes = input.take(size_of::<[f64; N]>())?;
    let mut values = [0.0; N];
    for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *value = f64::from_le_bytes(*bytes);
    }
    Ok(values)
}

/// A text: it ends in its only NUL, and something stands before it.
pub(super) fn text<'a>(body: &Input<'a>) -> Option<&'a [u8]> {
    match body.peek().split_last() {
        Some((0, text)) if !text.is_empty() && !text.contains(&0) => Some(text),
        _ => None,
    }
}

/// Counts the chunks that are known, and keeps the others.
#[derive(Debug, Default)]
pub(super) struct Row {
    index: u32,
    extra: Vec<Chunk>,
}

impl Row {
    /// A chunk is known.
    pub(super) fn known(&mut self) {
        self.index = self.index.saturating_add(1);
    }

    /// A chunk is known, or else it is kept.
    pub(super) fn known_if(&mut self, known: bool, raw: &Raw<'_>) {
        if known { self.known() } else { self.keep(raw) }
    }

    /// Keeps a chunk.
    pub(super) fn keep(&mut self, raw: &Raw<'_>) {
        match self.extra.last_mut() {
            Some(last) if last.index == self.index => last.bytes.extend_from_slice(raw.whole),
            _ => self.extra.push(Chunk { index: self.index, bytes: raw.whole.to_vec() }),
        }
    }

    /// Puts a name where there is none yet; what is not such a name is kept.
    pub(super) fn name(&mut self, raw: &Raw<'_>, slot: &mut Name, shared: &mut Shared) {
        match text(&raw.body).filter(|_| slot.is_empty()) {
            Some(text) => {
                *slot = shared.name(text);
                self.known();
            }
            None => self.keep(raw),
        }
    }

    /// What was kept.
    pub(super) fn finish(self) -> Vec<Chunk> {
        self.extra
    }
}

/// Memory for what takes more of it than the file has bytes for.
#[derive(Debug)]
pub(super) struct Spare(usize);

impl Spare {
    /// What takes at most this many times its bytes needs nothing to spare.
    const FACTOR: usize = 5;

    pub(super) const fn new() -> Self {
        Self(8 << 20)
    }

    /// Whether there is memory for something that takes `cost` and has `bytes` in the file; takes it.
    pub(super) fn affords(&mut self, cost: usize, bytes: usize) -> bool {
        let rest = self.0.checked_sub(cost.saturating_sub(bytes.saturating_mul(Self::FACTOR)));
        if let Some(rest) = rest {
            self.0 = rest;
        }
        rest.is_some()
    }
}

/// An array: its count, which its bytes must bear out, and that many items of `size` bytes.
pub(super) fn counted(body: &mut Input<'_>, size: usize, what: &'static str) -> Result<usize, Fault> {
    let declared = body.u32_le()?;
    let count = body.count(declared.into(), size, what)?;
    match body.remaining().saturating_sub(count.saturating_mul(size)) {
        0 => Ok(count),
        left => Err(body.fault(FaultKind::Trailing { count: left as u64 })),
    }
}
