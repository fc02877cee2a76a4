//! Changes of a document.

use crate::view::find;
use crate::{Attribute, Document, Element, ElementId, Guid, StringId, Value};

impl Document {
    /// Finds a string or adds it. Names and values consist of such ids.
    pub fn intern(&mut self, string: impl AsRef<[u8]>) -> StringId {
        self.strings.intern(string.as_ref())
    }

    /// Creates a string value.
    pub fn string_value(&mut self, string: impl AsRef<[u8]>) -> Value {
        Value::String(self.intern(string))
    }

    /// Creates an array of strings.
    pub fn string_array<S: AsRef<[u8]>>(&mut self, strings: impl IntoIterator<Item = S>) -> Value {
        Value::StringArray(strings.into_iter().map(|string| self.intern(string)).collect())
    }

    /// Adds an element that nothing refers to yet.
    pub fn push(&mut self, class: impl AsRef<[u8]>, name: impl AsRef<[u8]>, guid: Guid) -> ElementId {
        let (class, name) = (self.intern(class), self.intern(name));
        self.elements.push(Element::new(class, name, Some(guid)));
        ElementId::at(self.elements.len().saturating_sub(1))
    }

    /// Sets the value of the first attribute with a name, or adds the attribute at the end. Does nothing if the document does not have
    /// the element.
    pub fn set(&mut self, element: ElementId, name: impl AsRef<[u8]>, value: Value) {
        match self.value_mut(element, name.as_ref()) {
            Some(old) => *old = value,
            None => {
                let name = self.intern(name);
                if let Some(element) = self.elements.get_mut(element.index()) {
                    element.attributes.push(Attribute { name, value });
                }
            }
        }
    }

    /// Returns the value of the first attribute with a name.
    pub fn value_mut(&mut self, element: ElementId, name: impl AsRef<[u8]>) -> Option<&mut Value> {
        let index = find(self, &self.elements.get(element.index())?.attributes, name.as_ref())?;
        let attribute = self.elements.get_mut(element.index())?.attributes.get_mut(index)?;
        Some(&mut attribute.value)
    }

    /// Removes the first attribute with a name and returns its value.
    pub fn unset(&mut self, element: ElementId, name: impl AsRef<[u8]>) -> Option<Value> {
        let index = find(self, &self.elements.get(element.index())?.attributes, name.as_ref())?;
        Some(self.elements.get_mut(element.index())?.attributes.remove(index).value)
    }

    /// Sets or adds a prefix attribute, in the first block and in its copy.
    pub fn set_prefix(&mut self, name: impl AsRef<[u8]>, value: Value) {
        if let Some(copy) = self.prefix_copy() {
            self.set(copy, name.as_ref(), value.clone());
        }
        if self.prefix.is_empty() {
            self.prefix.push(Vec::new());
        }
        let index = self.prefix.first().and_then(|block| find(self, block, name.as_ref()));
        let name = self.intern(name);
        let Some(block) = self.prefix.first_mut() else { return };
        match index.and_then(|index| block.get_mut(index)) {
            Some(attribute) => attribute.value = value,
            None => block.push(Attribute { name, value }),
        }
    }

    /// Removes the first prefix attribute with a name from the first block and from its copy, and returns its value.
    pub fn unset_prefix(&mut self, name: impl AsRef<[u8]>) -> Option<Value> {
        if let Some(copy) = self.prefix_copy() {
            self.unset(copy, name.as_ref());
        }
        let index = find(self, self.prefix.first()?, name.as_ref())?;
        Some(self.prefix.first_mut()?.remove(index).value)
    }

    /// Removes elements, except the root. References to them become null. The ids of later elements change: the result contains the new
    /// id of each old one.
    pub fn remove(&mut self, unwanted: impl Fn(ElementId) -> bool) -> Vec<Option<ElementId>> {
        let keep = |index: &usize| *index == ElementId::ROOT.index() || !unwanted(ElementId::at(*index));
        let order: Vec<usize> = (0..self.elements.len()).filter(keep).collect();
        let mut places = vec![None; self.elements.len()];
        for (new, &old) in order.iter().enumerate() {
            if let Some(place) = places.get_mut(old) {
                *place = Some(ElementId::at(new));
            }
        }
        self.reorder(&order);
        places
    }
}
