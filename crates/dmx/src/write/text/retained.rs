//! Elements that keep their block in the source.

use super::list::align;
use super::placement::Placement;
use crate::read::text::{Block, Cst, Entry, Owner};
use crate::{Attribute, Document, ElementId, Reference, Value};

/// The elements of a source text, with their current ids.
pub(super) struct RetainedElements<'a> {
    document: &'a Document,
    old: &'a Document,
    /// The present id of each element of the source.
    pub(super) now: Vec<Option<ElementId>>,
    /// For each element of the source, `true` if it keeps its block.
    pub(super) has_block: Vec<bool>,
    /// The element that the first block of prefix attributes represents.
    pub(super) copy: Option<ElementId>,
}

/// The target of a reference, as an element of the source.
#[derive(PartialEq, Eq, Hash)]
enum Target<'a> {
    Null,
    External(&'a [u8]),
    Element(usize),
}

impl<'a> RetainedElements<'a> {
    /// Finds the elements that keep their blocks. Returns `None` if the root does not.
    pub(super) fn find(document: &'a Document, references: &[u32], old: &'a Document, cst: &Cst) -> Option<Self> {
        let mut now = vec![None; old.elements.len()];
        for (index, element) in document.elements.iter().enumerate() {
            // If an element was copied, the first copy is the element.
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
        let mut retained = Self { document, old, now, has_block: vec![false; blocks], copy };
        let root = cst.top.iter().find_map(|(owner, _)| match owner {
            Owner::Element(index) => Some(*index),
            Owner::Prefix(_) => None,
        });
        if retained.now.get(root?) != Some(&Some(ElementId::ROOT)) {
            return None;
        }
        for (owner, _) in &cst.top {
            if let Owner::Element(index) = *owner {
                let stays = retained.now.get(index).copied().flatten().is_some();
                retained.has_block.get_mut(index).into_iter().for_each(|has_block| *has_block = stays);
            }
        }
        for (index, block) in cst.prefix.iter().enumerate() {
            if let (Some(old), Some(new)) = (old.prefix.get(index), document.prefix.get(index)) {
                retained.retain_children(block, old, new);
            }
        }
        // Outer elements precede inner ones: an inner one is retained only if its outer one is.
        for (index, block) in cst.elements.iter().enumerate() {
            let Some((before, element)) = retained.pair(index) else { continue };
            if retained.has_ambiguous_entry(&element.attributes)
                && !retained.same_entries(&before.attributes, &element.attributes)
            {
                // The positions of identity and name matter then.
                if index == root? {
                    return None;
                }
                retained.has_block.get_mut(index).into_iter().for_each(|has_block| *has_block = false);
                continue;
            }
            retained.retain_children(block, &before.attributes, &element.attributes);
        }
        Some(retained)
    }

    /// Returns an element that keeps its block, in the source and now.
    pub(super) fn pair(&self, index: usize) -> Option<(&'a crate::Element, &'a crate::Element)> {
        let now = self.now.get(index).copied().flatten().filter(|_| self.has_block.get(index) == Some(&true))?;
        Some((self.old.elements.get(index)?, self.document.elements.get(now.index())?))
    }

    /// Returns the placements of the elements that keep their blocks.
    pub(super) fn placements(&self, cst: &Cst) -> Vec<Option<Placement>> {
        let mut placed = vec![None; self.document.elements.len()];
        for (now, _) in self.now.iter().zip(&self.has_block).filter(|(_, has_block)| **has_block) {
            now.and_then(|now| placed.get_mut(now.index()))
                .into_iter()
                .for_each(|place| *place = Some(Placement::Inline));
        }
        for (owner, _) in &cst.top {
            if let Owner::Element(index) = *owner
                && self.has_block.get(index) == Some(&true)
                && let Some(Some(now)) = self.now.get(index)
            {
                placed.get_mut(now.index()).into_iter().for_each(|place| *place = Some(Placement::Top));
            }
        }
        placed
    }

    /// Retains the elements in a block that are still referred to from the same place.
    fn retain_children(&mut self, block: &Block, old: &[Attribute], new: &[Attribute]) {
        let entries = block.entries.iter().filter(|entry| entry.entry == Entry::Attribute);
        let mut entries: Vec<_> = entries.zip(old).map(Some).collect();
        for (new, place) in new.iter().zip(self.align_attributes(old, new)) {
            let Some((entry, old)) = place.and_then(|place| entries.get_mut(place)?.take()) else { continue };
            match (&old.value, &new.value) {
                (Value::Element(Reference::Element(child)), Value::Element(Reference::Element(new)))
                    if entry.inline =>
                {
                    let stays = self.now.get(child.index()) == Some(&Some(*new));
                    self.has_block.get_mut(child.index()).into_iter().for_each(|has_block| *has_block = stays);
                }
                (Value::ElementArray(old), Value::ElementArray(new)) => {
                    for place in self.align_references(old, new).into_iter().flatten() {
                        if let (Some((_, true)), Some(Reference::Element(child))) =
                            (entry.items.get(place), old.get(place))
                        {
                            self.has_block.get_mut(child.index()).into_iter().for_each(|has_block| *has_block = true);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Matches attributes with those of the source.
    pub(super) fn align_attributes(&self, old: &[Attribute], new: &[Attribute]) -> Vec<Option<usize>> {
        let old: Vec<_> = old.iter().map(|attribute| self.old.string(attribute.name)).collect();
        let new: Vec<_> = new.iter().map(|attribute| Some(self.document.string(attribute.name))).collect();
        align(&old, &new)
    }

    /// Matches references with those of the source.
    pub(super) fn align_references(&self, old: &[Reference], new: &[Reference]) -> Vec<Option<usize>> {
        let old: Vec<_> = old.iter().map(|reference| self.old_target(*reference)).collect();
        let new: Vec<_> = new.iter().map(|reference| self.target(*reference)).collect();
        align(&old, &new)
    }

    /// Returns `true` if a reference has the same target as in the source.
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

    /// Returns the target of a reference, or `None` if the source does not have it.
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

    fn has_ambiguous_entry(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().any(|Attribute { name, value }| {
            matches!((value, self.document.string(*name)), (Value::String(_), b"name") | (Value::ObjectId(_), b"id"))
        })
    }

    /// Returns `true` if the names and types of attributes are unchanged.
    fn same_entries(&self, old: &[Attribute], new: &[Attribute]) -> bool {
        let kind = |value: &Value| (value.value_type(), value.array_len().is_some());
        old.len() == new.len()
            && old.iter().zip(new).all(|(old, new)| {
                self.old.string(old.name) == self.document.string(new.name) && kind(&old.value) == kind(&new.value)
            })
    }
}
