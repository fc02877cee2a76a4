//! Queries and edits as text.

use std::collections::HashSet;

use mapwright_io::{Budget, format_count};
use mapwright_query::{Assigner, Assignment, EditObjects, Edited, Fields, Glob, Objects, QueryError, Text, Vocabulary};

use super::records::{Draft, LAYER, OBJECT, Record, TILE, TILESET};
use super::{Edit, NewShape, Scalar};
use crate::codes::LayerKind;
use crate::document::{Document, Item};
use crate::view::{Layer, Map};
use crate::{Cells, WriteError};

/// Converts an error of an edit. There is no `From`, because both types belong to other crates.
fn refused(error: WriteError) -> QueryError {
    QueryError::refused(error)
}

impl Objects for Document {
    fn vocabulary(&self) -> Vocabulary {
        let records = self.records();
        let keys = records.iter().flat_map(Fields::free_keys);
        Vocabulary::new([&OBJECT, &LAYER, &TILESET, &TILE]).with_free_keys(keys)
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        self.records().iter().for_each(|record| visitor(record));
    }
}

impl Document {
    /// Returns the document with assignments applied to records, and the number of records that changed.
    fn assign<'a>(
        &'a self,
        records: impl IntoIterator<Item = Record<'a>>,
        assignments: &[Assignment],
        create: bool,
    ) -> Result<(Self, usize), QueryError> {
        let mut assigner = Assigner::new(assignments, create);
        let (mut edit, mut changed) = (Edit::new(self), 0_usize);
        for record in records {
            let mut draft = Draft::new(record);
            if assigner.apply(&mut draft)? {
                changed = changed.saturating_add(1);
            }
            for (target, value) in &draft.changes {
                record.write(&mut edit, target, value).map_err(refused)?;
            }
        }
        Ok((edit.apply().map_err(refused)?, changed))
    }

    /// Returns the records at indices that are in order.
    fn select_records(&self, indices: &[usize]) -> Vec<Record<'_>> {
        let records = self.records();
        indices.iter().filter_map(|index| records.get(*index).copied()).collect()
    }

    /// Replaces the document by an edited one, unless an assignment gave a layer the size of other cells, or an object or layer the id of
    /// another one.
    fn replace_by(&mut self, edited: Self, assignments: &[Assignment]) -> Result<(), QueryError> {
        let is_set = |field: &str| assignments.iter().any(|one| one.field.eq_ignore_ascii_case(field));
        if is_set("id") && edited.repeated_ids() > self.repeated_ids() {
            return Err(QueryError::refused("the id of another object or layer"));
        }
        if is_set("width") || is_set("height") {
            let size = |layer: Layer<'_>| [layer.width(), layer.height()];
            let layers = |document| Document::as_map(document).into_iter().flat_map(Map::all_layers);
            let mut budget = Budget::new(&edited.limits);
            for (_, new) in layers(self).zip(layers(&edited)).filter(|(old, new)| size(*old) != size(*new)) {
                for chunk in new.cells().into_iter().flat_map(Cells::chunks) {
                    chunk.decode(&mut budget).map_err(QueryError::refused)?;
                }
            }
        }
        *self = edited;
        Ok(())
    }

    /// Returns the number of objects and layers with the id of an earlier one.
    fn repeated_ids(&self) -> usize {
        let layers = || self.as_map().into_iter().flat_map(Map::all_layers);
        let (mut of_layers, mut of_objects) = (HashSet::new(), HashSet::new());
        let repeated = layers().filter(|layer| !of_layers.insert(layer.id())).count();
        let objects = layers().flat_map(Layer::objects);
        repeated.saturating_add(objects.filter(|object| !of_objects.insert(object.id())).count())
    }

    /// Returns the objects with these ids.
    fn objects_with_ids(&self, ids: &HashSet<i32>) -> Vec<Record<'_>> {
        let records = self.records().into_iter();
        records.filter(|record| matches!(record, Record::Object(object, _) if ids.contains(&object.id()))).collect()
    }
}

