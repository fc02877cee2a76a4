//! What a conversion between forms of a format could not keep.

use std::fmt;

use crate::Path;

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
    /// Where in the source it was first; empty: the whole.
    pub path: Path,
    /// How often.
    pub count: usize,
    /// What, in a short text.
    pub text: String,
}

impl Loss {
    /// What, and how often if it was more than once.
    pub fn said(&self) -> String {
        match self.count {
            0 | 1 => self.text.clone(),
            count => format!("{} ({count} times)", self.text),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.name())?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.said())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    #[test]
    fn losses_print_their_place_and_how_often() {
        let mut loss = Loss { kind: LossKind::MadeUp, path: Path::new(), count: 1, text: "a sea".into() };
        assert_eq!(loss.to_string(), "made up: a sea");
        loss.path = [Frame::Field("objects.ids")].into_iter().collect();
        loss.count = 3;
        assert_eq!(loss.to_string(), "made up: objects.ids: a sea (3 times)");
    }
}
