//! What fuzzing starts from.

use std::fs;
use std::path::{Path, PathBuf};

use mapwright_testkit::{corpus, files_below, workspace};

use crate::Target;

/// Larger files are left out: a mutant of them takes too long.
const LARGEST: u64 = 256 << 10;

/// The hand-made inputs of a target and the fixtures of its format, with a name for each.
///
/// # Panics
/// When a fixture cannot be read.
pub fn seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    let made = target.inputs.iter().enumerate().map(|(index, bytes)| (format!("input {index}"), bytes.to_vec()));
    made.chain(files(&workspace().join("fixtures").join(target.format))).collect()
}

/// The files on this machine that are not in the repository.
///
/// # Panics
/// When a file cannot be read.
pub fn corpus_seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    corpus(target.format).map_or_else(Vec::new, |folder| files(&folder))
}

/// Where the inputs that once broke a target are kept; the smoke test runs them.
pub fn regressions(target: &Target) -> PathBuf {
    workspace().join("fixtures").join(target.format).join("regressions")
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    if !folder.is_dir() {
        return Vec::new();
    }
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.display().to_string(), bytes)
    };
    let small = |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() <= LARGEST);
    files_below(folder).into_iter().filter(small).map(read).collect()
}
