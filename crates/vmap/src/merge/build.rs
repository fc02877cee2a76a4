//! Builds the result: ours with the changes of theirs.

use std::collections::HashSet;

use mapwright_dmx::{Attribute, ElementId, Reference, Value};
use mapwright_io::diff::join_first;

use super::copy::Copier;
use super::display::record_name;
use super::fields::{Choice, choose_fields};
use super::file_settings::FileSettingsMerger;
use super::lists::{interleave, merge_members, merge_order};
use super::plan::Plan;
use super::records::Kind;
use super::three_way::{ThreeWayDiff, attributes_of};
use super::{Conflict, ConflictKind, Side};
use crate::{Document, Editor};

/// Builds the result of a merge.
pub(super) fn build(diff: &ThreeWayDiff<'_>, plan: &Plan, prefer: Side, conflicts: &mut Vec<Conflict>) -> Document {
    let choices = choose_fields(diff, plan, prefer, conflicts);
    let mut document = diff.sides.ours.map.clone();
    document.edit(|editor| {
        // Remove nodes first, so that new ones can have their numbers and identities.
        remove_nodes(diff, plan, editor);
        let copier = Copier::new(diff, plan, editor);
        let mut builder = Builder { diff, plan, prefer, copier, editor, conflicts };
        choices.iter().for_each(|choice| builder.apply_choice(choice));
        builder.write_children();
        builder.write_members();
        let Builder { copier, .. } = builder;
        FileSettingsMerger { diff, plan, prefer, copier, editor, conflicts }.merge();
    });
    document
}

/// Removes nodes of ours that the result does not have.
fn remove_nodes(diff: &ThreeWayDiff<'_>, plan: &Plan, editor: &mut Editor<'_>) {
    let records = diff.records.iter().enumerate();
    let gone = records.filter(|(record, versions)| versions.kind.is_in_tree() && !plan.has(*record));
    let gone: HashSet<ElementId> = gone.filter_map(|(_, versions)| versions.elements.ours).collect();
    if !gone.is_empty() {
        editor.release(&gone);
        editor.forget(gone);
    }
}

struct Builder<'b, 't, 'a, 'e> {
    diff: &'t ThreeWayDiff<'a>,
    plan: &'t Plan,
    prefer: Side,
    copier: Copier<'t, 'a>,
    editor: &'b mut Editor<'e>,
    conflicts: &'b mut Vec<Conflict>,
}

