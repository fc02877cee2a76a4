//! Heightmaps, out and in.
#![cfg(feature = "heightmap")]

mod cells;
mod corpus;
mod gdal;
mod georeference;
mod hostile;
mod laws;
mod read;
mod terrains;
mod write;
