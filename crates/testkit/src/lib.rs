//! Shared parts of the tests of all format crates: [`laws`] of readers and writers, deterministic [`mutate`] helpers, [`hexdiff`] for the
//! first difference, [`fixtures`] and the local [`corpus`], other decoders as a [`witness`], [`peak_of`], and with the feature `proptest`
//! names of 70,000 bytes for strategies.
//!
//! The laws are generic over closures, so this crate knows no format. The tests of a format define its reader and writer once:
//!
//! ```
//! use mapwright_testkit::{laws, Refusal};
//!
//! // A format of one length byte and that many bytes.
//! fn read(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
//!     let (&length, rest) = bytes.split_first().ok_or(Refusal::new("truncated", Some(0), "no length"))?;
//!     if rest.len() < usize::from(length) {
//!         return Err(Refusal::new("truncated", Some(bytes.len() as u64), "too short"));
//!     }
//!     if rest.len() > usize::from(length) {
//!         return Err(Refusal::new("malformed", Some(u64::from(length) + 1), "too long"));
//!     }
//!     Ok(rest.to_vec())
//! }
//! fn write(document: &Vec<u8>) -> Result<Vec<u8>, &'static str> {
//!     let length = u8::try_from(document.len()).map_err(|_| "too long")?;
//!     Ok([&[length], document.as_slice()].concat())
//! }
//!
//! let file = b"\x03abc";
//! laws::exact("abc", file, read, write);
//! laws::stable(file, read, write);
//! laws::model(&vec![1, 2, 3], read, write);
//! laws::prefixes(file, read, |_prefix, _document| false);
//! for mutant in mapwright_testkit::mutate::numbers(file) {
//!     laws::total(&mutant, read);
//! }
//! ```
//!
//! This crate is never published and has no internal dependency. Format crates have a path-only dev-dependency on it, which `cargo package`
//! leaves out. Therefore packages leave `tests/` out too, and nothing below `src/` may use it.

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
