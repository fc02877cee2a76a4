//! Looking into a document: elements with their strings at hand.

use std::fmt;

use crate::{Attribute, Document, Element, ElementId, Guid, Reference, StringId, Value};

/// An element of a document, with the document at hand.
#[derive(Clone, Copy)]
pub struct ElementRef<'a> {
    document: &'a Document,
    element: &'a Element,
    id: ElementId,
}

impl Document {
    /// The root; `None` in a document without elements, which cannot be read or written.
    pub fn root(&self) -> Option<ElementRef<'_>> {
        self.element(ElementId::ROOT)
    }

    /// An element; `None` if the document does not have it.
    pub fn element(&self, id: ElementId) -> Option<ElementRef<'_>> {
        self.elements.get(id.index()).map(|element| ElementRef { document: self, element, id })
    }

    /// All elements in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ElementRef<'_>> + ExactSizeIterator {
        self.elements.iter().enumerate().map(|(index, element)| {
            let id = ElementId::at(index);
            ElementRef { document: self, element, id }
        })
    }

    /// The bytes of a string.
    pub fn string(&self, id: StringId) -> &[u8] {
        self.strings.get(id)
    }

    /// The first prefix attribute with a name, of the first block.
    pub fn prefix_value(&self, name: impl AsRef<[u8]>) -> Option<&Value> {
        let block = self.prefix.first()?;
        find(self, block, name.as_ref()).and_then(|index| block.get(index)).map(|attribute| &attribute.value)
    }
}

/// The place of the first attribute with a name.
pub(crate) fn find(document: &Document, attributes: &[Attribute], name: &[u8]) -> Option<usize> {
    attributes.iter().position(|attribute| document.string(attribute.name) == name)
}

/// Whether two values say the same: floats by their bits, strings by their text, elements by their place.
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
    /// Which element this is.
    pub fn id(self) -> ElementId {
        self.id
    }

    /// The document it is of.
    pub fn document(self) -> &'a Document {
        self.document
    }

    /// The class.
    pub fn class(self) -> &'a [u8] {
        self.document.string(self.element.class)
    }

    pub(crate) fn class_id(self) -> StringId {
        self.element.class
    }

    pub(crate) fn name_id(self) -> StringId {
        self.element.name
    }

    /// Whether the class is the given one.
    pub fn is(self, class: impl AsRef<[u8]>) -> bool {
        self.class() == class.as_ref()
    }

    /// The name, mostly empty.
    pub fn name(self) -> &'a [u8] {
        self.document.string(self.element.name)
    }

    /// The identity.
    pub fn guid(self) -> Option<Guid> {
        self.element.id
    }

    /// The attributes in file order.
    pub fn attributes(self) -> impl DoubleEndedIterator<Item = (&'a [u8], &'a Value)> + ExactSizeIterator {
        self.element.attributes.iter().map(|attribute| (self.document.string(attribute.name), &attribute.value))
    }

    /// The value of the first attribute with a name.
    pub fn get(self, name: impl AsRef<[u8]>) -> Option<&'a Value> {
        let index = find(self.document, &self.element.attributes, name.as_ref())?;
        self.element.attributes.get(index).map(|attribute| &attribute.value)
    }

    /// The element that an attribute refers to; `None` also if it is null or of another document.
    pub fn child(self, name: impl AsRef<[u8]>) -> Option<ElementRef<'a>> {
        match self.get(name)? {
            Value::Element(Reference::Element(id)) => self.document.element(*id),
            _ => None,
        }
    }

    /// The elements that an array refers to, but for null and external ones; nothing if there is no such array.
    pub fn children(self, name: impl AsRef<[u8]>) -> impl DoubleEndedIterator<Item = ElementRef<'a>> {
        let array = self.get(name).filter(|value| value.array_len().is_some());
        array.into_iter().flat_map(Value::elements).filter_map(move |id| self.document.element(id))
    }

    /// The text of a string attribute.
    pub fn text(self, name: impl AsRef<[u8]>) -> Option<&'a [u8]> {
        match self.get(name)? {
            Value::String(id) => Some(self.document.string(*id)),
            _ => None,
        }
    }

    /// A truth, also one that is spelled as a number: programs change the types of attributes from version to version.
    pub fn flag(self, name: impl AsRef<[u8]>) -> Option<bool> {
        self.number(name).map(|number| number != 0.0)
    }

    /// A number of whatever type: int, float, bool or uint8.
    pub fn number(self, name: impl AsRef<[u8]>) -> Option<f64> {
        match *self.get(name)? {
            Value::Int(value) => Some(value.into()),
            Value::Float(value) => Some(value.into()),
            Value::Bool(value) | Value::UInt8(value) => Some(value.into()),
            _ => None,
        }
    }

    /// A whole number: an int, a bool or a uint8.
    pub fn int(self, name: impl AsRef<[u8]>) -> Option<i32> {
        match *self.get(name)? {
            Value::Int(value) => Some(value),
            Value::Bool(value) | Value::UInt8(value) => Some(value.into()),
            _ => None,
        }
    }

    /// Three numbers: a vector or angles.
    pub fn vector3(self, name: impl AsRef<[u8]>) -> Option<[f32; 3]> {
        match *self.get(name)? {
            Value::Vector3(value) | Value::QAngle(value) => Some(value),
            _ => None,
        }
    }

    /// A colour: red, green, blue and alpha.
    pub fn color(self, name: impl AsRef<[u8]>) -> Option<[u8; 4]> {
        match *self.get(name)? {
            Value::Color(value) => Some(value),
            _ => None,
        }
    }

    /// The texts of an array of strings; nothing if there is no such array.
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
