//! Checks visibility, variables and the thumbnail.

use std::collections::HashSet;

use super::nodes::{check_lengths, has_length};
use super::report::{Location, Report, lossy};
use crate::ChoiceGroup;

pub(super) fn check(report: &mut Report<'_>) {
    visibility(report);
    variables(report);
    thumbnail(report);
}

fn visibility(report: &mut Report<'_>) {
    let map = report.map;
    let Some(visibility) = map.visibility() else {
        report.warn("visibility-missing", Location::Root("visbility"), "the map has no visibility manager");
        return;
    };
    let has = |name| map.graph().root().is_some_and(|root| root.child(name).is_some());
    if !has("visbility") {
        let message = "Hammer ignores this attribute: it expects the name visbility";
        report.warn("visibility-spelling", Location::Root("visibility"), message);
    }
    check_lengths(report, visibility.element(), "visibility-lengths", &["nodes", "hiddenFlags"]);
    for (index, (_, flags)) in visibility.entries().enumerate() {
        if flags.name().is_none() {
            let message = format!("unknown reason {} for hiding a node", flags.0);
            report.note("visibility-flags", Location::Item(visibility.element(), "hiddenFlags", index), message);
        }
    }
}

fn variables(report: &mut Report<'_>) {
    let Some(variables) = report.map.variables() else { return };
    let arrays = ["variableNames", "variableValues", "variableTypeNames", "variableTypeParameters"];
    check_lengths(report, variables.element(), "variable-lengths", &arrays);
    let names: HashSet<&[u8]> = variables.iter().map(|variable| variable.name).collect();
    let mut seen = HashSet::new();
    for group in variables.choice_groups() {
        // Check a group that is listed several times once.
        if seen.insert(group.element().id()) {
            choices(report, group, &names);
        }
    }
}

fn choices(report: &mut Report<'_>, group: ChoiceGroup<'_>, names: &HashSet<&[u8]>) {
    let element = group.element();
    for (index, variable) in group.variables().iter().enumerate() {
        if !names.contains(variable) {
            let message = format!("{:?} is not a variable of the map", lossy(variable));
            report.warn("choice-variable", Location::Item(element, "m_ChoiceVariables", index), message);
        }
    }
    let count = group.variables().len();
    let mut has_active = false;
    for choice in group.choices() {
        has_active |= choice.element().name() == group.active();
        if !has_length(choice.element().get("m_ChoiceValues"), count) {
            let message = format!("the choice has {} values, expected {count}", choice.values().len());
            report.warn("choice-values", Location::Attribute(choice.element(), "m_ChoiceValues"), message);
        }
    }
    // A new group in Hammer has no choices and no active one.
    let is_new = group.active().is_empty() && group.choices().next().is_none();
    if !has_active && !is_new {
        let message = format!("the active choice {:?} does not exist", lossy(group.active()));
        report.warn("choice-active", Location::Element(element), message);
    }
}

fn thumbnail(report: &mut Report<'_>) {
    let Some(thumbnail) = report.map.thumbnail() else { return };
    let has_format = match thumbnail.format.to_ascii_lowercase().as_slice() {
        b"jpg" | b"jpeg" => thumbnail.bytes.starts_with(&[0xFF, 0xD8, 0xFF]),
        b"png" => thumbnail.bytes.starts_with(b"\x89PNG\r\n\x1A\n"),
        _ => false,
    };
    if !has_format {
        let message = format!("the thumbnail does not have the stated format {:?}", lossy(thumbnail.format));
        report.warn("thumbnail", Location::File, message);
    }
}
