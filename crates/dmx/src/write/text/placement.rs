//! Placement of elements: inline, where they are referred to, or at the top level.

use hashbrown::HashMap;

use crate::{Document, ElementId, EncodingName, Guid, Reference, WriteErrorKind};

/// The placement of an element in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// At the top level, like the root.
    Top,
    /// In the attribute or array that refers to it.
    Inline,
}

/// The placement of all elements.
pub(super) struct Placements {
    /// Elements that are written in the only place that refers to them.
    inline: Vec<bool>,
    /// Elements that something refers to by identity.
    referred: Vec<bool>,
    /// Number of elements with each identity.
    owners: HashMap<Guid, u32>,
    /// The elements at the top level, in order.
    pub(super) top: Vec<ElementId>,
    /// The element that the first block of prefix attributes represents.
    pub(super) copy: Option<ElementId>,
}

/// Returns the identity by which text refers to an element. Elements without one get an identity derived from their index.
pub(super) fn identity(document: &Document, id: ElementId) -> Guid {
    let own = document.elements.get(id.index()).and_then(|element| element.id);
    own.unwrap_or_else(|| Guid::from_hash(format!("element {}", id.0).as_bytes()))
}

impl Placements {
    /// Places elements as Valve's programs do. Elements with one reference are inline. The others follow the root in the order of their
    /// discovery; unreachable ones come last. `retained` contains the elements that already have a place, and `references` the number
    /// of references to each.
    pub(super) fn new(
        document: &Document,
        retained: &[Option<Placement>],
        copy: Option<ElementId>,
        mut references: Vec<u32>,
    ) -> Self {
        let (order, _) = document.discovery(&references);
        let count = document.elements.len();
        let flat = document.header.encoding.name == EncodingName::KeyValues2Flat;
        let place_of = |index: usize| retained.get(index).copied().flatten();
        let has_place = |index: usize| place_of(index).is_some() || copy == Some(ElementId::at(index));
        // The first block represents its copy. The others refer to elements by identity.
        let mut prefixed = vec![false; count];
        let blocks = document.prefix.iter().skip(usize::from(copy.is_some()));
        for id in blocks.flatten().flat_map(|attribute| attribute.value.elements()) {
            prefixed.get_mut(id.index()).into_iter().for_each(|prefixed| *prefixed = true);
            references.get_mut(id.index()).into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        let single = (0..count).map(|index| {
            let is_single = !flat && references.get(index) == Some(&1) && prefixed.get(index) == Some(&false);
            is_single && index != 0 && !has_place(index)
        });
        let single = single.collect();
        let reached = (0..count).map(has_place).collect();
        let mut walk = Walk { document, single, reached, inline: vec![false; count], top: vec![false; count] };
        (0..count).filter(|index| has_place(*index)).for_each(|index| walk.place_children(index));
        // First the elements without a single reference. What is left are cycles of elements with a single reference each.
        for pass in 0..2 {
            for &index in &order {
                if (pass == 1 || walk.single.get(index) == Some(&false)) && walk.reached.get(index) == Some(&false) {
                    walk.place_children(index);
                    walk.top.get_mut(index).into_iter().for_each(|top| *top = true);
                }
            }
        }
        let top = order.into_iter().filter(|&index| walk.top.get(index) == Some(&true)).map(ElementId::at).collect();
        let mut owners = HashMap::with_capacity(count);
        for id in document.elements.iter().filter_map(|element| element.id) {
            let count: &mut u32 = owners.entry(id).or_insert(0);
            *count = count.saturating_add(1);
        }
        // The reference of an inline element is its place.
        let referred = references.into_iter().zip(&walk.inline).enumerate().map(|(index, (references, inline))| {
            references > u32::from(*inline || place_of(index) == Some(Placement::Inline))
        });
        Self { referred: referred.collect(), inline: walk.inline, owners, top, copy }
    }

    /// Checks that a reference by identity is unambiguous.
    pub(super) fn check(&self, document: &Document, reference: Reference) -> Result<(), WriteErrorKind> {
        let (id, others) = match reference {
            Reference::Null => return Ok(()),
            Reference::Element(id) => match document.elements.get(id.index()) {
                Some(element) => (element.id, 1),
                None => {
                    let count = document.elements.len();
                    return Err(WriteErrorKind::ElementIndex { index: id.0, count });
                }
            },
            Reference::External(text) => match document.string(text) {
                b"" => return Err(WriteErrorKind::NotInText("an external reference without an identity")),
                text => (Guid::from_text(text).ok(), 0),
            },
        };
        match id {
            Some(id) if self.owners.get(&id).is_some_and(|&owners| owners > others) => {
                Err(WriteErrorKind::AmbiguousId(id))
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if an element is written in the only place that refers to it.
    pub(super) fn is_inline(&self, id: ElementId) -> bool {
        self.inline.get(id.index()) == Some(&true)
    }

    /// Returns `true` if something refers to an element by identity.
    pub(super) fn is_referred(&self, id: ElementId) -> bool {
        self.referred.get(id.index()) == Some(&true)
    }
}

struct Walk<'a> {
    document: &'a Document,
    /// Elements with a single reference that have no place yet.
    single: Vec<bool>,
    reached: Vec<bool>,
    inline: Vec<bool>,
    top: Vec<bool>,
}

/// Maximum depth of inline elements. Deeper ones are placed at the top level: indentation grows with the square of the depth, and
/// readers have limits. Real files are less than 100 deep.
const MAX_DEPTH: usize = 1000;

impl Walk<'_> {
    /// Places the inline elements of an element, directly and indirectly.
    fn place_children(&mut self, index: usize) {
        let mut open = vec![(index, 1)];
        while let Some((index, depth)) = open.pop() {
            self.reached.get_mut(index).into_iter().for_each(|reached| *reached = true);
            let attributes = self.document.elements.get(index).map_or(&[][..], |element| &element.attributes);
            for child in attributes.iter().flat_map(|attribute| attribute.value.elements()) {
                let child = child.index();
                if self.single.get(child) == Some(&true) && self.reached.get(child) == Some(&false) {
                    let (placed, depth) = if depth < MAX_DEPTH {
                        (&mut self.inline, depth.saturating_add(1))
                    } else {
                        (&mut self.top, 1)
                    };
                    placed.get_mut(child).into_iter().for_each(|placed| *placed = true);
                    open.push((child, depth));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoding, WriterProfile};

    #[test]
    fn the_copy_of_the_prefix_is_found_by_its_values() {
        let mut document = Document::new(Encoding::BINARY_9, "vmap", 40, "CMapRootElement", Guid([1; 16]));
        let copy = document.push("DmElement", "", Guid([2; 16]));
        let value = document.string_value("jpg");
        document.set_prefix("format", value.clone());
        document.set(copy, "format", value);
        document.lay_out(WriterProfile::Valve);
        // In a document that was read, the block and its copy have separate strings.
        let read = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
        assert_ne!(read.prefix[0][0].name, read.elements[1].attributes[0].name);
        assert_eq!(read.exact_prefix_copy(&read.reference_counts()), Some(ElementId(1)));
        let mut text = read.clone();
        text.set_encoding(Encoding::KEYVALUES2_4);
        let text = String::from_utf8(text.to_bytes().unwrap()).unwrap();
        assert!(text.contains("\"$prefix_element$\"\n{\n\t\"id\"") && !text.contains("DmElement"), "{text}");
    }
}
