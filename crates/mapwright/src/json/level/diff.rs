//! Differences of levels as JSON.

use std::io::{self, Write};

use mapwright_wwd::FieldValue;
use mapwright_wwd::diff::{Diff, FieldChange, ObjectRef, ObjectsDiff, PlaneDiff, PlaneRef, TileChange};
use mapwright_wwd::spell;
use serde_json::{Value, json};

use super::style_name;

/// Writes what differs between two levels as JSON, with the names of [`Diff`]; values as in [`write_level_json`].
///
/// [`write_level_json`]: crate::write_level_json
///
/// # Errors
/// Those of the writer.
pub fn write_level_diff_json(out: &mut dyn Write, diff: &Diff) -> io::Result<()> {
    let tiles = &diff.tile_properties;
    let json = json!({
        "header": fields(&diff.header),
        "planes": diff.planes.iter().map(plane).collect::<Vec<_>>(),
        "planes_removed": diff.planes_removed.iter().map(plane_ref).collect::<Vec<_>>(),
        "planes_added": diff.planes_added.iter().map(plane_ref).collect::<Vec<_>>(),
        "planes_reordered": diff.planes_reordered,
        "tile_properties": {
            "table": tiles.table.map(|(old, new)| json!({"old": old, "new": new})),
            "fields": fields(&tiles.fields),
            "tiles": tiles.tiles.iter().map(tile).collect::<Vec<_>>(),
        },
        "trailer": diff.trailer.as_ref().map(|(old, new)| json!({"old": spell(old), "new": spell(new)})),
        "layout": diff.layout,
        "style": diff.style.map(|(old, new)| json!({"old": style_name(old), "new": style_name(new)})),
    });
    serde_json::to_writer(out, &json).map_err(Into::into)
}

fn fields(changes: &[FieldChange]) -> Value {
    let one =
        |change: &FieldChange| json!({"field": change.field, "old": value(&change.old), "new": value(&change.new)});
    changes.iter().map(one).collect()
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
    json!({"index": plane.index, "name": spell(&plane.name)})
}

fn plane(plane: &PlaneDiff) -> Value {
    let cells = plane
        .cells
        .iter()
        .map(|run| json!({"row": run.row, "column": run.column, "count": run.count, "old": run.old, "new": run.new}));
    let names = |names: &[Vec<u8>]| names.iter().map(|name| spell(name)).collect::<Vec<_>>();
    let ObjectsDiff { changed, removed, added, reordered } = &plane.objects;
    let changed = changed
        .iter()
        .map(|one| json!({"old": object(&one.old), "new": object(&one.new), "fields": fields(&one.fields)}));
    json!({
        "old": plane_ref(&plane.old),
        "new": plane_ref(&plane.new),
        "fields": fields(&plane.fields),
        "image_sets": plane.image_sets.as_ref().map(|both| json!({"old": names(&both.old), "new": names(&both.new)})),
        "cells": cells.collect::<Vec<_>>(),
        "objects": {
            "changed": changed.collect::<Vec<_>>(),
            "removed": removed.iter().map(object).collect::<Vec<_>>(),
            "added": added.iter().map(object).collect::<Vec<_>>(),
            "reordered": reordered,
        },
    })
}

fn object(object: &ObjectRef) -> Value {
    let ObjectRef { index, logic, image_set, x, y } = object;
    json!({"index": index, "logic": spell(logic), "image_set": spell(image_set), "x": x, "y": y})
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
