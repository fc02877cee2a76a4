//! Exit statuses.

use mapwright::Error;
use mapwright::io::Category;

/// An exit status. The numbers are part of the command's interface: `mapwright --help` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Ok = 0,
    Io = 1,
    Usage = 2,
    Losses = 3,
    Malformed = 4,
    UnknownFormat = 5,
    Limit = 6,
    Unsupported = 7,
    Batch = 8,
    Found = 9,
    Bug = 70,
    Interrupted = 130,
}

impl Exit {
    pub(crate) fn from_error(error: &Error) -> Self {
        match (error, error.category()) {
            (Error::UnknownFormat, _) => Self::UnknownFormat,
            (
                Error::Query(_)
                | Error::UnexpectedFormat { .. }
                | Error::NoObjects
                | Error::Scale(_)
                | Error::MapFormat(_)
                | Error::SameFile(_)
                | Error::CopiedTwice(_)
                | Error::ReplacesInput(_),
                _,
            ) => Self::Usage,
            (_, category) => Self::from_category(category),
        }
    }

    pub(crate) const fn from_category(category: Category) -> Self {
        match category {
            Category::Io => Self::Io,
            Category::Limit => Self::Limit,
            Category::Unsupported => Self::Unsupported,
            _ => Self::Malformed,
        }
    }

    pub(crate) const fn code(self) -> u8 {
        self as u8
    }
}
