//! Differences between two documents of one format.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

/// The differences between two documents of one format, as the format itself describes them.
///
/// `Display` prints them for people. Formats list the types of their differences in their `diff` modules.
pub struct DocumentDiff {
    name: &'static str,
    is_empty: bool,
    differences: Box<dyn Differences + Send + Sync>,
}

/// The differences that a format found.
pub(crate) trait Differences: fmt::Display {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl<T: fmt::Display + Serialize> Differences for T {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(out, self).map_err(Into::into)
    }
}

impl DocumentDiff {
    /// Wraps the differences of a format. `name` is their key in JSON.
    pub(crate) fn new(
        name: &'static str,
        is_empty: bool,
        differences: impl Differences + Send + Sync + 'static,
    ) -> Self {
        Self { name, is_empty, differences: Box::new(differences) }
    }

    /// Returns the key of the differences in JSON, such as `level` or `map`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns `true` if both documents have the same content.
    pub const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Writes the differences as a further field of a JSON object: a comma, the [name](Self::name) and the value.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_json_field(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, ",\"{}\":", self.name)?;
        self.differences.write_json(out)
    }
}

impl fmt::Display for DocumentDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.differences.fmt(f)
    }
}

impl fmt::Debug for DocumentDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DocumentDiff")
            .field("name", &self.name)
            .field("is_empty", &self.is_empty)
            .finish_non_exhaustive()
    }
}
