//! Which elements stand where they are referred to, and which side by side.

use hashbrown::HashMap;

use crate::layout::PREFIX_BLOCK;
use crate::{Document, ElementId, EncodingName, Guid, Reference, Value, WriteErrorKind};

/// Where each element stands.
pub(super) struct Places {
    /// Whether an element stands in the one place that refers to it.
    inline: Vec<bool>,
    /// Whether anything refers to an element by its identity.
    referred: Vec<bool>,
    /// The elements that stand side by side, in order.
    pub(super) top: Vec<ElementId>,
    /// The element that the first block of prefix attributes stands for.
    pub(super) copy: Option<ElementId>,
}

/// The element that the first block of prefix attributes can stand for: one that says the same. Another is an element like
/// any other.
pub(super) fn prefix_copy(document: &Document) -> Option<ElementId> {
    document.prefix_copy().filter(|copy| {
        let block = document.prefix.first();
        document.elements.get(copy.index()).is_some_and(|element| Some(&element.attributes) == block)
    })
}

/// The identity by which text refers to an element. What has none gets one that depends on its place alone.
pub(super) fn identity(document: &Document, id: ElementId) -> Guid {
    let own = document.elements.get(id.index()).and_then(|element| element.id);
    own.unwrap_or_else(|| Guid::made_of(format!("element {}", id.0).as_bytes()))
}

impl Places {
    /// Places elements as Valve's programs do: what is referred to once stands there; the others follow the root in the order
    /// of their discovery; those that the root does not reach come last. `kept` says which have a place already.
    pub(super) fn of(document: &Document, kept: &[bool]) -> Result<Self, WriteErrorKind> {
        let copy = prefix_copy(document);
        let count = document.elements.len();
        let flat = document.header.encoding.name == EncodingName::KeyValues2Flat;
        let has_place = |index: usize| kept.get(index) == Some(&true) || copy == Some(ElementId::at(index));
        let once = document.reference_counts().into_iter().enumerate();
        let once = once.map(|(index, count)| !flat && count == 1 && index != 0 && !has_place(index)).collect();
        let reached = (0..count).map(has_place).collect();
        let mut walk = Walk { document, once, reached, inline: vec![false; count] };
        (0..count).filter(|index| has_place(*index)).for_each(|index| walk.from(index));
        let (order, _) = document.discovery();
        let mut is_top = vec![false; count];
        // First what is not referred to once; then what is left: rings of elements that are referred to once, by each other.
        for pass in 0..2 {
            for &index in &order {
                if (pass == 1 || walk.once.get(index) == Some(&false)) && walk.reached.get(index) == Some(&false) {
                    walk.from(index);
                    is_top.get_mut(index).into_iter().for_each(|top| *top = true);
                }
            }
        }
        let top = order.into_iter().filter(|&index| is_top.get(index) == Some(&true)).map(ElementId::at).collect();
        let mut places = Self { inline: walk.inline, referred: vec![false; count], top, copy };
        places.refer(document)?;
        let class = |id: &ElementId| document.elements.get(id.index()).map(|element| document.string(element.class));
        if places.top.iter().any(|id| class(id) == Some(PREFIX_BLOCK)) {
            return Err(WriteErrorKind::Unsayable("an element with the class of prefix attributes"));
        }
        Ok(places)
    }

    /// Finds which elements are referred to by their identity, and whether each of these references can be told.
    fn refer(&mut self, document: &Document) -> Result<(), WriteErrorKind> {
        // The first block says what its copy says.
        let prefix = document.prefix.iter().skip(usize::from(self.copy.is_some())).flatten();
        for id in prefix.flat_map(|attribute| attribute.value.elements()) {
            self.referred.get_mut(id.index()).into_iter().for_each(|referred| *referred = true);
        }
        let mut external = Vec::new();
        for attribute in document.elements.iter().flat_map(|element| &element.attributes) {
            let references = match &attribute.value {
                Value::Element(reference) => std::slice::from_ref(reference),
                Value::ElementArray(references) => references,
                _ => &[],
            };
            for reference in references {
                match *reference {
                    Reference::Null => {}
                    Reference::External(text) => external.push(document.string(text)),
                    Reference::Element(id) => match self.referred.get_mut(id.index()) {
                        Some(referred) => *referred |= self.inline.get(id.index()) == Some(&false),
                        None => {
                            let count = document.elements.len();
                            return Err(WriteErrorKind::ElementIndex { index: id.0, count });
                        }
                    },
                }
            }
        }
        let mut owners: HashMap<Guid, u32> = HashMap::with_capacity(document.elements.len());
        for id in document.elements.iter().filter_map(|element| element.id) {
            let count = owners.entry(id).or_insert(0);
            *count = count.saturating_add(1);
        }
        for text in external {
            match Guid::from_text(text) {
                Ok(id) if owners.contains_key(&id) => return Err(WriteErrorKind::AmbiguousId(id)),
                Err(_) if text.is_empty() => {
                    return Err(WriteErrorKind::Unsayable("an external reference without an identity"));
                }
                _ => {}
            }
        }
        let referred = document.elements.iter().zip(&self.referred).filter(|(_, referred)| **referred);
        match referred.filter_map(|(element, _)| element.id).find(|id| owners.get(id).is_some_and(|&count| count > 1)) {
            Some(id) => Err(WriteErrorKind::AmbiguousId(id)),
            None => Ok(()),
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
}

impl Walk<'_> {
    /// Finds what stands in an element, directly or not.
    fn from(&mut self, index: usize) {
        let mut open = vec![index];
        while let Some(index) = open.pop() {
            self.reached.get_mut(index).into_iter().for_each(|reached| *reached = true);
            let attributes = self.document.elements.get(index).map_or(&[][..], |element| &element.attributes);
            for child in attributes.iter().flat_map(|attribute| attribute.value.elements()) {
                let child = child.index();
                if self.once.get(child) == Some(&true) && self.reached.get(child) == Some(&false) {
                    self.inline.get_mut(child).into_iter().for_each(|inline| *inline = true);
                    open.push(child);
                }
            }
        }
    }
}
