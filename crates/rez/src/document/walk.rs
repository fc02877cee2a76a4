//! Iteration over all entries.

use std::slice;

use mapwright_io::{Frame, Path, Position, escape_bytes};

use crate::{Damage, Directory, Document, Entry, EntryRef, File, ReadError, safe_name};

/// An entry with the directories that contain it.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// The directories from the outside in, without the root.
    pub parents: Vec<&'a Directory>,
    /// The entry.
    pub entry: EntryRef<'a>,
}

impl Item<'_> {
    /// Returns the path with backslashes, as the games write it: `LEVEL1\TILES\ACTION\001.PID`. Empty for the root.
    pub fn path(&self) -> Vec<u8> {
        let mut path = Vec::new();
        for (index, name) in self.names().enumerate() {
            if index > 0 {
                path.push(b'\\');
            }
            path.extend_from_slice(&name);
        }
        path
    }

    /// Returns the path with slashes as printable text: `LEVEL1/TILES/ACTION/001.PID`. Bytes that are not printable ASCII are escaped.
    pub fn path_text(&self) -> String {
        self.names().map(|name| escape_bytes(&name)).collect::<Vec<_>>().join("/")
    }

    /// Returns the path with slashes, each name as [`safe_name`](crate::safe_name) returns it. It leads out of no folder.
    pub fn safe_path(&self) -> String {
        self.names().map(|name| safe_name(&name)).collect::<Vec<_>>().join("/")
    }

    fn names(&self) -> impl Iterator<Item = Vec<u8>> {
        let own = match self.entry {
            EntryRef::Directory(directory) => directory.name.clone(),
            EntryRef::File(file) => file.full_name(),
        };
        self.parents.iter().map(|parent| parent.name.clone()).chain([own])
    }

    /// Returns the path for errors and findings. Names are truncated: hostile archives have paths of megabytes.
    pub(crate) fn error_path(&self) -> Path {
        const LONGEST: usize = 100;
        let cut = |name: Vec<u8>| match name.get(..LONGEST) {
            Some(start) if name.len() > LONGEST => escape_bytes(start) + "…",
            _ => escape_bytes(&name),
        };
        error_path(self.names().map(cut).collect::<Vec<_>>().join("/"))
    }
}

/// Converts a path for errors and findings. The path of the root is empty.
pub(crate) fn error_path(text: String) -> Path {
    Some(text).filter(|text| !text.is_empty()).map(Frame::Name).into_iter().collect()
}

/// Iterates over all entries in file order, each directory before its entries. The root is not included.
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    parents: Vec<&'a Directory>,
    /// Remaining entries of the root and of each parent.
    left: Vec<slice::Iter<'a, Entry>>,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            let Some(entry) = self.left.last_mut()?.next() else {
                self.left.pop();
                self.parents.pop();
                continue;
            };
            let item = Item { parents: self.parents.clone(), entry: entry.as_ref() };
            if let Entry::Directory(directory) = entry {
                self.parents.push(directory);
                self.left.push(directory.entries.iter());
            }
            return Some(item);
        }
    }
}

impl Document {
    /// Iterates over all entries in file order, each directory before its entries. The root is not included.
    pub fn walk(&self) -> Walk<'_> {
        Walk { parents: Vec::new(), left: vec![self.root.entries.iter()] }
    }

    /// Iterates over all files in the order of [`walk`](Self::walk).
    pub fn files(&self) -> impl Iterator<Item = (Item<'_>, &File)> {
        self.walk().filter_map(|item| match item.entry {
            EntryRef::File(file) => Some((item, file)),
            EntryRef::Directory(_) => None,
        })
    }

    /// Iterates over the root, and all entries in the order of [`walk`](Self::walk).
    pub(crate) fn walk_with_root(&self) -> impl Iterator<Item = Item<'_>> {
        let root = Item { parents: Vec::new(), entry: EntryRef::Directory(&self.root) };
        std::iter::once(root).chain(self.walk())
    }

    /// Iterates over the damage of directories and files, with offset and path.
    pub fn damage(&self) -> impl Iterator<Item = ReadError> {
        self.damaged_items().map(|(item, damage, at)| ReadError::new(damage.into(), at).with_path(item.error_path()))
    }

    /// Iterates over the damaged directories and files.
    pub(crate) fn damaged_items(&self) -> impl Iterator<Item = (Item<'_>, Damage, Position)> {
        let length = self.original_bytes().map_or(0, <[u8]>::len) as u64;
        self.walk_with_root().filter_map(move |item| {
            let (damage, at) = match item.entry {
                EntryRef::Directory(directory) => directory.damage(length)?,
                EntryRef::File(file) => file.damage()?,
            };
            Some((item, damage, at))
        })
    }
}
