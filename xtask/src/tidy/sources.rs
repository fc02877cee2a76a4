//! Rules about files: their length, words that must not occur, and tasks that format crates leave to others.

use std::path::{Path, PathBuf};

use super::{Breach, text};
use crate::workspace::Package;

/// Maximum number of lines of a source file, without tests.
const LONGEST: usize = 800;

/// Forbidden words, with the remedy. They are split, so that this file does not contain them.
const WORDS: &[(&str, &str, &str)] = &[
    ("TO", "DO", "do it, or say what is not supported where the user reads it"),
    ("FIX", "ME", "mend it, or say what is not supported where the user reads it"),
    ("XX", "X", "say what is meant"),
    ("/ro", "ot/", "a path of one machine: write it relative to the workspace"),
    ("/wo", "rk/", "a path of one machine: write it relative to the workspace"),
    ("/tm", "p/", "a path of one machine: use the tempfile crate, or a file in the target folder"),
    ("Cla", "ude", "the repository does not name the tools it was written with"),
    ("Anthr", "opic", "the repository does not name the tools it was written with"),
    ("Chat", "GPT", "the repository does not name the tools it was written with"),
];

/// Crates that do not use the file system. The facade opens and saves files.
const NO_FILES: &[&str] = &[
    "mapwright-io",
    "mapwright-acknex",
    "mapwright-deflate",
    "mapwright-etf",
    "mapwright-fgd",
    "mapwright-heightmap",
    "mapwright-keyvalues",
    "mapwright-qmap",
    "mapwright-query",
    "mapwright-rez",
    "mapwright-scene",
    "mapwright-tiled",
    "mapwright-vmf",
    "mapwright-wapart",
    "mapwright-wings",
    "mapwright-interchange",
];

pub(super) fn check(packages: &[Package], files: &[PathBuf]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for file in files.iter().filter(|file| is_text(file)) {
        let text = text(file);
        breaches.extend(check_words(file, &text));
        if file.extension().is_some_and(|extension| extension == "rs") {
            let package = packages.iter().find(|package| file.starts_with(&package.folder));
            breaches.extend(check_source(file, &text, package));
        }
    }
    breaches
}

/// Returns `false` for fixtures, which may contain any bytes, and for files that others wrote.
fn is_text(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    !file.starts_with("fixtures") && !name.starts_with("LICENSE") && name != "Cargo.lock"
}

fn check_words(file: &Path, text: &str) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (front, back, wanted) in WORDS {
            let word = format!("{front}{back}");
            if line.contains(&word) {
                breaches.push(Breach::new(file, index + 1, "words", format!("{word:?}: {wanted}")));
            }
        }
    }
    breaches
}

fn check_source(file: &Path, text: &str, package: Option<&Package>) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let lines = text.lines().count();
    let is_test = file.components().any(|part| part.as_os_str() == "tests");
    if lines > LONGEST && !is_test {
        let wanted = format!("has {lines} lines, at most {LONGEST} are allowed: split it by topic");
        breaches.push(Breach::new(file, 0, "length", wanted));
    }
    if !text.starts_with("//!") && !text.starts_with("#![doc = ") {
        breaches.push(Breach::new(file, 1, "module-docs", "has no documentation: start with a //! sentence"));
    }
    let Some(package) = package.filter(|package| file.starts_with(package.folder.join("src"))) else { return breaches };
    for (index, line) in text.lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        if package.published && package.name != "mapwright-testkit" && code.contains("mapwright_testkit") {
            let wanted = "the testkit is only a dev-dependency: move tests that use it to tests/";
            breaches.push(Breach::new(file, index + 1, "testkit", wanted));
        }
        if NO_FILES.contains(&package.name.as_str()) && (code.contains("std::fs") || code.contains("fs::File")) {
            let wanted = "this crate works on bytes: files are opened and saved by the facade";
            breaches.push(Breach::new(file, index + 1, "files", wanted));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wings() -> Package {
        Package {
            name: "mapwright-wings".to_owned(),
            folder: "crates/wings".into(),
            published: true,
            ..Package::default()
        }
    }

    fn rules(file: &str, text: &str) -> Vec<(usize, &'static str)> {
        let found = check_source(Path::new(file), text, Some(&wings()));
        found.iter().map(|breach| (breach.line, breach.rule)).collect()
    }

    #[test]
    fn words_are_found_with_their_line() {
        for (front, back, _) in WORDS {
            let found = check_words(Path::new("a.md"), &format!("fine\nnot {front}{back} fine\n"));
            assert_eq!(found.iter().map(|breach| breach.line).collect::<Vec<_>>(), [2], "{front}{back}");
        }
        assert_eq!(check_words(Path::new("a.md"), "a method to do work, at home, by the users\n"), []);
    }

    #[test]
    fn sources_are_short_unless_they_are_tests() {
        let long = format!("//! Long.\n{}", "\n".repeat(LONGEST));
        assert_eq!(rules("crates/wings/src/read.rs", &long), [(0, "length")]);
        assert_eq!(rules("crates/wings/tests/read.rs", &long), []);
    }

    #[test]
    fn sources_say_what_they_are_for() {
        assert_eq!(rules("crates/wings/src/read.rs", "use std::io;\n"), [(1, "module-docs")]);
    }

    #[test]
    fn library_code_leaves_files_and_testkit_alone() {
        let text = "//! Reads.\nuse std::fs::File;\n// std::fs in a comment\nuse mapwright_testkit::laws;\n";
        assert_eq!(rules("crates/wings/src/read.rs", text), [(2, "files"), (4, "testkit")]);
        assert_eq!(rules("crates/wings/tests/read.rs", text), []);
    }
}
