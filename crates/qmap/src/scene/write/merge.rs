//! Changes of a scene → edits of the document that it came from.
//!
//! The old and the new scene are converted to entities in the same way. Only what differs between these entities is changed in the text.

use std::collections::{HashMap, HashSet};

use mapwright_scene::{LossKind, Losses, Scene};

use super::build::{build, check_size};
use super::context::GroupIds;
use super::faces::Face;
use super::items::{Body, Item, Solid};
use super::style::Style;
use crate::edit::Edit;
use crate::scene::{ExportOptions, ImportOptions, read};
use crate::{Document, EditorRole, Entity, Mapping, Plane, Primitive, PrimitiveKind, WriteError, decode_text};
use mapwright_io::splice::{indentation, line_end};

/// Applies the changes of a scene to its document.
pub(in crate::scene) fn merge_scene(
    document: &mut Document,
    scene: &Scene,
    options: &ExportOptions,
) -> Result<Losses, WriteError> {
    // The document was read as a scene before, so its patches are within the limit.
    let reading = ImportOptions { max_patch_points: usize::MAX, ..ImportOptions::default() };
    let old = match read::read_scene(document, &reading) {
        Ok(import) => import.scene,
        Err(error) => {
            return Err(error.map_kind(|kind| crate::WriteErrorKind::Invalid(Box::new(kind))));
        }
    };
    if old == *scene {
        return Ok(Losses::new());
    }
    let ids = group_ids(document);
    let (before, old_losses) = build(&old, options, ids.clone())?;
    let (after, losses) = build(scene, options, ids)?;
    let mut merge = Merge { edit: Edit::new(document), document, style: Style::of_document(document) };
    merge.merge_items(&before, &after)?;
    let merged = merge.edit.apply()?;
    check_size(merged.as_bytes().len() as u64, options.max_bytes)?;
    *document = merged;
    Ok(new_losses(&old_losses, losses))
}

/// Returns the numbers of the layers and groups of a document.
fn group_ids(document: &Document) -> GroupIds {
    let mut ids = GroupIds::default();
    for entity in document.entities() {
        if entity.is_fragment() {
            ids.fragments.insert(format!("entities[{}]", entity.index()));
        }
        if let Some(id) = entity.editor_id().filter(|_| entity.editor_role() != EditorRole::Entity) {
            ids.known.insert(format!("entities[{}]", entity.index()), id);
            ids.last = ids.last.max(id);
        }
    }
    ids
}

/// Returns the losses that unchanged parts do not have, too: these parts stay in the document.
fn new_losses(old: &Losses, mut new: Losses) -> Losses {
    let mut known: HashMap<(LossKind, String), usize> = HashMap::new();
    for loss in old {
        *known.entry((loss.kind, loss.text.clone())).or_default() += 1;
    }
    // The document lists no materials.
    new.items.retain(|loss| loss.text != "unused material");
    new.items.retain(|loss| match known.get_mut(&(loss.kind, loss.text.clone())) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    new
}

struct Merge<'a> {
    document: &'a Document,
    edit: Edit<'a>,
    style: Style,
}

