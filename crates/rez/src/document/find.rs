//! Look-up of paths, as Monolith's reader does it.

use crate::{Directory, Document, EntryRef, File, FileType};

/// Returns the parts of a path. `\` and `/` are separators; several in a row count as one.
pub(crate) fn split_path(path: &[u8]) -> Vec<&[u8]> {
    path.split(|byte| matches!(byte, b'\\' | b'/')).filter(|part| !part.is_empty()).collect()
}

/// Splits a file name at its last dot. An extension has one to four bytes and is compared in upper case. A longer one belongs to the name.
pub(crate) fn split_name(name: &[u8]) -> (&[u8], FileType) {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let parts = dot.and_then(|dot| name.split_at_checked(dot));
    let split = parts.and_then(|(stem, rest)| {
        let extension = rest.get(1..).filter(|extension| !extension.is_empty())?;
        Some((stem, FileType::from_extension(extension)?.to_upper_case()))
    });
    split.unwrap_or((name, FileType::NONE))
}

impl Directory {
    /// Returns the index of the first directory with this name, ignoring the case of ASCII letters.
    pub(crate) fn index_of_directory(&self, name: &[u8]) -> Option<usize> {
        let is_match = |directory: &Self| directory.name.eq_ignore_ascii_case(name);
        self.entries.iter().position(|entry| entry.as_directory().is_some_and(is_match))
    }

    /// Returns the index of the first file with this name and extension. Monolith's reader does not find a type with lower-case letters.
    pub(crate) fn index_of_file(&self, name: &[u8]) -> Option<usize> {
        let (stem, file_type) = split_name(name);
        let is_match = |file: &File| file.file_type == file_type && file.name.eq_ignore_ascii_case(stem);
        self.entries.iter().position(|entry| entry.as_file().is_some_and(is_match))
    }
}

impl Document {
    /// Finds a file or a directory as Monolith's reader does. An empty path is the root.
    ///
    /// The case of ASCII letters is ignored. `\` and `/` are separators. The first of several equal names is found, and a file
    /// takes precedence over a directory. A file whose type has lower-case letters is not found; use [`find_folded`](Self::find_folded).
    pub fn find(&self, path: impl AsRef<[u8]>) -> Option<EntryRef<'_>> {
        let (directory, last) = self.find_parent(path.as_ref())?;
        let Some(last) = last else { return Some(EntryRef::Directory(directory)) };
        let index = directory.index_of_file(last).or_else(|| directory.index_of_directory(last))?;
        directory.entries.get(index).map(crate::Entry::as_ref)
    }

    /// Finds a file or a directory as [`find`](Self::find) does, and otherwise a file whose type has lower-case letters.
    pub fn find_folded(&self, path: impl AsRef<[u8]>) -> Option<EntryRef<'_>> {
        self.find(path.as_ref()).or_else(|| {
            let (directory, last) = self.find_parent(path.as_ref())?;
            let (stem, file_type) = split_name(last?);
            let is_match =
                |file: &&File| file.file_type.to_upper_case() == file_type && file.name.eq_ignore_ascii_case(stem);
            directory.files().find(is_match).map(EntryRef::File)
        })
    }

    /// Finds a file as [`find`](Self::find) does.
    pub fn find_file(&self, path: impl AsRef<[u8]>) -> Option<&File> {
        match self.find(path)? {
            EntryRef::File(file) => Some(file),
            EntryRef::Directory(_) => None,
        }
    }

    /// Finds a directory, even if a file has the same name. An empty path is the root.
    pub fn find_directory(&self, path: impl AsRef<[u8]>) -> Option<&Directory> {
        let (directory, last) = self.find_parent(path.as_ref())?;
        last.map_or(Some(directory), |last| child(directory, last))
    }

    /// Finds the directory that contains an entry. Also returns the last part of the path, or `None` if the path is empty.
    fn find_parent<'p>(&self, path: &'p [u8]) -> Option<(&Directory, Option<&'p [u8]>)> {
        let mut parts = split_path(path);
        let last = parts.pop();
        let directory = parts.into_iter().try_fold(&self.root, child)?;
        Some((directory, last))
    }
}

fn child<'a>(directory: &'a Directory, name: &[u8]) -> Option<&'a Directory> {
    directory.entries.get(directory.index_of_directory(name)?)?.as_directory()
}
