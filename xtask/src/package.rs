//! `cargo xtask package`: what would be published, packaged and built as its users will build it.

use crate::run::{Outcome, capture, cargo, show};
use crate::workspace::packages;

/// What every package holds.
const WANTED: &[&str] = &["Cargo.toml", "README.md", "CHANGELOG.md"];
/// What no package holds: the tests need the testkit, which is not published.
const UNWANTED: &[&str] = &["tests/", "fixtures/"];

pub(crate) fn package(args: &[String]) -> Outcome {
    if let Some(arg) = args.first() {
        return Err(format!("package takes no arguments, but {arg} is given"));
    }
    let packages: Vec<_> = packages()?.into_iter().filter(|package| package.published).collect();
    for package in &packages {
        let list = capture(&mut cargo(&["package", "--quiet", "--allow-dirty", "--list", "--package", &package.name]))?;
        if let Some(wrong) = check_list(&list) {
            return Err(format!("{}: {wrong}", package.name));
        }
        println!("{}: {} files", package.name, list.lines().count());
    }
    // All at once, so that each finds the others, which no registry has yet.
    let mut command = cargo(&["package", "--quiet", "--allow-dirty"]);
    show(command.args(packages.iter().flat_map(|package| ["--package", package.name.as_str()])))
}

fn check_list(list: &str) -> Option<String> {
    let missing = WANTED.iter().find(|file| !list.lines().any(|line| line == **file));
    if let Some(file) = missing {
        return Some(format!("the package holds no {file}"));
    }
    let unwanted = list.lines().find(|line| UNWANTED.iter().any(|folder| line.starts_with(folder)));
    unwanted.map(|file| format!("the package holds {file}: write exclude = [\"tests/\"] in its manifest"))
}

#[cfg(test)]
mod tests {
    use super::check_list;

    #[test]
    fn lists_are_checked() {
        assert_eq!(check_list("CHANGELOG.md\nCargo.toml\nREADME.md\nsrc/lib.rs\n"), None);
        assert!(check_list("Cargo.toml\nREADME.md\n").unwrap().contains("CHANGELOG.md"));
        assert!(check_list("CHANGELOG.md\nCargo.toml\nREADME.md\ntests/spec.rs\n").unwrap().contains("tests/spec.rs"));
    }
}
