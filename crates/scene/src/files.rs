//! Files that a document consists of or refers to.

use crate::Excess;

/// The purpose of a file that a document refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// Data that the document needs: a buffer, a material library, a tileset, a template, a legend or a world file.
    Data,
    /// A texture or tile image. Tools often store the path that it had on the author's machine.
    Image,
}

/// The reason why a [`FileSource`] did not return a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The source has no file of this name.
    #[error("file not found")]
    NotFound,
    /// The path leads out of the folders that the source may read.
    #[error("the path leads out of the folder of the document")]
    Outside,
    /// The name refers to another host or to a device. Opening such a name can send credentials to that host.
    #[error("network and device paths are never read")]
    Network,
    /// The file is larger than the source may return.
    #[error("file too large")]
    TooLarge,
    /// The source returns no files at all.
    #[error("files outside the document are not read")]
    Disabled,
    /// The file exists but reading it failed.
    #[error("reading failed")]
    Unreadable,
}

/// Returns the files that a document refers to: buffers, libraries and images.
///
/// The format crates open no files: the caller decides which files a name may reach. Names come from the document and must not be
/// trusted; `../../etc/passwd` is one. For untrusted documents, pass [`NoFiles`], a closure over files in memory, or the
/// `FilesBeside` of the crate `mapwright`, which never leaves the folder of the document.
/// A closure that returns an `Option` is also a source:
/// ```
/// use mapwright_scene::{FileError, FileKind, FileSource};
/// let source = |name: &str| (name == "a.bin").then(|| vec![1, 2, 3]);
/// assert_eq!(source.load("a.bin", FileKind::Data), Ok(vec![1, 2, 3]));
/// assert_eq!(source.load("b.bin", FileKind::Data), Err(FileError::NotFound));
/// ```
pub trait FileSource {
    /// Returns the bytes of a file. `name` is the name in the document, with percent signs of URIs decoded.
    ///
    /// # Errors
    /// [`FileError`], which the reader reports with the name.
    fn load(&self, name: &str, kind: FileKind) -> Result<Vec<u8>, FileError>;
}

impl<F: Fn(&str) -> Option<Vec<u8>>> FileSource for F {
    fn load(&self, name: &str, _: FileKind) -> Result<Vec<u8>, FileError> {
        self(name).ok_or(FileError::NotFound)
    }
}

/// A source without files.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl FileSource for NoFiles {
    fn load(&self, _: &str, _: FileKind) -> Result<Vec<u8>, FileError> {
        Err(FileError::Disabled)
    }
}

/// A document to save: the main file and other files beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files {
    /// The bytes of the document.
    pub main: Vec<u8>,
    /// Other files, in the order in which the document refers to them.
    pub side: Vec<SideFile>,
}

/// A file beside a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideFile {
    /// The name, without a folder.
    pub name: String,
    /// The bytes.
    pub data: Vec<u8>,
}

impl Files {
    /// Checks that all files together have at most `max_bytes` bytes.
    ///
    /// # Errors
    /// [`Excess::Limit`] if they are larger.
    pub fn check_size(&self, max_bytes: u64) -> Result<(), Excess> {
        let side = self.side.iter().map(|file| file.data.len() as u64).fold(0, u64::saturating_add);
        let needed = side.saturating_add(self.main.len() as u64);
        if needed > max_bytes { Err(Excess::Limit { needed, limit: max_bytes }) } else { Ok(()) }
    }
}

impl FileSource for Files {
    /// Returns the side file of this name, so that a written document can be read again.
    fn load(&self, name: &str, _: FileKind) -> Result<Vec<u8>, FileError> {
        let file = self.side.iter().find(|file| file.name == name);
        file.map(|file| file.data.clone()).ok_or(FileError::NotFound)
    }
}

/// Maximum number of bytes of the stem of a file name that comes from a document. With a number, an extension and the name of the
/// output, the name is short enough for all file systems.
pub const MAX_FILE_STEM: usize = 120;

/// Returns the longest prefix of a name that has at most `bytes` bytes and ends between characters.
pub fn name_prefix(name: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    name.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_end_between_characters() {
        assert_eq!([0, 1, 2, 3, 9].map(|bytes| name_prefix("aäb", bytes)), ["", "a", "a", "aä", "aäb"]);
    }

    #[test]
    fn all_files_count_towards_the_limit() {
        let side = vec![SideFile { name: "a.bin".into(), data: vec![0; 3] }];
        let files = Files { main: vec![0; 2], side };
        assert_eq!(files.check_size(5), Ok(()));
        assert_eq!(files.check_size(4), Err(Excess::Limit { needed: 5, limit: 4 }));
    }
}
