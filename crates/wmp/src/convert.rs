//! Conversion between dialects.
//!
//! | from → to | exact | computed | lost, and reported |
//! |---|---|---|---|
//! | WMPB → 710 | shapes, mapping, numbers | colours from bytes, faces without an entry | regions, names at the end of models with eight skills, unknown chunks, spaces and marks of comments in names |
//! | 710 → WMPB | shapes, mapping, skills | colours as bytes, other numbers in single precision, scales of objects from those of models | comments, materials of faces, unknown lines, parts that are not below the root, windows of the editor, the WAD of the build |
//! | A5 → 710 | shapes, mapping | texture vectors, angles | windows of the editor, texture locks, which have no effect in A5 |
//! | 710 → A5 | shapes | angles, textures as offset, rotation and scale | skewed textures, texture vectors of blocks that are not below the root, texture coordinates, names, edges and texture folders |
//! | A4 → A5 | mapping, numbers | polygons of planes, vertices of rotated and scaled groups and blocks | names, numbers and second flags of planes, bookmarks, windows |
//! | A5 → A4 | numbers | planes of polygons | fractions of mappings, skills beyond eight, light of models, flags of lights, bodies that are not convex |
//! | any → `$$M` | positions and vertices, with the digits of the editor | final texture vectors, angles, lengths of edges, colours from bytes | groups and names of objects, colours of the level, fog, script, nexus, palette, texture sources, bookmarks, windows, regions, comments, unknown chunks and lines, light and names of models with eight skills, parts that are not below the root |
//! | `$$M` → 710 | shapes, textures, numbers | angles, names of paths and targets | comments other than names, numbers of missing paths and targets |
//!
//! Other conversions go through these.

mod a4;
mod a5;
mod binary;
mod names;
mod resolved;
mod tree;

use std::sync::Arc;

use mapwright_io::FormattedNumber;

use crate::loss::{Export, LossKind, Report};
use crate::{Counts, Dialect, Document, EntityKind, Header, Name};

/// The loss of models in dialects that store less of their light.
const LOST_ALBEDO: &str = "reflected light of a model";

/// The WAD of the build in maps that do not store it.
const DEFAULT_WAD: &str = "map.$$w";

impl Document {
    /// Converts the map to another dialect, and reports what was lost. In its own dialect the map is unchanged.
    ///
    /// The new map is formatted as the editor does, whatever the formatting of the old one.
    pub fn convert(&self, target: Dialect) -> Export<Self> {
        let mut report = Report::default();
        let mut map = self.clone();
        if self.dialect != target {
            map.forget_source();
            shorten_day(&mut map, &mut report);
            // Names of one text dialect fit into all others, except for files in brackets.
            if self.dialect == Dialect::Binary || target == Dialect::Resolved {
                names::shorten(&mut map, target, &mut report);
            }
        }
        while map.dialect != target {
            match (map.dialect, target) {
                (_, Dialect::Resolved) => map = resolved::resolve(&mut map, &mut report),
                (Dialect::Resolved, _) => map = resolved::recover(&map, &mut report),
                (Dialect::Binary, _) => binary::to_a7(&mut map, &mut report),
                (Dialect::A7, Dialect::Binary) => binary::from_a7(&mut map, &mut report),
                (Dialect::A7, _) => a5::from_a7(&mut map, &mut report),
                (Dialect::A5, Dialect::A4) => a4::from_a5(&mut map, &mut report),
                (Dialect::A5, _) => a5::to_a7(&mut map, &mut report),
                (Dialect::A4, _) => a4::to_a5(&mut map, &mut report),
            }
        }
        Export { document: map, losses: report.0 }
    }
}

/// Sets the dialect of a map, with numbers, counts and the generator of its editor.
fn set_dialect(map: &mut Document, dialect: Dialect) {
    map.dialect = dialect;
    let created = map.header.created.clone();
    *map.header = Header { created, counts: Some(Counts::default()), ..Header::new(dialect) };
    map.renumber();
    for block in &mut map.blocks {
        block.index = (dialect != Dialect::A4).then_some(block.number);
    }
}

/// Drops a date of creation that is too long: it comes before the marks by which formats are detected.
fn shorten_day(map: &mut Document, report: &mut Report) {
    let long = !is_day(&map.header.created);
    report.count(LossKind::Dropped, "header", long.into(), "a creation date of more than 100 bytes");
    if long {
        map.header.created = Default::default();
    }
}

/// Returns `true` if a date of creation has a sensible length.
pub(crate) fn is_day(text: &Name) -> bool {
    text.as_bytes().len() <= 100
}

/// Drops settings of the editor that most dialects do not store.
fn drop_windows(map: &mut Document, report: &mut Report) {
    let Some(wed) = &mut map.wed else { return };
    let bookmarks = wed.bookmarks.take().is_some_and(|lines| lines.iter().any(|line| *line != ";" && !line.is_empty()));
    report.count(LossKind::Dropped, "wed", bookmarks.into(), "bookmarks");
    report.count(LossKind::Dropped, "wed", wed.views.take().map_or(0, |_| 1), "windows of the editor");
}

/// Drops the formatting of numbers, because each dialect has its own.
fn forget_formatting(map: &mut Document) {
    for entity in &mut map.entities {
        if let EntityKind::Model(model) = &mut entity.kind {
            Arc::make_mut(&mut model.skills).iter_mut().for_each(|skill| *skill = FormattedNumber::new(*skill.get()));
            model.flag_digits = None;
        }
    }
}
