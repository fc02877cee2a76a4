//! The result: ours with what is taken from theirs.

use std::collections::HashSet;

use mapwright_dmx::{Attribute, ElementId, Reference, Value};
use mapwright_io::diff::join_first;

use super::copy::Copier;
use super::display::place;
use super::facts::Facts;
use super::fields::{Choice, choose};
use super::lists::{members, ordered, woven};
use super::plan::Plan;
use super::records::Kind;
use super::trio::{Trio, attributes_of};
use super::{Conflict, ConflictKind, Side};
use crate::{Document, Editor};

pub(super) fn build(trio: &Trio<'_>, plan: &Plan, prefer: Side, conflicts: &mut Vec<Conflict>) -> Document {
    let choices = choose(trio, plan, prefer, conflicts);
    let mut document = trio.sides.ours.map.clone();
    document.edit(|editor| {
        remove(trio, plan, editor);
        let copier = Copier::new(trio, plan, editor);
        let mut builder = Builder { trio, plan, prefer, copier, editor, conflicts };
        choices.iter().for_each(|choice| builder.take(choice));
        builder.put_children();
        builder.put_members();
        let Builder { copier, .. } = builder;
        Facts { trio, plan, prefer, copier, editor, conflicts }.merge();
    });
    document
}

/// Removes what only ours has and the result has not.
fn remove(trio: &Trio<'_>, plan: &Plan, editor: &mut Editor<'_>) {
    let items = trio.items.iter().enumerate();
    let gone = items.filter(|(who, item)| item.kind.is_placed() && !plan.has(*who));
    let gone: HashSet<ElementId> = gone.filter_map(|(_, item)| item.in_.ours).collect();
    if !gone.is_empty() {
        editor.release(&gone);
        editor.forget(gone);
    }
}

struct Builder<'b, 't, 'a, 'e> {
    trio: &'t Trio<'a>,
    plan: &'t Plan,
    prefer: Side,
    copier: Copier<'t, 'a>,
    editor: &'b mut Editor<'e>,
    conflicts: &'b mut Vec<Conflict>,
}

impl Builder<'_, '_, '_, '_> {
    /// Takes class, name and attributes of a record.
    fn take(&mut self, choice: &Choice) {
        let theirs = self.trio.sides.theirs.map;
        if choice.label
            && let Some(element) = theirs.graph().element(choice.theirs)
        {
            let graph = self.editor.graph_mut();
            let (class, name) = (graph.intern(element.class()), graph.intern(element.name()));
            if let Some(element) = graph.elements.get_mut(choice.ours.index()) {
                (element.class, element.name) = (class, name);
            }
        }
        let mut gone = Vec::new();
        for &(ours, place) in &choice.attributes {
            let Some(attribute) = place.and_then(|at| attributes_of(theirs, choice.theirs).get(at)) else {
                gone.extend(ours);
                continue;
            };
            let name = theirs.graph().string(attribute.name);
            let value = match (choice.kind, name, &attribute.value) {
                (Kind::Node, b"referenceID", Value::UInt64(reference)) => {
                    let Some(reference) = self.editor.claim_reference(*reference) else { continue };
                    Value::UInt64(reference)
                }
                (_, name, value) => self.copier.value(self.editor, name, value),
            };
            let name = self.copier.string(self.editor, attribute.name);
            let mut old = None;
            if let Some(element) = self.editor.graph_mut().elements.get_mut(choice.ours.index()) {
                match ours.and_then(|at| element.attributes.get_mut(at)) {
                    Some(attribute) => old = Some(std::mem::replace(&mut attribute.value, value)),
                    None => element.attributes.push(Attribute { name, value }),
                }
            }
            self.discard(old.as_ref());
        }
        gone.sort_unstable();
        for at in gone.into_iter().rev() {
            let element = self.editor.graph_mut().elements.get_mut(choice.ours.index());
            let old = element
                .filter(|element| at < element.attributes.len())
                .map(|element| element.attributes.remove(at).value);
            self.discard(old.as_ref());
        }
    }

    /// Lets go what only a value referred to.
    fn discard(&mut self, value: Option<&Value>) {
        for id in value.into_iter().flat_map(Value::elements) {
            if !self.trio.sides.ours.kind(id).is_some_and(Kind::is_placed) {
                self.editor.discard(id);
            }
        }
    }

