//! The licences of the crates that the command contains.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Target, failed};
use crate::run::{capture, cargo};
use crate::workspace::program_package;

/// The beginnings of the names of files with licences and notices, in upper case.
const FILES: [&str; 5] = ["COPYING", "LICENCE", "LICENSE", "NOTICE", "UNLICENSE"];

/// Returns the licences of all crates of others that the command contains for a target. Each text stands once, below the crates that have it.
pub(super) fn of_others(target: &Target) -> Result<String, String> {
    let (_, package) = program_package()?;
    let name = package["name"].as_str().unwrap_or_default();
    let tree = ["tree", "--locked", "--package", name, "--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let tree = capture(cargo(&tree).arg("--target").arg(&target.triple))?;
    // A line is `NAME vVERSION`, with the folder of a package of the workspace.
    let used: BTreeSet<&str> = tree.lines().filter(|line| !line.contains('(')).collect();
    let metadata = capture(&mut cargo(&["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        if !used.contains(&*format!("{} v{}", text("name"), text("version"))) {
            continue;
        }
        let title = format!("{} {}, {}", text("name"), text("version"), text("license"));
        let folder = Path::new(text("manifest_path")).parent().unwrap_or(Path::new(""));
        let texts = texts(folder)?;
        if texts.is_empty() {
            crates.entry("The package contains no text of its licence.".to_owned()).or_default().insert(title.clone());
        }
        for text in texts {
            crates.entry(text).or_default().insert(title.clone());
        }
    }
    let parts = crates.into_iter().map(|(text, titles)| {
        let titles: Vec<String> = titles.into_iter().collect();
        format!("{}\n\n{text}\n", titles.join("\n"))
    });
    // The parts are in the order of the crates.
    let parts: BTreeSet<String> = parts.collect();
    let parts: Vec<String> = parts.into_iter().collect();
    let line = format!("\n{}\n\n", "=".repeat(80));
    Ok(format!("The command contains these crates of other authors.\n{line}{}", parts.join(&line)))
}

/// Returns the texts of the licences in the folder of a package.
fn texts(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    let mut texts = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
        if FILES.iter().any(|start| name.starts_with(start)) {
            let bytes = fs::read(&path).map_err(|error| failed(&path, &error))?;
            // Copies of a licence often differ only in their line ends.
            let lines: Vec<String> =
                String::from_utf8_lossy(&bytes).lines().map(|line| line.trim_end().to_owned()).collect();
            texts.push(lines.join("\n").trim().to_owned());
        }
    }
    texts.sort();
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_of_all_crates_are_listed() {
        let text = of_others(&Target::host().unwrap()).unwrap();
        assert!(text.lines().any(|line| line.starts_with("flate2 ")), "{text}");
        // Packages of the workspace have the licence of the command.
        assert!(!text.lines().any(|line| line.starts_with("mapwright")));
        assert!(text.contains("Permission is hereby granted"));
    }
}
