//! Edits: adding, replacing, removing and renaming entries.

use crate::document::{BlockState, Payload, Source, split_name, split_path};
use crate::{Directory, Document, EditError, EditErrorKind, Entry, EntryKind, EntryRef, File, FileType, MAX_DEPTH};

impl Document {
    /// Adds a file, and the directories of its path that do not exist. Names are stored unchanged, the extension in upper
    /// case. Without a time, new entries have the time 0. A directory may have the same name.
    ///
    /// # Errors
    /// If the file exists, a name cannot be stored, a directory of the path is damaged or too deep, or the payload exceeds 4 GiB.
    pub fn add(
        &mut self,
        path: impl AsRef<[u8]>,
        data: impl Into<Vec<u8>>,
        time: Option<u32>,
    ) -> Result<&mut File, EditError> {
        let path = path.as_ref();
        self.add_file(path, data.into(), time).map_err(|kind| error(kind, path))
    }

    fn add_file(&mut self, path: &[u8], data: Vec<u8>, time: Option<u32>) -> Result<&mut File, EditErrorKind> {
        if self.find_file(path).is_some() {
            return Err(EditErrorKind::Exists);
        }
        let mut parts = split_path(path);
        let name = parts.pop().ok_or(EditErrorKind::Name("is empty"))?;
        check_name(name)?;
        let payload = new_payload(data, &mut self.added)?;
        let directory = self.create_directories(&parts, time)?;
        let (stem, file_type) = split_name(name);
        let file = File {
            kind: EntryKind::FILE,
            time: time.unwrap_or(0),
            id: 0,
            file_type,
            name: stem.to_vec(),
            description: Vec::new(),
            keys: Vec::new(),
            payload,
            stored: None,
        };
        directory.entries.push(Entry::File(Box::new(file)));
        match directory.entries.last_mut() {
            Some(Entry::File(file)) => Ok(file),
            _ => Err(EditErrorKind::NotFound),
        }
    }

    /// Adds the directories of a path that do not exist. Returns the last one.
    ///
    /// # Errors
    /// If a name cannot be stored, or if a directory of the path is damaged or too deep.
    pub fn add_directory(&mut self, path: impl AsRef<[u8]>, time: Option<u32>) -> Result<&mut Directory, EditError> {
        let path = path.as_ref();
        let parts = split_path(path);
        if self.find_directory(path).is_none() {
            self.create_directories(&parts, time).map_err(|kind| error(kind, path))?;
        }
        self.directory_mut(path).ok_or_else(|| error(EditErrorKind::NotFound, path))
    }

    /// Replaces the payload of a file. Without a time, the file keeps its time.
    ///
    /// A payload that is not longer is written over the old one, unless other entries use the same bytes. A longer one is appended.
    ///
    /// # Errors
    /// If there is no such file, or the payload exceeds 4 GiB.
    pub fn replace(
        &mut self,
        path: impl AsRef<[u8]>,
        data: impl Into<Vec<u8>>,
        time: Option<u32>,
    ) -> Result<&mut File, EditError> {
        let path = path.as_ref();
        let payload = new_payload(data.into(), &mut self.added).map_err(|kind| error(kind, path))?;
        let file = self.file_mut(path).ok_or_else(|| error(EditErrorKind::NotFound, path))?;
        file.payload = payload;
        file.time = time.unwrap_or(file.time);
        Ok(file)
    }

    /// Replaces the payload of a file, or adds the file.
    ///
    /// # Errors
    /// As [`replace`](Self::replace) and [`add`](Self::add).
    pub fn write_file(
        &mut self,
        path: impl AsRef<[u8]>,
        data: impl Into<Vec<u8>>,
        time: Option<u32>,
    ) -> Result<&mut File, EditError> {
        match self.find(path.as_ref()) {
            Some(EntryRef::File(_)) => self.replace(path, data, time),
            _ => self.add(path, data, time),
        }
    }

    /// Removes a file, or a directory with all entries below it. [`Layout::Keep`](crate::Layout::Keep) keeps its bytes unused.
    ///
    /// # Errors
    /// If there is no such entry.
    pub fn remove(&mut self, path: impl AsRef<[u8]>) -> Result<Entry, EditError> {
        let path = path.as_ref();
        let not_found = || error(EditErrorKind::NotFound, path);
        let mut parts = split_path(path);
        let last = parts.pop().ok_or_else(not_found)?;
        self.find(path).ok_or_else(not_found)?;
        let directory = self.descend(&parts, true).ok_or_else(not_found)?;
        let index = directory.index_of_file(last).or_else(|| directory.index_of_directory(last));
        index.map(|index| directory.entries.remove(index)).ok_or_else(not_found)
    }

    /// Renames a file or a directory inside its directory. The new name of a file includes the extension. The entry keeps its
    /// number and its place in the directory.
    ///
    /// # Errors
    /// If there is no such entry, if another entry has the new name, or if the name cannot be stored.
    pub fn rename(&mut self, path: impl AsRef<[u8]>, name: impl AsRef<[u8]>) -> Result<(), EditError> {
        let (path, name) = (path.as_ref(), name.as_ref());
        self.rename_entry(path, name).map_err(|kind| error(kind, path))
    }

