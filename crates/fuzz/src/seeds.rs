//! Inputs that fuzzing starts from.

use std::fs;
use std::path::{Path, PathBuf};

use mapwright_testkit::{corpus, files_below, workspace};

use crate::Target;

/// Larger files are left out: a mutant of them takes too long.
const LARGEST: u64 = 256 << 10;

/// The hand-made inputs of a target, its fixtures and its regressions, with a name for each.
///
/// # Panics
/// When a fixture cannot be read.
pub fn seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    let inputs = target.inputs.iter().map(|bytes| bytes.to_vec()).chain((target.made)());
    let made = inputs.enumerate().map(|(index, bytes)| (format!("input {index}"), bytes));
    let fixtures = workspace().join("fixtures").join(target.files);
    // Regressions of other targets are fixtures like any other; its own are run as they are, too.
    made.chain(cut(target, files(&fixtures))).chain(files(&regressions(target))).collect()
}

/// Returns the seeds of a target from the local corpus: the files in its `synthetic` folder, which were made for this project, and with
/// `real` all files. Mutants of real files must not enter the repository.
///
/// # Panics
/// When a file cannot be read.
pub fn corpus_seeds(target: &Target, real: bool) -> Vec<(String, Vec<u8>)> {
    let folder = Some(target.files).filter(|files| !files.is_empty()).and_then(corpus);
    let folder = folder.map(|folder| if real { folder } else { folder.join("synthetic") });
    folder.map_or_else(Vec::new, |folder| cut(target, files(&folder)).collect())
}

fn cut(target: &Target, files: Vec<(String, Vec<u8>)>) -> impl Iterator<Item = (String, Vec<u8>)> {
    files.into_iter().filter_map(|(name, file)| Some((name, (target.cut)(&file)?)))
}

/// The folder of inputs that once broke a target; the smoke test runs them.
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
