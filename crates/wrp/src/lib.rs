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

mod codes;
pub mod convert;
pub mod diff;
mod document;
pub mod edit;
mod error;
mod finder;
pub mod lists;
mod loss;
mod lzo;
mod lzss;
mod options;
mod packing;
mod provenance;
mod read;
mod sample;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod steps;
mod tree;
mod validate;
mod write;

pub use mapwright_io as io;
pub use mapwright_query as query;

pub use codes::{OprwVersion, Version};
pub use document::{
    Builder, Document, Elevations, Entity, FORMAT, Ground, Heading, MapInfo, MapShape, Matrix, Name, Net, Nets, Object,
    Objects, Oprw, OprwMaterial, Packed, PackedPart, Placement, Placements, Road, RoadPiece, RoadPoint, Sentinel,
    SubNet, Wvr, Wvr8, sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use loss::{Export, Loss, LossKind, Losses};
pub use options::ReadOptions;
