//! Parts of differences as data.

use mapwright_io::escape_bytes;
use serde::{Serialize, Serializer};

use super::text::Text;

/// An old and a new value.
#[derive(Serialize)]
struct OldNew<T> {
    old: T,
    new: T,
}

/// Writes a pair as `{"old": …, "new": …}`.
pub(crate) fn old_new<T: Copy + Serialize, S: Serializer>(
    pair: &Option<(T, T)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    pair.map(|(old, new)| OldNew { old, new }).serialize(serializer)
}

/// Writes a pair of strings as `{"old": …, "new": …}`.
pub(crate) fn old_new_bytes<S: Serializer>(
    pair: &Option<(Vec<u8>, Vec<u8>)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    pair.as_ref().map(|(old, new)| OldNew { old: escape_bytes(old), new: escape_bytes(new) }).serialize(serializer)
}

/// Writes a list of strings.
pub(crate) fn texts<S: Serializer>(texts: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(Text::from))
}
