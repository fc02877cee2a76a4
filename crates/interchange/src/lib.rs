//! glTF 2.0, Wavefront OBJ, Quake maps, Tiled maps and heightmaps to and from the `mapwright` scene model.
//!
//! Every format of scenes is a module with the same three functions: `to_scene`, `from_scene`, `capabilities`. What a format cannot
//! say is never left out silently: it is in the losses that come with every import and export. Examples stand in the modules
//! [`gltf`], [`obj`], [`map`], [`tiled`] and [`heightmap`], and what each keeps.
//!
//! # Safety and limits
//!
//! This crate opens no file: what a document names comes from a [`FileSource`], and a document of several files is written
//! as [`Files`]. Documents may lie: counts are checked against the bytes that are there, nothing recurses over their data,
//! and what a small document can make is limited by the import options. Scenes may be broken: exporters refuse what
//! `Scene::validate` calls broken.
//!
//! # Errors
//!
//! An [`Error`] says what ([`ErrorKind`], with a [`Category`] to act on), where in the input ([`Position`]) and on which path of
//! the document or scene.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `gltf` | yes | [`gltf`], `triangulate` |
//! | `heightmap` | yes | [`heightmap`] |
//! | `map` | yes | [`map`] |
//! | `obj` | yes | [`obj`] |
//! | `tiled` | yes | [`tiled`] |
//! | `wad` | yes | [`wad`], which is no scene |

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(any(feature = "gltf", feature = "tiled"))]
mod base64;
#[cfg(any(feature = "gltf", feature = "obj"))]
mod brushes;
mod error;
mod files;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "heightmap")]
pub mod heightmap;
#[cfg(any(feature = "gltf", feature = "map", feature = "obj", feature = "tiled"))]
mod images;
#[cfg(feature = "map")]
pub mod map;
#[cfg(any(feature = "obj", feature = "tiled"))]
mod names;
#[cfg(feature = "obj")]
pub mod obj;
#[cfg(any(feature = "heightmap", feature = "map", feature = "obj"))]
mod output;
#[cfg(any(feature = "gltf", feature = "map", feature = "obj"))]
mod texels;
#[cfg(feature = "tiled")]
pub mod tiled;
#[cfg(feature = "gltf")]
mod triangles;
#[cfg(feature = "gltf")]
mod uri;
#[cfg(feature = "wad")]
pub mod wad;

#[cfg(any(feature = "gltf", feature = "tiled"))]
pub use base64::encode as encode_base64;
pub use error::{Category, Error, ErrorKind, Position};
pub use files::{FileError, FileKind, FileSource, Files, NoFiles, SideFile};
#[cfg(any(feature = "gltf", feature = "obj", feature = "tiled"))]
pub use images::decode_image;
#[cfg(any(feature = "gltf", feature = "map", feature = "obj", feature = "tiled"))]
pub use images::{decode_png, image_size};
#[cfg(feature = "gltf")]
pub use triangles::triangulate;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
