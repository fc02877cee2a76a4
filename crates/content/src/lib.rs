#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod beside;
mod folder;
#[cfg(feature = "textures")]
pub mod resolve;
#[cfg(feature = "vmap")]
mod roots;
mod source;
#[cfg(feature = "textures")]
mod textures;

pub use beside::{External, FilesBeside};
#[cfg(feature = "vmap")]
pub use roots::content_roots;
pub use source::{ContentFile, ContentSource, is_archive, split_archive};
#[cfg(feature = "textures")]
pub use textures::attach_textures;
