//! Crates outside of the workspace have lock files of their own, with the versions of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Breach, text};

const LOCK: &str = "Cargo.lock";

/// The versions of each package in a lock file.
type Versions<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

pub(super) fn check(files: &[PathBuf]) -> Vec<Breach> {
    let workspace = text(Path::new(LOCK));
    let others = files.iter().filter(|file| file.ends_with(LOCK) && *file != Path::new(LOCK));
    others.flat_map(|file| check_text(file, &text(file), &workspace)).collect()
}

fn check_text(file: &Path, lock: &str, workspace: &str) -> Vec<Breach> {
    let workspace = versions(workspace);
    let mut breaches = Vec::new();
    for (name, versions) in versions(lock) {
        let Some(known) = workspace.get(name) else { continue };
        for version in versions.difference(known) {
            // Versions that are not compatible are different packages.
            let Some(wanted) = known.iter().find(|known| compatible(known) == compatible(version)) else { continue };
            let manifest = file.with_file_name("Cargo.toml");
            let text = format!(
                "{name} has version {version}, and {wanted} in the workspace: run cargo update --manifest-path {} \
                 --package {name}@{version} --precise {wanted}",
                manifest.display()
            );
            breaches.push(Breach::new(file, 0, "locks", text));
        }
    }
    breaches
}

/// Returns the part of a version that compatible versions share: up to the first number that is not 0.
fn compatible(version: &str) -> &str {
    let mut end = 0;
    for number in version.split('.') {
        end += number.len();
        if number != "0" {
            break;
        }
        end += 1;
    }
    version.get(..end).unwrap_or(version)
}

fn versions(lock: &str) -> Versions<'_> {
    let mut found = Versions::new();
    let mut name = "";
    for line in lock.lines() {
        let value = |key: &str| line.strip_prefix(key)?.strip_suffix('"');
        if let Some(value) = value("name = \"") {
            name = value;
        } else if let Some(version) = value("version = \"") {
            found.entry(name).or_default().insert(version);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_packages_have_the_versions_of_the_workspace() {
        let lock = |packages: &[(&str, &str)]| {
            let entry =
                |(name, version): &(&str, &str)| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
            format!("version = 4\n\n{}", packages.iter().map(entry).collect::<String>())
        };
        let workspace = lock(&[("a", "1.0.0"), ("a", "2.0.0"), ("b", "1.0.0")]);
        let check =
            |packages: &[(&str, &str)]| check_text(Path::new("crates/x/Cargo.lock"), &lock(packages), &workspace);
        assert_eq!(check(&[("a", "2.0.0"), ("b", "1.0.0"), ("c", "9.0.0")]), []);
        let breaches = check(&[("a", "2.0.1"), ("b", "1.0.0")]);
        assert_eq!(breaches.len(), 1);
        assert!(breaches[0].text.contains("a has version 2.0.1, and 2.0.0 in the workspace"), "{}", breaches[0]);
        assert_eq!(check(&[("a", "3.0.0"), ("b", "0.9.0")]), []);
        assert_eq!(["1.2.3", "0.2.3", "0.0.3"].map(compatible), ["1", "0.2", "0.0.3"]);
    }
}
