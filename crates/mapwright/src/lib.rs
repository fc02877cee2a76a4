//! Reads, edits and converts game levels without losing a byte.
//!
//! Reads and writes Wings 3D scenes, Source 2 Hammer maps and other DMX files, levels of Claw and Gruntz, maps of 3D Gamestudio,
//! terrains of Operation Flashpoint, Arma and DayZ, and Erlang terms. Converts them through one scene model, also to and from glTF 2.0,
//! Wavefront OBJ, Quake maps, Tiled maps and heightmaps.
//!
//! ```
//! use mapwright::{AnyDocument, Format, ReadOptions, Roundtrip, etf, roundtrip};
//!
//! let file = b"\x83h\x02d\x00\x05widtha\x07"; // {width,7}
//! let mut document = AnyDocument::from_bytes(file)?.into_etf().expect("the file is a term");
//!
//! // Change one number. All other bytes stay.
//! let mut eight = etf::Builder::new(etf::WriterProfile::Otp17);
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
//! An unchanged document is written byte for byte as it was read. In a changed one, only the bytes change that must. Files of interchange
//! formats are converted to a scene and not preserved. The [table](manual::fidelity) lists the promises of each format.
//!
//! # Safety and limits
//!
//! No unsafe code, no panic on any input, memory in proportion to the input and its decompressed size. [`ReadOptions`] and
//! [`ConvertOptions`] contain the limits. Services use [`ReadOptions::service`] and [`ConvertOptions::service`];
//! [Using mapwright with untrusted files](manual::untrusted) describes the rest. Files that a document names are only read from its own
//! folder and below, unless [`ReadOptions::external`] allows more, and from the folders of a
//! [`ContentSource`].
//!
//! # Errors
//!
//! All formats have one [`Error`]. It has a message, a [place](Error::place), a [path](Error::path), a [category](Error::category), and
//! [help](Error::help).
//!
//! # Features
//!
//! [`Format`] has all formats in every build. [`Format::is_available`] returns `true` for those that the build supports, and
//! [`Format::feature`] names the feature that adds one.
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `fs` | yes | files on disk: [`Input::open`], [`save()`] and all else that opens or writes them |
//! | `wings` | yes | Wings 3D scenes: the crate [`wings`] |
//! | `vmap` | yes | Source 2 maps, and [merging](vmap::merge) them: the crate [`vmap`]; implies `dmx` |
//! | `vmf` | yes | Source 1 maps: the crate [`vmf`] |
//! | `dmx` | yes | DMX element graphs, binary and KeyValues2: the crate [`dmx`] |
//! | `wwd` | yes | WAP32 levels (Claw, Gruntz): the crate [`wwd`] |
//! | `wrp` | yes | terrains of Operation Flashpoint, Arma and DayZ: the crate [`wrp`] |
//! | `wmp` | yes | maps of 3D Gamestudio: the crate [`wmp`] |
//! | `gltf` | yes | glTF 2.0 in both containers |
//! | `heightmap` | yes | heightmaps: ESRI ASCII grid, BIL and FLT, GeoTIFF, grey PNG, XYZ, raw numbers; texture cells as an image with a legend |
//! | `map` | yes | Quake maps: the crate [`qmap`] |
//! | `obj` | yes | Wavefront OBJ |
//! | `tiled` | yes | maps, tilesets, templates and worlds of Tiled: the crate [`tiled`] |
//! | `textures` | yes | textures of materials from a [`ContentSource`]: images, WAD2, WAD3, WAD7 |
//! | `render` | yes | images of scenes: the crate [`render`] |
//! | `page` | yes | HTML pages: [`page`]; implies `gltf` and `render` |
//! | `parallel` | no | all threads of `rayon` for large files; the results are the same |
//!
//! Without `fs`, nothing opens a file, and paths are only names: documents come from bytes, and the files that they name from a
//! [`ContentSource`] in memory. This is the build for browsers.
//!
//! # Layout
//!
//! | module | content |
//! |---|---|
//! | `formats` | the table of formats, and one file for each |
//! | `detect`, `format` | detection of formats, and questions about them |
//! | `file`, `options` | reading files into memory, options |
//! | `document`, `error` | any document, any error |
//! | [`diff`], `roundtrip`, [`excerpt`] | differences of documents and files, comparison of bytes, bytes and lines as text |
//! | [`info`], `listing`, `json` | summaries, lists, documents as JSON |
//! | [`content`] | files to which levels refer |
//! | `convert`, `fidelity` | conversion, and what it keeps |
//! | [`edit`], [`query`] | finding and editing objects of documents by their fields |
//! | `drawable` | the scene that an image of a document shows |
//! | [`page`] | a document as an HTML page |
//! | `save` | atomic saving |
//! | [`manual`] | architecture, conventions, fidelity, untrusted files, adding a format |