impl<'a> Merge<'a> {
    fn merge_items(&mut self, before: &[Item], after: &[Item]) -> Result<(), WriteError> {
        let mut old: HashMap<&str, &Item> = HashMap::new();
        for item in before {
            if let Some(key) = item.key.as_deref() {
                old.entry(key).or_insert(item);
            }
        }
        let mut kept: HashSet<&str> = HashSet::new();
        let mut added = Vec::new();
        for (index, item) in after.iter().enumerate() {
            // The first entity is the world of both, even if its node is new.
            let key = match before.first().and_then(|world| world.key.as_deref()) {
                Some(world) if index == 0 => Some(world),
                _ => item.key.as_deref(),
            };
            let known = key.and_then(|key| Some((key, *old.get(key)?, self.entity(key)?)));
            match known.filter(|(key, ..)| kept.insert(key)) {
                Some((_, old, entity)) => self.merge_item(old, item, entity)?,
                // Every scene has a world. One without content need not be added.
                None if index == 0 && item.keys.is_empty() && item.solids.is_empty() => {}
                None => item.write(false, &self.style, line_end(self.document.as_bytes(), 0), &mut added),
            }
        }
        for item in before {
            if let Some(key) = item.key.as_deref().filter(|key| kept.insert(key))
                && let Some(entity) = self.entity(key)
            {
                self.edit.remove_entity(entity);
            }
        }
        if !added.is_empty() {
            let source = self.document.as_bytes();
            let is_at_line_start = matches!(source.last(), None | Some(b'\n' | b'\r'));
            let start: &[u8] = if is_at_line_start { b"" } else { line_end(source, 0) };
            self.edit.replace_text(source.len()..source.len(), [start, &added].concat());
        }
        Ok(())
    }

