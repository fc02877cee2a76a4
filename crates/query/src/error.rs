//! Errors of queries and edits.

use std::fmt;

/// Text that is not a query or an edit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The column, from 1, in characters.
    pub column: usize,
    /// The expected text.
    pub expected: String,
    /// The text that was found, in quotes; or "the end".
    pub found: String,
}

/// A value that a field cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}{}", DidYouMean(.suggestion.as_deref()))]
pub struct ValueError {
    /// The values that the field takes.
    pub expected: String,
    /// The value that may have been intended.
    pub suggestion: Option<String>,
}

impl ValueError {
    /// Creates an error that names what was expected.
    pub fn new(expected: impl Into<String>) -> Self {
        Self { expected: expected.into(), suggestion: None }
    }
}

/// Why a query or an edit was not carried out. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The text is not a query or an edit.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// No object has such a field.
    #[error("unknown field `{field}`{}{}", DidYouMean(.suggestion.as_deref()), Known(.suggestion, .known))]
    UnknownField {
        /// The name that was asked for.
        field: String,
        /// The name that may have been intended.
        suggestion: Option<String>,
        /// The fields that exist.
        known: Vec<String>,
    },
    /// A field cannot have that value.
    #[error("invalid value `{value}` for `{field}`: {error}")]
    Value {
        /// The field.
        field: String,
        /// The value, as it was written.
        value: String,
        /// The expected values.
        error: ValueError,
    },
    /// A matched object has no such field.
    #[error("objects of the kind `{kind}` have no field `{field}`{}", Reason(.help))]
    NoField {
        /// The kind of the object.
        kind: String,
        /// The field.
        field: String,
        /// The next step; may be empty.
        help: String,
    },
    /// A field cannot be set.
    #[error("`{field}` cannot be set on objects of the kind `{kind}`{}", Reason(.reason))]
    ReadOnly {
        /// The kind of the object.
        kind: String,
        /// The field.
        field: String,
        /// Why not; may be empty.
        reason: String,
    },
    /// `+=` and `-=` need a number, flags, or an existing value.
    #[error("`{field}`: `{op}` {problem}")]
    Add {
        /// The field.
        field: String,
        /// `+=` or `-=`.
        op: &'static str,
        /// The problem.
        problem: String,
    },
    /// No object matches.
    #[error("no object matches `{query}`")]
    NoMatch {
        /// The query.
        query: String,
    },
    /// The number of an object is that of several objects of different kinds.
    #[error("`{query}` matches {matched} objects: add a condition, such as `{query} and kind=KIND`")]
    Ambiguous {
        /// The query.
        query: String,
        /// The number of objects.
        matched: usize,
    },
    /// The format has an edit that begins with this word, but not with these words after it.
    #[error("invalid words after `{edit}`: expected {expected}")]
    InvalidEdit {
        /// The first word of the edit.
        edit: String,
        /// The edits that begin with it.
        expected: String,
    },
    /// The format has no such edit.
    #[error("unknown edit `{edit}`: expected {expected}{}", DidYouMean(.suggestion.as_deref()))]
    UnknownEdit {
        /// The first word of the edit.
        edit: String,
        /// The edit that may have been intended.
        suggestion: Option<String>,
        /// The edits that exist.
        expected: String,
    },
    /// The format cannot store the result, or another rule of the format forbids it.
    #[error("{0}")]
    Refused(String),
}

impl QueryError {
    /// Creates an error for a rule of the format.
    pub fn refused(reason: impl fmt::Display) -> Self {
        Self::Refused(reason.to_string())
    }
}

/// Prints a suggestion, if there is one.
struct DidYouMean<'a>(Option<&'a str>);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(word) => write!(f, "; did you mean `{word}`?"),
            None => Ok(()),
        }
    }
}

/// Prints a reason, if there is one.
struct Reason<'a>(&'a str);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; {}", self.0) }
    }
}

/// Lists known names where no suggestion was found.
struct Known<'a>(&'a Option<String>, &'a [String]);

impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (None, known @ [_, ..]) => write!(f, "; known fields: {}", known.join(", ")),
            _ => Ok(()),
        }
    }
}
