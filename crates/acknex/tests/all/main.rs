//! All tests that can share a process. One test program builds faster than many.

mod hostile;
mod properties;
mod scene;
mod spec;
mod support;
mod witness;
