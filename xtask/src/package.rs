//! `cargo xtask package`: what would be published, packaged and built as its users will build it.

use std::path::PathBuf;
use std::{env, fs};

use crate::run::{Outcome, capture, cargo, show};
use crate::workspace::packages;

/// What every package holds.
const WANTED: &[&str] = &["Cargo.toml", "README.md", "CHANGELOG.md"];

pub(crate) fn package(args: &[String]) -> Outcome {
    if let Some(arg) = args.first() {
        return Err(format!("package takes no arguments, but {arg} is given"));
    }
    let packages: Vec<_> = packages()?.into_iter().filter(|package| package.published).collect();
    for package in &packages {
        let list = capture(&mut cargo(&["package", "--quiet", "--allow-dirty", "--list", "--package", &package.name]))?;
        let needs_testkit = package.dependencies.iter().any(|dependency| dependency.name == "mapwright-testkit");
        if let Some(wrong) = check_list(&list, needs_testkit) {
            return Err(format!("{}: {wrong}", package.name));
        }
        println!("{}: {} files", package.name, list.lines().count());
    }
    for package in &packages {
        forget(&package.name)?;
    }
    // All at once, so that each finds the others, which no registry has yet.
    let mut command = cargo(&["package", "--quiet", "--allow-dirty"]);
    show(command.args(packages.iter().flat_map(|package| ["--package", package.name.as_str()])))
}

/// Removes what cargo unpacked of a package in an earlier run: it is not looked at again as long as the version is the
/// same. Registries on this disk, as cargo makes one while it packages, have no host in front of their hash.
fn forget(name: &str) -> Outcome {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).ok_or("there is no home folder")?;
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Ok(()) };
    let local = registries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with('-'));
    for package in local.flat_map(|entry| fs::read_dir(entry.path()).into_iter().flatten().flatten()) {
        let folder = package.file_name().to_string_lossy().into_owned();
        let version = folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
        if version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit())) {
            fs::remove_dir_all(package.path()).map_err(|error| format!("{}: {error}", package.path().display()))?;
        }
    }
    Ok(())
}

/// Tests that need the testkit stay out of the package, for the testkit is not published.
fn check_list(list: &str, needs_testkit: bool) -> Option<String> {
    let missing = WANTED.iter().find(|file| !list.lines().any(|line| line == **file));
    if let Some(file) = missing {
        return Some(format!("the package holds no {file}"));
    }
    let unwanted = list.lines().find(|line| needs_testkit && line.starts_with("tests/"));
    unwanted.map(|file| format!("the package holds {file}: write exclude = [\"tests/\"] in its manifest"))
}

#[cfg(test)]
mod tests {
    use super::check_list;

    #[test]
    fn lists_are_checked() {
        let whole = "CHANGELOG.md\nCargo.toml\nREADME.md\nsrc/lib.rs\n";
        let with_tests = format!("{whole}tests/spec.rs\n");
        assert_eq!(check_list(whole, true), None);
        assert_eq!(check_list(&with_tests, false), None);
        assert!(check_list(&with_tests, true).unwrap().contains("tests/spec.rs"));
        assert!(check_list("Cargo.toml\nREADME.md\n", false).unwrap().contains("CHANGELOG.md"));
    }
}
