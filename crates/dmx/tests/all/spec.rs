//! Files assembled by hand, byte by byte, from the description of the format. They find mistakes that reader and writer share.

use crate::support;

use mapwright_dmx::{
    Attribute, Document, Element, ElementId, Encoding, EncodingName, Guid, HeaderStyle, Reference, StringId, Value,
    ValueType, WriterProfile,
};
use mapwright_testkit::hexdiff;

const ROOT: &[u8; 16] = b"0123456789abcdef";
const KID: &[u8; 16] = b"ghijklmnopqrstuv";
const SON: &[u8; 16] = b"wxyzABCDEFGHIJKL";

/// A root with two kids, of which the one in the last attribute comes first, as in files of Valve's programs.
fn family(encoding: Encoding) -> Document {
    let mut document = Document::new(encoding, "dmx", 1, "A", Guid(*ROOT));
    document.elements[0].name = document.intern("root");
    let son = document.push("B", "", Guid(*SON));
    let kid = document.push("B", "", Guid(*KID));
    let root = ElementId::ROOT;
    document.set(root, "son", Value::Element(Reference::Element(son)));
    let text = document.string_value("hi");
    document.set(root, "text", text);
    let list = document.string_array(["x", ""]);
    document.set(root, "list", list);
    document.set(root, "kid", Value::Element(Reference::Element(kid)));
    let far = document.intern("00000000-0000-0000-0000-000000000001");
    document.set(kid, "n", Value::Int(-2));
    document.set(
        kid,
        "all",
        Value::ElementArray([Reference::Null, Reference::External(far), Reference::Element(kid)].into()),
    );
    document.lay_out(WriterProfile::Valve);
    document
}

const FAR: &[u8] = b"00000000-0000-0000-0000-000000000001\0";

