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
    let parts: Vec<&[u8]> = data.chunks(PART).collect();
    let last = parts.len().saturating_sub(1);
    let (parts, sum) = parallel::join(
        || {
            let parts = parts.into_iter().enumerate().collect();
            parallel::map(parts, |(index, part)| compress(part, index == last))
        },
        || simd_adler32::adler32(&data),
    );
    let mut out = Vec::with_capacity(parts.iter().map(Vec::len).sum::<usize>().saturating_add(8));
    out.extend(HEADER);
    match &parts[..] {
        [] => out.extend(compress(&[], true)),
        parts => parts.iter().for_each(|part| out.extend(part)),
    }
    out.extend(sum.to_be_bytes());
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
        for length in [0, 1, 100, PART - 1, PART, PART + 1, 2 * PART + 12_345] {
            for data in [vec![7; length], noise.clone().take(length).collect()] {
                let stream = deflate(&data);
                let mut budget = Budget::new(&Limits::default());
                let inflated = inflate(&stream, None, &mut budget, Position::file(0)).unwrap();
                assert!(inflated.bytes == data, "{length}");
                assert_eq!(inflated.consumed, stream.len(), "{length}");
            }
        }
    }
}
