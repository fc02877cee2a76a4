//! Formats numbers without allocating.

use std::fmt::Write as _;

use mapwright_io::Output;

use crate::TextStyle;

/// The reason why writing does not fail.
const IN_MEMORY: &str = "the output is in memory";

/// Returns the eight decimal digits of a number below 10^8 as values, the first one in the lowest byte. All pairs, and then all digits,
/// are computed at once: `n / 100` is `n * 5243 >> 19` below 10^4, and `n / 10` is `n * 103 >> 10` below 100.
#[inline]
#[allow(clippy::arithmetic_side_effects, reason = "no part of the word overflows into the next one")]
fn eight_digits(number: u32) -> u64 {
    let halves = u64::from(number / 10_000) | u64::from(number % 10_000) << 32;
    let hundreds = (halves * 5243) >> 19 & 0x0000_007F_0000_007F;
    let pairs = hundreds | (halves - 100 * hundreds) << 16;
    let tens = (pairs * 103) >> 10 & 0x000F_000F_000F_000F;
    tens | (pairs - 10 * tens) << 8
}

/// Turns digits into ASCII.
const ASCII: u64 = 0x3030_3030_3030_3030;

/// Writes an integer. Most have one digit, which is written without a call.
#[inline(always)]
pub(super) fn integer(output: &mut Output, number: impl Into<i64>) {
    match number.into() {
        number @ 0..10 => output.u8(b'0' | (number.unsigned_abs() % 10) as u8),
        number => signed(output, number),
    }
}

/// Writes an integer that is negative or has several digits.
#[allow(clippy::arithmetic_side_effects, reason = "at most seven digits are skipped")]
fn signed(output: &mut Output, number: i64) {
    if number < 0 {
        output.u8(b'-');
    }
    match u32::try_from(number.unsigned_abs()) {
        Ok(number @ 0..10) => output.u8(b'0' | (number % 10) as u8),
        Ok(number @ 0..100_000_000) => {
            let digits = eight_digits(number);
            // At least one digit remains.
            let zeros = digits.trailing_zeros().min(63) / 8;
            output.first_bytes(&((ASCII | digits) >> (8 * zeros)).to_le_bytes(), 8 - zeros as usize);
        }
        _ => {
            write!(output, "{}", number.unsigned_abs()).expect(IN_MEMORY);
        }
    }
}

/// Writes an integer as `0x` and hexadecimal digits.
pub(super) fn hexadecimal(output: &mut Output, number: u64) {
    write!(output, "{number:#x}").expect(IN_MEMORY);
}

/// Writes units of 0.1 ms as seconds with four decimals.
pub(super) fn time(output: &mut Output, units: i32) {
    let sign = if units < 0 { "-" } else { "" };
    let units = units.unsigned_abs();
    write!(output, "{sign}{}.{:04}", units / 10_000, units % 10_000).expect(IN_MEMORY);
}

/// Writes a number in a style.
#[inline]
pub(super) fn float(output: &mut Output, number: f32, style: TextStyle) {
    // Most numbers are integers; -0 is not one of them here.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "the result is compared")]
    let (near, same) = (number as i32, (number as i32 as f32).to_bits() == number.to_bits());
    // `i32::MAX` is not a float: it is the result of a larger number.
    if same && near != i32::MAX {
        integer(output, near);
    } else {
        fraction(output, number, style);
    }
}

fn fraction(output: &mut Output, number: f32, style: TextStyle) {
    if number.is_nan() {
        // Text has no payloads of NaN.
        output.bytes(if number.is_sign_negative() { b"-nan" } else { b"nan" });
    } else if number.abs() >= 16_777_216.0 {
        // All digits, or "inf".
        write!(output, "{number:.0}").expect(IN_MEMORY);
    } else {
        let fixed = Fixed::new(number);
        if style == TextStyle::Hammer || fixed.is_exact {
            fixed.write(output);
        } else if !scientific(output, number) {
            write!(output, "{number:e}").expect(IN_MEMORY);
        }
    }
}

/// A number with ten decimals. Ties are rounded away from zero, as Valve's programs do.
struct Fixed {
    is_negative: bool,
    whole: u32,
    decimals: u64,
    /// `true` if the text reads back as the same number.
    is_exact: bool,
}

/// Number of units of ten decimals.
const UNITS: u64 = 10_000_000_000;

