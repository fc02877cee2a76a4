//! Files made to break a reader: an error or a document, in bounded memory, on a small stack. One test, because it measures
//! the heap.

#[path = "all/strategies.rs"]
mod strategies;
#[path = "all/support.rs"]
mod support;

use std::thread;

use mapwright_dmx::io::Limits;
use mapwright_dmx::{
    Document, ElementId, Encoding, Guid, ReadError, ReadOptions, Reference, Value, WriteOptions, WriterProfile,
};
use mapwright_testkit::mutate::Rng;
use mapwright_testkit::{PeakAlloc, allowed_memory, mutate, peak_of};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn survives(what: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    let input = (bytes, allowed_memory(bytes.len()));
    let validate = |document: &Document| document.validate().len();
    let offset = |error: &ReadError| error.position().map(|at| at.offset);
    mapwright_testkit::survives(&HEAP, what, input, Document::from_bytes, Document::to_bytes, validate, offset)
}

fn file(version: u8, body: &[&[u8]]) -> Vec<u8> {
    let header = format!("<!-- dmx encoding binary {version} format dmx 1 -->\n\0");
    [header.as_bytes(), &body.concat()].concat()
}

fn count(count: usize) -> [u8; 4] {
    u32::try_from(count).expect("small").to_le_bytes()
}

/// One element of version 1 with attributes that are spelled as given.
fn one_element(attributes: usize, spelling: &[u8]) -> Vec<u8> {
    file(1, &[&count(1), b"A\0\0", &[1; 16], &count(attributes), &spelling.repeat(attributes)])
}

#[test]
fn hostile_files() {
    damaged();
    declared();
    dense();
    dense_text();
    limited();
    kept_as_it_is();
    long();
    long_names();
    // Recursion over that many elements would need far more.
    let small = thread::Builder::new().stack_size(256 << 10).spawn(deep).expect("a thread");
    small.join().expect("no overflow");
}

fn damaged() {
    for version in 0..=9 {
        let document = strategies::random_document(version, 3, 5, &mut Rng::new(u64::from(version) + 40));
        let bytes = strategies::encode(&document, vec![b"unused".to_vec()]);
        survives("the original", &bytes).expect("a document");
        for prefix in mutate::prefixes(&bytes) {
            let _ = survives("a prefix", prefix);
        }
        for mutant in mutate::byte_flips(&bytes).chain(mutate::numbers(&bytes)) {
            // Texts are tested elsewhere.
            if !mutant.starts_with(b"<!-- DMXVersion") || mutant.contains(&0) {
                let _ = survives("a mutant", &mutant);
            }
        }
    }
}

/// Counts that promise more than there is.
fn declared() {
    for huge in [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x40", b"\xff\xff\0\0"] {
        let element = |attribute: &[u8]| {
            file(
                9,
                &[
                    &count(0),
                    &count(2),
                    b"A\0\0",
                    &count(1),
                    &[0; 4],
                    b"\x01\0\0\0",
                    &[1; 16],
                    &count(1),
                    &[0; 4],
                    attribute,
                ],
            )
        };
        for (what, bytes) in [
            ("blocks", file(9, &[huge])),
            ("attributes of a block", file(9, &[&count(1), huge])),
            ("strings", file(9, &[&count(0), huge])),
            ("elements", file(9, &[&count(0), &count(0), huge])),
            ("attributes", file(1, &[&count(1), b"A\0\0", &[1; 16], huge])),
            ("bytes", element(&[b"\x06", &huge[..]].concat())),
            ("items", element(&[b"\x2a", &huge[..]].concat())),
            ("strings of an array", element(&[b"\x25", &huge[..]].concat())),
            ("blobs of an array", element(&[b"\x26", &huge[..]].concat())),
            ("elements of an array", element(&[b"\x21", &huge[..]].concat())),
        ] {
            let error = survives(what, &bytes).expect_err(what);
            assert!(["truncated", "malformed"].contains(&error.category().name()), "{what}: {error}");
        }
    }
}

