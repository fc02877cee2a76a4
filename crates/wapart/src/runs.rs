//! The two run-length encodings of pixels, in both directions.

use mapwright_io::{Fault, Input};

use crate::WriterProfile;

/// Maximum number of pixels per packed byte: 63 for two bytes, rounded up.
const MAX_PACKED: u64 = 32;

/// Maximum number of pixels per byte with skips.
const MAX_SKIPPED: u64 = 127;

/// Longest run of skipped pixels that the original encoder writes.
const SKIP_RUN: usize = 126;

/// Unusual runs of encoded pixels. Real files have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct RunCounts {
    /// Runs without pixels. Gruntz hangs on them in packed pixels, but not in skips.
    pub empty: usize,
    /// Runs that cross the end of a row. After one of skips, Gruntz draws the next row in the wrong place.
    pub over_row: usize,
    /// Pixels of the last run beyond the end of the image. They are ignored.
    pub excess: usize,
}

/// Unpacks the run-length encoding of PCX and most PID images. A byte whose two highest bits are set is the length of a run of the
/// next byte; any other byte is a literal. The last run is cut at the end of the image.
pub(crate) fn unpack(input: &mut Input<'_>, count: usize) -> Result<Vec<u8>, Fault> {
    input.count((count as u64).div_ceil(MAX_PACKED), 1, "packed bytes")?;
    let mut bytes = Vec::with_capacity(count);
    while bytes.len() < count {
        let left = count.saturating_sub(bytes.len());
        let literals = input.peek().iter().take(left).take_while(|byte| **byte < 0xC0).count();
        bytes.extend_from_slice(input.take(literals)?);
        if literals < left {
            let run = usize::from(input.u8()? & 0x3F);
            let byte = input.u8()?;
            bytes.resize(bytes.len().saturating_add(run).min(count), byte);
        }
    }
    Ok(bytes)
}

/// Unpacks skips: a byte of 128 + n is a run of n transparent pixels, a smaller byte n is followed by n literal bytes. Runs can cross the
/// end of a row. Returns the indices, where skipped pixels are `fill`, and which pixels are skipped.
pub(crate) fn unpack_skips(input: &mut Input<'_>, count: usize, fill: u8) -> Result<(Vec<u8>, Vec<bool>), Fault> {
    input.count((count as u64).div_ceil(MAX_SKIPPED), 1, "runs of pixels")?;
    let (mut indices, mut skipped) = (Vec::with_capacity(count), Vec::with_capacity(count));
    while indices.len() < count {
        let run = input.u8()?;
        let left = count.saturating_sub(indices.len());
        match run.checked_sub(128) {
            Some(run) => indices.resize(indices.len().saturating_add(left.min(run.into())), fill),
            None => indices.extend(input.take(run.into())?.iter().take(left)),
        }
        skipped.resize(indices.len(), run >= 128);
    }
    Ok((indices, skipped))
}

/// Packs each row separately.
fn pack(bytes: &[u8], width: usize, profile: WriterProfile) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len() / 2);
    for row in bytes.chunks(width.max(1)) {
        for equal in row.chunk_by(|one, next| one == next) {
            let Some(&byte) = equal.first() else { continue };
            for run in equal.chunks(0x3F) {
                if run.len() > 1 || byte >= profile.literal_end() {
                    packed.push(0xC0 | length(run));
                }
                packed.push(byte);
            }
        }
    }
    packed
}

/// Packs each row separately, as runs of skipped and of literal pixels.
pub(crate) fn pack_skips(indices: &[u8], skipped: &[bool], width: usize) -> Vec<u8> {
    let width = width.max(1);
    let mut packed = Vec::with_capacity(indices.len() / 2);
    for (indices, skipped) in indices.chunks(width).zip(skipped.chunks(width)) {
        let mut left = indices;
        for same in skipped.chunk_by(|one, next| one == next) {
            let is_skipped = same.first() == Some(&true);
            for run in same.chunks(if is_skipped { SKIP_RUN } else { 127 }) {
                let (literals, after) = left.split_at_checked(run.len()).unwrap_or((left, &[]));
                left = after;
                if is_skipped {
                    packed.push(0x80 | length(run));
                } else {
                    packed.push(length(run));
                    packed.extend_from_slice(literals);
                }
            }
        }
    }
    packed
}

