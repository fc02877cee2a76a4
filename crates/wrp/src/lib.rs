//! Reads, edits, validates, converts and writes terrains of Operation Flashpoint, Arma and DayZ (`.wrp`) without losing a byte.
//!
//! Bohemia's editors store an island as a grid of heights, a grid of textures and a list of objects. The games load OPRW, which
//! adds precomputed data. This crate reads and writes 1WVR to 4WVR, 8WVR, and OPRW 2, 3 and 12 to 25, as written by Visitor,
//! WrpTool, Buldozer, Terrain Builder and the games.
//!
//! ```
//! use mapwright_wrp::{Document, Placements, Wvr};
//!
//! # let mut island = Wvr::new([4, 4]);
//! # let mut objects = mapwright_wrp::Builder::default();
//! # let model = objects.add_model(&mapwright_wrp::Name::new(*b"data3d\\kasna.p3d"));
//! # objects.push(model, mapwright_wrp::Matrix::from_position([10.0, 2.0, 20.0]), Some(7));
//! # island.objects = objects.finish();
//! # let file = Document::Wvr(island).to_bytes()?;
//! let mut terrain = Document::from_bytes(&file)?;
//! if let Placements::Matrices(matrices) = &mut terrain.objects_mut().placements {
//!     for matrix in matrices.iter_mut().filter(|matrix| !matrix.fits_to_ground()) {
//!         matrix.position[1] += 0.5;
//!     }
//! }
//! let changed = terrain.to_bytes()?;
//! # assert_eq!(changed.len(), file.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! | document | level | result |
//! |---|---|---|
//! | untouched, 1WVR to 4WVR | byte-exact | preserves bytes after names, records after the list, partial records, NaN bits |
//! | untouched, 8WVR | byte-exact | preserves the sentinel and its bits, −0.0, trailing bytes |
//! | untouched, OPRW | byte-exact | preserves the packed blocks and trees, and wrong sizes |
//! | changed | byte-exact except for the change | a fixed-width field preserves the bytes after its name until the name changes |
//! | changed grid of OPRW | payload-exact | the grid is packed again; data that the game computed from it is not updated |
//!
//! Names are bytes, because the file does not declare its code page. They are printed escaped and never converted. Heights of 1WVR
//! to 4WVR are raw steps of 0.045 m; old descriptions are wrong about this.
//!
//! # Safety and limits
//!
//! Any input gives a document or an error. There are no panics, and recursion is at most sixteen levels deep. Memory is at most
//! 16 MiB plus eight times the bytes that are read and unpacked, which [`ReadOptions`] limits. Objects are stored in columns:
//! reading a million of them takes about as long as copying the file.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] have a message, an offset and a path such as `materials[3]`. The reader accepts everything that
//! it can represent; [`validate`](Document::validate) reports what the games reject. The writer rejects a document that would be
//! read as a different one. The reader rejects 9VBW, 0WZD, other versions of OPRW, and compressed files, and names them.
//!
//! # Working on terrains
//!
//! * [`edit`]: changes the sea level; crops, resamples and pastes; finds, changes and removes objects; renames models and textures.
//!   Edits are methods and lines of text.
//! * [`convert`]: converts to 4WVR and 8WVR, with a list of losses.
//! * [`lists`]: reads and writes objects as CSV (with all bits), Terrain Builder text and `.lbt`.
//! * [`diff`]: compares two terrains.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: serializes and deserializes documents without losing a byte.
//!
//! # Layout of a file
//!
//! All numbers are little-endian. Rows are stored from the south, columns from the west. Lists of objects reach to the end of the
//! file.
//!
//! | 1WVR to 4WVR | bytes | type |
//! |---|---|---|
//! | magic, size | 12 | [`Version`], [`Wvr::size`] |
//! | heights, textures | 2 and 2 per cell | [`Wvr::heights`], [`Wvr::textures`] |
//! | names of textures | 512 (in 1WVR 256) of 32 | [`Wvr::names`] |
//! | objects | 64 each in 1WVR and 2WVR, else 128 | [`Objects`] |
//! | roads, in 1WVR | | [`Nets`] |
//!
//! | 8WVR | bytes | type |
//! |---|---|---|
//! | magic, sizes of both grids, cell | 24 | [`Wvr8`] |
//! | heights | 4 per vertex | [`Wvr8::heights`] |
//! | materials of cells | 2 per cell | [`Wvr8::cells`] |
//! | materials | strings with their lengths | [`Wvr8::materials`] |
//! | objects | 56 and the name, each | [`Objects`], [`Sentinel`] |
//!
//! OPRW has about twenty parts, which depend on the version. They are the fields of [`Oprw`], in file order.
//!
//! # Sources
//!
//! The format descriptions of the community. For 2WVR to 4WVR and OPRW 2 and 3, the source code of the engine, which takes
//! precedence. For 8WVR, three files of Terrain Builder, of which every byte is explained, and the heights and lists that they were
//! made from. No original file of 1WVR to 4WVR or OPRW was available. The test files were made from the descriptions, and several
//! independent readers decode them in the same way.

// The whole crate handles untrusted bytes, so nothing may panic.
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
pub mod convert;
pub mod diff;
mod document;
pub mod edit;
mod error;
mod finder;
pub mod lists;
mod loss;
mod lzo;
mod lzss;
mod options;
mod packing;
mod provenance;
mod read;
mod sample;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod steps;
mod tree;
mod validate;
mod write;

pub use mapwright_io as io;
pub use mapwright_query as query;

pub use codes::{OprwVersion, Version};
pub use document::{
    Builder, Document, Elevations, Entity, FORMAT, Ground, Heading, MapInfo, MapShape, Matrix, Name, Net, Nets, Object,
    Objects, Oprw, OprwMaterial, Packed, PackedPart, Placement, Placements, Road, RoadPiece, RoadPoint, Sentinel,
    SubNet, Wvr, Wvr8, sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use loss::{Export, Loss, LossKind, Losses};
pub use options::ReadOptions;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
