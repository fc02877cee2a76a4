//! Texts that were read: untouched ones come back byte for byte; an edit changes only its own bytes.

use crate::strategies;
use crate::support;

use mapwright_dmx::{
    Attribute, Document, Element, ElementId, Encoding, EncodingName, Guid, Reference, Value, WriteErrorKind,
};
use mapwright_testkit::mutate::Rng;
use proptest::prelude::*;
use support::dump;

/// A document that is the same for all graphs that are the same: elements in an order of their own.
fn canonical(document: &Document) -> Document {
    let mut all: Vec<usize> = (1..document.elements.len()).collect();
    all.sort_by_key(|&index| document.elements[index].id.map(|id| id.to_string()));
    let mut order: Vec<usize> = Vec::new();
    let mut place = vec![None; document.elements.len()];
    for start in std::iter::once(0).chain(all) {
        let mut open = vec![start];
        while let Some(index) = open.pop() {
            if place[index].is_some() {
                continue;
            }
            place[index] = Some(ElementId(u32::try_from(order.len()).unwrap()));
            order.push(index);
            let attributes = &document.elements[index].attributes;
            open.extend(attributes.iter().flat_map(|attribute| attribute.value.elements()).map(ElementId::index));
        }
    }
    let mut canonical = document.clone();
    canonical.forget_source();
    canonical.elements = order.iter().map(|&index| document.elements[index].clone()).collect();
    let follow = |reference: &mut Reference| {
        if let Reference::Element(id) = reference {
            *id = place[id.index()].unwrap();
        }
    };
    let elements = canonical.elements.iter_mut().flat_map(|element| &mut element.attributes);
    for attribute in elements.chain(canonical.prefix.iter_mut().flatten()) {
        match &mut attribute.value {
            Value::Element(reference) => follow(reference),
            Value::ElementArray(references) => references.iter_mut().for_each(follow),
            _ => {}
        }
    }
    canonical
}

/// Shows a document before and after it was read again. Optional identities can be lost or synthesized; without them, unreachable
/// elements cannot be distinguished.
fn meanings(document: &Document, read: &Document) -> Option<(String, String)> {
    let (mut expected, mut found) = (canonical(document), canonical(read));
    if document.header.encoding.name == EncodingName::KeyValues2NoIds {
        let mut reached = vec![false; expected.elements.len()];
        let mut open = vec![ElementId::ROOT];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                open.extend(expected.elements[id.index()].attributes.iter().flat_map(|it| it.value.elements()));
            }
        }
        if reached.contains(&false) {
            return None;
        }
        for (one, other) in expected.elements.iter_mut().zip(&mut found.elements) {
            if one.id.is_none() || other.id.is_none() {
                (one.id, other.id) = (None, None);
            }
        }
    }
    Some((dump(&found), dump(&expected)))
}

/// The NaN that text can represent.
fn plain_floats(document: &mut Document) {
    let plain = |float: &mut f32| {
        if float.is_nan() {
            *float = f32::NAN;
        }
    };
    let elements = document.elements.iter_mut().flat_map(|element| &mut element.attributes);
    for attribute in elements.chain(document.prefix.iter_mut().flatten()) {
        match &mut attribute.value {
            Value::Float(item) => plain(item),
            Value::FloatArray(items) => items.iter_mut().for_each(plain),
            Value::Vector2(item) => item.iter_mut().for_each(plain),
            Value::Vector2Array(items) => items.as_flattened_mut().iter_mut().for_each(plain),
            Value::Vector3(item) | Value::QAngle(item) => item.iter_mut().for_each(plain),
            Value::Vector3Array(items) | Value::QAngleArray(items) => {
                items.as_flattened_mut().iter_mut().for_each(plain);
            }
            Value::Vector4(item) | Value::Quaternion(item) => item.iter_mut().for_each(plain),
            Value::Vector4Array(items) | Value::QuaternionArray(items) => {
                items.as_flattened_mut().iter_mut().for_each(plain);
            }
            Value::Matrix(item) => item.iter_mut().for_each(plain),
            Value::MatrixArray(items) => items.as_flattened_mut().iter_mut().for_each(plain),
            _ => {}
        }
    }
}

