//! Texts for the differences between two documents.

mod items;

use crate::format_count;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};

pub use items::{ItemChange, ItemsDiff, Pairs};

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FieldChange {
    /// Name or path, such as `action`, `texture of face 2` or `entity_properties.targetname`.
    pub field: String,
    /// The old value as text. `none` if the field did not exist.
    pub old: String,
    /// The new value.
    pub new: String,
}

impl FieldChange {
    /// Creates a change from the name of a field and its values as text.
    pub fn new(field: impl Into<String>, old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { field: field.into(), old: old.into(), new: new.into() }
    }
}

/// Prints `origin: 0 0 64 → 0 0 96`.
impl Display for FieldChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {} → {}", self.field, self.old, self.new)
    }
}

/// Maximum number of differences of one kind that are printed. The rest is counted.
const SHOWN: usize = 200;

/// Maximum number of items that are named in one line.
pub const MAX_LISTED: usize = 4;

/// Prints a line for each of the first 200 items, then the number of other items. `noun` is their name in the plural.
///
/// # Errors
/// Errors of the formatter.
pub fn write_lines<T>(
    f: &mut Formatter<'_>,
    noun: impl Display,
    items: &[T],
    line: impl Fn(&mut Formatter<'_>, &T) -> Result,
) -> Result {
    for item in items.iter().take(SHOWN) {
        line(f, item)?;
        writeln!(f)?;
    }
    match items.len().checked_sub(SHOWN) {
        Some(more @ 1..) => writeln!(f, "… and {more} more {noun}"),
        _ => Ok(()),
    }
}

/// Prints the changed items as by [`write_lines`], then the removed and the added ones, and whether the common ones have another order. `noun`
/// is the name of the items in the plural.
///
/// # Errors
/// Errors of the formatter.
pub fn write_items<R: Display, F: Display>(
    f: &mut Formatter<'_>,
    noun: &str,
    items: &ItemsDiff<R, ItemChange<R, F>>,
) -> Result {
    write_lines(f, format_args!("changed {noun}"), &items.changed, |f, item| {
        write!(f, "~ {}: ", item.old)?;
        write_fields(f, &item.fields)
    })?;
    write_lines(f, format_args!("removed {noun}"), &items.removed, |f, item| write!(f, "- {item}"))?;
    write_lines(f, format_args!("added {noun}"), &items.added, |f, item| write!(f, "+ {item}"))?;
    if items.reordered { writeln!(f, "{noun} are in another order") } else { Ok(()) }
}

/// Returns the keys whose values differ, sorted, with all old and all new values of each. A key may have several values, which are compared
/// in their order.
pub fn different_values<K: Ord, V: PartialEq>(
    old: impl IntoIterator<Item = (K, V)>,
    new: impl IntoIterator<Item = (K, V)>,
) -> impl Iterator<Item = (K, [Vec<V>; 2])> {
    let mut keys: BTreeMap<K, [Vec<V>; 2]> = BTreeMap::new();
    for (key, value) in old {
        let [values, _] = keys.entry(key).or_default();
        values.push(value);
    }
    for (key, value) in new {
        let [_, values] = keys.entry(key).or_default();
        values.push(value);
    }
    keys.into_iter().filter(|(_, [old, new])| old != new)
}

/// Prints the first 200 changed fields in one line, then the number of other fields: `a: 1 → 2; b: 3 → 4`.
///
/// # Errors
/// Errors of the formatter.
pub fn write_fields(f: &mut Formatter<'_>, changes: &[impl Display]) -> Result {
    for (index, change) in changes.iter().take(SHOWN).enumerate() {
        write!(f, "{}{change}", if index == 0 { "" } else { "; " })?;
    }
    match changes.len().checked_sub(SHOWN) {
        Some(more @ 1..) => write!(f, "; and {}", format_count(more, "more field")),
        _ => Ok(()),
    }
}

/// Joins the texts of the first [`MAX_LISTED`] items, then the number of other items: `a, b, c, d, … 3 more`. Returns `none` if there
/// are no items.
pub fn join_first<T>(mut items: impl Iterator<Item = T>, text: impl Fn(T) -> String) -> String {
    let mut shown: Vec<String> = items.by_ref().take(MAX_LISTED).map(text).collect();
    match items.count() {
        0 => {}
        more => shown.push(format!("… {more} more")),
    }
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// Returns the number of bytes and their FNV-1a checksum: `6 bytes with the checksum bf9cf968`. Different bytes have different texts
/// (almost always).
pub fn checksum_text(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(0x811c_9dc5_u32, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{} with the checksum {sum:08x}", crate::format_count(bytes.len(), "byte"))
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
    fn items_beyond_the_limit_are_counted() {
        let numbers: Vec<usize> = (0..203).collect();
        let all = |count: usize| {
            Printed(move |f: &mut Formatter<'_>| {
                write_lines(f, "numbers", &(0..count).collect::<Vec<_>>(), |f, number| write!(f, "- {number}"))
            })
            .to_string()
        };
        assert_eq!(all(0), "");
        assert_eq!(all(2), "- 0\n- 1\n");
        assert!(all(200).ends_with("- 198\n- 199\n"));
        assert!(all(203).ends_with("- 199\n… and 3 more numbers\n"));
        let line = |count: usize| Printed(|f: &mut Formatter<'_>| write_fields(f, &numbers[..count])).to_string();
        assert_eq!((line(0), line(3)), (String::new(), "0; 1; 2".to_owned()));
        assert!(line(200).ends_with("; 198; 199"));
        assert!(line(203).ends_with("; 199; and 3 more fields"));
    }

    #[test]
    fn only_listed_items_are_formatted() {
        let text = |number: usize| {
            assert!(number < MAX_LISTED, "{number} is not shown");
            number.to_string()
        };
        let texts = [0, 1, 4, 7].map(|count| join_first(0..count, text));
        assert_eq!(texts, ["none", "0", "0, 1, 2, 3", "0, 1, 2, 3, … 3 more"]);
    }

    #[test]
    fn checksums_equal_published_values_of_fnv() {
        // Source: test vectors of the authors of FNV.
        assert_eq!(checksum_text(b""), "0 bytes with the checksum 811c9dc5");
        assert_eq!(checksum_text(b"foobar"), "6 bytes with the checksum bf9cf968");
    }
}
