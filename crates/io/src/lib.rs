//! The ground that every mapwright format crate stands on: a bounded byte cursor and sink, limits, positions, errors
//! that say *what*, *where* and *on which path*, byte strings that keep their residue, and open wire codes.
//!
//! This crate reads no format. It gives the readers one vocabulary and one set of guarantees:
//!
//! ```
//! use mapwright_io::{Context, Error, ErrorKind, Category, FaultKind, Input};
//!
//! #[derive(Debug, thiserror::Error)]
//! enum ReadErrorKind {
//!     #[error(transparent)]
//!     Input(#[from] FaultKind),
//! }
//! impl ErrorKind for ReadErrorKind {
//!     fn category(&self) -> Category {
//!         match self { Self::Input(fault) => fault.category() }
//!     }
//! }
//!
//! fn heights(bytes: &[u8]) -> Result<Vec<i16>, Error<ReadErrorKind>> {
//!     let mut input = Input::new(bytes);
//!     let declared = input.u32_le()?;
//!     // A count in a file is a rumour: this fails unless that many items can still follow.
//!     let count = input.count(declared.into(), 2, "heights")?;
//!     let mut heights = Vec::with_capacity(count);
//!     for index in 0..count {
//!         heights.push(input.i16_le().in_item("heights", index)?);
//!     }
//!     Ok(heights)
//! }
//!
//! assert_eq!(heights(&[1, 0, 0, 0, 7, 0]).unwrap(), [7]);
//! let error = heights(&[255, 255, 255, 255, 7, 0]).unwrap_err();
//! assert_eq!(error.position().offset, 4);
//! assert_eq!(error.category(), Category::Truncated);
//! ```
//!
//! # Safety and limits
//!
//! No unsafe code, no panic on any input, no allocation sized by a number that was merely read: [`Input::count`] is the
//! only way from a declared count to a capacity, and [`Budget`] bounds what may be allocated, inflated or nested.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `inflate` | no | [`inflate`]: zlib streams under a budget |

mod bytes;
mod code;
mod error;
mod fault;
mod finding;
mod float;
mod format;
#[cfg(feature = "inflate")]
mod inflate;
mod input;
mod limits;
mod output;

pub use bytes::{FixedBytes, escape};
pub use error::{Category, Context, Error, ErrorKind, Frame, LineColumn, Path, Position, Space};
pub use fault::{Fault, FaultKind};
pub use finding::{Finding, Severity};
pub use float::{Spelled, shortest};
pub use format::{Confidence, FormatInfo};
#[cfg(feature = "inflate")]
pub use inflate::{Inflated, inflate};
pub use input::Input;
pub use limits::{Budget, Limits};
pub use output::{Output, Patch};
