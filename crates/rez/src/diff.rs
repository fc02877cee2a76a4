//! Differences between two archives.

use std::cell::RefCell;
use std::fmt;

use mapwright_io::diff::{FieldChange, ItemChange, ItemsDiff, Pairs, checksum_text, write_items, write_lines};
use mapwright_io::escape_bytes;

use crate::document::Item;
use crate::{Directory, Document, EntryRef, File};

/// Differences between two archives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diff {
    /// Fields of the header that differ. Includes the numbers that depend on the layout, if both archives were read.
    pub header: Vec<FieldChange>,
    /// Entries, named by their paths with slashes. The path of a directory ends with a slash. Files without a partner of the same path are
    /// matched by their payloads. The content of a removed or added directory is not listed.
    pub entries: ItemsDiff<String>,
}

impl Diff {
    /// Compares two archives.
    pub fn between(old: &Document, new: &Document) -> Self {
        let mut comparison = Comparison::default();
        comparison.compare(&[], &[], &old.root, &new.root);
        comparison.match_payloads();
        Self { header: compare_headers(old, new), entries: comparison.entries }
    }

    /// Returns `true` if the archives are equal.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty() && self.entries.is_empty()
    }
}

/// Prints a line for each difference.
impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(f, "fields", &self.header, |f, change| write!(f, "header: {change}"))?;
        write_items(f, "entries", &self.entries)
    }
}

#[derive(Default)]
struct Comparison<'a> {
    entries: ItemsDiff<String>,
    /// Entries without a partner in the same directory.
    old: Vec<Item<'a>>,
    new: Vec<Item<'a>>,
}

