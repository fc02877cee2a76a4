//! Reads selection sets.

use mapwright_dmx::{ElementRef, Value};
use mapwright_scene::{Elements, NamedSet, Properties};

use super::super::names::{PARENT_SET, with_count};
use super::context::ReadContext;
use crate::validate::lossy;

/// Reads the selection sets, parents before children.
pub(super) fn read_sets<'a>(context: &mut ReadContext<'a>, root: ElementRef<'a>) {
    let Some(top) = root.child("rootSelectionSet") else { return };
    context.values.used.insert(top.id());
    let mut stack: Vec<(ElementRef<'a>, Option<usize>)> = Vec::new();
    let push_children = |set: ElementRef<'a>, parent, stack: &mut Vec<_>| {
        stack.extend(set.children("children").rev().map(|child| (child, parent)));
    };
    push_children(top, None, &mut stack);
    while let Some((element, parent)) = stack.pop() {
        if !context.values.used.insert(element.id()) {
            context.losses.dropped("rootSelectionSet", "repeated reference to a selection set");
            continue;
        }
        let index = context.linked.scene.sets.len();
        push_children(element, Some(index), &mut stack);
        let set = read_set(context, element, parent);
        context.linked.scene.sets.push(set);
        context.linked.sets.push(element.id());
    }
}

fn read_set(context: &mut ReadContext<'_>, element: ElementRef<'_>, parent: Option<usize>) -> NamedSet {
    let name = element.text("selectionSetName").unwrap_or_default();
    let path = format!("rootSelectionSet.{}", lossy(name));
    let name = context.values.text(name).unwrap_or_default();
    let mut properties = Properties::new();
    if let Some(parent) = parent.and_then(|parent| i64::try_from(parent).ok()) {
        properties.push(PARENT_SET, parent);
    }
    let mut members = Vec::new();
    if let Some(data) = element.child("selectionSetData") {
        let mut unknown = 0_usize;
        if !context.values.used.insert(data.id()) {
            context.losses.dropped(&path, "members: their list is shared with another set");
        } else if data.is("CObjectSelectionSetDataElement") {
            for member in data.children("selectedObjects") {
                match context.nodes.get(&member.id()) {
                    Some(&node) => members.push((node, Elements::Node)),
                    None => unknown += 1,
                }
            }
        } else if data.get("faces").and_then(Value::array_len).unwrap_or(0) > 0
            || !data.is("CFaceSelectionSetDataElement")
        {
            context.losses.dropped(&path, format!("selection of class {}", lossy(data.class())));
        }
        if unknown > 0 {
            context.losses.dropped(&path, format!("{} outside the map", with_count(unknown, "member")));
        }
    }
    NamedSet { name, members, properties }
}
