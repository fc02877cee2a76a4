//! What a conversion could not keep.

use std::fmt;

/// What became of something that did not fit as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum LossKind {
    /// Left out: the target cannot say it.
    Dropped,
    /// Kept, but not exactly.
    Approximated,
    /// Added, because the target asks for something that the source does not say.
    Synthesized,
    /// Changed, because the source was broken or not what the target allows.
    Repaired,
    /// Not lost, but worth knowing: it is said in another way, or where only this program looks for it.
    Preserved,
}

impl LossKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Dropped, Self::Approximated, Self::Synthesized, Self::Repaired, Self::Preserved];

    /// The kind in words.
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

/// One thing that a conversion could not keep as it was.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Loss {
    /// Where in the source, such as `nodes[3].mesh.uv_sets[1]`; empty: the whole.
    pub path: String,
    /// What, in a short text.
    pub text: String,
    /// What became of it.
    pub kind: LossKind,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.name())?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.text)
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

    /// Adds a loss. Paths and texts of more than 1,000 bytes are shortened in their middle: names in them come from the document, and
    /// thousands of items may share a long one.
    pub fn push(&mut self, kind: LossKind, path: impl Into<String>, text: impl Into<String>) {
        self.items.push(Loss { path: shorten(path.into()), text: shorten(text.into()), kind });
    }

    /// Adds something left out.
    pub fn dropped(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.push(LossKind::Dropped, path, text);
    }

    /// Adds something kept inexactly.
    pub fn approximated(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.push(LossKind::Approximated, path, text);
    }

    /// Adds something made up.
    pub fn synthesized(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.push(LossKind::Synthesized, path, text);
    }

    /// Adds something repaired.
    pub fn repaired(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.push(LossKind::Repaired, path, text);
    }

    /// Adds something kept in another way.
    pub fn preserved(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.push(LossKind::Preserved, path, text);
    }

    /// Adds all losses of another list.
    pub fn append(&mut self, mut other: Self) {
        self.items.append(&mut other.items);
    }

    /// Whether everything came through as it was.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of entries, with those of [`LossKind::Preserved`].
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The number of losses: entries of all kinds but [`LossKind::Preserved`].
    pub fn lost(&self) -> usize {
        self.len() - self.count(LossKind::Preserved)
    }

    /// The number of losses of a kind.
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

/// What came out of a document: the scene, and what of the document is not in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Import {
    /// The scene.
    pub scene: crate::Scene,
    /// What is not in it, or not as it was.
    pub losses: Losses,
}

/// What came out of a scene: the document, and what of the scene is not in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Export<D> {
    /// The document.
    pub document: D,
    /// What is not in it, or not as it was.
    pub losses: Losses,
}

/// Replaces the middle of a long text by "…".
fn shorten(text: String) -> String {
    const MAX: usize = 1000;
    const END: usize = 200;
    if text.len() <= MAX {
        return text;
    }
    let is_boundary = |&at: &usize| text.is_char_boundary(at);
    let start = (0..=MAX - END).rev().find(is_boundary).unwrap_or(0);
    let end = (text.len() - END..text.len()).find(is_boundary).unwrap_or(text.len());
    format!("{}…{}", text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted_by_kind_and_print_their_place() {
        let mut losses = Losses::new();
        losses.dropped("lights[0]", "no ambient lights");
        losses.repaired("", "two vertices were one");
        losses.preserved("nodes[0]", "a lock");
        let counts = LossKind::ALL.map(|kind| losses.count(kind));
        assert_eq!((counts, losses.len(), losses.lost()), ([1, 0, 0, 1, 1], 3, 2));
        let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            ["dropped: lights[0]: no ambient lights", "repaired: two vertices were one", "preserved: nodes[0]: a lock"]
        );
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let mut losses = Losses::new();
        losses.dropped("nodes[0]", format!("name \"{}\": too long", "ä".repeat(70_000)));
        losses.dropped("nodes[1]", "ä".repeat(500));
        let texts: Vec<&str> = losses.iter().map(|loss| &*loss.text).collect();
        assert!(texts[0].starts_with("name \"ä") && texts[0].ends_with("ä\": too long"), "{}", texts[0]);
        assert!(texts[0].len() <= 1003 && texts[0].contains('…'), "{}", texts[0].len());
        assert_eq!(texts[1], "ä".repeat(500));
    }
}
