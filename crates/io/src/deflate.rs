//! Fast compression into zlib streams.

use flate2::{Compress, Compression, FlushCompress, Status};

use crate::parallel;

/// Size of the parts that are compressed on their own. The stream does not depend on the number of threads.
const PART: usize = 1 << 20;
/// The fastest level that searches for repetitions. The result is a tenth larger than at level 6, in a third of the time.
const LEVEL: u32 = 2;
/// Window of 32 KiB, fast compression, and the check bits that make the header a multiple of 31.
const HEADER: [u8; 2] = [0x78, 0x5E];

/// Compresses `data` into a zlib stream fast, with several threads if the feature `parallel` is on.
///
/// The bytes of the stream may change with the version of this crate. For the bytes of classic zlib, see `mapwright-deflate`.
pub fn deflate(data: &[u8]) -> Vec<u8> {
    let (mut out, sum) =
        parallel::join(|| compress_parts(HEADER.to_vec(), data, true), || simd_adler32::adler32(&data));
    out.extend(sum.to_be_bytes());
    out
}

/// Maximum number of threads for which parts wait, so that memory is bounded on all machines.
const MAX_THREADS: usize = 16;

/// Compresses data that is written in pieces into the stream of [`deflate`], without all of the data in memory: at most 2 MiB of it wait
/// for each thread, and 32 MiB for all.
#[derive(Debug)]
pub struct Deflater {
    out: Vec<u8>,
    /// Data that is not compressed yet. The last part needs another end, so there is always some.
    pending: Vec<u8>,
    /// Adler-32 of the data.
    sum: u32,
}

impl Deflater {
    /// Starts a stream after the bytes in `out`.
    pub fn new(mut out: Vec<u8>) -> Self {
        out.extend(HEADER);
        Self { out, pending: Vec::new(), sum: 1 }
    }

    /// Adds data.
    pub fn write(&mut self, mut data: &[u8]) {
        // Two parts for each thread, so that none of them waits long.
        let batch = PART.saturating_mul(parallel::threads().min(MAX_THREADS).saturating_mul(2));
        let mut sum = simd_adler32::Adler32::from_checksum(self.sum);
        sum.write(data);
        self.sum = sum.finish();
        loop {
            let (now, later) = data.split_at(data.len().min(batch.saturating_sub(self.pending.len())));
            self.pending.extend_from_slice(now);
            if later.is_empty() {
                return;
            }
            self.compress(false);
            data = later;
        }
    }

    /// Ends the stream. Returns it, after the bytes before it.
    pub fn finish(mut self) -> Vec<u8> {
        self.compress(true);
        self.out.extend(self.sum.to_be_bytes());
        self.out
    }

    /// Compresses the pending data, a number of whole parts unless it is the last.
    fn compress(&mut self, is_last: bool) {
        self.out = compress_parts(std::mem::take(&mut self.out), &self.pending, is_last);
        self.pending.clear();
    }
}

/// Compresses data in parts, and adds them to `out`.
fn compress_parts(mut out: Vec<u8>, data: &[u8], is_last: bool) -> Vec<u8> {
    let mut parts: Vec<(&[u8], bool)> = data.chunks(PART).map(|part| (part, false)).collect();
    match parts.last_mut() {
        Some((_, ends)) => *ends = is_last,
        None => parts.push((&[], is_last)),
    }
    let parts = parallel::map(parts, |(part, is_last)| compress(part, is_last));
    out.reserve(parts.iter().map(Vec::len).sum::<usize>().saturating_add(4));
    parts.iter().for_each(|part| out.extend(part));
    out
}

/// Compresses a part. All but the last end at a byte, with an empty block.
fn compress(part: &[u8], is_last: bool) -> Vec<u8> {
    let mut compressor = Compress::new(Compression::new(LEVEL), false);
    let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    let mut out = Vec::with_capacity((part.len() / 4).saturating_add(64));
    loop {
        let consumed = usize::try_from(compressor.total_in()).unwrap_or(usize::MAX);
        let rest = part.get(consumed..).unwrap_or_default();
        let status = compressor.compress_vec(rest, &mut out, flush);
        // A part that is cut off would be lost data.
        assert!(status.is_ok(), "the parameters of the compressor are constants");
        let is_complete = match status {
            Ok(Status::StreamEnd) => true,
            _ => !is_last && out.len() < out.capacity(),
        };
        if is_complete {
            return out;
        }
        out.reserve(out.capacity().max(64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Limits, Position, inflate};

    #[test]
    fn streams_inflate_to_the_data() {
        let noise = (0_u32..).scan(1_u32, |state, _| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some((*state >> 24) as u8)
        });
        for length in [0, 1, 100, PART - 1, PART, PART + 1, 2 * PART + 12_345, 40 * PART] {
            for data in [vec![7; length], noise.clone().take(length).collect()] {
                let stream = deflate(&data);
                let mut budget = Budget::new(&Limits::default());
                let inflated = inflate(&stream, None, &mut budget, Position::file(0)).unwrap();
                assert!(inflated.bytes == data, "{length}");
                assert_eq!(inflated.consumed, stream.len(), "{length}");
                for piece in [PART / 3, 5 * PART] {
                    let mut deflater = Deflater::new(vec![1, 2, 3]);
                    data.chunks(piece).for_each(|piece| deflater.write(piece));
                    assert!(deflater.finish() == [&[1, 2, 3], &stream[..]].concat(), "{length} {piece}");
                }
            }
        }
    }
}
