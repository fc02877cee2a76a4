//! Edits of Gamestudio maps, also those that read other files.

use std::path::PathBuf;

use mapwright::ReadOptions;
use mapwright::wmp::Document;
use mapwright::wmp::query::{Edit, EditObjects as _, EditOptions, Edited, Text};

use super::{read, take_file};

/// Applies an edit. Files that it reads are added to `files`.
pub(super) fn apply(
    map: &mut Document,
    (edit, how): (&Edit, &EditOptions),
    options: &ReadOptions,
    files: &mut Vec<PathBuf>,
) -> Result<Edited, String> {
    let words = match edit {
        Edit::Own(words) => words.items(),
        _ => &[],
    };
    let (name, at) = match words {
        [verb, _] if verb.as_str() == Some("merge") => (None, None),
        [verb, _, name] if verb.as_str() == Some("merge") => (Some(name), None),
        [verb, _, name, at] if verb.as_str() == Some("merge") => (Some(name), Some(&*at.to_string_lossy())),
        _ => return map.apply(edit, how).map_err(|error| error.to_string()),
    };
    let file = take_file(&words[1].to_string_lossy(), files);
    merge(map, &file, name.map(Text::as_bytes), at, options).map(|report| Edited::new(1, report))
}

/// Merges another map as a group, which gets the name of its file by default.
fn merge(
    map: &mut Document,
    file: &str,
    name: Option<&[u8]>,
    at: Option<&str>,
    options: &ReadOptions,
) -> Result<String, String> {
    let place = |at: &str| -> Option<[f64; 3]> {
        let numbers: Option<Vec<f64>> = at.split(',').map(|number| number.parse().ok()).collect();
        numbers?.try_into().ok()
    };
    let at = match at {
        None => [0.0; 3],
        Some(at) => {
            place(at).ok_or_else(|| "invalid position: expected three numbers, such as 0,-128,64".to_owned())?
        }
    };
    let other = read(file, None, options)?.into_wmp().map_err(|_| format!("{file}: not a Gamestudio map"))?;
    let stem =
        std::path::Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.map_or_else(|| stem.into_bytes(), <[u8]>::to_vec);
    map.merge(&other, &name, at).map(|merged| merged.to_string()).map_err(|error| error.to_string())
}
