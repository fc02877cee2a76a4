//! Writes documents as bytes.

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
    /// Fails if the document is inconsistent, which an unedited one never is.
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
    /// Fails if the writer fails, or as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, mut writer: impl Write) -> Result<(), WriteError> {
        writer.write_all(&self.to_bytes()?).map_err(|error| WriteError::without_position(error.into()))
    }
}

/// Checks the number of values of a grid.
fn check_grid(what: &'static str, [columns, rows]: [u32; 2], found: usize) -> Result<(), WriteError> {
    let cells = u64::from(columns).checked_mul(rows.into());
    if cells == Some(found as u64) {
        return Ok(());
    }
    Err(WriteError::without_position(WriteErrorKind::Grid { what, columns, rows, found }))
}

/// Checks that the object columns have the same length, with or without IDs.
fn check_rows(objects: &Objects, with_ids: bool) -> Result<(), WriteError> {
    let (models, placements, ids) = (objects.model.len(), objects.placements.len(), objects.ids.len());
    let wanted = if with_ids { models } else { 0 };
    if placements != models || ids != wanted {
        return Err(WriteError::without_position(WriteErrorKind::Columns { models, placements, ids }))
            .in_field("objects");
    }
    Ok(())
}

/// Checks the lengths of the object columns and the model indices.
fn check_columns(objects: &Objects, with_ids: bool) -> Result<(), WriteError> {
    check_rows(objects, with_ids)?;
    let models = objects.models.len();
    let beyond = |model: &&u32| usize::try_from(**model).map_or(true, |model| model >= models);
    match objects.model.iter().find(beyond) {
        Some(&model) => {
            let place = objects.model.iter().position(|other| *other == model).unwrap_or(0);
            Err(WriteError::without_position(WriteErrorKind::ModelIndex { model, models })).in_item("objects", place)
        }
        None => Ok(()),
    }
}

/// Checks that the variant can store the kind of placement.
fn check_placements(objects: &Objects, upright: bool, variant: &'static str) -> Result<(), WriteError> {
    let what = match (&objects.placements, upright) {
        (Placements::Matrices(_), false) | (Placements::Headings(_), true) => return Ok(()),
        (Placements::Matrices(_), true) => "a position and a heading",
        (Placements::Headings(_), false) => "a matrix",
    };
    Err(WriteError::without_position(WriteErrorKind::Objects { variant, what })).in_field("objects")
}

/// Converts a count to 32 bits.
fn to_u32(what: &'static str, count: usize) -> Result<u32, WriteError> {
    u32::try_from(count)
        .map_err(|_| WriteError::without_position(WriteErrorKind::TooMany { what, count: count as u64 }))
}
