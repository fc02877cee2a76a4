//! Visibility, variables, the thumbnail.

use std::collections::HashSet;

use super::nodes::{is_array_of, lengths};
use super::report::{Place, Report, lossy};
use crate::ChoiceGroup;

pub(super) fn check(report: &mut Report<'_>) {
    visibility(report);
    variables(report);
    thumbnail(report);
}

fn visibility(report: &mut Report<'_>) {
    let map = report.map;
    let Some(visibility) = map.visibility() else {
        report.warn("visibility-missing", Place::Root("visbility"), "the map has no visibility manager");
        return;
    };
    let has = |name| map.graph().root().is_some_and(|root| root.child(name).is_some());
    if !has("visbility") {
        let message = "Hammer spells this attribute visbility, and does not find this one";
        report.warn("visibility-spelling", Place::Root("visibility"), message);
    }
    lengths(report, visibility.element(), "visibility-lengths", &["nodes", "hiddenFlags"]);
    for (index, (_, flags)) in visibility.entries().enumerate() {
        if flags.name().is_none() {
            let message = format!("{} is no known reason for hiding a node", flags.0);
            report.note("visibility-flags", Place::Item(visibility.element(), "hiddenFlags", index), message);
        }
    }
}

fn variables(report: &mut Report<'_>) {
    let Some(variables) = report.map.variables() else { return };
    let arrays = ["variableNames", "variableValues", "variableTypeNames", "variableTypeParameters"];
    lengths(report, variables.element(), "variable-lengths", &arrays);
    let names: HashSet<&[u8]> = variables.iter().map(|variable| variable.name).collect();
    let mut seen = HashSet::new();
    for group in variables.choice_groups() {
        // The same group many times is looked at once.
        if seen.insert(group.element().id()) {
            choices(report, group, &names);
        }
    }
}

fn choices(report: &mut Report<'_>, group: ChoiceGroup<'_>, names: &HashSet<&[u8]>) {
    let element = group.element();
    for (index, variable) in group.variables().iter().enumerate() {
        if !names.contains(variable) {
            let message = format!("{:?} is no variable of the map", lossy(variable));
            report.warn("choice-variable", Place::Item(element, "m_ChoiceVariables", index), message);
        }
    }
    let count = group.variables().len();
    let mut active_is_there = false;
    for choice in group.choices() {
        active_is_there |= choice.element().name() == group.active();
        if !is_array_of(choice.element().get("m_ChoiceValues"), count) {
            let message = format!("the choice has {} values for {count} variables", choice.values().len());
            report.warn("choice-values", Place::Attribute(choice.element(), "m_ChoiceValues"), message);
        }
    }
    if !active_is_there {
        let message = format!("{:?} is none of the choices", lossy(group.active()));
        report.warn("choice-active", Place::Element(element), message);
    }
}

fn thumbnail(report: &mut Report<'_>) {
    let Some(thumbnail) = report.map.thumbnail() else { return };
    let is_it = match thumbnail.format.to_ascii_lowercase().as_slice() {
        b"jpg" | b"jpeg" => thumbnail.bytes.starts_with(&[0xFF, 0xD8, 0xFF]),
        b"png" => thumbnail.bytes.starts_with(b"\x89PNG\r\n\x1A\n"),
        _ => false,
    };
    if !is_it {
        let message = format!("the thumbnail is no image of the stated format {:?}", lossy(thumbnail.format));
        report.warn("thumbnail", Place::File, message);
    }
}
