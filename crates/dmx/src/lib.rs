//! Valve DMX: element graphs read, edited, checked and written without losing a byte, as binary and as KeyValues2 text.
//!
//! DMX is the format of Valve's tools: Source 2 maps (`.vmap`), particles (`.pcf`), textures (`.vtex`), models, animations, sessions of
//! Source Filmmaker. A file begins with a line that names its encoding. Elements follow, with a class, a name, an identity and attributes.
//! Some attributes refer to other elements. The crate reads and writes binary 0 to 9 and KeyValues2 1 to 4.
//!
//! ```
//! use mapwright_dmx::{Document, Value};
//!
//! # let guid = mapwright_dmx::Guid::from_hash(b"root");
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
//! | document | level | result |
//! |---|---|---|
//! | untouched | byte-exact | the same file, in any encoding and order |
//! | [`edit`](Document::edit) | byte-exact except for the change | the file as its program would have written it, if its order is a known [`WriterProfile`]; otherwise the old order with new strings at the end |
//! | text, changed | byte-exact except for the change | spaces, comments and number formatting around the change stay; new parts are formatted as Hammer does, with the surrounding indentation and line ends |
//! | binary 9 → text → binary 9 | byte-exact | files of Hammer; not unused strings, the order of other programs, payloads of NaN, bytes after the end |
//! | text in [`TextStyle::Hammer`] | semantic | floats rounded to ten decimals, as Hammer does |
//!
//! Attributes are a list: names can repeat, and the order is preserved. Strings are bytes. External references are preserved.
//!
//! # Safety and limits
//!
//! Reading any bytes returns a document or an error: no panic, no recursion over data, linear or n·log n time. It takes at most 16 MiB
//! and eight times the size of the file, binary or text. [`ReadOptions`] limits items, depth and input, [`WriteOptions`] the output.
//! Graphs can have cycles and be a million elements deep.
//!
//! # Errors
//!
//! [`ReadError`] contains the kind, the offset (in text also line and column) and the path: `elements[12].children[3]`. Damage by Git
//! LFS, by conversion of line ends and to other character encodings is detected. Reading accepts everything that it can represent;
//! [`validate`](Document::validate) reports problems and unusual values.
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
//! # Sources
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
