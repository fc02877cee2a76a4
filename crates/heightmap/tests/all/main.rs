//! All tests that share a process: one program is built and linked faster than one for each.

mod cells;
mod corpus;
mod gdal;
mod georeference;
mod hostile;
mod laws;
mod rasters;
mod read;
mod terrains;
mod write;
