//! Ids of layers and objects.

use std::collections::{BTreeSet, HashSet};

use mapwright_scene::{Properties, Value};

use super::super::MAX_ID;
use super::super::names::ID;

/// Assigns the ids of layers or objects. Items keep the ids of the scene if these are free, and get new ids otherwise.
pub(super) struct Ids {
    /// Ids that the scene contains.
    reserved: HashSet<u32>,
    used: BTreeSet<u32>,
    /// New ids, which the scene does not contain.
    assigned: Vec<u32>,
    /// All smaller ids are used or reserved.
    lowest: u32,
}

impl Ids {
    /// Reserves the ids of items with these properties.
    pub(super) fn new<'a>(items: impl Iterator<Item = &'a Properties>) -> Self {
        let reserved = items.filter_map(last_id).collect();
        Self { reserved, used: BTreeSet::new(), assigned: Vec::new(), lowest: 1 }
    }

    /// Uses an id of the scene. Returns `false` if it is not free.
    pub(super) fn keep(&mut self, id: u32) -> bool {
        self.used.insert(id)
    }

    /// Uses the id in the properties of an object, if it is free. Removes the property only if it is the last one, which the reader
    /// added.
    pub(super) fn take(&mut self, properties: &mut Properties) -> Option<u32> {
        if let Some(id) = last_id(properties) {
            let id = Some(id).filter(|id| self.keep(*id))?;
            properties.entries.pop();
            return Some(id);
        }
        let id = properties.get(ID).and_then(valid)?;
        (!self.reserved.contains(&id) && self.keep(id)).then_some(id)
    }

    /// Returns a new id: `wanted` if it is free, else the lowest free id.
    pub(super) fn assign(&mut self, wanted: u32) -> u32 {
        let is_taken = |id: &u32| *id >= MAX_ID || self.reserved.contains(id) || self.used.contains(id);
        let mut id = wanted;
        if is_taken(&id) {
            id = (self.lowest..MAX_ID).find(|id| !is_taken(id)).unwrap_or(MAX_ID);
            self.lowest = id;
        }
        self.used.insert(id);
        self.assigned.push(id);
        id
    }

    /// Returns the lowest free id.
    pub(super) fn assign_lowest(&mut self) -> u32 {
        self.assign(self.lowest)
    }

    /// Returns the id after all used ones.
    pub(super) fn next(&self) -> u32 {
        self.used.last().map_or(1, |id| id.saturating_add(1))
    }

    /// Returns the new ids as runs, such as `1-5,7`.
    pub(super) fn assigned_runs(mut self) -> String {
        self.assigned.sort_unstable();
        let runs = self.assigned.chunk_by(|id, next| id.saturating_add(1) == *next);
        let run = |run: &[u32]| match run {
            [first, .., last] => format!("{first}-{last}"),
            run => run.iter().map(u32::to_string).collect(),
        };
        runs.map(run).collect::<Vec<_>>().join(",")
    }
}

/// Returns the id at the end of properties, where the reader adds it. `None` if there are several.
pub(super) fn last_id(properties: &Properties) -> Option<u32> {
    let ((name, id), others) = properties.entries.split_last()?;
    let is_only = name == ID && others.iter().all(|(name, _)| name != ID);
    valid(id).filter(|_| is_only)
}

fn valid(id: &Value) -> Option<u32> {
    id.as_int().and_then(|id| u32::try_from(id).ok()).filter(|id| (1..MAX_ID).contains(id))
}
