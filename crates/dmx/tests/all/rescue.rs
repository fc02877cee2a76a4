//! Recovery of damaged files.

use mapwright_dmx::io::Limits;
use mapwright_dmx::{Document, Encoding, EncodingName, Guid, ReadOptions, Reference, Rescued, Value};
use mapwright_testkit::mutate;

const COUNT: u8 = 20;

/// A graph whose root refers to elements named `e0` to `e19`, each with a list of numbers and a child of its own.
fn graph(encoding: Encoding) -> Document {
    let mut document = Document::new(encoding, "dmx", 1, "DmeRoot", Guid([1; 16]));
    let children: Vec<Reference> = (0..COUNT)
        .map(|index| {
            let element = document.push("DmeItem", format!("e{index}"), Guid([100 + index; 16]));
            let child = document.push("DmeChild", format!("c{index}"), Guid([130 + index; 16]));
            document.set(element, "numbers", Value::IntArray([1, 2, index.into()].into()));
            document.set(element, "child", Value::Element(Reference::Element(child)));
            document.set(element, "last", Value::Int(index.into()));
            document.set(child, "value", Value::Int(index.into()));
            Reference::Element(element)
        })
        .collect();
    document.set(mapwright_dmx::ElementId::ROOT, "children", Value::ElementArray(children.into()));
    document
}

fn text() -> String {
    let encoding = Encoding { name: EncodingName::KeyValues2, version: 1 };
    String::from_utf8(graph(encoding).to_bytes().unwrap()).unwrap()
}

fn binary() -> Vec<u8> {
    graph(Encoding { name: EncodingName::Binary, version: 5 }).to_bytes().unwrap()
}

fn rescue(bytes: &[u8]) -> Rescued {
    let rescued = Document::rescue(bytes, &ReadOptions::default()).unwrap();
    let written = rescued.document.to_bytes().unwrap();
    assert!(Document::from_bytes(&written).is_ok(), "{:?}", rescued.losses);
    rescued
}

/// Names of the elements that have all their attributes and a complete child.
fn whole_elements(document: &Document) -> Vec<String> {
    let is_whole = |element: &mapwright_dmx::ElementRef<'_>| {
        let child = element.child("child").and_then(|child| child.int("value"));
        let numbers = matches!(element.get("numbers"), Some(Value::IntArray(numbers)) if numbers.len() == 3);
        numbers && child.is_some() && element.int("last") == child
    };
    let root = document.element(mapwright_dmx::ElementId::ROOT).unwrap();
    let children = root.get("children").into_iter().flat_map(Value::elements);
    let elements = children.filter_map(|id| document.element(id)).filter(is_whole);
    elements.map(|element| String::from_utf8_lossy(element.name()).into_owned()).collect()
}

fn names(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|index| format!("e{index}")).collect()
}

#[test]
fn whole_elements_of_a_cut_text_survive() {
    let whole = text();
    assert!(rescue(whole.as_bytes()).losses.is_empty());
    for part in 1..=20 {
        let cut = &whole[..whole.len() * part / 21];
        // The value of the last attribute; an element ends with a brace in the next line.
        let complete = (0..COUNT.into()).filter(|n| cut.contains(&format!("\"last\" \"int\" \"{n}\"")));
        let rescued = rescue(cut.as_bytes());
        assert_eq!(whole_elements(&rescued.document), names(0..complete.count()), "{part}: {cut}");
        assert!(!rescued.losses.is_empty() && !rescued.incomplete.is_empty());
    }
}

#[test]
fn damage_in_a_text_costs_only_its_element() {
    let whole = text();
    let child = "{\n\t\t\t\t\"id\" \"elementid\" \"89";
    for (from, to, lost) in [
        ("\"int\" \"7\"", "\"int\" \"x\"", 7..8),
        ("\"e7\"", "\"e7", 7..8),
        (child, child.replace('{', "(").as_str(), 7..8),
        (child, child.replace('{', "").as_str(), 7..8),
        // The end of the child.
        ("\"int\" \"7\"\n\t\t\t}", "\"int\" \"7\"\n\t\t\t-", 7..8),
    ] {
        let damaged = whole.replacen(from, to, 1);
        assert!(damaged != whole && Document::from_bytes(damaged.as_bytes()).is_err(), "{from}: {whole}");
        let rescued = rescue(damaged.as_bytes());
        let found = whole_elements(&rescued.document);
        for name in names(0..lost.start).into_iter().chain(names(lost.end..COUNT.into())) {
            assert!(found.contains(&name), "{from}: {name} is not in {found:?}");
        }
        assert!(!rescued.losses.is_empty());
    }
}

#[test]
fn references_to_missing_elements_become_null() {
    let whole = text();
    let id = Guid([255; 16]);
    let damaged = whole.replacen(
        "\"children\"",
        &format!("\"other\" \"element\" \"{id}\"\n\t\"broken\" \"int\" \"x\"\n\t\"children\""),
        1,
    );
    let rescued = rescue(damaged.as_bytes());
    let root = rescued.document.element(mapwright_dmx::ElementId::ROOT).unwrap();
    assert_eq!(root.get("other"), Some(&Value::Element(Reference::Null)));
    let losses: Vec<String> = rescued.losses.iter().map(ToString::to_string).collect();
    assert!(
        losses.iter().any(|loss| *loss == format!("dropped: elements[0].other: the missing element {id}")),
        "{losses:?}"
    );
    assert_eq!(whole_elements(&rescued.document), names(0..COUNT.into()));
}

