#![cfg_attr(feature = "textures", doc = include_str!("../README.md"))]
#![deny(clippy::indexing_slicing)]

mod beside;
mod folder;
mod source;
#[cfg(feature = "textures")]
mod textures;

pub use beside::{External, FilesBeside};
pub use source::{ContentFile, ContentSource};
#[cfg(feature = "textures")]
pub use textures::attach_textures;
