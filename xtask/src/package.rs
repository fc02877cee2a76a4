//! `cargo xtask package`: packages all crates, unpacks them and checks them as their users would.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{Outcome, capture, cargo, show};
use crate::workspace::{Package, packages, root, target};

/// The licence texts. Every package contains those of the root.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];
/// Files of every package.
const WANTED: &[&str] = &["Cargo.toml", "README.md", "CHANGELOG.md", LICENSES[0], LICENSES[1]];

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
    let target = target()?;
    let (made, unpacked) = (target.join("package"), target.join("unpacked"));
    for folder in [&made, &unpacked] {
        let _ = fs::remove_dir_all(folder);
    }
    // All at once, because no registry has them yet. The build by cargo takes three times as long as the check below.
    let mut command = cargo(&["package", "--quiet", "--allow-dirty", "--no-verify", "--target-dir"]);
    show(command.arg(&target).args(packages.iter().flat_map(|package| ["--package", package.name.as_str()])))?;
    unpack(&packages, &made, &unpacked)?;
    // One by one: together, each would have the features that others enable.
    packages.iter().try_for_each(|package| {
        let check = ["check", "--quiet", "--package", &package.name, "--target-dir"];
        show(cargo(&check).arg(&target).current_dir(&unpacked))
    })
}

/// Unpacks packages into one workspace, in which they find each other. It has the profiles of this one, so that dependencies
/// are not checked again.
fn unpack(packages: &[Package], made: &Path, unpacked: &Path) -> Outcome {
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(unpacked).map_err(|error| failed(unpacked, error))?;
    let mut patches = String::new();
    for entry in fs::read_dir(made).map_err(|error| failed(made, error))? {
        let package = entry.map_err(|error| failed(made, error))?.path();
        if package.extension().is_none_or(|extension| extension != "crate") {
            continue;
        }
        // With the current time, so that cargo notices the change.
        show(Command::new("tar").arg("-xzmf").arg(&package).arg("-C").arg(unpacked))?;
        let stem = package.file_stem().unwrap_or_default().to_string_lossy();
        // The longest name that fits, because some names are prefixes of others.
        let names = packages.iter().map(|package| package.name.as_str()).filter(|name| stem.starts_with(*name));
        let name = names.max_by_key(|name| name.len()).ok_or_else(|| format!("{stem} belongs to no package"))?;
        let _ = writeln!(patches, "{name} = {{ path = \"{stem}\" }}");
        for license in LICENSES {
            // Systems without links store them as text, which would be packaged.
            let [ours, packaged] = [root().join(license), unpacked.join(&*stem).join(license)];
            let read = |path: &Path| fs::read(path).map_err(|error| failed(path, error));
            if read(&ours)? != read(&packaged)? {
                return Err(format!("{name}: {license} differs from that of the root"));
            }
        }
    }
    let path = root().join("Cargo.toml");
    let ours = fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
    let profiles = ours.find("\n[profile.").map_or("", |at| &ours[at..]);
    let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]";
    let manifest = format!("{workspace}\n\n[patch.crates-io]\n{patches}{profiles}");
    let path = unpacked.join("Cargo.toml");
    fs::write(&path, manifest).map_err(|error| failed(&path, error))?;
    let lock = unpacked.join("Cargo.lock");
    fs::copy(root().join("Cargo.lock"), &lock).map(|_| ()).map_err(|error| failed(&lock, error))
}

/// Checks the files of a package. Tests that use the testkit read the fixtures of the workspace, so they must not be in it.
fn check_list(list: &str, needs_testkit: bool) -> Option<String> {
    let missing = WANTED.iter().find(|file| !list.lines().any(|line| line == **file));
    if let Some(file) = missing {
        return Some(format!("the package lacks {file}"));
    }
    let unwanted = list.lines().find(|line| needs_testkit && line.starts_with("tests/"));
    unwanted.map(|file| format!("the package contains {file}: write exclude = [\"tests/\"] in its manifest"))
}

#[cfg(test)]
mod tests {
    use super::check_list;

    #[test]
    fn lists_are_checked() {
        let whole = "CHANGELOG.md\nCargo.toml\nLICENSE-APACHE\nLICENSE-MIT\nREADME.md\nsrc/lib.rs\n";
        let with_tests = format!("{whole}tests/spec.rs\n");
        assert_eq!(check_list(whole, true), None);
        assert_eq!(check_list(&with_tests, false), None);
        assert!(check_list(&with_tests, true).unwrap().contains("tests/spec.rs"));
        assert!(check_list("Cargo.toml\nREADME.md\n", false).unwrap().contains("CHANGELOG.md"));
        let without_license = whole.replace("LICENSE-MIT\n", "");
        assert!(check_list(&without_license, true).unwrap().contains("LICENSE-MIT"));
    }
}
