//! The files that are read for a level.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::ContentFile;

/// The paths of files that were read. Several threads may read files at once.
#[derive(Debug, Default)]
pub(crate) struct ReadLog {
    paths: Mutex<BTreeSet<PathBuf>>,
}

impl ReadLog {
    /// Reads a file and adds its path, also if reading fails.
    pub(crate) fn read(&self, file: &ContentFile<'_>) -> io::Result<Vec<u8>> {
        self.add(file);
        file.read()
    }

    /// Adds a file that the level refers to, but that is not read.
    pub(crate) fn add(&self, file: &ContentFile<'_>) {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_path_buf());
    }

    /// Returns the paths, sorted.
    pub(crate) fn into_paths(self) -> Vec<PathBuf> {
        self.paths.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }
}
