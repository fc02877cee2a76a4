//! Wavefront OBJ: what files mean, what is written, and that both agree.
#![cfg(feature = "obj")]

mod corpus;
mod laws;
mod read;
mod write;
