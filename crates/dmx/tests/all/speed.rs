//! Long names at many places take time in proportion to the file.

use std::time::{Duration, Instant};

use mapwright_dmx::{Attribute, Document, ElementId, Encoding, Guid, Value, WriterProfile};

/// The shortest of three times that something takes, in one size and in one eight times as large: in proportion that is eight
/// times as long, and 64 times if every place looks at its whole name.
fn assert_linear_time(what: &str, made: impl Fn(usize) -> Document, work: impl Fn(&mut Document)) {
    let [small, large] = [1, 8].map(|size| {
        let document = made(size);
        let times = (0..3).map(|_| {
            let mut document = document.clone();
            let start = Instant::now();
            work(&mut document);
            start.elapsed()
        });
        times.min().unwrap_or_default()
    });
    assert!(large < 16 * small + Duration::from_millis(100), "{what}: {small:?}, then {large:?}");
}

fn long(size: usize, end: &str) -> String {
    "n".repeat(size << 17) + end
}

#[test]
fn comparing_names_of_the_prefix_copy_is_linear() {
    let made = |size: usize| {
        let mut document = Document::new(Encoding::BINARY_9, "dmx", 1, "A", Guid::from_hash(b"root"));
        document.set_prefix(long(size, "a"), Value::Int(1));
        let name = document.intern(long(size, "b"));
        for number in 0..2500 * size {
            let id = document.push("DmElement", "", Guid::from_hash(&number.to_le_bytes()));
            document.elements[id.index()].attributes.push(Attribute { name, value: Value::Int(1) });
        }
        document
    };
    assert_linear_time("copies", made, |document| assert_eq!(document.prefix_copy(), None));
}

#[test]
fn comparing_names_of_attributes_is_linear() {
    let made = |size: usize| {
        let mut document = Document::new(Encoding::BINARY_9, "dmx", 1, "A", Guid::from_hash(b"root"));
        let name = document.intern(long(size, ""));
        let root = document.elements.first_mut().unwrap();
        root.attributes = vec![Attribute { name, value: Value::Int(1) }; 1000 * size];
        document.lay_out(WriterProfile::Valve);
        document
    };
    assert_linear_time("layouts", made, |document| {
        document.edit(|document| document.push("B", "", Guid::from_hash(b"new")));
        assert_eq!(document.profile(), Some(WriterProfile::Valve));
        assert_eq!(document.element(ElementId(1)).unwrap().class(), b"B");
    });
}
