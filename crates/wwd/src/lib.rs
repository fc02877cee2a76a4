//! Levels of the WAP32 engine (`.wwd`: Claw, Gruntz): read, edited, checked and written without losing a byte.

// Bytes of unknown origin come through here: what can fail is said in the type.
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

mod checksum;
mod codes;
mod document;
mod error;
mod options;
mod read;
mod spell;
mod trailer;
mod write;

pub use mapwright_io as io;

pub use checksum::Checksum;
pub use codes::{AddFlags, Cell, DrawFlags, DynamicFlags, HeaderFlags, ObjectType, PlaneFlags};
pub use document::{
    Document, FORMAT, FieldError, FieldValue, Header, ImageSets, Layout, NulInName, Object, Plane, PlaneLayout, Rect,
    Residue, Shape, TileProperties, TileProperty, sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use options::{HeaderSize, ReadOptions, Style, WriteOptions};
pub use spell::{spell, unspell};
