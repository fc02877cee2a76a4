//! Elements, who they are and how they hang together.

use std::collections::HashMap;

use crate::view::same;
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
                if !same((document, &attribute.value), (document, &repeated.value)) {
                    let what = "the copy of the prefix attribute says something else";
                    report.warn("prefix-copy-differs", Place::Attribute(Owner::Element(copy), repeated), what);
                }
            }
        }
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
    let name = |index: &usize| attributes.get(*index).map_or(&b""[..], |attribute| document.string(attribute.name));
    let mut sorted: Vec<usize> = (0..attributes.len()).collect();
    sorted.sort_by(|one, other| lower(name(one)).cmp(lower(name(other))).then_with(|| name(one).cmp(name(other))));
    for alike in sorted.chunk_by(|one, other| name(one).eq_ignore_ascii_case(name(other))) {
        let earliest = alike.iter().min();
        for equal in alike.chunk_by(|one, other| name(one) == name(other)) {
            for (nth, index) in equal.iter().enumerate() {
                let (code, what) = match nth {
                    0 if Some(index) == earliest => continue,
                    0 => {
                        ("attribute-case", "the name differs from another one only in its case; some programs keep one")
                    }
                    _ => ("attribute-twice", "another attribute of the element has this name; most programs keep one"),
                };
                if let Some(attribute) = attributes.get(*index) {
                    report.warn(code, Place::Attribute(owner, attribute), what);
                }
            }
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
