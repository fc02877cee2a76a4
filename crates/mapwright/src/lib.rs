//! Reads, checks, converts and writes game level files of several formats without losing a byte.

mod convert;
mod detect;
mod document;
mod error;
mod file;
mod format;
pub mod info;
mod json;
mod options;
mod resources;
mod roundtrip;
mod save;

pub use mapwright_etf as etf;
pub use mapwright_interchange as interchange;
pub use mapwright_io as io;
pub use mapwright_scene as scene;
#[cfg(feature = "wings")]
pub use mapwright_wings as wings;

pub use convert::{Axis, Conversion, ConvertOptions, Kept, convert};
pub use detect::{Detection, PREFIX, detect};
pub use document::{AnyDocument, SceneFile};
pub use error::{Error, Place};
pub use file::Input;
pub use format::{Access, Format};
pub use json::write_term_json;
pub use options::ReadOptions;
pub use resources::{FilesBeside, find_picture};
pub use roundtrip::{Difference, Roundtrip, bytes_around, roundtrip};
pub use save::{SaveOptions, save, save_set};
