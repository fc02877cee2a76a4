#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod beside;
#[cfg(feature = "fs")]
mod folder;
#[cfg(feature = "textures")]
mod images;
#[cfg(feature = "textures")]
mod names;
mod report;
#[cfg(feature = "textures")]
pub mod resolve;
#[cfg(feature = "vmap")]
mod roots;
mod source;
#[cfg(feature = "textures")]
mod textures;

#[cfg(feature = "fs")]
pub use beside::External;
pub use beside::FilesBeside;
#[cfg(feature = "textures")]
pub use names::path_key;
pub use report::{Outcome, Reference, ReferenceKind, ResolveReport, reference_key};
#[cfg(all(feature = "fs", feature = "vmap"))]
pub use roots::content_roots;
pub use source::{ContentFile, ContentSource};
#[cfg(feature = "fs")]
pub use source::{is_archive, split_archive};
#[cfg(feature = "textures")]
pub use textures::attach_textures;