impl Fixed {
    /// Rounds a number between -2^24 and 2^24.
    #[allow(clippy::arithmetic_side_effects, reason = "the parts of a float are bounded, as the comments explain")]
    fn new(number: f32) -> Self {
        let bits = number.to_bits();
        let (biased, fraction) = (bits >> 23 & 0xFF, bits & 0x7F_FFFF);
        // The number is `mantissa` · 2^-`shift`.
        let (mantissa, shift) =
            if biased == 0 { (fraction, 149) } else { (fraction | 0x80_0000, 150_u32.saturating_sub(biased)) };
        // Numbers up to 2^-63 are 0 at ten decimals: the product has at most 58 bits.
        let (mut whole, parts) = match shift {
            0..=24 => (mantissa >> shift, mantissa & ((1 << shift) - 1)),
            _ => (0, mantissa),
        };
        let product = u64::from(parts) * UNITS;
        let decimals = if shift < 63 { (product + (1 << shift >> 1)) >> shift } else { 0 };
        let back = if shift < 63 { decimals << shift } else { 0 };
        // The distance to the next floats is `UNITS`; below a power of two it is half of that.
        let reach = if fraction == 0 && biased > 1 && back < product { UNITS / 4 } else { UNITS / 2 };
        let error = product.abs_diff(back);
        let is_exact = error < reach || error == reach && mantissa & 1 == 0;
        let carry = decimals >= UNITS;
        whole += u32::from(carry);
        Self { is_negative: number.is_sign_negative(), whole, decimals: if carry { 0 } else { decimals }, is_exact }
    }

    /// Writes the number without trailing zeros.
    #[allow(clippy::arithmetic_side_effects, reason = "at most nine digits are zero")]
    fn write(&self, output: &mut Output) {
        if self.is_negative {
            output.u8(b'-');
        }
        integer(output, self.whole);
        if self.decimals == 0 {
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "ten digits: two and eight")]
        let (first, last) = ((self.decimals / 100_000_000) as u8, (self.decimals % 100_000_000) as u32);
        let (tens, ones) = (first / 10, first % 10);
        let digits = eight_digits(last);
        let [a, b, c, d, e, f, g, h] = (ASCII | digits).to_le_bytes();
        let zeros = match (digits.leading_zeros() / 8, ones) {
            (8, 0) => 9,
            (zeros, _) => zeros,
        };
        output.first_bytes(&[b'.', b'0' | tens, b'0' | ones, a, b, c, d, e, f, g, h], 11 - zeros as usize);
    }
}

