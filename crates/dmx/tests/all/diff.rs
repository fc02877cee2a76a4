//! Differences of two graphs.

use crate::strategies;
use crate::support;

use mapwright_dmx::diff::{Diff, ElementChange, FieldChange};
use mapwright_dmx::{Attribute, Document, Element, ElementId, Encoding, Guid, Reference, Value, WriterProfile};
use proptest::prelude::*;
use support::read;

/// A root with two lamps.
fn lamps() -> (Document, [ElementId; 2]) {
    let mut document = Document::new(Encoding::BINARY_9, "dmx", 1, "DmeRoot", Guid::from_hash(b"root"));
    let lamps = ["first", "second"].map(|name| {
        let lamp = document.push("DmeLamp", name, Guid::from_hash(name.as_bytes()));
        document.set(lamp, "origin", Value::Vector3([0.0, 0.0, 64.0]));
        lamp
    });
    let list = lamps.map(Reference::Element);
    document.set(ElementId::ROOT, "lamps", Value::ElementArray(list.into()));
    (document, lamps)
}

#[test]
fn differences_are_displayed_as_lines() {
    let (old, [first, second]) = lamps();
    let mut new = old.clone();
    new.set(first, "origin", Value::Vector3([0.0, 0.5, 96.0]));
    let word = new.string_value("warm");
    new.set(second, "tone", word);
    let third = new.push("DmeLamp", "third", Guid::from_hash(b"third"));
    let list = [second, third, first].map(Reference::Element);
    new.set(ElementId::ROOT, "lamps", Value::ElementArray(list.into()));
    new.header.format_version = 2;
    let expected = "format_version: 1 → 2\n\
        ~ DmeRoot #0: lamps[1]: none → DmeLamp third #3; order of lamps: DmeLamp first #1, DmeLamp second #2 → DmeLamp \
        second #2, DmeLamp first #1\n\
        ~ DmeLamp first #1: origin: 0 0 64 → 0 0.5 96\n\
        ~ DmeLamp second #2: tone: none → string warm\n\
        + DmeLamp third #3\n";
    assert_eq!(Diff::between(&old, &new).to_string(), expected);
}

#[test]
fn elements_with_other_identities_are_matched_by_their_path() {
    let (old, [first, _]) = lamps();
    let mut new = old.clone();
    for element in &mut new.elements {
        element.id = element.id.map(|Guid(bytes)| Guid(bytes.map(|byte| !byte)));
    }
    new.set(first, "origin", Value::Vector3([1.0; 3]));
    let diff = Diff::between(&old, &new);
    assert!(diff.added.is_empty() && diff.removed.is_empty(), "{diff}");
    let fields: Vec<_> = diff.changed.iter().map(|change| change.fields.len()).collect();
    assert_eq!(fields, [1, 2, 1], "{diff}");
}

#[test]
fn order_and_formatting_are_not_compared() {
    let (old, _) = lamps();
    let mut new = old.clone();
    new.lay_out(WriterProfile::DepthFirst);
    new.elements.iter_mut().for_each(|element| element.attributes.reverse());
    new.set_encoding(Encoding::KEYVALUES2_4);
    let new = read(&new.to_bytes().unwrap()).unwrap();
    assert_eq!(Diff::between(&old, &new).to_string(), "encoding: binary 9 → keyvalues2 4\n");
}

#[test]
fn long_values_are_summarized() {
    let (mut old, _) = lamps();
    let numbers: Vec<i32> = (0..1000).collect();
    old.set(ElementId::ROOT, "numbers", Value::IntArray(numbers.clone().into()));
    let text = "a".repeat(200);
    let long = old.string_value(format!("{text}b{text}"));
    old.set(ElementId::ROOT, "text", long);
    let change = |new: &Document| Diff::between(&old, new).to_string();
    let mut new = old.clone();
    new.set(ElementId::ROOT, "numbers", Value::IntArray(numbers.iter().map(|number| number / 2).collect()));
    assert_eq!(change(&new), "~ DmeRoot #0: numbers (999 of 1000): 1, 2, 3, 4, … 995 more → 0, 1, 1, 2, … 995 more\n");
    let inserted: Vec<i32> = numbers[..5].iter().chain(&[7, 8]).chain(&numbers[5..]).copied().collect();
    new.set(ElementId::ROOT, "numbers", Value::IntArray(inserted.into()));
    assert_eq!(change(&new), "~ DmeRoot #0: numbers[5..]: none → 7, 8\n");
    new.set(ElementId::ROOT, "numbers", Value::IntArray(numbers.into()));
    let long = new.string_value(format!("{text}c{text}"));
    new.set(ElementId::ROOT, "text", long);
    let [a, rest] = ["a".repeat(16), "a".repeat(63)];
    assert_eq!(change(&new), format!("~ DmeRoot #0: text: …{a}b{rest}… → …{a}c{rest}…\n"));
}

