//! Changes of a document.

use mapwright_io::format_shortest;
use mapwright_io::splice::Splices;

use super::lexer::{Lexer, Token};
use super::view::ESCAPES;
use super::{Data, Document, ReadOptions, Value};
use crate::bytes::{escape_into, indentation, line_end, removal, slice};
use crate::error::{invalid, overlap};
use crate::{WriteError, WriteErrorKind};

/// A new value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A decimal number.
    Double(f64),
    /// A string.
    Text(&'a [u8]),
}

impl<'a> From<&'a str> for Scalar<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.as_bytes())
    }
}

impl From<f64> for Scalar<'_> {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl From<i64> for Scalar<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Scalar<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl Scalar<'_> {
    /// Formats the value.
    fn to_token(self) -> Vec<u8> {
        match self {
            Self::Null => b"null".to_vec(),
            Self::Bool(value) => value.to_string().into_bytes(),
            Self::Int(value) => value.to_string().into_bytes(),
            Self::Double(value) => match format_shortest(value) {
                // KV3 has no negative infinity. This number is read as one.
                text if text == "-inf" => b"-1e999".to_vec(),
                text => text.to_lowercase().into_bytes(),
            },
            Self::Text(text) => {
                let mut token = vec![b'"'];
                // A single quote needs no escape.
                escape_into(&mut token, text, ESCAPES.get(..5).unwrap_or_default());
                token.push(b'"');
                token
            }
        }
    }

    /// Returns `true` if a value already has this data. Decimal numbers are compared by their bits.
    fn equals(self, data: &Data<'_>) -> bool {
        match (self, data) {
            (Self::Null, Data::Null) => true,
            (Self::Bool(new), Data::Bool(old)) => new == *old,
            (Self::Int(new), Data::Int(old)) => new == *old,
            (Self::Double(new), Data::Double(old)) => new.to_bits() == old.to_bits(),
            (Self::Text(new), Data::Text(old)) => new == &**old,
            _ => false,
        }
    }
}

/// A list of changes of one document. Everything else keeps its bytes. New values have the layout of the values before them.
///
/// All values must belong to this document.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    document: &'a Document,
    splices: Splices,
}

impl<'a> Edit<'a> {
    /// Creates an empty list.
    pub fn new(document: &'a Document) -> Self {
        Self { document, splices: Splices::default() }
    }

