//! glTF 2.0 and Wavefront OBJ to and from the `mapwright` scene model.
//!
//! Every scene format is a module with three functions: `to_scene`, `from_scene`, `capabilities`. Nothing is left out silently: imports
//! and exports return [`Losses`](mapwright_scene::Losses). The modules [`gltf`] and [`obj`] contain
//! examples and list what each format stores.
//!
//! # Safety and limits
//!
//! This crate opens no files: files that a document refers to come from a [`FileSource`](mapwright_scene::FileSource), and a document of
//! several files is written as [`Files`](mapwright_scene::Files). Documents are not trusted: counts are checked against the available
//! bytes, nothing recurses over data, and import options limit the expanded size. Scenes are not trusted either: exporters reject scenes
//! for which `Scene::validate` returns an error.
//!
//! # Errors
//!
//! An [`Error`] has an [`ErrorKind`] with a [`Category`], a [`Position`] in the input, and a path in the document or scene.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `gltf` | yes | [`gltf`], `triangulate`, `triangle_corners` |
//! | `obj` | yes | [`obj`] |
//! | `parallel` | no | uses all threads of `rayon` for large files; the results are the same |

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "gltf")]
mod base64;
#[cfg(any(feature = "gltf", feature = "obj"))]
mod brushes;
mod error;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "obj")]
pub mod obj;
#[cfg(feature = "gltf")]
mod triangles;
#[cfg(feature = "gltf")]
mod uri;

#[cfg(feature = "gltf")]
pub use base64::encode as encode_base64;
#[cfg(any(feature = "gltf", feature = "obj"))]
pub use brushes::brushes_to_meshes;
pub use error::{Category, Error, ErrorKind, Position};
#[cfg(feature = "gltf")]
pub use triangles::{triangle_corners, triangulate};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
