//! Decides which nodes are in the result, and their parents.

use std::collections::{HashMap, HashSet};

use mapwright_io::diff::join_first;

use super::display::{placement_conflict, removal_conflict};
use super::records::Kind;
use super::three_way::ThreeWayDiff;
use super::{Conflict, Side};

/// The tree of the result, by records.
pub(super) struct Plan {
    present: Vec<bool>,
    pub(super) parents: Vec<Option<usize>>,
    /// Children of each record, in no particular order.
    pub(super) children: HashMap<usize, Vec<usize>>,
}

struct Planner<'t, 'a> {
    diff: &'t ThreeWayDiff<'a>,
    prefer: Side,
    /// The side that is not preferred.
    other: Side,
    /// `true` for records of the other side that can be in the result.
    available: Vec<bool>,
    /// New parent for children of each record of the other side: the record, or an ancestor if it was removed.
    landing: Vec<Option<usize>>,
    /// Parent of each record, and `true` if it comes from the other side.
    parents: Vec<(Option<usize>, bool)>,
    present: Vec<bool>,
    conflicts: &'t mut Vec<Conflict>,
}

impl Plan {
    pub(super) fn new(diff: &ThreeWayDiff<'_>, prefer: Side, conflicts: &mut Vec<Conflict>) -> Self {
        let count = diff.records.len();
        let mut planner = Planner {
            diff,
            prefer,
            other: prefer.other(),
            available: vec![false; count],
            landing: vec![None; count],
            parents: vec![(None, false); count],
            present: vec![false; count],
            conflicts,
        };
        // First what the other side adds, as it depends on the parents and targets that the preferred side removed.
        planner.find_parents();
        planner.drop_dangling_instances();
        // Then moves: they can form cycles, which must be broken before ancestors are walked.
        planner.choose_parents();
        planner.break_cycles();
        // Parents are final now, so that kept records keep their ancestors.
        planner.keep_used();
        planner.report_removed();
        let parents: Vec<_> = planner.parents.iter().map(|(parent, _)| *parent).collect();
        let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
        for (record, parent) in parents.iter().enumerate() {
            if let (true, Some(parent)) = (planner.present[record], parent) {
                children.entry(*parent).or_default().push(record);
            }
        }
        Self { present: planner.present, parents, children }
    }

    /// Returns `true` if a record is in the result.
    pub(super) fn has(&self, record: usize) -> bool {
        self.present[record]
    }
}

impl Planner<'_, '_> {
    fn has(&self, side: Side, record: usize) -> bool {
        self.diff.element(side, record).is_some()
    }

    fn kind(&self, record: usize) -> Kind {
        self.diff.records[record].kind
    }

    fn is_old(&self, record: usize) -> bool {
        self.diff.records[record].base.is_some()
    }

    fn push_conflict(&mut self, record: usize, conflict: Conflict) {
        // Baked light can be computed again at any time.
        if self.kind(record) != Kind::Light {
            self.conflicts.push(conflict);
        }
    }

    /// Returns the records of a side that are in a tree, parents first.
    fn tree_records(&self, side: Side) -> Vec<usize> {
        let records = self.diff.sides.get(side);
        records.in_tree.iter().filter_map(|id| self.diff.record_of(side, *id)).collect()
    }

    /// Returns `true` if children of the record may move to its parent.
    fn is_group(&self, record: usize) -> bool {
        let element = self.diff.element(self.other, record).and_then(|id| {
            let records = self.diff.sides.get(self.other);
            records.map.graph().element(id)
        });
        element.is_some_and(|element| {
            [&b"CMapGroup"[..], b"CMapWorldLayer", b"CMapSelectionSet"].contains(&element.class())
        })
    }

    /// Finds the records of the other side whose parents can be in the result.
    fn find_parents(&mut self) {
        for record in self.tree_records(self.other) {
            let parent = self.diff.parent(self.other, record);
            let above = parent.and_then(|parent| self.landing[parent]);
            let is_gone = self.is_old(record) && !self.has(self.prefer, record) && parent.is_some();
            let is_available = !is_gone && (self.has(self.prefer, record) || parent.is_none() || above.is_some());
            let landing = match (is_available, is_gone && self.is_group(record)) {
                (true, _) => Some(record),
                (false, true) => above,
                (false, false) => None,
            };
            self.available[record] = is_available;
            self.landing[record] = landing;
            self.parents[record] = (above, true);
        }
    }

    /// Returns `true` if only the other side has the record.
    fn is_added(&self, record: usize) -> bool {
        !self.is_old(record) && !self.has(self.prefer, record)
    }

    /// Drops new nodes of the other side that refer to removed ones, with everything below them.
    fn drop_dangling_instances(&mut self) {
        let mut hangs_on: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut next = Vec::new();
        let added: Vec<usize> =
            self.tree_records(self.other).into_iter().filter(|record| self.is_added(*record)).collect();
        for &record in added.iter().filter(|record| self.available[**record]) {
            let records = self.diff.sides.get(self.other);
            let id = self.diff.element(self.other, record).expect("added records are on the other side");
            let targets =
                records.targets(id).into_iter().filter_map(|(_, target)| self.diff.record_of(self.other, target));
            let (parent, _) = self.parents[record];
            for needed in targets.chain(parent) {
                hangs_on.entry(needed).or_default().push(record);
                if !self.available[needed] {
                    next.push(record);
                }
            }
        }
        while let Some(record) = next.pop() {
            if std::mem::take(&mut self.available[record]) {
                next.extend(hangs_on.remove(&record).unwrap_or_default());
            }
        }
        for record in added {
            if !self.available[record] {
                let conflict = removal_conflict(self.diff, record, self.prefer, "added".to_owned());
                self.push_conflict(record, Conflict { field: "parent or target".to_owned(), ..conflict });
            } else if self.parents[record].0 != self.diff.parent(self.other, record) {
                self.push_conflict(record, placement_conflict(self.diff, record));
            }
        }
    }

