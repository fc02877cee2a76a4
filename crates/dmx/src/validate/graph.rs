//! Elements, who they are and how they hang together.

use std::collections::{HashMap, HashSet};

use crate::{Attribute, ElementId, Guid, Reference, Value};

use super::report::{Owner, Place, Report};

pub(super) fn check(report: &mut Report<'_>) {
    identities(report);
    unreachable(report);
    prefix(report);
    let document = report.document;
    for (index, element) in document.elements.iter().enumerate() {
        let owner = Owner::Element(ElementId::at(index));
        names(report, owner, &element.attributes);
        references(report, owner, &element.attributes);
    }
    for (index, block) in document.prefix.iter().enumerate() {
        names(report, Owner::Block(index), block);
        references(report, Owner::Block(index), block);
    }
}

fn identities(report: &mut Report<'_>) {
    let document = report.document;
    let is_text = document.header.encoding.is_text();
    let mut seen: HashMap<Guid, usize> = HashMap::with_capacity(document.elements.len());
    for (index, element) in document.elements.iter().enumerate() {
        let place = Place::Element(ElementId::at(index));
        match element.id {
            None if is_text => {}
            None => report.error("guid-missing", place, "the element has no identity, which binary files need"),
            Some(Guid::NIL) => report.warn("guid-nil", place, "the identity is all zero"),
            Some(id) => {
                let first = *seen.entry(id).or_insert(index);
                if first != index {
                    let what =
                        format!("{id} is also the identity of elements[{first}]: references in text find the first");
                    report.warn("guid-twice", place, what);
                }
            }
        }
    }
    let missing = document.elements.iter().filter(|element| element.id.is_none()).count();
    if is_text && missing > 0 {
        let what = format!("{missing} elements have no identity; on the way to binary they are given one");
        report.note("guid-missing", Place::File, what);
    }
}

fn unreachable(report: &mut Report<'_>) {
    let document = report.document;
    let (order, reached) = document.discovery();
    // Text has all its blocks at hand; a copy of the prefix attributes is not for the root to reach.
    let others = order.get(reached..).unwrap_or_default();
    if let [first, ..] = others {
        let what = format!("the root does not reach {} elements, this one and what follows it", others.len());
        report.warn("unreachable", Place::Element(ElementId::at(*first)), what);
    }
}

fn prefix(report: &mut Report<'_>) {
    let document = report.document;
    let Some(block) = document.prefix.first() else { return };
    if document.prefix.len() > 1 {
        let what = format!("{} blocks of prefix attributes; Valve's programs write one", document.prefix.len());
        report.warn("prefix-blocks", Place::Field("prefix"), what);
    }
    match document.prefix_copy().and_then(|copy| Some((copy, document.elements.get(copy.index())?))) {
        None => report.warn(
            "prefix-copy-missing",
            Place::Field("prefix"),
            "no element repeats the prefix attributes, as Valve's programs have it",
        ),
        Some((copy, element)) => {
            for (attribute, repeated) in block.iter().zip(&element.attributes) {
                if !same(report, &attribute.value, &repeated.value) {
                    let what = "the copy of the prefix attribute says something else";
                    report.warn("prefix-copy-differs", Place::Attribute(Owner::Element(copy), repeated), what);
                }
            }
        }
    }
}

/// Whether two values say the same, strings by their text.
fn same(report: &Report<'_>, one: &Value, other: &Value) -> bool {
    let text = |id| report.document.string(id);
    match (one, other) {
        (Value::String(one), Value::String(other)) => text(*one) == text(*other),
        (Value::StringArray(one), Value::StringArray(other)) => {
            one.iter().map(|id| text(*id)).eq(other.iter().map(|id| text(*id)))
        }
        (Value::Element(Reference::External(one)), Value::Element(Reference::External(other))) => {
            text(*one) == text(*other)
        }
        _ => one == other,
    }
}

fn names<'d>(report: &mut Report<'d>, owner: Owner, attributes: &'d [Attribute]) {
    let document = report.document;
    for attribute in attributes {
        if document.string(attribute.name) == b"name" && matches!(attribute.value, Value::String(_)) {
            let what = "text cannot tell a string attribute called name from the name of the element";
            report.warn("attribute-name", Place::Attribute(owner, attribute), what);
        }
    }
    // Nearly all elements are without double names, which sorting shows without an allocation for each of them.
    let mut sorted: Vec<_> = attributes.iter().map(|attribute| document.string(attribute.name)).collect();
    sorted.sort_unstable_by(|one, other| lower(one).cmp(lower(other)));
    if !sorted.windows(2).any(|two| matches!(two, [one, other] if one.eq_ignore_ascii_case(other))) {
        return;
    }
    let mut exact = HashSet::with_capacity(attributes.len());
    let mut folded = HashSet::with_capacity(attributes.len());
    for attribute in attributes {
        let name = document.string(attribute.name);
        let is_new = exact.insert(name);
        let is_new_folded = folded.insert(name.to_ascii_lowercase());
        let place = Place::Attribute(owner, attribute);
        if !is_new {
            report.warn(
                "attribute-twice",
                place,
                "another attribute of the element has this name; most programs keep one",
            );
        } else if !is_new_folded {
            let what = "the name differs from another one only in its case; some programs keep one";
            report.warn("attribute-case", place, what);
        }
    }
}

fn lower(name: &[u8]) -> impl Iterator<Item = u8> {
    name.iter().map(u8::to_ascii_lowercase)
}

fn references<'d>(report: &mut Report<'d>, owner: Owner, attributes: &'d [Attribute]) {
    for attribute in attributes {
        match &attribute.value {
            Value::Element(to) => reference(report, Place::Attribute(owner, attribute), *to),
            Value::ElementArray(all) => {
                for (index, to) in all.iter().enumerate() {
                    reference(report, Place::Item(owner, attribute, index), *to);
                }
            }
            _ => {}
        }
    }
}

fn reference<'d>(report: &mut Report<'d>, place: Place<'d>, to: Reference) {
    let document = report.document;
    match to {
        Reference::External(id) => {
            let what =
                format!("refers to {}, an element of another file", String::from_utf8_lossy(document.string(id)));
            report.warn("external", place, what);
        }
        Reference::Element(id) if document.elements.get(id.index()).is_none() => {
            let what = format!("refers to element {}, the document has {}", id.0, document.elements.len());
            report.error("element-range", place, what);
        }
        Reference::Null | Reference::Element(_) => {}
    }
}
