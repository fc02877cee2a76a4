//! All tests that share a process. One program is built and linked faster than several.

mod constants;
mod corpus;
mod diff;
mod erlang;
mod fixtures;
mod legacy;
mod properties;
mod rescue;
mod scene;
mod scene_laws;
#[cfg(feature = "scene")]
mod scenes;
mod spec;
mod strategies;
mod verdicts;
mod winged;
