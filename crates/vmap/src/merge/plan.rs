//! What is in the result, and what it stands below.

use std::collections::{HashMap, HashSet};

use mapwright_io::diff::join_first;

use super::display::{misplaced, removed};
use super::records::Kind;
use super::trio::Trio;
use super::{Conflict, Side};

/// The tree of the result, by records.
pub(super) struct Plan {
    present: Vec<bool>,
    pub(super) parents: Vec<Option<usize>>,
    /// What stands below each, in no order.
    pub(super) children: HashMap<usize, Vec<usize>>,
}

struct Planner<'t, 'a> {
    trio: &'t Trio<'a>,
    prefer: Side,
    /// The side that is not preferred.
    other: Side,
    /// Whether what the other side has can be there.
    available: Vec<bool>,
    /// Where what would stand below a record of the other side goes: to it, or to what is above it if that is gone.
    landing: Vec<Option<usize>>,
    /// What a record stands below, and whether the other side says so.
    parents: Vec<(Option<usize>, bool)>,
    present: Vec<bool>,
    conflicts: &'t mut Vec<Conflict>,
}

impl Plan {
    pub(super) fn of(trio: &Trio<'_>, prefer: Side, conflicts: &mut Vec<Conflict>) -> Self {
        let count = trio.items.len();
        let mut planner = Planner {
            trio,
            prefer,
            other: prefer.other(),
            available: vec![false; count],
            landing: vec![None; count],
            parents: vec![(None, false); count],
            present: vec![false; count],
            conflicts,
        };
        planner.find_places();
        planner.drop_what_shows_removed();
        planner.move_all();
        planner.open_circles();
        planner.keep();
        planner.tell_removed();
        let parents: Vec<_> = planner.parents.iter().map(|(parent, _)| *parent).collect();
        let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
        for (who, parent) in parents.iter().enumerate() {
            if let (Some(true), Some(parent)) = (planner.present.get(who), parent) {
                children.entry(*parent).or_default().push(who);
            }
        }
        Self { present: planner.present, parents, children }
    }

    /// Whether a record is in the result.
    pub(super) fn has(&self, who: usize) -> bool {
        self.present.get(who) == Some(&true)
    }
}

impl Planner<'_, '_> {
    fn has(&self, side: Side, who: usize) -> bool {
        self.trio.element(side, who).is_some()
    }

    fn kind(&self, who: usize) -> Option<Kind> {
        self.trio.items.get(who).map(|item| item.kind)
    }

    fn is_old(&self, who: usize) -> bool {
        self.trio.items.get(who).is_some_and(|item| item.base.is_some())
    }

    fn get(list: &[bool], who: usize) -> bool {
        list.get(who) == Some(&true)
    }

    fn tell(&mut self, who: usize, conflict: Conflict) {
        // Light is baked anew whenever one likes.
        if self.kind(who) != Some(Kind::Light) {
            self.conflicts.push(conflict);
        }
    }

    /// Records of a side that stand in a tree, parents first.
    fn placed(&self, side: Side) -> Vec<usize> {
        let records = self.trio.sides.of(side);
        records.placed.iter().filter_map(|id| self.trio.who(side, *id)).collect()
    }

    /// Whether what stands in something may as well stand in what is above that.
    fn is_group(&self, who: usize) -> bool {
        let element = self.trio.element(self.other, who).and_then(|id| {
            let records = self.trio.sides.of(self.other);
            records.map.graph().element(id)
        });
        element.is_some_and(|element| {
            [&b"CMapGroup"[..], b"CMapWorldLayer", b"CMapSelectionSet"].contains(&element.class())
        })
    }

    /// What of the other side can be there as far as its parents go.
    fn find_places(&mut self) {
        for who in self.placed(self.other) {
            let parent = self.trio.parent(self.other, who);
            let above = parent.and_then(|parent| self.landing.get(parent).copied().flatten());
            let is_gone = self.is_old(who) && !self.has(self.prefer, who) && parent.is_some();
            let is_available = !is_gone && (self.has(self.prefer, who) || parent.is_none() || above.is_some());
            let landing = match (is_available, is_gone && self.is_group(who)) {
                (true, _) => Some(who),
                (false, true) => above,
                (false, false) => None,
            };
            if let (Some(available), Some(place), Some(position)) =
                (self.available.get_mut(who), self.landing.get_mut(who), self.parents.get_mut(who))
            {
                (*available, *place, *position) = (is_available, landing, (above, true));
            }
        }
    }

    /// Whether only the other side has it, and the base does not.
    fn is_added(&self, who: usize) -> bool {
        !self.is_old(who) && !self.has(self.prefer, who)
    }

    /// What is new in the other side and shows what is not there cannot be there, with all below it.
    fn drop_what_shows_removed(&mut self) {
        let mut hangs_on: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut next = Vec::new();
        let added: Vec<usize> = self.placed(self.other).into_iter().filter(|who| self.is_added(*who)).collect();
        for &who in added.iter().filter(|who| Self::get(&self.available, **who)) {
            let records = self.trio.sides.of(self.other);
            let targets = self.trio.element(self.other, who).map(|id| records.targets(id)).unwrap_or_default();
            let targets = targets.into_iter().filter_map(|(_, target)| self.trio.who(self.other, target));
            let parent = self.parents.get(who).and_then(|(parent, _)| *parent);
            for needed in targets.chain(parent) {
                hangs_on.entry(needed).or_default().push(who);
                if !Self::get(&self.available, needed) {
                    next.push(who);
                }
            }
        }
        while let Some(who) = next.pop() {
            if let Some(available @ true) = self.available.get_mut(who) {
                *available = false;
                next.extend(hangs_on.remove(&who).unwrap_or_default());
            }
        }
        for who in added {
            if !Self::get(&self.available, who) {
                let conflict = removed(self.trio, who, self.prefer, "added".to_owned());
                self.tell(who, Conflict { field: "what it belongs to".to_owned(), ..conflict });
            } else if self.parents.get(who).is_some_and(|(parent, _)| *parent != self.trio.parent(self.other, who)) {
                self.tell(who, misplaced(self.trio, who));
            }
        }
    }

