//! Which elements stand where they stood in the source.

use super::list::align;
use super::place::Place;
use crate::read::text::{Block, Cst, Entry, Owner};
use crate::{Attribute, Document, ElementId, Reference, Value};

/// The elements of a source, and what has become of them.
pub(super) struct Homes<'a> {
    document: &'a Document,
    old: &'a Document,
    /// The element that each element of the source is now.
    pub(super) now: Vec<Option<ElementId>>,
    /// Whether each element of the source keeps its block.
    pub(super) kept: Vec<bool>,
    /// The element that the first block of prefix attributes stands for.
    pub(super) copy: Option<ElementId>,
}

/// What a reference refers to, in the source and now.
#[derive(PartialEq, Eq, Hash)]
enum Target<'a> {
    Null,
    External(&'a [u8]),
    Element(usize),
}

impl<'a> Homes<'a> {
    /// Finds what stands where it stood; none if the root does not. It is known how often each element is referred to.
    pub(super) fn find(document: &'a Document, references: &[u32], old: &'a Document, cst: &Cst) -> Option<Self> {
        let mut now = vec![None; old.elements.len()];
        for (index, element) in document.elements.iter().enumerate() {
            // Of two copies of an element the first is the element.
            if let Some(slot @ None) = element.origin.and_then(|origin| now.get_mut(origin as usize)) {
                *slot = Some(ElementId::at(index));
            }
        }
        // The element that repeats the prefix attributes has no block of its own.
        let blocks = cst.elements.len();
        let copy = match now.get(blocks) {
            Some(copy) => copy.filter(|copy| document.repeats_prefix(*copy)),
            None => document.exact_prefix_copy(references).filter(|copy| !now.contains(&Some(*copy))),
        };
        let mut homes = Self { document, old, now, kept: vec![false; blocks], copy };
        let root = cst.top.iter().find_map(|(owner, _)| match owner {
            Owner::Element(index) => Some(*index),
            Owner::Prefix(_) => None,
        });
        if homes.now.get(root?) != Some(&Some(ElementId::ROOT)) {
            return None;
        }
        for (owner, _) in &cst.top {
            if let Owner::Element(index) = *owner {
                let stays = homes.now.get(index).copied().flatten().is_some();
                homes.kept.get_mut(index).into_iter().for_each(|kept| *kept = stays);
            }
        }
        for (index, block) in cst.prefix.iter().enumerate() {
            if let (Some(old), Some(new)) = (old.prefix.get(index), document.prefix.get(index)) {
                homes.keep(block, old, new);
            }
        }
        // An element comes behind the one that it stands in.
        for (index, block) in cst.elements.iter().enumerate() {
            let Some((before, element)) = homes.pair(index) else { continue };
            if homes.may_mistake(&element.attributes) && !homes.same_entries(&before.attributes, &element.attributes) {
                // Where identity and name stand then matters.
                if index == root? {
                    return None;
                }
                homes.kept.get_mut(index).into_iter().for_each(|kept| *kept = false);
                continue;
            }
            homes.keep(block, &before.attributes, &element.attributes);
        }
        Some(homes)
    }

    /// An element that keeps its block, as it was and as it is.
    pub(super) fn pair(&self, index: usize) -> Option<(&'a crate::Element, &'a crate::Element)> {
        let now = self.now.get(index).copied().flatten().filter(|_| self.kept.get(index) == Some(&true))?;
        Some((self.old.elements.get(index)?, self.document.elements.get(now.index())?))
    }

    /// Where the elements of the document stand that have their place.
    pub(super) fn placed(&self, cst: &Cst) -> Vec<Option<Place>> {
        let mut placed = vec![None; self.document.elements.len()];
        for (now, _) in self.now.iter().zip(&self.kept).filter(|(_, kept)| **kept) {
            now.and_then(|now| placed.get_mut(now.index())).into_iter().for_each(|place| *place = Some(Place::Inline));
        }
        for (owner, _) in &cst.top {
            if let Owner::Element(index) = *owner
                && self.kept.get(index) == Some(&true)
                && let Some(Some(now)) = self.now.get(index)
            {
                placed.get_mut(now.index()).into_iter().for_each(|place| *place = Some(Place::Top));
            }
        }
        placed
    }