/// Returns the length of a run, which fits a byte.
fn length<T>(run: &[T]) -> u8 {
    u8::try_from(run.len()).unwrap_or(u8::MAX)
}

/// Encoded pixels as they were read. They are written again if they decode to the pixels of the document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stored {
    stream: Vec<u8>,
    /// Bytes of a row.
    width: usize,
    /// Decoded bytes.
    count: usize,
}

/// All values are equal, so the encoding does not count when documents are compared.
impl PartialEq for Stored {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Stored {}

impl Stored {
    /// Stores the bytes between two positions of an input.
    pub(crate) fn new(before: &Input<'_>, after: &Input<'_>, width: usize, count: usize) -> Self {
        let length = before.remaining().saturating_sub(after.remaining());
        let stream = before.peek().get(..length).unwrap_or_default().to_vec();
        Self { stream, width, count }
    }

    /// Packs bytes with the given profile. Without one, returns the stored encoding if the bytes are unchanged, else packs them with the
    /// profile that reproduces the stored encoding.
    pub(crate) fn pack(&self, bytes: &[u8], width: usize, profile: Option<WriterProfile>) -> Vec<u8> {
        if let Some(profile) = profile {
            return pack(bytes, width, profile);
        }
        let old = self.decode(self.count, unpack);
        if old.as_deref() == Some(bytes) {
            return self.stream.clone();
        }
        let detected = old.and_then(|old| {
            let repeats = |profile: &WriterProfile| pack(&old, self.width, *profile) == self.stream;
            WriterProfile::ALL.into_iter().find(repeats)
        });
        pack(bytes, width, detected.unwrap_or_default())
    }

    /// Returns the stored encoding if the pixels are unchanged, else packs them.
    pub(crate) fn pack_skips(&self, indices: &[u8], skipped: &[bool], width: usize, fill: u8) -> Vec<u8> {
        let old = self.decode(self.count, |input, count| unpack_skips(input, count, fill));
        match old {
            Some((old, mask)) if old == indices && mask == skipped => self.stream.clone(),
            _ => pack_skips(indices, skipped, width),
        }
    }

    /// Decodes the stream. Returns `None` if it is truncated or has bytes after `count` pixels.
    fn decode<T>(&self, count: usize, unpack: impl FnOnce(&mut Input<'_>, usize) -> Result<T, Fault>) -> Option<T> {
        let mut input = Input::new(&self.stream);
        let pixels = unpack(&mut input, count).ok()?;
        input.is_empty().then_some(pixels)
    }

    /// Counts unusual runs.
    pub(crate) fn count_runs(&self, is_skips: bool) -> RunCounts {
        let mut counts = RunCounts::default();
        let mut input = Input::new(&self.stream);
        let mut pixels = 0_usize;
        while let Ok(byte) = input.u8() {
            let run = match (is_skips, byte) {
                (true, 0x80..) => byte & 0x7F,
                (true, _) => input.take(byte.into()).map_or(0, |_| byte),
                (false, 0xC0..) => input.u8().map_or(0, |_| byte & 0x3F),
                (false, _) => 1,
            };
            let column = pixels.checked_rem(self.width).unwrap_or(0);
            counts.empty = counts.empty.saturating_add(usize::from(run == 0));
            let end = column.saturating_add(run.into());
            counts.over_row = counts.over_row.saturating_add(usize::from(end > self.width));
            pixels = pixels.saturating_add(run.into());
        }
        counts.excess = pixels.saturating_sub(self.count);
        counts
    }
}