/// A document of every construct as text.
fn sample_document(seed: u64, elements: usize, attributes: usize) -> Document {
    let mut rng = Rng::new(seed);
    let version = [9, 9, 9, 5, 2, 7][rng.below(6)];
    let mut document = strategies::random_document(version, elements, attributes, &mut rng);
    plain_floats(&mut document);
    for (index, element) in document.elements.iter_mut().enumerate() {
        element.id = Some(Guid::from_hash(format!("{seed} {index}").as_bytes()));
        element.link = -1;
    }
    document.trailing.clear();
    if rng.below(2) == 0 && version == 9 {
        // As Valve's programs do: an element that repeats the prefix attributes.
        document.prefix.truncate(1);
        if let Some(block) = document.prefix.first().cloned() {
            let class = document.intern("DmElement");
            let mut copy = Element::new(class, document.intern(""), Some(Guid::from_hash(&seed.to_le_bytes())));
            copy.attributes = block;
            document.elements.push(copy);
        }
    }
    let name = [
        EncodingName::KeyValues2,
        EncodingName::KeyValues2,
        EncodingName::KeyValues2Flat,
        EncodingName::KeyValues2NoIds,
    ][rng.below(4)];
    document.set_encoding(Encoding { name, version: [1, 4][rng.below(2)] });
    document
}

/// The same text in a layout that no program writes.
fn disguised(text: &[u8], layout: usize) -> Vec<u8> {
    let text = text.to_vec();
    let lines = text.split(|&byte| byte == b'\n');
    let bracket = |line: &[u8]| matches!(line.trim_ascii(), b"{" | b"}" | b"[" | b"]");
    match layout {
        0 => text,
        1 => lines.collect::<Vec<_>>().join(&b"\r\n"[..]),
        2 => lines.collect::<Vec<_>>().join(&b" "[..]),
        3 => {
            let lines = lines.map(|line| if bracket(line) { [line, b" // \"not\" {"].concat() } else { line.to_vec() });
            lines.collect::<Vec<_>>().join(&b'\n')
        }
        4 => lines.map(|line| line.strip_suffix(b",").unwrap_or(line)).collect::<Vec<_>>().join(&b'\n'),
        _ => lines.map(<[u8]>::trim_ascii_start).collect::<Vec<_>>().join(&b"\n "[..]),
    }
}

