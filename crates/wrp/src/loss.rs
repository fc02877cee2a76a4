//! What a conversion could not keep.

use std::fmt;

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

/// One thing that a conversion could not keep as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What became of it.
    pub kind: LossKind,
    /// Where in the source: a field.
    pub path: &'static str,
    /// What, in a short text.
    pub text: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.kind.name(), self.path, self.text)
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
    pub(crate) fn add(&mut self, kind: LossKind, path: &'static str, text: impl Into<String>) {
        self.0.push(Loss { kind, path, text: text.into() });
    }

    /// Adds a loss that happened so many times, if it did.
    pub(crate) fn count(&mut self, kind: LossKind, path: &'static str, count: usize, text: &str) {
        if count > 0 {
            self.add(kind, path, format!("{count} {text}"));
        }
    }
}
