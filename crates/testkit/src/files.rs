//! Fixtures and the local corpus.

use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Returns the root of the workspace: the nearest folder above the package that cargo runs whose `Cargo.toml` has a `[workspace]`. In a
/// program that cargo does not run, it is the workspace that this crate was built in.
///
/// # Panics
/// If there is no such folder.
pub fn workspace() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let is_root = |folder: &&Path| {
        fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.lines().any(|line| line == "[workspace]"))
    };
    Path::new(&package).ancestors().find(is_root).expect("the package lies in the workspace").to_owned()
}

/// Returns the folder `fixtures/<format>` of the workspace.
///
/// # Panics
/// If it is missing.
pub fn fixtures(format: &str) -> PathBuf {
    let folder = workspace().join("fixtures").join(format);
    assert!(folder.is_dir(), "{} is missing; `cargo xtask fixtures` makes it", folder.display());
    folder
}

/// Returns all fixtures of a format with its extension, in order: name, bytes, and the parsed document.
///
/// # Panics
/// If there are none, or one cannot be read.
pub fn fixtures_as<D, E: Display>(format: &str, read: impl Fn(&[u8]) -> Result<D, E>) -> Vec<(String, Vec<u8>, D)> {
    let mut files = files_below(&fixtures(format));
    files.retain(|path| path.extension().is_some_and(|extension| extension == format));
    assert!(!files.is_empty(), "no fixtures of {format}");
    let of = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let document = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, bytes, document)
    };
    files.into_iter().map(of).collect()
}

/// Returns the folder of real files of a format, if this machine has one: `../shared/corpus/<format>` beside the workspace, or `<format>`
/// in the folder of the environment variable `MAPWRIGHT_CORPUS`. Otherwise reports that on standard error.
///
/// # Panics
/// If `MAPWRIGHT_CORPUS` is set and has no such folder.
pub fn corpus(format: &str) -> Option<PathBuf> {
    if let Some(root) = env::var_os("MAPWRIGHT_CORPUS") {
        let folder = Path::new(&root).join(format);
        assert!(folder.is_dir(), "MAPWRIGHT_CORPUS is set, but {} is not a folder", folder.display());
        return Some(folder);
    }
    let folder = workspace().parent()?.join("shared/corpus").join(format);
    if folder.is_dir() {
        return Some(folder);
    }
    // eprintln! would be captured by the test harness.
    let _ = writeln!(io::stderr(), "SKIPPED: no corpus of {format} files here (set MAPWRIGHT_CORPUS to have one)");
    None
}

/// Returns all files below a folder, sorted by path, without texts that describe the folder (`MANIFEST…`, `README…`). Returns a file as
/// it is.
///
/// # Panics
/// If a folder cannot be listed.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    if folder.is_file() {
        return vec![folder.to_owned()];
    }
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !name.starts_with("MANIFEST") && !name.starts_with("README") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_found_from_a_package() {
        assert!(workspace().join("crates/testkit/Cargo.toml").is_file());
    }

    #[test]
    fn files_are_listed_in_order() {
        let files = files_below(&workspace().join("crates/testkit/src"));
        assert!(files.iter().any(|path| path.ends_with("files.rs")) && files.is_sorted());
    }
}
