//! Numbers in text.

use std::fmt::Display;

/// Formats a number of items with the noun in the singular or plural.
///
/// ```
/// use mapwright_io::format_count;
///
/// assert_eq!([1, 2].map(|count| format_count(count, "face")), ["1 face", "2 faces"]);
/// assert_eq!(format_count(0, "vertex"), "0 vertices");
/// assert_eq!(format_count(3, "property"), "3 properties");
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
        _ if noun.ends_with(['s', 'x', 'h']) => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn changing_a_number_removes_its_text() {
        let mut number = FormattedNumber::from_text(1.5, "1.50");
        assert_eq!(number.text(), Some("1.50"));
        number.set(2.5);
        assert_eq!((number.get(), number.text()), (&2.5, None));
    }
}
