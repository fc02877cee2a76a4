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

mod codes;
pub mod diff;
mod document;
pub mod edit;
mod error;
pub mod geometry;
mod options;
mod read;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod validate;
mod write;

pub use mapwright_io as io;
pub use mapwright_keyvalues as keyvalues;
pub use mapwright_query as query;

pub use codes::{DisplacementArray, FixupStyle};
pub use document::displacement::Displacement;
pub use document::editor::{Camera, Cordon, EditorData, Group, VisGroup};
pub use document::entity::{Entity, Instance, Overlay};
pub use document::output::{Connection, Output, Separator};
pub use document::solid::{Side, Solid, TextureAxis};
pub use document::{Document, FORMAT, sniff};
pub use edit::Edit;
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use options::{ReadOptions, WriteOptions};
