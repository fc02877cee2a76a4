//! Text of one part.

use std::fmt::Display;
use std::io::Write as _;

use mapwright_io::escape_bytes;

use super::numbers::{self, Form};
use crate::read::text::lexer::comment_at;
use crate::{Dialect, Name, WriteError, WriteErrorKind};

/// Text that is being written.
pub(super) struct Printer {
    pub(super) text: Vec<u8>,
    pub(super) dialect: Dialect,
    /// The number of tabs at the start of a line.
    pub(super) depth: usize,
}

impl Printer {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { text: Vec::new(), dialect, depth: 1 }
    }

    /// Writes the tabs of a line.
    pub(super) fn indent(&mut self) {
        self.text.resize(self.text.len().saturating_add(self.depth), b'\t');
    }

    pub(super) fn put(&mut self, text: impl AsRef<[u8]>) {
        self.text.extend_from_slice(text.as_ref());
    }

    pub(super) fn end(&mut self) {
        self.text.push(b'\n');
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: impl AsRef<[u8]>) {
        self.indent();
        self.put(text);
        self.end();
    }

    /// Writes a whole number.
    pub(super) fn whole(&mut self, number: impl Display) {
        // Writing to a vector cannot fail.
        let _ = write!(self.text, "{number}");
    }

    /// Writes the line of a whole number.
    pub(super) fn whole_line(&mut self, number: impl Display) {
        self.indent();
        self.whole(number);
        self.end();
    }

    pub(super) fn number(&mut self, value: f64, form: Form) -> Result<(), WriteError> {
        if !value.is_finite() {
            return Err(WriteError::without_position(WriteErrorKind::Number { value, what: "a decimal number" }));
        }
        form.print(&mut self.text, value, self.dialect);
        Ok(())
    }

    /// Writes numbers separated by spaces.
    pub(super) fn numbers(&mut self, values: &[f64], form: Form) -> Result<(), WriteError> {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.put(b" ");
            }
            self.number(*value, form)?;
        }
        Ok(())
    }

    /// Writes the line of numbers.
    pub(super) fn number_line(&mut self, values: &[f64], form: Form) -> Result<(), WriteError> {
        self.indent();
        self.numbers(values, form)?;
        self.end();
        Ok(())
    }

    pub(super) fn flags(&mut self, flags: u32) {
        numbers::flags(&mut self.text, flags, 0);
    }

    /// Writes the line of flags.
    pub(super) fn flag_line(&mut self, flags: u32) {
        self.indent();
        self.flags(flags);
        self.end();
    }

    /// Writes the line of a name.
    pub(super) fn name_line(&mut self, name: &Name) -> Result<(), WriteError> {
        refuse(name, line_problem(name.as_bytes()))?;
        self.line(name_or_ndef(name));
        Ok(())
    }

    /// Writes the line of an optional name. A name that ends in a brace would open a section.
    pub(super) fn optional_line(&mut self, name: &Name) -> Result<(), WriteError> {
        refuse(name, name.as_bytes().ends_with(b"{").then_some("its brace would open a section"))?;
        self.name_line(name)
    }

    /// Writes the line of a file, in brackets except in resolved maps.
    pub(super) fn file_line(&mut self, name: &Name) -> Result<(), WriteError> {
        if self.dialect == Dialect::Resolved {
            refuse(name, file_problem(self.dialect, name.as_bytes()))?;
            self.line(name_or_ndef(name));
            return Ok(());
        }
        self.indent();
        self.bracketed(name)?;
        self.end();
        Ok(())
    }

    /// Writes a file name in brackets.
    pub(super) fn bracketed(&mut self, name: &Name) -> Result<(), WriteError> {
        refuse(name, bracket_problem(name.as_bytes()))?;
        self.put(b"<");
        self.put(name_or_ndef(name));
        self.put(b">");
        Ok(())
    }

    /// Writes a name on a line of geometry.
    pub(super) fn word(&mut self, name: &Name) -> Result<(), WriteError> {
        refuse(name, word_problem(name.as_bytes()))?;
        self.put(name_or_ndef(name));
        Ok(())
    }

    /// A comment, unless it is empty.
    pub(super) fn comment(&mut self, before: &str, name: &Name) -> Result<(), WriteError> {
        if !name.is_empty() {
            refuse(name, comment_problem(name.as_bytes()))?;
            self.put(before);
            self.put(name.as_bytes());
        }
        Ok(())
    }
}

/// Returns the bytes of a name, or the word for an empty one.
fn name_or_ndef(name: &Name) -> &[u8] {
    if name.is_empty() { b"ndef" } else { name.as_bytes() }
}

/// Returns the problem of a name in a comment.
fn comment_problem(text: &[u8]) -> Option<&'static str> {
    match text {
        _ if text.contains(&b'\n') => Some("names cannot contain line breaks"),
        _ if text.trim_ascii().len() < text.len() => Some("spaces at its ends would be lost"),
        _ => None,
    }
}

/// Returns the problem of a name on a line of its own.
pub(crate) fn line_problem(text: &[u8]) -> Option<&'static str> {
    comment_problem(text).or(match text {
        b"}" => Some("a brace would close the section"),
        _ if comment_at(text) < text.len() => Some("a part of it would be read as a comment"),
        _ => None,
    })
}

/// Returns the problem of the name of a file.
pub(crate) fn file_problem(dialect: Dialect, text: &[u8]) -> Option<&'static str> {
    match dialect {
        Dialect::Resolved if text.starts_with(b"<") => Some("a bracket at its start would be read as a file"),
        Dialect::Resolved => line_problem(text),
        _ => bracket_problem(text),
    }
}

/// Returns the problem of a name in brackets.
fn bracket_problem(text: &[u8]) -> Option<&'static str> {
    (text.contains(&b'\n') || text.contains(&b'>')).then_some("a line break or `>` would end it")
}

/// Returns the problem of a name on a line of geometry.
pub(crate) fn word_problem(text: &[u8]) -> Option<&'static str> {
    let ends = text.starts_with(b"//") || text.iter().any(u8::is_ascii_whitespace);
    ends.then_some("spaces would end it and `//` would begin a comment")
}

fn refuse(name: &Name, problem: Option<&'static str>) -> Result<(), WriteError> {
    let refused = |why| WriteError::without_position(WriteErrorKind::Name { name: escape_bytes(name.as_bytes()), why });
    problem.map_or(Ok(()), |why| Err(refused(why)))
}
