//! Selections: the live one, named groups, and those of hidden objects.

use std::collections::HashSet;

use mapwright_etf::{ListItem, Term};

use super::lookup::{integral, is_number, pair, proper};
use super::object::ObjectFacts;
use super::report::LoadOutcome::{CrashOnLoad, CrashOnSave, DataLoss};
use super::report::{Location, Report, Tally};
use crate::SelectMode;

/// Reads a mode that Wings knows.
pub(super) fn read_mode(term: Term<'_>) -> Option<SelectMode> {
    let mode = SelectMode::from_name(&term.as_atom()?.name());
    (!matches!(mode, SelectMode::Other(_))).then_some(mode)
}

/// Counts the elements of a selection that do not exist or are hidden.
pub(super) fn count_missing(facts: &ObjectFacts, mode: &SelectMode, elements: Term<'_>) -> Tally {
    let mut missing = Tally::default();
    if *mode == SelectMode::Body {
        // Wings ignores the elements of selected objects.
        return missing;
    }
    for (index, element) in super::lookup::items(elements).enumerate() {
        if !integral(element).is_some_and(|id| facts.has(mode, id)) {
            missing.count(index);
        }
    }
    missing
}

/// A selection property.
pub(super) struct Selection<'p, 'd> {
    pub(super) location: Location<'p, 'd>,
    /// `{Mode,[{Object,[Element]}]}`.
    pub(super) mode: Term<'d>,
    pub(super) members: Term<'d>,
    /// Number of lights before the selection. Wings numbers objects with a counter that lights increment, too.
    pub(super) lights_before: i64,
}

/// The selections of a scene. They are checked when all objects and lights are known.
#[derive(Default)]
pub(super) struct Selections<'p, 'd> {
    /// The live selection. If there are several, the last one.
    pub(super) live: Option<Selection<'p, 'd>>,
    pub(super) groups: Vec<Selection<'p, 'd>>,
    keys: HashSet<(&'d [u8], &'d [u8])>,
}

impl<'p, 'd> Selections<'p, 'd> {
    /// Adds a group. Its name and mode identify it.
    pub(super) fn add_group(&mut self, report: &mut Report<'d>, name: &'d [u8], group: Selection<'p, 'd>) {
        if self.keys.insert((name, group.mode.as_bytes())) {
            self.groups.push(group);
        } else {
            let what = "an earlier group has the same name and mode; Wings 3D drops this one";
            report.add(&group.location, "group-duplicate", DataLoss, what);
        }
    }

    pub(super) fn check(&self, report: &mut Report<'d>, facts: &[ObjectFacts], objects: usize, lights: i64) {
        let all = self.live.iter().map(|live| (live, true)).chain(self.groups.iter().map(|group| (group, false)));
        for (selection, is_live) in all {
            selection.check(report, facts, objects, lights, is_live);
        }
    }
}

impl<'d> Selection<'_, 'd> {
    /// Checks for faults that crash the loader in any selection. Returns `true` if the rest can be checked.
    pub(super) fn check_shape(&self, report: &mut Report<'d>) -> bool {
        let mut shape = |location: &Location<'_, 'd>, what: &str| {
            report.add(location, "selection-shape", CrashOnLoad, what);
            false
        };
        let Some(members) = proper(self.members) else {
            return shape(&self.location, "the objects of a selection are not a proper list");
        };
        for (index, member) in members.enumerate() {
            let Some([object, elements]) = pair(member) else { continue };
            let location = self.location.index(index, object);
            if !is_number(object) {
                return shape(&location, "invalid number of a selected object: expected a number");
            }
            if proper(elements).is_none() {
                return shape(&location, "the elements of a selected object are not a proper list");
            }
        }
        true
    }

    fn check(&self, report: &mut Report<'d>, facts: &[ObjectFacts], objects: usize, lights: i64, is_live: bool) {
        let location = &self.location;
        if self.lights_before < lights {
            let what = "the selection comes before the lights, so Wings 3D applies it to other objects";
            report.add(location, "selection-before-lights", DataLoss, what);
        }
        let mode = read_mode(self.mode);
        let (mut not_found, mut not_integers, mut missing) = (Tally::default(), Tally::default(), Tally::default());
        let mut is_used = false;
        let members = super::lookup::items(self.members).filter_map(|item| item.term()?.as_tuple_of());
        for (index, [object, elements]) in members.enumerate() {
            let shift = lights.saturating_sub(self.lights_before);
            let number = integral(ListItem::Term(object)).and_then(|id| usize::try_from(id.checked_sub(shift)?).ok());
            let Some(number) = number.filter(|&number| number < objects) else {
                not_found.count(index);
                continue;
            };
            is_used = true;
            if object.as_i64().is_none() {
                not_integers.count(index);
            }
            // Unreadable objects have a finding of their own.
            let facts =
                facts.binary_search_by_key(&number, |facts| facts.index).ok().and_then(|location| facts.get(location));
            if let (Some(mode), Some(facts)) = (&mode, facts)
                && count_missing(facts, mode, elements).count > 0
            {
                missing.count(index);
            }
        }
        let members = location.field("members", self.members);
        let not_found_what = "a selected object does not exist; Wings 3D drops it";
        report.add_tally(&members, not_found, "selection-object", DataLoss, not_found_what);
        report.add_tally(
            &members,
            not_integers,
            "selection-object",
            CrashOnSave,
            "the number of a selected object is not an integer",
        );
        if mode.is_none() {
            let outcome = if is_used { CrashOnSave } else { DataLoss };
            report.add(
                location,
                "selection-mode",
                outcome,
                "invalid mode of a selection: expected vertex, edge, face or body",
            );
        }
        if is_live {
            let what = "a selected element does not exist or is hidden";
            report.add_tally(&members, missing, "selection-range", CrashOnSave, what);
        } else {
            let what = "elements of a group do not exist or are hidden; Wings 3D drops them on the next save";
            report.add_tally(&members, missing, "selection-range", DataLoss, what);
        }
    }
}
