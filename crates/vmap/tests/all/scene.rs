//! Conversion between maps and scenes.
#![cfg(feature = "scene")]

mod bits;
mod corpus;
mod hostile;
mod laws;
mod maps;
mod merge;
mod new;
mod scenes;
mod shear;
mod stated;
mod tile_grids;
