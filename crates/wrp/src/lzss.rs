//! LZSS as the engine packs blocks: Okumura's, with backward distances and a checksum behind the bytes.
//!
//! A byte of eight flags, the lowest first, says of each of the items behind it whether it is a byte (1) or a pair of bytes (0): the
//! lower eight bits of a distance; its upper four and, in the lower half, a length less three.

use mapwright_io::Input;

use crate::finder::{Finder, Match};
use crate::{ReadError, ReadErrorKind};

/// Distances are counted modulo that: 0 is the farthest.
const WINDOW: usize = 4096;
/// What stands before the first byte.
const BEFORE: u8 = b' ';
/// The longest repetition.
const LONGEST: usize = 18;

/// Unpacks a block of so many bytes and checks its checksum.
pub(crate) fn unpack(input: &mut Input<'_>, size: usize) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(size.min(input.remaining().saturating_mul(4)));
    // The bit above the eight tells how many of them are left.
    let mut flags = 1_u32;
    while bytes.len() < size {
        if flags == 1 {
            flags = u32::from(input.u8()?) | 0x100;
        }
        if flags & 1 == 1 {
            bytes.push(input.u8()?);
        } else {
            let [low, high] = input.array()?;
            let distance = usize::from(low) | usize::from(high & 0xf0) << 4;
            let distance = if distance == 0 { WINDOW } else { distance };
            // The last one may be longer than what is left.
            let left = size.saturating_sub(bytes.len());
            repeat(&mut bytes, distance, usize::from(high & 15).saturating_add(3).min(left));
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

/// Appends bytes that stand so far before the end; they may be among those that are appended.
fn repeat(bytes: &mut Vec<u8>, distance: usize, length: usize) {
    match bytes.len().checked_sub(distance) {
        Some(start) if length <= distance => bytes.extend_from_within(start..start.saturating_add(length)),
        _ => {
            for _ in 0..length {
                let place = bytes.len().checked_sub(distance);
                let byte = place.and_then(|place| bytes.get(place)).copied().unwrap_or(BEFORE);
                bytes.push(byte);
            }
        }
    }
}

/// Packs a block. The engine's packer finds longer repetitions; the bytes differ from its own, what they unpack to does not.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len());
    let mut finder = Finder::new(bytes);
    let mut at = 0_usize;
    while at < bytes.len() {
        let (place, mut flags) = (packed.len(), 0_u8);
        packed.push(flags);
        for flag in [1_u8, 2, 4, 8, 16, 32, 64, 128] {
            if let Some(Match { length, distance }) = finder.at(at, WINDOW.saturating_sub(1), LONGEST) {
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
        if let Some(place) = packed.get_mut(place) {
            *place = flags;
        }
    }
    packed.extend(checksum(bytes).to_le_bytes());
    packed
}

/// The sum of the bytes.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(u32::from(*byte)))
}

/// The magic of a file that is packed as a whole: its four bytes are all different and therefore stand there as they are.
pub(crate) fn wrapped_magic(bytes: &[u8]) -> Option<[u8; 4]> {
    match bytes.first_chunk::<5>()? {
        [flags, magic @ ..] if flags & 15 == 15 => Some(*magic),
        _ => None,
    }
}
