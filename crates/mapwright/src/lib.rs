//! Reads, checks, edits and writes game level files without losing a byte, understands them through one scene model, and
//! converts between them and to glTF, OBJ, Quake maps, Tiled maps and heightmaps.
//!
//! Reads and writes Wings 3D scenes of every version, Source 2 Hammer maps and any other DMX file in binary and in text, levels
//! of Claw and Gruntz, maps of 3D Gamestudio in all dialects, terrains of Operation Flashpoint, Arma and DayZ, any Erlang external
//! term, glTF 2.0, Wavefront OBJ, maps of Quake and of Tiled, and heightmaps.
//!
//! ```
//! use mapwright::{AnyDocument, Format, ReadOptions, Roundtrip, etf, roundtrip};
//!
//! let file = b"\x83h\x02d\x00\x05widtha\x07"; // {width,7}
//! let AnyDocument::Etf(mut document) = AnyDocument::from_bytes(file)? else { panic!("this is a term") };
//!
//! // Change one thing; all other bytes stay.
//! let mut eight = etf::Builder::new(etf::Profile::Otp17);
//! eight.integer(8);
//! let mut edit = etf::Edit::new(document.tree());
//! edit.replace(document.tree().root().element(1).unwrap(), &eight.finish()?);
//! let changed = edit.apply()?;
//! document.set_tree(changed);
//! assert_eq!(document.to_bytes()?, b"\x83h\x02d\x00\x05widtha\x08");
//!
//! assert_eq!(roundtrip(file, Format::Etf, &ReadOptions::default())?, Roundtrip::Exact);
//! # Ok::<(), mapwright::Error>(())
//! ```
//!
//! # Fidelity
//!
//! A document that was not changed is written byte for byte as it was read; of a changed one only the bytes change that
//! must. Interchange formats are read into a scene and not kept. The [table](manual::fidelity) says it for each format.
//!
//! # Safety and limits
//!
//! No unsafe code, no panic on any input, memory in proportion to the input and what it really inflates to. The limits are
//! in [`ReadOptions`] and [`ConvertOptions`] and can be changed. Services use [`ReadOptions::service`] and
//! [`ConvertOptions::service`]; [Using mapwright with untrusted files](manual::untrusted) describes the rest. Files that a document refers to are only read from its own folder and below, unless
//! [`ReadOptions::external`] says otherwise. Images of games come from an [`ArtFolder`], missing textures from a [`TextureFolder`].
//!
//! # Errors
//!
//! [`Error`] is one for all formats: what, [where](Error::place), [on which path](Error::path), of which
//! [category](Error::category), and [what to do](Error::help).
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `wings` | yes | Wings 3D scenes: the crate [`wings`] |
//! | `vmap` | yes | Source 2 maps, also [merged](vmap::merge): the crate [`vmap`]; implies `dmx` |
//! | `dmx` | yes | DMX element graphs, binary and KeyValues2: the crate [`dmx`] |
//! | `wwd` | yes | WAP32 levels (Claw, Gruntz): the crate [`wwd`] |
//! | `wrp` | yes | terrains of Operation Flashpoint, Arma and DayZ: the crate [`wrp`] |
//! | `wmp` | yes | maps of 3D Gamestudio: the crate [`wmp`] |
//! | `gltf` | yes | glTF 2.0 in both containers |
//! | `heightmap` | yes | heightmaps: ESRI ASCII grid, GeoTIFF, grey PNG, XYZ; texture cells as a picture with a legend |
//! | `map` | yes | Quake maps, standard and Valve 220 |
//! | `obj` | yes | Wavefront OBJ |
//! | `tiled` | yes | Tiled maps, TMX and TMJ |
//! | `wad` | yes | textures of materials out of a folder: pictures, WAD2, WAD3, WAD7 |
//! | `render` | yes | pictures of scenes: the crate [`render`] |
//! | `page` | yes | pages for browsers: [`page`]; implies `gltf` and `render` |
//!
//! # Layout
//!
//! | module | what |
//! |---|---|
//! | `detect`, `format` | which format a file is of, and what can be done with it |
//! | `file`, `options`, `resources` | taking files into memory, and those that they name |
//! | `document`, `error` | any document, any error |
//! | `roundtrip` | byte comparison |
//! | [`info`], `listing`, `json` | summaries, lists, documents as JSON |
//! | `convert`, `matrix` | conversion, and what it carries |
//! | [`query`] | finds and edits objects of documents by their fields |
//! | [`page`] | a document as a page for browsers |
//! | `art`, `textures`, `folder` | pictures of games and textures of materials, in folders of the user |
//! | `save` | atomic saving |
//! | [`manual`] | architecture, conventions, fidelity, untrusted files, how to add a format |

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "wwd")]
mod art;
mod convert;
mod detect;
mod document;
mod edit;
mod error;
mod file;
#[cfg(any(feature = "wad", feature = "wwd"))]
mod folder;
mod format;
pub mod info;
mod json;
mod listing;
pub mod manual;
mod matrix;
mod options;
#[cfg(feature = "page")]
pub mod page;
pub mod query;
mod resources;
mod roundtrip;
mod save;
#[cfg(feature = "wad")]
mod textures;

#[cfg(feature = "dmx")]
pub use mapwright_dmx as dmx;
pub use mapwright_etf as etf;
pub use mapwright_interchange as interchange;
pub use mapwright_io as io;
#[cfg(feature = "render")]
pub use mapwright_render as render;
pub use mapwright_scene as scene;
#[cfg(feature = "vmap")]
pub use mapwright_vmap as vmap;
#[cfg(feature = "wings")]
pub use mapwright_wings as wings;
#[cfg(feature = "wmp")]
pub use mapwright_wmp as wmp;
#[cfg(feature = "wrp")]
pub use mapwright_wrp as wrp;
#[cfg(feature = "wwd")]
pub use mapwright_wwd as wwd;

#[cfg(feature = "wwd")]
pub use art::{ArtFolder, LevelArt};
pub use convert::{Axis, Contents, Conversion, ConvertOptions, convert};
pub use detect::{Detection, PREFIX, detect};
pub use document::{AnyDocument, SceneFile};
pub use error::{Error, Place};
pub use file::Input;
pub use format::{Access, Format};
#[cfg(feature = "dmx")]
pub use json::write_graph_json;
#[cfg(feature = "wmp")]
pub use json::write_map_json;
pub use json::{DUMP_SCHEMA, JsonLayout, write_term_json};
#[cfg(feature = "wrp")]
pub use json::{read_objects_json, write_objects_geojson, write_objects_json, write_terrain_json};
#[cfg(feature = "wwd")]
pub use json::{write_level_diff_json, write_level_json};
pub use listing::Listing;
pub use matrix::{Carried, Thing, conversion_table};
pub use options::ReadOptions;
pub use query::{Edit, EditOptions, Query};
pub use resources::{External, FilesBeside};
pub use roundtrip::{Difference, Roundtrip, bytes_around, compare, roundtrip};
pub use save::{SaveOptions, abandon_saves, save, save_set, save_with};
#[cfg(feature = "wad")]
pub use textures::TextureFolder;

#[cfg(all(doctest, feature = "gltf", feature = "obj"))]
#[doc = include_str!("../README.md")]
struct Readme;
