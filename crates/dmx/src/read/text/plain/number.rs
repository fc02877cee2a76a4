//! Parser of numbers, eight digits at a time.

use super::Plain;

/// Returns a word of eight equal bytes.
pub(super) const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Reads eight bytes and turns digits into their values.
pub(super) fn word(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.first_chunk()?) ^ eight(b'0'))
}

/// Counts the bits of a word before the first byte that is not a digit.
fn digit_bits(word: u64) -> u32 {
    // The first other byte gets its high bit. Carries only reach later bytes.
    let other = (word.wrapping_add(eight(0x7F - 9)) | word) & eight(0x80);
    other.trailing_zeros() & !7
}

/// Returns the number with eight digits.
fn eight_digits(word: u64) -> u64 {
    // Digits are joined to pairs, fours and all eight.
    let pairs = word.wrapping_mul(10).wrapping_add(word >> 8);
    let even = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(100 + (1_000_000 << 32));
    let odd = (pairs >> 16 & 0x0000_00FF_0000_00FF).wrapping_mul(1 + (10_000 << 32));
    even.wrapping_add(odd) >> 32
}

/// Returns the number with up to seven digits at the start of a word, and their count.
fn few_digits(word: u64) -> Option<(u64, usize)> {
    let bits = digit_bits(word);
    // The shift adds zeros before the digits and drops the other bytes.
    let number = eight_digits(word.wrapping_shl(63_u32.wrapping_sub(bits)) << 1);
    (bits < 64).then_some((number, (bits / 8) as usize))
}

/// Returns the number with one to seven digits before a quote, and the rest.
pub(super) fn quoted_digits(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let word = word(bytes)?;
    let bits = digit_bits(word);
    if !(8..64).contains(&bits) || word.wrapping_shr(bits) & 0xFF != u64::from(b'"' ^ b'0') {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "seven digits have 24 bits")]
    let number = eight_digits(word.wrapping_shl(64_u32.wrapping_sub(bits))) as u32;
    Some((number, bytes.get((bits / 8).wrapping_add(1) as usize..)?))
}

/// Splits off a minus sign.
fn split_sign(bytes: &[u8]) -> (bool, &[u8]) {
    match bytes {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    }
}

/// Reads the decimal number before a byte, rounded to the nearest float.
#[inline(always)]
pub(super) fn number<'a>(bytes: &'a [u8], end: u8, place: &mut f32) -> Plain<'a> {
    let (negative, rest) = split_sign(bytes);
    let window = rest.first_chunk()?;
    // Half of all numbers of maps have one digit.
    let (float, length) = match digit_before(word(window)?, end) {
        Some(digit) => (f32::from(digit), 1),
        None => decimal(window, end)?,
    };
    *place = f32::from_bits(float.to_bits() ^ u32::from(negative) << 31);
    rest.get(length..)?.get(1..)
}

/// Returns the digit at the start of a word if a certain byte follows it.
fn digit_before(word: u64, byte: u8) -> Option<u8> {
    let digit = (word & 0xFFFF).wrapping_sub(u64::from(byte ^ b'0') << 8);
    (digit < 10).then_some((digit & 0x0F) as u8)
}

/// Maximum size of a number without a sign and the byte after it.
const WINDOW: usize = 32;

/// Reads a number without a sign, and returns its size.
#[inline(always)]
fn decimal(bytes: &[u8; WINDOW], end: u8) -> Option<(f32, usize)> {
    // Few digits precede the point, mostly one, and many follow it.
    let start = word(bytes)?;
    let (mut mantissa, mut count) = match digit_before(start, b'.') {
        Some(digit) => (digit.into(), 1),
        None => few_digits(start)?,
    };
    let mut at = count;
    let mut scale = 0_usize;
    if bytes.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        let mut next = word(bytes.get(at..)?)?;
        if digit_bits(next) == 64 {
            mantissa = mantissa.wrapping_mul(100_000_000).wrapping_add(eight_digits(next));
            scale = 8;
            next = word(bytes.get(at.wrapping_add(8)..)?)?;
        }
        let (more, decimals) = few_digits(next)?;
        mantissa = mantissa.wrapping_mul(*POWERS.get(decimals)?).wrapping_add(more);
        scale = scale.wrapping_add(decimals);
        (at, count) = (at.wrapping_add(scale), count.wrapping_add(scale));
    }
    if bytes.get(at) == Some(&b'e') {
        let (exponent, length) = negative_exponent(bytes.get(at..)?)?;
        (at, scale) = (at.wrapping_add(length), scale.wrapping_add(exponent));
    }
    if !(1..=15).contains(&count) || bytes.get(at) != Some(&end) {
        return None;
    }
    Some((quotient(mantissa, scale)?, at))
}

/// Reads a negative exponent of one or two digits, and returns its size with the letter.
fn negative_exponent(bytes: &[u8]) -> Option<(usize, usize)> {
    let [b'e', b'-', ones @ b'0'..=b'9', rest @ ..] = bytes else { return None };
    let (tens, ones, length) = match rest {
        [next @ b'0'..=b'9', ..] => (ones & 0x0F, next & 0x0F, 4),
        _ => (0, ones & 0x0F, 3),
    };
    Some((usize::from(tens.wrapping_mul(10).wrapping_add(ones)), length))
}

/// Powers of ten.
const POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Powers of ten that are exact.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Divides a number of up to 15 digits by a power of ten. Both are exact as `f64`, so the quotient is the nearest `f64`. It rounds to
/// the same `f32` as the number itself, unless it is in the middle between two. It is too large to be subnormal.
fn quotient(mantissa: u64, scale: usize) -> Option<f32> {
    #[expect(clippy::cast_precision_loss, reason = "15 digits are exact")]
    let wide = mantissa.cast_signed() as f64 / EXACT_POWERS.get(scale)?;
    let middle = wide.to_bits() & 0x1FFF_FFFF == 0x1000_0000;
    if middle {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the value is rounded on purpose")]
    Some(wide as f32)
}
