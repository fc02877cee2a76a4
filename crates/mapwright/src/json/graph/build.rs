//! Element graphs of JSON.

use std::io::{self, Write};

use mapwright_dmx::{
    Attribute, Document, Element, ElementId, Encoding, EncodingName, Guid, Header, HeaderStyle, Reference, StringId,
    Strings, Value,
};
use serde_json::Value as Json;

use super::bytes;
use crate::json::{BytesJson, Spelling, refused, unhex};
use crate::{Error, ReadOptions};

/// A graph as JSON says it.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphJson {
    encoding: String,
    format: BytesJson,
    format_version: u32,
    prefix: Vec<Vec<AttributeJson>>,
    strings: Vec<BytesJson>,
    elements: Vec<ElementJson>,
    trailing: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ElementJson {
    class: BytesJson,
    name: BytesJson,
    id: Option<String>,
    link: Option<i32>,
    attributes: Vec<AttributeJson>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct AttributeJson {
    name: BytesJson,
    #[serde(rename = "type")]
    kind: String,
    value: Json,
}

/// Writes the spelling of a graph as a further field of a JSON object, where the graph alone would be spelled otherwise.
pub(crate) fn write_spelling(out: &mut dyn Write, graph: &Document) -> io::Result<()> {
    let Ok(written) = graph.to_bytes() else { return Ok(()) };
    if said(graph).to_bytes().is_ok_and(|said| said == written) {
        return Ok(());
    }
    out.write_all(b",\"spelling\":{\"source\":")?;
    bytes(out, &written)?;
    out.write_all(b"}")
}

/// What JSON says of a graph: everything but its spelling.
fn said(graph: &Document) -> Document {
    let table = graph.strings.iter().take(graph.strings.table_len()).map(|(_, string)| string);
    let mut made = empty(header(&graph.header), Strings::from_table(table));
    made.trailing.clone_from(&graph.trailing);
    let mut names = Names { from: graph, to: &mut made.strings };
    made.prefix = graph.prefix.iter().map(|block| names.attributes(block)).collect();
    made.elements = graph.elements.iter().map(|element| names.element(element)).collect();
    made
}

/// A header as JSON says it.
fn header(header: &Header) -> Header {
    let mut made = Header::new(header.encoding, "", header.format_version);
    made.format.clone_from(&header.format);
    if header.encoding.version == 0 {
        made.style = HeaderStyle::Legacy;
    }
    made
}

fn empty(header: Header, strings: Strings) -> Document {
    let mut made = Document::new(header.encoding, "", 0, "", Guid::NIL);
    made.elements.clear();
    (made.header, made.strings) = (header, strings);
    made
}

/// Puts the strings of one document into another.
struct Names<'a> {
    from: &'a Document,
    to: &'a mut Strings,
}

impl Names<'_> {
    fn name(&mut self, id: StringId) -> StringId {
        self.to.intern(self.from.string(id))
    }

    fn reference(&mut self, reference: Reference) -> Reference {
        match reference {
            Reference::External(id) => Reference::External(self.name(id)),
            other => other,
        }
    }

    fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(id) => Value::String(self.name(*id)),
            Value::StringArray(ids) => Value::StringArray(ids.iter().map(|id| self.name(*id)).collect()),
            Value::Element(one) => Value::Element(self.reference(*one)),
            Value::ElementArray(all) => Value::ElementArray(all.iter().map(|one| self.reference(*one)).collect()),
            other => other.clone(),
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Vec<Attribute> {
        let attribute =
            |Attribute { name, value }: &Attribute| Attribute { name: self.name(*name), value: self.value(value) };
        attributes.iter().map(attribute).collect()
    }

    fn element(&mut self, element: &Element) -> Element {
        let mut made = Element::new(self.name(element.class), self.name(element.name), element.id);
        made.link = element.link;
        made.attributes = self.attributes(&element.attributes);
        made
    }
}

