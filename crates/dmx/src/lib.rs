//! Valve DMX: element graphs read, edited, checked and written without losing a byte, as binary and as KeyValues2 text.
//!
//! DMX is what Valve's tools save: Source 2 maps (`.vmap`), particles (`.pcf`), textures (`.vtex`), models, animations, sessions of
//! Source Filmmaker. A file is a line that says how the rest is encoded, and elements with a class, a name, an identity and
//! attributes, some of which refer to other elements. Binary 0 to 9 and KeyValues2 1 to 4 are read and written.
//!
//! ```
//! use mapwright_dmx::{Document, Value};
//!
//! # let guid = mapwright_dmx::Guid::made_of(b"root");
//! # let file = Document::new(mapwright_dmx::Encoding::BINARY_9, "vmap", 40, "CMapRootElement", guid).to_bytes()?;
//! let mut document = Document::from_bytes(&file)?;
//! document.edit(|document| {
//!     for element in &mut document.elements {
//!         for attribute in &mut element.attributes {
//!             if document.strings.get(attribute.name) == b"origin"
//!                 && let Value::Vector3([_, _, z]) = &mut attribute.value
//!             {
//!                 *z += 64.0;
//!             }
//!         }
//!     }
//! });
//! let changed = document.to_bytes()?;
//! # assert_eq!(changed, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! | | rung | what comes back |
//! |---|---|---|
//! | untouched | byte-exact | the file, whatever its encoding and order |
//! | [`edit`](Document::edit) | byte-exact but for the change | what the program that wrote the file would have written, if its order is a known [`WriterProfile`]; otherwise the old order with new strings at the end |
//! | text, changed | byte-exact but for the change | blanks, comments and spellings around the change stay; what is new is laid out as Hammer does, in the indentation and line ends around it |
//! | binary 9 → text → binary 9 | byte-exact | for files that Hammer wrote; not for unused strings, orders of other programs, payloads of NaN, bytes behind the end |
//! | text in [`TextStyle::Hammer`] | semantic | floats rounded to ten decimals, as Hammer does |
//!
//! Attributes are a list: names may repeat, and keep their order. Strings are bytes. External references stay what they are.
//!
//! # Safety and limits
//!
//! Any bytes are answered with a document or an error: no panic, no recursion over data, linear or n·log n time, and memory in
//! proportion to the file: at most 16 MiB and eight times its size while it is read, binary or text. [`ReadOptions`] limits
//! items, depth and input, [`WriteOptions`] what is written. Graphs may have cycles and be a million deep.
//!
//! # Errors
//!
//! [`ReadError`] says what, at which offset (in text also line and column) and on which path: `elements[12].children[3]`.
//! Damage by Git LFS, by conversion to text and to other encodings of characters is recognised. Reading accepts whatever it
//! can represent; what is odd about it is what [`validate`](Document::validate) says.
//!
//! # Features
//!
//! * `serde`: documents and their [differences](diff) as data of any format that serde knows. A document comes back byte for byte.
//!
//! # Layout of a file
//!
//! | part | binary | versions |
//! |---|---|---|
//! | header | `<!-- dmx encoding binary 9 format vmap 40 -->`, LF, NUL | |
//! | prefix attributes | count of blocks; each a count of attributes, with names and strings in place | 7 to 9 |
//! | string table | count (16 bits in 2 and 3), strings ended by NUL | from 2 |
//! | elements | count; each class, (link in 6 and 7,) name, identity of 16 bytes | |
//! | attributes | for each element a count; each name, type, value | |
//!
//! | value | where it stands | versions |
//! |---|---|---|
//! | class, name of an attribute | index into the table (16 bits in 2 to 4) | from 2, before in place |
//! | name of an element, single string | index into the table | from 4, before in place |
//! | strings of an array | in place | |
//! | reference | index of the element, −1 for null, −2 and a text for an element of another file | |
//! | types | scalar 1 to 14 (9: to 16), array 14 (9: 32) more | 7 is an identity to 2, a time from 3 |
//!
//! All numbers are little-endian. The tables of versions 6 and 8 are inferred, no real file of them is known.
//!
//! Text has an element as `"Class" { … }` and an attribute as `"name" "type" "value"`. An element that is referred to once stands
//! where it is referred to; others stand behind the root, and references name their identity.
//!
//! # Sources
//!
//! The public headers of the Source SDK and other implementations for the values; for everything else files that Valve's
//! programs wrote between 2009 and 2025, all of whose bytes are explained. What only other implementations say is marked so.

// Bytes of unknown origin come through here: what can fail is said in the type.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

mod codes;
pub mod diff;
mod document;
mod edit;
mod error;
mod layout;
mod options;
mod read;
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
#[cfg(feature = "serde")]
pub use serial::DocumentData;
pub use view::ElementRef;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
