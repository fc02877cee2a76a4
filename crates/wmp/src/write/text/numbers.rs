//! Numbers to words, as the editors print them.

use std::io::Write as _;

use crate::Dialect;

/// How a number is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Six decimals without zeros at the end; in A4 with one digit at least behind the point.
    Plain,
    /// As [`Plain`](Self::Plain), in A4 a whole number if it is one.
    Whole,
    /// In A4 two decimals, elsewhere plain.
    Scale,
    /// In A4 three decimals, elsewhere plain.
    Sun,
    /// In A4 and A5 a whole number or eight decimals, elsewhere six.
    Colour,
}

impl Form {
    /// A finite number in a dialect.
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

/// Six decimals without zeros and a point at the end.
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

/// So many decimals. What lies in the middle between two of them is rounded away from zero, as C does on Windows: Rust takes the
/// even one.
fn fixed(out: &mut Vec<u8>, value: f64, decimals: usize) {
    // Nothing fails that is written to a vector.
    let _ = match middle(value, decimals) {
        Some((before, behind)) => {
            let sign = if value.is_sign_negative() { "-" } else { "" };
            if decimals == 0 {
                write!(out, "{sign}{before}")
            } else {
                write!(out, "{sign}{before}.{behind:0decimals$}")
            }
        }
        None => write!(out, "{value:.decimals$}"),
    };
}

/// What stands before and behind the point if a number lies in the middle: if it is an odd number of halves of the last decimal,
/// and so an odd number of as many halvings of 1 as there are decimals, and one more.
fn middle(value: f64, decimals: usize) -> Option<(u128, u128)> {
    let decimals = u32::try_from(decimals).ok()?;
    let halvings = value.abs() * 2_f64.powi(i32::try_from(decimals).ok()?.checked_add(1)?);
    if !is_integral(halvings) || halvings >= 9_007_199_254_740_992.0 || halvings % 2.0 == 0.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number below 2^53")]
    let halves = u128::from(halvings as u64).checked_mul(5_u128.checked_pow(decimals)?)?;
    let rounded = halves.checked_add(1)?.checked_div(2)?;
    let unit = 10_u128.checked_pow(decimals)?;
    Some((rounded.checked_div(unit)?, rounded.checked_rem(unit)?))
}

/// A word of flags: 4, 8, 16 or 32 digits, but no fewer than told.
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
    fn the_middle_is_rounded_away_from_zero() {
        assert_eq!(trimmed(5_279.414_062_5), "5279.414063");
        assert_eq!(trimmed(-5_279.414_062_5), "-5279.414063");
        assert_eq!(trimmed(0.007_812_5), "0.007813");
        assert_eq!(trimmed(0.023_437_5), "0.023438");
        assert_eq!(print(Form::Scale, 0.125, Dialect::A4), "0.13");
        assert_eq!(print(Form::Scale, -0.375, Dialect::A4), "-0.38");
        assert_eq!(print(Form::Sun, 0.062_5, Dialect::A4), "0.063");
        assert_eq!(trimmed(f64::MAX).len(), 309);
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
