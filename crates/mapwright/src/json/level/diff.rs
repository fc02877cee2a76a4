//! Differences of levels as JSON.

use std::io::{self, Write};

use mapwright_wwd::FieldValue;
use mapwright_wwd::diff::{
    CellRun, Diff, FieldChange, ObjectChange, ObjectRef, ObjectsDiff, PlaneDiff, PlaneRef, TileChange,
    TilePropertiesDiff,
};
use mapwright_wwd::escape_bytes;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::style_name;

/// Writes what differs between two levels as JSON, with the names of [`Diff`]; values as in [`write_level_json`].
///
/// [`write_level_json`]: crate::write_level_json
///
/// # Errors
/// Those of the writer.
pub fn write_level_diff_json(out: &mut dyn Write, diff: &Diff) -> io::Result<()> {
    serde_json::to_writer(out, &DiffJson(diff)).map_err(Into::into)
}

/// Items one after the other: what differs may be every cell, of which values all at once take hundreds of times the room.
struct Each<'a, T, V>(&'a [T], fn(&'a T) -> V);

impl<T, V: Serialize> Serialize for Each<'_, T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

struct DiffJson<'a>(&'a Diff);

impl Serialize for DiffJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let diff = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("header", &Each(&diff.header, field))?;
        map.serialize_entry("planes", &Each(&diff.planes, PlaneJson))?;
        map.serialize_entry("planes_removed", &Each(&diff.planes_removed, plane_ref))?;
        map.serialize_entry("planes_added", &Each(&diff.planes_added, plane_ref))?;
        map.serialize_entry("planes_reordered", &diff.planes_reordered)?;
        map.serialize_entry("tile_properties", &TilesJson(&diff.tile_properties))?;
        let trailer =
            diff.trailer.as_ref().map(|(old, new)| json!({"old": escape_bytes(old), "new": escape_bytes(new)}));
        map.serialize_entry("trailer", &trailer)?;
        map.serialize_entry("layout", &diff.layout)?;
        let style = diff.profile.map(|(old, new)| json!({"old": style_name(old), "new": style_name(new)}));
        map.serialize_entry("style", &style)?;
        map.end()
    }
}

struct TilesJson<'a>(&'a TilePropertiesDiff);

impl Serialize for TilesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("table", &self.0.table.map(|(old, new)| json!({"old": old, "new": new})))?;
        map.serialize_entry("fields", &Each(&self.0.fields, field))?;
        map.serialize_entry("tiles", &Each(&self.0.tiles, tile))?;
        map.end()
    }
}

struct PlaneJson<'a>(&'a PlaneDiff);

impl Serialize for PlaneJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let plane = self.0;
        let names = |names: &[Vec<u8>]| names.iter().map(|name| escape_bytes(name)).collect::<Vec<_>>();
        let image_sets =
            plane.image_sets.as_ref().map(|both| json!({"old": names(&both.old), "new": names(&both.new)}));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("old", &plane_ref(&plane.old))?;
        map.serialize_entry("new", &plane_ref(&plane.new))?;
        map.serialize_entry("fields", &Each(&plane.fields, field))?;
        map.serialize_entry("image_sets", &image_sets)?;
        map.serialize_entry("cells", &Each(&plane.cells, cells))?;
        map.serialize_entry("objects", &ObjectsJson(&plane.objects))?;
        map.end()
    }
}

struct ObjectsJson<'a>(&'a ObjectsDiff);

impl Serialize for ObjectsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("changed", &Each(&self.0.changed, changed))?;
        map.serialize_entry("removed", &Each(&self.0.removed, object))?;
        map.serialize_entry("added", &Each(&self.0.added, object))?;
        map.serialize_entry("reordered", &self.0.reordered)?;
        map.end()
    }
}

fn field(change: &FieldChange) -> Value {
    json!({"field": change.field, "old": value(&change.old), "new": value(&change.new)})
}

fn cells(run: &CellRun) -> Value {
    json!({"row": run.row, "column": run.column, "count": run.count, "old": run.old, "new": run.new})
}

fn changed(one: &ObjectChange) -> Value {
    let fields: Vec<Value> = one.fields.iter().map(field).collect();
    json!({"old": object(&one.old), "new": object(&one.new), "fields": fields})
}

fn value(value: &FieldValue) -> Value {
    match value {
        FieldValue::Word(word) => json!(word),
        FieldValue::Int(number) => json!(number),
        FieldValue::Rect(rect) => json!([rect.left, rect.top, rect.right, rect.bottom]),
        other => json!(other.to_string()),
    }
}

fn plane_ref(plane: &PlaneRef) -> Value {
    json!({"index": plane.index, "name": escape_bytes(&plane.name)})
}

fn object(object: &ObjectRef) -> Value {
    let ObjectRef { index, logic, image_set, x, y } = object;
    json!({"index": index, "logic": escape_bytes(logic), "image_set": escape_bytes(image_set), "x": x, "y": y})
}

fn tile(change: &TileChange) -> Value {
    let item = |item: &Option<mapwright_wwd::TileProperty>| {
        let mut text = Vec::new();
        // Writing to memory does not fail, and what is written is JSON.
        item.as_ref().and_then(|item| {
            super::property(&mut text, item).ok()?;
            serde_json::from_slice::<Value>(&text).ok()
        })
    };
    json!({"tile": change.tile, "old": item(&change.old), "new": item(&change.new)})
}
