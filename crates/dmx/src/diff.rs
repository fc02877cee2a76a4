//! What differs between two graphs.
//!
//! Elements are matched by their identities, where each graph has an identity once; then by the path that leads to them; then in
//! their order. Classes,
//! names, identities and attributes are compared, with references as what they lead to. The order of elements, of attributes and of
//! strings is spelling, and not compared. The same two graphs always give the same answer, in a time that grows little faster than
//! their size.
//!
//! ```
//! use mapwright_dmx::{Document, ElementId, Encoding, Guid, Value, diff::Diff};
//!
//! let mut old = Document::new(Encoding::BINARY_9, "dmx", 1, "DmeLamp", Guid::made_of(b"lamp"));
//! old.set(ElementId::ROOT, "origin", Value::Vector3([0.0, 0.0, 64.0]));
//! let mut new = old.clone();
//! new.set(ElementId::ROOT, "origin", Value::Vector3([0.0, 0.0, 96.0]));
//! assert_eq!(Diff::between(&old, &new).to_string(), "~ DmeLamp #0: origin: 0 0 64 → 0 0 96\n");
//! ```
//!
//! [`Matching`] is what formats over element graphs build on, which know more of what their elements are.

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

/// What differs between two graphs. It prints as a text of a line for each difference, without any as an empty text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// The header, the prefix attributes and the bytes behind the end.
    pub facts: Vec<FieldChange>,
    /// Elements that both graphs have and that are not the same, by the order of the old ones.
    pub changed: Vec<ElementChange>,
    /// Elements that only the old graph has.
    pub removed: Vec<ElementLabel>,
    /// Elements that only the new graph has.
    pub added: Vec<ElementLabel>,
}

/// An element that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ElementChange {
    /// The old one.
    pub old: ElementLabel,
    /// The new one.
    pub new: ElementLabel,
    /// How.
    pub fields: Vec<FieldChange>,
}

/// An element of one of the graphs, as far as one needs to find it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ElementLabel {
    /// Its place in [`Document::elements`].
    pub index: usize,
    /// Its class.
    pub class: String,
    /// Its name, mostly empty.
    pub name: String,
}

impl ElementLabel {
    /// What an element is found by.
    pub fn of(element: ElementRef<'_>) -> Self {
        Self { index: element.id().index(), class: text(element.class()), name: text(element.name()) }
    }
}

impl Diff {
    /// Compares two graphs.
    pub fn between(old: &Document, new: &Document) -> Self {
        let mut pairs = Matching::new(old, new);
        pairs.add(ElementId::ROOT, ElementId::ROOT);
        let copy = |document: &Document| document.exact_prefix_copy(&document.reference_counts());
        // What both say twice is compared where it stands first.
        let copies = copy(old).zip(copy(new)).filter(|(old, new)| pairs.add(*old, *new));
        let all = |document: &Document| (0..document.elements.len()).map(ElementId::at).collect::<Vec<_>>();
        let (olds, news) = (all(old), all(new));
        pairs.by_unique_key(&olds, &news, ElementRef::guid);
        pairs.by_path(|_, _| true);
        // What nothing leads to.
        pairs.by_order(&olds, &news, |element| (element.guid(), element.class(), element.name()));
        let label = |element: ElementRef<'_>| ElementLabel::of(element).to_string();
        let rules = Rules { skip: &|_, _| false, label: &label, parts: None };
        let mut diff = Self { facts: pairs.header(), ..Self::default() };
        diff.facts.extend(pairs.prefix(&rules));
        let mut seen = pairs.unseen();
        for old_id in olds {
            let Some(old_element) = old.element(old_id) else { continue };
            let Some(new_element) = pairs.new_of(old_id).and_then(|id| new.element(id)) else {
                diff.removed.push(ElementLabel::of(old_element));
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
                let (old, new) = (ElementLabel::of(old_element), ElementLabel::of(new_element));
                diff.changed.push(ElementChange { old, new, fields });
            }
        }
        let free = news.into_iter().filter(|id| pairs.old_of(*id).is_none());
        diff.added.extend(free.filter_map(|id| new.element(id)).map(ElementLabel::of));
        diff
    }

    /// Whether nothing of this differs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
