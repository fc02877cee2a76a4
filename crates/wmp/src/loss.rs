//! What a conversion could not keep.

use std::fmt;

use mapwright_io::{Frame, Path};

/// What became of something that did not fit as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// Left out: the target cannot say it.
    Dropped,
    /// Kept, but not exactly.
    Approximated,
    /// Added, because the target asks for something that the source does not say.
    MadeUp,
    /// Changed, because the source was broken.
    Repaired,
}

impl LossKind {
    /// The kind in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Approximated => "approximated",
            Self::MadeUp => "made up",
            Self::Repaired => "repaired",
        }
    }
}

/// Something that a conversion could not keep as it was, once or more often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What became of it.
    pub kind: LossKind,
    /// Where in the source it was first.
    pub path: Path,
    /// How often.
    pub count: usize,
    /// What, in a short text.
    pub text: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.name())?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.text)?;
        if self.count > 1 { write!(f, " ({} times)", self.count) } else { Ok(()) }
    }
}

/// What came out of a conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted<D> {
    /// The document.
    pub document: D,
    /// What of the source is not in it, or not as it was.
    pub losses: Vec<Loss>,
}

/// Losses while they are found.
#[derive(Debug, Default)]
pub(crate) struct Report(pub(crate) Vec<Loss>);

impl Report {
    /// Adds a loss of a field.
    pub(crate) fn add(&mut self, kind: LossKind, field: &'static str, text: impl Into<String>) {
        self.put(kind, 1, text.into(), || field_path(field));
    }

    /// Adds a loss that happened so many times in a field, if it did.
    pub(crate) fn count(&mut self, kind: LossKind, field: &'static str, count: usize, text: &str) {
        if count > 0 {
            self.put(kind, count, text, || field_path(field));
        }
    }

    /// Adds a loss of a part, if it happened.
    pub(crate) fn part(&mut self, happened: bool, kind: LossKind, list: &'static str, index: usize, text: &str) {
        if happened {
            self.put(kind, 1, text, || [Frame::Field(list), Frame::Index(index)].into_iter().collect());
        }
    }

    fn put(&mut self, kind: LossKind, count: usize, text: impl AsRef<str> + Into<String>, path: impl FnOnce() -> Path) {
        match self.0.iter_mut().find(|loss| loss.kind == kind && loss.text == text.as_ref()) {
            Some(loss) => loss.count = loss.count.saturating_add(count),
            None => self.0.push(Loss { kind, path: path(), count, text: text.into() }),
        }
    }
}

fn field_path(field: &'static str) -> Path {
    let frame = (!field.is_empty()).then_some(Frame::Field(field));
    frame.into_iter().collect()
}
