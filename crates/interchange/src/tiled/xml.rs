//! TMX: a map as XML.

mod element;
mod read;
mod write;

pub(super) use read::{map, tileset};
pub(super) use write::write;
