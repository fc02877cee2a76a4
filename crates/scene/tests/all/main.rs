//! All tests in one program, which builds and links faster than one program for each file.

mod brush;
mod fields;
mod losses;
mod properties;
mod scale;
mod serde;
mod strategies;
mod validate;
