//! Changes of an existing map: only what differs between two plans gets other bytes.

mod change;
mod hidden;
mod insertions;
mod keys;

use std::collections::{HashMap, HashSet};

use mapwright_scene::Losses;

use self::change::{Change, owner_source};
use self::keys::{edit_keys, edit_outputs};
use super::document_text::{editor_keys, format_camera_index};
use super::plan::{ObjectPlace, Plan};
use super::settings::KEYS;
use crate::scene::parts::{groups, visgroups};
use crate::{Camera, Document, Edit, Entity, Solid, WriteError};

/// Applies the differences between two plans to a map.
pub(super) fn apply_changes(
    document: &Document,
    before: &Plan<'_>,
    after: &mut Plan<'_>,
) -> Result<Document, WriteError> {
    let mut losses = Losses::new();
    let mut change = Change::new(document, before, after, &mut losses);
    let kept_entities: HashSet<usize> = after.entities.iter().filter_map(|entity| entity.source).collect();
    let replaced = change.find_new_solids(&mut losses);
    // Values first: they change no part's index.
    let mut changed = change.edit_values(document, &mut losses)?;
    changed = hidden::apply(&change, changed, &mut losses)?;
    // Removals before insertions, so that the indices of old parts still count.
    changed = change.remove_parts(&changed, &kept_entities, &replaced)?;
    changed = insertions::apply(&mut change, changed, &kept_entities, &mut losses)?;
    after.losses.append(losses);
    Ok(changed)
}

/// Returns losses without those that are among the known ones, each as often as it is known.
pub(super) fn subtract(losses: Losses, known: &Losses) -> Losses {
    let mut counts = HashMap::new();
    for loss in known {
        *counts.entry((loss.kind, loss.text.clone())).or_insert(0_usize) += 1;
    }
    let mut rest = Losses::new();
    for loss in losses.items {
        match counts.get_mut(&(loss.kind, loss.text.clone())) {
            Some(count) if *count > 0 => *count -= 1,
            _ => rest.items.push(loss),
        }
    }
    rest
}

impl Change<'_, '_> {
    /// Changes values of parts that the map already has.
    fn edit_values(&self, document: &Document, losses: &mut Losses) -> Result<Document, WriteError> {
        let mut edit = Edit::new(document);
        self.edit_settings(document, &mut edit, losses)?;
        self.edit_world(document, &mut edit, losses)?;
        self.edit_groups(document, &mut edit)?;
        let parts: Vec<Entity<'_>> = document.entities().collect();
        for (source, before, after) in self.entity_pairs() {
            let Some(entity) = parts.get(source) else { continue };
            edit_keys(&mut edit, entity.item(), &before.keys, &after.keys)?;
            edit_outputs(&mut edit, *entity, &before.outputs, &after.outputs)?;
            self.edit_editor(&mut edit, entity.item(), &before.place, &after.place)?;
        }
        let parts: Vec<Solid<'_>> = document.solids().collect();
        let mut lost_ids = 0_usize;
        for (source, before, after) in self.solid_pairs() {
            let Some(solid) = parts.get(source) else { continue };
            edit_keys(&mut edit, solid.item(), &before.keys, &after.keys)?;
            self.edit_editor(&mut edit, solid.item(), &before.place, &after.place)?;
            let sides = before.sides.iter().flatten().zip(after.sides.iter().flatten()).zip(solid.sides());
            for ((before, after), side) in sides {
                lost_ids += usize::from(before.id != after.id);
                edit_keys(&mut edit, side.item(), &before.keys, &after.keys)?;
            }
        }
        if lost_ids > 0 {
            losses.dropped("brushes", "changes of ids of sides");
        }
        self.edit_cameras(document, &mut edit)?;
        self.edit_visgroups(document, &mut edit, losses)?;
        edit.apply()
    }