    /// Where what the preferred side has stands.
    fn move_all(&mut self) {
        for who in self.placed(self.prefer) {
            let (own, theirs) = (self.trio.parent(self.prefer, who), self.trio.parent(self.other, who));
            let mut position = (own, false);
            if self.has(self.other, who) && own != theirs && own.is_some() {
                let base = self.trio.parent_in_base(who);
                let can_move = theirs.is_some_and(|parent| Self::get(&self.available, parent));
                if self.is_old(who) && own == base && can_move {
                    position = (theirs, true);
                } else if !self.is_old(who) || theirs != base {
                    self.tell(who, misplaced(self.trio, who));
                }
            }
            if let Some(place) = self.parents.get_mut(who) {
                *place = position;
            }
        }
    }

    /// Puts back what the other side moved if it would be below itself.
    fn open_circles(&mut self) {
        let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut next = Vec::new();
        for (who, (parent, _)) in self.parents.iter().enumerate() {
            match parent {
                Some(parent) => children.entry(*parent).or_default().push(who),
                None => next.push(who),
            }
        }
        let mut reached = vec![false; self.parents.len()];
        while let Some(who) = next.pop() {
            if let Some(reached @ false) = reached.get_mut(who) {
                *reached = true;
                next.extend(children.remove(&who).unwrap_or_default());
            }
        }
        for who in self.placed(self.prefer) {
            if !Self::get(&reached, who)
                && let Some(place @ (_, true)) = self.parents.get_mut(who)
            {
                *place = (self.trio.parent(self.prefer, who), false);
                self.tell(who, misplaced(self.trio, who));
            }
        }
    }

    /// What is in the result: of what the other side removed that which the preferred one changed, or needs.
    fn keep(&mut self) {
        let all = self.placed(self.prefer);
        let (mut next, mut told) = (Vec::new(), HashSet::new());
        for &who in &all {
            let is_gone = self.is_old(who) && !self.has(self.other, who);
            if !is_gone || self.trio.parent(self.prefer, who).is_none() {
                next.push((who, false));
            } else if let Some(changes) = self.changes(self.prefer, who).filter(|_| self.kind(who) != Some(Kind::Light))
            {
                told.insert(who);
                self.tell(who, removed(self.trio, who, self.other, changes));
                next.push((who, false));
            }
        }
        let mut whole = HashSet::new();
        while let Some((who, with_all)) = next.pop() {
            let Some(present) = self.present.get_mut(who) else { continue };
            let is_new = !std::mem::replace(present, true);
            let is_whole = with_all && whole.insert(who);
            if !is_new && !is_whole {
                continue;
            }
            let is_gone =
                self.is_old(who) && !self.has(self.other, who) && self.trio.parent(self.prefer, who).is_some();
            if is_new && is_gone && told.insert(who) {
                self.tell(who, removed(self.trio, who, self.other, "in use".to_owned()));
            }
            if is_whole {
                next.extend(self.trio.children(self.prefer, who).into_iter().map(|child| (child, true)));
            }
            if let Some((Some(parent), false)) = self.parents.get(who) {
                next.push((*parent, false));
            }
            next.extend(self.shown_by(who).into_iter().map(|target| (target, true)));
        }
        for who in self.placed(self.other) {
            let is_there = Self::get(&self.available, who) && !self.has(self.prefer, who);
            if let Some(present) = self.present.get_mut(who).filter(|_| is_there) {
                *present = true;
            }
        }
    }

    /// What a record of the preferred side refers to in the result, of what the other side removed.
    fn shown_by(&self, who: usize) -> Vec<usize> {
        let records = self.trio.sides.of(self.prefer);
        let targets = self.trio.element(self.prefer, who).map(|id| records.targets(id)).unwrap_or_default();
        let mut needed = Vec::new();
        for (name, target) in targets {
            let Some(target) = self.trio.who(self.prefer, target).filter(|target| !self.has(self.other, *target))
            else {
                continue;
            };
            let is_light = self.kind(who) == Some(Kind::Light);
            let theirs = self.trio.target(self.other, who, name);
            let is_placed = |target| self.kind(target).is_some_and(Kind::is_placed);
            let can_change = theirs.is_none_or(|target| !is_placed(target) || Self::get(&self.available, target));
            let is_other = self.has(self.other, who)
                && theirs != Some(target)
                && self.trio.target_in_base(who, name) == Some(target)
                && can_change;
            if self.is_old(target) && !is_other && !is_light {
                needed.push(target);
            }
        }
        needed
    }

    /// What a side changed about something that the base has, in words.
    fn changes(&self, side: Side, who: usize) -> Option<String> {
        let mut names = self.trio.changes(side, who);
        if self.trio.parent(side, who) != self.trio.parent_in_base(who) {
            names.push("parent".to_owned());
        }
        (!names.is_empty()).then(|| format!("changed {}", join_first(names.into_iter(), |name| name)))
    }

    /// What the preferred side removed and the other one changed.
    fn tell_removed(&mut self) {
        for who in self.placed(self.other) {
            if self.is_old(who)
                && !self.has(self.prefer, who)
                && self.trio.parent(self.other, who).is_some()
                && let Some(changes) = self.changes(self.other, who)
            {
                self.tell(who, removed(self.trio, who, self.prefer, changes));
            }
        }
    }
}
