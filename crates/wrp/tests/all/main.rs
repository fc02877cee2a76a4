//! All tests that can share a process. One test program builds faster than many.

mod constants;
mod convert;
mod corpus;
mod diff;
mod edit;
mod fixtures;
mod lint;
mod lists;
mod oprw;
mod oprw_witness;
mod properties;
mod scene;
mod serial;
mod spec;
mod strategies;
mod support;
mod witness;
