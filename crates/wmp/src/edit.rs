//! Changing a map: textures and files by name, items deleted, set and moved, groups extracted, maps merged.
//!
//! Every operation says what it changed, and one that fails has changed nothing. Blocks, entities and objects are numbered anew
//! where their tree changes; what is not changed keeps its bytes. Operations are methods of [`Document`](crate::Document); as data,
//! and as lines of text for scripts, they are [`Edit`]s:
//!
//! ```
//! use mapwright_wmp::{Dialect, Document};
//!
//! let mut map = Document::new(Dialect::A7);
//! for line in [
//!     "textures rename brick* stone",
//!     "files rename palette.pcx night.pcx",
//!     "wads shift C:\\old D:\\new",
//!     "set level * nexus=60 azimuth=45",
//!     "set model * action=patrol flags+=SHADOW where file=guard*.mdl x<100",
//!     "turn model * 90 where action=patrol",
//! ] {
//!     let edited = map.apply(&line.parse()?)?;
//!     println!("{edited}");
//! }
//! assert_eq!(map.level().map(|level| level.nexus), Some(60));
//! # Ok::<(), mapwright_wmp::edit::EditError>(())
//! ```

mod assign;
mod command;
mod delete;
mod fields;
mod groups;
mod names;
mod query;
mod transform;

/// Numbers are decimal, three numbers have commas between them, flags are a number, also as `0x10` and `0b101`, or names joined by
/// commas. Names are spelled as [`spell`](mapwright_io::escape_bytes) does, a space as `\x20` or in quotes; `ndef` is none.
pub use mapwright_io::Assignment;
pub use mapwright_io::{Change, Comparison, Pattern};

pub use crate::tree::PartIndex;
pub use assign::Changed;
pub use command::{Edit, Edited};
pub use delete::Deleted;
pub use groups::Merged;
pub use query::{Condition, Kind, Selection};
pub use transform::{Motion, Moved};

use mapwright_io::escape;

use crate::Dialect;

/// Why a map was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// Nothing has that number or name.
    #[error("there is no {which}")]
    Nothing {
        /// What was asked for.
        which: String,
    },
    /// Several items are meant where it can only be one.
    #[error("{which} means {count} of them: say the number of one")]
    Many {
        /// What was asked for.
        which: String,
        /// How many are meant.
        count: usize,
    },
    /// Something that the map cannot be without.
    #[error("{what} stays: {why}")]
    Stays {
        /// What it is.
        what: &'static str,
        /// Why.
        why: &'static str,
    },
    /// Two maps of different dialects.
    #[error("a map of {} cannot be merged into one of {}: convert it first", .other.name(), .own.name())]
    Dialect {
        /// The dialect of this map.
        own: Dialect,
        /// That of the other map.
        other: Dialect,
    },
    /// An object that is flat in the space of the world, so that no place in it can be told from another.
    #[error("object {number} has a scale of 0: nothing in it can be moved")]
    Flat {
        /// Its number.
        number: u32,
    },
    /// No field has that name.
    #[error("a {kind} has no field {field}: fields are {}", fields.join(" "))]
    NoField {
        /// What it would be a field of.
        kind: &'static str,
        /// What was asked for.
        field: String,
        /// The fields that there are.
        fields: Vec<&'static str>,
    },
    /// A text is not the value of the field.
    #[error("{field} takes {expected}, not {value:?}")]
    Value {
        /// The field.
        field: String,
        /// The text.
        value: String,
        /// What the field takes.
        expected: String,
    },
    /// A number would no longer fit into its field.
    #[error("{field} would be {value}")]
    Range {
        /// The field.
        field: String,
        /// What it would be.
        value: String,
    },
    /// A name that cannot stand where it should.
    #[error("the name \"{}\" cannot be given: {problem}", escape(.name))]
    Name {
        /// The name.
        name: Vec<u8>,
        /// What is in the way.
        problem: &'static str,
    },
    /// A text is not written as it should.
    #[error("{text:?} is not {expected}")]
    Syntax {
        /// The text.
        text: String,
        /// How it is written.
        expected: &'static str,
    },
}
