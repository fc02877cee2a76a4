//! Levels of the WAP32 engine (`.wwd`: Claw, Gruntz): read, edited, checked and written without losing a byte.
//!
//! Monolith's games of 1997 to 1999 keep a level in one file: planes of tiles that move with the camera at their own pace, objects,
//! and what each tile is to the touch. WapWorld and GLE, the original editors, and WapMap write such files; what they write is
//! read and written, compressed or not, and an edited level is compressed and summed up as the program would that wrote it.
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
//! | | rung | what comes back |
//! |---|---|---|
//! | untouched | byte-exact | the file: reserved words, bytes behind texts, the stored block, bytes behind it |
//! | changed | byte-exact but for the change | the main block differs where the document does; it is compressed and summed up as the [`style`](Document::style) says, bit for bit as that editor does |
//! | changed, sections in an unusual order | byte-exact but for the change | as long as sections keep their size; otherwise they move to the usual order, and bytes of no section are dropped ([`Layout`]) |
//! | checksum of neither editor | kept untouched | becomes that of the style when the level changes |
//! | header size above 1524 | byte-exact | read with [`HeaderSize::Any`] alone |
//!
//! Texts are bytes: the file does not name its code page, so they are shown escaped and never converted.
//!
//! # Safety and limits
//!
//! Any bytes are answered with a document or an error: no panic, no recursion, linear time, and memory in proportion to the bytes
//! read and inflated, which [`ReadOptions`] limits. Sections may share bytes, but together claim at most twice the main block and
//! 1 MiB. Objects are checked when the level is read, and made at the first look at one of them.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] say what, at which offset and on which path: `planes[2].objects[17]`. Offsets count as the
//! file's own do: as if it was not compressed. Reading accepts whatever it can represent; what the games make of it is
//! what [`validate`](Document::validate) says.
//!
//! # Working on levels
//!
//! * [`art`]: the pictures of tiles and objects, from the folders of the game.
//! * [`edit`]: adds and resizes planes with their objects, fills and copies tiles, finds and sets objects, as methods and as text.
//! * [`diff`]: what differs between two levels.
//! * [`census`]: what a level holds, and what its treasure is worth.
//! * [`logics`]: what the games make of objects and tiles.
//! * [`Notes`]: what WapMap keeps behind the stored block.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`, and the pictures of the game in such scenes.
//!
//! # Layout of a file
//!
//! | what | bytes | type |
//! |---|---|---|
//! | header | 1524 | [`Header`] |
//! | stored block | | the main block, as it is or as a zlib stream |
//! | trailer | | nothing, or WapMap's notes |
//!
//! The main block, whose sections stand in this order in all known files:
//!
//! | section | bytes | type |
//! |---|---|---|
//! | header of each plane | 160 | [`Plane`] |
//! | tiles of each plane | 4 per tile | [`Plane::tiles`], [`Cell`] |
//! | image sets of each plane | names with a NUL behind each | [`ImageSets`] |
//! | objects of each plane | 284 and four texts | [`Object`] |
//! | tile properties | 32, then 20, 40 or 16 and a byte per pixel for each tile | [`TileProperties`] |
//!
//! All numbers are little-endian words of 32 bits.
//!
//! # Sources
//!
//! The description of the format by its community, corrected and completed by 68 levels of 1997 to 2018, of which every byte is
//! explained, by the sources of WapMap, and by the engine as it was reconstructed from Gruntz. What nobody knows is called so.

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

pub mod art;
pub mod census;
mod checksum;
mod codes;
pub mod diff;
mod document;
pub mod edit;
mod error;
mod fix;
pub mod logics;
mod options;
mod overview;
mod provenance;
mod read;
#[cfg(feature = "scene")]
pub mod scene;
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
pub use options::{HeaderSize, ReadOptions, Style, WriteOptions};
pub use overview::{Overview, PlaneOverview};
pub use provenance::{Program, Provenance};
pub use trailer::{About, Favourite, Guide, GuideDirection, Note, Notes, NotesError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
