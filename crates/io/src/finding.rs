//! Findings of validation.

use std::fmt;

use crate::{Path, Position};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Information; nothing is wrong.
    Note,
    /// The file works, but something is lost or misleading.
    Warning,
    /// The program of the format rejects the file, crashes on it or cannot save it.
    Error,
}

impl Severity {
    /// The severity in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One result of validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A stable code in lower case with hyphens: `hard-range`.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The path in the document.
    pub path: Path,
    /// The position in the file, if it is known.
    pub at: Option<Position>,
    /// One sentence that states the problem and its consequence.
    pub message: String,
    /// Number of occurrences: more than 1 for the rest of a long list, as [`Findings`](crate::Findings) shortens it.
    pub count: usize,
}

impl Finding {
    /// Creates a finding about the whole document.
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self { code, severity, path: Path::new(), at: None, message: message.into(), count: 1 }
    }

    /// Sets the path.
    #[must_use]
    pub fn with_path(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// Sets the position.
    #[must_use]
    pub fn at(mut self, at: Position) -> Self {
        self.at = Some(at);
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity.name(), self.code, self.message)?;
        if !self.path.is_empty() {
            write!(f, " in {}", self.path)?;
        }
        if let Some(at) = self.at {
            write!(f, " at {at}")?;
        }
        Ok(())
    }
}
