//! Selection sets.

use std::collections::{BTreeMap, HashSet};

use mapwright_dmx::{ElementId, ElementRef, Reference, Value};
use mapwright_scene as scene;
use mapwright_scene::{Elements, NamedSet, Properties};

use super::from::Writer;
use super::to::Reader;
use crate::WriteError;
use crate::validate::lossy;

/// The name of the set that a set stands in, among its properties.
pub(super) const WITHIN: &str = "within";

/// Reads the selection sets, those in others behind them.
pub(super) fn read<'a>(reader: &mut Reader<'a>, root: ElementRef<'a>) {
    let Some(top) = root.child("rootSelectionSet") else { return };
    reader.values.seen.insert(top.id());
    let mut stack: Vec<(ElementRef<'a>, Option<usize>)> = Vec::new();
    let below = |set: ElementRef<'a>, parent, stack: &mut Vec<_>| {
        stack.extend(set.children("children").rev().map(|child| (child, parent)));
    };
    below(top, None, &mut stack);
    while let Some((element, parent)) = stack.pop() {
        if !reader.values.seen.insert(element.id()) {
            reader.reading.losses.dropped("rootSelectionSet", "another place of a selection set");
            continue;
        }
        let index = reader.reading.scene.sets.len();
        below(element, Some(index), &mut stack);
        let set = set(reader, element, parent);
        reader.reading.scene.sets.push(set);
        reader.reading.sets.push(element.id());
    }
}

fn set(reader: &mut Reader<'_>, element: ElementRef<'_>, parent: Option<usize>) -> NamedSet {
    let name = element.text("selectionSetName").unwrap_or_default();
    let path = format!("rootSelectionSet.{}", lossy(name));
    let name = reader.values.text(name).unwrap_or_default();
    let mut properties = Properties::new();
    if let Some(parent) = parent.and_then(|parent| i64::try_from(parent).ok()) {
        properties.push(WITHIN, parent);
    }
    let mut members = Vec::new();
    if let Some(data) = element.child("selectionSetData") {
        let mut outside = 0_usize;
        if !reader.values.seen.insert(data.id()) {
            reader.reading.losses.dropped(&path, "members that another set has, as the same list");
        } else if data.is("CObjectSelectionSetDataElement") {
            for member in data.children("selectedObjects") {
                match reader.nodes.get(&member.id()) {
                    Some(&node) => members.push((node, Elements::Node)),
                    None => outside += 1,
                }
            }
        } else if data.get("faces").and_then(Value::array_len).unwrap_or(0) > 0
            || !data.is("CFaceSelectionSetDataElement")
        {
            reader.reading.losses.dropped(&path, format!("a selection of {}", lossy(data.class())));
        }
        if outside > 0 {
            reader.reading.losses.dropped(&path, format!("{outside} members that are no nodes of the map"));
        }
    }
    NamedSet { name, members, properties }
}

