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

mod definitions;
mod document;
mod error;
mod lexer;
mod parser;
mod read;
mod view;

pub use mapwright_io as io;

pub use definitions::{Definitions, MAX_DEPTH, ResolvedClass};
pub use document::{Document, ReadOptions};
pub use error::{ReadError, ReadErrorKind};
pub use view::{Choice, Class, Helper, Key, Member, Port};
