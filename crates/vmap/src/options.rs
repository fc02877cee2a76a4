//! Options for reading and writing, which are those of the element graph.

pub use mapwright_dmx::{ReadOptions, WriteOptions};
