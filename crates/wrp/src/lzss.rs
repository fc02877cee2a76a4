//! LZSS, the compression of blocks in older versions: Okumura's algorithm with backward distances, followed by a checksum.
//!
//! A byte of eight flags, lowest first, precedes eight items. An item is a literal byte (1) or a match of two bytes (0): the lower
//! eight bits of the distance, then its upper four bits and, in the lower half, the length minus three.

use mapwright_io::Input;

use crate::finder::{Finder, Match};
use crate::{ReadError, ReadErrorKind};

/// Size of the window. Distances are modulo this: 0 is the farthest.
const WINDOW: usize = 4096;
/// Value of the bytes before the first byte.
const BEFORE: u8 = b' ';
/// Maximum length of a match.
const LONGEST: usize = 18;

/// Unpacks a block of `size` bytes and verifies its checksum.
pub(crate) fn unpack(input: &mut Input<'_>, size: usize) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(size.min(input.remaining().saturating_mul(4)));
    // The bit above the eight flags marks the end of the remaining flags.
    let mut flags = 1_u32;
    while bytes.len() < size {
        if flags == 1 {
            let byte = input.u8()?;
            // Fast path for eight literals, which are frequent in heights.
            if byte == 0xff && size.saturating_sub(bytes.len()) >= 8 {
                bytes.extend_from_slice(&input.array::<8>()?);
                continue;
            }
            flags = u32::from(byte) | 0x100;
        }
        if flags & 1 == 1 {
            bytes.push(input.u8()?);
        } else {
            let [low, high] = input.array()?;
            let distance = usize::from(low) | usize::from(high & 0xf0) << 4;
            let distance = if distance == 0 { WINDOW } else { distance };
            // The last match may be longer than the rest of the block.
            let left = size.saturating_sub(bytes.len());
            copy_match(&mut bytes, distance, usize::from(high & 15).saturating_add(3).min(left));
        }
        flags >>= 1;
    }
    let at = input.position();
    let (stored, found) = (input.u32_le()?, checksum(&bytes));
    if stored != found {
        return Err(ReadError::new(ReadErrorKind::Checksum { stored, found }, at));
    }
    Ok(bytes)
}

/// Appends a match, which may overlap the appended bytes.
fn copy_match(bytes: &mut Vec<u8>, distance: usize, length: usize) {
    match bytes.len().checked_sub(distance) {
        Some(start) if length <= distance => bytes.extend_from_within(start..start.saturating_add(length)),
        _ => {
            for _ in 0..length {
                let source = bytes.len().checked_sub(distance);
                let byte = source.and_then(|source| bytes.get(source)).copied().unwrap_or(BEFORE);
                bytes.push(byte);
            }
        }
    }
}

/// Packs a block. The compressor of the engine finds longer matches, so the packed bytes differ from its output.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len());
    let mut finder = Finder::new(bytes);
    let mut at = 0_usize;
    while at < bytes.len() {
        let (flags_at, mut flags) = (packed.len(), 0_u8);
        packed.push(flags);
        for flag in [1_u8, 2, 4, 8, 16, 32, 64, 128] {
            if let Some(Match { length, distance }) = finder.find_match(at, WINDOW.saturating_sub(1), LONGEST) {
                let [low, high, ..] = distance.to_le_bytes();
                let [length_less_three, ..] = length.saturating_sub(3).to_le_bytes();
                packed.extend([low, high << 4 | length_less_three]);
                at = at.saturating_add(length);
            } else if let Some(byte) = bytes.get(at) {
                flags |= flag;
                packed.push(*byte);
                at = at.saturating_add(1);
            }
        }
        if let Some(byte) = packed.get_mut(flags_at) {
            *byte = flags;
        }
    }
    packed.extend(checksum(bytes).to_le_bytes());
    packed
}

/// Returns the sum of the bytes.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(u32::from(*byte)))
}

