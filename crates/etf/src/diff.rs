//! What differs between two terms.
//!
//! Tuples and lists are compared part by part, lists and tuples of different lengths from both ends; maps by their keys, and so are
//! lists of pairs that begin with different atoms, integers or texts, as property lists are. Terms that mean the same
//! are the same, whatever tags spell them; but 0.0 and −0.0 differ.
//!
//! ```
//! use mapwright_etf::{Builder, Profile, diff::Diff};
//!
//! let term = |shininess| {
//!     let mut term = Builder::new(Profile::Otp17);
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
use parts::{Place, Step};

/// So many differences are looked for, unless more are asked for.
const LIMIT: usize = 200;
/// So many characters of a term are shown.
const CHARACTERS: usize = 80;

/// What differs between two terms. It prints as a text of a line for each difference, without any as an empty text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// The first differences, in the order of the old term.
    pub changes: Vec<FieldChange>,
    /// Whether there may be more.
    pub more: bool,
}

/// A part that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FieldChange {
    /// Where it stands: `opengl.diffuse[2]` is the third part of the value of `diffuse` in the value of `opengl`. Empty for the whole
    /// term.
    pub field: String,
    /// The old value as text; `none` where there was none.
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

impl Diff {
    /// Compares two terms, up to 200 differences.
    pub fn between(old: Term<'_>, new: Term<'_>) -> Self {
        Self::between_with(old, new, LIMIT)
    }

    /// Compares two terms, up to a number of differences.
    pub fn between_with(old: Term<'_>, new: Term<'_>, limit: usize) -> Self {
        let mut diff = Self::default();
        let mut steps: Vec<Place<'_>> = Vec::new();
        // What finding the ends of lists may cost in all; it is bytes that are looked at twice.
        let mut budget = old.as_bytes().len().saturating_add(new.as_bytes().len()).saturating_mul(8);
        let mut next = vec![(Some(ListItem::Term(old)), Some(ListItem::Term(new)), None)];
        while let Some((old, new, place)) = next.pop() {
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
                    parts::of(old, new, &mut budget)
                }
                _ => None,
            };
            let Some(parts) = parts else {
                let text = |item: Option<ListItem<'_>>| item.map_or("none".to_owned(), text);
                diff.changes.push(FieldChange::new(path(&steps, place), text(old), text(new)));
                continue;
            };
            for (step, old, new) in parts.into_iter().rev() {
                steps.push(Place { before: place, step });
                next.push((old, new, steps.len().checked_sub(1)));
            }
        }
        diff
    }

    /// Whether nothing differs.
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

/// As `opengl.diffuse[2]: 0.5 → 1.0`.
impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = if self.field.is_empty() { "term" } else { &self.field };
        write!(f, "{field}: {} → {}", self.old, self.new)
    }
}

/// The start of a term as text; of a binary its size.
pub fn text(item: ListItem<'_>) -> String {
    let term = match item {
        ListItem::Byte(byte) => return byte.to_string(),
        ListItem::Term(term) => term,
    };
    let whole = match term.value() {
        Value::Binary(bytes) if bytes.len() > 16 => {
            return checksum_text(bytes);
        }
        // Where texts differ is for the reader to see: the whole start of it is there.
        _ => format!("{term:?}"),
    };
    let mut shown: String = whole.chars().take(CHARACTERS).collect();
    if shown.len() < whole.len() && !shown.ends_with('…') {
        shown.push('…');
    }
    shown
}

/// The text of a list that is one to all appearances: of Latin letters, as lists of numbers are letters of some alphabet, too.
fn printable(list: List<'_>) -> Option<String> {
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

/// So many steps of a way are shown, the last ones.
const STEPS: usize = 12;

fn path(steps: &[Place<'_>], last: Option<usize>) -> String {
    let mut parts = Vec::new();
    let mut at = last;
    while let Some(place) = at.and_then(|at| steps.get(at)) {
        if parts.len() == STEPS {
            parts.push("…".to_owned());
            break;
        }
        parts.push(match place.step {
            Step::Index(index) => format!("[{index}]"),
            Step::Tail => ".tail".to_owned(),
            Step::Key(key) => match key.as_atom() {
                Some(name) => format!(".{}", name.name().chars().take(CHARACTERS).collect::<String>()),
                None => format!("[{}]", text(ListItem::Term(key))),
            },
        });
        at = place.before;
    }
    parts.reverse();
    let path = parts.concat();
    path.strip_prefix('.').unwrap_or(&path).to_owned()
}
