//! Documents of every construct, and an encoder of its own for them, written from the description of the format.

#![allow(dead_code, reason = "each test uses a part")]

use mapwright_dmx::{
    Attribute, Document, Element, ElementId, Encoding, EncodingName, Guid, HeaderStyle, Reference, StringId, Value,
    ValueType,
};
use mapwright_testkit::long_name;
use mapwright_testkit::mutate::Rng;
use proptest::prelude::*;

/// Documents from a few numbers, with a seed for all values, so that shrinking makes documents smaller.
pub(crate) fn document() -> BoxedStrategy<Document> {
    (0_u8..=9, 1_usize..8, 0_usize..8, any::<u64>())
        .prop_map(|(version, elements, attributes, seed)| {
            random_document(version, elements, attributes, &mut Rng::new(seed))
        })
        .boxed()
}

pub(crate) fn random_document(version: u8, elements: usize, attributes: usize, rng: &mut Rng) -> Document {
    let name = if version == 0 {
        EncodingName::Binary
    } else {
        [EncodingName::Binary, EncodingName::BinarySeqIds, EncodingName::UnicodeBinary][rng.below(3)]
    };
    let format = ["dmx", "vmap", "pcf"][if version == 0 { 0 } else { rng.below(3) }];
    let format_version = u32::try_from(rng.below(50)).expect("small");
    let mut document = Document::new(Encoding { name, version }, format, format_version, "DmElement", guid(rng));
    if version == 0 {
        document.header.style = HeaderStyle::Legacy;
    }
    document.elements.clear();
    for _ in 0..elements {
        let (class, name) = (string(&mut document, rng), string(&mut document, rng));
        // Many elements can have the same identity.
        let id = if rng.below(8) == 0 { Guid::NIL } else { guid(rng) };
        document.elements.push(Element::new(class, name, Some(id)));
    }
    for index in 0..elements {
        if matches!(version, 6 | 7) {
            document.elements[index].link = number(rng);
        }
        for _ in 0..rng.below(attributes + 1) {
            let attribute = attribute(&mut document, version, elements, rng);
            document.elements[index].attributes.push(attribute);
        }
    }
    if version >= 7 {
        for _ in 0..rng.below(3) {
            let block = (0..rng.below(3)).map(|_| attribute(&mut document, version, elements, rng)).collect();
            document.prefix.push(block);
        }
    }
    if rng.below(4) == 0 {
        document.trailing = bytes(rng);
    }
    document
}

fn attribute(document: &mut Document, version: u8, elements: usize, rng: &mut Rng) -> Attribute {
    let name = string(document, rng);
    let types: Vec<ValueType> = ValueType::ALL.iter().copied().filter(|one| exists(*one, version)).collect();
    let value_type = types[rng.below(types.len())];
    let array = (rng.below(2) == 0).then(|| rng.below(4));
    Attribute { name, value: value(document, value_type, array, elements, rng) }
}

pub(crate) fn exists(value_type: ValueType, version: u8) -> bool {
    match value_type {
        ValueType::ObjectId => version <= 2,
        ValueType::Time => version >= 3,
        ValueType::UInt64 | ValueType::UInt8 => version == 9,
        _ => true,
    }
}

macro_rules! one_or_many {
    ($array:expr, $one:ident, $many:ident, $make:expr) => {
        match $array {
            None => Value::$one($make),
            Some(count) => Value::$many((0..count).map(|_| $make).collect()),
        }
    };
}

fn value(
    document: &mut Document,
    value_type: ValueType,
    array: Option<usize>,
    elements: usize,
    rng: &mut Rng,
) -> Value {
    match value_type {
        ValueType::Element => one_or_many!(array, Element, ElementArray, reference(document, elements, rng)),
        ValueType::Int => one_or_many!(array, Int, IntArray, number(rng)),
        ValueType::Float => one_or_many!(array, Float, FloatArray, float(rng)),
        ValueType::Bool => one_or_many!(array, Bool, BoolArray, [0, 1, 2, 255][rng.below(4)]),
        ValueType::String => one_or_many!(array, String, StringArray, string(document, rng)),
        ValueType::Binary => one_or_many!(array, Binary, BinaryArray, bytes(rng).into()),
        ValueType::Time => one_or_many!(array, Time, TimeArray, number(rng)),
        ValueType::ObjectId => one_or_many!(array, ObjectId, ObjectIdArray, guid(rng)),
        ValueType::Color => one_or_many!(array, Color, ColorArray, number(rng).to_le_bytes()),
        ValueType::Vector2 => one_or_many!(array, Vector2, Vector2Array, std::array::from_fn(|_| float(rng))),
        ValueType::Vector3 => one_or_many!(array, Vector3, Vector3Array, std::array::from_fn(|_| float(rng))),
        ValueType::Vector4 => one_or_many!(array, Vector4, Vector4Array, std::array::from_fn(|_| float(rng))),
        ValueType::QAngle => one_or_many!(array, QAngle, QAngleArray, std::array::from_fn(|_| float(rng))),
        ValueType::Quaternion => one_or_many!(array, Quaternion, QuaternionArray, std::array::from_fn(|_| float(rng))),
        ValueType::Matrix => match array {
            None => Value::Matrix(Box::new(std::array::from_fn(|_| float(rng)))),
            Some(count) => Value::MatrixArray((0..count).map(|_| std::array::from_fn(|_| float(rng))).collect()),
        },
        ValueType::UInt64 => one_or_many!(array, UInt64, UInt64Array, rng.next_u64()),
        ValueType::UInt8 => one_or_many!(array, UInt8, UInt8Array, rng.next_u64().to_le_bytes()[0]),
    }
}

