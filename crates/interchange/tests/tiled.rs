//! Tiled maps, out and in.
#![cfg(feature = "tiled")]

#[path = "tiled/laws.rs"]
mod laws;
#[path = "tiled/levels.rs"]
mod levels;
#[path = "tiled/program.rs"]
mod program;
#[path = "tiled/strategies.rs"]
mod strategies;
