//! Reads, edits, checks, converts and writes maps of 3D Gamestudio (`.wmp` of WED, Acknex A4 to A8) without losing a byte.
//!
//! WED, the closed editor of Conitec, saved five dialects under one extension: text with planes (A4), with vertices (`version 510`)
//! and with texture vectors (`version 710`), the resolved form for its level compiler (`$$M`, `version 711`), and since 2010 binary
//! chunks (WMPB), which were never documented. All are read into one [`Document`], and written.
//!
//! ```
//! use mapwright_wmp::{Dialect, Document};
//!
//! # let mut map = Document::new(Dialect::A7);
//! # let file = map.to_bytes()?;
//! let mut map = Document::from_bytes(&file)?;
//! for object in &mut map.objects {
//!     if object.name == "Tower" {
//!         object.position[2] += 64.0;
//!     }
//! }
//! let changed = map.to_bytes()?;
//! # assert_eq!(changed, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! | | level | result |
//! |---|---|---|
//! | unchanged | byte-exact | the file, with comments, spaces, number formatting, line ends, unknown lines and chunks |
//! | text, changed | byte-exact except for the change | Parts that were not borrowed mutably are copied. In other parts, every number with the same value keeps its formatting. New values are printed as the dialect's editor does |
//! | text, [source forgotten](Document::forget_source) | semantic | printed as the editor does, which reproduces its files except for numbers typed by hand |
//! | WMPB, changed | byte-exact except for the change | sizes and counts follow, unknown chunks keep their position, chunks in an unusual order move to the usual one |
//!
//! Names are bytes in the code page of the user who saved the file. Files do not state it, so names are shown escaped and never
//! converted. Text stores the name of a group in a comment, which is its [name](Object::name) here.
//!
//! # Safety and limits
//!
//! Any input gives a document or an error, without panics and without recursion over data, in linear time. Reading needs at most
//! 16 MiB + 8 × the file size, which [`ReadOptions`] can limit further. Files of 4 GiB and more are rejected. Objects
//! may be their own ancestors or have missing members: reading preserves that, and walks through the tree visit each object once.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] state the problem, its offset (in text also line and column) and its path, such as
//! `blocks[5].faces[2]`. Other formats with the extension `.wmp` are rejected by name: maps of Acknex-3, Windows Media, Git LFS
//! pointers ([`Other`]). Reading accepts everything that it can represent; [`validate`](Document::validate) reports problems.
//!
//! # Working with maps
//!
//! * [`resolve`](Document::resolve): the level in world space, with the angles, texture vectors and locks of all dialects applied.
//! * [`convert`](Document::convert): any dialect to any other, with a list of losses.
//! * [`edit`]: rename textures and files, find, set, move and delete items, extract groups, merge maps, as methods and as lines of
//!   text. [`renumber`](Document::renumber) updates numbers and counts after manual changes.
//! * [`diff`]: the differences between two maps of any dialects.
//! * [`census`]: statistics of a map.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: documents as `serde` data, including formatting.
//!
//! # Layout of a file
//!
//! | part | text | WMPB | type |
//! |---|---|---|---|
//! | generator, counts | comments, `version`, `blocks`, `entities`, `objects` | `01.04` | [`Header`] |
//! | settings of the editor | `wed { … }` | `02.04` | [`Wed`] |
//! | blocks | `block N { … }` | `02.05` in a node | [`Block`] |
//! | level, lights, models, … | `model N { … }` | `04.05` to `0b.05` in a node | [`Entity`] |
//! | the tree | `object N { … }`, with numbers of members | nodes `01.05`, with nested members | [`Object`] |
//!
//! `$$M` has no tree: its blocks are inside the level, and everything is in world space. A chunk of WMPB is a field number, a class, a
//! type (class + 1), its size, and data or other chunks.
//!
//! # Sources
//!
//! The vendor's page on one text dialect, corrected and completed with 318 real files of all five dialects, of which every byte is
//! explained, with 57 pairs of a map and its `$$M`, and with 73 compiled levels. Fields of unknown meaning are documented as such.

pub mod census;
mod chunk;
mod codes;
mod convert;
pub mod diff;
mod document;
pub mod edit;
mod error;
mod kind;
mod loss;
mod options;
// Input is untrusted here: what can fail returns a result.
#[cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]
mod read;
mod renumber;
pub mod resolve;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod sniff;
mod tree;
mod validate;
mod write;

pub use mapwright_io as io;
pub use mapwright_query as query;

pub use codes::{BlockFlags, FaceFlags, LightFlags, ModelFlags, SoundFlags};
pub use document::{
    Block, Chunk, Corners, Counts, Dialect, Document, Edge, Entity, EntityKind, FORMAT, Face, Header, Level, Light,
    LineEnd, Member, MemberKind, Members, Mesh, Model, Name, Object, Part, Path, PathNode, PlaneFace, Region, Shape,
    Sound, Start, TextureSource, Wed,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use loss::{Export, Loss, LossKind, Losses};
pub use options::ReadOptions;
pub use resolve::Resolved;
pub use sniff::{Other, sniff};
pub use validate::{FileKind, Presence};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
