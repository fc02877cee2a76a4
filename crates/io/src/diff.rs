//! Changed fields, and short texts for the differences between two documents.

use std::fmt::{Display, Formatter, Result};

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FieldChange {
    /// Its name or path, as `action`, `texture of face 2` or `entity_properties.targetname`.
    pub field: String,
    /// The old value as text; `none` where there was no such field.
    pub old: String,
    /// The new value.
    pub new: String,
}

impl FieldChange {
    /// A field with its values as text.
    pub fn new(field: impl Into<String>, old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { field: field.into(), old: old.into(), new: new.into() }
    }
}

/// As `origin: 0 0 64 → 0 0 96`.
impl Display for FieldChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {} → {}", self.field, self.old, self.new)
    }
}

/// So many differences of one kind are printed; the rest is counted.
const SHOWN: usize = 200;

/// So many items are named within a line.
pub const MAX_LISTED: usize = 4;

/// Prints a line for each of the first 200 items; then how many more of them there are, by the name of what they are.
///
/// # Errors
/// Those of the formatter.
pub fn lines<T>(
    f: &mut Formatter<'_>,
    what: impl Display,
    items: &[T],
    line: impl Fn(&mut Formatter<'_>, &T) -> Result,
) -> Result {
    for item in items.iter().take(SHOWN) {
        line(f, item)?;
        writeln!(f)?;
    }
    match items.len().checked_sub(SHOWN) {
        Some(more @ 1..) => writeln!(f, "… and {more} more {what}"),
        _ => Ok(()),
    }
}

/// Prints the first 200 fields that differ one behind the other, and how many more there are: `a: 1 → 2; b: 3 → 4`.
///
/// # Errors
/// Those of the formatter.
pub fn fields(f: &mut Formatter<'_>, changes: &[impl Display]) -> Result {
    for (index, change) in changes.iter().take(SHOWN).enumerate() {
        write!(f, "{}{change}", if index == 0 { "" } else { "; " })?;
    }
    match changes.len().checked_sub(SHOWN) {
        Some(more @ 1..) => write!(f, "; and {more} more fields"),
        _ => Ok(()),
    }
}

/// The texts of the first [`MAX_LISTED`] items, and how many more there are: `a, b, c, d, … 3 more`. Of no items it is `none`.
pub fn join_first<T>(mut items: impl Iterator<Item = T>, text: impl Fn(T) -> String) -> String {
    let mut shown: Vec<String> = items.by_ref().take(MAX_LISTED).map(text).collect();
    match items.count() {
        0 => {}
        more => shown.push(format!("… {more} more")),
    }
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// The number of bytes and their sum, as `6 bytes with the sum bf9cf968`: enough to see that they are others.
pub fn summed(bytes: &[u8]) -> String {
    // FNV-1a.
    let sum = bytes.iter().fold(0x811c_9dc5_u32, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{} bytes with the sum {sum:08x}", bytes.len())
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    struct Printed<F>(F);

    impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Printed<F> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }

    #[test]
    fn what_is_not_printed_is_counted() {
        let numbers: Vec<usize> = (0..203).collect();
        let all = |count: usize| {
            Printed(move |f: &mut Formatter<'_>| {
                lines(f, "numbers", &(0..count).collect::<Vec<_>>(), |f, number| write!(f, "- {number}"))
            })
            .to_string()
        };
        assert_eq!(all(0), "");
        assert_eq!(all(2), "- 0\n- 1\n");
        assert!(all(200).ends_with("- 198\n- 199\n"));
        assert!(all(203).ends_with("- 199\n… and 3 more numbers\n"));
        let line = |count: usize| Printed(|f: &mut Formatter<'_>| fields(f, &numbers[..count])).to_string();
        assert_eq!((line(0), line(3)), (String::new(), "0; 1; 2".to_owned()));
        assert!(line(200).ends_with("; 198; 199"));
        assert!(line(203).ends_with("; 199; and 3 more fields"));
    }

    #[test]
    fn only_few_items_become_texts() {
        let text = |number: usize| {
            assert!(number < MAX_LISTED, "{number} is not shown");
            number.to_string()
        };
        let texts = [0, 1, 4, 7].map(|count| join_first(0..count, text));
        assert_eq!(texts, ["none", "0", "0, 1, 2, 3", "0, 1, 2, 3, … 3 more"]);
    }

    #[test]
    fn sums_are_those_of_fnv() {
        // Of the tables that the authors of the sum give.
        assert_eq!(summed(b""), "0 bytes with the sum 811c9dc5");
        assert_eq!(summed(b"foobar"), "6 bytes with the sum bf9cf968");
    }
}
