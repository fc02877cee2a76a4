//! Differences of matched elements.

use std::collections::{HashMap, HashSet};

use mapwright_io::diff::join_first;

use super::matching::{AttributeSides, Matching, attributes, match_attributes};
use super::values::{Side, blob, changes, whole};
use super::{FieldChange, text};
use crate::{Document, ElementId, ElementRef, Reference, Value};

/// Options of a comparison: exclusions and labels of elements.
#[derive(Clone, Copy)]
pub struct Rules<'r> {
    /// Returns `true` for attributes of the old or the new graph that are not compared.
    pub skip: &'r dyn Fn(ElementRef<'_>, &[u8]) -> bool,
    /// Returns the label of an element in references.
    pub label: &'r dyn Fn(ElementRef<'_>) -> String,
    /// Returns `true` for an old element that is a part of the element that refers to it. Its fields are listed as fields of that
    /// element, with their path. `None`: there are no parts.
    pub parts: Option<&'r dyn Fn(ElementId) -> bool>,
}

/// A step on the path from a compared element to one of its parts.
struct Step<'a> {
    before: Option<usize>,
    attribute: &'a [u8],
    index: Option<usize>,
}

/// Number of steps of a path that are shown, from the end.
const SHOWN_STEPS: usize = 8;

impl<'a> Matching<'a> {
    /// Creates the list of compared elements for [`compare`](Self::compare).
    pub fn no_compared_elements(&self) -> Vec<bool> {
        vec![false; self.partners_of_old.len()]
    }

    /// Compares two elements and those of their parts that were not compared before. Identities are ignored.
    pub fn compare(&self, old: ElementId, new: ElementId, rules: &Rules<'_>, seen: &mut [bool]) -> Vec<FieldChange> {
        let mut fields = Vec::new();
        let mut steps: Vec<Step<'_>> = Vec::new();
        let mut next = vec![(old, new, None)];
        let [old_side, new_side] = self.sides(&self.ranks);
        while let Some((old_id, new_id, step)) = next.pop() {
            let (Some(a), Some(b)) = (self.old.element(old_id), self.new.element(new_id)) else { continue };
            match seen.get_mut(old_id.index()) {
                Some(seen @ false) => *seen = true,
                _ => continue,
            }
            for (what, one, other) in [("class", a.class_id(), b.class_id()), ("name", a.name_id(), b.name_id())] {
                if old_side.rank(one) != new_side.rank(other) {
                    let (one, other) = (text(self.old.string(one)), text(self.new.string(other)));
                    fields.push(FieldChange::new(path(&steps, step, what), one, other));
                }
            }
            let shared =
                match_attributes(old_side, attributes(self.old, old_id), new_side, attributes(self.new, new_id));
            let mut below = Vec::new();
            for attribute in shared {
                if (rules.skip)(a, attribute.name) || (rules.skip)(b, attribute.name) {
                    continue;
                }
                self.values(&|| path(&steps, step, &attribute.label()), attribute, rules, &mut fields);
                // Equal references can have different parts.
                let (Some(parts), Some(one), Some(other)) = (rules.parts, attribute.old, attribute.new) else {
                    continue;
                };
                let partners: HashSet<ElementId> = other.elements().collect();
                let is_array = one.array_len().is_some();
                for (index, reference) in references(one).enumerate() {
                    let Reference::Element(id) = reference else { continue };
                    if let Some(partner) = self.new_of(id).filter(|partner| partners.contains(partner))
                        && parts(id)
                        && seen.get(id.index()) == Some(&false)
                    {
                        below.push((id, partner, attribute.name, is_array.then_some(index)));
                    }
                }
            }
            for (id, partner, attribute, index) in below.into_iter().rev() {
                steps.push(Step { before: step, attribute, index });
                next.push((id, partner, steps.len().checked_sub(1)));
            }
        }
        fields
    }

    /// Compares the headers and the bytes after the end.
    pub fn header(&self) -> Vec<FieldChange> {
        let rows = |document: &Document| {
            let header = &document.header;
            [
                ("encoding", header.encoding.to_string()),
                ("format", text(&header.format)),
                ("format_version", header.format_version.to_string()),
                ("trailing", blob(&document.trailing)),
            ]
        };
        let changed = rows(self.old).into_iter().zip(rows(self.new)).filter(|(old, new)| old != new);
        changed.map(|((field, old), (_, new))| FieldChange::new(field, old, new)).collect()
    }

    /// Compares the prefix attributes.
    pub fn prefix(&self, rules: &Rules<'_>) -> Vec<FieldChange> {
        let mut fields = Vec::new();
        let [old, new] = self.sides(&self.ranks);
        for block in 0..self.old.prefix.len().max(self.new.prefix.len()) {
            let attributes_of = |document: &'a Document| document.prefix.get(block).map_or(&[][..], |block| block);
            for attribute in match_attributes(old, attributes_of(self.old), new, attributes_of(self.new)) {
                let root = self.old.root().or(self.new.root());
                if root.is_some_and(|root| (rules.skip)(root, attribute.name)) {
                    continue;
                }
                let place = if block == 0 { String::new() } else { format!("[{block}]") };
                self.values(&|| format!("prefix{place}.{}", attribute.label()), attribute, rules, &mut fields);
            }
        }
        if self.old.prefix.len() != self.new.prefix.len() {
            let count = |document: &Document| document.prefix.len().to_string();
            fields.push(FieldChange::new("prefix blocks", count(self.old), count(self.new)));
        }
        fields
    }