/// Changes something, or tries to.
fn edit(document: &mut Document, rng: &mut Rng) {
    let mut donor = sample_document(rng.next_u64(), 3, 6);
    let count = document.elements.len();
    let index = rng.below(count);
    let id = ElementId(u32::try_from(index).unwrap());
    let target = Reference::Element(ElementId(u32::try_from(rng.below(count)).unwrap()));
    let attributes = document.elements[index].attributes.len();
    let at = (attributes > 0).then(|| rng.below(attributes));
    match rng.below(14) {
        0 => {
            let name = document.intern(["", "renamed", "\"odd\\"][rng.below(3)]);
            document.elements[index].name = name;
        }
        1 => document.elements[index].class = document.intern(["CMapMesh", "element"][rng.below(2)]),
        2 => document.elements[index].id = Some(Guid::from_hash(&rng.next_u64().to_le_bytes())),
        3 => {
            // A value of any type from elsewhere, its strings brought along.
            let Some(attribute) = donor.elements[0].attributes.pop() else { return };
            let value = adopt(document, &donor, attribute.value, target);
            let name = document.intern(["new", "name", "id", "origin"][rng.below(4)]);
            let place = rng.below(attributes + 1);
            document.elements[index].attributes.insert(place, Attribute { name, value });
        }
        4 => drop(at.map(|at| document.elements[index].attributes.remove(at))),
        5 => {
            if let (Some(at), Some(attribute)) = (at, donor.elements[0].attributes.pop()) {
                let value = adopt(document, &donor, attribute.value, target);
                document.elements[index].attributes[at].value = value;
            }
        }
        6 => {
            if let Some(at) = at {
                let other = rng.below(attributes);
                document.elements[index].attributes.swap(at, other);
            }
        }
        7 | 8 => {
            let Some(at) = at else { return };
            match &mut document.elements[index].attributes[at].value {
                Value::ElementArray(items) => change_items(items, target, rng),
                Value::IntArray(items) => change_items(items, 7, rng),
                Value::Vector3Array(items) => change_items(items, [1.0, 0.1, -0.0], rng),
                Value::BinaryArray(items) => change_items(items, [1, 2].into(), rng),
                Value::Int(item) => *item = item.wrapping_add(1),
                Value::Vector3(item) => item[1] = 0.5,
                Value::Element(item) => *item = target,
                _ => {}
            }
        }
        9 => {
            let doomed = ElementId(u32::try_from(rng.below(count)).unwrap());
            document.remove(|id| id == doomed);
        }
        10 => {
            let new = document.push("CMapEntity", "", Guid::from_hash(&rng.next_u64().to_le_bytes()));
            document.set(new, "back", Value::Element(target));
            document.set(id, "child", Value::Element(Reference::Element(new)));
        }
        11 => document.set_prefix("asset", Value::Int(3)),
        12 => document.header.format_version += 1,
        _ => {
            let name = document.intern("added");
            document.elements[index].attributes.push(Attribute { name, value: Value::ElementArray([target].into()) });
        }
    }
}

fn change_items<T: Clone>(items: &mut Box<[T]>, new: T, rng: &mut Rng) {
    let mut list = items.to_vec();
    for _ in 0..=rng.below(2) {
        let place = rng.below(list.len() + 1);
        match rng.below(4) {
            0 => list.insert(place, new.clone()),
            1 if place < list.len() => drop(list.remove(place)),
            2 if place < list.len() => list[place] = new.clone(),
            3 => list.reverse(),
            _ => list.clear(),
        }
    }
    *items = list.into();
}

fn adopt(document: &mut Document, donor: &Document, value: Value, target: Reference) -> Value {
    match value {
        Value::String(id) => document.string_value(donor.string(id)),
        Value::StringArray(ids) => document.string_array(ids.iter().map(|id| donor.string(*id))),
        Value::Element(_) => Value::Element(target),
        Value::ElementArray(items) => Value::ElementArray(items.iter().map(|_| target).collect()),
        value => value,
    }
}

#[test]
fn text_represents_everything_it_can() {
    for seed in 0..2000 {
        let document = sample_document(seed, 1 + (seed % 7) as usize, (seed % 9) as usize);
        let text = document.to_bytes().unwrap();
        let read = Document::from_bytes(&text).unwrap_or_else(|error| panic!("{seed}: {error}"));
        if let Some((found, expected)) = meanings(&document, &read) {
            assert_eq!(found, expected, "{seed}\n{}", text.escape_ascii());
        }
    }
}

