//! Compression of cells.

use std::io::Read as _;

use flate2::Crc;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use mapwright_deflate::{BlockEnd, Level};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::codes::Compression;

/// The least window of Zstandard that decoders should support.
const ZSTD_WINDOW: u64 = 8 << 20;

/// Decompresses up to `most` bytes. Further bytes are not looked at.
pub(super) fn decompress(bytes: Vec<u8>, compression: Compression, most: usize) -> Result<Vec<u8>, String> {
    let limit = most as u64;
    let mut out = Vec::new();
    let result = match compression {
        Compression::None => return Ok(bytes),
        // Some programs write no stream for an empty chunk.
        _ if bytes.is_empty() => return Ok(bytes),
        Compression::Zlib => ZlibDecoder::new(&*bytes).take(limit).read_to_end(&mut out),
        Compression::Gzip => MultiGzDecoder::new(&*bytes).take(limit).read_to_end(&mut out),
        Compression::Zstd => {
            let window = ZSTD_WINDOW.max(limit);
            let decoder = StreamingDecoder::new_with_max_window_size(&*bytes, window);
            decoder.map_err(|error| error.to_string())?.take(limit).read_to_end(&mut out)
        }
    };
    result.map(|_| out).map_err(|error| error.to_string())
}

/// Compresses bytes. zlib and gzip streams of levels from 4 and of the default level are those of classic zlib, which Tiled uses.
pub(crate) fn compress(bytes: Vec<u8>, compression: Compression, level: i32, old: &[u8]) -> Vec<u8> {
    let level = match level {
        // Classic zlib has other methods for levels 0 to 3, which compress less. The encoder does not have them.
        0..=4 => Level::Four,
        5 => Level::Five,
        7 => Level::Seven,
        8 => Level::Eight,
        9.. => Level::Nine,
        _ => Level::Six,
    };
    let zlib = || mapwright_deflate::compress(&bytes, level, BlockEnd::Full);
    match compression {
        Compression::None => bytes,
        Compression::Zlib => zlib(),
        Compression::Gzip => wrap_gzip(&zlib(), &bytes, old),
        Compression::Zstd => compress_to_vec(&*bytes, CompressionLevel::Fastest),
    }
}

/// Puts the deflated data of a zlib stream into a gzip file (RFC 1952), with the header of another one if it has no name.
fn wrap_gzip(zlib: &[u8], bytes: &[u8], old: &[u8]) -> Vec<u8> {
    /// Identification, method, flags, time, extra flags, and the system: Unix.
    const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
    let header = match old {
        [0x1F, 0x8B, 8, 0, ..] => old.first_chunk().copied().unwrap_or(HEADER),
        _ => HEADER,
    };
    let deflated = zlib.get(2..zlib.len().saturating_sub(4)).unwrap_or_default();
    let mut crc = Crc::new();
    crc.update(bytes);
    // The size is modulo 2³².
    [&header, deflated, &crc.sum().to_le_bytes(), &crc.amount().to_le_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compression; 4] = [Compression::None, Compression::Gzip, Compression::Zlib, Compression::Zstd];

    #[test]
    fn compressed_bytes_are_restored() {
        let bytes: Vec<u8> = (0..100_000_u32).flat_map(|number| (number % 7).to_le_bytes()).collect();
        for compression in ALL {
            for level in [-1, 0, 9] {
                let packed = compress(bytes.clone(), compression, level, &[]);
                assert_eq!(
                    decompress(packed.clone(), compression, bytes.len() + 1).as_ref(),
                    Ok(&bytes),
                    "{compression:?}"
                );
                let limited = decompress(packed, compression, 1000).map(|bytes| bytes.len());
                assert!(compression == Compression::None || limited == Ok(1000), "{compression:?}");
            }
        }
    }

    #[test]
    fn damaged_streams_are_rejected() {
        for compression in &ALL[1..] {
            let packed = compress(vec![7; 1000], *compression, -1, &[]);
            assert!(decompress(packed[..packed.len() / 2].to_vec(), *compression, 1001).is_err(), "{compression:?}");
            assert!(decompress(b"no stream at all".to_vec(), *compression, 1001).is_err(), "{compression:?}");
        }
    }

    #[test]
    fn gzip_keeps_its_header() {
        let old = [0x1F, 0x8B, 8, 0, 1, 2, 3, 4, 0, 10, 99];
        let packed = compress(vec![7; 10], Compression::Gzip, -1, &old);
        assert_eq!(packed[..10], old[..10]);
        assert_eq!(decompress(packed, Compression::Gzip, 100), Ok(vec![7; 10]));
    }
}
