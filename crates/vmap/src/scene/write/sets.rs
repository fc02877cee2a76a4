//! Writes selection sets.

use std::collections::{BTreeMap, HashSet};

use mapwright_dmx::{ElementId, ElementRef, Reference, Value};
use mapwright_scene as scene;
use mapwright_scene::{Elements, NamedSet};

use super::super::names::{PARENT_SET, with_count};
use super::context::WriteContext;

/// Writes the selection sets. Sets of the base are matched by index.
pub(super) fn write_sets(context: &mut WriteContext<'_, '_, '_>) {
    let root = context.element_ref(ElementId::ROOT);
    let Some(top) = root.and_then(|root| root.child("rootSelectionSet")).map(ElementRef::id) else {
        if !context.scene.sets.is_empty() {
            context.losses.dropped("sets", "selection sets: the map has no root set");
        }
        return;
    };
    let base = context.base;
    let old_nodes: HashSet<ElementId> = base.into_iter().flat_map(|base| base.elements.iter().copied()).collect();
    let mut elements: Vec<ElementId> = Vec::with_capacity(context.scene.sets.len());
    // New sets by parent.
    let mut added: BTreeMap<ElementId, Vec<Reference>> = BTreeMap::new();
    for (index, set) in context.scene.sets.iter().enumerate() {
        let old = base.and_then(|base| Some((*base.sets.get(index)?, &base.scene.sets[index])));
        let element = old.map_or_else(
            || {
                let element = context.editor.create("CMapSelectionSet", "").expect("the schema has selection sets");
                let parent = set.properties.get(PARENT_SET).and_then(scene::Value::as_int);
                let parent = parent.and_then(|index| elements.get(usize::try_from(index).ok()?).copied());
                added.entry(parent.unwrap_or(top)).or_default().push(Reference::Element(element));
                element
            },
            |(element, _)| element,
        );
        elements.push(element);
        write_set(context, index, element, (set, old.map(|(_, old)| old)), &old_nodes);
    }
    let mut removed = HashSet::new();
    for &element in base.into_iter().flat_map(|base| &base.sets).skip(context.scene.sets.len()) {
        context.editor.discard(element);
        removed.insert(element);
    }
    update_lists(context, added, &removed);
}

/// Adds new sets to the lists of their parents, and removes others from all lists.
fn update_lists(
    context: &mut WriteContext<'_, '_, '_>,
    mut added: BTreeMap<ElementId, Vec<Reference>>,
    removed: &HashSet<ElementId>,
) {
    if !removed.is_empty() {
        let sets = context.editor.map().graph().iter().filter(|set| set.is("CMapSelectionSet"));
        let changed = sets.filter(|set| set.children("children").any(|child| removed.contains(&child.id())));
        changed.for_each(|set| _ = added.entry(set.id()).or_default());
    }
    for (element, new) in added {
        let old = context.element_ref(element).and_then(|element| element.get("children"));
        let old: &[Reference] = if let Some(Value::ElementArray(old)) = old { old } else { &[] };
        let is_kept = |item: &&Reference| !matches!(item, Reference::Element(id) if removed.contains(id));
        let list = old.iter().filter(is_kept).copied().chain(new).collect();
        context.set(element, "children", Value::ElementArray(list));
    }
}

fn write_set(
    context: &mut WriteContext<'_, '_, '_>,
    index: usize,
    element: ElementId,
    (set, old): (&NamedSet, Option<&NamedSet>),
    old_nodes: &HashSet<ElementId>,
) {
    if old.is_some_and(|old| is_unchanged(context, old, set)) {
        return;
    }
    let path = format!("sets[{index}]");
    if old.is_none_or(|old| old.name != set.name) {
        context.set_text(element, "selectionSetName", &set.name);
    }
    let has_parent = set.properties.get(PARENT_SET).is_some();
    if set.properties.len() > usize::from(has_parent) || old.is_some_and(|old| old.properties != set.properties) {
        context.losses.dropped(&path, "properties of the set");
    }
    let parts = set.members.iter().filter(|(_, part)| *part != Elements::Node).count();
    if parts > 0 {
        context
            .losses
            .approximated(&path, format!("{} selected in part: stored as whole nodes", with_count(parts, "node")));
    }
    let mut members: Vec<ElementId> = set.members.iter().filter_map(|(node, _)| context.element(*node)).collect();
    let mut seen = HashSet::new();
    members.retain(|member| seen.insert(*member));
    if members.len() < set.members.len() {
        context.losses.dropped(&path, "members that are repeated or not in the map");
    }
    let data = context.element_ref(element).and_then(|set| set.child("selectionSetData"));
    let data = data.filter(|data| data.is("CObjectSelectionSetDataElement"));
    // The scene does not know these members, so they stay.
    let others: Vec<Reference> = match data.and_then(|data| data.get("selectedObjects")) {
        Some(Value::ElementArray(old)) => {
            let is_known = |member: &&Reference| matches!(member, Reference::Element(id) if old_nodes.contains(id));
            old.iter().filter(|member| !is_known(member)).copied().collect()
        }
        _ => Vec::new(),
    };
    let data = data.map(ElementRef::id);
    if data.is_none() && members.is_empty() {
        return;
    }
    let data = data.unwrap_or_else(|| {
        let guid = context.editor.new_guid();
        let graph = context.editor.graph_mut();
        let data = graph.push("CObjectSelectionSetDataElement", "objectSelectionSetData", guid);
        graph.set(element, "selectionSetData", Value::Element(Reference::Element(data)));
        data
    });
    let list = members.into_iter().map(Reference::Element).chain(others).collect();
    context.set(data, "selectedObjects", Value::ElementArray(list));
}

/// Returns `true` if a set has the same name, properties and members as in the base.
fn is_unchanged(context: &WriteContext<'_, '_, '_>, old: &NamedSet, new: &NamedSet) -> bool {
    old.name == new.name
        && old.properties == new.properties
        && old.members.len() == new.members.len()
        && old
            .members
            .iter()
            .zip(&new.members)
            .all(|(old, new)| Some(old.0) == context.old[new.0.index()] && old.1 == new.1)
}
