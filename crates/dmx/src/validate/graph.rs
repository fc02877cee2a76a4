//! Findings of elements: identities, references and names.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use mapwright_io::format_count;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::view::same_value;
use crate::{Attribute, ElementId, Guid, Reference, StringId, Strings, Value};

use super::report::{FindingPlace, Owner, Report, short};

pub(super) fn check(report: &mut Report<'_>) {
    identities(report);
    unreachable(report);
    prefix(report);
    let document = report.document;
    let mut known = Names::new(&document.strings);
    for (index, element) in document.elements.iter().enumerate() {
        let owner = Owner::Element(ElementId::at(index));
        names(report, &mut known, owner, &element.attributes);
        references(report, owner, &element.attributes);
    }
    for (index, block) in document.prefix.iter().enumerate() {
        names(report, &mut known, Owner::Block(index), block);
        references(report, Owner::Block(index), block);
    }
}

fn identities(report: &mut Report<'_>) {
    let document = report.document;
    let is_text = document.header.encoding.is_text();
    let mut seen: HashMap<Guid, usize> = HashMap::with_capacity(document.elements.len());
    for (index, element) in document.elements.iter().enumerate() {
        let place = FindingPlace::Element(ElementId::at(index));
        match element.id {
            None if is_text => {}
            None => report.error("guid-missing", place, "element without identity: binary files need one"),
            Some(Guid::NIL) => report.warn("guid-nil", place, "the identity is all zero"),
            Some(id) => {
                let first = *seen.entry(id).or_insert(index);
                if first != index {
                    let what =
                        format!("identity {id} is also that of elements[{first}], to which references in text lead");
                    report.warn("guid-twice", place, what);
                }
            }
        }
    }
    let missing = document.elements.iter().filter(|element| element.id.is_none()).count();
    if is_text && missing > 0 {
        let what = format!("{} without identity: conversion to binary adds one", format_count(missing, "element"));
        report.note("guid-missing", FindingPlace::File, what);
    }
}

fn unreachable(report: &mut Report<'_>) {
    let document = report.document;
    let (order, reached) = document.discovery(&document.reference_counts());
    // The discovery order includes the copy of the prefix attributes, which the root does not refer to.
    let others = order.get(reached..).unwrap_or_default();
    if let [first, ..] = others {
        let what = format!("{} outside the tree of the root; this is the first", format_count(others.len(), "element"));
        report.warn("unreachable", FindingPlace::Element(ElementId::at(*first)), what);
    }
}

fn prefix(report: &mut Report<'_>) {
    let document = report.document;
    let Some(block) = document.prefix.first() else { return };
    if document.prefix.len() > 1 {
        let what = format!("{} blocks of prefix attributes: Valve's programs write one", document.prefix.len());
        report.warn("prefix-blocks", FindingPlace::Field("prefix"), what);
    }
    match document.prefix_copy().and_then(|copy| Some((copy, document.elements.get(copy.index())?))) {
        None => report.note(
            "prefix-copy-missing",
            FindingPlace::Field("prefix"),
            "no element repeats the prefix attributes, unlike files of Valve's programs",
        ),
        Some((copy, element)) => {
            for (attribute, repeated) in block.iter().zip(&element.attributes) {
                if !same_value((document, &attribute.value), (document, &repeated.value)) {
                    let what = "the copy of the prefix attribute has another value";
                    report.warn("prefix-copy-differs", FindingPlace::Attribute(Owner::Element(copy), repeated), what);
                }
            }
        }
    }
}

