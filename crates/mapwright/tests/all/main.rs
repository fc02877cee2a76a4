//! All tests that share a process: one program is built and linked faster than one for each.

mod art;
mod corpus;
mod dumps;
mod fidelity;
mod graphs;
mod heightmaps;
mod levels;
mod limits;
mod manual;
mod maps;
mod models;
mod quake_maps;
mod query;
mod save;
mod schemas;
mod source_maps;