/// Files with as many items per byte as possible: attributes without name, arrays of empty strings and bytes.
fn dense() {
    // One more than what fits where a list has doubled: the worst there is.
    const MANY: usize = (1 << 19) + 1;
    for (what, bytes) in [
        ("nameless truths", one_element(MANY, b"\0\x04\0")),
        ("short names", one_element(MANY, b"a\0\x04\0")),
        ("short strings", one_element(MANY, b"a\0\x05b\0")),
        ("empty blobs", one_element(MANY, b"\0\x06\0\0\0\0")),
        ("empty arrays", one_element(MANY, b"\0\x12\0\0\0\0")),
        ("strings of an array", one_element(1, &[b"a\0\x13", &count(MANY)[..], &b"b\0".repeat(MANY)].concat())),
        ("empty strings of an array", one_element(1, &[b"a\0\x13", &count(MANY)[..], &b"\0".repeat(MANY)].concat())),
        ("blobs of an array", one_element(1, &[b"a\0\x14", &count(MANY)[..], &[0; 4 * MANY]].concat())),
        ("stubs", one_element(1, &[b"a\0\x0f", &count(MANY)[..], &b"\xfe\xff\xff\xffb\0".repeat(MANY)].concat())),
        ("elements", file(1, &[&count(MANY), &[b"\0\0", &[1; 16][..]].concat().repeat(MANY), &[0; 4 * MANY]])),
        ("blocks", file(9, &[&count(MANY), &[0; 4 * MANY], &count(0), &count(1), &[0xFF; 8], &[1; 16], &count(0)])),
        ("attributes of a block", file(9, &[&count(1), &count(MANY), &b"\0\x04\0".repeat(MANY)])),
        ("strings of a table", file(5, &[&count(MANY), &b"\0".repeat(MANY), &count(1), &[0; 8], &[1; 16], &count(0)])),
        ("trailing", file(1, &[&count(1), b"A\0\0", &[1; 16], &count(0), &[7; MANY]])),
    ] {
        if let Err(error) = survives(what, &bytes) {
            assert!(["limit", "truncated"].contains(&error.category().name()), "{what}: {error}");
        }
    }
}

/// Texts with as many items per byte as possible are read or rejected within the memory limit.
fn dense_text() {
    let many = |text: &str| text.repeat(2_000_000 / text.len());
    let block = |inner: String| format!("\"A\"{{{inner}}}");
    let array = |value_type: &str, item: &str| block(format!("\"a\"\"{value_type}_array\"[{}]", many(item)));
    let id = "\"A\"{\"id\"\"elementid\"\"00000000-0000-0000-0000-000000000001\"}";
    for (what, text) in [
        ("elements", many("\"\"{}")),
        ("elements with identities", many(id)),
        ("attributes", block(many("\"\"\"int\"\"0\""))),
        ("blocks", many("\"\"\"\"{")),
        ("blocks of prefix attributes", many("\"$prefix_element$\"{}") + "\"\"{}"),
        ("prefix attributes", many("\"$prefix_element$\"{\"\"\"int_array\"[1 1 1 1 1 1 1]}") + "\"\"{}"),
        ("references", block(format!("\"a\"\"element_array\"[{}]", many("\"element\"\"\"")))),
        ("identities", block(format!("\"a\"\"element_array\"[{}]", many("\"element\"\"x\"")))),
        ("numbers", array("int", "1 ")),
        ("large numbers", array("uint64", "1 ")),
        ("blobs", array("binary", "\"\"")),
        ("strings", array("string", "\"\"")),
        ("escapes", block(format!("\"a\"\"string\"\"{}\"", many("\\\"")))),
        ("other strings", block((0..150_000).map(|number| format!("\"{number}\"\"int\"\"\"")).collect())),
    ] {
        let text = format!("<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n{text}");
        let allowed = allowed_memory(text.len());
        let (result, peak) = peak_of(&HEAP, || Document::from_bytes(text.as_bytes()));
        assert!(peak <= allowed, "{what}: {peak} bytes at the peak, {allowed} allowed");
        if let Err(error) = result {
            assert!(["limit", "malformed"].contains(&error.category().name()), "{what}: {error}");
        }
    }
}

/// An owned text is not copied.
fn kept_as_it_is() {
    let text = format!("<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n\"A\"\n{{\n}}\n{}", "// \n".repeat(1 << 20));
    let (copied, peak_copied) = peak_of(&HEAP, || Document::from_bytes(text.as_bytes()));
    let bytes = text.clone().into_bytes();
    let (kept, peak_kept) = peak_of(&HEAP, || Document::from_vec(bytes));
    assert!(copied.is_ok() && kept.is_ok() && peak_copied >= text.len());
    assert!(peak_kept < text.len() / 2, "{peak_kept} bytes at the peak");
}

fn limited() {
    let bytes = one_element(100, b"a\0\x04\0");
    let options = ReadOptions::default().with_limits(Limits::default().with_max_items(50));
    let error = Document::from_bytes_with(&bytes, &options).expect_err("more than 50");
    assert!(error.help().is_some_and(|help| help.contains("max_items")), "{error}");
    let options = ReadOptions::default().with_limits(Limits::default().with_max_input(bytes.len() as u64 - 1));
    assert_eq!(Document::from_reader_with(&*bytes, &options).expect_err("too long").category().name(), "limit");
    assert!(Document::from_reader(&*bytes).is_ok());
}

