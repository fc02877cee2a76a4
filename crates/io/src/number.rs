//! Numbers in text.

use std::fmt::Display;

/// Powers of ten that are exact.
const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Formats a number of items with the noun in the singular or plural.
///
/// ```
/// use mapwright_io::format_count;
///
/// assert_eq!([1, 2].map(|count| format_count(count, "face")), ["1 face", "2 faces"]);
/// assert_eq!(format_count(0, "vertex"), "0 vertices");
/// assert_eq!(format_count(3, "property"), "3 properties");
/// assert_eq!([format_count(2, "path"), format_count(2, "mesh")], ["2 paths", "2 meshes"]);
/// ```
pub fn format_count(count: impl Copy + Display + PartialEq + From<u8>, noun: &str) -> String {
    if count == 1.into() {
        return format!("1 {noun}");
    }
    if let Some(stem) = noun.strip_suffix("ex") {
        return format!("{count} {stem}ices");
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
}

/// Formats a number of bytes, with one decimal from 1 KiB on.
///
/// ```
/// use mapwright_io::format_size;
///
/// assert_eq!([1, 447, 12_595, 7_413_000].map(format_size), ["1 byte", "447 bytes", "12.3 KiB", "7.1 MiB"]);
/// ```
pub fn format_size(bytes: u64) -> String {
    if bytes < 1024 {
        return format_count(bytes, "byte");
    }
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let mut size = bytes as f64 / 1024.0;
    for unit in ["KiB", "MiB", "GiB"] {
        // Larger numbers would be shown as 1024.0.
        if size < 1023.95 {
            return format!("{size:.1} {unit}");
        }
        size /= 1024.0;
    }
    format!("{size:.1} TiB")
}

/// A number together with the text that a file used for it. Writers use that text again until the number changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FormattedNumber<T> {
    value: T,
    text: Option<Box<str>>,
}

impl<T> FormattedNumber<T> {
    /// Creates a number that was read from text.
    pub fn from_text(value: T, text: &str) -> Self {
        Self { value, text: Some(text.into()) }
    }

    /// Creates a number without text.
    pub fn new(value: T) -> Self {
        Self { value, text: None }
    }

    /// Returns the number.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// Changes the number and removes the text.
    pub fn set(&mut self, value: T) {
        *self = Self::new(value);
    }

    /// Returns the text, if the number was read and not changed.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

impl<T> From<T> for FormattedNumber<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

/// Formats a number with the fewest digits that read back to the same bits, always with a point: `1.0`, `0.1`, `1.0e22`,
/// `5.0e-324`, `-0.0`. Infinities and NaN become `inf`, `-inf` and `NaN`.
pub fn format_shortest(value: f64) -> String {
    // Rust's `{:?}` gives the shortest digits, but writes `1e22` without a point.
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

/// Parses the decimal number without an exponent at the start of text, and returns its length too. `None` for more than 15 digits and
/// for anything else: [`f64::from_str`](std::str::FromStr) parses these. `-0` keeps its sign.
///
/// ```
/// use mapwright_io::parse_decimal;
///
/// assert_eq!(parse_decimal(b"-12.5 7"), Some((-12.5, 5)));
/// assert_eq!((parse_decimal(b".5"), parse_decimal(b"1234567890123456")), (None, None));
/// ```
#[inline]
pub fn parse_decimal(text: &[u8]) -> Option<(f64, usize)> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let mut mantissa = 0;
    let mut count = run(digits, &mut mantissa);
    if count == 0 {
        return None;
    }
    let mut length = text.len().wrapping_sub(digits.len()).wrapping_add(count);
    let mut power = 1.0;
    if let Some([b'.', digits @ ..]) = digits.get(count..) {
        let decimals = run(digits, &mut mantissa);
        power = *POWERS.get(decimals)?;
        count = count.wrapping_add(decimals);
        length = length.wrapping_add(decimals).wrapping_add(1);
    }
    if count > 15 {
        return None;
    }
    // Both numbers are exact, so their quotient is correctly rounded.
    #[expect(clippy::cast_precision_loss, reason = "15 digits are exact")]
    let magnitude = mantissa as f64;
    let magnitude = if power > 1.0 { magnitude / power } else { magnitude };
    Some((if digits.len() < text.len() { -magnitude } else { magnitude }, length))
}

/// Adds the digits at the start of text to a number. Returns their count.
#[inline]
fn run(text: &[u8], number: &mut u64) -> usize {
    let mut count = 0_usize;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *number = number.wrapping_mul(10).wrapping_add(digit.into());
        count = count.wrapping_add(1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_one_decimal_and_fewer_than_five_digits() {
        let sizes = [0, 1023, 1024, 1_048_575, 1_048_576, 1 << 40, u64::MAX];
        let expected = ["0 bytes", "1023 bytes", "1.0 KiB", "1.0 MiB", "1.0 MiB", "1.0 TiB", "16777216.0 TiB"];
        assert_eq!(sizes.map(format_size), expected);
    }

    #[test]
    fn the_shortest_text_reads_back() {
        for (value, text) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (1.0e22, "1.0e22"),
            (5.0e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e308"),
        ] {
            assert_eq!(format_shortest(value), text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
    }

    #[test]
    fn decimal_numbers_are_those_of_the_standard_library() {
        for text in [
            "0",
            "-0",
            "-0.0",
            "007",
            "1.",
            "0.1",
            "-12.345",
            "123456789012345",
            "0.00000000000001",
            "9.99999999999999",
        ] {
            let (number, length) = parse_decimal(text.as_bytes()).unwrap();
            assert_eq!((Ok(number.to_bits()), length), (text.parse::<f64>().map(f64::to_bits), text.len()), "{text}");
        }
        for (text, expected) in [("1.5e3", (1.5, 3)), ("-2/3", (-2.0, 2)), ("1.2.3", (1.2, 3)), ("4 ", (4.0, 1))] {
            assert_eq!(parse_decimal(text.as_bytes()), Some(expected), "{text}");
        }
        for text in ["", "-", "+1", ".5", "-.5", "e1", "inf", "1234567890123456", "0.0000000000000001"] {
            assert_eq!(parse_decimal(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn changing_a_number_removes_its_text() {
        let mut number = FormattedNumber::from_text(1.5, "1.50");
        assert_eq!(number.text(), Some("1.50"));
        number.set(2.5);
        assert_eq!((number.get(), number.text()), (&2.5, None));
    }
}
