//! `cargo xtask package`: what would be published, packaged and built as its users will build it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::run::{Outcome, capture, cargo, show};
use crate::workspace::{packages, target};

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
    // A folder of its own, for what is built of packages must be forgotten, and looks like what is built of the workspace.
    let built = target()?.join("packages");
    for package in &packages {
        forget(&package.name, &built)?;
    }
    // All at once, so that each finds the others, which no registry has yet.
    let mut command = cargo(&["package", "--quiet", "--allow-dirty", "--target-dir"]);
    show(command.arg(&built).args(packages.iter().flat_map(|package| ["--package", package.name.as_str()])))
}

/// Removes what cargo unpacked and built of a package in an earlier run: it does not look at either again as long as the
/// version is the same. Registries on this disk, as cargo makes one while it packages, have no host in front of their hash.
fn forget(name: &str, built: &Path) -> Outcome {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).ok_or("there is no home folder")?;
    let registries = entries(&home.join("registry/src"));
    let local = registries.into_iter().filter(|path| file_name(path).starts_with('-'));
    let unpacked = local.flat_map(|registry| entries(&registry)).filter(|path| {
        let version = file_name(path).strip_prefix(name).and_then(|rest| rest.strip_prefix('-')).map(str::to_owned);
        version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
    });
    let prints =
        entries(&built.join("debug/.fingerprint")).into_iter().filter(|path| file_name(path).starts_with(name));
    for folder in unpacked.chain(prints) {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(())
}

/// What stands in a folder; nothing if it is not there.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
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
