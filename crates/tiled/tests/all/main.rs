//! All tests that can share a process. One test program builds faster than many.

mod corpus;
mod properties;
mod spec;
mod support;
