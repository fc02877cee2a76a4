//! All tests that can share a process. One test program builds faster than many.

mod animations;
mod constants;
mod corpus;
mod drawing;
mod image_sets;
mod images;
mod levels;
mod properties;
mod spec;
mod strategies;
mod support;
mod witness;
