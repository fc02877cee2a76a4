//! Quake maps: what they mean, what is written, that both agree, and that nothing hostile does harm.
#![cfg(feature = "map")]

#[path = "map/hostile.rs"]
mod hostile;
#[path = "map/laws.rs"]
mod laws;
#[path = "map/read.rs"]
mod read;
#[path = "map/witness.rs"]
mod witness;
#[path = "map/write.rs"]
mod write;
