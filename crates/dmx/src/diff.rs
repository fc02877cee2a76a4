//! Differences of two graphs.
//!
//! Elements are matched by their identities, if each graph has an identity once; then by the path that leads to them; then in their
//! order. Classes, names, identities and attributes are compared, and references by their targets. The order of elements, attributes and
//! strings is not compared. The result is deterministic and takes near-linear time.
//!
//! ```
//! use mapwright_dmx::{Document, ElementId, Encoding, Guid, Value, diff::Diff};
//!
//! let mut old = Document::new(Encoding::BINARY_9, "dmx", 1, "DmeLamp", Guid::from_hash(b"lamp"));
//! old.set(ElementId::ROOT, "origin", Value::Vector3([0.0, 0.0, 64.0]));
//! let mut new = old.clone();
//! new.set(ElementId::ROOT, "origin", Value::Vector3([0.0, 0.0, 96.0]));
//! assert_eq!(Diff::between(&old, &new).to_string(), "~ DmeLamp #0: origin: 0 0 64 → 0 0 96\n");
//! ```
//!
//! Formats over element graphs build on [`Matching`], with more knowledge of their elements.

mod attributes;
mod compare;
mod display;
mod matching;
mod values;

use crate::{Document, ElementId, ElementRef, Guid};

pub use attributes::AttributePair;
pub use compare::Rules;
pub use mapwright_io::diff::FieldChange;
pub use matching::Matching;
pub use values::{text, whole};

pub use crate::view::same_value;

/// Differences of two graphs. It is displayed as one line per difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Changes of the header, the prefix attributes and the bytes after the end.
    pub facts: Vec<FieldChange>,
    /// Changed elements, in the order of the old ones.
    pub changed: Vec<ElementChange>,
    /// Elements of the old graph only.
    pub removed: Vec<ElementLabel>,
    /// Elements of the new graph only.
    pub added: Vec<ElementLabel>,
}

/// A changed element.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ElementChange {
    /// The old element.
    pub old: ElementLabel,
    /// The new element.
    pub new: ElementLabel,
    /// The changed fields.
    pub fields: Vec<FieldChange>,
}

/// The label of an element of one of the graphs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ElementLabel {
    /// The index in [`Document::elements`].
    pub index: usize,
    /// The class.
    pub class: String,
    /// The name, mostly empty.
    pub name: String,
}

impl ElementLabel {
    /// Creates the label of an element.
    pub fn from_element(element: ElementRef<'_>) -> Self {
        Self { index: element.id().index(), class: text(element.class()), name: text(element.name()) }
    }
}

impl Diff {
    /// Compares two graphs.
    pub fn between(old: &Document, new: &Document) -> Self {
        let mut pairs = Matching::new(old, new);
        pairs.add(ElementId::ROOT, ElementId::ROOT);
        let copy = |document: &Document| document.exact_prefix_copy(&document.reference_counts());
        // The copies of the prefix attributes are compared with the prefix, not as elements.
        let copies = copy(old).zip(copy(new)).filter(|(old, new)| pairs.add(*old, *new));
        let all = |document: &Document| (0..document.elements.len()).map(ElementId::at).collect::<Vec<_>>();
        let (olds, news) = (all(old), all(new));
        pairs.by_unique_key(&olds, &news, ElementRef::guid);
        pairs.by_path(|_, _| true);
        // Elements that nothing refers to.
        pairs.by_order(&olds, &news, |element| (element.guid(), element.class(), element.name()));
        let label = |element: ElementRef<'_>| ElementLabel::from_element(element).to_string();
        let rules = Rules { skip: &|_, _| false, label: &label, parts: None };
        let mut diff = Self { facts: pairs.header(), ..Self::default() };
        diff.facts.extend(pairs.prefix(&rules));
        let mut seen = pairs.no_compared_elements();
        for old_id in olds {
            let old_element = old.element(old_id).expect("the id is one of the old graph");
            let Some(new_element) = pairs.new_of(old_id).and_then(|id| new.element(id)) else {
                diff.removed.push(ElementLabel::from_element(old_element));
                continue;
            };
            let mut fields = Vec::new();
            if old_element.guid() != new_element.guid() {
                let id = |id: Option<Guid>| id.map_or("none".to_owned(), |id| id.to_string());
                fields.push(FieldChange::new("id", id(old_element.guid()), id(new_element.guid())));
            }
            if copies != Some((old_id, new_element.id())) {
                fields.extend(pairs.compare(old_id, new_element.id(), &rules, &mut seen));
            }
            if !fields.is_empty() {
                let (old, new) = (ElementLabel::from_element(old_element), ElementLabel::from_element(new_element));
                diff.changed.push(ElementChange { old, new, fields });
            }
        }
        let free = news.into_iter().filter(|id| pairs.old_of(*id).is_none());
        diff.added.extend(free.filter_map(|id| new.element(id)).map(ElementLabel::from_element));
        diff
    }

    /// Returns `true` if there are no differences.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
