//! Losses of conversions between variants of a format.

use std::fmt;

use crate::Path;

/// The kind of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// Left out: the target cannot store it.
    Dropped,
    /// Kept, but not exactly.
    Approximated,
    /// Added, because the target requires something that the source does not contain.
    Synthesized,
    /// Changed, because the source was broken.
    Repaired,
}

impl LossKind {
    /// The kind in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Approximated => "approximated",
            Self::Synthesized => "synthesized",
            Self::Repaired => "repaired",
        }
    }
}

/// A difference that a conversion causes, with one or more occurrences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The kind of the loss.
    pub kind: LossKind,
    /// The path of the first occurrence in the source. Empty for the whole document.
    pub path: Path,
    /// Number of occurrences.
    pub count: usize,
    /// A short text that names what was lost.
    pub text: String,
}

impl Loss {
    /// Returns the text, with the count if there is more than one occurrence.
    pub fn text_with_count(&self) -> String {
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
        f.write_str(&self.text_with_count())
    }
}

/// The result of a conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted<D> {
    /// The document.
    pub document: D,
    /// Differences between the source and the document.
    pub losses: Vec<Loss>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    #[test]
    fn losses_print_their_place_and_how_often() {
        let mut loss = Loss { kind: LossKind::Synthesized, path: Path::new(), count: 1, text: "a sea".into() };
        assert_eq!(loss.to_string(), "synthesized: a sea");
        loss.path = [Frame::Field("objects.ids")].into_iter().collect();
        loss.count = 3;
        assert_eq!(loss.to_string(), "synthesized: objects.ids: a sea (3 times)");
    }
}
