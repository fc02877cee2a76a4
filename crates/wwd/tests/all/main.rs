//! All tests that share a process: one program is built and linked faster than one for each.

mod census;
mod constants;
mod corpus;
mod diff;
mod edit;
mod edit_text;
mod fix;
mod fixtures;
mod notes;
mod overview;
mod properties;
mod rescue;
mod scene;
#[cfg(feature = "scene")]
mod scenes;
mod serial;
mod spec;
mod strategies;
mod support;
mod witness;