#[test]
fn prefix_attributes_that_refer_to_missing_elements_become_null() {
    let id = Guid([255; 16]);
    let block = format!("\"$prefix_element$\"\n{{\n\t\"other\" \"element\" \"{id}\"\n}}\n\"DmeRoot\"");
    let damaged = text().replacen("\"DmeRoot\"", &block, 1).replacen("\"int\" \"7\"", "\"int\" \"x\"", 1);
    let rescued = rescue(damaged.as_bytes());
    assert_eq!(rescued.document.prefix[0][0].value, Value::Element(Reference::Null));
    let losses: Vec<String> = rescued.losses.iter().map(ToString::to_string).collect();
    assert!(losses.contains(&format!("dropped: prefix[0].other: the missing element {id}")), "{losses:?}");
}

#[test]
fn many_blocks_in_one_long_line_take_linear_time() {
    let indentation = " ".repeat(8_000_000);
    let blocks = "\"a\" \"A\" { ".repeat(5_000);
    let damaged = format!("{}{indentation}\"A\" {{ {blocks}|\n\"B\" {{ }}\n", text());
    let options = ReadOptions::default().with_limits(Limits::default().with_max_depth(u32::MAX));
    let start = std::time::Instant::now();
    let rescued = Document::rescue(damaged.as_bytes(), &options).unwrap();
    assert_eq!(rescued.incomplete.len(), 5_001);
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 5.0, "{seconds} s for {} bytes", damaged.len());
}

#[test]
fn elements_after_the_damage_of_a_binary_file_are_counted() {
    let whole = binary();
    let mut found = Vec::new();
    for removed in 1..100 {
        let rescued = rescue(&whole[..whole.len() - removed]);
        let [first] = *rescued.incomplete else { panic!("{:?}", rescued.incomplete) };
        let losses: Vec<String> = rescued.losses.iter().skip(1).map(ToString::to_string).collect();
        let mut expected = vec![format!("dropped: elements[{}]: attributes after the damage", first.index())];
        let missing = 40 - first.index();
        if missing > 0 {
            expected.push(format!("dropped: {missing} of 41 elements: references to them become null"));
        }
        assert_eq!(losses, expected, "{removed}");
        found.push(missing);
    }
    assert!(found[0] == 0 && found[98] > 1, "{found:?}");
}

#[test]
fn damage_in_a_binary_file_costs_only_its_element() {
    let whole = binary();
    // The numbers of the second element. The root and the first one show how elements begin.
    let numbers = [3, 1, 2, 1_i32].map(i32::to_le_bytes).concat();
    let from = whole.windows(numbers.len()).position(|bytes| bytes == numbers).unwrap() - 7;
    let mut damaged_count = 0;
    for at in from..whole.len() {
        for change in [1, 0x40, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            if Document::from_bytes(&bytes).is_ok() {
                continue;
            }
            let rescued = rescue(&bytes);
            let found = whole_elements(&rescued.document).len();
            assert!(found + 2 >= COUNT.into() && !rescued.losses.is_empty(), "{at}: {:?}", rescued.losses);
            damaged_count += 1;
        }
    }
    assert!(damaged_count > 300, "{damaged_count}");
}

#[test]
fn many_damaged_places_of_a_binary_file_take_linear_time() {
    let mut document = graph(Encoding { name: EncodingName::Binary, version: 5 });
    for index in 0..50_000_u32 {
        let element = document.push("DmeItem", "", Guid([0; 16]));
        document.set(element, "numbers", Value::IntArray(vec![4; 8].into()));
        document.set(element, "last", Value::Int(index.cast_signed()));
    }
    let mut bytes = document.to_bytes().unwrap();
    let from = bytes.len() / 2;
    bytes[from..].iter_mut().step_by(20_011).for_each(|byte| *byte ^= 0x80);
    let start = std::time::Instant::now();
    let rescued = Document::rescue(&bytes, &ReadOptions::default()).unwrap();
    assert!(!rescued.incomplete.is_empty());
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "{seconds} s for {} bytes", bytes.len());
}

#[test]
fn elements_of_a_cut_binary_file_survive_up_to_the_damage() {
    let whole = binary();
    let mut counts = Vec::new();
    for part in 1..=20 {
        let cut = &whole[..whole.len() * part / 21];
        match Document::rescue(cut, &ReadOptions::default()) {
            Ok(_) => {
                let rescued = rescue(cut);
                let found = whole_elements(&rescued.document);
                assert_eq!(found, names(0..found.len()));
                assert!(rescued.losses.iter().any(|loss| loss.text.contains("of 41 elements")), "{:?}", rescued.losses);
                counts.push(found.len());
            }
            Err(error) => assert!(counts.is_empty() && error.position().is_some(), "{error}"),
        }
    }
    assert!(counts.is_sorted() && counts.len() > 8 && counts.last() >= Some(&17), "{counts:?}");
}

#[test]
fn invalid_indices_of_a_binary_file_are_repaired() {
    let mut bytes = binary();
    // The reference to the child of the last element.
    let at = bytes.windows(9).rposition(|bytes| bytes[4..] == [1, 40, 0, 0, 0]).unwrap() + 5;
    bytes[at..at + 4].copy_from_slice(&1000_i32.to_le_bytes());
    let rescued = rescue(&bytes);
    assert_eq!(whole_elements(&rescued.document), names(0..19));
    assert_eq!(rescued.losses.len(), 1);
}

#[test]
fn damaged_files_are_rescued_or_refused() {
    for whole in [text().into_bytes(), binary()] {
        for bytes in mutate::byte_flips(&whole) {
            match Document::rescue(&bytes, &ReadOptions::default()) {
                Ok(rescued) => {
                    let written = rescued.document.to_bytes().expect("a document that was rescued");
                    assert!(Document::from_bytes(&written).is_ok());
                }
                Err(error) => assert!(error.position().is_some(), "{error}"),
            }
        }
    }
}
