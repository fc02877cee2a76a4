//! All tests that can share a process. One test program builds faster than many.

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
