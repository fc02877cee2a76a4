//! Bodies for the classic zlib compressor.

use mapwright_deflate::{BlockEnd, Level, compress};
use mapwright_io::{Budget, Limits, Position, inflate};

use crate::target::Target;

/// The targets of `mapwright-deflate`.
pub const TARGETS: &[Target] = &[Target {
    name: "deflate_roundtrip",
    format: "deflate",
    body: roundtrip,
    inputs: &[b"\0", b"\x05aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", b"\x0babcabcabcabdabdabcabcabcxabcabcabdabd"],
    ..Target::NEW
}];

/// Compresses the rest of the input with options from the first byte. The output inflates to the same bytes.
pub fn roundtrip(bytes: &[u8]) {
    let Some((&way, data)) = bytes.split_first() else { return };
    let level = [Level::Four, Level::Five, Level::Six, Level::Seven, Level::Eight, Level::Nine][usize::from(way % 6)];
    let block_end = if way & 0x80 == 0 { BlockEnd::Full } else { BlockEnd::Early };
    let stream = compress(data, level, block_end);
    let inflated = inflate(&stream, Some(data.len() as u64), &mut Budget::new(&Limits::default()), Position::file(0));
    let inflated = inflated.unwrap_or_else(|fault| panic!("its own stream does not inflate: {fault}"));
    assert!(inflated.bytes == data, "the stream inflates to other bytes");
    assert!(inflated.consumed == stream.len(), "bytes follow the stream");
}