impl Builder<'_, '_, '_, '_> {
    /// Applies class, name and attributes of theirs to a record.
    fn apply_choice(&mut self, choice: &Choice) {
        let theirs = self.diff.sides.theirs.map;
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
                    // The result already has a node with this reference.
                    let Some(reference) = self.editor.claim_reference(*reference) else { continue };
                    Value::UInt64(reference)
                }
                (_, name, value) => self.copier.copy_value_with_parts(self.editor, name, value),
            };
            let name = self.copier.copy_string(self.editor, attribute.name);
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

    /// Discards elements that only a replaced value referred to.
    fn discard(&mut self, value: Option<&Value>) {
        for id in value.into_iter().flat_map(Value::elements) {
            if !self.diff.sides.ours.kind(id).is_some_and(Kind::is_in_tree) {
                self.editor.discard(id);
            }
        }
    }

    /// Writes the children of each record in their merged order.
    fn write_children(&mut self) {
        for (record, versions) in self.diff.records.iter().enumerate() {
            let (Some(list), Some(now)) = (versions.kind.list_attribute(), self.copier.result_of_record(record)) else {
                continue;
            };
            if !self.plan.has(record) {
                continue;
            }
            let is_child = |child: usize| self.plan.has(child) && self.plan.parents.get(child) == Some(&Some(record));
            let (base, ours) = (self.diff.children_in_base(record), self.diff.children(Side::Ours, record));
            let theirs = self.diff.children(Side::Theirs, record);
            let (mut merged, is_conflict) = merge_order([&base, &ours, &theirs], self.prefer, is_child);
            // Children of a removed parent that moved here.
            let known: HashSet<usize> = merged.iter().copied().collect();
            let all = self.plan.children.get(&record).into_iter().flatten();
            merged.extend(all.filter(|child| !known.contains(child)));
            let unchanged = versions.elements.ours.is_some() && merged == ours;
            if is_conflict && versions.kind != Kind::Root {
                let names = |list: &[usize]| join_first(list.iter(), |child| record_name(self.diff, Some(*child)));
                self.conflicts.push(Conflict {
                    kind: ConflictKind::Place,
                    node: super::display::label(self.diff, record),
                    field: "order of children".to_owned(),
                    base: names(&base),
                    ours: names(&ours),
                    theirs: names(&theirs),
                });
            }
            if unchanged {
                continue;
            }
            let mut references: Vec<Reference> = merged
                .into_iter()
                .filter_map(|child| self.copier.result_of_record(child))
                .map(Reference::Element)
                .collect();
            references.extend(self.other_items(record, list));
            self.editor.graph_mut().set(now, list, Value::ElementArray(references.into()));
        }
    }

    /// Returns the other items of a list of children: null, references to other files, and nodes with another parent.
    fn other_items(&mut self, record: usize, list: &str) -> Vec<Reference> {
        let versions = &self.diff.records[record];
        let (side, id) = match (versions.elements.ours, versions.elements.theirs) {
            (Some(id), _) => (Side::Ours, id),
            (None, Some(id)) => (Side::Theirs, id),
            (None, None) => return Vec::new(),
        };
        let records = self.diff.sides.get(side);
        let Some(Value::ElementArray(all)) = records.map.graph().element(id).and_then(|element| element.get(list))
        else {
            return Vec::new();
        };
        let mut seen = HashSet::new();
        let is_other = |reference: &Reference| match reference {
            Reference::Element(child) => {
                let is_below =
                    records.parents.get(child) == Some(&id) && records.kind(*child).is_some_and(Kind::is_in_tree);
                !is_below || !seen.insert(*child)
            }
            _ => true,
        };
        let others: Vec<Reference> = all.iter().copied().filter(is_other).collect();
        let in_result = |builder: &mut Self, reference| match (side, reference) {
            (Side::Ours, Reference::Element(child)) => match builder.diff.record_of(side, child) {
                Some(record) if records.kind(child).is_some_and(Kind::is_in_tree) => {
                    builder.plan.has(record).then_some(reference)
                }
                _ => Some(reference),
            },
            (Side::Ours, reference) => Some(reference),
            (Side::Theirs, reference) => builder.copier.copy_reference(builder.editor, reference),
        };
        others.into_iter().filter_map(|reference| in_result(self, reference)).collect()
    }

    /// Writes the members of selection sets.
    fn write_members(&mut self) {
        const LIST: &str = "selectedObjects";
        for versions in self.diff.records.iter().filter(|versions| versions.kind == Kind::Objects) {
            // Sets of one side are copied with their members.
            let (Some(ours), Some(theirs)) = (versions.elements.ours, versions.elements.theirs) else { continue };
            let of = |side: Side, id: ElementId| -> Vec<usize> {
                let element = self.diff.sides.get(side).map.graph().element(id);
                let nodes = element.into_iter().flat_map(|element| element.children(LIST));
                nodes.filter_map(|node| self.diff.record_of(side, node.id())).collect()
            };
            let base = versions.base.and_then(|id| self.diff.base.map.graph().element(id));
            let base: Vec<usize> = base
                .into_iter()
                .flat_map(|element| element.children(LIST))
                .filter_map(|node| self.diff.record_in_base(node.id()))
                .collect();
            let ours_list = of(Side::Ours, ours);
            // A side that removed a node did not decide about its membership: if the node stays, it stays a member.
            let with_removed = |side: Side, list: &[usize]| {
                let has: HashSet<usize> = list.iter().copied().collect();
                let stays = |record: &usize| has.contains(record) || self.diff.element(side, *record).is_none();
                interleave(list, &base.iter().copied().filter(stays).collect::<Vec<_>>())
            };
            let lists = [
                &base[..],
                &with_removed(Side::Ours, &ours_list),
                &with_removed(Side::Theirs, &of(Side::Theirs, theirs)),
            ];
            let members = merge_members(lists);
            let (merged, _) =
                merge_order(lists, self.prefer, |record| members.contains(&record) && self.plan.has(record));
            let remaining: Vec<usize> = ours_list.iter().copied().filter(|record| self.plan.has(*record)).collect();
            if merged == remaining || (lists[2] == base && lists[1] == ours_list) {
                continue;
            }
            let mut all: Vec<Reference> = merged
                .into_iter()
                .filter_map(|record| self.copier.result_of_record(record))
                .map(Reference::Element)
                .collect();
            let old = self.editor.map().graph().element(ours).and_then(|element| element.get(LIST));
            if let Some(Value::ElementArray(old)) = old {
                // Items that are not nodes of the map stay.
                let is_other = |one: &&Reference| match one {
                    Reference::Element(id) => self.diff.record_of(Side::Ours, *id).is_none(),
                    _ => true,
                };
                all.extend(old.iter().filter(is_other).copied());
            }
            self.editor.graph_mut().set(ours, LIST, Value::ElementArray(all.into()));
        }
    }
}
