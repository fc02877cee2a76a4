//! Terrains of Operation Flashpoint, Arma and DayZ (`.wrp`): read, edited, checked, converted and written without losing a byte.
//!
//! Bohemia's editors store an island as a grid of heights, a grid of textures and a list of objects; the games load the same as
//! OPRW, with all that can be computed beforehand. Visitor, WrpTool, Buldozer, Terrain Builder and the game itself wrote such files:
//! 1WVR to 4WVR, 8WVR, and OPRW 2, 3 and 12 to 25 are read and written.
//!
//! ```
//! use mapwright_wrp::{Document, Placements, Wvr};
//!
//! # let mut island = Wvr::new([4, 4]);
//! # let mut objects = mapwright_wrp::Builder::default();
//! # let model = objects.model(&mapwright_wrp::Name::new(*b"data3d\\kasna.p3d"));
//! # objects.push(model, mapwright_wrp::Matrix::at([10.0, 2.0, 20.0]), Some(7));
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
//! | | rung | what comes back |
//! |---|---|---|
//! | untouched, 1WVR to 4WVR | byte-exact | the file: bytes behind names, records behind the list, parts of records, bits of numbers that are none |
//! | untouched, 8WVR | byte-exact | the file: the sentinel and its bits, −0.0, bytes at the end |
//! | untouched, OPRW | byte-exact | the file: blocks and trees as they were packed, sizes that it states wrongly |
//! | changed | byte-exact but for the change | a field of fixed width keeps what stands behind its name until the name changes |
//! | changed grid of OPRW | payload-exact | that grid is packed anew; what the game computed of it stays as it was |
//!
//! Names are bytes: the file does not name its code page, so they are shown escaped and never converted. Heights of 1WVR to 4WVR
//! are raw steps; a step is 0.045 m, whatever old descriptions say.
//!
//! # Safety and limits
//!
//! Any bytes are answered with a document or an error: no panic, no recursion deeper than sixteen, and memory of at most 16 MiB
//! and eight times the bytes that are read and unpacked, which [`ReadOptions`] limits. A million objects are a few columns: reading
//! them takes about as long as copying the file.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] say what, at which offset and on which path: `materials[3]`. Reading accepts whatever it can
//! represent; what the games make of it is what [`validate`](Document::validate) says. A document that would be read as another is
//! not written. 9VBW, 0WZD, OPRW of other versions and terrains that are packed as a whole are refused by name.
//!
//! # Working on terrains
//!
//! * [`edit`]: sea level, crop, resample, paste; objects found, moved, removed and renumbered; models and textures renamed; as
//!   methods and as lines of text.
//! * [`convert`]: into 4WVR and 8WVR, with a list of what was lost.
//! * [`lists`]: objects as CSV that brings the same bits back, as Terrain Builder's text and as `.lbt`.
//! * [`diff`]: what differs between two terrains.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: the document as `serde` data, all bytes of it, and back.
//!
//! # Layout of a file
//!
//! All numbers are little-endian, rows run from the south, columns from the west. Lists of objects run to the end of the file.
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
//! | objects | 56 and a name each | [`Objects`], [`Sentinel`] |
//!
//! OPRW has some twenty parts, which depend on its version: they are the fields of [`Oprw`], in their order.
//!
//! # Sources
//!
//! The descriptions of the formats by their community; for 2WVR to 4WVR and OPRW 2 and 3 the engine's own sources, which decide
//! where they differ; for 8WVR three files of Terrain Builder, of which every byte is explained, and the heights and lists that they
//! were made of. No file of 1WVR to 4WVR, and of OPRW, was at hand that the original programs wrote: those were made from the
//! descriptions, and are decoded alike by several independent readers.

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
