//! Hostile texts: any bytes are read or rejected in proportional time and memory.

use crate::support;

use std::time::Instant;

use mapwright_dmx::io::{Category, Limits};
use mapwright_dmx::{Document, ElementId, Encoding, Guid, ReadOptions, Reference, Value, WriterProfile};
use mapwright_testkit::mutate::{Rng, byte_flips, mutant, prefixes};
use support::dump;

const HEADER: &str = "<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n";

/// A text with every construct.
const TEXT: &str = r#"<!-- dmx encoding keyvalues2 4 format dmx 1 -->
"$prefix_element$" { "id" "elementid" "5eed0000-0000-4000-8000-00000000000b" "n" "string_array" [ "a", "b" ] }
"R" // root
{
	"id" "elementid" "5eed0000-0000-4000-8000-00000000000a"
	"name" "string" "\"x\\"
	"v" "vector3_array" [ "1 2 3", "-0.5 1e5 .25" ]
	"i" "int_array" [ 1 -2 "3" ]
	"b" "binary" "00 FF
0a" "k" "K" { "up" "element" "5eed0000-0000-4000-8000-00000000000a" }
	"l" "element_array" [ "K" { "t" "time" "1.5" }, "element" "", "element" "5eed0000-0000-4000-8000-00000000000c" ]
	"u" "uint64" "0xff" "c" "color" "1 2 3 4" "m" "matrix" "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"
}
"#;

/// Reads a text, writes it, and formats it from scratch.
fn survive(bytes: &[u8]) {
    match Document::from_bytes(bytes) {
        Ok(mut document) if document.header.encoding.is_text() => {
            assert!(document.to_bytes().unwrap() == bytes, "{}", bytes.escape_ascii());
            let lines = dump(&document).lines().count();
            document.forget_source();
            if let Ok(text) = document.to_bytes() {
                let again =
                    Document::from_bytes(&text).unwrap_or_else(|error| panic!("{error}\n{}", text.escape_ascii()));
                assert_eq!(dump(&again).lines().count(), lines, "{}\n{}", bytes.escape_ascii(), text.escape_ascii());
            }
        }
        Ok(_) => {}
        Err(error) => {
            let at = error.position().expect("has a place");
            assert!(at.offset <= bytes.len() as u64, "{error}");
            assert!(error.to_string().len() < 2000, "{error}");
        }
    }
}

#[test]
fn every_prefix_and_every_flipped_byte_is_survived() {
    for bytes in prefixes(TEXT.as_bytes()) {
        survive(bytes);
        let whole = TEXT.trim_ascii_end().len();
        assert!(Document::from_bytes(bytes).is_err() || bytes.len() >= whole, "{}", bytes.escape_ascii());
    }
    byte_flips(TEXT.as_bytes()).for_each(|bytes| survive(&bytes));
    let donors = [TEXT.as_bytes().to_vec()];
    let mut rng = Rng::new(5);
    (0..5000).for_each(|_| survive(&mutant(TEXT.as_bytes(), &donors, &mut rng)));
}

/// The time that a text takes, which must be in proportion to its size.
fn timed(what: &str, text: &str, expected: Option<Category>) {
    let start = Instant::now();
    let options = ReadOptions::default().with_limits(Limits::default().with_max_depth(u32::MAX));
    let result = Document::from_bytes_with(text.as_bytes(), &options);
    match (&result, expected) {
        (Ok(document), None) => {
            assert!(document.to_bytes().unwrap() == text.as_bytes(), "{what}");
            let mut document = document.clone();
            document.forget_source();
            assert!(document.to_bytes().is_ok(), "{what}");
        }
        (Err(error), Some(category)) => assert_eq!(error.category(), category, "{what}: {error}"),
        (Ok(_), Some(_)) => panic!("{what} was read"),
        (Err(error), None) => panic!("{what}: {error}"),
    }
    drop(result);
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "{what}: {seconds} s for {} bytes", text.len());
}

#[test]
fn large_files_take_linear_time() {
    let many = |count: usize, text: &str| text.repeat(count);
    let block = |inner: String| format!("{HEADER}\"A\" {{ {inner} }}");
    timed("open blocks", &format!("{HEADER}\"A\" {{{}", many(30_000, "\"a\" \"A\" {")), Some(Category::Malformed));
    timed("open arrays", &block(many(30_000, "\"a\" \"element_array\" [ \"A\" {")), Some(Category::Malformed));
    timed("comments", &block(many(300_000, "//\n")), None);
    timed("commas", &block(many(1_000_000, ",")), None);
    timed("a long string", &block(format!("\"a\" \"string\" \"{}\"", many(3_000_000, "\\\""))), None);
    timed(
        "an open string",
        &block(format!("\"a\" \"string\" \"{}", many(3_000_000, "\\\""))),
        Some(Category::Truncated),
    );
    timed("a long number", &block(format!("\"a\" \"float\" \"{}\"", many(3_000_000, "9"))), None);
    timed(
        "a long whole number",
        &block(format!("\"a\" \"int\" \"{}\"", many(3_000_000, "9"))),
        Some(Category::Malformed),
    );
    timed("a long exponent", &block(format!("\"a\" \"float\" \"1e-{}\"", many(1_000_000, "9"))), None);
    timed(
        "too many parts",
        &block(format!("\"a\" \"vector2\" \"{}\"", many(1_000_000, "1 "))),
        Some(Category::Malformed),
    );
    timed("many elements", &format!("{HEADER}{}", many(30_000, "\"\"{}")), None);
    timed("one name", &block(many(200_000, "\"name\" \"int\" \"1\"")), None);
    timed(
        "many references to nothing",
        &block(format!("\"a\" \"element_array\" [{}]", many(200_000, "\"element\"\"x\""))),
        None,
    );
    timed("nothing but quotes", &format!("{HEADER}{}", many(1_000_000, "\"")), Some(Category::Malformed));
    timed("bytes of no token", &format!("{HEADER}{}", many(1_000_000, "\u{1}")), Some(Category::Malformed));
}

#[test]
fn deeply_nested_elements_are_read() {
    const DEPTH: usize = 30_000;
    let text = format!("{HEADER}{}{}", "\"A\"{\"a\"".repeat(DEPTH - 1) + "\"A\"{", "}".repeat(DEPTH));
    let refused = Document::from_bytes(text.as_bytes()).unwrap_err();
    assert_eq!(refused.category(), Category::Limit, "{refused}");
    let options = ReadOptions::default().with_limits(Limits::default().with_max_depth(u32::MAX));
    let document = Document::from_bytes_with(text.as_bytes(), &options).unwrap();
    assert_eq!(document.elements.len(), DEPTH);
    assert!(document.to_bytes().unwrap() == text.as_bytes());
    drop(document);
    // New text limits the nesting: its size is not the square of the depth, and it can be read.
    let mut binary = Document::new(Encoding::BINARY_9, "dmx", 1, "A", Guid::from_hash(b"root"));
    for index in 0..3000_u32 {
        let child = binary.push("A", "", Guid::from_hash(&index.to_le_bytes()));
        binary.set(ElementId(index), "a", Value::Element(Reference::Element(child)));
    }
    binary.lay_out(WriterProfile::Valve);
    let mut text = binary.clone();
    text.set_encoding(Encoding::KEYVALUES2_4);
    let text = text.to_bytes().unwrap();
    assert!(text.len() < 12_000_000, "{}", text.len());
    let mut read = Document::from_bytes(&text).unwrap();
    assert!(read.to_bytes().unwrap() == text);
    read.set_encoding(Encoding::BINARY_9);
    assert!(read.to_bytes().unwrap() == binary.to_bytes().unwrap());
}
