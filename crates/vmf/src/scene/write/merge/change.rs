//! The plans of a map before and after a change, with the parts that are in both.

use std::collections::{HashMap, HashSet};

use mapwright_scene::Losses;

use crate::Document;
use crate::scene::write::ids::Ids;
use crate::scene::write::plan::{Plan, PlannedEntity, PlannedSolid};
use crate::scene::write::settings::{Settings, plan_settings};

/// The plans before and after a change, and the ids of their parts.
pub(super) struct Change<'p, 's> {
    pub(super) before: &'p Plan<'s>,
    pub(super) after: &'p Plan<'s>,
    pub(super) ids: [Ids; 2],
    pub(super) settings: [Settings; 2],
    /// The entities before the change, by their source.
    pub(super) entities: HashMap<usize, &'p PlannedEntity>,
    /// The solids before the change, by their source.
    pub(super) solids: HashMap<usize, &'p PlannedSolid>,
    /// Indices of the planned solids that replace none.
    pub(super) new_solids: Vec<usize>,
}

impl<'p, 's> Change<'p, 's> {
    /// Compares the plans of a map before and after a change. Properties of the changed scene that are no settings are reported.
    pub(super) fn new(document: &Document, before: &'p Plan<'s>, after: &'p Plan<'s>, losses: &mut Losses) -> Self {
        Self {
            before,
            after,
            ids: [before, after].map(|plan| Ids::new(plan, Some(document))),
            settings: [plan_settings(before.scene, &mut Losses::new()), plan_settings(after.scene, losses)],
            entities: before.entities.iter().filter_map(|entity| Some((entity.source?, entity))).collect(),
            solids: before.solids.iter().filter_map(|solid| Some((solid.source?, solid))).collect(),
            new_solids: Vec::new(),
        }
    }

    /// Finds the solids that cannot be changed in place. Returns the sources of those that new ones replace or that are gone.
    pub(super) fn find_new_solids(&mut self, losses: &mut Losses) -> HashSet<usize> {
        let mut kept = HashSet::new();
        for (index, solid) in self.after.solids.iter().enumerate() {
            let old = solid.source.and_then(|source| Some((source, *self.solids.get(&source)?)));
            let has_same_owner = |old: &PlannedSolid| {
                let (before, after) = (owner_source(self.before, old), owner_source(self.after, solid));
                // A new entity has no source.
                before == after && after != Some(None)
            };
            match old {
                Some((source, old)) if has_same_owner(old) && is_same_shape(old, solid) => _ = kept.insert(source),
                Some((source, _)) if solid.sides.is_none() => {
                    kept.insert(source);
                    losses.dropped("solids", "move of a displacement or of an invalid solid to another entity");
                }
                _ => self.new_solids.push(index),
            }
        }
        self.solids.keys().copied().filter(|source| !kept.contains(source)).collect()
    }

    /// Iterates over the entities that the map already has: their source, and their plans before and after the change.
    pub(super) fn entity_pairs(&self) -> impl Iterator<Item = (usize, &'p PlannedEntity, &'p PlannedEntity)> {
        self.after.entities.iter().filter_map(|after| {
            let source = after.source?;
            Some((source, *self.entities.get(&source)?, after))
        })
    }

    /// Iterates over the solids that can be changed in place: their source, and their plans before and after the change.
    pub(super) fn solid_pairs(&self) -> impl Iterator<Item = (usize, &'p PlannedSolid, &'p PlannedSolid)> {
        let new: HashSet<usize> = self.new_solids.iter().copied().collect();
        self.after.solids.iter().enumerate().filter(move |(index, _)| !new.contains(index)).filter_map(|(_, after)| {
            let source = after.source?;
            Some((source, *self.solids.get(&source)?, after))
        })
    }
}

/// Returns the source of the entity that a solid is part of.
pub(super) fn owner_source(plan: &Plan<'_>, solid: &PlannedSolid) -> Option<Option<usize>> {
    solid.owner.map(|owner| plan.entities.get(owner).and_then(|entity| entity.source))
}

/// Returns `true` if the solids have the same number of sides, so that values of keys are all that differs.
fn is_same_shape(before: &PlannedSolid, after: &PlannedSolid) -> bool {
    match (&before.sides, &after.sides) {
        (Some(before), Some(after)) => before.len() == after.len(),
        (None, None) => true,
        _ => false,
    }
}
