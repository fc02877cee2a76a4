//! LZO1X, the compression of blocks since version 23, without a length or a checksum.
//!
//! Each instruction copies a match and then up to three literals. Only the first instruction, and one that follows an instruction
//! without literals, may copy more literals.

use mapwright_io::Input;

use crate::finder::{Finder, Match};
use crate::{ReadError, ReadErrorKind};

/// Maximum distances of the short, the middle and the long instruction.
const NEAR: usize = 0x800;
const MIDDLE: usize = 0x4000;
const FAR: usize = 0xbfff;

/// A block that is being unpacked.
struct Block<'a, 'b> {
    input: &'b mut Input<'a>,
    bytes: Vec<u8>,
    size: usize,
}

/// Unpacks a block of `size` bytes, including its end mark.
pub(crate) fn unpack(input: &mut Input<'_>, size: usize) -> Result<Vec<u8>, ReadError> {
    let bytes = Vec::with_capacity(size.min(input.remaining().saturating_mul(4)));
    let mut block = Block { input, bytes, size };
    // Number of literals of the previous instruction. 4 means more than three.
    let mut taken = 0;
    let mut code = block.input.u8()?;
    if let Some(count) = code.checked_sub(17).filter(|count| *count > 0) {
        block.copy_literals(count.into())?;
        taken = count.min(4);
        code = block.input.u8()?;
    }
    loop {
        let number = usize::from(code);
        let (length, distance, take) = match code {
            0..=15 if taken == 0 => {
                let count = block.read_length(number, 15)?.saturating_add(3);
                block.copy_literals(count)?;
                taken = 4;
                code = block.input.u8()?;
                continue;
            }
            0..=15 => {
                let back = usize::from(block.input.u8()?) << 2 | number >> 2;
                let (length, least) = if taken == 4 { (3, NEAR.saturating_add(1)) } else { (2, 1) };
                (length, back.saturating_add(least), code & 3)
            }
            16..=31 => {
                let length = block.read_length(number & 7, 7)?.saturating_add(2);
                let word = block.input.u16_le()?;
                let back = (number & 8) << 11 | usize::from(word >> 2);
                if back == 0 {
                    break;
                }
                (length, back.saturating_add(MIDDLE), word.to_le_bytes()[0] & 3)
            }
            32..=63 => {
                let length = block.read_length(number & 31, 31)?.saturating_add(2);
                let word = block.input.u16_le()?;
                (length, usize::from(word >> 2).saturating_add(1), word.to_le_bytes()[0] & 3)
            }
            64.. => {
                let back = usize::from(block.input.u8()?) << 3 | number >> 2 & 7;
                ((number >> 5).saturating_add(1), back.saturating_add(1), code & 3)
            }
        };
        block.copy_match(length, distance)?;
        block.copy_literals(take.into())?;
        taken = take;
        code = block.input.u8()?;
    }
    if block.bytes.len() < size {
        return Err(block.damaged("it ends early"));
    }
    Ok(block.bytes)
}

impl Block<'_, '_> {
    /// Reads a length: the bits of the instruction or, if they are 0, `base` plus 255 for each zero byte plus the next byte.
    fn read_length(&mut self, bits: usize, base: usize) -> Result<usize, ReadError> {
        if bits != 0 {
            return Ok(bits);
        }
        let mut length = base;
        loop {
            match self.input.u8()? {
                0 => length = length.saturating_add(255),
                last => return Ok(length.saturating_add(last.into())),
            }
            if length > self.size {
                return Err(self.damaged("it contains more"));
            }
        }
    }

    /// Checks that `count` bytes fit the block.
    fn check_room(&self, count: usize) -> Result<(), ReadError> {
        if self.bytes.len().saturating_add(count) > self.size {
            return Err(self.damaged("it contains more"));
        }
        Ok(())
    }

    fn copy_literals(&mut self, count: usize) -> Result<(), ReadError> {
        self.check_room(count)?;
        self.bytes.extend_from_slice(self.input.take(count)?);
        Ok(())
    }

    fn copy_match(&mut self, length: usize, distance: usize) -> Result<(), ReadError> {
        self.check_room(length)?;
        let Some(start) = self.bytes.len().checked_sub(distance) else {
            return Err(self.damaged("a match starts before the block"));
        };
        // The match may overlap the appended bytes. Then the available bytes are appended repeatedly.
        let mut left = length;
        while left > 0 {
            let count = left.min(self.bytes.len().saturating_sub(start));
            self.bytes.extend_from_within(start..start.saturating_add(count));
            left = left.saturating_sub(count);
        }
        Ok(())
    }

    #[cold]
    fn damaged(&self, reason: &'static str) -> ReadError {
        ReadError::new(ReadErrorKind::Lzo { size: self.size, reason }, self.input.position())
    }
}

