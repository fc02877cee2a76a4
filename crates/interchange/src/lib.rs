//! glTF 2.0 and Wavefront OBJ to and from the mapwright scene model.

mod error;
mod files;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "obj")]
pub mod obj;
#[cfg(any(feature = "gltf", feature = "obj"))]
mod picture;
#[cfg(feature = "gltf")]
mod uri;

pub use error::{Category, Error, ErrorKind, Position};
pub use files::{FileSource, Files, NoFiles, SideFile};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
