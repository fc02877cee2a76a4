//! The files around a document: those it names, and those it is written as.

/// Where the files come from that a document names: buffers and pictures beside it.
///
/// This crate opens no file. The caller decides what a name may reach; names come from the document and are not to be
/// trusted: `../../etc/passwd` is one.
///
/// A closure is such a source, and [`NoFiles`] is the one that has nothing:
///
/// ```
/// use mapwright_interchange::FileSource;
/// let source = |name: &str| (name == "a.bin").then(|| vec![1, 2, 3]);
/// assert_eq!(source.load("a.bin"), Some(vec![1, 2, 3]));
/// ```
pub trait FileSource {
    /// The bytes of a file by the name that the document gives it, percent signs decoded; `None`: not to be had.
    fn load(&self, name: &str) -> Option<Vec<u8>>;
}

impl<F: Fn(&str) -> Option<Vec<u8>>> FileSource for F {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        self(name)
    }
}

/// The source that has no files.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl FileSource for NoFiles {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

/// A document as it is to be saved: the file itself and those beside it, which it names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files {
    /// The bytes of the document.
    pub main: Vec<u8>,
    /// The files beside it, in the order in which it names them.
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
    /// The side file of that name, so that what was written can be read back.
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        self.side.iter().find(|file| file.name == name).map(|file| file.data.clone())
    }
}
