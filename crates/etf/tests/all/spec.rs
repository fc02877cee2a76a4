//! The specification as hand-assembled terms: their values and their texts.

use crate::support;

use mapwright_etf::{Document, FORMAT, ReadErrorKind, Tag, Tree, Value, sniff};
use mapwright_io::{Category, Space};
use support::{hex, lenient};

/// Reads a bare term and checks its tag, its text and that it is written back byte for byte.
#[track_caller]
fn term(bytes: &str, tag: Tag, text: &str) -> Tree {
    let bytes = hex(bytes);
    let tree = Tree::from_bytes(&bytes).unwrap();
    assert_eq!(tree.root().tag(), tag);
    assert_eq!(tree.to_string(), text);
    assert_eq!(tree.as_bytes(), bytes);
    tree
}

const NODE: &str = "64 0003 61 40 62";

#[test]
fn integers() {
    assert_eq!(term("61 05", Tag::SMALL_INTEGER, "5").root().as_i64(), Some(5));
    assert_eq!(term("62 fffffffe", Tag::INTEGER, "-2").root().as_i64(), Some(-2));
    assert_eq!(term("62 80000000", Tag::INTEGER, "-2147483648").root().as_i64(), Some(-1 << 31));
    assert_eq!(term("62 00000005", Tag::INTEGER, "5").root().as_i64(), Some(5));
    // Little-endian, sign first, high zero bytes allowed.
    assert_eq!(term("6e 03 00 00 01 00", Tag::SMALL_BIG, "256").root().as_i64(), Some(256));
    assert_eq!(term("6e 01 02 05", Tag::SMALL_BIG, "-5").root().as_i64(), Some(-5));
    assert_eq!(term("6e 01 01 00", Tag::SMALL_BIG, "0").root().as_i64(), Some(0), "minus zero is zero");
    assert_eq!(term("6f 00000000 00", Tag::LARGE_BIG, "0").root().as_i64(), Some(0));
    assert_eq!(
        term("6e 08 01 0000000000000080", Tag::SMALL_BIG, "-9223372036854775808").root().as_i64(),
        Some(i64::MIN)
    );
    let big = term("6e 09 01 000000000000000001", Tag::SMALL_BIG, "-18446744073709551616");
    assert_eq!(big.root().as_i64(), None);
    let big = big.root().as_integer().unwrap();
    assert!(big.negative && *big.magnitude() == [0, 0, 0, 0, 0, 0, 0, 0, 1]);
    term("6e 10 00 ffffffffffffffffffffffffffffffff", Tag::SMALL_BIG, "340282366920938463463374607431768211455");
    // 10^27 has groups of zeros inside.
    term("6e 0c 00 000000e83c80d09f3c2e3b03", Tag::SMALL_BIG, "1000000000000000000000000000");
}

#[test]
fn huge_integers_are_printed_in_hexadecimal() {
    let big = |bytes: usize| {
        [b"\x6f".as_slice(), &u32::try_from(bytes).unwrap().to_be_bytes(), b"\x01", &vec![0xAB; bytes]].concat()
    };
    let text = Tree::from_bytes(&big(1023)).unwrap().to_string();
    assert!(text.starts_with('-') && text.len() > 2400 && text[1..].bytes().all(|byte| byte.is_ascii_digit()));
    assert_eq!(Tree::from_bytes(&big(1024)).unwrap().to_string(), format!("-16#{}", "AB".repeat(1024)));
}

#[test]
fn floats() {
    assert_eq!(term("46 3ff8000000000000", Tag::NEW_FLOAT, "1.5").root().as_f64(), Some(1.5));
    let zero = term("46 8000000000000000", Tag::NEW_FLOAT, "-0.0");
    assert_eq!(zero.root().as_f64().map(f64::to_bits), Some(1 << 63));
    let text = |text: &str| {
        let mut bytes = [&b"c"[..], text.as_bytes()].concat();
        bytes.resize(32, 0);
        let tree = Tree::from_bytes(&bytes).map_err(|error| error.kind().to_string())?;
        Ok::<_, String>(tree.root().as_f64().unwrap())
    };
    assert_eq!(text("8.13333333333333352577e-01"), Ok(0.813_333_333_333_333_4));
    assert_eq!(text("8.13333333333333350000e-001"), Ok(0.813_333_333_333_333_4));
    assert_eq!(text("+1,5E2"), Ok(150.0), "written under a locale with a comma");
    assert_eq!(text("4.94065645841246544177e-324"), Ok(5.0e-324));
    for bad in [
        "1", "1.", ".5", " 1.5", "1.5 ", "inf", "nan", "0x1.8p0", "1.5e", "1.5e+", "--1.5", "1.8e308", "", "1.5.5",
        "1.5e1e1",
    ] {
        assert_eq!(text(bad), Err("text float is not a finite number".to_owned()), "{bad}");
    }
    let unended = [b"c1.".as_slice(), &[b'0'; 29]].concat();
    assert!(matches!(Tree::from_bytes(&unended).unwrap_err().kind(), ReadErrorKind::FloatText));
}

