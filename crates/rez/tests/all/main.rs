//! All tests that can share a process. One test program builds faster than many.

mod constants;
mod corpus;
mod diff;
mod edit;
mod find;
mod fixtures;
mod order;
mod properties;
#[cfg(feature = "serde")]
mod serial;
mod spec;
mod strategies;
mod support;
mod validate;
mod witness;
