//! The same files in every format crate: whoever knows one crate finds their way in the next.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Breach, is_format_crate, text};
use crate::workspace::Package;

/// The files of a format crate. Files for `scene` are only required of crates with that feature. Tests that need their own process are
/// one folder higher.
const FILES: &[&str] = &[
    "src/document.rs",
    "src/codes.rs",
    "src/read.rs",
    "src/write.rs",
    "src/options.rs",
    "src/error.rs",
    "src/validate.rs",
    "src/scene.rs",
    "tests/all/spec.rs",
    "tests/all/fixtures.rs",
    "tests/all/properties.rs",
    "tests/all/hostile.rs",
    "tests/all/scene.rs",
    "examples/dump.rs",
    "examples/rewrite.rs",
];

/// Files that a format crate does not have, with the reason.
const ABSENT: &[(&str, &str, &str)] = &[
    ("mapwright-heightmap", "src/document.rs", "rasters are read into scenes, so there is no document"),
    (
        "mapwright-heightmap",
        "src/codes.rs",
        "its codes are those of the crate `tiff`, or are defined with their readers",
    ),
    ("mapwright-heightmap", "src/validate.rs", "there is no document to validate"),
    ("mapwright-heightmap", "tests/all/spec.rs", "its tests of the specification are those of each format"),
    ("mapwright-heightmap", "tests/all/fixtures.rs", "its tests make their rasters"),
    ("mapwright-heightmap", "tests/all/properties.rs", "the round trips of rasters are in the tests of each format"),
    ("mapwright-heightmap", "examples/rewrite.rs", "there is no document to write again"),
    ("mapwright-vmap", "src/codes.rs", "its codes are those of DMX, or are defined with their classes"),
    ("mapwright-wings", "src/codes.rs", "its codes are atoms, defined with the values that they name"),
];

/// `lib.rs` is page one: documentation, modules, re-exports.
const LONGEST_LIB: usize = 150;

pub(super) fn check(packages: &[Package], files: &[PathBuf]) -> Vec<Breach> {
    let unlisted = packages.iter().flat_map(|package| unlisted(package, files, text));
    unlisted.chain(incomplete(packages, files)).collect()
}

/// Finds format crates that lack a file of the common skeleton, or have one that they are listed as lacking.
fn incomplete(packages: &[Package], files: &[PathBuf]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for package in packages.iter().filter(|package| is_format_crate(package, files)) {
        let absent = || ABSENT.iter().filter(|(name, ..)| *name == package.name);
        let has_scene = package.features.iter().any(|(feature, _)| feature == "scene");
        let has = |file: &&str| {
            let apart = file.replace("tests/all/", "tests/");
            files.contains(&package.folder.join(file)) || files.contains(&package.folder.join(apart))
        };
        let missing = FILES.iter().filter(|file| has_scene || !file.contains("scene")).filter(|file| !has(file));
        for file in missing.filter(|file| !absent().any(|(_, absent, _)| absent == *file)) {
            let text = "is missing: add it, or add the reason to xtask/src/tidy/skeleton.rs";
            breaches.push(Breach::new(package.folder.join(file), 0, "skeleton", text));
        }
        for (_, file, reason) in absent().filter(|(_, file, _)| has(file)) {
            let text = format!("exists, but xtask/src/tidy/skeleton.rs states that {reason}: remove that row");
            breaches.push(Breach::new(package.folder.join(file), 0, "skeleton", text));
        }
        breaches.extend(check_lib(&package.folder.join("src/lib.rs"), &text(&package.folder.join("src/lib.rs"))));
    }
    breaches
}

/// Finds test files that no module lists, and that are therefore never run.
fn unlisted(package: &Package, files: &[PathBuf], text: impl Fn(&Path) -> String) -> Vec<Breach> {
    let folder = package.folder.join("tests/all");
    let is_test =
        |file: &&PathBuf| file.starts_with(&folder) && file.extension().is_some_and(|extension| extension == "rs");
    let tests: Vec<&PathBuf> = files.iter().filter(is_test).collect();
    let listed: HashSet<PathBuf> = tests.iter().flat_map(|file| modules(file, &text(file))).collect();
    let main = folder.join("main.rs");
    let unlisted = tests.into_iter().filter(|file| **file != main && !listed.contains(*file));
    unlisted
        .map(|file| Breach::new(file.clone(), 0, "skeleton", "is never run: add a `mod` to the module above it"))
        .collect()
}

