//! Heightmaps, out and in.
#![cfg(feature = "heightmap")]

#[path = "heightmap/cells.rs"]
mod cells;
#[path = "heightmap/corpus.rs"]
mod corpus;
#[path = "heightmap/gdal.rs"]
mod gdal;
#[path = "heightmap/hostile.rs"]
mod hostile;
#[path = "heightmap/laws.rs"]
mod laws;
#[path = "heightmap/read.rs"]
mod read;
#[path = "heightmap/terrains.rs"]
mod terrains;
#[path = "heightmap/write.rs"]
mod write;