#[test]
fn atoms() {
    term("64 0003 616263", Tag::ATOM, "abc");
    term("73 03 616263", Tag::SMALL_ATOM, "abc");
    term("76 0003 616263", Tag::ATOM_UTF8, "abc");
    term("77 03 616263", Tag::SMALL_ATOM_UTF8, "abc");
    // The same character in Latin-1 and in UTF-8.
    for (bytes, tag) in [
        ("64 0001 e9", Tag::ATOM),
        ("73 01 e9", Tag::SMALL_ATOM),
        ("76 0002 c3a9", Tag::ATOM_UTF8),
        ("77 02 c3a9", Tag::SMALL_ATOM_UTF8),
    ] {
        let tree = term(bytes, tag, "'é'");
        assert_eq!(tree.root().as_atom().unwrap().name(), "é");
        assert!(tree.root().is_atom("é") && !tree.root().is_atom("e"));
    }
    term("64 0000", Tag::ATOM, "''");
    term("64 0002 0061", Tag::ATOM, r"'\x{0}a'");
    term("64 0003 615f42", Tag::ATOM, "a_B");
    term("64 0003 416263", Tag::ATOM, "'Abc'");
    term("64 0003 615c27", Tag::ATOM, r"'a\\\''");
    term("64 0002 610a", Tag::ATOM, r"'a\n'");
    term("64 0003 656e64", Tag::ATOM, "'end'");
    // 255 characters of four bytes each are allowed, 256 of one are not.
    let long = |count: usize, c: &str| {
        let length = u16::try_from(count * c.len()).unwrap();
        Tree::from_bytes(&[b"\x76".as_slice(), &length.to_be_bytes(), c.repeat(count).as_bytes()].concat())
    };
    assert!(long(255, "\u{1F600}").is_ok());
    assert!(matches!(long(256, "a").unwrap_err().kind(), ReadErrorKind::AtomLength { length: 256 }));
}