impl EditObjects for Document {
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let (document, changed) = self.assign(self.select_records(objects), assignments, create)?;
        self.replace_by(document, assignments)?;
        Ok(Edited::objects(changed, objects.len()))
    }

    fn set_document(&mut self, assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let (document, changed) = self.assign([self.record()], assignments, create)?;
        self.replace_by(document, assignments)?;
        let name = self.kind().name();
        Ok(Edited::new(changed, format!("{name} {}", if changed == 0 { "unchanged" } else { "changed" })))
    }

    fn delete(&mut self, objects: &[usize]) -> Result<Edited, QueryError> {
        let mut edit = Edit::new(self);
        let mut records = self.select_records(objects);
        // In JSON, layers come before tilesets.
        records.sort_by_key(|record| record.item().index());
        // Items in a deleted group are deleted with it.
        let mut end = 0;
        for record in records {
            match record {
                Record::Tileset(..) => {
                    return Err(QueryError::refused("tilesets cannot be deleted: cells have their numbers"));
                }
                Record::Object(_, None) => {
                    return Err(QueryError::refused("the object of a template cannot be deleted"));
                }
                _ => {}
            }
            let range = record.item().range();
            if range.start >= end {
                end = range.end;
                edit.remove(record.item());
            }
        }
        let edited = edit.apply().map_err(refused)?;
        let deleted = self.records().len().saturating_sub(edited.records().len());
        *self = edited;
        let text = format!("{} deleted", format_count(deleted, "object"));
        Ok(Edited { matched: Some(objects.len()), ..Edited::new(deleted, text) })
    }

    fn duplicate(&mut self, objects: &[usize], assignments: &[Assignment]) -> Result<Edited, QueryError> {
        let (mut edit, mut ids) = (Edit::new(self), HashSet::new());
        for record in self.select_records(objects) {
            match record {
                Record::Object(object, Some(_)) => drop(ids.insert(edit.duplicate_object(object).map_err(refused)?)),
                _ => return Err(QueryError::refused("only objects can be duplicated: add kind=object to the query")),
            }
        }
        let copied = edit.apply().map_err(refused)?;
        let assigned = copied.assign(copied.objects_with_ids(&ids), assignments, false)?.0;
        self.replace_by(assigned, assignments)?;
        let text = format!("{} duplicated", format_count(ids.len(), "object"));
        Ok(Edited { matched: Some(ids.len()), ..Edited::new(ids.len(), text) })
    }

    fn add(&mut self, kind: &str, assignments: &[Assignment]) -> Result<Edited, QueryError> {
        let kind = kind.to_ascii_lowercase();
        let shape = match kind.as_str() {
            "object" | "rectangle" | "tileobject" => None,
            "point" => Some(NewShape::Point),
            "ellipse" => Some(NewShape::Ellipse),
            "capsule" => Some(NewShape::Capsule),
            _ => {
                let text =
                    format!("unknown kind `{kind}`: expected object, rectangle, point, ellipse, capsule or tileobject");
                return Err(QueryError::refused(text));
            }
        };
        let has_gid = assignments.iter().any(|one| one.field.eq_ignore_ascii_case("gid"));
        if kind == "tileobject" && !has_gid {
            return Err(QueryError::refused("new tile object has no tile: expected gid=NUMBER"));
        }
        let (places, fields): (Vec<_>, Vec<_>) =
            assignments.iter().cloned().partition(|one| one.field.eq_ignore_ascii_case("layer"));
        let layer = self.layer_for_objects(places.last().map(|place| &place.value))?;
        let mut edit = Edit::new(self);
        let origin: [(&str, Scalar<'_>); 2] = [("x", 0.into()), ("y", 0.into())];
        let id = edit.add_object(layer, &origin, shape).map_err(refused)?;
        let added = edit.apply().map_err(refused)?;
        let assigned = added.assign(added.objects_with_ids(&HashSet::from([id])), &fields, true)?.0;
        self.replace_by(assigned, assignments)?;
        Ok(Edited::new(1, format!("object {id} added")))
    }

    fn rename(&mut self, what: &str, from: &Text, to: &Text) -> Result<Edited, QueryError> {
        let from = Glob::from(from);
        let to = to.as_str().ok_or_else(|| QueryError::refused("the new name is not UTF-8"))?;
        let names: fn(Record<'_>) -> Option<Item<'_>> = match what.to_ascii_lowercase().as_str() {
            "image" | "texture" | "material" => |record| record.image_item(),
            "tileset" => |record| match record {
                Record::Tileset(tileset, _) => tileset.item().get("source"),
                _ => None,
            },
            "template" => |record| match record {
                Record::Object(object, _) => object.item().get("template"),
                _ => None,
            },
            _ => {
                return Err(QueryError::refused(format!("unknown kind `{what}`: expected image, tileset or template")));
            }
        };
        let (mut edit, mut count) = (Edit::new(self), 0_usize);
        let is_renamed = |item: &Item<'_>| item.text() != to && from.matches(item.text().as_bytes());
        for item in self.records().into_iter().filter_map(names).filter(is_renamed) {
            edit.set_value(item, to.to_owned()).map_err(refused)?;
            count = count.saturating_add(1);
        }
        *self = edit.apply().map_err(refused)?;
        Ok(Edited::new(count, format!("{} renamed", format_count(count, "path"))))
    }
}

impl Document {
    /// Returns the layer for new objects: the one with a name, or else the last one.
    fn layer_for_objects(&self, name: Option<&Text>) -> Result<Layer<'_>, QueryError> {
        let layers = self.as_map().into_iter().flat_map(Map::all_layers);
        let mut layers = layers.filter(|layer| layer.kind() == LayerKind::Objects);
        match name {
            None => layers.last().ok_or_else(|| QueryError::refused("the document has no layer of objects")),
            Some(name) => {
                let glob = Glob::from(name);
                let found = layers.find(|layer| glob.matches(layer.name().as_bytes()));
                found.ok_or_else(|| QueryError::refused(format!("no layer of objects is named {name}")))
            }
        }
    }
}
