//! KeyValues2: texts written by hand, and real files if the corpus is available.

use crate::support;

use mapwright_dmx::io::{Category, LineColumn, Severity};
use mapwright_dmx::{
    Document, Encoding, EncodingName, LineEnd, ReadErrorKind, Reference, TextStyle, Value, WriteErrorKind, WriteOptions,
};
use mapwright_testkit::{corpus, files_below, hexdiff};
use support::dump;

fn read(text: &str) -> Document {
    Document::from_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn fresh(mut document: Document, options: &WriteOptions) -> String {
    document.forget_source();
    String::from_utf8(document.to_bytes_with(options).unwrap()).unwrap()
}

const A: &str = "5eed0000-0000-4000-8000-00000000000a";
const B: &str = "5eed0000-0000-4000-8000-00000000000b";

#[test]
fn all_accepted_forms_are_read() {
    let text = r#"<!-- DMX  encoding keyvalues2 1	format dmx 1 -->// comment
"Root" { "id" "elementid" "5EED0000-0000-4000-8000-00000000000A", "name" "string" "r" // }
 "id" "binary" "00 0102  0a
 0B" "name" "string" "an attribute"
 "i" "int_array" [ "1" "2", 3, -4 ] "f" "float_array"[".9","45.0","-1e-3","nan","-inf",] "e" "int_array"
 [ ] "escapes" "string" "\n \t \v \b \r \f \a \\ \? \' \" \x"
 "q" "angle" "1 2 3" "m" "vmatrix" "1 0 0 0
0 1 0 0	0 0 1 0 0 0 0 1" "u" "uint64_array" ["0xFf" "18446744073709551615"] "t" "time" "1.50004"
 "before" "element" "5eed0000-0000-4000-8000-00000000000b" "none" "element" ""
 "other" "element" "5eed0000-0000-4000-8000-00000000000c" "odd" "element" "no identity"
 "mixed" "element_array" [ "element" "" "Kid" { } , "element" "5eed0000-0000-4000-8000-00000000000A"
 "element" { } ] "o" "elementid" "00000000-0000-0000-0000-000000000001"
}
"int" { "id" "elementid" "5eed0000-0000-4000-8000-00000000000b" "id" "elementid" "00000000-0000-0000-0000-000000000000" }"#;
    let expected = format!(
        r#"dmx "keyvalues2" 1 "dmx" 1
element 0 "Root" "r" {A}
  "id" binary 5 0001020a0b
  "name" string "an attribute"
  "i" int_array 4 [1, 2, 3, -4]
  "f" float_array 5 [3f666666, 42340000, ba83126f, 7fc00000, ff800000]
  "e" int_array 0 []
  "escapes" string "\x0a \x09 \x0b \x08 \x0d \x0c \x07 \x5c ? ' \x22 x"
  "q" qangle 3f800000 40000000 40400000
  "m" matrix 3f800000 00000000 00000000 00000000 00000000 3f800000 00000000 00000000 00000000 00000000 3f800000 00000000 00000000 00000000 00000000 3f800000
  "u" uint64_array 2 [0xff, 0xffffffffffffffff]
  "t" time 15000
  "before" element @3
  "none" element null
  "other" element ext:5eed0000-0000-4000-8000-00000000000c
  "odd" element ext:no identity
  "mixed" element_array 4 [null, @1, @0, @2]
  "o" objectid 00000000-0000-0000-0000-000000000001
element 1 "Kid" "" -
element 2 "element" "" -
element 3 "int" "" {B}
  "id" objectid 00000000-0000-0000-0000-000000000000
"#
    );
    assert_eq!(dump(&read(text)), expected);
    assert_eq!(read(text).to_bytes().unwrap(), text.as_bytes());
}

const LAID_OUT: &str = r#"<!-- dmx encoding keyvalues2 4 format vmap 40 -->
"$prefix_element$"
{
	"id" "elementid" "5eed0000-0000-4000-8000-00000000000b"
	"assets" "string_array" 
	[
		"a\\b \"c\"",
		""
	]
}
"CMapRootElement"
{
	"id" "elementid" "5eed0000-0000-4000-8000-00000000000a"
	"none" "int_array" 
	[
	]
	"camera" "CStoredCamera"
	{
		"id" "elementid" "5eed0000-0000-4000-8000-000000000001"
		"name" "string" "n"
		"position" "vector3" "-270.1130371094 -0 562.0910644531"
		"inner" "Inner"
		{
		}
		
	}
	
	"bytes" "binary" 
	"
		000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F2021222324252627
		28
	"
	"nobytes" "binary" 
	"
	"
	"matrix" "matrix" 
	"
		1 0 0 0
		0 1 0 0
		0 0 1 0
		0 0 0 1
	"
	"referenceID" "uint64" "0xff"
	"time" "time" "1.5000"
	"tint" "color" "255 0 1 2"
	"children" "element_array" 
	[
		"element" "",
		"CMapEntity"
		{
			"id" "elementid" "5eed0000-0000-4000-8000-000000000002"
		},
		"element" "5eed0000-0000-4000-8000-000000000003",
		"element" "5eed0000-0000-4000-8000-000000000004"
	]
	"again" "element" "5eed0000-0000-4000-8000-000000000003"
}

"CMapMesh"
{
	"id" "elementid" "5eed0000-0000-4000-8000-000000000003"
}

"Unreachable"
{
	"id" "elementid" "5eed0000-0000-4000-8000-000000000005"
}

"#;

#[test]
fn the_layout_of_hammer() {
    let document = read(LAID_OUT);
    assert_eq!(document.prefix.len(), 1);
    let copy = document.element(document.prefix_copy().unwrap()).unwrap();
    assert_eq!((copy.class(), copy.guid().unwrap().to_string()), (&b"DmElement"[..], B.to_owned()));
    let again = document.root().unwrap().child("again").unwrap();
    assert_eq!(again.class(), b"CMapMesh");
    assert!(matches!(document.root().unwrap().get("children"), Some(Value::ElementArray(items))
        if items[0] == Reference::Null && items[2] == Reference::Element(again.id()) && matches!(items[3], Reference::External(_))));
    assert_eq!(fresh(document.clone(), &WriteOptions::default()), LAID_OUT);
    let crlf = fresh(document, &WriteOptions::default().with_line_end(LineEnd::CrLf));
    assert_eq!(crlf, LAID_OUT.replace('\n', "\r\n"));
    assert_eq!(fresh(read(&crlf), &WriteOptions::default()), LAID_OUT);
}

#[test]
fn names_and_identities_by_encoding() {
    let source = "<!-- dmx encoding keyvalues2 4 format x 1 -->\n\"A\" { \"id\" \"elementid\" \"5eed0000-0000-4000-8000-00000000000a\" \"b\" \"B\" { \"id\" \"elementid\" \"5eed0000-0000-4000-8000-00000000000b\" } }";
    let in_encoding = |name, version, twice: bool| {
        let mut document = read(source);
        if twice {
            let value = document.root().unwrap().get("b").unwrap().clone();
            document.set(mapwright_dmx::ElementId::ROOT, "c", value);
        }
        document.set_encoding(Encoding { name, version });
        fresh(document, &WriteOptions::default()).split_once('\n').unwrap().1.replace('\n', " ").replace('\t', "")
    };
    let (a, b) = (format!("\"id\" \"elementid\" \"{A}\""), format!("\"id\" \"elementid\" \"{B}\""));
    let name = "\"name\" \"string\" \"\"";
    assert_eq!(
        in_encoding(EncodingName::KeyValues2, 1, false),
        format!(r#""A" {{ {a} {name} "b" "B" {{ {b} {name} }}  }}  "#)
    );
    assert_eq!(in_encoding(EncodingName::KeyValues2, 4, false), format!(r#""A" {{ {a} "b" "B" {{ {b} }}  }}  "#));
    assert_eq!(in_encoding(EncodingName::KeyValues2NoIds, 1, false), r#""A" { "b" "B" { }  }  "#);
    assert_eq!(
        in_encoding(EncodingName::KeyValues2NoIds, 4, true),
        format!(r#""A" {{ "b" "element" "{B}" "c" "element" "{B}" }}  "B" {{ {b} }}  "#)
    );
    assert_eq!(
        in_encoding(EncodingName::KeyValues2Flat, 4, false),
        format!(r#""A" {{ {a} "b" "element" "{B}" }}  "B" {{ {b} }}  "#)
    );
}

#[test]
fn unrepresentable_documents_are_rejected() {
    let text = format!("<!-- dmx encoding keyvalues2 4 format x 1 -->\n\"A\" {{ \"id\" \"elementid\" \"{A}\" }}");
    let document = |change: &dyn Fn(&mut Document)| {
        let mut document = read(&text);
        document.forget_source();
        change(&mut document);
        document.to_bytes().map_err(mapwright_dmx::WriteError::into_kind)
    };
    let root = mapwright_dmx::ElementId::ROOT;
    let twin = document(&|document| {
        let twin = document.push("B", "", A.parse().unwrap());
        document.set(root, "b", Value::ElementArray([Reference::Element(twin), Reference::Element(twin)].into()));
    });
    assert!(matches!(twin, Err(WriteErrorKind::AmbiguousId(_))));
    let external = |text: &str| {
        document(&|document| {
            let text = document.intern(text);
            document.set(root, "b", Value::Element(Reference::External(text)));
        })
    };
    assert!(matches!(external(A), Err(WriteErrorKind::AmbiguousId(_))));
    assert!(matches!(external(""), Err(WriteErrorKind::NotInText(_))));
    assert!(external(B).is_ok());
    let prefix = document(&|document| {
        document.push("$prefix_element$", "", B.parse().unwrap());
    });
    assert!(matches!(prefix, Err(WriteErrorKind::NotInText(_))));
    let lost =
        document(&|document| document.set(root, "b", Value::Element(Reference::Element(mapwright_dmx::ElementId(7)))));
    assert!(matches!(lost, Err(WriteErrorKind::ElementIndex { index: 7, count: 1 })));
}

#[test]
fn errors_have_their_position_and_path() {
    let header = "<!-- dmx encoding keyvalues2 1 format x 1 -->\r\n";
    for (text, line, column, path, what) in [
        (
            "\"A\"\r\n{\r\n \"v\" \"vector3\" \"1 2\"\r\n}",
            4,
            16,
            "elements[0].v",
            "invalid value \"1 2\" of type vector3",
        ),
        ("\"A\" { \"v\" int \"1\" }", 2, 11, "elements[0].v", "expected a string in quotes or a bracket, found int"),
        ("\"A\" { \"v\" \"int\" }", 2, 17, "elements[0].v", "expected a value, found }"),
        ("\"A\" { \"v\" \"interger\" \"1\" }", 2, 11, "elements[0].v", "expected a type, found \\\"interger\\\""),
        ("\"A\" { \"v\" \"int\" 1 }", 2, 17, "elements[0].v", "expected a value, found 1"),
        (
            "\"A\" { \"k\" \"B\" { \"l\" \"element_array\" [ \"C\" {} \"D\" { \"x\" \"int\" \"?\" } ] } }",
            2,
            62,
            "elements[0].k.l[1].x",
            "invalid value \"?\" of type int",
        ),
        ("\"A\" { \"l\" \"element_array\" [ \"C\" {} \"5\" ] }", 2, 40, "elements[0].l[1]", "expected {, found ]"),
        ("\"A\" {", 2, 6, "elements[0]", "expected the name of an attribute or }, found the end of the file"),
        ("\"A\" { } }", 2, 9, "", "expected the class of an element, found }"),
        (
            "\"A\" { \"id\" \"elementid\" \"5eed\" }",
            2,
            24,
            "elements[0].id",
            "invalid value \"5eed\" of type elementid",
        ),
        (
            "\"$prefix_element$\" { \"a\" \"uint8_array\" [ \"256\" ] }",
            2,
            42,
            "prefix[0].a",
            "invalid value \"256\" of type uint8",
        ),
        ("", 2, 1, "", "the file has no elements"),
        ("\"$prefix_element$\" { }", 2, 23, "", "the file has no elements"),
    ] {
        let text = format!("{header}{text}");
        let error = Document::from_bytes(text.as_bytes()).unwrap_err();
        assert_eq!((error.path().to_string().as_str(), error.kind().to_string().as_str()), (path, what), "{text}");
        assert_eq!(error.position().and_then(|at| at.text), Some(LineColumn { line, column }), "{text}");
    }
    let unended = Document::from_bytes(format!("{header}\"A\" {{ \"v\" \"string\" \"x\\\"").as_bytes()).unwrap_err();
    assert!(matches!(unended.kind(), ReadErrorKind::UnendedString), "{unended}");
    assert_eq!(unended.category(), Category::Truncated);
}

/// Files of the corpus that can be read.
fn files(wanted: impl Fn(&Document) -> bool) -> Vec<(String, Vec<u8>)> {
    let folders = ["dmx", "vmap"].into_iter().filter_map(corpus);
    let paths: Vec<_> = folders.flat_map(|folder| files_below(&folder)).collect();
    if paths.is_empty() {
        eprintln!("SKIPPED: the corpus is not there");
    }
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let files = paths.into_iter().map(|path| (name(&path), std::fs::read(path).unwrap()));
    files.filter(|(_, bytes)| Document::from_bytes(bytes).is_ok_and(|document| wanted(&document))).collect()
}

fn is_text(document: &Document) -> bool {
    document.header.encoding.is_text()
}

/// Removes the spaces that Hammer leaves on empty lines, as version control or editors do.
fn trimmed(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| if line.trim_ascii().is_empty() { &[] } else { line });
    lines.collect::<Vec<_>>().join(&b'\n')
}

#[test]
#[ignore = "needs the corpus"]
fn every_corpus_text_comes_back_byte_for_byte() {
    let files = files(is_text);
    for (name, bytes) in &files {
        let document = Document::from_bytes(bytes).unwrap();
        let diff = hexdiff(bytes, &document.to_bytes().unwrap());
        assert!(diff.is_none(), "{name}: {}", diff.unwrap_or_default());
        // Formatted from scratch, it is the same graph.
        let mut other = document.clone();
        other.forget_source();
        let other = Document::from_bytes(&other.to_bytes().unwrap()).unwrap();
        assert_eq!(other.elements.len(), document.elements.len(), "{name}");
    }
    let refused = ["dmx", "vmap"].into_iter().filter_map(corpus).flat_map(|folder| files_below(&folder));
    let refused = refused.filter(|path| {
        let bytes = std::fs::read(path).unwrap();
        bytes.starts_with(b"<!-- dmx encoding keyvalues2") && Document::from_bytes(&bytes).is_err()
    });
    let mut refused: Vec<_> = refused.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    refused.sort();
    if !files.is_empty() {
        let expected =
            ["bad_kv2_deep.dmx", "bad_kv2_numbers.dmx", "bad_kv2_unterminated.dmx", "s1i_unquoted_type.vmap.txt"];
        assert_eq!(refused, expected);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_texts_of_valves_programs_are_laid_out_as_they_do() {
    let (mut same, mut nearly) = (Vec::new(), Vec::new());
    for (name, bytes) in files(is_text) {
        let mut document = Document::from_bytes(&bytes).unwrap();
        document.forget_source();
        let crlf = bytes.windows(2).any(|two| two == b"\r\n");
        let options = WriteOptions::default().with_style(TextStyle::Hammer);
        let options = options.with_line_end(if crlf { LineEnd::CrLf } else { LineEnd::Lf });
        let laid_out = document.to_bytes_with(&options).unwrap();
        if laid_out == bytes {
            same.push(name);
        } else if trimmed(&laid_out) == trimmed(&bytes) {
            nearly.push(name);
        }
    }
    for name in [
        "hla_inf_env_cubemap_145.vtex",
        "s1i_hammer_empty.vmap.txt",
        "s1i_hammer_triangle.vmap.txt",
        "srct_tf_movies_text_2009.dmx",
    ] {
        assert!(corpus("vmap").is_none() || same.iter().any(|other| other == name), "{name}");
    }
    for name in ["ddnet_cs2_map.vmap.txt", "ddnet_reflectiontest.vmap.txt"] {
        assert!(corpus("vmap").is_none() || nearly.iter().any(|other| other == name), "{name}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn binary_corpus_files_survive_text() {
    for (name, bytes) in files(|document| !is_text(document)) {
        let mut document = Document::from_bytes(&bytes).unwrap();
        let encoding = document.header.encoding;
        document.set_encoding(Encoding::KEYVALUES2_4);
        let text = document.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut document = Document::from_bytes(&text).unwrap();
        document.set_encoding(encoding);
        let why_not = match name.as_str() {
            "ddnet_binary4.dmx"
            | "s1i_w_ak47_phys.dmx"
            | "srct_sample.pcf"
            | "hla_ai_attached_item_manager_custom.dmx" => Some("strings that nothing uses"),
            "ddnet_overboss_run.dmx" => Some("the copy of the prefix attributes is not the second element"),
            "index_minus_one_v9.dmx" => Some("the empty string is not in the table"),
            "float_bits_v9.dmx" => Some("payloads of NaN"),
            "odd_trailing_bytes.dmx" => Some("bytes after the end"),
            "legacy_binary.dmx" | "legacy_sfm.dmx" => Some("the header is an old one"),
            name if name.starts_with("sbox_hover_") && name.ends_with(".dmx") => Some("the order of another program"),
            name if name.starts_with("srct_export_v") => Some("the order of another program"),
            _ => None,
        };
        let same = document.to_bytes().is_ok_and(|back| back == bytes);
        assert!(same == why_not.is_none(), "{name}: {same}, {why_not:?}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_text_and_binary_of_a_graph_agree() {
    let Some(folder) = corpus("vmap") else { return eprintln!("SKIPPED: the corpus is not there") };
    for (name, rounded) in [("ddnet_cs2_map", 0), ("ddnet_reflectiontest", 2)] {
        let mut binary = Document::from_bytes(&std::fs::read(folder.join(format!("{name}.vmap"))).unwrap()).unwrap();
        let text = std::fs::read(folder.join(format!("{name}.vmap.txt"))).unwrap();
        if name == "ddnet_cs2_map" {
            // Its text was saved without a thumbnail, and another usage.
            let world = binary.root().unwrap().child("world").unwrap().id();
            let usage = binary.string_value("hellyea");
            binary.set(world, "mapUsageType", usage);
            let copy = binary.prefix_copy().unwrap();
            for attribute in ["asset_preview_thumbnail", "asset_preview_thumbnail_format"] {
                binary.unset(copy, attribute);
            }
            binary.prefix[0] = binary.elements[copy.index()].attributes.clone();
            binary.lay_out(mapwright_dmx::WriterProfile::Valve);
        }
        let mut document = Document::from_bytes(&text).unwrap();
        document.set_encoding(Encoding::BINARY_9);
        // Hammer gives new identities when it saves.
        assert_eq!(document.elements.len(), binary.elements.len(), "{name}");
        for (element, other) in binary.elements.iter_mut().zip(&document.elements) {
            element.id = other.id;
        }
        let (found, expected) = (document.to_bytes().unwrap(), binary.to_bytes().unwrap());
        assert_eq!(found.len(), expected.len(), "{name}");
        assert_eq!(found.iter().zip(&expected).filter(|(one, other)| one != other).count(), rounded, "{name}");
        binary.set_encoding(Encoding::KEYVALUES2_4);
        let options = WriteOptions::default().with_style(TextStyle::Hammer);
        assert!(trimmed(&binary.to_bytes_with(&options).unwrap()) == trimmed(&text), "{name}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn a_changed_value_of_a_corpus_text_changes_its_line_alone() {
    for (name, bytes) in files(is_text) {
        let document = Document::from_bytes(&bytes).unwrap();
        let numbers = document.elements.iter().enumerate().flat_map(|(index, element)| {
            let numbers = element.attributes.iter().enumerate();
            numbers.filter(|(_, it)| matches!(it.value, Value::Int(_))).map(move |(at, _)| (index, at))
        });
        let numbers: Vec<_> = numbers.collect();
        for (index, at) in numbers.iter().step_by(numbers.len() / 5 + 1) {
            let mut document = document.clone();
            document.elements[*index].attributes[*at].value = Value::Int(123_456);
            let written = document.to_bytes().unwrap();
            let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
            let (old, new) = (lines(&bytes), lines(&written));
            assert_eq!(old.len(), new.len(), "{name}");
            let changed: Vec<_> = old.iter().zip(&new).filter(|(old, new)| old != new).collect();
            assert_eq!(changed.len(), 1, "{name}");
            assert!(changed[0].1.windows(8).any(|text| text == b"\"123456\""), "{name}");
        }
    }
}

#[test]
fn the_identity_of_a_second_prefix_block_is_an_attribute() {
    let id = |last: char| format!("\"id\" \"elementid\" \"5eed0000-0000-4000-8000-00000000000{last}\"");
    let text = format!(
        "<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n\"$prefix_element$\" {{ {} }}\n\"$prefix_element$\" {{ {} }}\n\"A\" {{ }}\n",
        id('1'),
        id('2')
    );
    let mut document = Document::from_bytes(text.as_bytes()).unwrap();
    assert_eq!(document.prefix[0], []);
    assert!(matches!(document.prefix[1][0].value, Value::ObjectId(_)));
    assert_eq!(document.to_bytes().unwrap(), text.as_bytes());
    document.forget_source();
    let written = String::from_utf8(document.to_bytes().unwrap()).unwrap();
    assert!(written.contains(&id('1')) && written.contains(&id('2')), "{written}");
}

#[test]
fn an_error_in_a_cached_entry_has_its_position() {
    let kid = |value: &str, word: &str| {
        format!("\t\"K\"\n\t{{\n\t\t\"v\" \"{word}\" \"{value}\"\n\t\t\"w\" \"int\" \"1\"\n\t}}\n")
    };
    let text = |value: &str, word: &str| {
        format!(
            "<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n\"R\"\n{{\n\"l\" \"element_array\" [\n{}{}]\n}}\n",
            kid("1 2 3", "vector3"),
            kid(value, word)
        )
    };
    let same = Document::from_bytes(text("4 5 6", "vector3").as_bytes()).unwrap();
    let values: Vec<_> = same.iter().filter_map(|element| element.get("v").cloned()).collect();
    assert_eq!(values, [Value::Vector3([1.0, 2.0, 3.0]), Value::Vector3([4.0, 5.0, 6.0])]);
    let wrong = Document::from_bytes(text("4 5", "vector3").as_bytes()).unwrap_err();
    assert!(wrong.to_string().contains("l[1].v"), "{wrong}");
    assert_eq!(wrong.position().and_then(|at| at.text).map(|at| (at.line, at.column)), Some((12, 17)), "{wrong}");
    let other = Document::from_bytes(text("4 5", "vector2").as_bytes()).unwrap();
    assert_eq!(other.iter().nth(2).unwrap().get("v"), Some(&Value::Vector2([4.0, 5.0])));
}

/// Maps of format 20 have the class of the text block in binary, others `DmElement`.
#[test]
fn early_copies_of_the_prefix_become_one_block() {
    for (version, class) in [(18, "DmElement"), (20, "$prefix_element$"), (28, "DmElement")] {
        let text = format!(
            "<!-- dmx encoding keyvalues2 4 format vmap {version} -->\n\"$prefix_element$\"\n{{\n\"id\" \"elementid\" \"{B}\"\n\"a\" \
             \"int\" \"1\"\n}}\n\"CMapRootElement\"\n{{\n\"id\" \"elementid\" \"{A}\"\n}}\n"
        );
        let mut map = read(&text);
        map.set_encoding(Encoding::BINARY_9);
        let mut binary = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        let copy = binary.prefix_copy().expect("a copy");
        assert_eq!(binary.string(binary.elements[copy.index()].class), class.as_bytes());
        assert_eq!(binary.validate().iter().filter(|finding| finding.severity > Severity::Note).count(), 0);
        binary.set_encoding(Encoding::KEYVALUES2_4);
        let written = String::from_utf8(binary.to_bytes().unwrap()).unwrap();
        assert_eq!(written.matches("$prefix_element$").count(), 1, "{written}");
        assert!(!written.contains("DmElement"), "{written}");
    }
}