/// Many attributes have one string. Encodings without a string table give a far longer file than the document.
fn long() {
    const MAX: u64 = 4_000_000;
    let mut document = Document::new(Encoding::BINARY_9, "dmx", 1, "A", Guid::from_hash(b"root"));
    let string = document.string_value("s".repeat(1_000_000));
    for index in 0..1000_u32 {
        document.set(ElementId::ROOT, index.to_string(), string.clone());
    }
    let options = WriteOptions::default().with_max_output(MAX);
    let bytes = document.to_bytes_with(&options).expect("short");
    let options_of = |length: usize| WriteOptions::default().with_max_output(length as u64);
    assert!(document.to_bytes_with(&options_of(bytes.len())).is_ok());
    assert!(document.to_bytes_with(&options_of(bytes.len() - 1)).is_err());
    let mut changed = document.clone();
    changed.elements[0].attributes.truncate(2);
    changed.set_encoding(Encoding::KEYVALUES2_4);
    let mut changed = Document::from_bytes(&changed.to_bytes().expect("two of them")).expect("text");
    let string = changed.string_value("t".repeat(1_000_000));
    let Value::String(id) = string else { unreachable!() };
    changed.set(ElementId::ROOT, "array", Value::StringArray([id; 1000].into()));
    let mut list = changed.clone();
    for index in 0..1000_u32 {
        changed.set(ElementId::ROOT, index.to_string(), string.clone());
    }
    let mut array = Document::from_bytes(&{
        let one = list.string_array(["one"]);
        list.set(ElementId::ROOT, "array", one);
        list.to_bytes().expect("short")
    })
    .expect("text");
    let string = array.intern("t".repeat(1_000_000));
    array.set(ElementId::ROOT, "array", Value::StringArray([string; 1000].into()));
    let mut old = document.clone();
    old.set_encoding(Encoding { version: 1, ..Encoding::BINARY_9 });
    document.set_encoding(Encoding::KEYVALUES2_4);
    for (what, document) in
        [("text", document), ("binary 1", old), ("changed text", changed), ("a longer array", array)]
    {
        let (error, peak) = peak_of(&HEAP, || document.to_bytes_with(&options).expect_err(what));
        assert_eq!(error.category().name(), "limit", "{what}: {error}");
        assert!(error.to_string().contains(&MAX.to_string()) && error.help().is_some(), "{what}: {error}");
        assert!(peak < 20_000_000, "{what}: {peak} bytes at the peak");
    }
}

/// Names of a megabyte that differ in their last letter, or in its case, over and over in turn.
fn long_names() {
    const MANY: usize = 20_000;
    let name = "n".repeat(1 << 20);
    let table = [name.as_str(), "a\0", name.as_str(), "b\0", name.as_str(), "B\0A\0"].concat();
    let attributes: Vec<u8> = (0..3_u8).cycle().take(MANY).flat_map(|name| [name, 0, 0, 0, 4, 1]).collect();
    let root = [&b"\x03\0\0\0\xff\xff\xff\xff"[..], &[1; 16]].concat();
    let bytes = file(5, &[&count(4), table.as_bytes(), &count(1), &root, &count(MANY), &attributes]);
    let start = std::time::Instant::now();
    let document = survives("long names", &bytes).expect("a document");
    let findings = document.validate();
    assert!(findings.iter().any(|finding| finding.message == format!("and {} more of these", MANY - 3 - 100)));
    assert_eq!(findings.iter().filter(|finding| finding.code == "attribute-case").count(), 1);
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 5.0, "{seconds} s for {} bytes", bytes.len());
}

/// A chain of many elements, and the same as a cycle: everything that walks graphs.
fn deep() {
    const MANY: usize = 300_000;
    for closed in [false, true] {
        let mut document = Document::new(Encoding::BINARY_9, "dmx", 1, "A", Guid::from_hash(b"root"));
        let next = document.intern("next");
        for index in 1..MANY {
            document.push("A", "", Guid::from_hash(&index.to_le_bytes()));
        }
        for index in 0..MANY {
            let to = if index + 1 < MANY { index + 1 } else { 0 };
            let to = ElementId(u32::try_from(to).expect("small"));
            let value = if to.0 > 0 || closed { Reference::Element(to) } else { Reference::Null };
            document.elements[index]
                .attributes
                .push(mapwright_dmx::Attribute { name: next, value: Value::Element(value) });
        }
        for profile in [WriterProfile::BreadthFirst, WriterProfile::DepthFirst, WriterProfile::Valve] {
            document.lay_out(profile);
        }
        assert_eq!(document.profile(), Some(WriterProfile::Valve));
        let bytes = document.to_bytes().expect("it can be written");
        let mut read = survives("a chain", &bytes).expect("a document");
        assert_eq!(format!("{read:?}").lines().count(), 1);
        assert_eq!(read.clone().elements.len(), MANY);
        read.remove(|id| id.0 > 10);
        assert_eq!(read.elements.len(), 11);
        assert_eq!(read.elements[10].attributes[0].value, Value::Element(Reference::Null));
    }
}
