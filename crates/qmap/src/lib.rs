#![doc = include_str!("../README.md")]
// The crate reads untrusted bytes: everything that can fail returns an error.
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

mod bytes;
mod codes;
pub mod diff;
mod document;
pub mod edit;
mod error;
pub mod geometry;
mod options;
mod read;
// Numbers of a document are checked when it is read, and scenes when they are validated.
#[cfg(feature = "scene")]
#[allow(clippy::arithmetic_side_effects)]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod validate;
mod write;

pub use mapwright_io as io;
pub use mapwright_io::decode_text;
pub use mapwright_query as query;

pub use codes::{Contents, FORMATS, NO_TEXTURE, SurfaceFlags};
pub use document::editor::{EditorRole, EditorTree, RadiantLayer, RadiantLayers};
pub use document::entity::{Entity, KeyValue};
pub use document::face::{Face, Mapping, Plane};
pub use document::number::format_number;
pub use document::patch::{ControlPoint, Patch};
pub use document::primitive::{Primitive, PrimitiveKind};
pub use document::{Document, FORMAT, sniff};
pub use edit::Edit;
pub use error::{EditorProblem, ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use options::{ReadOptions, WriteOptions};
