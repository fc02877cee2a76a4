//! Numbers and order of entries, as Monolith's packers assign them.

use std::collections::BTreeMap;

use crate::document::BlockState;
use crate::{Directory, Document, Entry, FileType};

/// Order of the entries of a directory: directories, then the files of each type.
///
/// A packer stores directories, types and files in hash tables and writes them bin by bin, the newest item of a bin first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum EntryOrder {
    /// The bin of a file is its number modulo 19: packers of Claw and Gruntz, and of `Engine.REZ` of LithTech 2.
    #[default]
    Id,
    /// The bin of a file is the length of its name modulo 19: the published source of LithTech 2.
    NameLength,
}

/// Number of bins for directories, types and files.
const BINS: [u32; 3] = [5, 9, 19];

/// First number of files whose name is not a number.
const FIRST_ID: u32 = 10_000_000;

impl Document {
    /// Sorts the entries of all directories as Monolith's packer would if they were added in their current order.
    ///
    /// The order decides which of two images with the same frame number the games use. Look-ups do not depend on it.
    pub fn sort_entries(&mut self, order: EntryOrder) {
        for_each_directory(&mut self.root, &mut |directory| sort(directory, order));
    }

    /// Numbers all files as Monolith's packer does: a name of digits is its own number. Other files of a directory are numbered from
    /// 10,000,000 in their current order.
    pub fn assign_ids(&mut self) {
        for_each_directory(&mut self.root, &mut |directory| {
            let mut next = FIRST_ID;
            for entry in &mut directory.entries {
                let Entry::File(file) = entry else { continue };
                file.id = match number(&file.name) {
                    Some(number) => number,
                    None => {
                        let id = next;
                        next = next.wrapping_add(1);
                        id
                    }
                };
            }
        });
    }
}

/// Parses a name that consists of digits. A number that does not fit into 32 bits becomes the largest one.
fn number(name: &[u8]) -> Option<u32> {
    let digit = |number: u32, byte: &u8| {
        byte.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(byte.wrapping_sub(b'0').into()))
    };
    name.iter().try_fold(0, digit)
}

fn for_each_directory(directory: &mut Directory, change: &mut impl FnMut(&mut Directory)) {
    for entry in &mut directory.entries {
        if let Entry::Directory(child) = entry {
            for_each_directory(child, change);
        }
    }
    // Entries that could not be read have no order.
    if matches!(directory.state, BlockState::Intact | BlockState::Changed) {
        change(directory);
    }
}

fn sort(directory: &mut Directory, order: EntryOrder) {
    let [directory_bins, type_bins, file_bins] = BINS;
    let length = |name: &[u8]| u32::try_from(name.len()).unwrap_or(u32::MAX);
    let bin = |number: u32, bins: u32| number.checked_rem(bins).unwrap_or(0);
    // Types are added with their first file.
    let mut types: BTreeMap<FileType, usize> = BTreeMap::new();
    for file in directory.files() {
        let newest = types.len();
        types.entry(file.file_type).or_insert(newest);
    }
    let mut entries: Vec<_> = std::mem::take(&mut directory.entries).into_iter().enumerate().collect();
    entries.sort_by_key(|(index, entry)| {
        // The newest items of a bin come first.
        let newest = usize::MAX.saturating_sub(*index);
        match entry {
            Entry::Directory(child) => (0, bin(length(&child.name), directory_bins), 0, 0, newest),
            Entry::File(file) => {
                let newest_type = usize::MAX.saturating_sub(types.get(&file.file_type).copied().unwrap_or(0));
                let key = match order {
                    EntryOrder::Id => file.id,
                    EntryOrder::NameLength => length(&file.name),
                };
                (1, bin(file.file_type.0, type_bins), newest_type, bin(key, file_bins), newest)
            }
        }
    });
    directory.entries = entries.into_iter().map(|(_, entry)| entry).collect();
}
