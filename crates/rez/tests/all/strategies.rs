//! Strategies for archives with every part of the format.

use mapwright_rez::{Document, EntryKind, EntryOrder, FileType, Title};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A part of a path. Few names, so that paths meet.
fn part() -> impl Strategy<Value = String> {
    select(vec!["A", "B", "LEVEL1", "WORLDS", "Tiles", "012", "7", "FRAME001", "x y"]).prop_map(str::to_owned)
}

fn extension() -> impl Strategy<Value = &'static str> {
    select(vec!["", ".PID", ".PCX", ".wav", ".A", ".ABCD", ".TOOLONG"])
}

/// A path of a file.
pub(crate) fn path() -> impl Strategy<Value = String> {
    (vec(part(), 1..4), extension()).prop_map(|(parts, extension)| parts.join("\\") + extension)
}

pub(crate) fn payload() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..24)
}

/// Fields of a file that the packer never writes.
#[derive(Debug, Clone)]
struct Unusual {
    kind: u32,
    id: u32,
    file_type: u32,
    name: Vec<u8>,
    description: Vec<u8>,
    keys: Vec<u32>,
}

fn unusual() -> impl Strategy<Value = Unusual> {
    let text = || vec(1..=255_u8, 0..6);
    let fields = (
        prop_oneof![Just(0), 2..9_u32, any::<u32>()],
        any::<u32>(),
        any::<u32>(),
        text(),
        text(),
        vec(any::<u32>(), 0..3),
    );
    fields.prop_map(|(kind, id, file_type, name, description, keys)| Unusual {
        kind: if kind == 1 { 0 } else { kind },
        id,
        file_type,
        name,
        description,
        keys,
    })
}

/// A new archive.
pub(crate) fn document() -> impl Strategy<Value = Document> {
    let files = vec((path(), payload(), any::<u32>(), prop::option::weighted(0.2, unusual())), 0..12);
    let orders = prop::option::of(select(vec![EntryOrder::Id, EntryOrder::NameLength]));
    let title = vec(any::<u8>(), 0..=60);
    (files, vec(vec(part(), 1..4), 0..3), orders, title, any::<[u32; 2]>()).prop_map(
        |(files, directories, order, title, [time, root_time])| {
            let mut document = Document::new();
            document.header.time = time;
            document.header.user_title = Title::from_text(&title).expect("at most 60 bytes");
            document.directory_mut("").expect("the root").time = root_time;
            for (path, data, time, unusual) in files {
                // A file can have the name of a directory, but not that of another file.
                let Ok(file) = document.add(&path, data, Some(time)) else { continue };
                if let Some(unusual) = unusual {
                    file.kind = EntryKind(unusual.kind);
                    file.id = unusual.id;
                    file.file_type = FileType(unusual.file_type);
                    (file.name, file.description, file.keys) = (unusual.name, unusual.description, unusual.keys);
                }
            }
            for path in directories {
                document.add_directory(path.join("/"), Some(time)).expect("a directory");
            }
            if let Some(order) = order {
                document.assign_ids();
                document.sort_entries(order);
            }
            document
        },
    )
}

/// An edit of an archive.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    Write(String, Vec<u8>, Option<u32>),
    Replace(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index),
    Rename(prop::sample::Index, String),
    Sort,
}

pub(crate) fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<prop::sample::Index>;
    let name = (part(), extension()).prop_map(|(part, extension)| part + extension);
    let edit = prop_oneof![
        3 => (path(), payload(), any::<Option<u32>>()).prop_map(|(path, data, time)| Edit::Write(path, data, time)),
        3 => (index(), payload()).prop_map(|(index, data)| Edit::Replace(index, data)),
        2 => index().prop_map(Edit::Remove),
        2 => (index(), name).prop_map(|(index, name)| Edit::Rename(index, name)),
        1 => Just(Edit::Sort),
    ];
    vec(edit, 1..6)
}

impl Edit {
    /// Applies the edit. Edits that are refused change nothing.
    pub(crate) fn apply(&self, document: &mut Document) {
        let path = |index: &prop::sample::Index| {
            let paths: Vec<_> = document.walk().map(|item| item.path()).collect();
            if paths.is_empty() { Vec::new() } else { index.get(&paths).clone() }
        };
        match self {
            Self::Write(path, data, time) => drop(document.write_file(path, &data[..], *time).map(drop)),
            Self::Replace(index, data) => drop(document.replace(path(index), &data[..], None).map(drop)),
            Self::Remove(index) => drop(document.remove(path(index))),
            Self::Rename(index, name) => drop(document.rename(path(index), name)),
            Self::Sort => document.sort_entries(EntryOrder::Id),
        }
    }
}
