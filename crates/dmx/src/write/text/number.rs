//! Numbers to text, without allocating.

use mapwright_io::Output;

use crate::TextStyle;
use crate::read::text::float as read_float;

/// The digits of a number, at most 40 of them and what stands around them.
struct Digits {
    bytes: [u8; 64],
    start: usize,
}

impl Digits {
    fn new() -> Self {
        Self { bytes: [0; 64], start: 64 }
    }

    fn push_front(&mut self, byte: u8) {
        self.start = self.start.saturating_sub(1);
        if let Some(place) = self.bytes.get_mut(self.start) {
            *place = byte;
        }
    }

    /// Puts a whole number before what is there.
    fn whole(&mut self, mut number: u64) {
        loop {
            self.push_front(b'0' | (number % 10) as u8);
            number /= 10;
            if number == 0 {
                break;
            }
        }
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }
}

/// A whole number.
pub(super) fn whole(output: &mut Output, number: impl Into<i64>) {
    let number = number.into();
    let mut digits = Digits::new();
    digits.whole(number.unsigned_abs());
    if number < 0 {
        digits.push_front(b'-');
    }
    output.bytes(digits.as_bytes());
}

/// A whole number as `0x` and hexadecimal digits.
pub(super) fn hexadecimal(output: &mut Output, number: u64) {
    output.bytes(format!("{number:#x}").as_bytes());
}

/// Units of 0.1 ms as seconds with four decimals.
pub(super) fn time(output: &mut Output, units: i32) {
    let sign = if units < 0 { "-" } else { "" };
    let units = units.unsigned_abs();
    output.bytes(format!("{sign}{}.{:04}", units / 10_000, units % 10_000).as_bytes());
}

/// A number in a style.
pub(super) fn float(output: &mut Output, number: f32, style: TextStyle) {
    let mut digits = Digits::new();
    let sure = fixed(&mut digits, number);
    let fixed = digits.as_bytes();
    let same = || read_float(fixed).map(f32::to_bits) == Some(number.to_bits());
    if style == TextStyle::Hammer || sure || same() {
        output.bytes(fixed);
    } else {
        output.bytes(format!("{number:e}").as_bytes());
    }
}

const DECIMALS: u64 = 10_000_000_000;

/// Ten decimals, the middle between two rounded away from zero as Valve's programs do, without the zeros at the end. Says
/// whether that certainly reads back as the number.
#[allow(clippy::arithmetic_side_effects, reason = "the parts of a float are bounded, as the comments say")]
fn fixed(digits: &mut Digits, number: f32) -> bool {
    let bits = number.to_bits();
    let (biased, fraction) = (bits >> 23 & 0xFF, bits & 0x7F_FFFF);
    // The number is `mantissa` · 2^-`shift`.
    let (mantissa, shift) =
        if biased == 0 { (fraction, 149_i32) } else { (fraction | 0x80_0000, 150 - biased.cast_signed()) };
    let mantissa = u64::from(mantissa);
    let sure = match (biased, fraction) {
        (0xFF, 0) => {
            b"fni".iter().for_each(|&letter| digits.push_front(letter));
            true
        }
        (0xFF, _) => {
            // What else the bits of "not a number" say cannot be told in text.
            b"nan".iter().for_each(|&letter| digits.push_front(letter));
            true
        }
        _ if shift <= 0 => {
            let mut left = u128::from(mantissa) << shift.unsigned_abs();
            while left > u128::from(u64::MAX) {
                digits.push_front(b'0' | (left % 10) as u8);
                left /= 10;
            }
            digits.whole(u64::try_from(left).unwrap_or(u64::MAX));
            true
        }
        _ => {
            let shift = shift.unsigned_abs();
            // Of 2^-63 and less nothing is left at ten decimals: the product has at most 58 bits.
            let (mut whole, parts) = match shift {
                0..=24 => (mantissa >> shift, mantissa & ((1 << shift) - 1)),
                _ => (0, mantissa),
            };
            let product = parts * DECIMALS;
            let rounded = if shift < 63 { (product + (1 << (shift - 1))) >> shift } else { 0 };
            let mut decimals = rounded;
            if decimals >= DECIMALS {
                (whole, decimals) = (whole + 1, 0);
            }
            if decimals != 0 {
                let mut count = 10;
                while decimals % 10 == 0 {
                    (decimals, count) = (decimals / 10, count - 1);
                }
                for _ in 0..count {
                    digits.push_front(b'0' | (decimals % 10) as u8);
                    decimals /= 10;
                }
                digits.push_front(b'.');
            }
            digits.whole(whole);
            // From 2^-10 on floats are further apart than ten decimals.
            biased >= 127 - 10 || number == 0.0
        }
    };
    if number.is_sign_negative() {
        digits.push_front(b'-');
    }
    sure
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
    fn ten_decimals_as_valve_writes_them() {
        for (number, expected) in [
            (-270.113_04, "-270.1130371094"),
            (40.0, "40"),
            (-0.0, "-0"),
            (0.000_976_562_5, "0.0009765625"),
            // In the middle between two: 2^-11, with eleven decimals.
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
    fn ten_decimals_as_exact_arithmetic_gives_them() {
        // `{:.160}` is exact: no float has more decimals than 149.
        let mut state = 7_u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut bits = (state >> 32) as u32;
            if state & 1 == 1 {
                // Few digits and sizes about one: there are the ties.
                bits = bits & 0x807F_F000 | (100 + (bits >> 20 & 0x1F)) << 23;
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
            assert!(exact == hammer || hammer.parse::<f32>().unwrap().to_bits() != bits);
        }
    }

    #[test]
    fn whole_numbers_and_times() {
        let text = |write: &dyn Fn(&mut Output)| {
            let mut output = Output::new();
            write(&mut output);
            String::from_utf8(output.into_bytes()).unwrap()
        };
        assert_eq!(text(&|output| whole(output, i32::MIN)), "-2147483648");
        assert_eq!(text(&|output| whole(output, 0)), "0");
        assert_eq!(text(&|output| time(output, -1)), "-0.0001");
        assert_eq!(text(&|output| time(output, i32::MIN)), "-214748.3648");
        assert_eq!(text(&|output| time(output, 15_000)), "1.5000");
    }
}
