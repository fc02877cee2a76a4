//! All tests that can share a process: one program builds and links faster than many.

mod any_map;
mod binary;
mod binary_properties;
mod binary_witness;
mod census;
mod constants;
mod convert;
mod convert_witness;
mod diff;
mod edit;
mod fixtures;
mod foreign;
mod maps;
mod properties;
mod resolve;
mod resolved;
mod scene;
mod serial;
mod spec;
mod strategies;
mod support;
mod text_corpus;
mod text_edit;
mod validate;
mod witness;
