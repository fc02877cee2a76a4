//! Allowed dependencies between the crates. Decide on a new one here first.

use std::path::{Path, PathBuf};

use super::{Breach, is_format_crate, text};
use crate::workspace::Package;

/// The packages that a crate may depend on, for all but the level formats. Unpublished packages may depend on all.
const ALLOWED: &[(&str, &[&str])] = &[
    ("mapwright-io", &[]),
    ("mapwright-deflate", &[]),
    ("mapwright-query", &["mapwright-io"]),
    ("mapwright-scene", &["mapwright-io"]),
    ("mapwright-etf", &["mapwright-io", "mapwright-deflate"]),
    ("mapwright-rez", &["mapwright-io"]),
    ("mapwright-wapart", &["mapwright-io"]),
    ("mapwright-acknex", &["mapwright-io", "mapwright-scene"]),
    ("mapwright-dmx", &["mapwright-io", "mapwright-scene"]),
    ("mapwright-keyvalues", &["mapwright-io"]),
    ("mapwright-fgd", &["mapwright-io"]),
    ("mapwright-heightmap", &["mapwright-io", "mapwright-scene"]),
    ("mapwright-interchange", &["mapwright-io", "mapwright-scene"]),
    ("mapwright-render", &["mapwright-io", "mapwright-scene"]),
    (
        "mapwright-content",
        &[
            "mapwright-acknex",
            "mapwright-dmx",
            "mapwright-interchange",
            "mapwright-io",
            "mapwright-keyvalues",
            "mapwright-rez",
            "mapwright-scene",
            "mapwright-vmap",
            "mapwright-vmf",
            "mapwright-wapart",
            "mapwright-wmp",
        ],
    ),
    (
        "mapwright",
        &[
            "mapwright-io",
            "mapwright-query",
            "mapwright-scene",
            "mapwright-interchange",
            "mapwright-content",
            "mapwright-fgd",
            "mapwright-heightmap",
            "mapwright-render",
            "mapwright-wapart",
        ],
    ),
    ("mapwright-cli", &["mapwright"]),
    // All crates use the laws, so the laws use no crate.
    ("mapwright-testkit", &[]),
];

/// The packages that every crate of a level format may depend on.
const OF_FORMATS: &[&str] = &["mapwright-io", "mapwright-query", "mapwright-scene"];

/// Further dependencies of single level formats: the container of their files, or its compression.
const CONTAINERS: &[(&str, &str)] = &[
    ("mapwright-tiled", "mapwright-deflate"),
    ("mapwright-vmap", "mapwright-dmx"),
    ("mapwright-vmf", "mapwright-keyvalues"),
    ("mapwright-wings", "mapwright-etf"),
    ("mapwright-wwd", "mapwright-deflate"),
];

pub(super) fn check(packages: &[Package], files: &[PathBuf]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let formats: Vec<&str> = packages
        .iter()
        .filter(|package| is_format_crate(package, files))
        .map(|package| package.name.as_str())
        .collect();
    for package in packages {
        let manifest = package.folder.join("Cargo.toml");
        let is_format = formats.contains(&package.name.as_str());
        let row = ALLOWED.iter().find(|(name, _)| *name == package.name).map(|(_, allowed)| *allowed);
        let allowed = row.or(is_format.then_some(OF_FORMATS));
        // The facade depends on all formats.
        let is_special = |name: &str| match package.name.as_str() {
            "mapwright" => formats.contains(&name),
            crate_name => CONTAINERS.contains(&(crate_name, name)),
        };
        if allowed.is_none() && package.published {
            let text =
                format!("{} has no row in the table of arrows (xtask/src/tidy/arrows.rs): add one", package.name);
            breaches.push(Breach::new(&manifest, 0, "arrows", text));
        }
        for dependency in package.dependencies.iter().filter(|dependency| dependency.is_internal) {
            let name = &dependency.name;
            if dependency.is_dev {
                // The testkit depends on no other crate, so it can always be published first.
                if dependency.version != "*" && name != "mapwright-testkit" {
                    let text = format!(
                        "the dev-dependency {name} has a version, so that the first publication would need it published: \
                         write {name} = {{ path = \"…\" }}"
                    );
                    breaches.push(Breach::new(&manifest, 0, "dev-dependencies", text));
                }
            } else if allowed.is_some_and(|allowed| !allowed.contains(&name.as_str()) && !is_special(name)) {
                let text = format!(
                    "{} must not depend on {name}; if it has to, add it to the table of arrows (xtask/src/tidy/arrows.rs)",
                    package.name
                );
                breaches.push(Breach::new(&manifest, 0, "arrows", text));
            }
        }
    }
    breaches
}

