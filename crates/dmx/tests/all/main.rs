//! All tests that share a process: one program is built and linked faster than one for each.

mod constants;
mod corpus;
mod diff;
mod fixtures;
mod properties;
mod rescue;
#[cfg(feature = "scene")]
mod scene;
mod serial;
mod spec;
mod speed;
mod strategies;
mod support;
mod text;
mod text_edit;
mod text_hostile;
mod validate;
mod witness;
