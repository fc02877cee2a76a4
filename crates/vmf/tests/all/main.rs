//! All tests that share a process: one program is built and linked faster than one for each.

mod corpus;
mod diff;
mod edit;
mod fixtures;
mod geometry;
mod properties;
#[cfg(feature = "scene")]
mod scene;
#[cfg(feature = "serde")]
mod serial;
mod spec;
mod support;
mod validate;
mod witness;