/// Returns the files of the modules that a file lists. `mod.rs` is not allowed: a module is `x.rs`, with its submodules in `x/`.
fn modules(file: &Path, text: &str) -> Vec<PathBuf> {
    let folder = if file.ends_with("main.rs") { file.with_file_name("") } else { file.with_extension("") };
    let name = |line: &str| {
        let (before, name) = line.strip_suffix(';')?.rsplit_once(' ')?;
        let is_pub = before.starts_with("pub") && before.ends_with(" mod");
        (before == "mod" || is_pub).then(|| name.to_owned())
    };
    let names = text.lines().filter_map(name);
    names.map(|name| folder.join(name).with_extension("rs")).collect()
}

fn check_lib(path: &Path, text: &str) -> Option<Breach> {
    let lines = text.lines().count();
    let wanted = format!("has {lines} lines; page one has at most {LONGEST_LIB}: move code into modules");
    (lines > LONGEST_LIB).then(|| Breach::new(path, 0, "skeleton", wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(|name| Path::new("crates/wings").join(name)).collect()
    }

    /// Checks the crate beside its file in the facade.
    fn breaches(features: &[&str], names: &[&str]) -> Vec<Breach> {
        let facade = PathBuf::from("crates/mapwright/src/formats/wings.rs");
        incomplete(&[wings(features)], &[files(names), vec![facade]].concat())
    }

    fn wings(features: &[&str]) -> Package {
        Package {
            name: "mapwright-wings".to_owned(),
            folder: "crates/wings".into(),
            features: features.iter().map(|feature| ((*feature).to_owned(), Vec::new())).collect(),
            ..Package::default()
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let without = |left_out: &str| {
            let names: Vec<&str> =
                FILES.iter().copied().filter(|file| *file != left_out && *file != "src/codes.rs").collect();
            breaches(&["scene"], &names).into_iter().map(|breach| breach.file).collect::<Vec<_>>()
        };
        assert_eq!(without(""), files(&[]));
        assert_eq!(without("tests/all/hostile.rs"), files(&["tests/all/hostile.rs"]));
        assert_eq!(without("src/scene.rs"), files(&["src/scene.rs"]));
    }

    #[test]
    fn tests_that_nothing_runs_are_named() {
        let files =
            files(&["tests/all/main.rs", "tests/all/a.rs", "tests/all/a/b.rs", "tests/all/c.rs", "tests/all/c/d.rs"]);
        let named = |main: &str, a: &str, c: &str| {
            let text = |file: &Path| match file.to_string_lossy().strip_prefix("crates/wings/tests/all/") {
                Some("main.rs") => main.to_owned(),
                Some("a.rs") => a.to_owned(),
                Some("c.rs") => c.to_owned(),
                _ => String::new(),
            };
            unlisted(&wings(&[]), &files, text).into_iter().map(|breach| breach.file).collect::<Vec<_>>()
        };
        assert!(named("mod a;\nmod c;\n", "mod b;\n", "pub(crate) mod d;\n").is_empty());
        assert_eq!(named("mod ca;\nmod c;\n", "// mod b;\n//! pub mod b;\n", "mod d;\n"), files[1..3]);
        assert_eq!(named("mod a;\n", "mod b;\n", ""), files[3..]);
    }

    #[test]
    fn scene_files_are_asked_of_crates_with_a_scene() {
        let names: Vec<&str> =
            FILES.iter().copied().filter(|file| !file.contains("scene") && *file != "src/codes.rs").collect();
        assert_eq!(breaches(&[], &names), []);
        assert_eq!(breaches(&["scene"], &names).len(), 2);
    }

    #[test]
    fn an_unneeded_exception_is_reported() {
        assert_eq!(breaches(&["scene"], FILES).len(), 1);
    }

    #[test]
    fn page_one_is_short() {
        assert!(check_lib(Path::new("lib.rs"), &"\n".repeat(LONGEST_LIB)).is_none());
        assert!(check_lib(Path::new("lib.rs"), &"\n".repeat(LONGEST_LIB + 1)).is_some());
    }
}
