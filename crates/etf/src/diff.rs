//! Differences between two terms.
//!
//! Tuples and lists are compared part by part; those of different lengths are compared from both ends. Maps and property
//! lists are compared by keys. A property list is a list of pairs whose first elements are different atoms, integers or
//! texts. The encoding does not matter, but 0.0 and −0.0 differ.
//!
//! ```
//! use mapwright_etf::{Builder, WriterProfile, diff::Diff};
//!
//! let term = |shininess| {
//!     let mut term = Builder::new(WriterProfile::Otp17);
//!     term.begin_list();
//!     term.tuple(2);
//!     term.atom("shininess");
//!     term.float(shininess);
//!     term.end_list();
//!     term.finish()
//! };
//! let (old, new) = (term(0.5)?, term(1.0)?);
//! assert_eq!(Diff::between(old.root(), new.root()).to_string(), "shininess: 0.5 → 1.0\n");
//! # Ok::<(), mapwright_etf::WriteError>(())
//! ```

mod parts;

use std::fmt;

use mapwright_io::diff::checksum_text;

use crate::{List, ListItem, Term, Value};
use parts::{PathNode, Step};

/// Default maximum number of differences.
const LIMIT: usize = 200;
/// Maximum number of characters printed of a term.
const CHARACTERS: usize = 80;

/// Differences between two terms. Prints one line per difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// The differences, in the order of the old term.
    pub changes: Vec<FieldChange>,
    /// `true` if the limit was reached, so there may be more.
    pub more: bool,
}

/// A part that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FieldChange {
    /// Path of the part, empty for the whole term. `opengl.diffuse[2]` is the third part of the value of `diffuse` in the
    /// value of `opengl`.
    pub field: String,
    /// The old value as text, `none` if there is none.
    pub old: String,
    /// The new value as text, `none` if there is none.
    pub new: String,
}

impl FieldChange {
    /// Creates a change from a path and two values as text.
    pub fn new(field: impl Into<String>, old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { field: field.into(), old: old.into(), new: new.into() }
    }
}

impl Diff {
    /// Compares two terms, up to 200 differences.
    pub fn between(old: Term<'_>, new: Term<'_>) -> Self {
        Self::between_with(old, new, LIMIT)
    }

    /// Compares two terms, up to `limit` differences.
    pub fn between_with(old: Term<'_>, new: Term<'_>, limit: usize) -> Self {
        let mut diff = Self::default();
        let mut steps: Vec<PathNode<'_>> = Vec::new();
        // Number of bytes that may be compared a second time to align lists.
        let mut budget = old.as_bytes().len().saturating_add(new.as_bytes().len()).saturating_mul(8);
        let mut next = vec![(Some(ListItem::Term(old)), Some(ListItem::Term(new)), None)];
        while let Some((old, new, node)) = next.pop() {
            if diff.changes.len() >= limit {
                diff.more = true;
                break;
            }
            let parts = match (old, new) {
                (Some(old), Some(new)) if parts::same_bytes(old, new) => continue,
                (Some(old), Some(new)) => {
                    if parts::same_leaf(old, new) {
                        continue;
                    }
                    parts::pair_parts(old, new, &mut budget)
                }
                _ => None,
            };
            let Some(parts) = parts else {
                let text = |item: Option<ListItem<'_>>| item.map_or("none".to_owned(), summarize_item);
                diff.changes.push(FieldChange::new(format_path(&steps, node), text(old), text(new)));
                continue;
            };
            for (step, old, new) in parts.into_iter().rev() {
                steps.push(PathNode { parent: node, step });
                next.push((old, new, steps.len().checked_sub(1)));
            }
        }
        diff
    }

    /// Returns `true` if there are no differences.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.changes.iter().try_for_each(|change| writeln!(f, "{change}"))?;
        if self.more { writeln!(f, "… and more") } else { Ok(()) }
    }
}

/// Writes a line like `opengl.diffuse[2]: 0.5 → 1.0`.
impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = if self.field.is_empty() { "term" } else { &self.field };
        write!(f, "{field}: {} → {}", self.old, self.new)
    }
}

/// Returns the start of the item's text, or the size and a digest of a long binary.
pub fn summarize_item(item: ListItem<'_>) -> String {
    let term = match item {
        ListItem::Byte(byte) => return byte.to_string(),
        ListItem::Term(term) => term,
    };
    let whole = match term.value() {
        Value::Binary(bytes) if bytes.len() > 16 => {
            return checksum_text(bytes);
        }
        // Do not shorten texts further: the difference may be at any character.
        _ => format!("{term:?}"),
    };
    let mut shown: String = whole.chars().take(CHARACTERS).collect();
    if shown.len() < whole.len() && !shown.ends_with('…') {
        shown.push('…');
    }
    shown
}

/// Returns the text of a list that is probably a string. Only Latin letters count, because most lists of numbers are letters
/// of some alphabet.
fn to_latin_text(list: List<'_>) -> Option<String> {
    let mut items = list.items();
    let mut text = String::new();
    for item in items.by_ref() {
        let c = char::from_u32(u32::try_from(item.as_i64()?).ok()?)?;
        if (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || c > LAST_LATIN {
            return None;
        }
        text.push(c);
    }
    (!text.is_empty() && items.tail().is_none()).then_some(text)
}

/// The end of Latin Extended-B.
const LAST_LATIN: char = '\u{24f}';

/// Maximum number of steps of a printed path.
const STEPS: usize = 12;

fn format_path(steps: &[PathNode<'_>], last: Option<usize>) -> String {
    let mut parts = Vec::new();
    let mut at = last;
    while let Some(node) = at.and_then(|at| steps.get(at)) {
        if parts.len() == STEPS {
            parts.push("…".to_owned());
            break;
        }
        parts.push(match node.step {
            Step::Index(index) => format!("[{index}]"),
            Step::Tail => ".tail".to_owned(),
            Step::Key(key) => match key.as_atom() {
                Some(name) => format!(".{}", name.name().chars().take(CHARACTERS).collect::<String>()),
                None => format!("[{}]", summarize_item(ListItem::Term(key))),
            },
        });
        at = node.parent;
    }
    parts.reverse();
    let path = parts.concat();
    path.strip_prefix('.').unwrap_or(&path).to_owned()
}