/// A graph with prefix attributes, their copy, and an element that nothing refers to, in the order that is asked for.
fn prefixed(copy_first: bool) -> Document {
    let mut document = Document::new(Encoding::BINARY_9, "dmx", 1, "DmeRoot", Guid::from_hash(b"root"));
    document.set_prefix("map_asset_references", Value::Int(1));
    let name = document.intern("map_asset_references");
    let [class, lone] = ["DmElement", "DmeLone"].map(|class| document.intern(class));
    let mut copy = Element::new(class, mapwright_dmx::StringId::EMPTY, Some(Guid::from_hash(b"copy")));
    copy.attributes.push(Attribute { name, value: Value::Int(1) });
    let lone = Element::new(lone, mapwright_dmx::StringId::EMPTY, Some(Guid::from_hash(b"lone")));
    document.elements.extend(if copy_first { [copy, lone] } else { [lone, copy] });
    document
}

#[test]
fn the_copy_of_the_prefix_hides_nothing() {
    let (mut old, new) = (prefixed(true), prefixed(false));
    assert_eq!((old.prefix_copy(), new.prefix_copy()), (Some(ElementId(1)), Some(ElementId(2))));
    let diff_text = |old: &Document, new: &Document| Diff::between(old, new).to_string();
    assert_eq!(diff_text(&old, &new), "");
    // An element in the position of the other graph's copy is compared like any other.
    old.set(ElementId(2), "size", Value::Int(3));
    assert_eq!(diff_text(&old, &new), "~ DmeLone #2: size: int 3 → none\n");
    assert_eq!(diff_text(&new, &old), "~ DmeLone #1: size: none → int 3\n");
    let mut alone = prefixed(true);
    alone.prefix.clear();
    assert_eq!(diff_text(&alone, &prefixed(true)), "prefix.map_asset_references: none → int 1\nprefix blocks: 0 → 1\n");
    // A change of block and copy is listed once; a copy with another value is listed separately.
    let mut other = prefixed(true);
    other.set_prefix("map_asset_references", Value::Int(2));
    assert_eq!(diff_text(&prefixed(true), &other), "prefix.map_asset_references: 1 → 2\n");
    other = prefixed(true);
    other.set(ElementId(1), "map_asset_references", Value::Int(2));
    assert_eq!(diff_text(&prefixed(true), &other), "~ DmElement #1: map_asset_references: 1 → 2\n");
    other = prefixed(true);
    other.elements.remove(1);
    assert_eq!(diff_text(&prefixed(true), &other), "- DmElement #1\n");
}

/// Reverses a difference.
fn turned(diff: Diff) -> Diff {
    let fields = |fields: Vec<FieldChange>| -> Vec<FieldChange> {
        let turn = |FieldChange { field, old, new }| FieldChange { field, old: new, new: old };
        fields.into_iter().map(turn).collect()
    };
    let turn =
        |change: ElementChange| ElementChange { old: change.new, new: change.old, fields: fields(change.fields) };
    let changed = diff.changed.into_iter().map(turn).collect();
    Diff { facts: fields(diff.facts), changed, removed: diff.added, added: diff.removed }
}

/// Sorts a difference.
fn sorted(mut diff: Diff) -> Diff {
    let by_text = |change: &FieldChange| (change.field.clone(), change.old.clone(), change.new.clone());
    diff.facts.sort_by_key(by_text);
    diff.changed.iter_mut().for_each(|change| change.fields.sort_by_key(by_text));
    diff.changed.sort_by_key(|change| change.old.index);
    diff
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn nothing_differs_from_itself(document in strategies::document()) {
        prop_assert_eq!(Diff::between(&document, &document), Diff::default());
        let again = read(&document.to_bytes().unwrap()).unwrap();
        prop_assert_eq!(Diff::between(&document, &again), Diff::default());
    }

    #[test]
    fn differences_are_the_same_both_ways(old in strategies::document(), new in strategies::document()) {
        let (there, back) = (Diff::between(&old, &new), Diff::between(&new, &old));
        prop_assert_eq!(sorted(turned(there)), sorted(back));
    }

    #[test]
    fn a_change_is_named(mut old in strategies::document(), at in any::<prop::sample::Index>(), value in any::<i32>()) {
        // One identity for each, so that elements are known.
        for (index, element) in old.elements.iter_mut().enumerate() {
            element.id = Some(Guid::from_hash(&index.to_be_bytes()));
        }
        let mut new = old.clone();
        let at = ElementId(u32::try_from(at.index(old.elements.len())).unwrap());
        let name = new.intern("something new");
        new.elements[at.index()].attributes.push(Attribute { name, value: Value::Int(value) });
        let diff = Diff::between(&old, &new);
        prop_assert!(diff.facts.is_empty() && diff.removed.is_empty() && diff.added.is_empty(), "{diff}");
        prop_assert_eq!(diff.changed.len(), 1);
        prop_assert_eq!(diff.changed[0].old.index, at.index());
        let expected = FieldChange::new("something new", "none", format!("int {value}"));
        prop_assert_eq!(&diff.changed[0].fields[..], [expected]);
    }

    #[test]
    fn an_added_element_is_named(old in strategies::document(), seed in any::<u64>()) {
        let mut new = old.clone();
        let class = new.intern("AClassOfItsOwn");
        new.elements.push(Element::new(class, mapwright_dmx::StringId::EMPTY, Some(Guid::from_hash(&seed.to_be_bytes()))));
        let diff = Diff::between(&old, &new);
        prop_assert_eq!(diff.added.len(), diff.removed.len() + 1);
        prop_assert!(diff.added.iter().any(|label| label.class == "AClassOfItsOwn"));
    }
}