    fn put_children(&mut self) {
        for (who, item) in self.trio.items.iter().enumerate() {
            let (Some(list), Some(now)) = (item.kind.list(), self.copier.of_record(who)) else { continue };
            if !self.plan.has(who) {
                continue;
            }
            let stands_here = |child: usize| self.plan.has(child) && self.plan.parents.get(child) == Some(&Some(who));
            let (base, ours) = (self.trio.children_in_base(who), self.trio.children(Side::Ours, who));
            let theirs = self.trio.children(Side::Theirs, who);
            let (mut merged, is_conflict) = ordered([&base, &ours, &theirs], self.prefer, stands_here);
            // What came here from something that is gone.
            let known: HashSet<usize> = merged.iter().copied().collect();
            let all = self.plan.children.get(&who).into_iter().flatten();
            merged.extend(all.filter(|child| !known.contains(child)));
            let unchanged = item.in_.ours.is_some() && merged == ours;
            if is_conflict && item.kind != Kind::Root {
                let names = |list: &[usize]| join_first(list.iter(), |child| place(self.trio, Some(*child)));
                self.conflicts.push(Conflict {
                    kind: ConflictKind::Place,
                    node: super::display::label(self.trio, who),
                    field: "order of children".to_owned(),
                    base: names(&base),
                    ours: names(&ours),
                    theirs: names(&theirs),
                });
            }
            if unchanged {
                continue;
            }
            let mut references: Vec<Reference> =
                merged.into_iter().filter_map(|child| self.copier.of_record(child)).map(Reference::Element).collect();
            references.extend(self.others(who, list));
            self.editor.graph_mut().set(now, list, Value::ElementArray(references.into()));
        }
    }

    /// What a list has besides what stands there: null, what is of another file, and what has its place elsewhere.
    fn others(&mut self, who: usize, list: &str) -> Vec<Reference> {
        let Some(item) = self.trio.items.get(who) else { return Vec::new() };
        let (side, id) = match (item.in_.ours, item.in_.theirs) {
            (Some(id), _) => (Side::Ours, id),
            (None, Some(id)) => (Side::Theirs, id),
            (None, None) => return Vec::new(),
        };
        let records = self.trio.sides.of(side);
        let Some(Value::ElementArray(all)) = records.map.graph().element(id).and_then(|element| element.get(list))
        else {
            return Vec::new();
        };
        let mut seen = HashSet::new();
        let is_other = |reference: &Reference| match reference {
            Reference::Element(child) => {
                let is_below =
                    records.parents.get(child) == Some(&id) && records.kind(*child).is_some_and(Kind::is_placed);
                !is_below || !seen.insert(*child)
            }
            _ => true,
        };
        let others: Vec<Reference> = all.iter().copied().filter(is_other).collect();
        let there = |builder: &mut Self, reference| match (side, reference) {
            (Side::Ours, Reference::Element(child)) => match builder.trio.who(side, child) {
                Some(who) if records.kind(child).is_some_and(Kind::is_placed) => {
                    builder.plan.has(who).then_some(reference)
                }
                _ => Some(reference),
            },
            (Side::Ours, reference) => Some(reference),
            (Side::Theirs, reference) => builder.copier.reference(builder.editor, reference),
        };
        others.into_iter().filter_map(|reference| there(self, reference)).collect()
    }

    /// The nodes of selection sets.
    fn put_members(&mut self) {
        const LIST: &str = "selectedObjects";
        for item in self.trio.items.iter().filter(|item| item.kind == Kind::Objects) {
            let (Some(ours), Some(theirs)) = (item.in_.ours, item.in_.theirs) else { continue };
            let of = |side: Side, id: ElementId| -> Vec<usize> {
                let element = self.trio.sides.of(side).map.graph().element(id);
                let nodes = element.into_iter().flat_map(|element| element.children(LIST));
                nodes.filter_map(|node| self.trio.who(side, node.id())).collect()
            };
            let base = item.base.and_then(|id| self.trio.base.map.graph().element(id));
            let base: Vec<usize> = base
                .into_iter()
                .flat_map(|element| element.children(LIST))
                .filter_map(|node| self.trio.who_in_base(node.id()))
                .collect();
            let ours_list = of(Side::Ours, ours);
            // A side that removed a node says nothing about its membership: if it is kept, it stays where it was.
            let said = |side: Side, list: &[usize]| {
                let has: HashSet<usize> = list.iter().copied().collect();
                let stays = |who: &usize| has.contains(who) || self.trio.element(side, *who).is_none();
                woven(list, &base.iter().copied().filter(stays).collect::<Vec<_>>())
            };
            let lists = [&base[..], &said(Side::Ours, &ours_list), &said(Side::Theirs, &of(Side::Theirs, theirs))];
            let members = members(lists);
            let (merged, _) = ordered(lists, self.prefer, |who| members.contains(&who) && self.plan.has(who));
            let there: Vec<usize> = ours_list.iter().copied().filter(|who| self.plan.has(*who)).collect();
            if merged == there || (lists[2] == base && lists[1] == ours_list) {
                continue;
            }
            let mut all: Vec<Reference> =
                merged.into_iter().filter_map(|who| self.copier.of_record(who)).map(Reference::Element).collect();
            let old = self.editor.map().graph().element(ours).and_then(|element| element.get(LIST));
            if let Some(Value::ElementArray(old)) = old {
                // What is no node of the map stays.
                let is_other = |one: &&Reference| match one {
                    Reference::Element(id) => self.trio.who(Side::Ours, *id).is_none(),
                    _ => true,
                };
                all.extend(old.iter().filter(is_other).copied());
            }
            self.editor.graph_mut().set(ours, LIST, Value::ElementArray(all.into()));
        }
    }
}
