#![doc = include_str!("../README.md")]
//!
//! No published crate uses it outside of its tests: it is a dev-dependency.

mod debugdiff;
mod files;
pub mod gamestudio;
mod hexdiff;
mod hostile;
pub mod laws;
pub mod mutate;
#[cfg(feature = "proptest")]
mod names;
mod peak;
pub mod witness;

pub use debugdiff::debugdiff;
pub use files::{corpus, files_below, fixtures, fixtures_as, workspace};
pub use hexdiff::hexdiff;
pub use hostile::{allowed_memory, survives};
pub use laws::Refusal;
#[cfg(feature = "proptest")]
pub use names::{LONG_NAME, long_name, with_long_names};
pub use peak::{PeakAlloc, peak_of};
