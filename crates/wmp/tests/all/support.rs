//! Shared helpers: reading maps, and finding the corpus.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::PathBuf;

use mapwright_testkit::{Refusal, corpus, files_below};
use mapwright_wmp::{Dialect, Document, ReadError};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Returns the corpus maps for whose bytes a function returns `true`, with their names.
pub(crate) fn maps(wanted: impl Fn(&[u8]) -> bool) -> Option<Vec<(String, PathBuf, Vec<u8>)>> {
    let folder = corpus("wmp")?;
    let mut maps = Vec::new();
    for path in files_below(&folder) {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let name = path.strip_prefix(&folder).expect("it lies there").to_string_lossy().into_owned();
        let others = name.contains("hostile_") || name.contains("other_");
        if !["wmp", "bak", "dollarm"].iter().any(|known| extension == *known) || others {
            continue;
        }
        let bytes = std::fs::read(&path).expect("a file of the corpus");
        if wanted(&bytes) {
            maps.push((name, path, bytes));
        }
    }
    Some(maps)
}

/// Returns `true` if a map is binary.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(b"WMPB")
}

pub(crate) fn dialect(name: &str) -> Dialect {
    Dialect::from_name(name).expect("a dialect")
}
