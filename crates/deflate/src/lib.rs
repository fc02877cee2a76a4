#![doc = include_str!("../README.md")]

mod bits;
mod matcher;
mod tables;
mod trees;

/// Compression level: those of zlib that use the lazy matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Level {
    /// Level 4.
    Four,
    /// Level 5.
    Five,
    /// Level 6, zlib's default.
    #[default]
    Six,
    /// Level 7.
    Seven,
    /// Level 8.
    Eight,
    /// Level 9, the smallest output.
    Nine,
}

impl Level {
    /// Returns the two header bytes of a stream of this level.
    pub const fn header(self) -> [u8; 2] {
        // The window of 32 KiB, the class of the level in two bits, and the check bits that make the header a multiple of 31.
        match self {
            Self::Four | Self::Five => [0x78, 0x5E],
            Self::Six => [0x78, 0x9C],
            Self::Seven | Self::Eight | Self::Nine => [0x78, 0xDA],
        }
    }
}

/// Rule that ends a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BlockEnd {
    /// After 16,383 symbols: zlib 1.1 and later.
    #[default]
    Full,
    /// As `Full`, and after any multiple of 4,096 symbols if the block compresses well and most symbols are literals: zlib 1.0.
    Early,
}

/// Compresses `data` into a zlib stream, byte for byte as `compress2` of classic zlib does in one call.
///
/// The window has 32 KiB; the memory level is 8 and the strategy is the default.
pub fn compress(data: &[u8], level: Level, block_end: BlockEnd) -> Vec<u8> {
    let mut stream = matcher::deflate(data, level.header().to_vec(), level, block_end, usize::MAX);
    stream.extend_from_slice(&adler32(data).to_be_bytes());
    stream
}

/// Returns `true` if a stream has the header and the first block that [`compress`] writes for `data`.
///
/// Only the first block is compressed: up to 16,383 symbols.
pub fn matches_first_block(stream: &[u8], data: &[u8], level: Level, block_end: BlockEnd) -> bool {
    let header = level.header();
    stream.starts_with(&header) && stream.starts_with(&matcher::deflate(data, header.to_vec(), level, block_end, 1))
}

/// Computes Adler-32, the checksum at the end of a zlib stream.
pub fn adler32(data: &[u8]) -> u32 {
    const BASE: u32 = 65_521;
    // The sums of at most this many bytes fit 32 bits.
    const RUN: usize = 5552;
    let (mut a, mut b) = (1_u32, 0_u32);
    for run in data.chunks(RUN) {
        for &byte in run {
            a += u32::from(byte);
            b += a;
        }
        a %= BASE;
        b %= BASE;
    }
    (b << 16) | a
}