#[test]
fn untouched_text_comes_back_in_every_layout() {
    for seed in 0..600 {
        let text = sample_document(seed, 1 + (seed % 5) as usize, 6).to_bytes().unwrap();
        let read = Document::from_bytes(&text).unwrap();
        for layout in 0..6 {
            let text = disguised(&text, layout);
            let document = Document::from_bytes(&text).unwrap_or_else(|error| panic!("{seed} {layout}: {error}"));
            assert!(document.to_bytes().unwrap() == text, "{seed} {layout}");
            assert_eq!(dump(&document), dump(&read), "{seed} {layout}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edited_text_has_the_new_content(seed in any::<u64>(), elements in 1_usize..7, attributes in 0_usize..8, layout in 0_usize..6, edits in 1_usize..5) {
        let text = disguised(&sample_document(seed, elements, attributes).to_bytes().unwrap(), layout);
        let mut document = Document::from_bytes(&text).unwrap();
        let mut rng = Rng::new(seed);
        for _ in 0..edits {
            edit(&mut document, &mut rng);
        }
        let written = match document.to_bytes() {
            Ok(written) => written,
            Err(error) => {
                prop_assert!(matches!(error.kind(), WriteErrorKind::AmbiguousId(_) | WriteErrorKind::NotInText(_)), "{error}");
                return Ok(());
            }
        };
        let read = match Document::from_bytes(&written) {
            Ok(read) => read,
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{}\n{}", String::from_utf8_lossy(&text), String::from_utf8_lossy(&written)))),
        };
        let Some((found, expected)) = meanings(&document, &read) else { return Ok(()) };
        prop_assert!(found == expected, "{}\n=== {}\n=== {found}\n=== {expected}", String::from_utf8_lossy(&text), String::from_utf8_lossy(&written));
    }
}

/// Changes a text and compares the lines that differ: `-` those that go, `+` those that come.
fn changed(text: &str, change: impl FnOnce(&mut Document)) -> String {
    let mut document = Document::from_bytes(text.as_bytes()).unwrap();
    change(&mut document);
    let written = String::from_utf8(document.to_bytes().unwrap()).unwrap();
    let (old, new): (Vec<_>, Vec<_>) = (text.split('\n').collect(), written.split('\n').collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - same;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let gone = old[same..old.len() - end].iter().map(|line| format!("-{line}"));
    gone.chain(new[same..new.len() - end].iter().map(|line| format!("+{line}"))).collect::<Vec<_>>().join("\n")
}

const ODD: &str = "<!-- dmx encoding keyvalues2 1 format x 1 -->
// a comment
\"Root\"
  {
  \"id\" \"elementid\" \"5eed0000-0000-4000-8000-00000000000a\" // mine
  \"first\" \"int\" \"007\" // seven
  \"kid\" \"Kid\"
    {
    \"id\" \"elementid\" \"5eed0000-0000-4000-8000-00000000000b\"
    \"name\" \"string\" \"Kid\"
    \"spots\" \"vector2_array\" [ \"1.0 2.0\", \"3 4\" ]
    }
  \"list\" \"element_array\"
    [
    \"One\" { \"name\" \"string\" \"1\" },
    \"element\" \"5eed0000-0000-4000-8000-00000000000b\", // again
    \"Two\" { }
    ]
  \"last\" \"float\" \"1.50\"
  }
";

#[test]
fn edits_preserve_their_surroundings() {
    let root = ElementId::ROOT;
    let kid = |document: &Document| document.root().unwrap().child("kid").unwrap().id();
    let mut cases: Vec<(String, &str)> = Vec::new();
    cases.push((changed(ODD, |_| ()), ""));
    cases.push((
        changed(ODD, |it| it.set(root, "first", Value::Int(8))),
        "-  \"first\" \"int\" \"007\" // seven\n+  \"first\" \"int\" \"8\" // seven",
    ));
    cases.push((
        changed(ODD, |it| it.header.format_version = 2),
        "-<!-- dmx encoding keyvalues2 1 format x 1 -->\n+<!-- dmx encoding keyvalues2 1 format x 2 -->",
    ));
    cases.push((changed(ODD, |it| drop(it.unset(root, "first"))), "-  \"first\" \"int\" \"007\" // seven"));
    cases.push((changed(ODD, |it| drop(it.unset(root, "last"))), "-  \"last\" \"float\" \"1.50\""));
    cases.push((changed(ODD, |it| it.set(root, "new", Value::Float(0.1))), "+  \"new\" \"float\" \"0.1000000015\""));
    cases.push((
        changed(ODD, |it| {
            let kid = kid(it);
            it.set(kid, "spots", Value::Vector2Array([[1.0, 2.0], [5.0, 0.25], [3.0, 4.0]].into()));
        }),
        "-    \"spots\" \"vector2_array\" [ \"1.0 2.0\", \"3 4\" ]\n+    \"spots\" \"vector2_array\" [ \"1.0 2.0\",\n+    \t\"5 0.25\", \"3 4\" ]",
    ));
    cases.push((
        changed(ODD, |it| {
            let kid = kid(it);
            it.set(kid, "spots", Value::Vector2Array([[3.0, 4.0]].into()));
        }),
        "-    \"spots\" \"vector2_array\" [ \"1.0 2.0\", \"3 4\" ]\n+    \"spots\" \"vector2_array\" [ \"3 4\" ]",
    ));
    cases.push((
        changed(ODD, |it| {
            let kid = kid(it);
            it.elements[kid.index()].name = it.intern("other");
        }),
        "-    \"name\" \"string\" \"Kid\"\n+    \"name\" \"string\" \"other\"",
    ));
    let list = |document: &Document| match document.root().unwrap().get("list") {
        Some(Value::ElementArray(items)) => items.to_vec(),
        _ => panic!("no list"),
    };
    cases.push((
        changed(ODD, |it| {
            let mut items = list(it);
            items.remove(0);
            it.set(root, "list", Value::ElementArray(items.into()));
            // Without references it would move to the top level.
            it.remove(|id| id == ElementId(2));
        }),
        "-    \"One\" { \"name\" \"string\" \"1\" },",
    ));
    cases.push((
        changed(ODD, |it| {
            let new = it.push("Three", "3", Guid::NIL);
            let mut items = list(it);
            items.push(Reference::Element(new));
            it.set(root, "list", Value::ElementArray(items.into()));
        }),
        "-    \"Two\" { }\n+    \"Two\" { },\n+    \"Three\"\n+    {\n+    \t\"id\" \"elementid\" \"00000000-0000-0000-0000-000000000000\"\n+    \t\"name\" \"string\" \"3\"\n+    }",
    ));
    cases.push((
        // References use the new identity.
        changed(ODD, |it| {
            let kid = kid(it);
            it.elements[kid.index()].id = Some(Guid::NIL);
            it.elements[kid.index()].attributes.clear();
            it.unset(root, "list");
        }),
        "-    \"id\" \"elementid\" \"5eed0000-0000-4000-8000-00000000000b\"\n-    \"name\" \"string\" \"Kid\"\n-    \"spots\" \"vector2_array\" [ \"1.0 2.0\", \"3 4\" ]\n-    }\n-  \"list\" \"element_array\"\n-    [\n-    \"One\" { \"name\" \"string\" \"1\" },\n-    \"element\" \"5eed0000-0000-4000-8000-00000000000b\", // again\n-    \"Two\" { }\n-    ]\n-  \"last\" \"float\" \"1.50\"\n-  }\n+    \"id\" \"elementid\" \"00000000-0000-0000-0000-000000000000\"\n+    \"name\" \"string\" \"Kid\"\n+    }\n+  \"last\" \"float\" \"1.50\"\n+  }\n+\n+\"One\"\n+{\n+\t\"name\" \"string\" \"1\"\n+}\n+\n+\"Two\"\n+{\n+\t\"name\" \"string\" \"\"\n+}",
    ));
    for (index, (found, expected)) in cases.iter().enumerate() {
        assert_eq!(found, expected, "case {index}\n{found}");
    }
    // The same with other line ends.
    let crlf = ODD.replace('\n', "\r\n");
    let added = changed(&crlf, |it| it.set(root, "new", Value::IntArray([1].into())));
    assert_eq!(added, "+  \"new\" \"int_array\" \r\n+  [\r\n+  \t\"1\"\r\n+  ]\r");
}
