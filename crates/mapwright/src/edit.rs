//! Edits of any document.
//!
//! An edit is a line of text, as [`Edit`] describes. [`AnyDocument::edit`] applies it. [`AnyDocument::edit_with`] also applies edits that read
//! other files, and [`script_lines`] divides a script into edits.
//!
//! ```
//! use mapwright::edit::{Edit, script_lines};
//!
//! let script = "# Brighter lights\nset class=light*: brightness=2\n\ndelete name=test*\n";
//! let edits: Vec<Edit> = script_lines(script).map(|(_, line)| line.parse()).collect::<Result<_, _>>()?;
//! assert_eq!(edits.len(), 2);
//! # Ok::<(), mapwright::query::QueryError>(())
//! ```
//!
//! # Edits that read other files
//!
//! | format | edit |
//! |---|---|
//! | Gamestudio maps | `merge FILE [NAME] [X,Y,Z]` |
//! | terrains | `heights import FILE`, `heights fill METRES`, `heights fill interpolate`, `cells import FILE` |
//! | terrains | `objects import FILE [relative] [centres=FILE] [origin=EAST,NORTH]`, `paste FILE X,Z` |
//! | terrains | `models rename-table FILE`, `textures rename-table FILE` |

#[allow(clippy::indexing_slicing)] // IDs are those of nodes of the scene and their contents.
mod assign;
mod files;
#[allow(clippy::indexing_slicing)]
mod pose;
#[allow(clippy::indexing_slicing)]
mod position;
mod scene;

use mapwright_query::{QueryError, Text};

#[cfg(feature = "wmp")]
use crate::formats::wmp;
#[cfg(all(feature = "heightmap", feature = "wrp"))]
use crate::formats::wrp;
use crate::{AnyDocument, Error};

pub use files::EditFiles;
#[cfg(feature = "fs")]
pub use files::FilesOnDisk;
pub use mapwright_query::{Edit, EditOptions, Edited};

/// Returns the edits of a script with the numbers of their lines, from 1. Empty lines and lines that begin with `#` are no edits.
pub fn script_lines(script: &str) -> impl Iterator<Item = (u64, &str)> {
    let lines = (1..).zip(script.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl AnyDocument {
    /// Applies an edit. Everything else stays as it is, down to the byte.
    ///
    /// Formats with records have all edits, and change the records. Other formats of levels have `set`, which changes their
    /// scene and merges it into the document. [`edit_with`](Self::edit_with) also applies edits that read other files.
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

    /// Applies an edit as [`edit`](Self::edit), or one that reads other files.
    ///
    /// # Errors
    /// As [`edit`](Self::edit), and [`Error::EditFile`] for another file that cannot be used.
    pub fn edit_with(
        &mut self,
        edit: &Edit,
        options: &EditOptions,
        files: &mut dyn EditFiles,
    ) -> Result<Edited, Error> {
        let words = match edit {
            Edit::Own(words) => words.items(),
            _ => &[],
        };
        let (done, known) = self.edit_with_files(words, options, files);
        done.unwrap_or_else(|| self.edit(edit, options).map_err(|error| with_file_edits(error, known)))
    }

    /// Applies edits in order, as [`edit_with`](Self::edit_with). If one fails, the document stays as it is.
    ///
    /// # Errors
    /// As [`edit_with`](Self::edit_with), and [`Error::Query`] for a text that is no edit.
    pub fn edit_all<T: AsRef<str>>(
        &mut self,
        edits: &[T],
        options: &EditOptions,
        files: &mut dyn EditFiles,
    ) -> Result<Vec<Edited>, Error> {
        let mut changed = self.clone();
        let edited: Result<Vec<Edited>, Error> =
            edits.iter().map(|edit| changed.edit_with(&edit.as_ref().parse()?, options, files)).collect();
        let edited = edited?;
        *self = changed;
        Ok(edited)
    }

    /// Applies an edit that reads other files. Returns `None` for other edits, and the edits of the format that read files.
    #[allow(unused_variables, reason = "a build may lack formats with such edits")]
    fn edit_with_files(
        &mut self,
        words: &[Text],
        options: &EditOptions,
        files: &mut dyn EditFiles,
    ) -> (Option<Result<Edited, Error>>, &'static [&'static str]) {
        #[cfg(feature = "wmp")]
        if let Some(map) = self.as_wmp_mut() {
            return (wmp::edits::apply(map, words, files), wmp::edits::EDITS);
        }
        #[cfg(all(feature = "heightmap", feature = "wrp"))]
        if let Some(terrain) = self.as_wrp_mut() {
            return (wrp::edits::apply(terrain, words, options, files), wrp::edits::EDITS);
        }
        (None, &[])
    }
}

/// Adds the edits that read files to the error for an unknown edit.
fn with_file_edits(mut error: Error, known: &[&str]) -> Error {
    let (expected, first) = match &mut error {
        Error::Query(QueryError::UnknownEdit { expected, .. }) => (expected, None),
        Error::Query(QueryError::InvalidEdit { edit, expected }) => (expected, Some(&**edit)),
        _ => return error,
    };
    for edit in known.iter().filter(|edit| first.is_none_or(|first| edit.split(' ').next() == Some(first))) {
        expected.push_str(", ");
        expected.push_str(edit);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_lines_with_numbers() {
        let script = "# a comment\n\n  delete *  \r\n#\nset *: x=1";
        assert_eq!(script_lines(script).collect::<Vec<_>>(), [(3, "delete *"), (5, "set *: x=1")]);
    }

    #[cfg(all(feature = "fs", feature = "wwd"))]
    #[test]
    fn a_failed_edit_takes_back_the_edits_before_it() {
        let mut level = AnyDocument::from(crate::wwd::Document::new());
        let before = level.to_bytes().unwrap();
        let options = EditOptions::default();
        let mut edit = |edits: &[&str]| level.edit_all(edits, &options, &mut FilesOnDisk::new(&Default::default()));
        assert!(edit(&["set level: name=Cave", "set level: name=Hill, nothing=1"]).is_err());
        assert!(edit(&["set level: name=Cave", "no edit"]).is_err());
        assert_eq!(edit(&["set level: name=Cave"]).unwrap().len(), 1);
        assert_ne!(level.to_bytes().unwrap(), before);
        level.edit(&"set level: name=\"\"".parse().unwrap(), &options).unwrap();
        assert_eq!(level.to_bytes().unwrap(), before);
    }
}