/// The page of the manual with the table of the crates and their dependencies.
const MANUAL: &str = "crates/mapwright/manual/architecture.md";

pub(super) fn check_manual(packages: &[Package]) -> Vec<Breach> {
    let manual = text(Path::new(MANUAL));
    packages.iter().filter(|package| package.published).filter_map(|package| check_row(package, &manual)).collect()
}

fn check_row(package: &Package, manual: &str) -> Option<Breach> {
    let internal = package.dependencies.iter().filter(|dependency| dependency.is_internal && !dependency.is_dev);
    let mut names: Vec<String> = internal.map(|dependency| format!("`{}`", dependency.name)).collect();
    names.sort_unstable();
    let list = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
    let row = format!("| `{}` | {list} |", package.name);
    (!manual.contains(&row)).then(|| Breach::new(MANUAL, 0, "arrows", format!("expected a row {row}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn package(name: &str, dependencies: &[(&str, bool, &str)]) -> Package {
        let dependency = |&(name, is_dev, version): &(&str, bool, &str)| Dependency {
            name: name.to_owned(),
            is_dev,
            is_internal: true,
            version: version.to_owned(),
        };
        Package {
            name: name.to_owned(),
            folder: name.replacen("mapwright-", "crates/", 1).into(),
            published: true,
            dependencies: dependencies.iter().map(dependency).collect(),
            ..Package::default()
        }
    }

    fn rules(package: Package) -> Vec<&'static str> {
        let formats = ["wings", "etf"].map(|format| format!("crates/mapwright/src/formats/{format}.rs").into());
        check(&[package], &formats).iter().map(|breach| breach.rule).collect()
    }

    #[test]
    fn only_dependencies_in_the_table_are_allowed() {
        assert_eq!(rules(package("mapwright-wings", &[("mapwright-etf", false, "^0.1.0")])), [""; 0]);
        assert_eq!(rules(package("mapwright-io", &[("mapwright-scene", false, "^0.1.0")])), ["arrows"]);
        assert_eq!(rules(package("mapwright-etf", &[("mapwright-wings", false, "^0.1.0")])), ["arrows"]);
        assert_eq!(rules(package("mapwright-wings", &[("mapwright-dmx", false, "^0.1.0")])), ["arrows"]);
        assert_eq!(rules(package("mapwright-new", &[])), ["arrows"]);
    }

    #[test]
    fn the_manual_lists_the_dependencies_of_each_crate() {
        let dependencies =
            [("mapwright-io", false, "*"), ("mapwright-etf", false, "*"), ("mapwright-testkit", true, "*")];
        let wings = package("mapwright-wings", &dependencies);
        assert!(check_row(&wings, "| `mapwright-wings` | `mapwright-etf`, `mapwright-io` | … |").is_none());
        assert!(check_row(&wings, "| `mapwright-wings` | `mapwright-io` | … |").is_some());
        assert!(check_row(&package("mapwright-io", &[]), "| `mapwright-io` | – | … |").is_none());
    }

    #[test]
    fn only_the_testkit_is_a_dev_dependency_with_a_version() {
        assert_eq!(rules(package("mapwright-etf", &[("mapwright-testkit", true, "*")])), [""; 0]);
        assert_eq!(rules(package("mapwright-etf", &[("mapwright-testkit", true, "^0.1.0")])), [""; 0]);
        assert_eq!(rules(package("mapwright-etf", &[("mapwright-wings", true, "^0.1.0")])), ["dev-dependencies"]);
    }
}
