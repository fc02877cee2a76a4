//! Maps of 3D Gamestudio (`.wmp` of WED, Acknex A4 to A8): read, edited, checked, converted and written without losing a byte.
//!
//! WED, the closed editor of Conitec, saved five dialects under one extension: text with planes (A4), with vertices (`version 510`),
//! with texture vectors (`version 710`), the resolved form that its level compiler takes (`$$M`, `version 711`), and since 2010 chunks
//! (WMPB), of which nothing was published. All are read into one [`Document`], and written.
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
//! | | rung | what comes back |
//! |---|---|---|
//! | untouched | byte-exact | the file: comments, blanks, spellings, line ends, unknown lines and chunks |
//! | text, changed | byte-exact but for the change | parts that were not borrowed to be changed are copied; in the others every number and blank that says the same keeps its spelling; what is new is printed as the dialect's editor does |
//! | text, [source forgotten](Document::forget_source) | semantic | printed by the editor's rules, which reproduce its files but for numbers that were typed by hand |
//! | WMPB, changed | byte-exact but for the change | sizes and counts follow; unknown chunks stay in their places; chunks in an order of their own move to the usual one |
//!
//! Names are bytes of the code page of whoever saved the file, which it does not name: they are shown escaped and never converted. Text
//! keeps the name of a group in a comment: that is its [name](Object::name) here.
//!
//! # Safety and limits
//!
//! Any bytes are answered with a document or an error: no panic, no recursion over data, linear time, and memory of at most 16 MiB and
//! eight times the file, which [`ReadOptions`] limits. Files of 4 GiB and more are refused, whatever the limits say. Objects may hold each other in circles, or what is not there: reading keeps
//! that, and whatever walks the tree takes each object once.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] say what, at which offset (in text also line and column) and on which path:
//! `blocks[5].faces[2]`. What else is called `.wmp` is refused by name: maps of Acknex-3, Windows Media, Git LFS pointers
//! ([`Other`]). Reading accepts whatever it can represent; what is odd about it is what [`validate`](Document::validate) says.
//!
//! # Working on maps
//!
//! * [`resolve`](Document::resolve): the level in the space of the world, one meaning for all dialects: angles, texture vectors, locks.
//! * [`convert`](Document::convert): any dialect into any other, with a list of what was lost.
//! * [`edit`]: textures and files renamed; items found, set, moved, deleted; groups extracted, maps merged; as methods and as lines of
//!   text. [`renumber`](Document::renumber) brings numbers and counts in order after changes by hand.
//! * [`diff`]: what differs between two maps, whatever their dialects.
//! * [`census`]: what a map holds.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: the document as `serde` data, with its spelling, and back.
//!
//! # Layout of a file
//!
//! | part | text | WMPB | type |
//! |---|---|---|---|
//! | who wrote it, counts | comments, `version`, `blocks`, `entities`, `objects` | `01.04` | [`Header`] |
//! | settings of the editor | `wed { … }` | `02.04` | [`Wed`] |
//! | blocks | `block N { … }` | `02.05` in a node | [`Block`] |
//! | level, lights, models, … | `model N { … }` | `04.05` to `0b.05` in a node | [`Entity`] |
//! | the tree | `object N { … }`, which name what they hold | nodes `01.05`, which hold it | [`Object`] |
//!
//! `$$M` has no tree: its blocks stand in the level, and everything is in the space of the world. A chunk of WMPB is a field number, a
//! class, a type (class + 1), its size, and data or other chunks.
//!
//! # Sources
//!
//! The vendor's page on one text dialect, corrected and completed by 318 real files of all five, of which every byte is explained, by
//! 57 pairs of a map and its `$$M`, and by 73 levels that its compiler made of maps. What nobody knows is called so.

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
