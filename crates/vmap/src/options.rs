//! Options of reading and writing: those of the element graph.

pub use mapwright_dmx::{ReadOptions, WriteOptions};
