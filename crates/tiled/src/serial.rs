//! Documents as data: the parts of the text in their order, so that building gives the same bytes.
//!
//! XML is a list of texts, start tags and end tags. Values of attributes are decoded. The text of a tag is added only if it is not the usual
//! one. JSON is its text.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::document::{Document, Item, ItemKind, Syntax};
use crate::edit::Scalar;

/// A document.
#[derive(Serialize, Deserialize)]
#[serde(tag = "syntax", rename_all = "lowercase")]
enum Dump<'a> {
    Xml { parts: Vec<Part<'a>> },
    Json { text: Cow<'a, str> },
}

/// A part of XML.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Part<'a> {
    /// Everything between two tags, as the text contains it.
    Text(Cow<'a, str>),
    Start {
        start: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attributes: Vec<Attribute<'a>>,
        /// White space after the last attribute.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        space: Cow<'a, str>,
        /// `true` for an element without an end tag.
        #[serde(default, skip_serializing_if = "is_false")]
        empty: bool,
    },
    End {
        end: Cow<'a, str>,
        /// White space after the name.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        space: Cow<'a, str>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// An attribute: name, value, and the text if it is not the usual one.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Attribute<'a> {
    Usual([Cow<'a, str>; 2]),
    Unusual([Cow<'a, str>; 3]),
}

/// Returns the usual text of an attribute.
fn attribute_text(name: &str, value: &str) -> Option<String> {
    let value = Scalar::from(value).to_xml_word('"').ok()?;
    Some(format!(" {name}=\"{value}\""))
}

/// Makes the parts of a text.
struct Parts<'a> {
    document: &'a Document,
    parts: Vec<Part<'a>>,
    /// The end of the last part.
    at: usize,
}

impl<'a> Parts<'a> {
    fn slice(&self, start: usize, end: usize) -> Cow<'a, str> {
        Cow::Borrowed(self.document.as_str().get(start..end).unwrap_or_default())
    }

    /// Adds the text up to an offset.
    fn text(&mut self, end: usize) {
        let text = self.slice(self.at, end);
        if !text.is_empty() {
            self.parts.push(Part::Text(text));
        }
        self.at = end;
    }

    fn start(&mut self, item: Item<'a>) {
        self.text(item.range().start);
        let start = item.name();
        let mut at = self.at.saturating_add(1).saturating_add(start.len());
        let mut attributes = Vec::new();
        for attribute in item.items().take_while(|item| item.kind() == ItemKind::Attribute) {
            let end = attribute.range().end;
            let (name, value, text) = (attribute.name(), attribute.text(), self.slice(at, end));
            let is_usual = attribute_text(&name, &value).is_some_and(|usual| usual == text);
            attributes.push(match is_usual {
                true => Attribute::Usual([name, value]),
                false => Attribute::Unusual([name, value, text]),
            });
            at = end;
        }
        let empty = !item.has_end_tag();
        let end = item.value_range().start;
        let space = self.slice(at, end.saturating_sub(if empty { 2 } else { 1 }));
        self.parts.push(Part::Start { start, attributes, space, empty });
        self.at = end;
    }

    fn end(&mut self, item: Item<'a>) {
        if item.has_end_tag() {
            self.text(item.value_range().end);
            let (end, range) = (item.name(), item.range());
            let name_end = self.at.saturating_add(2).saturating_add(end.len());
            let space = self.slice(name_end, range.end.saturating_sub(1));
            self.parts.push(Part::End { end, space });
            self.at = range.end;
        }
    }
}

fn parts(document: &Document) -> Vec<Part<'_>> {
    let mut parts = Parts { document, parts: Vec::new(), at: 0 };
    let mut open: Vec<Item<'_>> = Vec::new();
    for item in document.items().filter(|item| item.kind() == ItemKind::Element) {
        // Close the elements that this one is not in.
        while let Some(closed) = open.pop_if(|around| around.range().end <= item.range().start) {
            parts.end(closed);
        }
        parts.start(item);
        open.push(item);
    }
    while let Some(closed) = open.pop() {
        parts.end(closed);
    }
    parts.text(document.as_str().len());
    parts.parts
}

impl Part<'_> {
    /// Appends the text of the part.
    fn write<E: de::Error>(&self, out: &mut String) -> Result<(), E> {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::Start { start, attributes, space, empty } => {
                out.push('<');
                out.push_str(start);
                for attribute in attributes {
                    let ([name, value], text) = match attribute {
                        Attribute::Usual(pair) => (pair, None),
                        Attribute::Unusual([name, value, text]) => (&[name.clone(), value.clone()], Some(text)),
                    };
                    match text {
                        // A value that was changed has the usual text.
                        Some(text) if has_value(text, name, value) => out.push_str(text),
                        _ => {
                            let text = attribute_text(name, value);
                            out.push_str(&text.ok_or_else(|| E::custom("XML cannot store a control character"))?);
                        }
                    }
                }
                out.push_str(space);
                out.push_str(if *empty { "/>" } else { ">" });
            }
            Self::End { end, space } => out.extend(["</", end, space, ">"]),
        }
        Ok(())
    }
}

/// Returns `true` if the text of an attribute has a name and value.
fn has_value(text: &str, name: &str, value: &str) -> bool {
    let element = Document::from_bytes(format!("<map{text}/>").as_bytes());
    element.is_ok_and(|document| document.root().get(name).is_some_and(|attribute| attribute.text() == value))
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.syntax() {
            Syntax::Xml => Dump::Xml { parts: parts(self) }.serialize(serializer),
            Syntax::Json => Dump::Json { text: Cow::Borrowed(self.as_str()) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match Dump::deserialize(deserializer)? {
            Dump::Json { text } => text.into_owned(),
            Dump::Xml { parts } => {
                let mut text = String::new();
                for part in parts {
                    part.write(&mut text)?;
                }
                text
            }
        };
        Self::from_vec(text.into_bytes()).map_err(de::Error::custom)
    }
}
