//! Numbers as the editors print them.

use std::io::Write as _;

use crate::Dialect;

/// The format of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Six decimals without trailing zeros. A4 has at least one decimal.
    Plain,
    /// As [`Plain`](Self::Plain), but A4 prints whole numbers without decimals.
    Whole,
    /// Two decimals in A4, plain elsewhere.
    Scale,
    /// Three decimals in A4, plain elsewhere.
    Sun,
    /// A whole number or eight decimals in A4 and A5, six decimals elsewhere.
    Colour,
}

impl Form {
    /// Prints a finite number.
    pub(super) fn print(self, out: &mut Vec<u8>, value: f64, dialect: Dialect) {
        let start = out.len();
        let is_a4 = dialect == Dialect::A4;
        match self {
            Self::Scale if is_a4 => fixed(out, value, 2),
            Self::Sun if is_a4 => fixed(out, value, 3),
            Self::Colour if is_a4 || dialect == Dialect::A5 => {
                fixed(out, value, if is_integral(value) { 0 } else { 8 });
            }
            Self::Colour => fixed(out, value, 6),
            Self::Plain | Self::Whole | Self::Scale | Self::Sun => {
                print_trimmed(out, value);
                let has_point = out.get(start..).is_some_and(|word| word.contains(&b'.'));
                if is_a4 && !has_point && !(self == Self::Whole && is_integral(value)) {
                    out.extend_from_slice(b".0");
                }
            }
        }
    }
}

fn is_integral(value: f64) -> bool {
    value.fract() == 0.0
}

/// Returns a number with six decimals, without trailing zeros and point.
pub(crate) fn trimmed(value: f64) -> String {
    let mut out = Vec::new();
    print_trimmed(&mut out, value);
    String::from_utf8(out).unwrap_or_default()
}

fn print_trimmed(out: &mut Vec<u8>, value: f64) {
    if is_integral(value) {
        return fixed(out, value, 0);
    }
    fixed(out, value, 6);
    while out.last() == Some(&b'0') {
        out.pop();
    }
    if out.last() == Some(&b'.') {
        out.pop();
    }
}