    /// Keeps the elements that stand in a block and still are referred to from the same place.
    fn keep(&mut self, block: &Block, old: &[Attribute], new: &[Attribute]) {
        let entries = block.entries.iter().filter(|entry| entry.entry == Entry::Attribute);
        let mut entries: Vec<_> = entries.zip(old).map(Some).collect();
        for (new, place) in new.iter().zip(self.align_attributes(old, new)) {
            let Some((entry, old)) = place.and_then(|place| entries.get_mut(place)?.take()) else { continue };
            match (&old.value, &new.value) {
                (Value::Element(Reference::Element(child)), Value::Element(Reference::Element(new)))
                    if entry.inline =>
                {
                    let stays = self.now.get(child.index()) == Some(&Some(*new));
                    self.kept.get_mut(child.index()).into_iter().for_each(|kept| *kept = stays);
                }
                (Value::ElementArray(old), Value::ElementArray(new)) => {
                    for place in self.align_references(old, new).into_iter().flatten() {
                        if let (Some((_, true)), Some(Reference::Element(child))) =
                            (entry.items.get(place), old.get(place))
                        {
                            self.kept.get_mut(child.index()).into_iter().for_each(|kept| *kept = true);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// For each attribute the one of the source that it is.
    pub(super) fn align_attributes(&self, old: &[Attribute], new: &[Attribute]) -> Vec<Option<usize>> {
        let old: Vec<_> = old.iter().map(|attribute| self.old.string(attribute.name)).collect();
        let new: Vec<_> = new.iter().map(|attribute| Some(self.document.string(attribute.name))).collect();
        align(&old, &new)
    }

    /// For each reference the one of the source that it is.
    pub(super) fn align_references(&self, old: &[Reference], new: &[Reference]) -> Vec<Option<usize>> {
        let old: Vec<_> = old.iter().map(|reference| self.old_target(*reference)).collect();
        let new: Vec<_> = new.iter().map(|reference| self.target(*reference)).collect();
        align(&old, &new)
    }

    /// Whether a reference refers to what it referred to.
    pub(super) fn same_target(&self, old: Reference, new: Reference) -> bool {
        Some(self.old_target(old)) == self.target(new)
    }

    fn old_target(&self, reference: Reference) -> Target<'a> {
        match reference {
            Reference::Null => Target::Null,
            Reference::External(text) => Target::External(self.old.string(text)),
            Reference::Element(id) => Target::Element(id.index()),
        }
    }

    /// What a reference refers to, unless the source did not have it.
    fn target(&self, reference: Reference) -> Option<Target<'a>> {
        Some(match reference {
            Reference::Null => Target::Null,
            Reference::External(text) => Target::External(self.document.string(text)),
            Reference::Element(id) => {
                let origin = self.document.elements.get(id.index())?.origin? as usize;
                Target::Element(Some(origin).filter(|origin| self.now.get(*origin) == Some(&Some(id)))?)
            }
        })
    }

    fn may_mistake(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().any(|Attribute { name, value }| {
            matches!((value, self.document.string(*name)), (Value::String(_), b"name") | (Value::ObjectId(_), b"id"))
        })
    }

    /// Whether attributes have the names and types that they had.
    fn same_entries(&self, old: &[Attribute], new: &[Attribute]) -> bool {
        let kind = |value: &Value| (value.value_type(), value.array_len().is_some());
        old.len() == new.len()
            && old.iter().zip(new).all(|(old, new)| {
                self.old.string(old.name) == self.document.string(new.name) && kind(&old.value) == kind(&new.value)
            })
    }
}