fn file(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

#[track_caller]
fn both_ways(document: &Document, bytes: &[u8]) {
    if let Some(diff) = hexdiff(bytes, &document.to_bytes().expect("writes")) {
        panic!("written otherwise: {diff}");
    }
    let read = Document::from_bytes(bytes).expect("reads");
    assert_eq!(support::meaning(&read), support::meaning(document));
    assert!(read.to_bytes().expect("writes") == bytes);
}

/// Versions 0 and 1: every string in its place.
#[test]
fn binary_1() {
    let body = file(&[
        b"\x03\0\0\0",
        b"A\0root\0",
        ROOT,
        b"B\0\0",
        KID,
        b"B\0\0",
        SON,
        b"\x04\0\0\0",
        b"son\0\x01\x02\0\0\0",
        b"text\0\x05hi\0",
        b"list\0\x13\x02\0\0\0x\0\0",
        b"kid\0\x01\x01\0\0\0",
        b"\x02\0\0\0",
        b"n\0\x02\xfe\xff\xff\xff",
        b"all\0\x0f\x03\0\0\0\xff\xff\xff\xff\xfe\xff\xff\xff",
        FAR,
        b"\x01\0\0\0",
        b"\0\0\0\0",
    ]);
    let mut document = family(Encoding { name: EncodingName::Binary, version: 1 });
    both_ways(&document, &file(&[b"<!-- dmx encoding binary 1 format dmx 1 -->\n\0", &body]));
    document.header.style = HeaderStyle::Legacy;
    document.header.encoding.version = 0;
    document.header.format_version = 3;
    both_ways(&document, &file(&[b"<!-- DMXVersion binary_v3 -->\n\0", &body]));
}

/// Versions 2 and 3: classes and names of attributes in a table whose count and indices have 16 bits.
#[test]
fn binary_2_and_3() {
    for version in [2, 3] {
        let bytes = file(&[
            format!("<!-- dmx encoding binary {version} format dmx 1 -->\n\0").as_bytes(),
            b"\x09\0A\0kid\0list\0text\0son\0name\0B\0all\0n\0",
            b"\x03\0\0\0",
            b"\0\0root\0",
            ROOT,
            b"\x06\0\0",
            KID,
            b"\x06\0\0",
            SON,
            b"\x04\0\0\0",
            b"\x04\0\x01\x02\0\0\0",
            b"\x03\0\x05hi\0",
            b"\x02\0\x13\x02\0\0\0x\0\0",
            b"\x01\0\x01\x01\0\0\0",
            b"\x02\0\0\0",
            b"\x08\0\x02\xfe\xff\xff\xff",
            b"\x07\0\x0f\x03\0\0\0\xff\xff\xff\xff\xfe\xff\xff\xff",
            FAR,
            b"\x01\0\0\0",
            b"\0\0\0\0",
        ]);
        both_ways(&family(Encoding { name: EncodingName::Binary, version }), &bytes);
    }
}

/// Version 4: names of elements and single strings as well, a count of 32 bits, indices of 16.
#[test]
fn binary_4() {
    let bytes = file(&[
        b"<!-- dmx encoding binary 4 format dmx 1 -->\n\0",
        b"\x0c\0\0\0A\0root\0kid\0list\0text\0hi\0son\0name\0B\0\0all\0n\0",
        b"\x03\0\0\0",
        b"\0\0\x01\0",
        ROOT,
        b"\x08\0\x09\0",
        KID,
        b"\x08\0\x09\0",
        SON,
        b"\x04\0\0\0",
        b"\x06\0\x01\x02\0\0\0",
        b"\x04\0\x05\x05\0",
        b"\x03\0\x13\x02\0\0\0x\0\0",
        b"\x02\0\x01\x01\0\0\0",
        b"\x02\0\0\0",
        b"\x0b\0\x02\xfe\xff\xff\xff",
        b"\x0a\0\x0f\x03\0\0\0\xff\xff\xff\xff\xfe\xff\xff\xff",
        FAR,
        b"\x01\0\0\0",
        b"\0\0\0\0",
    ]);
    both_ways(&family(Encoding { name: EncodingName::Binary, version: 4 }), &bytes);
}

/// Versions 5 and 9: indices of 32 bits. Version 9 has blocks of attributes in front, and arrays from 32 on.
#[test]
fn binary_5_and_9() {
    for (version, blocks, strings, elements) in
        [(5, b"".as_slice(), b"\x13", b"\x0f"), (9, b"\0\0\0\0".as_slice(), b"\x25", b"\x21")]
    {
        let bytes = file(&[
            format!("<!-- dmx encoding binary {version} format dmx 1 -->\n\0").as_bytes(),
            blocks,
            b"\x0c\0\0\0A\0root\0kid\0list\0text\0hi\0son\0name\0B\0\0all\0n\0",
            b"\x03\0\0\0",
            b"\0\0\0\0\x01\0\0\0",
            ROOT,
            b"\x08\0\0\0\x09\0\0\0",
            KID,
            b"\x08\0\0\0\x09\0\0\0",
            SON,
            b"\x04\0\0\0",
            b"\x06\0\0\0\x01\x02\0\0\0",
            b"\x04\0\0\0\x05\x05\0\0\0",
            b"\x03\0\0\0",
            strings,
            b"\x02\0\0\0x\0\0",
            b"\x02\0\0\0\x01\x01\0\0\0",
            b"\x02\0\0\0",
            b"\x0b\0\0\0\x02\xfe\xff\xff\xff",
            b"\x0a\0\0\0",
            elements,
            b"\x03\0\0\0\xff\xff\xff\xff\xfe\xff\xff\xff",
            FAR,
            b"\x01\0\0\0",
            b"\0\0\0\0",
        ]);
        both_ways(&family(Encoding { name: EncodingName::Binary, version }), &bytes);
    }
}

/// Versions 6 to 8: 6 and 7 have a link in the headers of elements and −1 for the empty string, 7 and 8 have blocks.
#[test]
fn binary_6_to_8() {
    for version in 6..=8 {
        let (blocks, link) = match version {
            6 => (b"".as_slice(), b"\xff\xff\xff\xff".as_slice()),
            7 => (b"\0\0\0\0".as_slice(), b"\xff\xff\xff\xff".as_slice()),
            _ => (b"\0\0\0\0".as_slice(), b"".as_slice()),
        };
        let (table, empty, all, n): (&[u8], &[u8], &[u8], &[u8]) = match version {
            8 => (b"\x0c\0\0\0A\0root\0kid\0list\0text\0hi\0son\0name\0B\0\0all\0n\0", b"\x09\0\0\0", b"\x0a", b"\x0b"),
            _ => (
                b"\x0b\0\0\0A\0root\0kid\0list\0text\0hi\0son\0name\0B\0all\0n\0",
                b"\xff\xff\xff\xff",
                b"\x09",
                b"\x0a",
            ),
        };
        let bytes = file(&[
            format!("<!-- dmx encoding binary {version} format dmx 1 -->\n\0").as_bytes(),
            blocks,
            table,
            b"\x03\0\0\0",
            b"\0\0\0\0",
            link,
            b"\x01\0\0\0",
            ROOT,
            b"\x08\0\0\0",
            link,
            empty,
            KID,
            b"\x08\0\0\0",
            link,
            empty,
            SON,
            b"\x04\0\0\0",
            b"\x06\0\0\0\x01\x02\0\0\0",
            b"\x04\0\0\0\x05\x05\0\0\0",
            b"\x03\0\0\0\x13\x02\0\0\0x\0\0",
            b"\x02\0\0\0\x01\x01\0\0\0",
            b"\x02\0\0\0",
            n,
            b"\0\0\0\x02\xfe\xff\xff\xff",
            all,
            b"\0\0\0\x0f\x03\0\0\0\xff\xff\xff\xff\xfe\xff\xff\xff",
            FAR,
            b"\x01\0\0\0",
            b"\0\0\0\0",
        ]);
        both_ways(&family(Encoding { name: EncodingName::Binary, version }), &bytes);
    }
}

/// The prefix attributes of a map, and their copy among the elements.
#[test]
fn prefix_attributes() {
    let mut document = Document::new(Encoding::BINARY_9, "vmap", 40, "A", Guid(*ROOT));
    document.set(ElementId::ROOT, "n", Value::Int(7));
    let copy = document.push("DmElement", "", Guid(*KID));
    let value = document.string_value("yes");
    document.set(copy, "k", value.clone());
    document.set_prefix("k", value);
    document.lay_out(WriterProfile::Valve);
    assert_eq!(document.prefix_copy(), Some(ElementId(1)));
    let bytes = file(&[
        b"<!-- dmx encoding binary 9 format vmap 40 -->\n\0",
        b"\x01\0\0\0\x01\0\0\0k\0\x05yes\0",
        b"\x08\0\0\0A\0\0$prefix_attribute$\0n\0name\0DmElement\0k\0yes\0",
        b"\x02\0\0\0",
        b"\0\0\0\0\x01\0\0\0",
        ROOT,
        b"\x05\0\0\0\x01\0\0\0",
        KID,
        b"\x01\0\0\0\x03\0\0\0\x02\x07\0\0\0",
        b"\x01\0\0\0\x06\0\0\0\x05\x07\0\0\0",
    ]);
    both_ways(&document, &bytes);
}

/// A root with attributes that are newer than the hidden one: what they refer to comes before the copy of the prefix attributes.
#[test]
fn newer_attributes_precede_the_prefix_copy() {
    let bytes = file(&[
        b"<!-- dmx encoding binary 9 format dmx 1 -->\n\0",
        b"\x01\0\0\0\x01\0\0\0k\0\x04\x01",
        b"\x0a\0\0\0A\0\0m\0$prefix_attribute$\0n\0name\0K\0lost\0DmElement\0k\0",
        b"\x03\0\0\0",
        b"\0\0\0\0\x01\0\0\0",
        ROOT,
        b"\x06\0\0\0\x01\0\0\0",
        KID,
        b"\x08\0\0\0\x01\0\0\0",
        &[3; 16],
        b"\x02\0\0\0\x04\0\0\0\x02\x07\0\0\0\x02\0\0\0\x01\x01\0\0\0",
        b"\0\0\0\0",
        b"\x01\0\0\0\x09\0\0\0\x04\x01",
    ]);
    let document = Document::from_bytes(&bytes).expect("reads");
    assert_eq!((document.profile(), document.prefix_copy()), (Some(WriterProfile::Valve), Some(ElementId(2))));
    assert_eq!(document.prefix_slot(), 1);
    let unused: Vec<_> = document.unused_strings().collect();
    assert_eq!(unused, [b"$prefix_attribute$".as_slice(), b"name", b"lost"]);
    // A new attribute is newer than the copy, even if its name is in the table.
    for name in ["new", "k"] {
        let mut changed = document.clone();
        changed.edit(|document| document.set(ElementId::ROOT, name, Value::Int(1)));
        assert_eq!((changed.prefix_slot(), changed.prefix_copy()), (2, Some(ElementId(2))), "{name}");
        let read = Document::from_bytes(&changed.to_bytes().expect("writes")).expect("reads");
        assert_eq!((read.profile(), read.prefix_slot()), (Some(WriterProfile::Valve), 2), "{name}");
        changed.edit(|document| document.unset(ElementId::ROOT, name));
        assert_eq!(changed.to_bytes().expect("writes"), bytes, "{name}");
    }
    let mut text = document;
    text.set_encoding(Encoding::KEYVALUES2_4);
    assert_eq!((text.prefix_slot(), text.unused_strings().count()), (0, 0));
}

/// Each type with its number in the tables of versions 2, 5 and 9, as a value and as an array, and its bytes.
#[test]
fn types() {
    let f = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let matrix: [f32; 16] = std::array::from_fn(|index| f32::from(u8::try_from(index).expect("small")) - 0.5);
    let nan = f32::from_bits(0xFFC0_1234);
    let cases: [(u8, Value, Value, Vec<u8>); 14] = [
        (2, Value::Int(-2), Value::IntArray([-2].into()), b"\xfe\xff\xff\xff".to_vec()),
        (3, Value::Float(nan), Value::FloatArray([nan].into()), b"\x34\x12\xc0\xff".to_vec()),
        (4, Value::Bool(7), Value::BoolArray([7].into()), b"\x07".to_vec()),
        (
            6,
            Value::Binary(b"ab".as_slice().into()),
            Value::BinaryArray([b"ab".as_slice().into()].into()),
            b"\x02\0\0\0ab".to_vec(),
        ),
        (7, Value::Time(15_000), Value::TimeArray([15_000].into()), b"\x98\x3a\0\0".to_vec()),
        (8, Value::Color([1, 2, 3, 255]), Value::ColorArray([[1, 2, 3, 255]].into()), b"\x01\x02\x03\xff".to_vec()),
        (9, Value::Vector2([1.0, -0.0]), Value::Vector2Array([[1.0, -0.0]].into()), b"\0\0\x80\x3f\0\0\0\x80".to_vec()),
        (10, Value::Vector3([1.0, 2.0, 3.0]), Value::Vector3Array([[1.0, 2.0, 3.0]].into()), f(&[1.0, 2.0, 3.0])),
        (
            11,
            Value::Vector4([1.0, 2.0, 3.0, 4.0]),
            Value::Vector4Array([[1.0, 2.0, 3.0, 4.0]].into()),
            f(&[1.0, 2.0, 3.0, 4.0]),
        ),
        (12, Value::QAngle([1.0, 2.0, 3.0]), Value::QAngleArray([[1.0, 2.0, 3.0]].into()), f(&[1.0, 2.0, 3.0])),
        (
            13,
            Value::Quaternion([0.0, 0.0, 0.0, 1.0]),
            Value::QuaternionArray([[0.0, 0.0, 0.0, 1.0]].into()),
            f(&[0.0, 0.0, 0.0, 1.0]),
        ),
        (14, Value::Matrix(matrix.into()), Value::MatrixArray([matrix].into()), f(&matrix)),
        (
            15,
            Value::UInt64(0x0102_0304_0506_0708),
            Value::UInt64Array([0x0102_0304_0506_0708].into()),
            b"\x08\x07\x06\x05\x04\x03\x02\x01".to_vec(),
        ),
        (16, Value::UInt8(9), Value::UInt8Array([9].into()), b"\x09".to_vec()),
    ];
    let old = (7, Value::ObjectId(Guid(*KID)), Value::ObjectIdArray([Guid(*KID)].into()), KID.to_vec());
    for version in [2_u8, 5, 9] {
        for (number, one, many, bytes) in cases.iter().chain([&old]) {
            let exists = match one.value_type() {
                ValueType::Time => version > 2,
                ValueType::ObjectId => version == 2,
                ValueType::UInt64 | ValueType::UInt8 => version == 9,
                _ => true,
            };
            let mut document =
                Document::new(Encoding { name: EncodingName::Binary, version }, "dmx", 1, "A", Guid(*ROOT));
            document.set(ElementId::ROOT, "one", one.clone());
            document.set(ElementId::ROOT, "many", many.clone());
            let Ok(written) = document.to_bytes() else {
                assert!(!exists, "{one:?} in binary {version}");
                continue;
            };
            assert!(exists, "{one:?} in binary {version}");
            // The end of the file: the second name as an index, then the array.
            let offset = if version == 9 { 32 } else { 14 };
            let array = file(&[&[number + offset, 1, 0, 0, 0], bytes]);
            assert!(written.ends_with(&array), "{many:?} in binary {version}");
            let width = if version == 2 { 2 } else { 4 };
            let one_at = written.len() - array.len() - width - bytes.len() - 1;
            assert_eq!(written[one_at..][..=bytes.len()], file(&[&[*number], bytes]), "{one:?} in binary {version}");
            let read = Document::from_bytes(&written).expect("reads");
            assert_eq!(read.root().and_then(|root| root.get("one")), Some(one));
            assert_eq!(read.root().and_then(|root| root.get("many")), Some(many));
        }
    }
}

/// Text and binary files have different byte orders in the first three groups of an identity.
#[test]
fn identities() {
    let guid = Guid(*ROOT);
    assert_eq!(guid.to_string(), "33323130-3534-3736-3839-616263646566");
    assert_eq!("33323130-3534-3736-3839-616263646566".parse(), Ok(guid));
}

/// A document that cannot be written gives an error with a path.
#[test]
fn unwritable_documents_have_errors() {
    let fails = |change: fn(&mut Document), expected: &str| {
        let mut document = family(Encoding { name: EncodingName::Binary, version: 5 });
        change(&mut document);
        assert_eq!(document.to_bytes().expect_err(expected).to_string(), expected);
    };
    fails(|document| document.elements.clear(), "the document has no elements");
    fails(|document| document.elements[1].id = None, "element without identity in elements[1]");
    fails(
        |document| document.set(ElementId(1), "n", Value::UInt8(1)),
        "binary 5 has no values of type uint8 in elements[1].n",
    );
    fails(
        |document| {
            let bad = document.string_array(["fine", "not\0fine"]);
            document.set(ElementId::ROOT, "list", bad);
        },
        "string contains a NUL in elements[0].list[1]",
    );
    fails(
        |document| document.set(ElementId::ROOT, "kid", Value::Element(Reference::Element(ElementId(3)))),
        "element index 3 out of range (3 elements) in elements[0].kid",
    );
    fails(|document| document.prefix.push(Vec::new()), "binary 5 cannot store prefix attributes");
    fails(
        |document| document.header.encoding.version = 10,
        "invalid header: its line would not read back equal in header",
    );
    fails(
        |document| document.header.format = b"two words".to_vec(),
        "invalid header: its line would not read back equal in header",
    );
}

/// Edge cases of the string table: duplicates, unused strings, −1, and the largest index of 16 bits.
#[test]
fn string_tables() {
    let head = b"<!-- dmx encoding binary 4 format dmx 1 -->\n\0";
    let tail = file(&[ROOT, b"\x01\0\0\0\x02\0\x04\x01"]);
    let bytes = file(&[head, b"\x05\0\0\0unused\0A\0b\0b\0A\0", b"\x01\0\0\0\x04\0\xff\xff", &tail]);
    let document = Document::from_bytes(&bytes).expect("reads");
    assert_eq!(document.elements[0].name, StringId::MINUS_ONE);
    assert!(document.root().is_some_and(|root| root.is("A") && root.get("b") == Some(&Value::Bool(1))));
    assert_eq!(document.strings.table_len(), 5);
    assert!(document.to_bytes().expect("writes") == bytes);

    // Unused strings may be more than indices can name, as the count is wider.
    let many =
        file(&[head, &70_003_u32.to_le_bytes(), b"A\0\0b\0", &b"x\0".repeat(70_000), b"\x01\0\0\0\0\0\x01\0", &tail]);
    let mut document = Document::from_bytes(&many).expect("reads");
    assert!(document.to_bytes().expect("writes") == many);
    let new = document.intern("new");
    document.elements[0].attributes.push(Attribute { name: new, value: Value::Int(0) });
    let error = document.to_bytes().expect_err("70,003 is no index of 16 bits");
    assert_eq!(error.to_string(), "too many strings: 70004, the maximum is 65535 in elements[0]");
}

/// An element that is added has no link, as all that were ever seen.
#[test]
fn new_elements() {
    let element = Element::new(StringId::EMPTY, StringId::EMPTY, None);
    assert_eq!((element.link, element.attributes.len()), (-1, 0));
}

#[test]
fn other_character_encodings_are_named() {
    let text = "<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n\"A\" {}\n";
    let wide: Vec<u16> = text.encode_utf16().collect();
    let marked: Vec<u16> = [0xFEFF].into_iter().chain(wide.iter().copied()).collect();
    let bytes =
        |units: &[u16], each: fn(u16) -> [u8; 2]| -> Vec<u8> { units.iter().flat_map(|&unit| each(unit)).collect() };
    for (file, encoding) in [
        (format!("\u{FEFF}{text}").into_bytes(), "UTF-8 with a byte order mark"),
        (bytes(&wide, u16::to_le_bytes), "UTF-16"),
        (bytes(&wide, u16::to_be_bytes), "UTF-16"),
        (bytes(&marked, u16::to_le_bytes), "UTF-16"),
        (bytes(&marked, u16::to_be_bytes), "UTF-16"),
    ] {
        let error = Document::from_bytes(&file).unwrap_err();
        assert_eq!(
            error.kind().to_string(),
            format!("unsupported character encoding {encoding}: expected UTF-8 without a byte order mark")
        );
        assert!(error.help().is_some_and(|help| help.contains("without a byte order mark")), "{:?}", error.help());
    }
    assert!(Document::from_bytes(text.as_bytes()).is_ok());
}