    fn rename_entry(&mut self, path: &[u8], name: &[u8]) -> Result<(), EditErrorKind> {
        check_name(name)?;
        let mut parts = split_path(path);
        let last = parts.pop().ok_or(EditErrorKind::Name("is that of the root"))?;
        let directory = self.descend(&parts, false).ok_or(EditErrorKind::NotFound)?;
        let file = directory.index_of_file(last);
        let index = file.or_else(|| directory.index_of_directory(last)).ok_or(EditErrorKind::NotFound)?;
        let found = if file.is_some() { directory.index_of_file(name) } else { directory.index_of_directory(name) };
        if found.is_some_and(|found| found != index) {
            return Err(EditErrorKind::Exists);
        }
        match directory.entries.get_mut(index) {
            Some(Entry::Directory(child)) => child.name = name.to_vec(),
            Some(Entry::File(file)) => {
                let (stem, file_type) = split_name(name);
                (file.name, file.file_type) = (stem.to_vec(), file_type);
            }
            None => return Err(EditErrorKind::NotFound),
        }
        Ok(())
    }

    /// Finds a file, to change its fields.
    pub fn file_mut(&mut self, path: impl AsRef<[u8]>) -> Option<&mut File> {
        let mut parts = split_path(path.as_ref());
        let last = parts.pop()?;
        let directory = self.descend(&parts, false)?;
        let index = directory.index_of_file(last)?;
        match directory.entries.get_mut(index)? {
            Entry::File(file) => Some(file),
            Entry::Directory(_) => None,
        }
    }

    /// Finds a directory, to change its fields. An empty path is the root.
    pub fn directory_mut(&mut self, path: impl AsRef<[u8]>) -> Option<&mut Directory> {
        self.descend(&split_path(path.as_ref()), false)
    }

    /// Finds a directory. If `changes` is `true`, marks all directories on the way as changed, so that their blocks are appended.
    fn descend(&mut self, parts: &[&[u8]], changes: bool) -> Option<&mut Directory> {
        let mut directory = &mut self.root;
        if changes {
            mark_changed(directory);
        }
        for part in parts {
            let index = directory.index_of_directory(part)?;
            let Entry::Directory(child) = directory.entries.get_mut(index)? else { return None };
            directory = child;
            if changes {
                mark_changed(directory);
            }
        }
        Some(directory)
    }

    fn create_directories(&mut self, parts: &[&[u8]], time: Option<u32>) -> Result<&mut Directory, EditErrorKind> {
        if parts.len() > MAX_DEPTH {
            return Err(EditErrorKind::Depth);
        }
        parts.iter().try_for_each(|part| check_name(part))?;
        // Check for damage before the first change, so that an error leaves the archive as it was.
        let mut known = &self.root;
        for part in parts {
            if !known.is_readable() {
                return Err(EditErrorKind::Damaged);
            }
            match known.directories().find(|child| child.name.eq_ignore_ascii_case(part)) {
                Some(child) => known = child,
                None => break,
            }
        }
        if !known.is_readable() {
            return Err(EditErrorKind::Damaged);
        }
        let mut directory = &mut self.root;
        mark_changed(directory);
        for part in parts {
            let index = directory.index_of_directory(part).unwrap_or_else(|| {
                let new = Directory { name: part.to_vec(), time: time.unwrap_or(0), ..Directory::default() };
                let last = directory.entries.iter().rposition(|entry| entry.as_directory().is_some());
                let index = last.map_or(0, |last| last.saturating_add(1));
                directory.entries.insert(index, Entry::Directory(Box::new(new)));
                index
            });
            let Some(Entry::Directory(child)) = directory.entries.get_mut(index) else {
                return Err(EditErrorKind::NotFound);
            };
            directory = child;
            mark_changed(directory);
        }
        Ok(directory)
    }
}

/// Marks an intact directory as changed. A damaged one needs no mark: its block is appended because its size changes.
fn mark_changed(directory: &mut Directory) {
    if directory.state == BlockState::Intact {
        directory.state = BlockState::Changed;
    }
}

fn new_payload(data: Vec<u8>, added: &mut u64) -> Result<Payload, EditErrorKind> {
    let size = u32::try_from(data.len()).map_err(|_| EditErrorKind::TooLarge)?;
    let number = *added;
    *added = number.saturating_add(1);
    Ok(Payload { source: Source::new(data), position: 0, size, added: Some(number) })
}

fn check_name(name: &[u8]) -> Result<(), EditErrorKind> {
    let (stem, file_type) = split_name(name);
    if name.contains(&0) {
        Err(EditErrorKind::Name("contains a NUL"))
    } else if name.iter().any(|byte| matches!(byte, b'\\' | b'/')) {
        Err(EditErrorKind::Name("contains a path separator"))
    } else if name.is_empty() || (stem.is_empty() && file_type == FileType::NONE) {
        Err(EditErrorKind::Name("is empty"))
    } else {
        Ok(())
    }
}

fn error(kind: EditErrorKind, path: &[u8]) -> EditError {
    let parts: Vec<String> = split_path(path).into_iter().map(mapwright_io::escape_bytes).collect();
    EditError::on_path(kind, crate::document::error_path(parts.join("/")))
}
