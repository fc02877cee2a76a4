//! Verdicts of Wings 3D about written documents.

use std::path::PathBuf;
use std::process::Command;

use mapwright_wings::Document;

/// Documents that are checked by the real program. The variable `MAPWRIGHT_WH` names a program that loads, checks and saves files
/// in Wings 3D: `verify FILE…` prints a line for each, which begins with `OK` if the file is accepted.
pub(crate) struct Written {
    folder: PathBuf,
    files: Vec<PathBuf>,
}

impl Written {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mapwright-wings-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder, files: Vec::new() }
    }

    pub(crate) fn add(&mut self, document: &Document) {
        let path = self.folder.join(format!("{}.wings", self.files.len()));
        std::fs::write(&path, document.to_bytes().unwrap()).unwrap();
        self.files.push(path);
    }

    pub(crate) fn verify(self) {
        if let Some(program) = std::env::var_os("MAPWRIGHT_WH") {
            let output = Command::new(program).arg("verify").args(&self.files).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            let bad: Vec<&str> = text.lines().filter(|line| !line.starts_with("OK")).collect();
            assert!(output.status.success() && bad.is_empty(), "{bad:#?} {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(text.lines().count(), self.files.len());
            eprintln!("{} files are fine", self.files.len());
        } else {
            eprintln!("SKIPPED: MAPWRIGHT_WH does not name a program that verifies files in Wings 3D");
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}
