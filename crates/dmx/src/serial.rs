//! Stores documents through serde.
//! [`DocumentData`] documents the fields.

mod attribute;
mod bytes;
mod data;
mod json;
mod source;

use mapwright_io::serial::Hex;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Document, Element, Encoding, EncodingName, Guid, Header, HeaderStyle, Strings};
use attribute::Attributes;
use bytes::Bytes;

pub use data::DocumentData;

/// A document as data. The types of its lists differ between writing and reading.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GraphData<'a, P, S, E> {
    encoding: Encoding,
    format: Bytes<'a>,
    format_version: u32,
    prefix: P,
    strings: S,
    elements: E,
    #[serde(skip_serializing_if = "Option::is_none")]
    trailing: Option<Hex<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Bytes<'a>>,
}

/// An element as data.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ElementData<'a, A> {
    class: Bytes<'a>,
    name: Bytes<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Guid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<i32>,
    attributes: A,
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = self.strings.table();
        GraphData {
            encoding: self.header.encoding,
            format: Bytes::from(self.header.format.as_slice()),
            format_version: self.header.format_version,
            prefix: self.prefix.iter().map(|block| Attributes::new(self, block)).collect::<Vec<_>>(),
            strings: table.map(|(_, string)| Bytes::from(string)).collect::<Vec<_>>(),
            elements: Elements(self),
            trailing: (!self.trailing.is_empty()).then(|| Hex(self.trailing.as_slice().into())),
            source: source::necessary_source(self).map(|source| Bytes(source.into())),
        }
        .serialize(serializer)
    }
}

/// Elements that are turned into data one by one.
struct Elements<'a>(&'a Document);

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(document) = *self;
        serializer.collect_seq(document.elements.iter().map(|element: &Element| ElementData {
            class: Bytes::from(document.string(element.class)),
            name: Bytes::from(document.string(element.name)),
            id: element.id,
            link: (element.link != -1).then_some(element.link),
            attributes: Attributes::new(document, &element.attributes),
        }))
    }
}

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Encoding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parse = |(name, version): (&str, &str)| {
            Some(Self { name: EncodingName::from_name(name.as_bytes())?, version: version.parse().ok()? })
        };
        text.split_once(' ').and_then(parse).ok_or_else(|| {
            de::Error::invalid_value(de::Unexpected::Str(&text), &"an encoding and its version, as \"binary 9\"")
        })
    }
}

impl Serialize for Guid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Guid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A document with a header and a string table alone.
fn without_elements(header: Header, strings: Strings) -> Document {
    Document { header, prefix: Vec::new(), strings, elements: Vec::new(), trailing: Vec::new(), source: None }
}

/// The header that data describes: the formatting of the line is not part of it.
fn described_header(encoding: Encoding, format: Vec<u8>, format_version: u32) -> Header {
    let mut header = Header::new(encoding, "", format_version);
    header.format = format;
    if encoding.version == 0 {
        header.style = HeaderStyle::Legacy;
    }
    header
}
