//! Wavefront OBJ: what files mean, what is written, and that both agree.
#![cfg(feature = "obj")]

#[path = "obj/corpus.rs"]
mod corpus;
#[path = "obj/laws.rs"]
mod laws;
#[path = "obj/read.rs"]
mod read;
#[path = "obj/write.rs"]
mod write;
