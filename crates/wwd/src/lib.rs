#![doc = include_str!("../README.md")]
// The crate reads untrusted bytes: everything that can fail returns an error. `expect` states why something cannot fail; modules that read
// bytes do not have it.
#![cfg_attr(
    not(test),
    deny(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)
)]

pub mod census;
mod checksum;
mod codes;
pub mod diff;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod document;
pub mod edit;
mod error;
mod fix;
pub mod logics;
mod options;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod overview;
mod provenance;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod read;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod rescue;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
#[cfg_attr(not(test), deny(clippy::expect_used))]
mod trailer;
mod validate;
mod write;

pub use mapwright_io as io;
pub use mapwright_query as query;

pub use mapwright_io::{Rescued, escape_bytes, unescape_bytes};

pub use checksum::Checksum;
pub use codes::{AddFlags, Cell, DrawFlags, DynamicFlags, HeaderFlags, ObjectType, PlaneFlags, UserFlags};
pub use document::{
    Document, FORMAT, FieldError, FieldValue, Header, ImageSets, Layout, NulInName, Object, Objects, Plane,
    PlaneLayout, Rect, Residue, Shape, TileProperties, TileProperty, Tiles, sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use fix::{Fix, FixOptions};
pub use options::{HeaderSize, ReadOptions, WriteOptions, WriterProfile};
pub use overview::{Overview, PlaneOverview};
pub use provenance::{Program, Provenance};
#[cfg(feature = "serde")]
pub use serial::DocumentData;
pub use trailer::{About, Favourite, Guide, GuideDirection, Note, Notes, NotesError};
