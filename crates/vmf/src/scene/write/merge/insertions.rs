//! New parts of an existing map.

use std::collections::{HashMap, HashSet};

use mapwright_io::splice::line_end;
use mapwright_keyvalues::kv1::{self, Item};
use mapwright_scene::Losses;

use super::change::{Change, owner_source};
use crate::document::value;
use crate::scene::parts::visgroups;
use crate::scene::write::document_text::{
    format_camera_index, open_visgroup, write_camera, write_entity, write_group, write_solid,
};
use crate::scene::write::plan::PlannedSolid;
use crate::scene::write::text::TextWriter;
use crate::{Document, Entity, WriteError};

/// A world for new solids, in a map without one.
const WORLD: &str = "world\n{\n\t\"id\" \"1\"\n\t\"mapversion\" \"1\"\n\t\"classname\" \"worldspawn\"\n}\n";

/// Adds the parts that have no source.
pub(super) fn apply(
    change: &mut Change<'_, '_>,
    document: Document,
    kept_entities: &HashSet<usize>,
    losses: &mut Losses,
) -> Result<Document, WriteError> {
    let document = with_world(change, document)?;
    let end = if line_end(document.as_bytes(), 0) == b"\r\n" { "\r\n" } else { "\n" };
    // The index of each old entity among those that are left.
    let mut left: Vec<usize> = kept_entities.iter().copied().collect();
    left.sort_unstable();
    // Entities that the scene does not have were not removed either.
    let known: HashSet<usize> = change.entities.keys().copied().collect();
    let removed: Vec<usize> = known.iter().copied().filter(|source| !kept_entities.contains(source)).collect();
    let shift = |source: usize| source - removed.iter().filter(|removed| **removed < source).count();
    let indices: HashMap<usize, usize> = left.iter().map(|&source| (source, shift(source))).collect();
    let parts: Vec<Entity<'_>> = document.entities().collect();

    let mut edit = kv1::Edit::new(document.text());
    let after = change.after;
    let [_, ids] = &mut change.ids;
    // Solids of the world and of old entities, by the block that they become part of.
    let mut texts: HashMap<Option<usize>, TextWriter> = HashMap::new();
    let mut owned: HashMap<usize, Vec<&PlannedSolid>> = HashMap::new();
    for solid in change.new_solids.iter().filter_map(|&index| after.solids.get(index)) {
        let source = owner_source(after, solid);
        match (solid.owner, source) {
            (Some(owner), Some(None)) => owned.entry(owner).or_default().push(solid),
            (_, source) => {
                let text = texts.entry(source.flatten()).or_insert_with(|| TextWriter::new(1, end));
                write_solid(solid, ids, text);
            }
        }
    }
    let new_groups: Vec<_> = after.groups.iter().filter(|group| group.source.is_none()).collect();
    if !new_groups.is_empty() {
        let text = texts.entry(None).or_insert_with(|| TextWriter::new(1, end));
        new_groups.into_iter().for_each(|group| write_group(group, ids, text));
    }
    for (source, text) in texts {
        let block = match source {
            None => document.world().map(Entity::item),
            Some(source) => indices.get(&source).and_then(|&index| parts.get(index)).map(|entity| entity.item()),
        };
        match block.and_then(last_member) {
            Some(neighbour) => insert_after(&mut edit, neighbour, text),
            None => losses.dropped("solids", "new solids of an entity without keys"),
        }
    }
    let mut text = TextWriter::new(0, end);
    for (index, entity) in after.entities.iter().enumerate().filter(|(_, entity)| entity.source.is_none()) {
        let solids = owned.remove(&index).unwrap_or_default();
        write_entity(entity, &solids, ids, &mut text);
    }
    ids.report_renamed_sides(losses);
    let is_entity = |item: &Item<'_>| item.is_block() && value::member_or_hidden(*item, "entity").next().is_some();
    let neighbour = document.text().items().filter(is_entity).last().or_else(|| document.blocks("world").last());
    if let Some(neighbour) = neighbour.or_else(|| document.text().items().last()) {
        insert_after(&mut edit, neighbour, text);
    }
    insert_cameras(change, &document, &mut edit, end);
    insert_visgroups(change, &document, &mut edit, end);
    insert_cordons(change, &document, &mut edit, end);
    Ok(Document { text: edit.apply().map_err(|error| error.map_kind(Into::into))? })
}

