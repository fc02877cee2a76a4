//! Losses: what a conversion changes or leaves out.

use std::fmt;

use crate::Path;

/// The kind of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum LossKind {
    /// Left out: the target cannot store it.
    Dropped,
    /// Stored, but not exactly.
    Approximated,
    /// Added, because the target requires something that the source does not contain.
    Synthesized,
    /// Changed, because the source is broken or the target does not allow it.
    Repaired,
    /// Not lost: stored differently, or as metadata that only this library reads.
    Preserved,
}

impl LossKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Dropped, Self::Approximated, Self::Synthesized, Self::Repaired, Self::Preserved];

    /// The kind in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Approximated => "approximated",
            Self::Synthesized => "synthesized",
            Self::Repaired => "repaired",
            Self::Preserved => "preserved",
        }
    }
}

/// A difference that a conversion causes, with one or more occurrences.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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

#[cfg(feature = "serde")]
impl serde::Serialize for Loss {
    /// Writes the path and the text as they are printed.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Loss", 3)?;
        fields.serialize_field("path", &self.path.to_string())?;
        fields.serialize_field("text", &self.text_with_count())?;
        fields.serialize_field("kind", &self.kind)?;
        fields.end()
    }
}

/// The losses of a conversion, in the order in which they were found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Losses {
    /// The losses.
    pub items: Vec<Loss>,
}

impl Losses {
    /// No losses.
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// Adds a loss that occurs once. Names in the path and texts of more than 1,000 bytes are shortened in the middle: they come
    /// from the document, and thousands of items may share a long one.
    pub fn push(&mut self, kind: LossKind, path: impl Into<Path>, text: impl Into<String>) {
        let (mut path, mut text) = (path.into(), text.into());
        path.map_names(shorten);
        shorten(&mut text);
        self.items.push(Loss { kind, path, count: 1, text });
    }

    /// Adds something that was left out.
    pub fn dropped(&mut self, path: impl Into<Path>, text: impl Into<String>) {
        self.push(LossKind::Dropped, path, text);
    }

    /// Adds something that is stored inexactly.
    pub fn approximated(&mut self, path: impl Into<Path>, text: impl Into<String>) {
        self.push(LossKind::Approximated, path, text);
    }

    /// Adds a value that was synthesized because the target requires it.
    pub fn synthesized(&mut self, path: impl Into<Path>, text: impl Into<String>) {
        self.push(LossKind::Synthesized, path, text);
    }

    /// Adds something that was repaired.
    pub fn repaired(&mut self, path: impl Into<Path>, text: impl Into<String>) {
        self.push(LossKind::Repaired, path, text);
    }

    /// Adds something that is stored differently.
    pub fn preserved(&mut self, path: impl Into<Path>, text: impl Into<String>) {
        self.push(LossKind::Preserved, path, text);
    }

    /// Adds all losses of another list.
    pub fn append(&mut self, mut other: Self) {
        self.items.append(&mut other.items);
    }

    /// Returns `true` if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of entries, including those of [`LossKind::Preserved`].
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The number of losses: entries of all kinds but [`LossKind::Preserved`].
    pub fn lost_count(&self) -> usize {
        self.iter().filter(|loss| loss.kind != LossKind::Preserved).count()
    }

    /// The number of entries of a kind.
    pub fn count(&self, kind: LossKind) -> usize {
        self.iter().filter(|loss| loss.kind == kind).count()
    }

    /// The losses in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.items.iter()
    }
}

impl<'a> IntoIterator for &'a Losses {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A document that a conversion created.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Export<D> {
    /// The document.
    pub document: D,
    /// Differences between the source and the document.
    pub losses: Losses,
}

/// The readable part of a damaged file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rescued<D> {
    /// The document, which the program of the format can read.
    pub document: D,
    /// The damaged and missing parts. Empty for a file without damage.
    pub losses: Losses,
}

impl<D> Rescued<D> {
    /// Creates the result of a recovery.
    pub const fn new(document: D, losses: Losses) -> Self {
        Self { document, losses }
    }
}

/// Replaces the middle of a long text by "…".
fn shorten(text: &mut String) {
    const MAX: usize = 1000;
    const START: usize = 800;
    let Some(excess) = text.len().checked_sub(MAX).filter(|excess| *excess > 0) else { return };
    let is_boundary = |&at: &usize| text.is_char_boundary(at);
    let start = (0..=START).rev().find(is_boundary).unwrap_or(0);
    let end = (START.saturating_add(excess)..text.len()).find(is_boundary).unwrap_or(text.len());
    text.replace_range(start..end, "…");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    #[test]
    fn losses_print_their_path_and_count() {
        let mut loss = Loss { kind: LossKind::Synthesized, path: Path::new(), count: 1, text: "a sea".into() };
        assert_eq!(loss.to_string(), "synthesized: a sea");
        loss.path = [Frame::Field("objects"), Frame::Field("ids")].into_iter().collect();
        loss.count = 3;
        assert_eq!(loss.to_string(), "synthesized: objects.ids: a sea (3 times)");
    }

    #[test]
    fn losses_are_counted_by_kind() {
        let mut losses = Losses::new();
        losses.dropped("lights[0]", "no ambient lights");
        losses.repaired("", "two vertices were one");
        losses.preserved("nodes[0]", "a lock");
        let counts = LossKind::ALL.map(|kind| losses.count(kind));
        assert_eq!((counts, losses.len(), losses.lost_count()), ([1, 0, 0, 1, 1], 3, 2));
        let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            ["dropped: lights[0]: no ambient lights", "repaired: two vertices were one", "preserved: nodes[0]: a lock"]
        );
    }

    #[test]
    fn long_texts_and_names_lose_their_middle() {
        let mut losses = Losses::new();
        losses.dropped("nodes[0]", format!("name \"{}\": too long", "ä".repeat(70_000)));
        losses.dropped(format!("nodes[1].{}", "é".repeat(70_000)), "ä".repeat(500));
        let texts: Vec<&str> = losses.iter().map(|loss| &*loss.text).collect();
        assert!(texts[0].starts_with("name \"ä") && texts[0].ends_with("ä\": too long"), "{}", texts[0]);
        assert!(texts[0].len() <= 1003 && texts[0].contains('…'), "{}", texts[0].len());
        assert_eq!(texts[1], "ä".repeat(500));
        let path = losses.items[1].path.to_string();
        assert!(path.starts_with("nodes[1].") && path.contains('…') && path.len() < 1020, "{path}");
    }
}
