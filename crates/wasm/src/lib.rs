//! mapwright for JavaScript: classes and functions over the library `mapwright`, without logic of their own.
//!
//! `cargo xtask wasm` builds the module and the npm package. The README of the package describes its use.

mod archive;
mod document;
mod error;
mod files;
mod formats;
mod options;
mod types;
mod value;

pub use archive::Archive;
pub use document::Document;
pub use formats::{detect, formats, version};
