//! Document to bytes.

mod oprw;
mod wvr;
mod wvr8;

use std::io::Write;

use mapwright_io::Context as _;

use crate::document::{Objects, Placements};
use crate::{Document, WriteError, WriteErrorKind};

impl Document {
    /// Writes the terrain.
    ///
    /// # Errors
    /// If the document contradicts itself, which never happens with an unedited one.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Wvr(terrain) => wvr::write(terrain),
            Self::Wvr8(terrain) => wvr8::write(terrain),
            Self::Oprw(terrain) => oprw::write(terrain),
        }
    }

    /// Writes the terrain to a writer.
    ///
    /// # Errors
    /// If the writer fails, and as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, mut writer: impl Write) -> Result<(), WriteError> {
        writer.write_all(&self.to_bytes()?).map_err(|error| WriteError::without_position(error.into()))
    }
}

/// Checks that a grid has its number of values.
fn grid(what: &'static str, [columns, rows]: [u32; 2], found: usize) -> Result<(), WriteError> {
    let cells = u64::from(columns).checked_mul(rows.into());
    if cells == Some(found as u64) {
        return Ok(());
    }
    Err(WriteError::without_position(WriteErrorKind::Grid { what, columns, rows, found }))
}

/// Checks that the columns of objects are equally long, with or without ids.
fn rows(objects: &Objects, with_ids: bool) -> Result<(), WriteError> {
    let (models, placements, ids) = (objects.model.len(), objects.placements.len(), objects.ids.len());
    let wanted = if with_ids { models } else { 0 };
    if placements != models || ids != wanted {
        return Err(WriteError::without_position(WriteErrorKind::Columns { models, placements, ids }))
            .in_field("objects");
    }
    Ok(())
}

/// Checks that the columns of objects belong together, with or without ids.
fn columns(objects: &Objects, with_ids: bool) -> Result<(), WriteError> {
    rows(objects, with_ids)?;
    let models = objects.models.len();
    let beyond = |model: &&u32| usize::try_from(**model).map_or(true, |model| model >= models);
    match objects.model.iter().find(beyond) {
        Some(&model) => {
            let place = objects.model.iter().position(|other| *other == model).unwrap_or(0);
            Err(WriteError::without_position(WriteErrorKind::Model { model, models })).in_item("objects", place)
        }
        None => Ok(()),
    }
}

/// Checks that objects stand as the variant stores it.
fn placed(objects: &Objects, upright: bool, variant: &'static str) -> Result<(), WriteError> {
    let what = match (&objects.placements, upright) {
        (Placements::Matrices(_), false) | (Placements::Headings(_), true) => return Ok(()),
        (Placements::Matrices(_), true) => "a place and a heading",
        (Placements::Headings(_), false) => "a matrix",
    };
    Err(WriteError::without_position(WriteErrorKind::Objects { variant, what })).in_field("objects")
}

/// A number that the file can hold.
fn count(what: &'static str, count: usize) -> Result<u32, WriteError> {
    u32::try_from(count)
        .map_err(|_| WriteError::without_position(WriteErrorKind::TooMany { what, count: count as u64 }))
}
