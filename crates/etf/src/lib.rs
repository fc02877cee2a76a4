//! The Erlang External Term Format, read and written without losing a byte.

mod builder;
mod check;
mod codes;
mod document;
mod error;
mod options;
mod read;
mod shape;
mod term;
mod tree;
mod write;

pub use mapwright_io as io;

pub use builder::{Builder, Profile};
pub use codes::Tag;
pub use document::{Document, Packing};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use options::{Mode, ReadOptions, Stream, WriteOptions};
pub use term::{Atom, Elements, Integer, List, ListItem, ListItems, Pairs, Term, Value};
pub use tree::{Edit, Tree};
