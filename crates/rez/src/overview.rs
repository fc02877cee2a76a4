//! Counts of an archive, for summaries.

use std::collections::BTreeMap;

use crate::regions::Regions;
use crate::{Directory, Document, EntryRef, FileType};

/// Counts of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Overview {
    /// Number of files.
    pub files: usize,
    /// Number of directories without the root.
    pub directories: usize,
    /// Depth of the deepest entry. Entries of the root have depth 0.
    pub depth: usize,
    /// Sum of the sizes of all payloads.
    pub payload_bytes: u64,
    /// Bytes of the archive that nothing uses. 0 for a new archive.
    pub unused_bytes: u64,
    /// Number of ranges of unused bytes.
    pub unused_ranges: usize,
    /// The program that wrote the directories, inferred from their layout.
    pub packer: Packer,
    /// Number and bytes of the files of each type, the most frequent type first.
    pub types: Vec<TypeCount>,
}

/// Files of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TypeCount {
    /// Extension of the files.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::file_type::serialize"))]
    pub file_type: FileType,
    /// Number of files.
    pub files: usize,
    /// Sum of their sizes.
    pub bytes: u64,
}

/// The program that wrote the directory blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Packer {
    /// Monolith's packer: each directory block except the last is followed by unused bytes of the same size.
    Monolith,
    /// Another program, or Monolith's packer and then an edit.
    Other,
    /// The archive is new, or has less than two blocks.
    Unknown,
}

impl Document {
    /// Counts the content of the archive.
    pub fn overview(&self) -> Overview {
        let (mut files, mut directories, mut depth, mut payload_bytes) = (0_usize, 0_usize, 0, 0_u64);
        let mut types: BTreeMap<FileType, (usize, u64)> = BTreeMap::new();
        for item in self.walk() {
            depth = depth.max(item.parents.len());
            match item.entry {
                EntryRef::Directory(_) => directories = directories.saturating_add(1),
                EntryRef::File(file) => {
                    files = files.saturating_add(1);
                    payload_bytes = payload_bytes.saturating_add(file.size().into());
                    let (count, bytes) = types.entry(file.file_type).or_default();
                    *count = count.saturating_add(1);
                    *bytes = bytes.saturating_add(file.size().into());
                }
            }
        }
        let mut types: Vec<TypeCount> =
            types.into_iter().map(|(file_type, (files, bytes))| TypeCount { file_type, files, bytes }).collect();
        types.sort_by_key(|count| std::cmp::Reverse(count.files));
        let gaps: Vec<u64> = match self.original {
            Some(_) => Regions::from_document(self).gaps().map(|gap| gap.end.saturating_sub(gap.start)).collect(),
            None => Vec::new(),
        };
        Overview {
            files,
            directories,
            depth,
            payload_bytes,
            unused_bytes: gaps.iter().fold(0, |sum, gap| sum.saturating_add(*gap)),
            unused_ranges: gaps.len(),
            packer: self.packer(),
            types,
        }
    }

    /// Detects the program that wrote the directory blocks.
    pub fn packer(&self) -> Packer {
        // Blocks in the order of writing: each after the blocks of its subdirectories.
        let mut blocks = Vec::new();
        collect_blocks(&self.root, &mut blocks);
        if blocks.len() < 2 || self.original.is_none() {
            return Packer::Unknown;
        }
        let is_doubled = |pair: &[[u32; 2]]| match pair {
            [[position, size], [next, _]] => position.saturating_add(size.saturating_mul(2)) == *next,
            _ => false,
        };
        if blocks.windows(2).all(is_doubled) { Packer::Monolith } else { Packer::Other }
    }
}

fn collect_blocks(directory: &Directory, blocks: &mut Vec<[u32; 2]>) {
    directory.directories().for_each(|child| collect_blocks(child, blocks));
    blocks.extend(directory.stored_block().filter(|[_, size]| *size > 0));
}