/// Packs a block.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Packer { bytes: Vec::with_capacity(bytes.len()), slot: None };
    let mut finder = Finder::new(bytes);
    let (mut at, mut from) = (0_usize, 0_usize);
    while at < bytes.len() {
        let Some(found) = finder.find_match(at, FAR, usize::MAX) else {
            at = at.saturating_add(1);
            continue;
        };
        packed.write_literals(bytes.get(from..at).unwrap_or_default());
        packed.write_match(&found);
        at = at.saturating_add(found.length);
        from = at;
    }
    packed.write_literals(bytes.get(from..).unwrap_or_default());
    packed.bytes.extend([0x11, 0, 0]);
    packed.bytes
}

struct Packer {
    bytes: Vec<u8>,
    /// Index of the byte whose lower two bits are the number of literals of the last instruction. `None` before the first one.
    slot: Option<usize>,
}

impl Packer {
    /// Writes literals.
    fn write_literals(&mut self, run: &[u8]) {
        let count = run.len();
        let [low, ..] = count.to_le_bytes();
        match (count, self.slot) {
            (0, _) => {}
            (1..=238, None) => self.bytes.push(low.saturating_add(17)),
            (1..=3, Some(slot)) => {
                if let Some(slot) = self.bytes.get_mut(slot) {
                    *slot |= low;
                }
            }
            (4..=18, _) => self.bytes.push(low.saturating_sub(3)),
            _ => {
                self.bytes.push(0);
                self.write_length(count.saturating_sub(18));
            }
        }
        self.bytes.extend_from_slice(run);
    }

    fn write_match(&mut self, found: &Match) {
        let Match { length, distance } = *found;
        if length <= 8 && distance <= NEAR {
            let back = distance.saturating_sub(1);
            self.slot = Some(self.bytes.len());
            let [code, ..] = (length.saturating_sub(1) << 5 | (back & 7) << 2).to_le_bytes();
            let [far, ..] = (back >> 3).to_le_bytes();
            self.bytes.extend([code, far]);
            return;
        }
        let (code, all, back) = if distance <= MIDDLE {
            (32, 31_u8, distance.saturating_sub(1))
        } else {
            let back = distance.saturating_sub(MIDDLE);
            (if back >= MIDDLE { 24 } else { 16 }, 7, back & 0x3fff)
        };
        let length = length.saturating_sub(2);
        let [low, ..] = length.to_le_bytes();
        if length <= all.into() {
            self.bytes.push(code | low);
        } else {
            self.bytes.push(code);
            self.write_length(length.saturating_sub(all.into()));
        }
        self.slot = Some(self.bytes.len());
        let [low, high, ..] = (back << 2).to_le_bytes();
        self.bytes.extend([low, high]);
    }

