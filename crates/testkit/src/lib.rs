#![doc = include_str!("../README.md")]
//!
//! The crate has no internal dependency, and nothing under `src/` of another crate may use it: it is a dev-dependency.

mod debugdiff;
mod files;
mod hexdiff;
pub mod laws;
pub mod mutate;
#[cfg(feature = "proptest")]
mod names;
mod peak;
pub mod witness;

pub use debugdiff::debugdiff;
pub use files::{corpus, files_below, fixtures, fixtures_as, workspace};
pub use hexdiff::hexdiff;
pub use laws::Refusal;
#[cfg(feature = "proptest")]
pub use names::{LONG_NAME, long_name, with_long_names};
pub use peak::{PeakAlloc, peak_of};