/// Adds a world if there is none and the scene needs it.
fn with_world(change: &Change<'_, '_>, document: Document) -> Result<Document, WriteError> {
    let has_new_solid =
        change.new_solids.iter().filter_map(|&index| change.after.solids.get(index)).any(|solid| solid.owner.is_none());
    if document.world().is_some() || !(has_new_solid || change.after.groups.iter().any(|group| group.source.is_none()))
    {
        return Ok(document);
    }
    let before: &[u8] = if document.as_bytes().ends_with(b"\n") { b"" } else { b"\n" };
    let text = [document.as_bytes(), before, WORLD.as_bytes()].concat();
    Document::from_text(text, document.text().has_escapes())
}

/// Returns the item after which new solids of an entity are added: before the data of the editor.
fn last_member(block: Item<'_>) -> Option<Item<'_>> {
    let members = || block.items().filter(|item| !item.is("editor"));
    members().last().or_else(|| block.items().last())
}

/// Inserts blocks after an item. The first line has the indentation of the item.
fn insert_after<'d>(edit: &mut kv1::Edit<'d>, neighbour: Item<'d>, text: TextWriter) {
    let text = text.finish();
    let text = text.trim_ascii();
    if !text.is_empty() {
        edit.insert_text_after(neighbour, text);
    }
}

fn insert_cameras<'d>(change: &Change<'_, '_>, document: &'d Document, edit: &mut kv1::Edit<'d>, end: &'static str) {
    let new: Vec<_> = change.after.cameras.iter().filter(|camera| camera.source.is_none()).collect();
    if new.is_empty() {
        return;
    }
    let block = document.blocks("cameras").next();
    let neighbour = block.and_then(|block| block.items().last());
    let mut text = TextWriter::new(usize::from(neighbour.is_some()), end);
    if neighbour.is_none() {
        text.open("cameras");
        text.key("activecamera", &format_camera_index(None));
    }
    for camera in new {
        write_camera(camera, &mut text);
    }
    if neighbour.is_none() {
        text.close();
    }
    if let Some(neighbour) = neighbour.or(block).or_else(|| document.text().items().last()) {
        insert_after(edit, neighbour, text);
    }
}

fn insert_visgroups<'d>(change: &Change<'_, '_>, document: &'d Document, edit: &mut kv1::Edit<'d>, end: &'static str) {
    let [_, ids] = &change.ids;
    let known = visgroups(document).len();
    let mut text = TextWriter::new(0, end);
    let new = change.after.sets.iter().zip(&ids.sets).skip(known);
    let mut is_empty = true;
    for (set, id) in new {
        if is_empty {
            // Maps may have several such blocks.
            text.open("visgroups");
            is_empty = false;
        }
        open_visgroup(set, *id, &mut text);
        text.close();
    }
    if is_empty {
        return;
    }
    text.close();
    if let Some(neighbour) = document.blocks("visgroups").last().or_else(|| document.text().items().next()) {
        insert_after(edit, neighbour, text);
    }
}

fn insert_cordons<'d>(change: &Change<'_, '_>, document: &'d Document, edit: &mut kv1::Edit<'d>, end: &'static str) {
    let [before, after] = &change.settings;
    if before.has_cordons_of(after) {
        return;
    }
    let mut text = TextWriter::new(0, end);
    after.write_cordons(&mut text);
    if let Some(neighbour) = document.text().items().last() {
        insert_after(edit, neighbour, text);
    }
}