impl<'a> Comparison<'a> {
    /// Compares two directories. Recursion is as deep as directories are nested.
    fn compare(
        &mut self,
        old_parents: &[&'a Directory],
        new_parents: &[&'a Directory],
        old: &'a Directory,
        new: &'a Directory,
    ) {
        let item = |parents: &[&'a Directory], directory: &'a Directory, index: usize| {
            let entry = directory.entries.get(index)?.as_ref();
            Some(Item { parents: parents.to_vec(), entry })
        };
        let (old_item, new_item) = (|index| item(old_parents, old, index), |index| item(new_parents, new, index));
        let mut pairs = Pairs::new(old.entries.len(), new.entries.len());
        // First by the exact name, then by the name as look-ups compare it.
        for fold in [false, true] {
            let key = |directory: &'a Directory, index: usize| {
                let (file_type, name) = match directory.entries.get(index)?.as_ref() {
                    EntryRef::Directory(child) => (None, &child.name),
                    EntryRef::File(file) => (Some(file.file_type), &file.name),
                };
                let name = if fold { name.to_ascii_uppercase() } else { name.clone() };
                Some((file_type, name))
            };
            pairs.match_by_key(|index| key(old, index), |index| key(new, index));
        }
        self.old.extend(pairs.free_old().filter_map(old_item));
        self.new.extend(pairs.free_new().filter_map(new_item));
        // `change` only looks at pairs, so subdirectories are compared after it.
        let subdirectories = RefCell::new(Vec::new());
        let found: ItemsDiff<String> = pairs.to_diff(
            |_| None,
            |_| None,
            |old_index, new_index| {
                let (old, new) = (old_item(old_index)?, new_item(new_index)?);
                if let (EntryRef::Directory(old), EntryRef::Directory(new)) = (old.entry, new.entry) {
                    subdirectories.borrow_mut().push((old, new));
                }
                change(&old, &new, false)
            },
        );
        self.entries.changed.extend(found.changed);
        self.entries.reordered |= found.reordered;
        for (old, new) in subdirectories.into_inner() {
            let [old_parents, new_parents] =
                [(old_parents, old), (new_parents, new)].map(|(parents, directory)| [parents, &[directory]].concat());
            self.compare(&old_parents, &new_parents, old, new);
        }
    }

    /// Matches moved or renamed files by their payloads. The remaining entries are reported as removed or added.
    fn match_payloads(&mut self) {
        let (olds, news) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        let payload = |items: &[Item<'a>], index: usize| match items.get(index)?.entry {
            EntryRef::File(file) => file.payload.bytes().filter(|bytes| !bytes.is_empty()),
            EntryRef::Directory(_) => None,
        };
        let mut pairs = Pairs::new(olds.len(), news.len());
        pairs.match_by_unique_key(|index| payload(&olds, index), |index| payload(&news, index));
        let text = |items: &[Item<'a>], index: usize| items.get(index).map(path_text);
        let found = pairs.to_diff(
            |index| text(&olds, index),
            |index| text(&news, index),
            |old, new| change(olds.get(old)?, news.get(new)?, true),
        );
        self.entries.changed.extend(found.changed);
        self.entries.removed = found.removed;
        self.entries.added = found.added;
    }
}

fn path_text(item: &Item<'_>) -> String {
    let text = item.path_text();
    match item.entry {
        EntryRef::Directory(_) => text + "/",
        EntryRef::File(_) => text,
    }
}

/// Returns the fields of two entries that differ. `is_moved` is `true` for files that are matched by payload.
fn change(old: &Item<'_>, new: &Item<'_>, is_moved: bool) -> Option<ItemChange<String>> {
    let mut fields = Vec::new();
    let mut compare = |name: &str, old: String, new: String| {
        if old != new {
            fields.push(FieldChange::new(name, old, new));
        }
    };
    match (old.entry, new.entry) {
        (EntryRef::Directory(old), EntryRef::Directory(new)) => {
            compare("name", escape_bytes(&old.name), escape_bytes(&new.name));
            compare("time", old.time.to_string(), new.time.to_string());
        }
        (EntryRef::File(old_file), EntryRef::File(new_file)) => {
            if is_moved {
                compare("path", old.path_text(), new.path_text());
            } else {
                compare("name", escape_bytes(&old_file.full_name()), escape_bytes(&new_file.full_name()));
            }
            let (old, new) = (old_file, new_file);
            compare("kind", old.kind.0.to_string(), new.kind.0.to_string());
            compare("time", old.time.to_string(), new.time.to_string());
            compare("id", old.id.to_string(), new.id.to_string());
            compare("description", escape_bytes(&old.description), escape_bytes(&new.description));
            compare("keys", format!("{:?}", old.keys), format!("{:?}", new.keys));
            if !old.payload.is_same(&new.payload) {
                let text =
                    |file: &File| file.payload.bytes().map_or_else(|| file.payload.damage().to_string(), checksum_text);
                compare("data", text(old), text(new));
            }
        }
        _ => {}
    }
    if fields.is_empty() {
        return None;
    }
    Some(ItemChange { old: path_text(old), new: path_text(new), fields })
}

fn compare_headers(old: &Document, new: &Document) -> Vec<FieldChange> {
    let describe = |document: &Document| {
        let header = &document.header;
        vec![
            ("title", escape_bytes(header.title.text())),
            ("user_title", escape_bytes(header.user_title.text())),
            ("line_breaks", escape_bytes(header.line_breaks.as_flattened())),
            ("time", header.time.to_string()),
            ("root_time", document.root.time.to_string()),
        ]
    };
    let layout = |document: &Document| {
        let stored = document.stored_header()?;
        let length = document.original_bytes()?.len();
        let numbers = [
            ("root_position", stored.root_position),
            ("root_size", stored.root_size),
            ("next_write_position", stored.next_write_position),
            ("largest_keys", stored.largest_keys),
            ("largest_directory_name", stored.largest_directory_name),
            ("largest_file_name", stored.largest_file_name),
            ("largest_description", stored.largest_description),
            ("is_sorted", stored.is_sorted.into()),
        ];
        let numbers = numbers.into_iter().map(|(name, number)| (name, number.to_string()));
        Some([("length", length.to_string())].into_iter().chain(numbers).collect::<Vec<_>>())
    };
    let (mut olds, mut news) = (describe(old), describe(new));
    if let (Some(old), Some(new)) = (layout(old), layout(new)) {
        olds.extend(old);
        news.extend(new);
    }
    let pairs = olds.into_iter().zip(news).filter(|(old, new)| old != new);
    pairs.map(|((name, old), (_, new))| FieldChange::new(name, old, new)).collect()
}