/// Makes a graph of what JSON says of it.
pub(crate) fn graph(json: GraphJson, spelling: Spelling, options: &ReadOptions) -> Result<Document, Error> {
    let strange = |message: String| refused(format!("graph: {message}"));
    let made = made(json).map_err(strange)?;
    if spelling.profile.is_some() || spelling.packing.is_some() {
        return Err(refused("spelling: of a graph it has a source alone".to_owned()));
    }
    let Some(source) = spelling.source else { return Ok(made) };
    let source = source.get().ok_or_else(|| strange("spelling.source: no bytes".to_owned()))?;
    let mut source = Document::from_vec_with(source, &options.dmx())?;
    let before = said(&source);
    if before.elements.len() > made.elements.len() {
        // What is gone leaves no place in the old spelling.
        return Ok(made);
    }
    // What changed is put into the document that was dumped, so that the rest of it stays as it is spelled.
    let mut strings = std::mem::take(&mut source.strings);
    let mut names = Names { from: &made, to: &mut strings };
    let same = |one: &[Attribute], other: &[Attribute]| {
        let (one, other) = (alone(&before, one), alone(&made, other));
        one == other
    };
    for (index, element) in made.elements.iter().enumerate() {
        match (source.elements.get_mut(index), before.elements.get(index)) {
            (Some(place), Some(old)) => {
                let heads = |document: &Document, element: &Element| {
                    (
                        document.string(element.class).to_vec(),
                        document.string(element.name).to_vec(),
                        element.id,
                        element.link,
                    )
                };
                if heads(&before, old) != heads(&made, element) {
                    (place.class, place.name) = (names.name(element.class), names.name(element.name));
                    (place.id, place.link) = (element.id, element.link);
                }
                if !same(&old.attributes, &element.attributes) {
                    place.attributes = names.attributes(&element.attributes);
                }
            }
            _ => source.elements.push(names.element(element)),
        }
    }
    let blocks = before.prefix.len() == made.prefix.len();
    if !blocks || before.prefix.iter().zip(&made.prefix).any(|(old, new)| !same(old, new)) {
        source.prefix = made.prefix.iter().map(|block| names.attributes(block)).collect();
    }
    source.strings = strings;
    if header(&source.header) != made.header {
        source.header = made.header.clone();
    }
    source.trailing.clone_from(&made.trailing);
    Ok(source)
}

/// Attributes with strings of their own, to be compared with those of another document.
fn alone(document: &Document, attributes: &[Attribute]) -> (Vec<Attribute>, Strings) {
    let mut strings = Strings::default();
    let attributes = Names { from: document, to: &mut strings }.attributes(attributes);
    (attributes, strings)
}

fn made(json: GraphJson) -> Result<Document, String> {
    let strange = |what: &str| format!("{what}: not as `dump` writes it");
    let encoding = encoding(&json.encoding).ok_or_else(|| strange("encoding"))?;
    let mut head = Header::new(encoding, "", json.format_version);
    head.format = json.format.get().ok_or_else(|| strange("format"))?;
    let head = header(&head);
    let table: Option<Vec<_>> = json.strings.into_iter().map(BytesJson::get).collect();
    let mut made = empty(head, Strings::from_table(table.ok_or_else(|| strange("strings"))?));
    for (index, block) in json.prefix.into_iter().enumerate() {
        let block = attributes(&mut made.strings, block).map_err(|at| strange(&format!("prefix[{index}]{at}")))?;
        made.prefix.push(block);
    }
    for (index, element) in json.elements.into_iter().enumerate() {
        let strange = |at: &str| strange(&format!("elements[{index}]{at}"));
        let (Some(class), Some(name)) = (element.class.get(), element.name.get()) else { return Err(strange("")) };
        let (class, name) = (made.strings.intern(&class), made.strings.intern(&name));
        let id = element.id.map(|id| Guid::from_text(id.as_bytes())).transpose().map_err(|_| strange(".id"))?;
        let mut new = Element::new(class, name, id);
        new.link = element.link.unwrap_or(-1);
        new.attributes = attributes(&mut made.strings, element.attributes).map_err(|at| strange(&at))?;
        made.elements.push(new);
    }
    if let Some(trailing) = json.trailing {
        made.trailing = unhex(&trailing).ok_or_else(|| strange("trailing"))?;
    }
    Ok(made)
}

fn encoding(text: &str) -> Option<Encoding> {
    let (name, version) = text.split_once(' ')?;
    Some(Encoding { name: EncodingName::from_name(name.as_bytes())?, version: version.parse().ok()? })
}