impl Writer<'_, '_, '_> {
    /// Writes the selection sets; sets of the base are known by their place in the list.
    pub(super) fn sets(&mut self) -> Result<(), WriteError> {
        let root = self.editor.map().graph().root();
        let Some(top) = root.and_then(|root| root.child("rootSelectionSet")).map(ElementRef::id) else {
            if !self.scene.sets.is_empty() {
                self.losses.dropped("sets", "selection sets, for which the map has no place");
            }
            return Ok(());
        };
        let base = self.base;
        let known: HashSet<ElementId> = base.map_or_else(HashSet::new, |base| base.elements.iter().copied().collect());
        let mut elements: Vec<ElementId> = Vec::with_capacity(self.scene.sets.len());
        // What is new in each list of sets.
        let mut added: BTreeMap<ElementId, Vec<Reference>> = BTreeMap::new();
        for (index, set) in self.scene.sets.iter().enumerate() {
            let old = base.and_then(|base| Some((*base.sets.get(index)?, base.scene.sets.get(index)?)));
            let element = match old {
                Some((element, _)) => element,
                None => {
                    let Some(element) = self.editor.make("CMapSelectionSet", "") else { continue };
                    let within = set.properties.get(WITHIN).and_then(scene::Value::as_int);
                    let within = within.and_then(|index| elements.get(usize::try_from(index).ok()?).copied());
                    added.entry(within.unwrap_or(top)).or_default().push(Reference::Element(element));
                    element
                }
            };
            elements.push(element);
            self.set_members(index, set, element, old.map(|(_, old)| old), &known);
        }
        let mut dropped = HashSet::new();
        for &element in base.map_or(&[][..], |base| base.sets.as_slice()).iter().skip(self.scene.sets.len()) {
            self.editor.discard(element);
            dropped.insert(element);
        }
        self.change_lists(added, &dropped);
        Ok(())
    }

    /// Adds sets to lists of sets, and takes others out of all of them.
    fn change_lists(&mut self, mut added: BTreeMap<ElementId, Vec<Reference>>, dropped: &HashSet<ElementId>) {
        if !dropped.is_empty() {
            let all = self.editor.map().graph().iter().filter(|set| set.is("CMapSelectionSet"));
            let changed = all.filter(|set| set.children("children").any(|child| dropped.contains(&child.id())));
            changed.for_each(|set| _ = added.entry(set.id()).or_default());
        }
        for (element, new) in added {
            let old = self.editor.map().graph().element(element).and_then(|element| element.get("children"));
            let old: &[Reference] = if let Some(Value::ElementArray(old)) = old { old } else { &[] };
            let is_kept = |item: &&Reference| !matches!(item, Reference::Element(id) if dropped.contains(id));
            let list = old.iter().filter(is_kept).copied().chain(new).collect();
            self.set(element, "children", Value::ElementArray(list));
        }
    }

    fn set_members(
        &mut self,
        index: usize,
        set: &NamedSet,
        element: ElementId,
        old: Option<&NamedSet>,
        known: &HashSet<ElementId>,
    ) {
        if old.is_some_and(|old| self.same_members(old, set)) {
            return;
        }
        let path = format!("sets[{index}]");
        if old.is_none_or(|old| old.name != set.name) {
            self.set_text(element, "selectionSetName", &set.name);
        }
        let within = set.properties.get(WITHIN);
        if set.properties.len() > usize::from(within.is_some())
            || old.is_some_and(|old| old.properties != set.properties)
        {
            self.losses.dropped(&path, "properties of the set");
        }
        let parts = set.members.iter().filter(|(_, part)| *part != Elements::Node).count();
        if parts > 0 {
            self.losses.approximated(&path, format!("parts of {parts} nodes, as whole nodes"));
        }
        let mut members: Vec<ElementId> = set.members.iter().filter_map(|(node, _)| self.element(*node)).collect();
        let mut seen = HashSet::new();
        members.retain(|member| seen.insert(*member));
        if members.len() < set.members.len() {
            self.losses.dropped(&path, "members that are not in the map, or twice in the set");
        }
        let graph = self.editor.map().graph();
        let data = graph.element(element).and_then(|set| set.child("selectionSetData"));
        let data = data.filter(|data| data.is("CObjectSelectionSetDataElement"));
        let outside: Vec<Reference> = match data.and_then(|data| data.get("selectedObjects")) {
            Some(Value::ElementArray(all)) => {
                let ours = |reference: &&Reference| matches!(reference, Reference::Element(id) if known.contains(id));
                all.iter().filter(|reference| !ours(reference)).copied().collect()
            }
            _ => Vec::new(),
        };
        let data = data.map(ElementRef::id);
        if data.is_none() && members.is_empty() {
            return;
        }
        let data = data.unwrap_or_else(|| {
            let guid = self.editor.guid();
            let data = self.editor.graph_mut().push("CObjectSelectionSetDataElement", "objectSelectionSetData", guid);
            self.editor.graph_mut().set(element, "selectionSetData", Value::Element(Reference::Element(data)));
            data
        });
        let all = members.into_iter().map(Reference::Element).chain(outside).collect();
        self.set(data, "selectedObjects", Value::ElementArray(all));
    }

    /// Whether a set has the members that it had, by what they were.
    fn same_members(&self, old: &NamedSet, new: &NamedSet) -> bool {
        let was = |node: scene::NodeId| self.old.get(node.index()).copied().flatten();
        old.name == new.name
            && old.properties == new.properties
            && old.members.len() == new.members.len()
            && old.members.iter().zip(&new.members).all(|(old, new)| Some(old.0) == was(new.0) && old.1 == new.1)
    }
}
