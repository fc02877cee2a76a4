//! `cargo xtask test`: each package alone, with every set of features.
//!
//! `cargo test --workspace` builds each crate once, with all features that other crates need. This finds crates that lack a
//! feature when they are built alone. Equal sets of features are run once.

use std::time::Instant;

use crate::run::{Outcome, cargo, show};
use crate::workspace::{Package, has_corpus, packages};

pub(crate) fn test(args: &[String]) -> Outcome {
    let packages = packages()?;
    let chosen: Vec<&Package> = packages.iter().filter(|package| is_chosen(package, args)).collect();
    if let Some(unknown) = args.iter().find(|arg| !chosen.iter().any(|p| is_chosen(p, std::slice::from_ref(*arg)))) {
        return Err(format!("unknown package {unknown}"));
    }
    let mut times = Vec::new();
    for package in chosen {
        for features in feature_sets(package) {
            let start = Instant::now();
            show(cargo(&["test", "--quiet", "--package", &package.name]).args(features).args(ignored_tests()))?;
            times.push((&package.name, features.join(" "), start.elapsed().as_secs_f32()));
        }
    }
    println!("\n| package | features | seconds |\n|---|---|---|");
    for (name, features, seconds) in times {
        println!("| {name} | {features} | {seconds:.1} |");
    }
    Ok(())
}

/// Returns the arguments that also run the tests that need the corpus, if it is there. `cargo test` alone counts them as ignored.
pub(crate) fn ignored_tests() -> &'static [&'static str] {
    if has_corpus() { &["--", "--include-ignored"] } else { &[] }
}

/// Returns `true` if the arguments name the package, in full or by its folder, or are empty.
fn is_chosen(package: &Package, args: &[String]) -> bool {
    args.is_empty() || args.iter().any(|arg| *arg == package.name || package.folder.ends_with(arg))
}

/// Returns the flags of each distinct set of features.
fn feature_sets(package: &Package) -> Vec<&'static [&'static str]> {
    let mut sets: Vec<&[&str]> = vec![&[]];
    // The coverage-guided driver runs under its own flags only.
    let optional: Vec<_> =
        package.features.iter().filter(|(name, _)| !matches!(name.as_str(), "default" | "libfuzzer")).collect();
    let default = package.features.iter().find(|(name, _)| name == "default").map_or(&[][..], |(_, on)| on);
    if !default.is_empty() {
        sets.push(&["--no-default-features"]);
    }
    if optional.iter().any(|(name, _)| !default.contains(name)) {
        sets.push(&["--all-features"]);
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_run_once() {
        let package = |features: &[(&str, &[&str])]| Package {
            name: "mapwright-x".to_owned(),
            folder: "crates/x".into(),
            features: features
                .iter()
                .map(|(name, on)| ((*name).to_owned(), on.iter().map(|&on| on.to_owned()).collect()))
                .collect(),
            ..Package::default()
        };
        let count = |features: &[(&str, &[&str])]| feature_sets(&package(features)).len();
        assert_eq!(count(&[]), 1);
        assert_eq!(count(&[("default", &[])]), 1);
        assert_eq!(count(&[("default", &[]), ("scene", &[])]), 2);
        assert_eq!(count(&[("default", &["scene"]), ("scene", &[])]), 2);
        assert_eq!(count(&[("default", &["scene"]), ("scene", &[]), ("serde", &[])]), 3);
        assert!(is_chosen(&package(&[]), &["x".to_owned()]) && !is_chosen(&package(&[]), &["y".to_owned()]));
    }
}
