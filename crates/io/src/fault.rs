//! Errors of the primitives of this crate.

use crate::format_count;
use crate::{Category, ErrorKind, Position};

/// The reason why a primitive read failed. Format crates have a variant for it in their own error kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// Fewer bytes are left than the next item needs.
    #[error("the input ends early: {} needed, {available} left", format_count(*.needed, "byte"))]
    Truncated {
        /// Bytes that the item needs.
        needed: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// A declared count is too large for the rest of the input.
    #[error(
        "invalid count: {declared} {what} are declared, but the remaining {available} bytes can contain at most {possible}"
    )]
    Count {
        /// The name of the items in the plural.
        what: &'static str,
        /// The count that the file declares.
        declared: u64,
        /// Maximum number of items in the rest of the input.
        possible: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// Bytes follow after the expected end of the input.
    #[error("{} after the end", format_count(*.count, "unexpected byte"))]
    Trailing {
        /// Number of bytes that follow.
        count: u64,
    },
    /// A limit was reached.
    #[error("{}", limit_text(.what, *.asked, *.limit))]
    Limit {
        /// The name of the limit, a field of [`Limits`](crate::Limits).
        what: &'static str,
        /// The number that the input requires.
        asked: u64,
        /// The limit.
        limit: u64,
    },
    /// A zlib stream is damaged.
    #[error("the zlib stream is damaged")]
    Zlib,
    /// A zlib stream inflates to another size than declared.
    #[error("the zlib stream inflates to {found}{more} bytes, expected {declared}", more = if *.more { " or more" } else { "" })]
    InflatedSize {
        /// The declared size.
        declared: u64,
        /// Bytes that were inflated.
        found: u64,
        /// `true` if inflating stopped before the end of the stream.
        more: bool,
    },
}

/// Returns the message of a limit, without the name of its field.
fn limit_text(what: &str, asked: u64, limit: u64) -> String {
    match what {
        "max_items" => format!("the input has more than {limit} items"),
        "max_decompressed" => format!("the input has more than {limit} bytes after decompression"),
        "max_depth" => format!("the input is nested more than {limit} levels deep"),
        "max_input" => format!("the input has more than {limit} bytes"),
        _ => format!("{what} of {asked} exceeds the limit of {limit}"),
    }
}

impl ErrorKind for FaultKind {
    fn category(&self) -> Category {
        match self {
            Self::Truncated { .. } | Self::Count { .. } => Category::Truncated,
            Self::Trailing { .. } | Self::Zlib | Self::InflatedSize { .. } => Category::Malformed,
            Self::Limit { .. } => Category::Limit,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            // Limits that the caller can raise have the name of their field.
            Self::Limit { what, .. } if what.starts_with("max_") => {
                Some(format!("raise {what} in the read options if the file is trusted"))
            }
            _ => None,
        }
    }
}

/// The error of primitive reads: a [`FaultKind`] with its position. `?` converts it into an [`Error`](crate::Error).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at {at}")]
pub struct Fault {
    /// The reason.
    pub kind: FaultKind,
    /// The position in the input.
    pub at: Position,
}
