//! Quake maps: what they mean, what is written, that both agree, and that nothing hostile does harm.
#![cfg(feature = "map")]

mod hostile;
mod laws;
mod read;
mod witness;
mod write;
