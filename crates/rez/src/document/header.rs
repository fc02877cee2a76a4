//! The header.

use std::fmt;

use mapwright_io::escape_bytes;

/// Titles and time of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Title of the format. Readers do not check it.
    pub title: Title,
    /// Title of the archive. It is empty in all known archives.
    pub user_title: Title,
    /// Line breaks before the title, after it, and after the user title: CR LF in all known archives. Monolith's reader checks the first
    /// and the fourth byte.
    pub line_breaks: [[u8; 2]; 3],
    /// Time of the last change, in seconds since 1970.
    pub time: u32,
}

impl Default for Header {
    /// The title of all known archives, no user title and no time.
    fn default() -> Self {
        let title = Title::from_text(Title::REZ_MANAGER).unwrap_or_default();
        Self { title, user_title: Title::default(), line_breaks: [*b"\r\n"; 3], time: 0 }
    }
}

/// A title of 60 bytes, padded with spaces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Title(pub [u8; 60]);

impl Title {
    /// The title of the format in all known archives.
    pub const REZ_MANAGER: &'static [u8] = b"RezMgr Version 1 Copyright (C) 1995 MONOLITH INC.";

    /// Creates a title. Returns `None` if the text has more than 60 bytes.
    pub fn from_text(text: &[u8]) -> Option<Self> {
        let mut bytes = [b' '; 60];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self(bytes))
    }

    /// Returns the title without the spaces at its end.
    pub fn text(&self) -> &[u8] {
        let end = self.0.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last.saturating_add(1));
        self.0.get(..end).unwrap_or(&self.0)
    }
}

impl Default for Title {
    /// An empty title.
    fn default() -> Self {
        Self([b' '; 60])
    }
}

impl fmt::Debug for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", escape_bytes(self.text()))
    }
}

/// Numbers of the header that depend on the layout, as they were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct StoredHeader {
    /// Offset of the root directory block.
    pub root_position: u32,
    /// Size of the root directory block. 0 for an empty archive.
    pub root_size: u32,
    /// Offset at which Monolith's tools write the next payload: the end of the payloads.
    pub next_write_position: u32,
    /// Number of keys of the file with the most keys.
    pub largest_keys: u32,
    /// Length of the longest directory name with its NUL. 0 if there is no directory. The root does not count.
    pub largest_directory_name: u32,
    /// Length of the longest file name with its NUL, without the extension.
    pub largest_file_name: u32,
    /// Length of the longest description with its NUL. 0 if there is none.
    pub largest_description: u32,
    /// Not 0 if the files of each directory are in one contiguous range of the archive.
    pub is_sorted: u8,
}
