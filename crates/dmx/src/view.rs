//! Read access to elements and their strings.

use std::fmt;

use crate::{Attribute, Document, Element, ElementId, Guid, Reference, StringId, Value};

/// An element together with its document.
#[derive(Clone, Copy)]
pub struct ElementRef<'a> {
    document: &'a Document,
    element: &'a Element,
    id: ElementId,
}

impl Document {
    /// Returns the root; `None` for a document without elements, which cannot be read or written.
    pub fn root(&self) -> Option<ElementRef<'_>> {
        self.element(ElementId::ROOT)
    }

    /// Returns an element; `None` if the document does not have it.
    pub fn element(&self, id: ElementId) -> Option<ElementRef<'_>> {
        self.elements.get(id.index()).map(|element| ElementRef { document: self, element, id })
    }

    /// Iterates over all elements in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ElementRef<'_>> + ExactSizeIterator {
        self.elements.iter().enumerate().map(|(index, element)| {
            let id = ElementId::at(index);
            ElementRef { document: self, element, id }
        })
    }

    /// Returns the bytes of a string.
    pub fn string(&self, id: StringId) -> &[u8] {
        self.strings.get(id)
    }

    /// Returns the value of the first prefix attribute with a name in the first block.
    pub fn prefix_value(&self, name: impl AsRef<[u8]>) -> Option<&Value> {
        let block = self.prefix.first()?;
        find(self, block, name.as_ref()).and_then(|index| block.get(index)).map(|attribute| &attribute.value)
    }
}

/// Returns the index of the first attribute with a name.
pub(crate) fn find(document: &Document, attributes: &[Attribute], name: &[u8]) -> Option<usize> {
    attributes.iter().position(|attribute| document.string(attribute.name) == name)
}

/// Returns `true` if two values of two documents are equal: floats by bits, strings by text, elements by index.
pub fn same_value(one: (&Document, &Value), other: (&Document, &Value)) -> bool {
    let strings = |(a, b): (&StringId, &StringId)| one.0.string(*a) == other.0.string(*b);
    let references = |(a, b): (&Reference, &Reference)| match (a, b) {
        (Reference::External(a), Reference::External(b)) => strings((a, b)),
        _ => a == b,
    };
    match (one.1, other.1) {
        (Value::String(a), Value::String(b)) => strings((a, b)),
        (Value::StringArray(a), Value::StringArray(b)) => a.len() == b.len() && a.iter().zip(b).all(strings),
        (Value::Element(a), Value::Element(b)) => references((a, b)),
        (Value::ElementArray(a), Value::ElementArray(b)) => a.len() == b.len() && a.iter().zip(b).all(references),
        (a, b) => a == b,
    }
}

impl<'a> ElementRef<'a> {
    /// Returns the id of the element.
    pub fn id(self) -> ElementId {
        self.id
    }

    /// Returns the document.
    pub fn document(self) -> &'a Document {
        self.document
    }

    /// Returns the class.
    pub fn class(self) -> &'a [u8] {
        self.document.string(self.element.class)
    }

    pub(crate) fn class_id(self) -> StringId {
        self.element.class
    }

    pub(crate) fn name_id(self) -> StringId {
        self.element.name
    }

    /// Returns `true` if the element has a class.
    pub fn is(self, class: impl AsRef<[u8]>) -> bool {
        self.class() == class.as_ref()
    }

    /// Returns the name, which is mostly empty.
    pub fn name(self) -> &'a [u8] {
        self.document.string(self.element.name)
    }

    /// Returns the identity.
    pub fn guid(self) -> Option<Guid> {
        self.element.id
    }

    /// Iterates over names and values of the attributes in file order.
    pub fn attributes(self) -> impl DoubleEndedIterator<Item = (&'a [u8], &'a Value)> + ExactSizeIterator {
        self.element.attributes.iter().map(|attribute| (self.document.string(attribute.name), &attribute.value))
    }

    /// Returns the value of the first attribute with a name.
    pub fn get(self, name: impl AsRef<[u8]>) -> Option<&'a Value> {
        let index = find(self.document, &self.element.attributes, name.as_ref())?;
        self.element.attributes.get(index).map(|attribute| &attribute.value)
    }

    /// Returns the element that an attribute refers to; `None` if it is null or of another document.
    pub fn child(self, name: impl AsRef<[u8]>) -> Option<ElementRef<'a>> {
        match self.get(name)? {
            Value::Element(Reference::Element(id)) => self.document.element(*id),
            _ => None,
        }
    }

    /// Iterates over the elements that an array refers to, except null and external references.
    pub fn children(self, name: impl AsRef<[u8]>) -> impl DoubleEndedIterator<Item = ElementRef<'a>> {
        let array = self.get(name).filter(|value| value.array_len().is_some());
        array.into_iter().flat_map(Value::elements).filter_map(move |id| self.document.element(id))
    }

    /// Returns the text of a string attribute.
    pub fn text(self, name: impl AsRef<[u8]>) -> Option<&'a [u8]> {
        match self.get(name)? {
            Value::String(id) => Some(self.document.string(*id)),
            _ => None,
        }
    }

    /// Returns a boolean, or a number as one: the types of attributes differ between versions.
    pub fn flag(self, name: impl AsRef<[u8]>) -> Option<bool> {
        self.number(name).map(|number| number != 0.0)
    }

    /// Returns a number of the type int, float, bool or uint8.
    pub fn number(self, name: impl AsRef<[u8]>) -> Option<f64> {
        match *self.get(name)? {
            Value::Int(value) => Some(value.into()),
            Value::Float(value) => Some(value.into()),
            Value::Bool(value) | Value::UInt8(value) => Some(value.into()),
            _ => None,
        }
    }

    /// Returns an integer of the type int, bool or uint8.
    pub fn int(self, name: impl AsRef<[u8]>) -> Option<i32> {
        match *self.get(name)? {
            Value::Int(value) => Some(value),
            Value::Bool(value) | Value::UInt8(value) => Some(value.into()),
            _ => None,
        }
    }

    /// Returns three numbers: a vector or angles.
    pub fn vector3(self, name: impl AsRef<[u8]>) -> Option<[f32; 3]> {
        match *self.get(name)? {
            Value::Vector3(value) | Value::QAngle(value) => Some(value),
            _ => None,
        }
    }

    /// Returns a colour: red, green, blue and alpha.
    pub fn color(self, name: impl AsRef<[u8]>) -> Option<[u8; 4]> {
        match *self.get(name)? {
            Value::Color(value) => Some(value),
            _ => None,
        }
    }

    /// Iterates over the strings of an array.
    pub fn texts(self, name: impl AsRef<[u8]>) -> impl ExactSizeIterator<Item = &'a [u8]> {
        let ids: &[StringId] = match self.get(name) {
            Some(Value::StringArray(ids)) => ids,
            _ => &[],
        };
        ids.iter().map(move |id| self.document.string(*id))
    }
}

impl fmt::Debug for ElementRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (class, name) = (self.class().escape_ascii(), self.name().escape_ascii());
        write!(f, "element {} \"{class}\" \"{name}\"", self.id.0)
    }
}
