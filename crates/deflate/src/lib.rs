#![doc = include_str!("../README.md")]

mod bits;
mod matcher;
mod tables;
mod trees;

/// How hard the compressor looks for matches: the levels of zlib whose matcher is lazy.
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
    /// Level 9, the best.
    Nine,
}

impl Level {
    /// The two bytes that a stream of this level begins with.
    pub const fn header(self) -> [u8; 2] {
        // The window of 32 KiB; the level's class in two bits, and what makes the header a multiple of 31.
        match self {
            Self::Four | Self::Five => [0x78, 0x5E],
            Self::Six => [0x78, 0x9C],
            Self::Seven | Self::Eight | Self::Nine => [0x78, 0xDA],
        }
    }
}

/// When a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BlockEnd {
    /// After 16,383 symbols: every zlib from 1.1 on.
    #[default]
    Full,
    /// Also after any multiple of 4,096 symbols, where the block compresses well so far and literals dominate: zlib 1.0.
    Early,
}

/// Compresses `data` into a zlib stream, byte for byte as `compress2` of classic zlib does in one call: window of 32 KiB,
/// memory level 8, default strategy.
pub fn zlib(data: &[u8], level: Level, block_end: BlockEnd) -> Vec<u8> {
    let mut stream = matcher::deflate(data, level.header().to_vec(), level, block_end, usize::MAX);
    stream.extend_from_slice(&adler32(data).to_be_bytes());
    stream
}

/// Whether a stream begins as [`zlib`] would have it begin: with the same header and the same first block, 16,383 symbols where there
/// are so many. It takes the time of those.
pub fn begins(stream: &[u8], data: &[u8], level: Level, block_end: BlockEnd) -> bool {
    let header = level.header();
    stream.starts_with(&header) && stream.starts_with(&matcher::deflate(data, header.to_vec(), level, block_end, 1))
}

/// The checksum at the end of a zlib stream: Adler-32.
pub fn adler32(data: &[u8]) -> u32 {
    const BASE: u32 = 65_521;
    // The most bytes after which the sums still fit 32 bits.
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
