//! Edits of Gamestudio maps, also those that read other files.

use std::path::PathBuf;

use mapwright::ReadOptions;
use mapwright::io::words;
use mapwright::wmp::Document;
use mapwright::wmp::query::{Edit, EditObjects as _, EditOptions, QueryError};

use super::{read, take_file};

/// Applies an edit and returns its report. Files that it reads are added to `taken`.
pub(super) fn apply(
    map: &mut Document,
    (text, how): (&str, &EditOptions),
    options: &ReadOptions,
    taken: &mut Vec<PathBuf>,
) -> Result<String, String> {
    let words = words(text);
    let mut file = |word: &str| take_file(word, taken);
    match words[..] {
        ["merge", name] => merge(map, &file(name), "", None, options),
        ["merge", other, name] => merge(map, &file(other), name, None, options),
        ["merge", other, name, at] => merge(map, &file(other), name, Some(at), options),
        _ => {
            let edit: Edit = text.parse().map_err(|error: QueryError| error.to_string())?;
            map.apply(&edit, how).map(|edited| edited.to_string()).map_err(|error| error.to_string())
        }
    }
}

/// Merges another map as a group, which gets the name of its file by default.
fn merge(
    map: &mut Document,
    file: &str,
    name: &str,
    at: Option<&str>,
    options: &ReadOptions,
) -> Result<String, String> {
    let place = |at: &str| -> Option<[f64; 3]> {
        let numbers: Option<Vec<f64>> = at.split(',').map(|number| number.parse().ok()).collect();
        numbers?.try_into().ok()
    };
    let at = match at {
        None => [0.0; 3],
        Some(at) => place(at).ok_or_else(|| "a place is expected, as 0,-128,64".to_owned())?,
    };
    let other = read(file, None, options)?.into_wmp().map_err(|_| format!("{file}: not a Gamestudio map"))?;
    let stem =
        std::path::Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = if name.is_empty() { stem.into_bytes() } else { mapwright::wmp::io::unescape_bytes(name) };
    map.merge(&other, &name, at).map(|merged| merged.to_string()).map_err(|error| error.to_string())
}