    /// Writes the part of a length that exceeds the bits of the instruction.
    fn write_length(&mut self, mut more: usize) {
        while more > 255 {
            self.bytes.push(0);
            more = more.saturating_sub(255);
        }
        let [last, ..] = more.to_le_bytes();
        self.bytes.push(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: [u8; 3] = [0x11, 0, 0];

    fn unpacked(items: &[&[u8]], size: usize) -> Result<Vec<u8>, ReadErrorKind> {
        let packed = [items.concat(), END.to_vec()].concat();
        let mut input = Input::new(&packed);
        let bytes = unpack(&mut input, size).map_err(ReadError::into_kind)?;
        assert!(input.is_empty(), "{} bytes are left", input.remaining());
        Ok(bytes)
    }

    fn noise(count: u32) -> Vec<u8> {
        (0..count).map(|place| place.wrapping_add(7).wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect()
    }

    /// Returns noise as literals of one long instruction, the first of the block.
    fn literals(bytes: &[u8]) -> Vec<u8> {
        let mut packer = Packer { bytes: vec![0], slot: None };
        packer.write_length(bytes.len() - 18);
        [&packer.bytes, bytes].concat()
    }

    #[test]
    fn an_empty_block_is_an_end_mark() {
        assert_eq!(unpacked(&[], 0).unwrap(), b"");
        assert!(matches!(unpacked(&[], 1), Err(ReadErrorKind::Lzo { size: 1, reason: "it ends early" })));
    }

    #[test]
    fn the_first_byte_may_copy_literals() {
        assert_eq!(unpacked(&[&[17 + 3], b"abc"], 3).unwrap(), b"abc");
        assert_eq!(unpacked(&[&[17 + 5], b"abcde"], 5).unwrap(), b"abcde");
        // After at most three literals, the short instruction copies two near bytes; after more, three far bytes.
        assert_eq!(unpacked(&[&[17 + 3], b"abc", &[2 << 2, 0]], 5).unwrap(), b"abcab");
        assert!(unpacked(&[&[17 + 5], b"abcde", &[0, 0]], 8).is_err());
    }

    #[test]
    fn literals_have_the_encoded_length() {
        for count in [4, 18, 19, 273, 274, 528, 529] {
            let bytes = noise(count);
            let packed = match count {
                4..=18 => [&[u8::try_from(count - 3).unwrap()][..], &bytes].concat(),
                _ => literals(&bytes),
            };
            assert!(unpacked(&[&packed], bytes.len()).unwrap() == bytes, "{count}");
        }
    }

    #[test]
    fn matches_have_the_encoded_length_and_distance() {
        let bytes = noise(60_000);
        let start = literals(&bytes);
        // Instruction, length, distance.
        let cases: [(&[u8], usize, usize); 13] = [
            (&[0, 0], 3, 2049),
            (&[3 << 2, 255], 3, 2049 + 1023),
            (&[0x40, 0], 3, 1),
            (&[0x5c, 255], 3, 2048),
            (&[0xfc, 255], 8, 2048),
            (&[0x21, 0, 0], 3, 1),
            (&[0x3f, 0xfc, 0xff], 33, 16384),
            (&[0x20, 1, 4, 0], 34, 2),
            (&[0x20, 0, 0, 9, 0xfc, 0xff], 552, 16384),
            (&[0x11, 4, 0], 3, 16385),
            (&[0x1f, 0xfc, 0xff], 9, 49151),
            (&[0x18, 1, 0, 0], 10, 32768),
            (&[0x10, 0, 2, 4, 0], 266, 16385),
        ];
        for (code, length, distance) in cases {
            let mut expected = bytes.clone();
            for _ in 0..length {
                expected.push(expected[expected.len() - distance]);
            }
            assert!(unpacked(&[&start, code], expected.len()).unwrap() == expected, "{code:x?}");
            let mut short = unpacked(&[&start, code], expected.len() - 1);
            assert!(matches!(short, Err(ReadErrorKind::Lzo { reason: "it contains more", .. })), "{code:x?}");
            short = unpacked(&[&start, code], expected.len() + 1);
            assert!(matches!(short, Err(ReadErrorKind::Lzo { reason: "it ends early", .. })), "{code:x?}");
            // One byte less than the distance before it.
            if distance > 300 {
                let few = literals(&bytes[..distance - 1]);
                let error = unpacked(&[&few, code], 100_000);
                let reason = "a match starts before the block";
                assert!(matches!(error, Err(ReadErrorKind::Lzo { reason: found, .. }) if found == reason), "{code:x?}");
            }
        }
    }

    #[test]
    fn instructions_copy_up_to_three_literals() {
        assert_eq!(unpacked(&[&[17 + 4], b"abcd", &[0x40 | 3 << 2 | 2, 0], b"xy"], 9).unwrap(), b"abcdabcxy");
        assert_eq!(unpacked(&[&[17 + 4], b"abcd", &[0x21, 3 << 2 | 3, 0], b"xyz"], 10).unwrap(), b"abcdabcxyz");
        // A near match of two bytes follows. It has no literals, so an instruction of literals may follow it.
        let packed: [&[u8]; 6] = [&[17 + 4], b"abcd", &[0x41 | 3 << 2, 0], b"x", &[0, 0], &[1, b'1', b'2', b'3', b'4']];
        assert_eq!(unpacked(&packed, 14).unwrap(), b"abcdabcxxx1234");
    }

    #[test]
    fn endless_lengths_are_rejected() {
        for code in [0, 0x10, 0x20] {
            let packed = [&[17 + 4, 1, 2, 3, 4, 0x41, 0, 9][..], &[code], &[0; 5000]].concat();
            let error = unpack(&mut Input::new(&packed), 2000).map_err(ReadError::into_kind);
            assert!(matches!(error, Err(ReadErrorKind::Lzo { .. })), "{code}: {error:?}");
        }
        let packed = [&[0][..], &[0; 5000]].concat();
        let error = unpack(&mut Input::new(&packed), usize::MAX).map_err(ReadError::into_kind);
        assert!(matches!(error, Err(ReadErrorKind::Input(_))), "{error:?}");
    }

    #[test]
    fn packed_bytes_unpack_to_the_input() {
        for bytes in crate::finder::samples() {
            let packed = pack(&bytes);
            let mut input = Input::new(&packed);
            assert!(unpack(&mut input, bytes.len()).unwrap() == bytes);
            assert!(input.is_empty());
            assert!(packed.len() <= bytes.len() + bytes.len() / 64 + 8, "{} from {}", packed.len(), bytes.len());
            for length in 0..packed.len().min(300) {
                let error = unpack(&mut Input::new(&packed[..length]), bytes.len()).map_err(ReadError::into_kind);
                assert!(matches!(error, Err(ReadErrorKind::Input(_))), "{length}");
            }
        }
        assert!(pack(&[7; 10_000]).len() < 60);
    }
}