/// Null, external, or any element: itself, an earlier or a later one, so that there are cycles and shared elements.
fn reference(document: &mut Document, elements: usize, rng: &mut Rng) -> Reference {
    match rng.below(6) {
        0 => Reference::Null,
        1 => {
            let guid = guid(rng).to_string();
            Reference::External(document.intern(guid))
        }
        _ => Reference::Element(ElementId(u32::try_from(rng.below(elements)).expect("small"))),
    }
}

/// One of few names, so that they are shared and repeat.
fn string(document: &mut Document, rng: &mut Rng) -> StringId {
    const POOL: [&[u8]; 12] = [
        b"",
        b"",
        b"name",
        b"id",
        b"NAME",
        b"origin",
        b"$prefix_attribute$",
        b"DmElement",
        b"two words",
        b"\xff\xfe",
        "\u{e9}\u{20ac}".as_bytes(),
        b"line\nbreak \"quoted\" \\",
    ];
    if rng.below(800) == 0 {
        return document.intern(long_name(0));
    }
    match rng.below(16) {
        0 => StringId::MINUS_ONE,
        1 => document.intern(format!("string {}", rng.below(1000))),
        _ => document.intern(POOL[rng.below(POOL.len())]),
    }
}

fn number(rng: &mut Rng) -> i32 {
    let [a, b, c, d, ..] = rng.next_u64().to_le_bytes();
    [0, 1, -1, i32::MIN, i32::MAX, i32::from_le_bytes([a, b, c, d])][rng.below(6)]
}

/// Any bits: not a number, denormal, either zero.
fn float(rng: &mut Rng) -> f32 {
    let bits = number(rng).cast_unsigned();
    [0.0, -0.0, 0.1, -40.0, f32::INFINITY, f32::from_bits(bits)][rng.below(6)]
}

fn guid(rng: &mut Rng) -> Guid {
    Guid::from_hash(&rng.next_u64().to_le_bytes())
}

fn bytes(rng: &mut Rng) -> Vec<u8> {
    rng.next_u64().to_le_bytes()[..rng.below(9)].to_vec()
}

/// Encodes a document with a string table that begins with the given strings, whatever is in them.
pub(crate) fn encode(document: &Document, mut table: Vec<Vec<u8>>) -> Vec<u8> {
    let version = document.header.encoding.version;
    let mut out = match document.header.style {
        HeaderStyle::Legacy => format!("<!-- DMXVersion binary_v{} -->\n\0", document.header.format_version),
        HeaderStyle::Modern => format!(
            "<!-- dmx encoding {} {version} format {} {} -->\n\0",
            document.header.encoding.name.name(),
            String::from_utf8_lossy(&document.header.format),
            document.header.format_version
        ),
    }
    .into_bytes();
    if version >= 7 {
        push_count(&mut out, document.prefix.len());
        for block in &document.prefix {
            push_count(&mut out, block.len());
            for Attribute { name, value } in block {
                inline(&mut out, document.string(*name));
                encode_value(&mut out, document, value, &mut |out, id| inline(out, document.string(id)));
            }
        }
    }
    // The table precedes its uses, but is only known after them.
    let mut body = Vec::new();
    let place = |table: &mut Vec<Vec<u8>>, out: &mut Vec<u8>, id: StringId, from: u8| {
        let string = document.string(id);
        if version < from {
            return inline(out, string);
        }
        let is_minus_one = id == StringId::MINUS_ONE || matches!(version, 6 | 7) && string.is_empty();
        let index = match table.iter().position(|known| known == string) {
            _ if is_minus_one => u32::MAX,
            Some(index) => u32::try_from(index).expect("few"),
            None => {
                table.push(string.to_vec());
                u32::try_from(table.len() - 1).expect("few")
            }
        };
        let index = index.to_le_bytes();
        out.extend_from_slice(if version >= 5 { &index } else { &index[..2] });
    };
    push_count(&mut body, document.elements.len());
    for element in &document.elements {
        place(&mut table, &mut body, element.class, 2);
        if matches!(version, 6 | 7) {
            body.extend(element.link.to_le_bytes());
        }
        place(&mut table, &mut body, element.name, 4);
        body.extend(element.id.expect("it has one").0);
    }
    for element in &document.elements {
        push_count(&mut body, element.attributes.len());
        for Attribute { name, value } in &element.attributes {
            place(&mut table, &mut body, *name, 2);
            encode_value(&mut body, document, value, &mut |out, id| place(&mut table, out, id, 4));
        }
    }
    match version {
        0 | 1 => {}
        2 | 3 => out.extend(u16::try_from(table.len()).expect("few").to_le_bytes()),
        _ => push_count(&mut out, table.len()),
    }
    if version >= 2 {
        table.iter().for_each(|string| inline(&mut out, string));
    }
    out.extend(body);
    out.extend(&document.trailing);
    out
}