    /// Compares the values of an attribute.
    fn values(
        &self,
        field: &dyn Fn() -> String,
        attribute: AttributeSides<'_>,
        rules: &Rules<'_>,
        fields: &mut Vec<FieldChange>,
    ) {
        let [old, new] = self.sides(&self.ranks);
        let show = |side: Side<'_>, value: Option<&Value>| match value {
            None => "none".to_owned(),
            Some(Value::Element(reference)) => self.reference(side.document, *reference, rules),
            Some(Value::ElementArray(items)) => format!("element_array of {}", items.len()),
            Some(value) => whole(side.document, value),
        };
        let is_plain = |value: &Value| !matches!(value, Value::Element(_) | Value::ElementArray(_));
        match (attribute.old, attribute.new) {
            (Some(Value::Element(a)), Some(Value::Element(b))) if self.has_same_target(*a, *b) => {}
            (Some(Value::ElementArray(a)), Some(Value::ElementArray(b))) => self.lists(field, a, b, rules, fields),
            (Some(a), Some(b)) if is_plain(a) && is_plain(b) => changes(field, (old, a), (new, b), fields),
            (a, b) => fields.push(FieldChange::new(field(), show(old, a), show(new, b))),
        }
    }

    /// Compares two lists of references: items of one list only, and the order of the others.
    fn lists(
        &self,
        field: &dyn Fn() -> String,
        one: &[Reference],
        other: &[Reference],
        rules: &Rules<'_>,
        fields: &mut Vec<FieldChange>,
    ) {
        if one.len() == other.len() && one.iter().zip(other).all(|(a, b)| self.has_same_target(*a, *b)) {
            return;
        }
        let field = field();
        let mut counts: HashMap<Key<'_>, [usize; 2]> = HashMap::new();
        let count = |key: Option<Key<'a>>, side: usize, counts: &mut HashMap<Key<'a>, [usize; 2]>| {
            let place = key.and_then(|key| counts.entry(key).or_default().get_mut(side));
            place.into_iter().for_each(|place| *place = place.saturating_add(1));
        };
        one.iter().for_each(|reference| count(self.key(*reference, true), 0, &mut counts));
        other.iter().for_each(|reference| count(self.key(*reference, false), 1, &mut counts));
        let mut shared = [Vec::new(), Vec::new()];
        let mut only = |references: &[Reference], side: usize| {
            let mut left: HashMap<Key<'_>, usize> =
                counts.iter().map(|(key, [old, new])| (*key, *old.min(new))).collect();
            let mut only = Vec::new();
            for (index, reference) in references.iter().enumerate() {
                let key = self.key(*reference, side == 0);
                match key.and_then(|key| left.get_mut(&key)) {
                    Some(left @ 1..) => {
                        *left = left.saturating_sub(1);
                        shared.get_mut(side).into_iter().for_each(|shared| shared.push((key, *reference)));
                    }
                    _ => only.push((index, *reference)),
                }
            }
            only
        };
        let (removed, added) = (only(one, 0), only(other, 1));
        for (index, reference) in removed {
            let old = self.reference(self.old, reference, rules);
            fields.push(FieldChange::new(format!("{field}[{index}]"), old, "none"));
        }
        for (index, reference) in added {
            let new = self.reference(self.new, reference, rules);
            fields.push(FieldChange::new(format!("{field}[{index}]"), "none", new));
        }
        let [old, new] = shared;
        let moved: Vec<_> = old.into_iter().zip(new).filter(|(old, new)| old.0 != new.0).collect();
        if !moved.is_empty() {
            let old = join_first(moved.iter(), |pair| self.reference(self.old, pair.0.1, rules));
            let new = join_first(moved.iter(), |pair| self.reference(self.new, pair.1.1, rules));
            fields.push(FieldChange::new(format!("order of {field}"), old, new));
        }
    }

    /// Returns the target of a reference as an element of the new graph, if that has it.
    fn key(&self, reference: Reference, is_old: bool) -> Option<Key<'a>> {
        Some(match (reference, is_old) {
            (Reference::Null, _) => Key::Null,
            (Reference::Element(id), true) => Key::Element(self.new_of(id)?),
            (Reference::Element(id), false) => Key::Element(id),
            (Reference::External(id), true) => Key::External(self.old.string(id)),
            (Reference::External(id), false) => Key::External(self.new.string(id)),
        })
    }

    /// Returns `true` if two references have the same target.
    pub(super) fn has_same_target(&self, old: Reference, new: Reference) -> bool {
        let key = self.key(old, true);
        key.is_some() && key == self.key(new, false)
    }

    fn reference(&self, document: &Document, reference: Reference, rules: &Rules<'_>) -> String {
        match reference {
            Reference::Null => "null".to_owned(),
            Reference::Element(id) => document.element(id).map_or("null".to_owned(), rules.label),
            Reference::External(id) => format!("external {}", text(document.string(id))),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'a> {
    Null,
    Element(ElementId),
    External(&'a [u8]),
}

fn references(value: &Value) -> impl Iterator<Item = Reference> {
    let references = match value {
        Value::Element(reference) => std::slice::from_ref(reference),
        Value::ElementArray(references) => references,
        _ => &[],
    };
    references.iter().copied()
}

/// Returns the path to an attribute.
fn path(steps: &[Step<'_>], last: Option<usize>, attribute: &str) -> String {
    let mut parts = vec![attribute.to_owned()];
    let mut at = last;
    while let Some(step) = at.and_then(|at| steps.get(at)) {
        if parts.len() > SHOWN_STEPS {
            parts.push("…".to_owned());
            break;
        }
        let index = step.index.map_or(String::new(), |index| format!("[{index}]"));
        parts.push(format!("{}{index}", text(step.attribute)));
        at = step.before;
    }
    parts.reverse();
    parts.join(".")
}
