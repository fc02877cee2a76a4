//! Queries and edits: items found, set, moved and deleted, textures and files renamed, groups extracted, maps merged.
//!
//! A document implements [`Objects`](mapwright_query::Objects) and [`EditObjects`](mapwright_query::EditObjects). Its objects are
//! blocks, entities other than the level, and groups other than the root. `set level: …` changes the level.
//!
//! ```
//! use mapwright_wmp::query::{EditObjects, EditOptions};
//! use mapwright_wmp::{Dialect, Document};
//!
//! let mut map = Document::new(Dialect::A7);
//! let options = EditOptions::default().with_allow_no_match(true);
//! for line in [
//!     "rename texture brick* stone",
//!     "rename palette palette.pcx night.pcx",
//!     "wads shift C:\\old D:\\new",
//!     "set level: nexus=60, azimuth=45",
//!     "set kind=model and file=guard*.mdl and x<100: action=patrol, flags+=SHADOW",
//!     "delete kind=light and range<10",
//! ] {
//!     println!("{}", map.apply(&line.parse()?, &options)?);
//! }
//! assert_eq!(map.level().map(|level| level.nexus), Some(60));
//! # Ok::<(), mapwright_query::QueryError>(())
//! ```
//!
//! # Fields
//!
//! Every object has `kind` (`block`, `group`, `model`, …; entities are also `entity`), `number`, `name`, `group` (names of the groups
//! around it), `position` in its group, and `x`, `y`, `z` in the world. Blocks and paths of resolved maps have no position: their
//! vertices and nodes are in the world. The other fields are those of its record: [`Document::schemas`](crate::Document::schemas) lists
//! all with their documentation.
//!
//! # Edits of this format
//!
//! | text | does |
//! |---|---|
//! | `rename texture OLD NEW` | [renames](crate::Document::rename_textures) textures of faces |
//! | `rename material OLD NEW` | [renames](crate::Document::rename_materials) materials of blocks, faces and models |
//! | `rename file OLD NEW` | [renames](crate::Document::rename_files) files of models, sounds and the level |
//! | `rename model OLD NEW`, or `sound`, `script`, `palette` | renames only files of this use |
//! | `rename wad OLD NEW` | [renames](crate::Document::rename_wads) texture files and folders |
//! | `wads shift C:\old D:\new` | [replaces](crate::Document::shift_wads) the start of their paths |
//! | `move QUERY: 0,0,64` | [moves](crate::Document::transform) objects by quants |
//! | `turn QUERY: 90 about 0,0,0` | rotates them by degrees to the left, or by `pan,tilt,roll`; `about` is optional |
//! | `scale QUERY: 2 about 0,0,0` | scales them, or along each axis, such as `1,1,2` |
//! | `extract QUERY` | [extracts](crate::Document::extract) one group: the map becomes this group |

mod apply;
mod delete;
mod groups;
mod items;
mod names;
mod set;
mod transform;

pub use crate::tree::PartIndex;
pub use delete::Deleted;
pub use groups::Merged;
pub use transform::{Motion, Moved};

use mapwright_io::escape;
use mapwright_query::QueryError;

use crate::{Dialect, Name};

/// A reason why a map was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A part that the map needs.
    #[error("cannot delete {what}: {why}")]
    Required {
        /// The part.
        what: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A part that is not a group.
    #[error("cannot extract {kind}{}: expected a group", if .name.as_bytes().is_empty() { String::new() } else { format!(" \"{}\"", escape(.name.as_bytes())) })]
    NotGroup {
        /// The kind.
        kind: &'static str,
        /// The name.
        name: Name,
    },
    /// Two maps of different dialects.
    #[error("cannot merge a map of {} into one of {}: convert it first", .other.name(), .own.name())]
    Dialect {
        /// The dialect of this map.
        own: Dialect,
        /// The dialect of the other map.
        other: Dialect,
    },
    /// An object without extent on an axis, so that its contents cannot be moved.
    #[error("object {number} has a scale of 0: its contents cannot be moved")]
    Flat {
        /// The number.
        number: u32,
    },
    /// An invalid motion.
    #[error("invalid {what} {value}: expected {expected}")]
    Motion {
        /// The kind of number.
        what: &'static str,
        /// The number.
        value: String,
        /// The expected range.
        expected: &'static str,
    },
    /// A motion with a result beyond the range of numbers.
    #[error("the result has numbers that are too large for the file: expected a smaller motion")]
    Overflow,
    /// A name that the file cannot store.
    #[error("invalid name \"{}\": {problem}", escape(.name))]
    Name {
        /// The name.
        name: Vec<u8>,
        /// The problem.
        problem: &'static str,
    },
}

impl From<EditError> for QueryError {
    fn from(error: EditError) -> Self {
        Self::refused(error)
    }
}
