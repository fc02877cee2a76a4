//! Edits of any document.

#[allow(clippy::indexing_slicing)] // IDs are those of nodes of the scene and their contents.
mod assign;
#[allow(clippy::indexing_slicing)]
mod pose;
#[allow(clippy::indexing_slicing)]
mod position;
mod scene;

use mapwright_query::{Edit, EditOptions, Edited, QueryError};

use crate::{AnyDocument, Error};

impl AnyDocument {
    /// Applies an edit. Everything else stays as it is, down to the byte.
    ///
    /// Formats with records have all edits, and change the records. Other formats of levels have `set`, which changes their
    /// scene and merges it into the document.
    ///
    /// # Errors
    /// [`Error::Query`] for unknown fields, for values that the format cannot store, and for queries that match nothing unless the options
    /// allow that; [`Error::Unsupported`] for other edits and formats; those of writing. Nothing has changed then.
    pub fn edit(&mut self, edit: &Edit, options: &EditOptions) -> Result<Edited, Error> {
        if let Some(records) = self.records_mut() {
            return Ok(records.apply(edit, options)?);
        }
        if self.as_scene_file().is_some() {
            let what = "changed in place; convert them to the format of a level";
            return Err(Error::Unsupported { format: self.format(), what });
        }
        match edit {
            Edit::Set { query, assignments } => self.set_in_scene(query, assignments, options),
            Edit::SetDocument { .. } => Err(QueryError::refused("the document itself has no fields").into()),
            Edit::Own(words) => Err(words.unknown_among(&["set QUERY: FIELD=VALUE"]).into()),
            _ => Err(Error::Unsupported {
                format: self.format(),
                what: "edited in this way: expected set QUERY: FIELD=VALUE",
            }),
        }
    }
}