/// Returns the magic of a compressed file. Its four bytes differ from each other, so they are literals.
pub(crate) fn packed_file_magic(bytes: &[u8]) -> Option<[u8; 4]> {
    match bytes.first_chunk::<5>()? {
        [flags, magic @ ..] if flags & 15 == 15 => Some(*magic),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(packed: &[u8], size: usize) -> Result<Vec<u8>, ReadErrorKind> {
        let mut input = Input::new(packed);
        let bytes = unpack(&mut input, size).map_err(ReadError::into_kind)?;
        assert!(input.is_empty(), "{} bytes are left", input.remaining());
        Ok(bytes)
    }

    fn with_checksum(items: &[u8], bytes: &[u8]) -> Vec<u8> {
        let sum: u32 = bytes.iter().map(|byte| u32::from(*byte)).sum();
        [items, &sum.to_le_bytes()].concat()
    }

    #[test]
    fn matches_may_overlap_themselves() {
        // "ab", then six bytes at distance 2.
        let packed = with_checksum(&[0b011, b'a', b'b', 2, 3], b"abababab");
        assert_eq!(unpacked(&packed, 8).unwrap(), b"abababab");
    }

    #[test]
    fn the_last_match_may_exceed_the_block() {
        let packed = with_checksum(&[0b011, b'a', b'b', 2, 15], b"ababa");
        assert_eq!(unpacked(&packed, 5).unwrap(), b"ababa");
    }

    #[test]
    fn spaces_precede_the_first_byte() {
        // Distance 0x123, although only two bytes are written; and the farthest distance, which is encoded as 0.
        let packed = with_checksum(&[0b0011, b'a', b'b', 0x23, 0x10, 0, 1], b"ab       ");
        assert_eq!(unpacked(&packed, 9).unwrap(), b"ab       ");
        // Distance 3 after two bytes: one space, then the start.
        let packed = with_checksum(&[0b011, b'a', b'b', 3, 1], b"ab ab ");
        assert_eq!(unpacked(&packed, 6).unwrap(), b"ab ab ");
    }

    #[test]
    fn the_farthest_distance_is_the_whole_window() {
        let bytes: Vec<u8> = (0..4096_u32).map(|place| place.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
        let mut items = Vec::new();
        for eight in bytes.chunks(8) {
            items.push(255);
            items.extend(eight);
        }
        items.extend([0, 0, 15]);
        let all = [&bytes[..], &bytes[..18]].concat();
        assert_eq!(unpacked(&with_checksum(&items, &all), all.len()).unwrap(), all);
    }

    #[test]
    fn a_wrong_checksum_and_missing_bytes_are_rejected() {
        let mut packed = with_checksum(&[0b1111, 200, 200, 200, 200], &[200; 4]);
        assert_eq!(packed[5..], [32, 3, 0, 0], "bytes are not signed");
        assert!(unpacked(&packed, 4).is_ok());
        for length in 0..packed.len() {
            assert!(matches!(unpacked(&packed[..length], 4), Err(ReadErrorKind::Input(_))), "{length}");
        }
        packed[6] ^= 1;
        assert!(matches!(unpacked(&packed, 4), Err(ReadErrorKind::Checksum { stored: 0x220, found: 0x320 })));
    }

    #[test]
    fn packed_bytes_unpack_to_the_input() {
        for bytes in crate::finder::samples() {
            let packed = pack(&bytes);
            assert!(unpacked(&packed, bytes.len()).unwrap() == bytes);
            assert!(packed.len() <= bytes.len() + bytes.len().div_ceil(8) + 4);
        }
        assert!(pack(&[7; 10_000]).len() < 1300);
    }

    #[test]
    fn the_magic_of_a_packed_file_is_literal() {
        assert_eq!(packed_file_magic(b"\xff4WVR....."), Some(*b"4WVR"));
        assert_eq!(packed_file_magic(b"\xfe4WVR....."), None);
        assert_eq!(packed_file_magic(b"\xff4WV"), None);
    }

    /// Source: "LZSS (\"SSCompress\")".
    #[test]
    fn the_window_matches_the_description() {
        assert_eq!((WINDOW, BEFORE, LONGEST), (4096, 0x20, 18));
    }
}