#[test]
fn tuples_and_lists() {
    let tree = term("68 02 61 01 69 00000001 6a", Tag::SMALL_TUPLE, "{1,{[]}}");
    assert_eq!(tree.root().element(1).unwrap().tag(), Tag::LARGE_TUPLE);
    assert!(tree.root().element(2).is_none());
    term("68 00", Tag::SMALL_TUPLE, "{}");
    term("6a", Tag::NIL, "[]");
    term("6b 0000", Tag::STRING, "[]");
    term("6b 0002 0102", Tag::STRING, "[1,2]");
    term("6b 0003 617a22", Tag::STRING, r#""az\"""#);
    term("6c 00000001 6101 6102", Tag::LIST, "[1|2]");
    // A tail may be a list in any encoding. Together they are one list.
    for (bytes, tag) in [
        ("6b 0002 0162", Tag::STRING),
        ("6c 00000002 6101 6162 6a", Tag::LIST),
        ("6c 00000001 6101 6b 0001 62", Tag::LIST),
        ("6c 00000001 6101 6c 00000001 6162 6a", Tag::LIST),
        ("6c 00000001 6101 6c 00000000 6b 0001 62", Tag::LIST),
        ("6c 00000002 6101 6162 6b 0000", Tag::LIST),
    ] {
        let tree = term(bytes, tag, "[1,98]");
        let list = tree.root().as_list().unwrap();
        assert_eq!(list.to_integers(), Some(vec![1, 98]));
        assert!(list.tail().is_none() && !list.is_empty());
    }
    // A LIST without elements is its tail, whatever that is.
    let five = term("6c 00000000 61 05", Tag::LIST, "5");
    assert_eq!(five.root().as_i64(), Some(5));
    assert!(five.root().as_list().is_none());
    term("6c 00000000 6c 00000000 6a", Tag::LIST, "[]");
}

#[test]
fn binaries_and_bit_strings() {
    assert_eq!(term("6d 00000003 0102ff", Tag::BINARY, "<<1,2,255>>").root().as_binary(), Some(&[1, 2, 255][..]));
    term("6d 00000000", Tag::BINARY, "<<>>");
    term("4d 00000001 03 e0", Tag::BIT_BINARY, "<<7:3>>");
    term("4d 00000003 03 0102a0", Tag::BIT_BINARY, "<<1,2,5:3>>");
    term("4d 00000001 08 ff", Tag::BIT_BINARY, "<<255>>");
    term("4d 00000000 00", Tag::BIT_BINARY, "<<>>");
    let dirty = term("4d 00000001 03 ff", Tag::BIT_BINARY, "<<7:3>>");
    assert!(matches!(dirty.root().value(), Value::Bits { bytes: [0xFF], last: 3 }));
}

#[test]
fn maps() {
    let tree = term("74 00000002 64 0001 6b 6101 61 02 6a", Tag::MAP, "#{k => 1,2 => []}");
    let Value::Map(pairs) = tree.root().value() else { panic!() };
    let keys: Vec<String> = pairs.map(|(key, _)| key.to_string()).collect();
    assert_eq!(keys, ["k", "2"]);
    term("74 00000000", Tag::MAP, "#{}");
}

#[test]
fn pids_ports_and_references() {
    term(&format!("58 {NODE} 00000001 00000002 00000103"), Tag::NEW_PID, "#Pid<a@b,1,2,259>");
    term(&format!("67 {NODE} 00000001 00000002 03"), Tag::PID, "#Pid<a@b,1,2,3>");
    term(&format!("59 {NODE} 00000001 00000002"), Tag::NEW_PORT, "#Port<a@b,1,2>");
    term(&format!("66 {NODE} 00000001 02"), Tag::PORT, "#Port<a@b,1,2>");
    term(&format!("78 {NODE} 0000000100000000 00000002"), Tag::V4_PORT, "#Port<a@b,4294967296,2>");
    term(&format!("65 {NODE} 00000001 02"), Tag::REFERENCE, "#Ref<a@b,2,1>");
    term(&format!("72 0002 {NODE} 02 00000001 00000003"), Tag::NEW_REFERENCE, "#Ref<a@b,2,1,3>");
    term(&format!("5a 0001 {NODE} 00000002 00000001"), Tag::NEWER_REFERENCE, "#Ref<a@b,2,1>");
    term(&format!("5a 0000 {NODE} 00000002"), Tag::NEWER_REFERENCE, "#Ref<a@b,2>");
    let five = "00000001 00000002 00000003 00000004 00000005";
    term(&format!("72 0005 {NODE} 02 {five}"), Tag::NEW_REFERENCE, "#Ref<a@b,2,1,2,3,4,5>");
    for (bytes, words) in [("72 0006", 6), ("5a 0006", 6), ("5a ffff", 65535)] {
        let bytes = [hex(bytes), hex(NODE), vec![0; 40]].concat();
        let error = Tree::from_bytes(&bytes).unwrap_err();
        assert!(matches!(*error.kind(), ReadErrorKind::ReferenceWords { words: found } if found == words), "{error}");
    }
}

#[test]
fn funs_and_exports() {
    term("71 64 0005 6c69737473 64 0003 6d6170 61 02", Tag::EXPORT, "fun lists:map/2");
    term("71 73 01 6d 77 01 66 62 0000012c", Tag::EXPORT, "fun m:f/300");
    term("71 73 01 6d 77 01 66 6e 03 00 02 00 00", Tag::EXPORT, "fun m:f/2");
    for bytes in ["71 73 01 6d 77 01 66 62 ffffffff", "71 73 01 6d 77 01 66 6f 00000009 00 000000000000000001"] {
        let error = Tree::from_bytes(&hex(bytes)).unwrap_err();
        assert!(matches!(error.kind(), ReadErrorKind::ExportArity) && error.help().unwrap().contains("lenient"));
        assert_eq!(Tree::from_bytes_with(&hex(bytes), &lenient()).unwrap().as_bytes(), hex(bytes));
    }
    let pid = format!("67 {NODE} 00000001 00000002 03");
    let head = "70 00000000 02 000102030405060708090a0b0c0d0e0f 00000007";
    let fun =
        term(&format!("{head} 00000002 64 0001 6d 61 01 62 00000009 {pid} 61 05 68 00"), Tag::NEW_FUN, "#Fun<m,7,2>");
    let free: Vec<String> = fun.root().children().map(|term| term.to_string()).collect();
    assert_eq!(free, ["5", "{}"]);
    let fun = term(&format!("{head} 00000000 64 0001 6d 61 01 61 09 {pid}"), Tag::NEW_FUN, "#Fun<m,7,2>");
    assert_eq!(fun.root().children().len(), 0);
    let error = Tree::from_bytes(&hex(&format!("{head} 00000000 61 01"))).unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::Expected { expected: "a module atom", found: Tag::SMALL_INTEGER }));
}

