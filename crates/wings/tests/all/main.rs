//! All tests that share a process: one program is built and linked faster than one for each.

mod constants;
mod corpus;
mod diff;
mod erlang;
mod fixtures;
mod legacy;
mod properties;
mod scene;
mod scene_laws;
#[cfg(feature = "scene")]
mod scenes;
mod spec;
mod strategies;
mod verdicts;
mod winged;
