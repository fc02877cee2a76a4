//! The files that a release of the command consists of.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Release, Target, create_empty_folder, failed, licenses};
use crate::run::{capture, native_command, succeeds};
use crate::workspace::root;

/// The shells that the command completes its arguments for, each with the usual file name of a completion script.
const SHELLS: [(&str, &str, &str); 5] = [
    ("bash", "", ".bash"),
    ("elvish", "", ".elv"),
    ("fish", "", ".fish"),
    ("powershell", "_", ".ps1"),
    ("zsh", "_", ""),
];

/// Further files, with their folders in the repository.
const DOCUMENTS: [(&str, &str); 4] =
    [("crates/cli", "README.md"), ("crates/cli", "CHANGELOG.md"), ("", "LICENSE-APACHE"), ("", "LICENSE-MIT")];

/// The file with the licences of other crates.
pub(super) const THIRD_PARTY: &str = "LICENSES-THIRD-PARTY.txt";

/// A file of an archive.
#[derive(Clone)]
pub(super) struct Entry {
    /// Relative to the folder of the archive, with slashes.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    is_program: bool,
}

impl Entry {
    pub(super) fn text(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), bytes, is_program: false }
    }

    pub(super) fn program(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), bytes, is_program: true }
    }

    /// Returns the permissions.
    pub(super) fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// The files of a release. Each list is in the order of the paths.
pub(super) struct Contents {
    pub(super) program: Entry,
    /// Paths without a folder: `mapwright.1`.
    pub(super) manual: Vec<Entry>,
    /// The shell and its script. Paths without a folder.
    pub(super) completions: Vec<(&'static str, Entry)>,
    pub(super) documents: Vec<Entry>,
}

impl Contents {
    /// Collects the files. The manual and the completions come from the program itself if it runs here, or else from one that does.
    pub(super) fn new(release: &Release, target: &Target, binary: &Path) -> Result<Self, String> {
        let bytes = fs::read(binary).map_err(|error| failed(binary, &error))?;
        let program = Entry::program(target.file_name(&release.program), bytes);
        // A relative path without a folder would be searched for.
        let binary = binary.canonicalize().map_err(|error| failed(binary, &error))?;
        let runs = if runs(&binary) { binary } else { native_command()? };
        let version = capture(Command::new(&runs).arg("--version"))?;
        let wanted = format!("{} {}", release.program, release.version);
        if version.trim() != wanted {
            return Err(format!("{} --version: expected {wanted}, found {}", runs.display(), version.trim()));
        }
        let third_party = licenses::of_others(target)?;
        let documents = DOCUMENTS.iter().map(|(folder, name)| {
            let path = root().join(folder).join(name);
            Ok(Entry::text(*name, fs::read(&path).map_err(|error| failed(&path, &error))?))
        });
        Ok(Self {
            program,
            manual: manual(&runs)?,
            completions: completions(&runs, &release.program)?,
            documents: documents
                .chain([Ok(Entry::text(THIRD_PARTY, third_party.into_bytes()))])
                .collect::<Result<_, String>>()?,
        })
    }

    /// Returns the files of an archive.
    pub(super) fn archived(&self) -> Vec<Entry> {
        let within = |folder: &str, entry: &Entry| Entry { path: format!("{folder}/{}", entry.path), ..entry.clone() };
        let mut entries = vec![self.program.clone()];
        entries.extend(self.documents.iter().cloned());
        entries.extend(self.completions.iter().map(|(_, entry)| within("complete", entry)));
        entries.extend(self.manual.iter().map(|entry| within("man", entry)));
        entries
    }
}

/// Returns `true` if this system can run a program.
pub(super) fn runs(program: &Path) -> bool {
    succeeds(&program.display().to_string(), &["--version"])
}

/// Returns the manual pages of all commands.
fn manual(command: &Path) -> Result<Vec<Entry>, String> {
    let folder = create_empty_folder("man")?;
    capture(Command::new(command).args(["man", "--dir"]).arg(&folder))?;
    let entries = fs::read_dir(&folder).map_err(|error| failed(&folder, &error))?;
    let mut pages = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| failed(&folder, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        pages.push(Entry::text(name, fs::read(&path).map_err(|error| failed(&path, &error))?));
    }
    // The order of a folder differs between systems.
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    if pages.is_empty() { Err(format!("{} wrote no manual pages", command.display())) } else { Ok(pages) }
}

fn completions(command: &Path, program: &str) -> Result<Vec<(&'static str, Entry)>, String> {
    let scripts = SHELLS.iter().map(|(shell, prefix, suffix)| {
        let script = capture(Command::new(command).args(["completions", shell]))?;
        Ok((*shell, Entry::text(format!("{prefix}{program}{suffix}"), script.into_bytes())))
    });
    scripts.collect()
}
