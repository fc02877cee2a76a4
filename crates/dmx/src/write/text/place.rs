//! Which elements stand where they are referred to, and which side by side.

use hashbrown::HashMap;

use crate::{Document, ElementId, EncodingName, Guid, Reference, WriteErrorKind};

/// Where an element stands in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Beside the root.
    Top,
    /// Where something refers to it.
    Inline,
}

/// Where each element stands.
pub(super) struct Places {
    /// Whether an element stands in the one place that refers to it.
    inline: Vec<bool>,
    /// Whether anything refers to an element by its identity.
    referred: Vec<bool>,
    /// How many elements have an identity.
    owners: HashMap<Guid, u32>,
    /// The elements that stand side by side, in order.
    pub(super) top: Vec<ElementId>,
    /// The element that the first block of prefix attributes stands for.
    pub(super) copy: Option<ElementId>,
}

/// The identity by which text refers to an element. What has none gets one that depends on its place alone.
pub(super) fn identity(document: &Document, id: ElementId) -> Guid {
    let own = document.elements.get(id.index()).and_then(|element| element.id);
    own.unwrap_or_else(|| Guid::made_of(format!("element {}", id.0).as_bytes()))
}

impl Places {
    /// Places elements as Valve's programs do: what is referred to once stands there; the others follow the root in the order
    /// of their discovery; those that the root does not reach come last. `kept` says which have a place already, and `references`
    /// how often each is referred to.
    pub(super) fn of(
        document: &Document,
        kept: &[Option<Place>],
        copy: Option<ElementId>,
        mut references: Vec<u32>,
    ) -> Self {
        let (order, _) = document.discovery(&references);
        let count = document.elements.len();
        let flat = document.header.encoding.name == EncodingName::KeyValues2Flat;
        let place_of = |index: usize| kept.get(index).copied().flatten();
        let has_place = |index: usize| place_of(index).is_some() || copy == Some(ElementId::at(index));
        // The first block says what its copy says; what others refer to, they do by identity.
        let mut prefixed = vec![false; count];
        let blocks = document.prefix.iter().skip(usize::from(copy.is_some()));
        for id in blocks.flatten().flat_map(|attribute| attribute.value.elements()) {
            prefixed.get_mut(id.index()).into_iter().for_each(|prefixed| *prefixed = true);
            references.get_mut(id.index()).into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        let once = (0..count).map(|index| {
            let once = !flat && references.get(index) == Some(&1) && prefixed.get(index) == Some(&false);
            once && index != 0 && !has_place(index)
        });
        let once = once.collect();
        let reached = (0..count).map(has_place).collect();
        let mut walk = Walk { document, once, reached, inline: vec![false; count], top: vec![false; count] };
        (0..count).filter(|index| has_place(*index)).for_each(|index| walk.from(index));
        // First what is not referred to once; then what is left: rings of elements that are referred to once, by each other.
        for pass in 0..2 {
            for &index in &order {
                if (pass == 1 || walk.once.get(index) == Some(&false)) && walk.reached.get(index) == Some(&false) {
                    walk.from(index);
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
        // One reference is the place itself.
        let referred = references.into_iter().zip(&walk.inline).enumerate().map(|(index, (references, inline))| {
            references > u32::from(*inline || place_of(index) == Some(Place::Inline))
        });
        Self { referred: referred.collect(), inline: walk.inline, owners, top, copy }
    }

    /// Whether a reference by identity means what it shall mean.
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
                b"" => return Err(WriteErrorKind::Unsayable("an external reference without an identity")),
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

    /// Whether an element stands in the one place that refers to it.
    pub(super) fn is_inline(&self, id: ElementId) -> bool {
        self.inline.get(id.index()) == Some(&true)
    }

    /// Whether anything refers to an element by its identity.
    pub(super) fn is_referred(&self, id: ElementId) -> bool {
        self.referred.get(id.index()) == Some(&true)
    }
}

struct Walk<'a> {
    document: &'a Document,
    /// Which elements are referred to once and have no place yet.
    once: Vec<bool>,
    reached: Vec<bool>,
    inline: Vec<bool>,
    top: Vec<bool>,
}

/// So many elements stand in each other; what would stand deeper stands beside the root. Each line is indented by what it stands
/// in, so that text grows with the square of the depth, and readers have limits. Real files are less than 100 deep.
const DEPTH: usize = 1000;

impl Walk<'_> {
    /// Finds what stands in an element, directly or not.
    fn from(&mut self, index: usize) {
        let mut open = vec![(index, 1)];
        while let Some((index, depth)) = open.pop() {
            self.reached.get_mut(index).into_iter().for_each(|reached| *reached = true);
            let attributes = self.document.elements.get(index).map_or(&[][..], |element| &element.attributes);
            for child in attributes.iter().flat_map(|attribute| attribute.value.elements()) {
                let child = child.index();
                if self.once.get(child) == Some(&true) && self.reached.get(child) == Some(&false) {
                    let (place, depth) =
                        if depth < DEPTH { (&mut self.inline, depth.saturating_add(1)) } else { (&mut self.top, 1) };
                    place.get_mut(child).into_iter().for_each(|place| *place = true);
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
    fn the_copy_of_the_prefix_is_told_by_what_it_says() {
        let mut document = Document::new(Encoding::BINARY_9, "vmap", 40, "CMapRootElement", Guid([1; 16]));
        let copy = document.push("DmElement", "", Guid([2; 16]));
        let value = document.string_value("jpg");
        document.set_prefix("format", value.clone());
        document.set(copy, "format", value);
        document.lay_out(WriterProfile::Valve);
        // Read from a file the block and its copy have strings of their own.
        let read = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
        assert_ne!(read.prefix[0][0].name, read.elements[1].attributes[0].name);
        assert_eq!(read.exact_prefix_copy(&read.reference_counts()), Some(ElementId(1)));
        let mut text = read.clone();
        text.set_encoding(Encoding::KEYVALUES2_4);
        let text = String::from_utf8(text.to_bytes().unwrap()).unwrap();
        assert!(text.contains("\"$prefix_element$\"\n{\n\t\"id\"") && !text.contains("DmElement"), "{text}");
    }
}