fn push_count(out: &mut Vec<u8>, count: usize) {
    out.extend(u32::try_from(count).expect("small").to_le_bytes());
}

fn inline(out: &mut Vec<u8>, string: &[u8]) {
    out.extend(string);
    out.push(0);
}

fn encode_value(out: &mut Vec<u8>, document: &Document, value: &Value, string: &mut dyn FnMut(&mut Vec<u8>, StringId)) {
    let version = document.header.encoding.version;
    let id = match value.value_type() {
        ValueType::Element => 1,
        ValueType::Int => 2,
        ValueType::Float => 3,
        ValueType::Bool => 4,
        ValueType::String => 5,
        ValueType::Binary => 6,
        ValueType::Time | ValueType::ObjectId => 7,
        ValueType::Color => 8,
        ValueType::Vector2 => 9,
        ValueType::Vector3 => 10,
        ValueType::Vector4 => 11,
        ValueType::QAngle => 12,
        ValueType::Quaternion => 13,
        ValueType::Matrix => 14,
        ValueType::UInt64 => 15,
        ValueType::UInt8 => 16,
    };
    let offset = if version == 9 { 32 } else { 14 };
    out.push(id + if value.array_len().is_some() { offset } else { 0 });
    if let Some(count) = value.array_len() {
        push_count(out, count);
    }
    let floats = |out: &mut Vec<u8>, floats: &[f32]| floats.iter().for_each(|float| out.extend(float.to_le_bytes()));
    let blob = |out: &mut Vec<u8>, bytes: &[u8]| {
        push_count(out, bytes.len());
        out.extend(bytes);
    };
    match value {
        Value::Element(item) => encode_reference(out, document, *item),
        Value::ElementArray(items) => items.iter().for_each(|item| encode_reference(out, document, *item)),
        Value::Int(item) | Value::Time(item) => out.extend(item.to_le_bytes()),
        Value::IntArray(items) | Value::TimeArray(items) => {
            items.iter().for_each(|item| out.extend(item.to_le_bytes()));
        }
        Value::Float(item) => floats(out, &[*item]),
        Value::FloatArray(items) => floats(out, items),
        Value::Bool(item) | Value::UInt8(item) => out.push(*item),
        Value::BoolArray(items) | Value::UInt8Array(items) => out.extend(items),
        Value::String(item) => string(out, *item),
        Value::StringArray(items) => items.iter().for_each(|item| inline(out, document.string(*item))),
        Value::Binary(item) => blob(out, item),
        Value::BinaryArray(items) => items.iter().for_each(|item| blob(out, item)),
        Value::ObjectId(item) => out.extend(item.0),
        Value::ObjectIdArray(items) => items.iter().for_each(|item| out.extend(item.0)),
        Value::Color(item) => out.extend(item),
        Value::ColorArray(items) => items.iter().for_each(|item| out.extend(item)),
        Value::Vector2(item) => floats(out, item),
        Value::Vector3(item) | Value::QAngle(item) => floats(out, item),
        Value::Vector4(item) | Value::Quaternion(item) => floats(out, item),
        Value::Matrix(item) => floats(out, &item[..]),
        Value::Vector2Array(items) => items.iter().for_each(|item| floats(out, item)),
        Value::Vector3Array(items) | Value::QAngleArray(items) => items.iter().for_each(|item| floats(out, item)),
        Value::Vector4Array(items) | Value::QuaternionArray(items) => items.iter().for_each(|item| floats(out, item)),
        Value::MatrixArray(items) => items.iter().for_each(|item| floats(out, item)),
        Value::UInt64(item) => out.extend(item.to_le_bytes()),
        Value::UInt64Array(items) => items.iter().for_each(|item| out.extend(item.to_le_bytes())),
    }
}

fn encode_reference(out: &mut Vec<u8>, document: &Document, reference: Reference) {
    match reference {
        Reference::Null => out.extend((-1_i32).to_le_bytes()),
        Reference::Element(id) => out.extend(id.0.to_le_bytes()),
        Reference::External(id) => {
            out.extend((-2_i32).to_le_bytes());
            inline(out, document.string(id));
        }
    }
}
