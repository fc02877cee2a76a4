//! The lock file of the Python package: it has the packages of the workspace in the same versions, so that both are tested together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Breach, text};

/// The lock file of the workspace, and the other one.
const LOCKS: [&str; 2] = ["Cargo.lock", "crates/python/Cargo.lock"];

pub(super) fn check() -> Vec<Breach> {
    let [shared, other] = LOCKS.map(|file| versions(&text(Path::new(file))));
    compare(&shared, &other)
}

/// Reports the packages of the other file whose version the shared one does not have.
fn compare(shared: &BTreeMap<String, BTreeSet<String>>, other: &BTreeMap<String, BTreeSet<String>>) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (name, versions) in other {
        let Some(known) = shared.get(name) else { continue };
        for version in versions.difference(known) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let known = known.join(", ");
            let text = format!(
                "{name} {version}, but the workspace has {known}: run `cargo update {name} --precise {known}` in crates/python"
            );
            breaches.push(Breach::new(LOCKS[1], 0, "locks", text));
        }
    }
    breaches
}

/// Returns the versions of each package of a lock file.
fn versions(lock: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let value = |line: &str, key: &str| {
        let value = line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?;
        Some(value.to_owned())
    };
    let mut name = String::new();
    for line in lock.lines() {
        if let Some(found) = value(line, "name") {
            name = found;
        } else if let Some(version) = value(line, "version") {
            versions.entry(name.clone()).or_default().insert(version);
        }
    }
    versions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_versions_of_shared_packages_are_reported() {
        let lock = |version: &str| {
            format!(
                "version = 4\n\n[[package]]\nname = \"png\"\nversion = \"{version}\"\n\n[[package]]\nname = \"a\"\n"
            )
        };
        let (shared, other) = (versions(&lock("0.18.0")), versions(&lock("0.18.1").replace("\"a\"", "\"b\"")));
        assert_eq!(compare(&shared, &shared), []);
        let breaches = compare(&shared, &other);
        assert_eq!(breaches.len(), 1);
        assert!(breaches[0].text.contains("png 0.18.1") && breaches[0].text.contains("--precise 0.18.0"));
        assert!(!check().iter().any(|breach| breach.text.is_empty()), "both files exist");
        assert!(LOCKS.iter().all(|file| versions(&text(Path::new(file))).len() > 50));
    }
}
