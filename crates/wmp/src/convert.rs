//! Dialects into each other.
//!
//! | from → to | exact | computed | lost, and reported |
//! |---|---|---|---|
//! | WMPB → 710 | shapes, mapping, numbers | colours of bytes; the look of faces without an entry | regions, names behind models of eight skills, unknown chunks, blanks and marks of comments in names |
//! | 710 → WMPB | shapes, mapping, skills | colours in bytes; ambient light, albedo, range and sun in single precision; scales of models, which count more than those of their objects | comments, materials of faces, unknown lines, parts that do not hang on the root, windows of the editor, the WAD of the build |
//! | A5 → 710 | shapes, mapping | texture vectors, angles | windows of the editor, texture locks, which A5 does not heed |
//! | 710 → A5 | shapes | angles; textures as offset, rotation and scale | skewed textures, texture vectors of blocks that do not hang on the root, texture coordinates, names, edges and folders that A5 has not |
//! | A4 → A5 | mapping, numbers | polygons of planes; groups and blocks are neither turned nor scaled | names, numbers and second flags of planes, bookmarks, windows |
//! | A5 → A4 | numbers | planes of polygons | fractions of mappings, skills beyond eight, albedos of models, flags of lights, bodies that are not convex |
//! | any → `$$M` | positions and vertices, to the digits of the editor | finished texture vectors, angles, lengths of edges, colours of bytes | groups and names of objects, colours of the level, fog, script, nexus, palette, sources of textures, bookmarks, windows, regions, comments, unknown chunks and lines, albedo and names of models of eight skills, parts that do not hang on the root |
//! | `$$M` → 710 | shapes, textures, numbers | angles; names of paths and targets | comments that are not names, numbers of paths and targets that are not there |
//!
//! All others go by these.

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

/// The WAD of the build in maps that do not store it.
const DEFAULT_WAD: &str = "map.$$w";

impl Document {
    /// The same map in another dialect, and what could not be kept. In its own dialect it stays as it is.
    ///
    /// The new map is laid out as the editor does it, whatever the old one looked like.
    pub fn convert(&self, target: Dialect) -> Export<Self> {
        let mut report = Report::default();
        let mut map = self.clone();
        if self.dialect != target {
            map.forget_source();
            shorten_day(&mut map, &mut report);
            // Texts can hold what texts could, but for files in brackets.
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

/// Makes a map one of another dialect: numbers and counts are those of its parts, and its program is the editor of that dialect.
fn becomes(map: &mut Document, dialect: Dialect) {
    map.dialect = dialect;
    let created = map.header.created.clone();
    *map.header = Header { created, counts: Some(Counts::default()), ..Header::new(dialect) };
    map.renumber();
    for block in &mut map.blocks {
        block.index = (dialect != Dialect::A4).then_some(block.number);
    }
}

/// Lets go of a day of creation that is none: it stands before what a map is known by.
fn shorten_day(map: &mut Document, report: &mut Report) {
    let long = !is_day(&map.header.created);
    report.count(LossKind::Dropped, "header", long.into(), "a day of creation of more than 100 bytes");
    if long {
        map.header.created = Default::default();
    }
}

/// Whether a day of creation may be one.
pub(crate) fn is_day(text: &Name) -> bool {
    text.as_bytes().len() <= 100
}

/// Says which settings of the editor a dialect has not, and lets go of them.
fn drop_windows(map: &mut Document, report: &mut Report) {
    let Some(wed) = &mut map.wed else { return };
    let bookmarks = wed.bookmarks.take().is_some_and(|lines| lines.iter().any(|line| *line != ";" && !line.is_empty()));
    report.count(LossKind::Dropped, "wed", bookmarks.into(), "bookmarks");
    report.count(LossKind::Dropped, "wed", wed.views.take().map_or(0, |_| 1), "windows of the editor");
}

/// Lets go of how numbers are spelled: dialects spell them in their own ways.
fn respell(map: &mut Document) {
    for entity in &mut map.entities {
        if let EntityKind::Model(model) = &mut entity.kind {
            Arc::make_mut(&mut model.skills).iter_mut().for_each(|skill| *skill = FormattedNumber::new(*skill.get()));
            model.flag_digits = None;
        }
    }
}