/// The attributes, or the path of what is none.
fn attributes(strings: &mut Strings, attributes: Vec<AttributeJson>) -> Result<Vec<Attribute>, String> {
    let mut made = Vec::with_capacity(attributes.len());
    for (index, attribute) in attributes.into_iter().enumerate() {
        let name = attribute.name.get().ok_or_else(|| format!(".attributes[{index}].name"))?;
        let name = strings.intern(&name);
        let value = value(strings, &attribute.kind, &attribute.value);
        made.push(Attribute { name, value: value.ok_or_else(|| format!(".attributes[{index}]"))? });
    }
    Ok(made)
}

fn value(strings: &mut Strings, kind: &str, json: &Json) -> Option<Value> {
    macro_rules! typed {
        ($one:ident $array:ident $read:expr) => {
            match kind.strip_suffix("_array") {
                Some(_) => Value::$array(json.as_array()?.iter().map($read).collect::<Option<_>>()?),
                None => Value::$one($read(json)?),
            }
        };
    }
    Some(match kind.strip_suffix("_array").unwrap_or(kind) {
        "element" => typed!(Element ElementArray |json: &Json| reference(strings, json)),
        "int" => typed!(Int IntArray int),
        "float" => typed!(Float FloatArray float),
        "bool" => typed!(Bool BoolArray truth),
        "string" => typed!(String StringArray |json: &Json| Some(strings.intern(&raw(json)?))),
        "binary" => typed!(Binary BinaryArray |json: &Json| unhex(json.as_str()?).map(Vec::into_boxed_slice)),
        "time" => typed!(Time TimeArray int),
        "elementid" => typed!(ObjectId ObjectIdArray |json: &Json| Guid::from_text(json.as_str()?.as_bytes()).ok()),
        "color" => typed!(Color ColorArray |json: &Json| row(json, byte)),
        "vector2" => typed!(Vector2 Vector2Array |json: &Json| row(json, float)),
        "vector3" => typed!(Vector3 Vector3Array |json: &Json| row(json, float)),
        "vector4" => typed!(Vector4 Vector4Array |json: &Json| row(json, float)),
        "qangle" => typed!(QAngle QAngleArray |json: &Json| row(json, float)),
        "quaternion" => typed!(Quaternion QuaternionArray |json: &Json| row(json, float)),
        "matrix" if kind == "matrix" => Value::Matrix(Box::new(row(json, float)?)),
        "matrix" => Value::MatrixArray(json.as_array()?.iter().map(|json| row(json, float)).collect::<Option<_>>()?),
        "uint64" => typed!(UInt64 UInt64Array large),
        "uint8" => typed!(UInt8 UInt8Array byte),
        _ => return None,
    })
}

fn reference(strings: &mut Strings, json: &Json) -> Option<Reference> {
    Some(match json {
        Json::Null => Reference::Null,
        Json::Number(index) => Reference::Element(ElementId(u32::try_from(index.as_u64()?).ok()?)),
        other => Reference::External(strings.intern(&raw(only(other, "external")?)?)),
    })
}

fn raw(json: &Json) -> Option<Vec<u8>> {
    match json {
        Json::String(text) => Some(text.as_bytes().to_vec()),
        other => unhex(only(other, "bytes")?.as_str()?),
    }
}

/// The value of the only field of an object.
fn only<'a>(json: &'a Json, name: &str) -> Option<&'a Json> {
    json.as_object().filter(|fields| fields.len() == 1)?.get(name)
}

fn int(json: &Json) -> Option<i32> {
    i32::try_from(json.as_i64()?).ok()
}

fn byte(json: &Json) -> Option<u8> {
    u8::try_from(json.as_u64()?).ok()
}

fn truth(json: &Json) -> Option<u8> {
    json.as_bool().map(u8::from).or_else(|| byte(json))
}

fn large(json: &Json) -> Option<u64> {
    u64::from_str_radix(json.as_str()?.strip_prefix("0x")?, 16).ok()
}

#[expect(clippy::cast_possible_truncation, reason = "the shortest text of a float reads back to it this way, too")]
fn float(json: &Json) -> Option<f32> {
    match only(json, "bits") {
        Some(bits) => u32::from_str_radix(bits.as_str()?, 16).ok().map(f32::from_bits),
        None => json.as_f64().map(|number| number as f32),
    }
}

fn row<T, const N: usize>(json: &Json, one: impl Fn(&Json) -> Option<T>) -> Option<[T; N]> {
    let items: Vec<T> = json.as_array()?.iter().map(one).collect::<Option<_>>()?;
    items.try_into().ok()
}