fn names<'d>(report: &mut Report<'d>, known: &mut Names<'d>, owner: Owner, attributes: &'d [Attribute]) {
    let document = report.document;
    for attribute in attributes {
        if document.string(attribute.name) == b"name" && matches!(attribute.value, Value::String(_)) {
            let what = "other programs read a string attribute `name` from text as the name of the element";
            report.warn("attribute-name", FindingPlace::Attribute(owner, attribute), what);
        }
    }
    let named = attributes.iter().enumerate().map(|(index, attribute)| {
        let (alike, equal) = known.first(attribute.name);
        (alike, equal, index)
    });
    let mut sorted: Vec<_> = named.collect();
    sorted.sort_unstable();
    for alike in sorted.chunk_by(|one, other| one.0 == other.0) {
        let earliest = alike.iter().map(|(.., index)| index).min();
        for equal in alike.chunk_by(|one, other| one.1 == other.1) {
            for (nth, (.., index)) in equal.iter().enumerate() {
                let (code, what) = match nth {
                    0 if Some(index) == earliest => continue,
                    0 => (
                        "attribute-case",
                        "another attribute has the same name in a different case: some programs keep only one",
                    ),
                    _ => ("attribute-twice", "another attribute has this name: most programs keep only one"),
                };
                if let Some(attribute) = attributes.get(*index) {
                    report.warn(code, FindingPlace::Attribute(owner, attribute), what);
                }
            }
        }
    }
}

/// Groups equal names. Long names are compared only once.
struct Names<'d> {
    strings: &'d Strings,
    /// For each string: the first equal name ignoring case, and the first equal name by bytes. `None` until computed.
    first: Vec<Option<(StringId, StringId)>>,
    alike: HashTable<StringId>,
    equal: HashTable<StringId>,
    hasher: DefaultHashBuilder,
}

impl<'d> Names<'d> {
    fn new(strings: &'d Strings) -> Self {
        let (alike, equal) = (HashTable::new(), HashTable::new());
        Self { strings, first: vec![None; strings.len()], alike, equal, hasher: DefaultHashBuilder::default() }
    }

    /// Returns the first name that is equal except for case, and the first one that is equal.
    fn first(&mut self, id: StringId) -> (StringId, StringId) {
        if let Some(Some(known)) = self.first.get(id.index()) {
            return *known;
        }
        let (strings, hasher) = (self.strings, &self.hasher);
        let (name, hash) = (strings.get(id), |id: &StringId| lower_hash(hasher, strings.get(*id)));
        let same = |other: &StringId| strings.get(*other).eq_ignore_ascii_case(name);
        let alike = *self.alike.entry(hash(&id), same, hash).or_insert(id).get();
        let hash = |id: &StringId| hasher.hash_one(strings.get(*id));
        let equal = *self.equal.entry(hash(&id), |other| strings.get(*other) == name, hash).or_insert(id).get();
        self.first.get_mut(id.index()).into_iter().for_each(|first| *first = Some((alike, equal)));
        (alike, equal)
    }
}

/// Returns a hash that ignores case.
fn lower_hash(hasher: &DefaultHashBuilder, name: &[u8]) -> u64 {
    let mut hasher = hasher.build_hasher();
    for part in name.chunks(64) {
        let mut lower = [0; 64];
        lower.iter_mut().zip(part).for_each(|(lower, letter)| *lower = letter.to_ascii_lowercase());
        hasher.write(&lower);
    }
    hasher.write_usize(name.len());
    hasher.finish()
}

fn references<'d>(report: &mut Report<'d>, owner: Owner, attributes: &'d [Attribute]) {
    for attribute in attributes {
        match &attribute.value {
            Value::Element(to) => reference(report, FindingPlace::Attribute(owner, attribute), *to),
            Value::ElementArray(all) => {
                for (index, to) in all.iter().enumerate() {
                    reference(report, FindingPlace::Item(owner, attribute, index), *to);
                }
            }
            _ => {}
        }
    }
}

fn reference<'d>(report: &mut Report<'d>, place: FindingPlace<'d>, to: Reference) {
    let document = report.document;
    match to {
        Reference::External(id) => {
            let what = format!("reference to {}, an element of another file", short(document.string(id)));
            // Hammer writes such references: 160 nodes of prefabs in a real map.
            report.note("external", place, what);
        }
        Reference::Element(id) if document.elements.get(id.index()).is_none() => {
            let what = format!("element index {} out of range ({} elements)", id.0, document.elements.len());
            report.error("element-range", place, what);
        }
        Reference::Null | Reference::Element(_) => {}
    }
}