/// Prints a number of decimals. Ties are rounded away from zero, as C does on Windows. Rust would round them to even.
fn fixed(out: &mut Vec<u8>, value: f64, decimals: u32) {
    if value.is_sign_negative() {
        out.push(b'-');
    }
    let Some(units) = units(value, decimals) else {
        // Beyond 2^100 there is nothing to round. Writing to a vector cannot fail.
        let _ = write!(out, "{:.*}", decimals as usize, value.abs());
        return;
    };
    // Digits from the last to the first: 128 bits have 39 of them, and a point.
    let mut digits = [b'0'; 48];
    let mut rest = units;
    let mut count = 0_u32;
    for place in digits.iter_mut().rev() {
        if count == decimals && decimals > 0 {
            *place = b'.';
        } else if let Ok(small) = u64::try_from(rest) {
            *place = digit(small % 10);
            rest = (small / 10).into();
        } else {
            *place = digit((rest % 10) as u64);
            rest /= 10;
        }
        count = count.saturating_add(1);
        // At least one digit comes before the point.
        if rest == 0 && count > decimals.saturating_add(u32::from(decimals > 0)) {
            break;
        }
    }
    let start = digits.len().saturating_sub(count as usize);
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

fn digit(value: u64) -> u8 {
    b'0'.wrapping_add((value & 0x0F) as u8)
}

/// Returns the magnitude of a number in units of its last decimal, exactly rounded. Returns `None` if it is too large.
fn units(value: f64, decimals: u32) -> Option<u128> {
    let bits = value.to_bits();
    let exponent = (bits >> 52) & 0x7FF;
    // Subnormal numbers are zero here with any exponent.
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let scaled = mantissa.checked_mul(10_u128.checked_pow(decimals)?)?;
    // The mantissa counts 2^(exponent - 1075). 2^53 times 10^8 have fewer than 80 bits.
    let down = u32::try_from(1075_u64.saturating_sub(exponent)).ok()?;
    let up = u32::try_from(exponent.saturating_sub(1075)).ok()?;
    match down.checked_sub(1) {
        None => (up <= 40).then(|| scaled.wrapping_shl(up)),
        Some(half @ 0..100) => Some(scaled.wrapping_add(1_u128.wrapping_shl(half)).wrapping_shr(down)),
        Some(_) => Some(0),
    }
}

/// Prints flags with 4, 8, 16 or 32 digits, but at least `least`.
pub(super) fn flags(out: &mut Vec<u8>, flags: u32, least: usize) {
    let digits = match flags {
        0..=0xF => 4,
        0x10..=0xFF => 8,
        0x100..=0xFFFF => 16,
        _ => 32,
    };
    let digits =
        if least == 0 { digits } else { least.max(32_usize.saturating_sub(flags.leading_zeros() as usize)).max(1) };
    let _ = write!(out, "{flags:0digits$b}");
}

#[cfg(test)]
mod tests {
    use mapwright_io::math::exp2;

    use super::*;

    fn print(form: Form, value: f64, dialect: Dialect) -> String {
        let mut out = Vec::new();
        form.print(&mut out, value, dialect);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn numbers_are_printed_as_the_editors_do() {
        let cases = [
            (Form::Plain, 0.0, ["0.0", "0", "0"]),
            (Form::Plain, -0.0, ["-0.0", "-0", "-0"]),
            (Form::Plain, -3.999976, ["-3.999976", "-3.999976", "-3.999976"]),
            (Form::Plain, -0.000_000_1, ["-0.0", "-0", "-0"]),
            (Form::Plain, 512.5, ["512.5", "512.5", "512.5"]),
            (Form::Plain, 0.999_999_9, ["1.0", "1", "1"]),
            (Form::Whole, 90.0, ["90", "90", "90"]),
            (Form::Whole, 0.5, ["0.5", "0.5", "0.5"]),
            (Form::Scale, 1.0, ["1.00", "1", "1"]),
            (Form::Sun, 60.0, ["60.000", "60", "60"]),
            (Form::Colour, 0.0, ["0", "0", "0.000000"]),
            (Form::Colour, -0.0, ["-0", "-0", "-0.000000"]),
            (Form::Colour, 15.686_274_53, ["15.68627453", "15.68627453", "15.686275"]),
        ];
        for (form, value, words) in cases {
            let found = [Dialect::A4, Dialect::A5, Dialect::A7].map(|dialect| print(form, value, dialect));
            assert_eq!(found, words, "{form:?} {value}");
        }
    }

    #[test]
    fn ties_are_rounded_away_from_zero() {
        assert_eq!(trimmed(5_279.414_062_5), "5279.414063");
        assert_eq!(trimmed(-5_279.414_062_5), "-5279.414063");
        assert_eq!(trimmed(0.007_812_5), "0.007813");
        assert_eq!(trimmed(0.023_437_5), "0.023438");
        assert_eq!(print(Form::Scale, 0.125, Dialect::A4), "0.13");
        assert_eq!(print(Form::Scale, -0.375, Dialect::A4), "-0.38");
        assert_eq!(print(Form::Sun, 0.062_5, Dialect::A4), "0.063");
        assert_eq!(trimmed(f64::MAX).len(), 309);
        assert_eq!([1e20, 1e22].map(trimmed), ["1", "100"].map(|front| format!("{front}{}", "0".repeat(20))));
        assert_eq!(
            [f64::MIN_POSITIVE, 5e-324, -1e-300, 0.000_000_6, 0.000_000_499_999].map(trimmed),
            ["0", "0", "-0", "0.000001", "0"]
        );
    }

    #[test]
    fn other_numbers_are_printed_as_rust_does() {
        let mut bits = 1_u64;
        for _ in 0..100_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // From 2^-40 to 2^60, with few bits or many.
            let few = bits >> 12 & !((1_u64 << (bits % 52)) - 1);
            let value = f64::from_bits(few | ((983 + bits % 100) << 52));
            let halves = |decimals| value * exp2(f64::from(decimals + 1));
            for decimals in [0, 2, 3, 6, 8] {
                let middle = halves(decimals as i32).fract() == 0.0 && halves(decimals as i32) % 2.0 != 0.0;
                let mut out = Vec::new();
                fixed(&mut out, value, decimals);
                if !middle {
                    assert_eq!(String::from_utf8(out).expect("ASCII"), format!("{value:.*}", decimals as usize));
                }
            }
        }
    }

    #[test]
    fn flags_have_the_fewest_digits() {
        let print = |word, least| {
            let mut out = Vec::new();
            flags(&mut out, word, least);
            String::from_utf8(out).expect("ASCII")
        };
        assert_eq!(print(0, 0), "0000");
        assert_eq!(print(0x10, 0), "00010000");
        assert_eq!(print(0x100, 0), "0000000100000000");
        assert_eq!(print(0x1_0000, 0), "00000000000000010000000000000000");
        assert_eq!([print(1, 8), print(0x10, 4), print(1, 1)], ["00000001", "10000", "1"]);
    }
}
