//! `cargo xtask versions`: all packages of a release have one version.

use std::fs;
use std::path::Path;

use super::failed;
use crate::run::Outcome;
use crate::workspace::{packages, root};

/// The files with the versions of packages outside of the workspace, each with the text before the version.
const OTHERS: [(&str, &str); 4] = [
    ("crates/blender/addon/blender_manifest.toml", "\nversion = \""),
    ("crates/python/Cargo.toml", "\nversion = \""),
    ("crates/wasm/Cargo.toml", "\nversion = \""),
    ("crates/wasm/package/package.json", "\"version\": \""),
];

/// The folders of packages outside of the workspace.
const FOLDERS: [&str; 3] = ["crates/blender", "crates/python", "crates/wasm"];

/// With a tag, the tag names the version, and each changelog has a section for it.
pub(crate) fn versions(args: &[String]) -> Outcome {
    let tag = match args {
        [] => None,
        [tag] => Some(tag.as_str()),
        _ => return Err("usage: cargo xtask versions [TAG]".to_owned()),
    };
    let published: Vec<_> = packages()?.into_iter().filter(|package| package.published).collect();
    let mut found: Vec<(String, String)> =
        published.iter().map(|package| (package.name.clone(), package.version.clone())).collect();
    for (file, before) in OTHERS {
        let text = read(Path::new(file))?;
        let version = version_after(&text, before).ok_or_else(|| format!("{file} has no version"))?;
        found.push((file.to_owned(), version.to_owned()));
    }
    let version = common(&found)?;
    if let Some(tag) = tag {
        check_tag(tag, version)?;
        let folders = published.iter().map(|package| package.folder.as_path()).chain(FOLDERS.map(Path::new));
        for folder in folders {
            let file = folder.join("CHANGELOG.md");
            check_changelog(&read(&file)?, version).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    println!("{} packages have version {version}", found.len());
    Ok(())
}

fn read(file: &Path) -> Result<String, String> {
    let path = root().join(file);
    fs::read_to_string(&path).map_err(|error| failed(&path, &error))
}

fn version_after<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once('"')?.0)
}

/// Returns the version of all packages.
fn common(found: &[(String, String)]) -> Result<&str, String> {
    let (first, version) = found.first().ok_or("no package is published")?;
    match found.iter().find(|(_, other)| other != version) {
        Some((name, other)) => {
            Err(format!("{name} has version {other}, but {first} has {version}: all packages have one version"))
        }
        None => Ok(version),
    }
}

fn check_tag(tag: &str, version: &str) -> Outcome {
    if version.contains(['-', '+']) {
        return Err(format!(
            "the version {version} is that of a preview, which package managers name in different ways"
        ));
    }
    if tag.strip_prefix('v') == Some(version) {
        return Ok(());
    }
    Err(format!("the tag {tag} does not name the version of the packages: expected v{version}"))
}

/// Checks that the first section of a changelog is that of the version.
fn check_changelog(text: &str, version: &str) -> Outcome {
    let heading = text.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or_default();
    let is_section = heading.strip_prefix(version).is_some_and(|rest| rest.starts_with(" — "));
    if is_section && !heading.contains("unreleased") {
        return Ok(());
    }
    Err(format!("expected `## {version} — DATE` as the first section, found {heading:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_packages_have_one_version() {
        versions(&[]).unwrap();
        let found = |versions: &[&str]| -> Vec<(String, String)> {
            versions.iter().map(|version| (format!("p{version}"), (*version).to_owned())).collect()
        };
        assert_eq!(common(&found(&["1.0.0", "1.0.0"])).unwrap(), "1.0.0");
        let error = common(&found(&["1.0.0", "1.0.0", "1.0.1"])).unwrap_err();
        assert_eq!(error, "p1.0.1 has version 1.0.1, but p1.0.0 has 1.0.0: all packages have one version");
        assert_eq!(version_after("[package]\nversion = \"1.2.3\"\n", OTHERS[1].1), Some("1.2.3"));
    }

    #[test]
    fn tags_name_the_version() {
        check_tag("v1.0.0", "1.0.0").unwrap();
        assert!(check_tag("v1.0.0-rc.1", "1.0.0-rc.1").unwrap_err().contains("preview"));
        for wrong in ["1.0.0", "v1.0.1", "v1.0.0-rc.1", "main"] {
            assert!(check_tag(wrong, "1.0.0").unwrap_err().contains("expected v1.0.0"), "{wrong}");
        }
    }

    #[test]
    fn changelogs_name_the_version() {
        check_changelog("# Changelog\n\n## 1.0.0 — 2026-12-01\n", "1.0.0").unwrap();
        for wrong in ["", "## 1.0.0 — unreleased", "## 1.0.0-rc.1 — 2026-12-01", "## 0.9.0 — 2026-12-01"] {
            assert!(check_changelog(wrong, "1.0.0").is_err(), "{wrong}");
        }
    }
}