    fn edit_settings<'d>(
        &self,
        document: &'d Document,
        edit: &mut Edit<'d>,
        losses: &mut Losses,
    ) -> Result<(), WriteError> {
        let [before, after] = &self.settings;
        let values = KEYS.iter().zip(before.values.iter().zip(&after.values));
        for ((block, key), (_, new)) in values.filter(|(_, (old, new))| old != new) {
            match document.blocks(block).next() {
                Some(item) => edit.set(item, key, new)?,
                None => losses.dropped(*block, format!("{key}: the map has no such block")),
            }
        }
        Ok(())
    }

    fn edit_world<'d>(
        &self,
        document: &'d Document,
        edit: &mut Edit<'d>,
        losses: &mut Losses,
    ) -> Result<(), WriteError> {
        let Some(world) = document.world() else { return Ok(()) };
        if self.before.has_world && !self.after.has_world {
            losses.dropped("world", "removal of the world's entity, which every map needs");
            return Ok(());
        }
        let (before, after) = (&self.before.world, &self.after.world);
        edit_keys(edit, world.item(), &before.keys, &after.keys)?;
        edit_outputs(edit, world, &before.outputs, &after.outputs)?;
        self.edit_editor(edit, world.item(), &before.place, &after.place)
    }

    fn edit_groups<'d>(&self, document: &'d Document, edit: &mut Edit<'d>) -> Result<(), WriteError> {
        let parts = groups(document);
        let before: HashMap<_, _> =
            self.before.groups.iter().filter_map(|group| Some((group.source?, group))).collect();
        for after in &self.after.groups {
            let Some(source) = after.source else { continue };
            if let (Some(before), Some(group)) = (before.get(&source), parts.get(source)) {
                self.edit_editor(edit, group.item(), &before.place, &after.place)?;
            }
        }
        Ok(())
    }

    fn edit_editor<'d>(
        &self,
        edit: &mut Edit<'d>,
        block: mapwright_keyvalues::kv1::Item<'d>,
        before: &ObjectPlace,
        after: &ObjectPlace,
    ) -> Result<(), WriteError> {
        let [old_ids, new_ids] = &self.ids;
        let (before, after) = (editor_keys(before, old_ids), editor_keys(after, new_ids));
        if before == after {
            return Ok(());
        }
        match crate::document::value::block(block, "editor") {
            Some(editor) => edit_keys(edit, editor, &before, &after),
            None => {
                let keys = after.iter().map(|(key, value)| (key, value));
                edit.text().insert_block(Some(block), "editor", keys).map_err(|error| error.map_kind(Into::into))
            }
        }
    }

    fn edit_cameras<'d>(&self, document: &'d Document, edit: &mut Edit<'d>) -> Result<(), WriteError> {
        let parts: Vec<Camera<'_>> = document.cameras().collect();
        let before: HashMap<_, _> = self.before.cameras.iter().filter_map(|it| Some((it.source?, it))).collect();
        for after in &self.after.cameras {
            let Some(source) = after.source else { continue };
            let (Some(before), Some(camera)) = (before.get(&source), parts.get(source)) else { continue };
            for (key, old, new) in
                [("position", &before.position, &after.position), ("look", &before.target, &after.target)]
            {
                if old != new {
                    edit.set(camera.item(), key, new)?;
                }
            }
        }
        let active = self.after.active_camera();
        let is_same = self.before.active_camera() == active;
        if let Some(block) = document.blocks("cameras").next().filter(|_| !is_same) {
            edit.set(block, "activecamera", format_camera_index(active))?;
        }
        Ok(())
    }

    fn edit_visgroups<'d>(
        &self,
        document: &'d Document,
        edit: &mut Edit<'d>,
        losses: &mut Losses,
    ) -> Result<(), WriteError> {
        let parts = visgroups(document);
        for (index, (old, new)) in self.before.sets.iter().zip(&self.after.sets).enumerate() {
            let Some((visgroup, _)) = parts.get(index) else { continue };
            if old.name != new.name {
                edit.set(visgroup.item(), "name", &new.name)?;
            }
            if let Some(color) = new.color.as_ref().filter(|_| old.color != new.color) {
                edit.set(visgroup.item(), "color", color)?;
            }
            if old.parent != new.parent || old.color.is_some() && new.color.is_none() {
                losses.dropped(format!("sets[{index}]"), "changes of the parent or colour of a visgroup");
            }
        }
        if self.after.sets.len() < self.before.sets.len() {
            losses.dropped("sets", "removal of visgroups, which stay without members");
        }
        Ok(())
    }

    /// Removes the parts that no node has any more, and the solids that new ones replace.
    fn remove_parts(
        &self,
        document: &Document,
        kept_entities: &HashSet<usize>,
        removed_solids: &HashSet<usize>,
    ) -> Result<Document, WriteError> {
        let mut edit = Edit::new(document);
        for (source, entity) in document.entities().enumerate() {
            if self.entities.contains_key(&source) && !kept_entities.contains(&source) {
                edit.remove_entity(entity)?;
            }
        }
        for (source, solid) in document.solids().enumerate().filter(|(source, _)| removed_solids.contains(source)) {
            // The entity was removed with all of its solids.
            let owner = self.solids.get(&source).and_then(|solid| owner_source(self.before, solid)).flatten();
            if owner.is_none_or(|owner| kept_entities.contains(&owner)) {
                edit.remove_solid(solid);
            }
        }
        let kept: HashSet<usize> = self.after.groups.iter().filter_map(|group| group.source).collect();
        for (_, group) in groups(document).into_iter().enumerate().filter(|(index, _)| !kept.contains(index)) {
            edit.remove(group.item());
        }
        let kept: HashSet<usize> = self.after.cameras.iter().filter_map(|camera| camera.source).collect();
        let known: HashSet<usize> = self.before.cameras.iter().filter_map(|camera| camera.source).collect();
        for (index, camera) in document.cameras().enumerate() {
            if known.contains(&index) && !kept.contains(&index) {
                edit.remove(camera.item());
            }
        }
        let [before, after] = &self.settings;
        if !before.has_cordons_of(after) {
            document.blocks("cordon").chain(document.blocks("cordons")).for_each(|block| edit.remove(block));
        }
        edit.apply()
    }
}
