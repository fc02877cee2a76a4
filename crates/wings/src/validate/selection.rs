//! Selections: the live one, named groups, and what a hidden object keeps.

use std::collections::HashSet;

use mapwright_etf::{ListItem, Term};

use super::object::Facts;
use super::prop::{integral, is_number, pair, proper};
use super::report::{Fate, Place, Report, Tally};
use crate::SelectMode;

/// A mode, as Wings knows it.
pub(super) fn mode(term: Term<'_>) -> Option<SelectMode> {
    let mode = SelectMode::from_name(&term.as_atom()?.name());
    (!matches!(mode, SelectMode::Other(_))).then_some(mode)
}

/// Counts the elements of a selection that the object does not have.
pub(super) fn missing(facts: &Facts, mode: &SelectMode, elements: Term<'_>) -> Tally {
    let mut missing = Tally::default();
    if *mode == SelectMode::Body {
        // The elements of a selected object do not matter.
        return missing;
    }
    for (index, element) in super::prop::items(elements).enumerate() {
        if !integral(element).is_some_and(|id| facts.has(mode, id)) {
            missing.count(index);
        }
    }
    missing
}

/// A property that selects.
pub(super) struct Selection<'p, 'd> {
    pub(super) place: Place<'p, 'd>,
    /// `{Mode,[{Object,[Element]}]}`.
    pub(super) mode: Term<'d>,
    pub(super) members: Term<'d>,
    /// How many of the file's lights come before it. Object numbers are relative to a counter that lights advance.
    pub(super) lights_before: i64,
}

/// The selections of a scene, which can be judged when all objects and lights are known.
#[derive(Default)]
pub(super) struct Selections<'p, 'd> {
    /// Of several live selections the last counts.
    pub(super) live: Option<Selection<'p, 'd>>,
    pub(super) groups: Vec<Selection<'p, 'd>>,
    keys: HashSet<(&'d [u8], &'d [u8])>,
}

impl<'p, 'd> Selections<'p, 'd> {
    /// Adds a group; its name and mode together are its identity.
    pub(super) fn group(&mut self, report: &mut Report<'d>, name: &'d [u8], group: Selection<'p, 'd>) {
        if self.keys.insert((name, group.mode.as_bytes())) {
            self.groups.push(group);
        } else {
            let what = "a group before this one has the same name and mode; Wings 3D drops this one";
            report.add(&group.place, "group-duplicate", Fate::Lost, what);
        }
    }

    pub(super) fn check(&self, report: &mut Report<'d>, facts: &[Facts], objects: usize, lights: i64) {
        let all = self.live.iter().map(|live| (live, true)).chain(self.groups.iter().map(|group| (group, false)));
        for (selection, is_live) in all {
            selection.check(report, facts, objects, lights, is_live);
        }
    }
}

impl<'d> Selection<'_, 'd> {
    /// What crashes the loader, whether the selection counts or not. Says whether the rest can be checked.
    pub(super) fn check_shape(&self, report: &mut Report<'d>) -> bool {
        let mut shape = |place: &Place<'_, 'd>, what: &str| {
            report.add(place, "selection-shape", Fate::Load, what);
            false
        };
        let Some(members) = proper(self.members) else {
            return shape(&self.place, "the objects of a selection are no proper list");
        };
        for (index, member) in members.enumerate() {
            let Some([object, elements]) = pair(member) else { continue };
            let place = self.place.index(index, object);
            if !is_number(object) {
                return shape(&place, "the number of a selected object is no number");
            }
            if proper(elements).is_none() {
                return shape(&place, "the elements of a selected object are no proper list");
            }
        }
        true
    }

    fn check(&self, report: &mut Report<'d>, facts: &[Facts], objects: usize, lights: i64, is_live: bool) {
        let place = &self.place;
        if self.lights_before < lights {
            let what = "the selection stands before the lights, so that Wings 3D takes it for other objects";
            report.add(place, "selection-before-lights", Fate::Lost, what);
        }
        let mode = mode(self.mode);
        let (mut gone, mut odd, mut missing) = (Tally::default(), Tally::default(), Tally::default());
        let mut is_used = false;
        let members = super::prop::items(self.members).filter_map(|item| item.term()?.as_tuple_of());
        for (index, [object, elements]) in members.enumerate() {
            let shift = lights.saturating_sub(self.lights_before);
            let number = integral(ListItem::Term(object)).and_then(|id| usize::try_from(id.checked_sub(shift)?).ok());
            let Some(number) = number.filter(|&number| number < objects) else {
                gone.count(index);
                continue;
            };
            is_used = true;
            if object.as_i64().is_none() {
                odd.count(index);
            }
            // Objects that could not be read are judged by that alone.
            let facts =
                facts.binary_search_by_key(&number, |facts| facts.index).ok().and_then(|place| facts.get(place));
            if let (Some(mode), Some(facts)) = (&mode, facts)
                && self::missing(facts, mode, elements).count > 0
            {
                missing.count(index);
            }
        }
        let members = place.field("members", self.members);
        let gone_what = "a selected object does not exist; Wings 3D drops it";
        report.many(&members, gone, "selection-object", Fate::Lost, gone_what);
        report.many(&members, odd, "selection-object", Fate::Save, "the number of a selected object is no integer");
        if mode.is_none() {
            let fate = if is_used { Fate::Save } else { Fate::Lost };
            report.add(place, "selection-mode", fate, "the mode of a selection is none of vertex, edge, face and body");
        }
        if is_live {
            let what = "a selected element does not exist or is hidden";
            report.many(&members, missing, "selection-range", Fate::Save, what);
        } else {
            let what = "elements of a group do not exist or are hidden; Wings 3D drops them on the next save";
            report.many(&members, missing, "selection-range", Fate::Lost, what);
        }
    }
}
