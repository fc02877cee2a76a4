//! Edits of Gamestudio maps that read other files.

use std::path::PathBuf;

use mapwright::ReadOptions;
use mapwright::wmp::Document;
use mapwright::wmp::query::Text;

use super::{EditProblem, read, take_file};

/// The edits, as error messages list them.
pub(super) const EDITS: &[&str] = &["merge FILE [NAME] [X,Y,Z]"];

/// Applies an edit that reads a file, which is added to `files`. Returns `None` for other edits.
pub(super) fn apply(
    map: &mut Document,
    words: &[Text],
    options: &ReadOptions,
    files: &mut Vec<PathBuf>,
) -> Option<Result<String, EditProblem>> {
    let [verb, file, place @ ..] = words else { return None };
    if verb.as_str() != Some("merge") {
        return None;
    }
    let (name, at) = match place {
        [] => (None, None),
        [name] => (Some(name), None),
        [name, at] => (Some(name), Some(&*at.to_string_lossy())),
        _ => return None,
    };
    let file = take_file(&file.to_string_lossy(), files);
    Some(merge(map, &file, name.map(Text::as_bytes), at, options))
}

/// Merges another map as a group, which gets the name of its file by default.
fn merge(
    map: &mut Document,
    file: &str,
    name: Option<&[u8]>,
    at: Option<&str>,
    options: &ReadOptions,
) -> Result<String, EditProblem> {
    let place = |at: &str| -> Option<[f64; 3]> {
        let numbers: Option<Vec<f64>> = at.split(',').map(|number| number.parse().ok()).collect();
        numbers?.try_into().ok()
    };
    let at = match at {
        None => [0.0; 3],
        Some(at) => place(at).ok_or("invalid position: expected three numbers, such as 0,-128,64")?,
    };
    let other = read(file, None, options)?
        .into_wmp()
        .map_err(|other| EditProblem::of_format(file, "a Gamestudio map", other.format()))?;
    let stem =
        std::path::Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.map_or_else(|| stem.into_bytes(), <[u8]>::to_vec);
    Ok(map.merge(&other, &name, at).map_err(|error| error.to_string())?.to_string())
}
