//! All tests that share a process: one program is built and linked faster than one for each.

mod build;
mod constants;
mod diff;
mod fixtures;
mod hostile;
mod properties;
mod spec;
mod strategies;
mod support;
mod text;
mod validate;
mod values;
mod witness;
