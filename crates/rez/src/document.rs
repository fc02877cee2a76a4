//! The document: header, directories and files.

mod find;
mod header;
mod tree;
mod walk;

use std::fmt;
use std::sync::Arc;

use mapwright_io::{Confidence, FormatInfo};

pub(crate) use find::{split_name, split_path};
pub use header::{Header, StoredHeader, Title};
pub(crate) use tree::{BlockState, Payload, Source, StoredBlock, StoredFile};
pub use tree::{Directory, Entry, EntryRef, File};
pub(crate) use walk::error_path;
pub use walk::{Item, Walk};

/// Names and extensions of this format.
pub const FORMAT: FormatInfo = FormatInfo::new("rez", "Monolith REZ archive", &["rez", "vrz"]);

/// Maximum nesting depth of directories. The deepest known archive, `CLAW.REZ`, has 7 levels.
pub const MAX_DEPTH: usize = 64;

/// Size of the header in bytes.
pub(crate) const HEADER_SIZE: usize = 168;

/// Estimates whether bytes are an archive. The first 168 bytes suffice.
///
/// Returns `Certain` if the bytes that Monolith's reader checks and the usual title match. An unusual title gives `Maybe`.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let checked = [(0, 0x0D), (0x3F, 0x0A), (0x7E, 0x1A), (0x7F, 1)];
    let is_title = bytes.get(2..).is_some_and(|title| title.starts_with(b"RezMgr Version 1 "));
    if bytes.is_empty() || checked.iter().any(|&(at, byte)| bytes.get(at).is_some_and(|&found| found != byte)) {
        Confidence::No
    } else if is_title {
        Confidence::Certain
    } else if bytes.len() >= HEADER_SIZE {
        Confidence::Maybe
    } else {
        Confidence::No
    }
}

/// An archive.
///
/// Files borrow their payloads from the bytes that the archive was read from, so reading costs only the directories. Documents are equal
/// if their headers, entries and payloads are equal. Positions are not compared.
#[derive(Clone, Default)]
pub struct Document {
    /// Titles and time.
    pub header: Header,
    pub(crate) root: Directory,
    /// The bytes that the archive was read from.
    pub(crate) original: Option<Original>,
    /// Number of payloads that were added. Each gets the current count as its number; they are packed in this order.
    pub(crate) added: u64,
}

/// The archive as it was read.
#[derive(Clone)]
pub(crate) struct Original {
    pub(crate) source: Arc<Source>,
    pub(crate) stored: StoredHeader,
}

impl Document {
    /// Creates an empty archive.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the root directory. Its name is empty.
    pub fn root(&self) -> &Directory {
        &self.root
    }

    /// Returns the numbers of the header that depend on the layout, as they were read. Returns `None` for a new archive.
    pub fn stored_header(&self) -> Option<&StoredHeader> {
        self.original.as_ref().map(|original| &original.stored)
    }

    /// Returns the bytes that the archive was read from. Edits do not change them.
    pub fn original_bytes(&self) -> Option<&[u8]> {
        self.original.as_ref().map(|original| original.source.bytes())
    }
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header && self.root == other.root
    }
}

impl Eq for Document {}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("header", &self.header).field("root", &self.root).finish()
    }
}
