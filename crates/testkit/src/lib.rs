//! What the tests of every format crate share: the [`laws`] a reader and writer obey, deterministic [`mutate`] helpers,
//! a [`hexdiff`] that shows the first difference, finders for [`fixtures`] and the local [`corpus`], other decoders as a
//! [`witness`], [`peak_of`], and with the feature `proptest` names of 70,000 bytes for strategies.
//!
//! The laws are generic over closures, so this crate knows no format. A format's tests say once how it reads and writes:
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
//! Never published, and without an internal dependency: format crates name it as a path-only dev-dependency, which
//! `cargo package` leaves out. That is why packages leave `tests/` out too, and why nothing under `src/` may use it.

mod debugdiff;
mod files;
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
