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
pub mod diff;
mod document;
mod edit;
mod error;
mod extract;
mod options;
mod order;
mod overview;
mod read;
mod regions;
#[cfg(feature = "serde")]
mod serial;
mod validate;
mod write;

pub use mapwright_io as io;

pub use codes::{EntryKind, FileType};
pub use document::{
    Directory, Document, Entry, EntryRef, FORMAT, File, Header, Item, MAX_DEPTH, StoredHeader, Title, Walk, sniff,
};
pub use error::{Damage, EditError, EditErrorKind, ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use extract::safe_name;
pub use options::{Layout, Mode, ReadOptions, WriteOptions};
pub use order::EntryOrder;
pub use overview::{Overview, Packer, TypeCount};
