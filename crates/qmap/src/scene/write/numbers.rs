//! Formatting of numbers.

/// Formats a number with the fewest digits that read back the same, and without negative zero.
pub(super) fn number(number: f64) -> String {
    crate::format_number(number + 0.0)
}

/// Formats numbers with spaces between them.
pub(super) fn numbers(all: impl IntoIterator<Item = f64>) -> String {
    all.into_iter().map(number).collect::<Vec<_>>().join(" ")
}
