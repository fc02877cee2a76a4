//! Floats in text: the value, and the spelling that a file chose for it.

/// A value together with its spelling in a text file. The spelling is written back until the value is set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spelled<T> {
    value: T,
    spelling: Option<Box<str>>,
}

impl<T> Spelled<T> {
    /// A value as a file spells it.
    pub fn read(value: T, spelling: &str) -> Self {
        Self { value, spelling: Some(spelling.into()) }
    }

    /// A value that no file has spelled yet.
    pub fn new(value: T) -> Self {
        Self { value, spelling: None }
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// Changes the value and drops the spelling.
    pub fn set(&mut self, value: T) {
        *self = Self::new(value);
    }

    /// The spelling, if the value is as it was read.
    pub fn spelling(&self) -> Option<&str> {
        self.spelling.as_deref()
    }
}

impl<T> From<T> for Spelled<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

/// The shortest decimal text that reads back to the same bits, always with a point or an exponent: `1.0`, `0.1`,
/// `1.0e22`, `5.0e-324`, `-0.0`. Infinities and NaN print as `inf`, `-inf` and `NaN`.
pub fn shortest(value: f64) -> String {
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
    fn shortest_reads_back() {
        for (value, text) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (1.0e22, "1.0e22"),
            (5.0e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e308"),
        ] {
            assert_eq!(shortest(value), text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
    }

    #[test]
    fn a_spelling_lives_until_the_value_is_set() {
        let mut number = Spelled::read(1.5, "1.50");
        assert_eq!(number.spelling(), Some("1.50"));
        number.set(2.5);
        assert_eq!((number.get(), number.spelling()), (&2.5, None));
    }
}
