//! The fixed tables of RFC 1951.

#![expect(clippy::cast_possible_truncation, reason = "indices of these tables and lengths less 3 fit a byte")]

/// Number of codes of literals, end of block and lengths.
pub(crate) const L_CODES: usize = 286;
/// Number of distance codes.
pub(crate) const D_CODES: usize = 30;
/// Number of code-length codes.
pub(crate) const BL_CODES: usize = 19;
/// The symbol that ends a block.
pub(crate) const END_BLOCK: usize = 256;

/// Extra bits of the length codes, from code 257 on.
pub(crate) const LENGTH_EXTRA: [u8; 29] =
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
/// Extra bits of the distance codes.
pub(crate) const DISTANCE_EXTRA: [u8; D_CODES] =
    [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
/// Extra bits of the code-length codes.
pub(crate) const BL_EXTRA: [u8; BL_CODES] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 7];
/// Order in which the lengths of the code-length codes are stored.
pub(crate) const BL_ORDER: [usize; BL_CODES] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The code of a match length minus 3, counted from 257.
pub(crate) const LENGTH_CODE: [u8; 256] = length_codes();
/// The smallest length minus 3 of each length code. 0 for the last code, which is only for length 258.
pub(crate) const LENGTH_BASE: [u8; 29] = length_bases();
/// The smallest distance minus 1 of each distance code.
pub(crate) const DISTANCE_BASE: [u16; D_CODES] = distance_bases();

/// Code lengths of the fixed literal tree. Its last two codes never occur but take part in the numbering.
pub(crate) const STATIC_LENGTHS: [u8; 288] = static_lengths();

const fn length_codes() -> [u8; 256] {
    let mut codes = [28; 256];
    let (mut code, mut at) = (0, 0);
    while code < 28 {
        let mut step = 0;
        while step < 1 << LENGTH_EXTRA[code] {
            if at < 255 {
                codes[at] = code as u8;
            }
            at += 1;
            step += 1;
        }
        code += 1;
    }
    codes
}

const fn length_bases() -> [u8; 29] {
    let mut bases = [0; 29];
    let (mut code, mut at) = (0, 0_u16);
    while code < 28 {
        bases[code] = at as u8;
        at += 1 << LENGTH_EXTRA[code];
        code += 1;
    }
    bases
}

const fn distance_bases() -> [u16; D_CODES] {
    let mut bases = [0; D_CODES];
    let (mut code, mut at) = (0, 0_u16);
    while code < D_CODES {
        bases[code] = at;
        // The sum after the last code is 32768, which fits.
        at += 1 << DISTANCE_EXTRA[code];
        code += 1;
    }
    bases
}

const fn static_lengths() -> [u8; 288] {
    let mut lengths = [8; 288];
    let mut at = 144;
    while at < 256 {
        lengths[at] = 9;
        at += 1;
    }
    while at < 280 {
        lengths[at] = 7;
        at += 1;
    }
    lengths
}

/// Returns the code of a distance minus 1.
#[inline]
pub(crate) fn distance_code(distance: u16) -> usize {
    if distance < 4 {
        return usize::from(distance);
    }
    let top = distance.ilog2() - 1;
    (2 * top + 2) as usize + usize::from((distance >> top) & 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_distance_is_in_the_range_of_its_code() {
        for distance in 0..=32_767_u16 {
            let code = distance_code(distance);
            let rest = distance - DISTANCE_BASE[code];
            assert!(u32::from(rest) < 1 << DISTANCE_EXTRA[code], "{distance}");
        }
    }

    #[test]
    fn every_length_is_in_the_range_of_its_code() {
        for length in 0..=255_u8 {
            let code = usize::from(LENGTH_CODE[usize::from(length)]);
            if code < 28 {
                let rest = length - LENGTH_BASE[code];
                assert!(u32::from(rest) < 1 << LENGTH_EXTRA[code], "{length}");
            } else {
                assert_eq!(length, 255);
            }
        }
    }
}