    /// Chooses the parents of records of the preferred side.
    fn choose_parents(&mut self) {
        for record in self.tree_records(self.prefer) {
            let (own, theirs) = (self.diff.parent(self.prefer, record), self.diff.parent(self.other, record));
            let mut position = (own, false);
            if self.has(self.other, record) && own != theirs && own.is_some() {
                let base = self.diff.parent_in_base(record);
                let can_move = theirs.is_some_and(|parent| self.available[parent]);
                if self.is_old(record) && own == base && can_move {
                    position = (theirs, true);
                } else if !self.is_old(record) || theirs != base {
                    self.push_conflict(record, placement_conflict(self.diff, record));
                }
            }
            self.parents[record] = position;
        }
    }

    /// Undoes moves of the other side that would put a node below itself.
    fn break_cycles(&mut self) {
        let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut next = Vec::new();
        for (record, (parent, _)) in self.parents.iter().enumerate() {
            match parent {
                Some(parent) => children.entry(*parent).or_default().push(record),
                None => next.push(record),
            }
        }
        let mut reached = vec![false; self.parents.len()];
        while let Some(record) = next.pop() {
            if !std::mem::replace(&mut reached[record], true) {
                next.extend(children.remove(&record).unwrap_or_default());
            }
        }
        for record in self.tree_records(self.prefer) {
            if !reached[record]
                && let (_, true) = self.parents[record]
            {
                self.parents[record] = (self.diff.parent(self.prefer, record), false);
                self.push_conflict(record, placement_conflict(self.diff, record));
            }
        }
    }

    /// Keeps records that the other side removed but the preferred side changed or needs.
    fn keep_used(&mut self) {
        let all = self.tree_records(self.prefer);
        let (mut next, mut reported) = (Vec::new(), HashSet::new());
        for &record in &all {
            let is_gone = self.is_old(record) && !self.has(self.other, record);
            if !is_gone || self.diff.parent(self.prefer, record).is_none() {
                next.push((record, false));
            } else if let Some(changes) =
                self.describe_changes(self.prefer, record).filter(|_| self.kind(record) != Kind::Light)
            {
                reported.insert(record);
                self.push_conflict(record, removal_conflict(self.diff, record, self.other, changes));
                next.push((record, false));
            }
        }
        let mut whole = HashSet::new();
        while let Some((record, with_all)) = next.pop() {
            let is_new = !std::mem::replace(&mut self.present[record], true);
            let is_whole = with_all && whole.insert(record);
            if !is_new && !is_whole {
                continue;
            }
            let is_gone =
                self.is_old(record) && !self.has(self.other, record) && self.diff.parent(self.prefer, record).is_some();
            if is_new && is_gone && reported.insert(record) {
                self.push_conflict(record, removal_conflict(self.diff, record, self.other, "in use".to_owned()));
            }
            if is_whole {
                next.extend(self.diff.children(self.prefer, record).into_iter().map(|child| (child, true)));
            }
            if let (Some(parent), false) = self.parents[record] {
                next.push((parent, false));
            }
            next.extend(self.removed_targets(record).into_iter().map(|target| (target, true)));
        }
        for record in self.tree_records(self.other) {
            let is_there = self.available[record] && !self.has(self.prefer, record);
            self.present[record] |= is_there;
        }
    }

    /// Returns the targets of a record of the preferred side that the other side removed.
    fn removed_targets(&self, record: usize) -> Vec<usize> {
        let records = self.diff.sides.get(self.prefer);
        let targets = self.diff.element(self.prefer, record).map(|id| records.targets(id)).unwrap_or_default();
        let mut needed = Vec::new();
        for (name, target) in targets {
            let Some(target) = self.diff.record_of(self.prefer, target).filter(|target| !self.has(self.other, *target))
            else {
                continue;
            };
            let is_light = self.kind(record) == Kind::Light;
            let theirs = self.diff.target(self.other, record, name);
            let is_in_tree = |target| self.kind(target).is_in_tree();
            let can_change = theirs.is_none_or(|target| !is_in_tree(target) || self.available[target]);
            let is_other = self.has(self.other, record)
                && theirs != Some(target)
                && self.diff.target_in_base(record, name) == Some(target)
                && can_change;
            if self.is_old(target) && !is_other && !is_light {
                needed.push(target);
            }
        }
        needed
    }

    /// Describes the changes of a side to a record of the base; `None` if there are none.
    fn describe_changes(&self, side: Side, record: usize) -> Option<String> {
        let mut names = self.diff.changed_attributes(side, record);
        if self.diff.parent(side, record) != self.diff.parent_in_base(record) {
            names.push("parent".to_owned());
        }
        (!names.is_empty()).then(|| format!("changed {}", join_first(names.into_iter(), |name| name)))
    }

    /// Reports records that the preferred side removed and the other side changed.
    fn report_removed(&mut self) {
        for record in self.tree_records(self.other) {
            if self.is_old(record)
                && !self.has(self.prefer, record)
                && self.diff.parent(self.other, record).is_some()
                && let Some(changes) = self.describe_changes(self.other, record)
            {
                self.push_conflict(record, removal_conflict(self.diff, record, self.prefer, changes));
            }
        }
    }
}
