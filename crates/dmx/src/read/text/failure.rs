//! Errors of texts.

use mapwright_io::{Fault, Frame, LineColumn, Position};

use super::lexer::{LexError, Lexeme, Span, Token};
use super::{Open, Owner, Parser, Trace};
use crate::{ReadError, ReadErrorKind, StringId};

/// The kind of an error and its offset.
pub(super) struct Failure {
    pub(super) kind: Box<ReadErrorKind>,
    pub(super) offset: usize,
}

impl Failure {
    #[cold]
    pub(super) fn new(kind: impl Into<ReadErrorKind>, offset: usize) -> Self {
        Self { kind: Box::new(kind.into()), offset }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::new(fault.kind, usize::try_from(fault.at.offset).unwrap_or(usize::MAX))
    }
}

impl<T: Trace> Parser<'_, '_, T> {
    /// Reports bytes that are not a token.
    #[cold]
    pub(super) fn unknown(&self, error: LexError, span: Span) -> Failure {
        match error {
            LexError::Unended => Failure::new(ReadErrorKind::UnendedString, span.start),
            LexError::Unknown => {
                let rest = self.lexer.source().get(span.start..).unwrap_or_default();
                let word =
                    rest.iter().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                let found = rest.get(..word.max(1)).unwrap_or(rest).escape_ascii();
                let kind =
                    ReadErrorKind::Expected { expected: "a string in quotes or a bracket", found: found.to_string() };
                Failure::new(kind, span.start)
            }
        }
    }

    #[cold]
    pub(super) fn unexpected(&self, expected: &'static str, lexeme: Lexeme<'_>) -> Failure {
        let found = match lexeme.token {
            Token::End => "the end of the file".to_owned(),
            _ => {
                let text = lexeme.span.slice(self.lexer.source());
                text.get(..64).unwrap_or(text).escape_ascii().to_string()
            }
        };
        Failure::new(ReadErrorKind::Expected { expected, found }, lexeme.span.start)
    }

    /// Creates the error with line, column, and the path of the open blocks.
    #[cold]
    pub(super) fn error(&self, failure: Failure) -> ReadError {
        let source = self.lexer.source();
        let before = source.get(..failure.offset).unwrap_or(source);
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at.saturating_add(1));
        let line = before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1);
        let column = before.len().saturating_sub(line_start).saturating_add(1);
        let narrow = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let text = Some(LineColumn { line: narrow(line), column: narrow(column) });
        let mut error = ReadError::new(*failure.kind, Position { text, ..position(failure.offset) });
        let name = |id: StringId| Frame::Name(String::from_utf8_lossy(self.strings.get(id)).into_owned());
        error = match self.name {
            Some(id) => error.wrap(name(id)),
            None => error,
        };
        // The item that is being read is not in the list yet.
        let unread = matches!(self.stack.last(), Some(Open::Array { .. }));
        let mut items = self.references.len().saturating_add(unread.into());
        for open in self.stack.iter().rev() {
            error = match *open {
                Open::Block { name: Some(id), .. } => error.wrap(name(id)),
                Open::Block { owner: Owner::Prefix(index), .. } => {
                    error.wrap(Frame::Index(index)).wrap(Frame::Field("prefix"))
                }
                // An item of an array has its frame already; others are top-level elements.
                Open::Block { owner: Owner::Element(index), .. } => match items.checked_sub(1) {
                    Some(_) => error,
                    None => error.wrap(Frame::Index(index)).wrap(Frame::Field("elements")),
                },
                Open::Array { name: id, first } => {
                    let index = items.saturating_sub(first).saturating_sub(1);
                    items = first;
                    error.wrap(Frame::Index(index)).wrap(name(id))
                }
            };
        }
        error
    }
}

pub(super) fn position(offset: usize) -> Position {
    Position::file(offset as u64)
}