#![cfg_attr(
    not(feature = "default"),
    allow(dead_code, reason = "builds with few formats use a part of the shared code")
)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "textures")]
pub mod content;
mod convert;
mod detect;
pub mod diff;
mod document;
#[cfg(all(feature = "render", feature = "textures"))]
mod drawable;
pub mod edit;
mod encoding;
mod error;
pub mod excerpt;
mod fidelity;
mod file;
mod foreign;
mod format;
mod formats;
pub mod info;
mod json;
#[cfg(any(feature = "vmap", feature = "vmf"))]
mod key_rules;
mod listing;
pub mod manual;
mod options;
#[cfg(feature = "page")]
pub mod page;
pub mod query;
mod rescue;
mod roundtrip;
#[cfg(feature = "fs")]
mod save;

pub use mapwright_etf as etf;
#[cfg(any(feature = "vmap", feature = "vmf"))]
pub use mapwright_fgd as fgd;
#[cfg(feature = "heightmap")]
pub use mapwright_heightmap as heightmap;
pub use mapwright_interchange as interchange;
pub use mapwright_io as io;
#[cfg(feature = "map")]
pub use mapwright_qmap as qmap;
#[cfg(feature = "render")]
pub use mapwright_render as render;
pub use mapwright_rez as rez;
pub use mapwright_scene as scene;
#[cfg(feature = "tiled")]
pub use mapwright_tiled as tiled;
#[cfg(feature = "vmap")]
pub use mapwright_vmap as vmap;
#[cfg(feature = "vmf")]
pub use mapwright_vmf as vmf;
#[cfg(feature = "wings")]
pub use mapwright_wings as wings;
#[cfg(feature = "dmx")]
pub use {formats::dmx::write_graph_json, mapwright_dmx as dmx};
#[cfg(feature = "wmp")]
pub use {formats::wmp::write_map_json, mapwright_wmp as wmp};
#[cfg(feature = "wrp")]
pub use {
    formats::wrp::{
        TerrainList, TerrainListOptions, read_model_centres, read_objects_json, write_objects_geojson,
        write_terrain_json, write_terrain_list,
    },
    mapwright_wrp as wrp,
};
#[cfg(feature = "wwd")]
pub use {
    formats::wwd::{AttachOptions, AttachReport, LevelArt, write_level_diff_json, write_level_json},
    mapwright_wapart as wapart, mapwright_wwd as wwd,
};

pub use convert::{Axis, Contents, Conversion, convert};
pub use detect::{Detection, PREFIX, detect};
pub use diff::DocumentDiff;
pub use document::{AnyDocument, SceneFile};
#[cfg(all(feature = "render", feature = "textures"))]
pub use drawable::Drawable;
pub use encoding::{InvalidUtf16, to_utf8};
pub use error::{Error, FormatError, Place};
pub use fidelity::{ConversionFeature, Fidelity, fidelity_answers, fidelity_tables};
pub use file::Input;
pub use foreign::ForeignFormat;
pub use format::Access;
pub use formats::Format;
pub use json::{DUMP_SCHEMA, JsonLayout, OUTPUT_SCHEMAS, write_term_json};
pub use listing::Listing;
#[cfg(all(feature = "fs", feature = "vmap"))]
pub use mapwright_content::content_roots;
pub use mapwright_content::{ContentFile, ContentSource, FilesBeside};
#[cfg(feature = "fs")]
pub use mapwright_content::{External, is_archive, split_archive};
pub use options::{ConvertOptions, ReadOptions};
pub use query::{Edit, EditOptions, Query};
pub use rescue::{Rescued, rescue};
pub use roundtrip::{Difference, Roundtrip, bytes_around, compare, roundtrip};
#[cfg(feature = "fs")]
pub use save::{SaveOptions, abandon_saves, save, save_set, save_with};

#[cfg(all(doctest, feature = "gltf", feature = "obj"))]
#[doc = include_str!("../README.md")]
struct Readme;