#[test]
fn terms_of_a_running_node_are_opaque_in_the_lenient_mode() {
    let bytes = hex("79 0102030461 05");
    let error = Tree::from_bytes(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::Local));
    assert!(error.help().unwrap().contains("lenient"));
    let tree = Tree::from_bytes_with(&bytes, &lenient()).unwrap();
    assert_eq!((tree.as_bytes(), &*tree.to_string()), (&*bytes, "#Local<7 bytes>"));
}

#[test]
fn streams() {
    let document = Document::from_bytes(&hex("83 61 05 61 06")).unwrap();
    assert_eq!((&*document.tree().to_string(), document.trailing()), ("5", &[0x61, 6][..]));
    // Compressed: first with bytes after the stream, then with bytes after the inner term.
    let document = Document::from_bytes(&hex("83 50 00000002 789c4b64050000c90067 4a55")).unwrap();
    assert_eq!((&*document.tree().to_string(), document.trailing()), ("5", &[0x4A, 0x55][..]));
    assert_eq!(document.stream().map(<[u8]>::len), Some(10));
    let document = Document::from_bytes(&hex("83 50 00000004 789c4b644d640300025f00ce")).unwrap();
    assert_eq!(document.to_bytes().unwrap(), hex("83 50 00000004 789c4b644d640300025f00ce"));

    let error = |bytes: &str| Document::from_bytes(&hex(bytes)).unwrap_err();
    let at = |bytes: &str| {
        let place = error(bytes).position().unwrap();
        (place.offset, place.space, error(bytes).category())
    };
    assert_eq!(at(""), (0, Space::File, Category::Truncated));
    assert_eq!(at("84 61 05"), (0, Space::File, Category::Malformed));
    assert_eq!(at("83"), (1, Space::File, Category::Truncated));
    assert_eq!(at("83 50 00000000 789c030000000001"), (6, Space::File, Category::Malformed));
    assert_eq!(at("83 50 00000002 789c4b64"), (10, Space::File, Category::Truncated));
    // The inner term is 81 = 'Q'.
    assert_eq!(at("83 50 00000001 789c0b04000052 0052"), (0, Space::Inflated, Category::Malformed));
}

#[test]
fn streams_are_sniffed() {
    use mapwright_io::Confidence;
    assert_eq!(sniff(&hex("83 50 00000002 789c")), Confidence::Certain);
    for other in ["83 50 00000002 789d", "83 50 00000002 79", "83 44 00", "82 61 05", "83", ""] {
        assert_eq!(sniff(&hex(other)), Confidence::No, "{other}");
    }
    assert_eq!(sniff(&hex("83 61")), Confidence::Maybe);
    assert_eq!(FORMAT.extensions[0], "etf");
}

#[test]
fn errors_have_a_position_and_a_path() {
    // {1,2,[#{1 => 2, <tag 82> => 3}]}
    let bytes = hex("68 03 6101 6102 6c 00000001 74 00000002 6101 6102 52 00 6103 6a");
    let error = Tree::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "tag 82 cannot start a term in a file at offset 20 (0x14) in [2][0][1].key");
    // In a value, in a tail, after closed terms of every shape.
    for (bytes, offset, path) in [
        ("74 00000001 68 01 6a 52", 8, "[0].value"),
        ("6c 00000002 6a 68 01 6a 52", 9, "tail"),
        ("68 02 68 02 6c 00000001 6a 6a 61 01 68 01 52", 15, "[1][0]"),
        ("52", 0, ""),
        ("68 02 61 01", 4, "[1]"),
        ("68 01 6c 000000ff 6a", 2, "[0]"),
    ] {
        let error = Tree::from_bytes(&hex(bytes)).unwrap_err();
        assert_eq!((error.position().unwrap().offset, &*error.path().to_string()), (offset, path), "{bytes}");
        // In a stream, the 131 counts.
        let error = Document::from_bytes(&[vec![131], hex(bytes)].concat()).unwrap_err();
        assert_eq!(error.position().unwrap().offset, offset + 1);
    }
    let error = Tree::from_bytes(&hex("61 05 61 06")).unwrap_err();
    assert_eq!(error.to_string(), "2 unexpected bytes after the end at offset 2 (0x2)");
}

#[test]
fn a_term_knows_its_path() {
    let tree = Tree::from_bytes(&hex("68 03 6101 6102 6c 00000001 74 00000001 6101 68 01 6a 6107")).unwrap();
    let paths: Vec<String> = tree.root().descendants().map(|term| term.path().to_string()).collect();
    assert_eq!(
        paths,
        ["", "[0]", "[1]", "[2]", "[2][0]", "[2][0][0].key", "[2][0][0].value", "[2][0][0].value[0]", "[2].tail"]
    );
}