    /// Changes a value and keeps its flags. A multi-line string stays multi-line if the new text allows it.
    ///
    /// # Errors
    /// If the value is an object or array.
    pub fn set<'s>(&mut self, value: Value<'a>, new: impl Into<Scalar<'s>>) -> Result<(), WriteError> {
        let (new, old) = (new.into(), value.data());
        let (token, range) = value.first();
        match token {
            Token::Open => return Err(kind("an object", "a scalar")),
            Token::OpenArray => return Err(kind("an array", "a scalar")),
            _ if new.equals(&old) => {}
            Token::Multiline => {
                let text = match new {
                    Scalar::Text(text) if memchr::memmem::find(text, b"\"\"\"").is_none() && !text.ends_with(b"\"") => {
                        let line_end = line_end(&self.document.source, range.end);
                        [b"\"\"\"", line_end, text, line_end, b"\"\"\""].concat()
                    }
                    _ => new.to_token(),
                };
                self.splices.replace(range, text);
            }
            _ => self.splices.replace(range, new.to_token()),
        }
        Ok(())
    }

    /// Removes a member of an object or an item of an array, with its comma, and with its line if nothing else is in it. Does
    /// nothing for the root.
    pub fn remove(&mut self, value: Value<'a>) {
        let mut range = value.range();
        if let Ok(comma) = Lexer::new(&self.document.source, range.end).next()
            && comma.token == Token::Comma
        {
            range.end = comma.range.end;
        }
        if value.node() != self.document.root().node() {
            self.splices.replace(removal(&self.document.source, range), []);
        }
    }

    /// Adds a member after the last one of an object. Takes time in proportion to the object.
    ///
    /// # Errors
    /// If the value is not an object.
    pub fn insert<'s>(
        &mut self,
        object: Value<'a>,
        key: impl AsRef<[u8]>,
        new: impl Into<Scalar<'s>>,
    ) -> Result<(), WriteError> {
        if !object.is_object() {
            return Err(kind("not an object", "an object"));
        }
        let key = key.as_ref();
        let is_word = |token: &[u8]| {
            let lexeme = Lexer::new(token, 0).next();
            let is_whole = lexeme.is_ok_and(|lexeme| lexeme.token == Token::Word && lexeme.range == (0..token.len()));
            is_whole && !token.iter().any(|byte| matches!(byte, b'|' | b'+'))
        };
        let mut text = if is_word(key) { key.to_vec() } else { Scalar::Text(key).to_token() };
        text.extend_from_slice(b" = ");
        text.extend(new.into().to_token());
        self.append(object, &text);
        Ok(())
    }

    /// Adds an item after the last one of an array. Takes time in proportion to the array.
    ///
    /// # Errors
    /// If the value is not an array.
    pub fn push<'s>(&mut self, array: Value<'a>, new: impl Into<Scalar<'s>>) -> Result<(), WriteError> {
        if !array.is_array() {
            return Err(kind("not an array", "an array"));
        }
        self.append(array, &new.into().to_token());
        Ok(())
    }

    /// Applies all changes and reads the result.
    ///
    /// # Errors
    /// If two changes overlap, or if the edited text is invalid.
    pub fn apply(self) -> Result<Document, WriteError> {
        let source = &self.document.source;
        let text = self.splices.apply(source).map_err(|at| overlap(source, at))?;
        // The document may have been read with other limits than the defaults.
        let unlimited = mapwright_io::Limits::default().with_max_items(u64::MAX).with_max_depth(u32::MAX);
        Document::from_vec_with(text, &ReadOptions::default().with_limits(unlimited)).map_err(invalid)
    }

    /// Adds a member or item at the end of an object or array.
    fn append(&mut self, parent: Value<'a>, text: &[u8]) {
        let source = &self.document.source;
        let (token, bracket) = parent.first();
        let comma: &[u8] = if token == Token::OpenArray { b"," } else { b"" };
        let line_end = line_end(source, parent.end());
        let Some(last) = parent.items().last() else {
            // If the closing bracket is in the same line, it moves to a line of its own.
            let indent = indentation(source, bracket.start).or_else(|| indentation(source, parent.range().start));
            let indent = indent.unwrap_or_default();
            let rest = slice(source, bracket.end..source.len());
            let is_single = matches!(rest.trim_ascii_start(), [b'}' | b']', ..]);
            let end = if is_single && !has_line_end(rest) { [line_end, indent].concat() } else { Vec::new() };
            self.splices.insert(bracket.end, [line_end, indent, b"\t", text, comma, &end].concat());
            return;
        };
        let range = last.range();
        let after = Lexer::new(source, range.end).next().ok().filter(|lexeme| lexeme.token == Token::Comma);
        let at = after.as_ref().map_or(range.end, |comma| comma.range.end);
        let separator: &[u8] = if token == Token::OpenArray && after.is_none() { b"," } else { b"" };
        // If the last item had a trailing comma, the new one gets one, too.
        let end: &[u8] = if after.is_some() { b"," } else { b"" };
        let text = match indentation(source, range.start) {
            Some(indent) => [separator, line_end, indent, text, end].concat(),
            None => [separator, b" ", text, end].concat(),
        };
        self.splices.insert(at, text);
    }
}

/// Returns `true` if nothing but spaces precedes the first line end.
fn has_line_end(rest: &[u8]) -> bool {
    rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) == Some(&b'\n')
}

fn kind(found: &'static str, expected: &'static str) -> WriteError {
    WriteError::without_position(WriteErrorKind::Kind { found, expected })
}
