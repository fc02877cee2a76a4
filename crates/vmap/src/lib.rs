//! Source 2 Hammer maps.

mod document;
mod error;
pub mod mesh;
mod options;
mod read;
mod write;

pub use mapwright_dmx as dmx;
pub use mapwright_io as io;

pub use document::{Document, FORMAT, sniff};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use mesh::Mesh;
pub use options::{ReadOptions, WriteOptions};
