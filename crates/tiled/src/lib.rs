#![doc = include_str!("../README.md")]
// The whole crate handles untrusted bytes, so nothing may panic.
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

mod build;
mod cells;
mod codes;
pub mod diff;
mod document;
pub mod edit;
mod error;
mod geometry;
mod options;
mod read;
mod references;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod structure;
mod validate;
pub mod view;
mod write;

pub use mapwright_io as io;
pub use mapwright_query as query;

pub use cells::{Cells, Chunk};
pub use codes::{
    BlendMode, Color, Compression, DrawOrder, Encoding, FillMode, Gid, HorizontalAlignment, LayerKind, ObjectAlignment,
    Orientation, PropertyType, RenderOrder, StaggerAxis, StaggerIndex, TileRenderSize, VerticalAlignment, WangSetKind,
};
pub use document::{Document, DocumentKind, FORMAT, Item, ItemKind, Items, Syntax, sniff};
pub use edit::Edit;
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use options::{ReadOptions, WriteOptions};
pub use references::{Reference, ReferenceKind, resolve_path};
