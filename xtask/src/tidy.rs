//! `cargo xtask tidy`: the rules of the project that a program can check.

mod arrows;
mod fixtures;
mod locks;
mod manifests;
mod readme;
mod rings;
mod skeleton;
mod sources;
mod workflows;

pub(crate) use readme::commands;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Outcome, capture};
use crate::workspace::{Package, packages, root};

/// A broken rule.
#[derive(Debug, PartialEq, Eq)]
struct Breach {
    file: PathBuf,
    /// Counted from 1; 0 if the rule is about the file as a whole.
    line: usize,
    rule: &'static str,
    /// The problem and the remedy.
    text: String,
}

impl Breach {
    fn new(file: impl Into<PathBuf>, line: usize, rule: &'static str, text: impl Into<String>) -> Self {
        Self { file: file.into(), line, rule, text: text.into() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}: {}", self.rule, self.text)
    }
}

pub(crate) fn tidy(args: &[String]) -> Outcome {
    if let Some(arg) = args.first() {
        return Err(format!("tidy takes no arguments, but {arg} is given"));
    }
    let packages = packages()?;
    let files = files()?;
    let mut breaches = arrows::check(&packages, &files);
    breaches.extend(manifests::check(&packages, &files));
    breaches.extend(skeleton::check(&packages, &files));
    breaches.extend(sources::check(&packages, &files));
    breaches.extend(rings::check(&files));
    breaches.extend(fixtures::check(&files));
    breaches.extend(locks::check(&files));
    breaches.extend(arrows::check_manual(&packages));
    breaches.extend(readme::check(&packages));
    breaches.extend(workflows::check(&files));
    for breach in &breaches {
        println!("{breach}");
    }
    match breaches.len() {
        0 => {
            println!("tidy: {} packages and {} files keep the rules", packages.len(), files.len());
            Ok(())
        }
        count => Err(format!("{count} broken rules, see above")),
    }
}

/// Returns all tracked and new files that are not ignored, relative to the root.
fn files() -> Result<Vec<PathBuf>, String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root());
    let names = capture(&mut git)?;
    let mut files: Vec<PathBuf> = names.split_terminator('\0').map(PathBuf::from).collect();
    // The index still contains deleted files until the next commit.
    files.retain(|file| root().join(file).is_file());
    files.sort();
    Ok(files)
}

/// Returns `true` for a crate of a format: one with a file of the same name among the formats of the facade.
fn is_format_crate(package: &Package, files: &[PathBuf]) -> bool {
    let name = package.folder.file_name().unwrap_or_default();
    // The format of Quake maps is called `map`, which would be no clear name of a crate.
    let name = if name == "qmap" { "map".as_ref() } else { name };
    package.folder.starts_with("crates")
        && files.contains(&Path::new("crates/mapwright/src/formats").join(name).with_extension("rs"))
}

/// Reads a file. The path is relative to the root.
fn text(file: &Path) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_default()
}