    /// Finds the entity of a key of a node.
    fn entity(&self, key: &str) -> Option<Entity<'a>> {
        let index = key.strip_prefix("entities[")?.strip_suffix(']')?;
        self.document.entity(index.parse().ok()?)
    }

    fn merge_item(&mut self, old: &Item, new: &Item, entity: Entity<'a>) -> Result<(), WriteError> {
        // Brushes outside of entities have no keys.
        if !entity.is_fragment() {
            self.merge_keys(old, new, entity)?;
        }
        let solids: Vec<Primitive<'a>> = entity.primitives().collect();
        let primitive = |key: &str| {
            let index = key.rsplit_once('[')?.1.strip_suffix(']')?;
            solids.get(index.parse::<usize>().ok()?).copied()
        };
        let mut known: HashMap<&str, &Solid> = HashMap::new();
        for solid in &old.solids {
            if let Some(key) = solid.key.as_deref() {
                known.entry(key).or_insert(solid);
            }
        }
        let mut kept: HashSet<&str> = HashSet::new();
        let mut added = Vec::new();
        let ending = line_end(self.document.as_bytes(), entity.range().start);
        for solid in &new.solids {
            let key = solid.key.as_deref();
            let found = key.and_then(|key| Some((key, *known.get(key)?, primitive(key)?)));
            match found.filter(|(key, ..)| kept.insert(key)) {
                Some((_, old, primitive)) => self.merge_solid(old, solid, primitive)?,
                None => solid.write(&self.style, ending, &mut added),
            }
        }
        for solid in &old.solids {
            if let Some(key) = solid.key.as_deref().filter(|key| kept.insert(key))
                && let Some(primitive) = primitive(key)
            {
                self.edit.remove_primitive(primitive);
            }
        }
        if !added.is_empty() {
            self.insert_solids(entity, ending, &added);
        }
        Ok(())
    }

    /// Inserts brushes before the brace at the end of an entity.
    fn insert_solids(&mut self, entity: Entity<'a>, ending: &[u8], added: &[u8]) {
        let source = self.document.as_bytes();
        let end = entity.range().end;
        if entity.is_fragment() {
            return self.edit.replace_text(end..end, [ending, added].concat());
        }
        let brace = end - 1;
        let at = brace - indentation(source, brace).map_or(0, <[u8]>::len);
        let start: &[u8] = if indentation(source, brace).is_some() { b"" } else { ending };
        self.edit.replace_text(at..at, [start, added].concat());
    }

    /// Changes the keys of an entity that differ.
    fn merge_keys(&mut self, old: &Item, new: &Item, entity: Entity<'a>) -> Result<(), WriteError> {
        // A key may repeat: the n-th value of the old entity is that of the n-th pair.
        let occurrences = |item: &Item| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            let pairs = item.pairs().map(|(key, value)| {
                let count = counts.entry(key.to_owned()).or_default();
                *count += 1;
                ((key.to_owned(), *count - 1), value.to_owned())
            });
            pairs.collect::<Vec<_>>()
        };
        let (before, after) = (occurrences(old), occurrences(new));
        let find =
            |key: &str, occurrence: usize| entity.pairs().filter(|pair| decode_text(pair.key()) == key).nth(occurrence);
        let old_values: HashMap<_, _> = before.iter().map(|(place, value)| (place, value)).collect();
        let new_places: HashSet<_> = after.iter().map(|(place, _)| place).collect();
        for (place, value) in &after {
            if old_values.get(place).is_some_and(|old| *old == value) {
                continue;
            }
            match find(&place.0, place.1) {
                Some(pair) => self.edit.set_value(pair, value)?,
                None => self.edit.insert_pair(entity, &place.0, value)?,
            }
        }
        for (place, _) in before.iter().filter(|(place, _)| !new_places.contains(place)) {
            if let Some(pair) = find(&place.0, place.1) {
                self.edit.remove_pair(pair);
            }
        }
        Ok(())
    }

    fn merge_solid(&mut self, old: &Solid, new: &Solid, primitive: Primitive<'a>) -> Result<(), WriteError> {
        if old.body == new.body {
            return Ok(());
        }
        if let (Body::Brush(before), Body::Brush(after)) = (&old.body, &new.body)
            && self.can_merge_faces(before, after, primitive)
        {
            for (face, (old, new)) in primitive.faces().zip(before.iter().zip(after)) {
                self.merge_face(face, old, new)?;
            }
            return Ok(());
        }
        let mut text = Vec::new();
        new.write(&self.style, line_end(self.document.as_bytes(), primitive.range().start), &mut text);
        text.truncate(text.trim_ascii_end().len());
        self.edit.replace_text(primitive.range(), text);
        Ok(())
    }

    /// Returns `true` if the words of the faces of a brush can store the changes.
    fn can_merge_faces(&self, before: &[Face], after: &[Face], primitive: Primitive<'a>) -> bool {
        let is_equal_count = before.len() == after.len() && after.len() == primitive.faces().len();
        let has_equations = primitive.kind() == PrimitiveKind::BrushDef3;
        let fits = |(face, (old, new)): (crate::Face<'a>, (&Face, &Face))| {
            let is_same_plane = old.plane == new.plane;
            let has_same_mapping = !mapping_changed(old, new);
            (is_same_plane || !has_equations) && (has_same_mapping || new.mapping_like(&face.mapping()).is_some())
        };
        is_equal_count && primitive.faces().zip(before.iter().zip(after)).all(fits)
    }

    fn merge_face(&mut self, face: crate::Face<'a>, old: &Face, new: &Face) -> Result<(), WriteError> {
        if old.plane != new.plane && matches!(face.plane(), Plane::Points(_)) {
            self.edit.set_points(face, new.plane)?;
        }
        if old.texture != new.texture {
            self.edit.set_texture(face, &new.texture)?;
        }
        if mapping_changed(old, new)
            && let Some(mapping) = new.mapping_like(&face.mapping())
        {
            self.edit.set_mapping(face, keep_rotation(mapping, &face.mapping()))?;
        }
        if old.numbers.after_texture != new.numbers.after_texture {
            let words: Vec<&str> = new.numbers.after_texture.iter().map(String::as_str).collect();
            self.edit.set_extra(face, &words)?;
        }
        Ok(())
    }
}

/// Returns `true` if the numbers of a texture changed. Those of most forms depend on the plane.
fn mapping_changed(old: &Face, new: &Face) -> bool {
    old.plane != new.plane || old.projection != new.projection || old.matrix != new.matrix || old.valve() != new.valve()
}

/// Keeps the formatting of a rotation that is the same angle.
fn keep_rotation(new: Mapping, old: &Mapping) -> Mapping {
    match (new, old) {
        (Mapping::Standard { shift, rotation, scale }, Mapping::Standard { rotation: before, .. }) => {
            let rotation = if rotation.to_radians() == before.to_radians() { *before } else { rotation };
            Mapping::Standard { shift, rotation, scale }
        }
        (new, _) => new,
    }
}
