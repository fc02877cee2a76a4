//! XML elements, before they are interpreted.

use std::borrow::Cow;

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

use crate::{Error, ErrorKind, Position, error::malformed};

/// An element with its content. Its tag refers to the text, so that small elements need little memory.
#[derive(Debug)]
pub(super) struct Element<'a> {
    tag: BytesStart<'a>,
    pub children: Vec<Element<'a>>,
    /// The text between its tags, including that between child elements.
    pub text: String,
    /// The byte offset.
    pub offset: usize,
}

/// Maximum nesting depth of elements. The model limits groups.
const MAX_DEPTH: usize = 2 * super::super::model::MAX_DEPTH;
/// Maximum number of attributes of an element. Those of Tiled have at most a quarter of that.
const MAX_ATTRIBUTES: usize = 64;

/// Reads the root element of a text.
pub(super) fn read(text: &str, max_objects: u64) -> Result<Element<'_>, Error> {
    let mut reader = Reader::from_str(text);
    let mut objects = 0_u64;
    let mut open: Vec<Element<'_>> = Vec::new();
    loop {
        let offset = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let failed = |what: String| malformed("", what).at(position(text, offset));
        let event = reader.read_event().map_err(|error| {
            let offset = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            malformed("", error.to_string()).at(position(text, offset))
        })?;
        let is_open = matches!(event, Event::Start(_));
        let closed = match event {
            Event::Start(tag) | Event::Empty(tag) => {
                objects = objects.saturating_add(1);
                check(&tag, open.len(), objects, max_objects).map_err(|error| error.at(position(text, offset)))?;
                let element = Element { tag, children: Vec::new(), text: String::new(), offset };
                if is_open {
                    open.push(element);
                    continue;
                }
                element
            }
            Event::End(_) => open.pop().ok_or_else(|| failed("end tag without a start tag".into()))?,
            Event::Text(part) => {
                add(&mut open, &part.xml10_content());
                continue;
            }
            Event::CData(part) => {
                add(&mut open, &part.xml10_content());
                continue;
            }
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let value = match reference.resolve_char_ref() {
                    Ok(Some(c)) => Some(c.to_string()),
                    _ => quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned),
                };
                add(&mut open, &value.ok_or_else(|| failed(format!("the entity {name:?} is not known")))?);
                continue;
            }
            Event::Eof => return Err(failed("unexpected end: expected an element".into())),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
        };
        match open.last_mut() {
            Some(parent) => parent.children.push(closed),
            // Text after the root element is ignored.
            None => return Ok(closed),
        }
    }
}

/// Adds text to the innermost element.
fn add(open: &mut [Element<'_>], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

/// Rejects a tag that is nested too deep, exceeds the number of elements, or has invalid attributes.
fn check(tag: &BytesStart<'_>, depth: usize, objects: u64, max_objects: u64) -> Result<(), Error> {
    let limit = |what, limit| Error::on_path(ErrorKind::Limit { what, limit }, tag.name().as_ref());
    if depth >= MAX_DEPTH {
        return Err(limit("nested elements", MAX_DEPTH as u64));
    }
    if objects > max_objects {
        return Err(limit("objects", max_objects));
    }
    for (index, attribute) in tag.attributes().enumerate() {
        let failed = |error: quick_xml::Error| malformed(tag.name().as_ref(), error.to_string());
        attribute.map_err(|error| failed(error.into()))?.normalized_value(XmlVersion::Explicit1_0).map_err(failed)?;
        if index >= MAX_ATTRIBUTES {
            return Err(limit("attributes of an element", MAX_ATTRIBUTES as u64));
        }
    }
    Ok(())
}

impl Element<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        self.tag.name().as_ref() == name
    }

    pub(super) fn name(&self) -> String {
        self.tag.name().as_ref().to_owned()
    }

    /// Returns the value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let attribute = self.tag.try_get_attribute(name).ok()??;
        attribute.normalized_value(XmlVersion::Explicit1_0).ok().map(Cow::into_owned)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn has_child(&self, name: &str) -> bool {
        self.children.iter().any(|child| child.is(name))
    }

    /// Removes the child elements with a name, and returns them.
    pub(super) fn take(&mut self, name: &str) -> std::vec::IntoIter<Self> {
        let children = std::mem::take(&mut self.children).into_iter();
        let (taken, rest): (Vec<Self>, Vec<Self>) = children.partition(|child| child.is(name));
        self.children = rest;
        taken.into_iter()
    }
}

/// Returns the position of a byte.
pub(super) fn position(text: &str, offset: usize) -> Position {
    Position::in_text(text.as_bytes(), offset)
}
