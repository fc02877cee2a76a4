//! Levels of the WAP32 engine (`.wwd`: Claw, Gruntz): read, edited, checked and written without losing a byte.
//!
//! Monolith's games of 1997 to 1999 store a level in one file: planes of tiles that move with the camera at their own pace, objects, and
//! collision attributes of tiles. WapWorld and GLE, the original editors, and WapMap write such files. The crate reads and writes them,
//! compressed or not. It compresses an edited level, and computes its checksum, exactly as the program that wrote the file.
//!
//! ```
//! use mapwright_wwd::{Document, Object, Plane, PlaneFlags};
//!
//! # let mut level = Document::new();
//! # let elevator = Object { logic: b"Elevator".to_vec(), x: 32, y: 32, speed_x: 100, ..Object::default() };
//! # level.planes.push(Plane { flags: PlaneFlags::MAIN, objects: vec![elevator].into(), ..Plane::default() });
//! # let file = level.to_bytes()?;
//! let mut level = Document::from_bytes(&file)?;
//! for object in level.planes.iter_mut().flat_map(|plane| &mut plane.objects) {
//!     if object.logic == b"Elevator" {
//!         object.speed_x = 150;
//!     }
//! }
//! let changed = level.to_bytes()?;
//! # assert_eq!(Document::from_bytes(&changed)?.planes[0].objects[0].speed_x, 150);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! | level | fidelity | result |
//! |---|---|---|
//! | untouched | byte-exact | the same file: reserved words, bytes after texts, the stored block, bytes after it |
//! | changed | byte-exact except for the change | the main block differs only where the document does; compression and checksum are exactly those of the [`profile`](Document::profile) |
//! | changed, sections in an unusual order | byte-exact except for the change | as long as the sizes of sections are unchanged; otherwise they move to the usual order, and bytes of no section are dropped ([`Layout`]) |
//! | checksum of neither editor | byte-exact until a change | replaced by that of the profile when the level changes |
//! | header size above 1524 | byte-exact | read only with [`HeaderSize::Any`] |
//!
//! Texts are bytes: the file does not name its code page. They are shown escaped and never converted.
//!
//! # Safety and limits
//!
//! Reading any bytes returns a document or an error: no panic, no recursion, linear time. Memory is proportional to the bytes read and
//! inflated, which [`ReadOptions`] limits. Sections can share bytes, but together take at most twice the main block and 1 MiB. Objects
//! are checked when the level is read, and decoded at the first access.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] contain the kind, the offset and the path: `planes[2].objects[17]`. Offsets count as those in the
//! file do: as if it was not compressed. Reading accepts everything that it can represent; [`validate`](Document::validate) reports
//! problems in the games.
//!
//! # Working on levels
//!
//! * [`art`]: images of tiles and objects, from the folders of the game.
//! * [`edit`]: adds and resizes planes, fills and copies tiles, finds and sets objects, as methods and as text.
//! * [`diff`]: differences of two levels.
//! * [`census`]: statistics of a level, and the value of its treasure.
//! * [`logics`]: meaning of objects and tiles in the games.
//! * [`Notes`]: WapMap's notes after the stored block.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`, and images of the game in such scenes.
//! * `serde`: levels and their differences as data of any format that serde knows. A level comes back byte for byte.
//!
//! # Layout of a file
//!
//! | part | bytes | type |
//! |---|---|---|
//! | header | 1524 | [`Header`] |
//! | stored block | | the main block, plain or as a zlib stream |
//! | trailer | | nothing, or WapMap's notes |
//!
//! The main block. In all known files, its sections have this order:
//!
//! | section | bytes | type |
//! |---|---|---|
//! | header of each plane | 160 | [`Plane`] |
//! | tiles of each plane | 4 per tile | [`Plane::tiles`], [`Cell`] |
//! | image sets of each plane | names that end with a NUL | [`ImageSets`] |
//! | objects of each plane | 284 and four texts | [`Object`] |
//! | tile properties | 32; per tile 20, 40, or 16 and a byte per pixel | [`TileProperties`] |
//!
//! All numbers are little-endian words of 32 bits.
//!
//! # Sources
//!
//! The description of the format by its community, corrected and completed with 68 levels of 1997 to 2018, of which every byte is
//! explained, with the sources of WapMap, and with the engine as reconstructed from Gruntz. Unknown facts are marked.

// The crate reads untrusted bytes: everything that can fail returns an error. `expect` states why something cannot fail; modules that read
// bytes do not have it.
#![cfg_attr(
    not(test),
    deny(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)
)]

#[cfg_attr(not(test), deny(clippy::expect_used))]
pub mod art;
pub mod census;
mod checksum;
mod codes;
pub mod diff;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod document;
pub mod edit;
mod error;
mod fix;
pub mod logics;
mod options;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod overview;
mod provenance;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod read;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod trailer;
mod validate;
mod write;

pub use mapwright_io as io;
pub use mapwright_query as query;

pub use mapwright_io::{escape_bytes, unescape_bytes};

pub use checksum::Checksum;
pub use codes::{AddFlags, Cell, DrawFlags, DynamicFlags, HeaderFlags, ObjectType, PlaneFlags, UserFlags};
pub use document::{
    Document, FORMAT, FieldError, FieldValue, Header, ImageSets, Layout, NulInName, Object, Objects, Plane,
    PlaneLayout, Rect, Residue, Shape, TileProperties, TileProperty, Tiles, sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use fix::{Fix, FixOptions};
pub use options::{HeaderSize, ReadOptions, WriteOptions, WriterProfile};
pub use overview::{Overview, PlaneOverview};
pub use provenance::{Program, Provenance};
#[cfg(feature = "serde")]
pub use serial::DocumentData;
pub use trailer::{About, Favourite, Guide, GuideDirection, Note, Notes, NotesError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
