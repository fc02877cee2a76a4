//! Converts data to a document.

use mapwright_io::serial::Json;
use mapwright_io::{Context, Frame};
use serde::{Deserialize, Deserializer, de};

use super::bytes::Bytes;
use super::json::to_value;
use super::source::change_source;
use super::{ElementData, GraphData, described_header, without_elements};
use crate::{Attribute, Document, Element, ReadError, ReadErrorKind, ReadOptions, Strings};

/// A document as it was read from data, before a document is built from it. Use it instead of [`Document`] to set the limits.
///
/// | part | JSON |
/// |---|---|
/// | document | `{"encoding":"binary 9","format":"vmap","format_version":40,"prefix":[[ATTRIBUTE,…],…],"strings":["…",…],"elements":[ELEMENT,…]}`; `"trailing":"hex"` for bytes after the end; `"source":"…"` for the file, if the other parts alone give other bytes |
/// | element | `{"class":"…","name":"…","id":"GUID","attributes":[ATTRIBUTE,…]}`; no `id` if a text gives none; `"link":n` if it is not −1 |
/// | attribute | `{"name":"…","type":"int","value":VALUE}`; arrays have the type `int_array` and an array of values |
/// | `element` | the index of the element, counted from 0; `null`; `{"external":"GUID"}` for an element of another file |
/// | `int`, `uint8` | number |
/// | `float` | number that reads back to the same float; `{"bits":"7fc00000"}` if no number does |
/// | `bool` | `true`, `false`; a number for bytes above 1 |
/// | `string` | string; `{"bytes":"hex"}` if it is not UTF-8 |
/// | `binary` | string of hexadecimal digits |
/// | `time` | number of units of 0.1 ms |
/// | `color` | `[red,green,blue,alpha]` |
/// | `vector2` … `quaternion`, `matrix` | array of numbers, as `float`; a matrix row by row |
/// | `elementid` | `"GUID"` |
/// | `uint64` | string, `"0x…"`: most programs read fewer digits of a number |
///
/// `strings` is the string table of a binary file, including unused strings.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct DocumentData(GraphData<'static, Vec<Vec<AttributeData>>, Vec<Bytes<'static>>, Vec<OwnedElement>>);

type OwnedElement = ElementData<'static, Vec<AttributeData>>;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct AttributeData {
    name: Bytes<'static>,
    #[serde(rename = "type")]
    kind: String,
    value: Json,
}

impl DocumentData {
    /// Replaces the file whose formatting unchanged parts keep.
    #[must_use]
    pub fn with_source(mut self, source: Vec<u8>) -> Self {
        self.0.source = Some(Bytes(source.into()));
        self
    }

    /// Builds the document. The `source`, if there is one, is read with the options.
    ///
    /// If the data was changed, the document changes as an edited one: with a `source`, unchanged parts keep their formatting. If
    /// elements were removed, everything is formatted again. The `source` has its own string table: `strings` is ignored.
    ///
    /// # Errors
    /// [`ReadErrorKind::Data`] with the path of the faulty value, or an error of reading the `source`.
    pub fn into_document(self, options: &ReadOptions) -> Result<Document, ReadError> {
        let GraphData { encoding, format, format_version, prefix, strings, elements, trailing, source } = self.0;
        let header = described_header(encoding, format.0.into_owned(), format_version);
        let mut document = without_elements(header, Strings::from_table(strings.iter().map(|string| &string.0)));
        for (index, block) in prefix.into_iter().enumerate() {
            document.prefix.push(build_attributes(&mut document.strings, &block).in_item("prefix", index)?);
        }
        for (index, element) in elements.into_iter().enumerate() {
            document.elements.push(build_element(&mut document.strings, &element).in_item("elements", index)?);
        }
        document.trailing = trailing.map(|bytes| bytes.0.into_owned()).unwrap_or_default();
        match source {
            Some(source) => {
                Ok(change_source(Document::from_vec_with(source.0.into_owned(), options).in_field("source")?, document))
            }
            None => Ok(document),
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        DocumentData::deserialize(deserializer)?.into_document(&ReadOptions::default()).map_err(de::Error::custom)
    }
}

fn build_element(strings: &mut Strings, data: &OwnedElement) -> Result<Element, ReadError> {
    let mut element = Element::new(strings.intern(&data.class.0), strings.intern(&data.name.0), data.id);
    element.link = data.link.unwrap_or(-1);
    element.attributes = build_attributes(strings, &data.attributes).in_field("attributes")?;
    Ok(element)
}

fn build_attributes(strings: &mut Strings, list: &[AttributeData]) -> Result<Vec<Attribute>, ReadError> {
    let build =
        |(index, attribute)| build_attribute(strings, attribute).map_err(|error| error.wrap(Frame::Index(index)));
    list.iter().enumerate().map(build).collect()
}

fn build_attribute(strings: &mut Strings, data: &AttributeData) -> Result<Attribute, ReadError> {
    let name = strings.intern(&data.name.0);
    match to_value(&data.value, &data.kind, strings) {
        Some(value) => Ok(Attribute { name, value }),
        None => {
            let message = format!("invalid value: expected a value of type {:?}", data.kind);
            Err(ReadError::without_position(ReadErrorKind::Data(message))).in_field("value")
        }
    }
}
