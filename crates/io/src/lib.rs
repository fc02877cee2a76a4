#![doc = include_str!("../README.md")]
// Bytes of unknown origin come through here: types state what can fail.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

mod bytes;
mod code;
mod columns;
#[cfg(feature = "inflate")]
mod deflate;
pub mod diff;
mod entry;
mod error;
mod escape;
mod fault;
mod finding;
mod findings;
mod format;
mod git_lfs;
#[cfg(feature = "inflate")]
mod inflate;
mod input;
mod limits;
mod loss;
pub mod math;
mod number;
mod options;
mod output;
pub mod parallel;
mod printable;
#[cfg(feature = "serde")]
pub mod serial;
pub mod splice;
mod spreadsheet;
mod text;

pub use bytes::{FixedBytes, escape};
pub use columns::{MAX_COLUMN, align_columns};
#[cfg(feature = "inflate")]
pub use deflate::{Deflater, deflate};
pub use error::{Category, Context, Error, ErrorKind, Frame, LineColumn, Path, Position, Space};
pub use escape::{escape_bytes, escaped_byte, unescape_bytes};
pub use fault::{Fault, FaultKind};
pub use finding::{Finding, Severity};
pub use findings::Findings;
pub use format::{Confidence, FormatInfo};
pub use git_lfs::{GIT_LFS_HELP, is_git_lfs_pointer};
#[cfg(feature = "inflate")]
pub use inflate::{Inflated, inflate, inflate_damaged, inflate_start};
pub use input::Input;
pub use limits::{Budget, Limits, read_all};
pub use loss::{Export, Loss, LossKind, Losses, Rescued};
pub use number::{FormattedNumber, format_count, format_shortest, format_size, parse_decimal};
pub use output::{Output, Patch};
pub use printable::is_unprintable;
pub use spreadsheet::{csv_row, escape_formula};
pub use text::decode_text;
