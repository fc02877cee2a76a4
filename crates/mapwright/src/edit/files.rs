//! The files that edits read.

#[cfg(feature = "fs")]
use std::io::Read;
#[cfg(feature = "fs")]
use std::path::{Path, PathBuf};

use crate::{AnyDocument, Error, Format};
#[cfg(feature = "fs")]
use crate::{Input, ReadOptions, to_utf8};

/// The files that edits name, such as that of `paste FILE X,Z`.
pub trait EditFiles {
    /// Reads a document. Without a format, it is detected.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn document(&mut self, file: &str, format: Option<Format>) -> Result<AnyDocument, Error>;

    /// Reads a list or a table as UTF-8.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn text(&mut self, file: &str) -> Result<Vec<u8>, Error>;
}

/// Files on disk, with paths that are absolute or relative to the current folder, and that can lead into archives.
///
/// Edits come from the user of a program, and may name any file. Do not apply edits of strangers with these files.
#[cfg(feature = "fs")]
#[derive(Debug)]
pub struct FilesOnDisk<'a> {
    options: &'a ReadOptions,
    read: Vec<PathBuf>,
}

#[cfg(feature = "fs")]
impl<'a> FilesOnDisk<'a> {
    /// Creates the source. Documents are read with these options, and each with its own path.
    pub const fn new(options: &'a ReadOptions) -> Self {
        Self { options, read: Vec::new() }
    }

    /// Returns the files that edits named or that were read with them, which callers should not replace.
    pub fn into_read(self) -> Vec<PathBuf> {
        self.read
    }
}

#[cfg(feature = "fs")]
impl EditFiles for FilesOnDisk<'_> {
    fn document(&mut self, file: &str, format: Option<Format>) -> Result<AnyDocument, Error> {
        self.read.push(file.into());
        let options = self.options.clone().with_path(file);
        let input = Input::open(Path::new(file), format, &options)?;
        let document = AnyDocument::from_vec_as(input.bytes, input.format, &options)?;
        self.read.extend_from_slice(document.side_files());
        Ok(document)
    }

    fn text(&mut self, file: &str) -> Result<Vec<u8>, Error> {
        self.read.push(file.into());
        let limit = self.options.limits.max_input;
        let mut bytes = Vec::new();
        Input::open_reader(Path::new(file))?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(Error::InputLimit { limit });
        }
        Ok(to_utf8(&bytes).map_err(|_| Error::Utf16)?.into_owned())
    }
}
