//! All tests that share a process: one program is built and linked faster than one for each.

mod brush;
mod fields;
mod losses;
mod properties;
mod scale;
mod serde;
mod strategies;
mod validate;
