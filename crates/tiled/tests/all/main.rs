//! All tests that can share a process. One test program builds faster than many.

mod cells;
mod corpus;
mod diff;
mod edit;
mod fixtures;
mod properties;
mod query;
mod spec;
mod support;
mod validate;
mod views;