/// Writes the fewest digits that read back as the same number: the digits of `{:e}`, four times as fast. Returns `false` for numbers outside
/// 2^-76 to 2^-9. Only numbers for which ten decimals do not suffice get here.
#[allow(clippy::arithmetic_side_effects, reason = "scaled numbers have at most 128 bits, as the comments explain")]
fn scientific(output: &mut Output, number: f32) -> bool {
    let bits = number.to_bits();
    let (biased, fraction) = (bits >> 23 & 0xFF, bits & 0x7F_FFFF);
    // The number is between 2^`power` and twice that.
    let (power, shift) = (biased.cast_signed() - 127, 150_u32.saturating_sub(biased));
    if !(-76..-9).contains(&power) {
        return false;
    }
    // Times 10^`scale` the number has nine or ten digits. In units of 2^-`places`, its distance to the middle of the next float is
    // 10^`scale`, below a power of two half of that. No middle is an integer: it is odd, and `scale` is less than `places`.
    let (scale, places) = (8 + (power.unsigned_abs() * 30_103).div_ceil(100_000), shift + 1);
    let distance = 10_u128.pow(scale);
    let scaled = u128::from(fraction | 0x80_0000) * 2 * distance;
    let below = if fraction == 0 { distance / 2 } else { distance };
    #[expect(clippy::cast_possible_truncation, reason = "ten digits")]
    let floor = |scaled: u128| (scaled >> places) as u64;
    // The range of integers that read back. Choose the one with the most trailing zeros, and the nearest of those.
    let (low, high) = (floor(scaled - below) + 1, floor(scaled + distance));
    let mut unit = 1;
    while high / (10 * unit) * (10 * unit) >= low {
        unit *= 10;
    }
    let near = (floor(scaled) + unit / 2) / unit * unit;
    let near = if near < low { near + unit } else { near };
    let near = if near > high { near - unit } else { near };
    // Up to nine digits are left.
    let (count, digits) = (near.ilog10(), near / unit);
    let decimals = digits.ilog10();
    let first = digits / 10_u64.pow(decimals);
    if bits >> 31 == 1 {
        output.u8(b'-');
    }
    output.u8(b'0' | (first % 10) as u8);
    if decimals > 0 {
        output.u8(b'.');
        let rest = u32::try_from(digits % 10_u64.pow(decimals)).unwrap_or_default();
        let rest = (ASCII | eight_digits(rest)) >> (8 * (8 - decimals));
        output.first_bytes(&rest.to_le_bytes(), decimals as usize);
    }
    output.bytes(b"e-");
    integer(output, scale - count);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: f32, style: TextStyle) -> String {
        let mut output = Output::new();
        float(&mut output, number, style);
        String::from_utf8(output.into_bytes()).unwrap()
    }

    #[test]
    fn hammer_style_matches_valves_output() {
        for (number, expected) in [
            (-270.113_04, "-270.1130371094"),
            (40.0, "40"),
            (-0.0, "-0"),
            (0.000_976_562_5, "0.0009765625"),
            // A tie: 2^-11 has eleven decimals.
            (0.000_488_281_25, "0.0004882813"),
            (-0.000_488_281_25, "-0.0004882813"),
            (0.999_999_94, "0.9999999404"),
            (1e20, "100000002004087734272"),
            (f32::MAX, "340282346638528859811704183484516925440"),
            (-1e-20, "-0"),
            (5e-11, "0.0000000001"),
            (4.9e-11, "0"),
            (f32::INFINITY, "inf"),
            (f32::NEG_INFINITY, "-inf"),
            (f32::NAN, "nan"),
        ] {
            assert_eq!(text(number, TextStyle::Hammer), expected);
        }
    }

    #[test]
    fn hammer_style_matches_exact_arithmetic() {
        // `{:.160}` is exact: no float has more decimals than 149.
        let mut state = 7_u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut bits = (state >> 32) as u32;
            match state & 3 {
                // Few digits and sizes near one: ties occur there.
                1 => bits = bits & 0x807F_F000 | (100 + (bits >> 20 & 0x1F)) << 23,
                // The range where ten decimals become too few: powers of two, and others.
                2 => bits = bits & 0x8000_0001 | (80 + (bits >> 20 & 0x3F)) << 23,
                3 => bits = bits & 0x807F_FFFF | (48 + bits % 73) << 23,
                _ => {}
            }
            let number = f32::from_bits(bits);
            if !number.is_finite() {
                continue;
            }
            let exact = format!("{:.160}", number.abs());
            let (whole, decimals) = exact.split_once('.').unwrap();
            let (kept, rest) = decimals.split_at(10);
            let mut expected = format!("{whole}{kept}").into_bytes();
            if rest.as_bytes()[0] >= b'5' {
                let mut at = expected.len();
                loop {
                    if at == 0 {
                        expected.insert(0, b'1');
                        break;
                    }
                    at -= 1;
                    if expected[at] != b'9' {
                        expected[at] += 1;
                        break;
                    }
                    expected[at] = b'0';
                }
            }
            let (whole, decimals) = expected.split_at(expected.len() - 10);
            let sign = if number.is_sign_negative() { "-" } else { "" };
            let all = format!("{sign}{}.{}", String::from_utf8_lossy(whole), String::from_utf8_lossy(decimals));
            let hammer = text(number, TextStyle::Hammer);
            assert_eq!(hammer, all.trim_end_matches('0').trim_end_matches('.'), "{bits:#x}");
            let exact = text(number, TextStyle::Exact);
            assert_eq!(exact.parse::<f32>().unwrap().to_bits(), bits, "{exact}");
            if exact != hammer {
                assert_ne!(hammer.parse::<f32>().unwrap().to_bits(), bits);
                assert_eq!(exact, format!("{number:e}"));
            }
        }
    }

    #[test]
    fn integers_and_times_are_formatted() {
        let text = |write: &dyn Fn(&mut Output)| {
            let mut output = Output::new();
            write(&mut output);
            String::from_utf8(output.into_bytes()).unwrap()
        };
        assert_eq!(text(&|output| integer(output, i32::MIN)), "-2147483648");
        for digits in 0..=10 {
            for near in [-1, 0, 1] {
                let number = 10_i64.pow(digits) + near;
                assert_eq!(text(&|output| integer(output, number)), number.to_string());
                assert_eq!(text(&|output| integer(output, -number)), (-number).to_string());
            }
        }
        for number in (0..100_000_000).step_by(997) {
            assert_eq!(text(&|output| integer(output, number)), number.to_string());
        }
        assert_eq!(text(&|output| time(output, -1)), "-0.0001");
        assert_eq!(text(&|output| time(output, i32::MIN)), "-214748.3648");
        assert_eq!(text(&|output| time(output, 15_000)), "1.5000");
    }
}
