//! All tests that can share a process. One test program builds faster than many.

mod cells;
mod corpus;
mod diff;
mod edit;
mod fixtures;
mod geometry;
mod properties;
mod query;
#[cfg(feature = "scene")]
mod scene;
#[cfg(feature = "serde")]
mod serial;
mod spec;
mod support;
mod syntax;
mod validate;
mod views;
