//! XML as elements, before it means anything.

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

use crate::{Error, ErrorKind, Position};

/// An element with all that is in it.
#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    /// The text between its tags, with that between the elements in it.
    pub text: String,
    /// The byte at which it begins.
    pub offset: usize,
}

/// Elements may nest so deep. Groups are limited by the model.
const MAX_DEPTH: usize = 2 * super::super::model::MAX_DEPTH;

/// Reads the one element of a text.
pub(super) fn read(text: &str, max_objects: u64) -> Result<Element, Error> {
    let mut reader = Reader::from_str(text);
    let mut objects = 0_u64;
    let mut open: Vec<Element> = Vec::new();
    loop {
        let offset = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let failed = |what: String| Error::malformed("", what).at(position(text, offset));
        let event = reader.read_event().map_err(|error| {
            let offset = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            Error::malformed("", error.to_string()).at(position(text, offset))
        })?;
        let closed = match event {
            Event::Start(start) | Event::Empty(start) if open.len() >= MAX_DEPTH => {
                let limit = ErrorKind::Limit { what: "elements in each other", limit: MAX_DEPTH as u64 };
                let path = start.name().as_ref().to_owned();
                return Err(Error::new(limit, path).at(position(text, offset)));
            }
            Event::Start(start) => {
                open.push(
                    element(&start, offset, &mut objects, max_objects)
                        .map_err(|error| error.at(position(text, offset)))?,
                );
                continue;
            }
            Event::Empty(start) => {
                element(&start, offset, &mut objects, max_objects).map_err(|error| error.at(position(text, offset)))?
            }
            Event::End(_) => open.pop().ok_or_else(|| failed("an end without a beginning".into()))?,
            Event::Text(part) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&part.xml10_content());
                }
                continue;
            }
            Event::CData(part) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&part.xml10_content());
                }
                continue;
            }
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let value = match reference.resolve_char_ref() {
                    Ok(Some(c)) => Some(c.to_string()),
                    _ => quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned),
                };
                let value = value.ok_or_else(|| failed(format!("the entity {name:?} is not known")))?;
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&value);
                }
                continue;
            }
            Event::Eof => return Err(failed("the text ends within an element, or has none".into())),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
        };
        match open.last_mut() {
            Some(parent) => parent.children.push(closed),
            // What follows the element is not looked at.
            None => return Ok(closed),
        }
    }
}

fn element(start: &BytesStart<'_>, offset: usize, objects: &mut u64, limit: u64) -> Result<Element, Error> {
    let name = start.name().as_ref().to_owned();
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| Error::malformed(name.as_str(), error.to_string()))?;
        let value = attribute.normalized_value(XmlVersion::Explicit1_0);
        let value = value.map_err(|error| Error::malformed(name.as_str(), error.to_string()))?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    *objects = objects.saturating_add(1).saturating_add(attributes.len() as u64);
    if *objects > limit {
        return Err(Error::new(ErrorKind::Limit { what: "objects", limit }, name));
    }
    Ok(Element { name, attributes, children: Vec::new(), text: String::new(), offset })
}

/// The line and column of a byte.
pub(super) fn position(text: &str, offset: usize) -> Position {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let line = before.iter().filter(|&&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    Position::Line { line: line as u64 + 1, column: column as u64 + 1 }
}
