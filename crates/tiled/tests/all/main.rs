//! All tests that can share a process. One test program builds faster than many.

mod cells;
mod corpus;
mod edit;
mod fixtures;
mod properties;
mod spec;
mod support;
mod validate;
mod views;
