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

mod builder;
mod check;
mod codes;
mod compare;
pub mod diff;
mod document;
mod edit;
mod encode;
mod error;
mod identity;
mod list;
mod options;
mod path;
mod profile;
mod read;
mod scalar;
mod shape;
mod spans;
mod stream;
mod survey;
mod term;
mod text;
mod tree;
mod validate;
mod write;

pub use mapwright_io as io;

pub use builder::Builder;
pub use codes::Tag;
pub use document::{Compressor, Document, FORMAT, Packing, sniff};
pub use edit::Edit;
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use identity::{Export, Fun, Pid, Port, Reference};
pub use list::{List, ListItem, ListItems};
pub use options::{Layout, Mode, ReadOptions, Stream, Strings, TextOptions, WriteOptions};
pub use profile::WriterProfile;
pub use scalar::{Atom, Integer};
pub use stream::StreamWriter;
pub use term::{Descendants, Elements, Pairs, Term, Value};
pub use tree::Tree;
