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

mod bytes;
mod error;
pub mod gameinfo;
pub mod kv1;
pub mod kv3;
mod options;
mod text;
pub mod texture_settings;
pub mod vmat;
pub mod vmdl;

pub use mapwright_io as io;

pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use gameinfo::GameInfo;
pub use options::WriteOptions;
pub use text::decode;
pub use texture_settings::TextureSettings;
pub use vmat::Vmat;
pub use vmdl::Vmdl;
