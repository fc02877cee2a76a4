//! Ids of new parts.

use std::collections::{HashMap, HashSet};

use mapwright_io::format_count;
use mapwright_scene::{Losses, NodeId};

use super::plan::{Plan, PlannedSide};
use crate::scene::parts::{groups, visgroups};
use crate::{Document, Entity, Group, Side, Solid};

/// Ids for new parts, and the ids of groups and visgroups.
pub(super) struct Ids {
    entity: i64,
    solid: i64,
    side: i64,
    taken_sides: HashSet<i64>,
    /// Number of sides that could not keep their id.
    renamed_sides: usize,
    pub(super) groups: HashMap<NodeId, i64>,
    /// The id of each set.
    pub(super) sets: Vec<i64>,
}

impl Ids {
    /// Chooses the ids of groups and visgroups. Those that come from a map keep theirs.
    pub(super) fn new(plan: &Plan<'_>, document: Option<&Document>) -> Self {
        let after = |ids: Option<i64>| ids.unwrap_or(0).saturating_add(1);
        let entities = || document.into_iter().flat_map(Document::all_entities);
        let solids = || entities().flat_map(Entity::solids);
        let sides: HashSet<i64> = solids().flat_map(Solid::sides).filter_map(Side::id).collect();
        let old_groups: Vec<Option<i64>> = document.into_iter().flat_map(groups).map(Group::id).collect();
        let mut next_group = after(old_groups.iter().flatten().copied().max());
        let mut group_ids = HashMap::new();
        for group in &plan.groups {
            let old = group.source.and_then(|index| old_groups.get(index).copied().flatten());
            group_ids.insert(group.node, old.unwrap_or_else(|| take(&mut next_group)));
        }
        let old_sets: Vec<Option<i64>> =
            document.into_iter().flat_map(visgroups).map(|(group, _)| group.id()).collect();
        let mut next_set = after(old_sets.iter().flatten().copied().max());
        let sets = (0..plan.sets.len()).map(|index| {
            let old = old_sets.get(index).copied().flatten();
            old.unwrap_or_else(|| take(&mut next_set))
        });
        let sets = sets.collect();
        // Sides keep the ids to which entities refer, so that new ones come after these.
        let planned = plan.solids.iter().filter_map(|solid| solid.sides.as_ref()).flatten().filter_map(|side| side.id);
        Self {
            // The world of a new map has the id 1.
            entity: after(entities().filter_map(Entity::id).max().or(Some(1))),
            solid: after(solids().filter_map(Solid::id).max().or(Some(1))),
            side: after(sides.iter().copied().chain(planned).max()),
            taken_sides: sides,
            renamed_sides: 0,
            groups: group_ids,
            sets,
        }
    }

    /// Returns the id of a new entity.
    pub(super) fn next_entity(&mut self) -> String {
        take(&mut self.entity).to_string()
    }

    /// Returns the id of a new solid.
    pub(super) fn next_solid(&mut self) -> String {
        take(&mut self.solid).to_string()
    }

    /// Returns the id of a new side: the stated one, unless another side has it.
    pub(super) fn next_side(&mut self, side: &PlannedSide) -> String {
        if let Some(id) = side.id.filter(|id| self.taken_sides.insert(*id)) {
            return id.to_string();
        }
        self.renamed_sides += usize::from(side.id.is_some());
        take(&mut self.side).to_string()
    }

    /// Reports the sides that could not keep their id.
    pub(super) fn report_renamed_sides(&self, losses: &mut Losses) {
        if self.renamed_sides > 0 {
            let count = format_count(self.renamed_sides, "side");
            losses.approximated("brushes", format!("ids of {count} that another side has, too"));
        }
    }
}

/// Returns an id, and counts.
fn take(next: &mut i64) -> i64 {
    let id = *next;
    *next = next.saturating_add(1);
    id
}
