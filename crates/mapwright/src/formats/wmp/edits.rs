//! Edits of Gamestudio maps that read other files.

use std::path::Path;

use mapwright_query::{Edited, QueryError, Text};
use mapwright_wmp::Document;

use crate::Error;
use crate::edit::EditFiles;

/// The edits, as error messages list them.
pub(crate) const EDITS: &[&str] = &["merge FILE [NAME] [X,Y,Z]"];

/// Applies an edit that reads a file. Returns `None` for other edits.
pub(crate) fn apply(map: &mut Document, words: &[Text], files: &mut dyn EditFiles) -> Option<Result<Edited, Error>> {
    let [verb, file, place @ ..] = words else { return None };
    if verb.as_str() != Some("merge") {
        return None;
    }
    let (name, at) = match place {
        [] => (None, None),
        [name] => (Some(name), None),
        [name, at] => (Some(name), Some(at.to_string_lossy())),
        _ => return None,
    };
    Some(merge(map, &file.to_string_lossy(), name.map(Text::as_bytes), at.as_deref(), files))
}

/// Merges another map as a group, which gets the name of its file by default.
fn merge(
    map: &mut Document,
    file: &str,
    name: Option<&[u8]>,
    at: Option<&str>,
    files: &mut dyn EditFiles,
) -> Result<Edited, Error> {
    let place = |at: &str| -> Option<[f64; 3]> {
        let numbers: Option<Vec<f64>> = at.split(',').map(|number| number.parse().ok()).collect();
        numbers?.try_into().ok()
    };
    let expected = || QueryError::refused("invalid position: expected three numbers, such as 0,-128,64");
    let at = match at {
        None => [0.0; 3],
        Some(at) => place(at).ok_or_else(expected)?,
    };
    let other = files.document(file, None).map_err(|error| error.in_edit_file(file))?;
    let other = other.into_wmp().map_err(|other| {
        Error::UnexpectedFormat { expected: "a Gamestudio map", found: other.format() }.in_edit_file(file)
    })?;
    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.map_or_else(|| stem.into_bytes(), <[u8]>::to_vec);
    let merged = map.merge(&other, &name, at).map_err(QueryError::refused)?;
    Ok(Edited::new(1, merged.to_string()))
}
