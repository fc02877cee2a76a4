//! Constants of the format against literals from its description.
//!
//! Lists are complete: a constant without a literal fails as well.

use mapwright_dmx::{Document, Encoding, EncodingName, Guid, ValueType, WriterProfile};

/// Source: "Tokens and grammar", type names.
#[test]
fn types_have_the_published_names() {
    let names: Vec<_> = ValueType::ALL.iter().map(|value_type| (*value_type, value_type.name())).collect();
    let published = [
        (ValueType::Element, "element"),
        (ValueType::Int, "int"),
        (ValueType::Float, "float"),
        (ValueType::Bool, "bool"),
        (ValueType::String, "string"),
        (ValueType::Binary, "binary"),
        (ValueType::Time, "time"),
        (ValueType::ObjectId, "elementid"),
        (ValueType::Color, "color"),
        (ValueType::Vector2, "vector2"),
        (ValueType::Vector3, "vector3"),
        (ValueType::Vector4, "vector4"),
        (ValueType::QAngle, "qangle"),
        (ValueType::Quaternion, "quaternion"),
        (ValueType::Matrix, "matrix"),
        (ValueType::UInt64, "uint64"),
        (ValueType::UInt8, "uint8"),
    ];
    assert_eq!(names, published);
}

/// Source: "Header line", encoding names and versions.
#[test]
fn encodings_have_the_published_names_and_versions() {
    let published = [
        (EncodingName::Binary, "binary", false, 9),
        (EncodingName::BinarySeqIds, "binary_seqids", false, 9),
        (EncodingName::UnicodeBinary, "unicode_binary", false, 9),
        (EncodingName::KeyValues2, "keyvalues2", true, 4),
        (EncodingName::KeyValues2Flat, "keyvalues2_flat", true, 4),
        (EncodingName::KeyValues2NoIds, "keyvalues2_noids", true, 4),
        (EncodingName::UnicodeKeyValues2, "unicode_keyvalues2", true, 4),
    ];
    for (encoding, name, is_text, newest) in published {
        assert_eq!((encoding.name(), encoding.is_text(), encoding.max_version()), (name, is_text, newest));
        assert_eq!(EncodingName::from_name(name.as_bytes()), Some(encoding));
    }
    assert_eq!(Encoding::BINARY_9, Encoding { name: EncodingName::Binary, version: 9 });
    assert_eq!(Encoding::KEYVALUES2_4, Encoding { name: EncodingName::KeyValues2, version: 4 });
    assert_eq!(Encoding::BINARY_9.to_string(), "binary 9");
    assert_eq!(Encoding::KEYVALUES2_4.to_string(), "keyvalues2 4");
}

/// Source: "Header line", legacy headers: encoding version 0 and the format name `dmx` for four generic names.
#[test]
fn legacy_headers_have_the_published_meaning() {
    let text = "\n\"DmElement\" { \"id\" \"elementid\" \"00000000-0000-4000-8000-000000000001\" }\n";
    for (word, encoding, format) in [
        ("keyvalues2", EncodingName::KeyValues2, "dmx"),
        ("keyvalues2_flat", EncodingName::KeyValues2Flat, "dmx"),
        ("model", EncodingName::KeyValues2, "model"),
    ] {
        let document = Document::from_bytes(format!("<!-- DMXVersion {word}_v3 -->{text}").as_bytes()).unwrap();
        let header = &document.header;
        assert_eq!(header.encoding, Encoding { name: encoding, version: 0 }, "{word}");
        assert_eq!((&header.format[..], header.format_version), (format.as_bytes(), 3), "{word}");
    }
    // The other two are binary without a string table.
    for word in ["binary", "sfm"] {
        let header = format!("<!-- DMXVersion {word}_v1 -->\n\0");
        let element = [&1_i32.to_le_bytes()[..], b"DmElement\0\0", &[7; 16], &[0; 4]].concat();
        let document = Document::from_bytes(&[header.as_bytes(), &element].concat()).unwrap();
        assert_eq!(document.header.encoding, Encoding { name: EncodingName::Binary, version: 0 }, "{word}");
        assert_eq!((&document.header.format[..], document.header.format_version), (&b"dmx"[..], 1), "{word}");
    }
}

/// Source: "Binary encodings": three fields little-endian, the last eight bytes as printed.
#[test]
fn identities_have_the_published_byte_order() {
    let guid = Guid::from_text(b"33221100-5544-7766-8899-aabbccddeeff").unwrap();
    assert_eq!(
        guid.0,
        [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF]
    );
    assert_eq!(guid.to_string(), "33221100-5544-7766-8899-aabbccddeeff");
    assert_eq!(Guid::NIL.to_string(), "00000000-0000-0000-0000-000000000000");
}

/// Source: "How Valve's writer lays a file out", writer profiles.
#[test]
fn profiles_have_their_names() {
    assert_eq!(WriterProfile::Valve.name(), "valve");
    assert_eq!(WriterProfile::DepthFirst.name(), "depth-first");
    assert_eq!(WriterProfile::BreadthFirst.name(), "breadth-first");
}
