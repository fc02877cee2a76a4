//! Tiled maps, out and in.
#![cfg(feature = "tiled")]

#[path = "tiled/hostile.rs"]
mod hostile;
#[path = "tiled/laws.rs"]
mod laws;
#[path = "tiled/levels.rs"]
mod levels;
#[path = "tiled/program.rs"]
mod program;
#[path = "tiled/read.rs"]
mod read;
#[path = "tiled/strategies.rs"]
mod strategies;
#[path = "tiled/write.rs"]
mod write;
