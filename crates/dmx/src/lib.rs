#![doc = include_str!("../README.md")]
//!
//! ## Errors
//!
//! [`ReadError`] contains the kind, the offset (in text also line and column) and the path: `elements[12].children[3]`. Damage by Git
//! LFS, by conversion of line ends and to other character encodings is detected. Reading accepts everything that it can represent;
//! [`validate`](Document::validate) reports problems and unusual values.
//!
//! ## Layout of a file
//!
//! A file begins with a line that names its encoding. Elements follow, with a class, a name, an identity and attributes. Some attributes
//! refer to other elements.
//!
//! | part | binary | versions |
//! |---|---|---|
//! | header | `<!-- dmx encoding binary 9 format vmap 40 -->`, LF, NUL | |
//! | prefix attributes | count of blocks; each a count of attributes, which contain their names and strings | 7 to 9 |
//! | string table | count (16 bits in 2 and 3), strings ended by NUL | from 2 |
//! | elements | count; each class, (link in 6 and 7,) name, identity of 16 bytes | |
//! | attributes | for each element a count; each name, type, value | |
//!
//! | value | storage | versions |
//! |---|---|---|
//! | class, name of an attribute | index of the table (16 bits in 2 to 4) | from 2; before that the string itself |
//! | name of an element, single string | index of the table | from 4; before that the string itself |
//! | strings of an array | the string itself | |
//! | reference | index of the element, −1 for null, −2 and a text for an element of another file | |
//! | types | scalar 1 to 14 (version 9: to 16); arrays add 14 (version 9: 32) | 7 is an identity up to version 2, a time from 3 |
//!
//! All numbers are little-endian. The layouts of versions 6 and 8 are inferred; no real file is known.
//!
//! In text an element is `"Class" { … }` and an attribute `"name" "type" "value"`. An element with a single reference is written in its
//! place. Others follow the root, and references contain their identity.
//!
//! ## Sources
//!
//! The public headers of the Source SDK and other implementations for the values. Everything else comes from files that Valve's programs
//! wrote between 2009 and 2025, of which every byte is explained. Facts that only other implementations state are marked.

// The crate reads untrusted bytes: everything that can fail returns an error. `expect` states why something cannot fail; modules that read
// bytes do not have it.
#![cfg_attr(
    not(test),
    deny(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)
)]

mod codes;
pub mod diff;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod document;
mod edit;
mod error;
mod layout;
mod options;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod read;
mod rescue;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod validate;
mod view;
mod write;

pub use mapwright_io as io;

pub use document::{
    Attribute, Document, Element, ElementId, Encoding, EncodingName, FORMAT, Guid, GuidError, Header, HeaderStyle,
    Item, Reference, StringId, Strings, Value, ValueType, sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use layout::{Layout, WriterProfile};
pub use options::{LineEnd, ReadOptions, TextStyle, WriteOptions};
pub use rescue::Rescued;
#[cfg(feature = "serde")]
pub use serial::DocumentData;
pub use view::ElementRef;
