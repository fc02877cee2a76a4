//! Files that a document consists of or refers to.

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
/// This crate opens no files: the caller decides which files a name may reach. Names come from the document and must not be
/// trusted; `../../etc/passwd` is one. For untrusted documents, pass [`NoFiles`], a closure over files in memory, or the
/// `FilesBeside` of the crate `mapwright`, which never leaves the folder of the document.
/// A closure that returns an `Option` is also a source:
/// ```
/// use mapwright_interchange::{FileError, FileKind, FileSource};
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

impl FileSource for Files {
    /// Returns the side file of this name, so that a written document can be read again.
    fn load(&self, name: &str, _: FileKind) -> Result<Vec<u8>, FileError> {
        let file = self.side.iter().find(|file| file.name == name);
        file.map(|file| file.data.clone()).ok_or(FileError::NotFound)
    }
}
