//! Tiled maps, out and in.
#![cfg(feature = "tiled")]

mod hostile;
mod ids;
mod laws;
mod levels;
mod program;
mod read;
mod strategies;
mod write;
