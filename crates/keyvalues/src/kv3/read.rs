//! Reads bytes into a [`Document`].

use std::borrow::Cow;

use mapwright_io::{Budget, Fault, Position};

use super::header::Header;
use super::lexer::{LexError, Lexeme, Lexer, Token};
use super::{Document, Node, ReadOptions};
use crate::bytes::{check_source, offset, slice};
use crate::{ReadError, ReadErrorKind};

pub(super) fn read(source: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    check_source(&source)?;
    let (header, start) = Header::read(&source).map_err(|kind| ReadError::new(kind, Position::file(0)))?;
    let mut reader = Reader::new(&source, start, options);
    match reader.read() {
        Ok(end) => {
            let nodes = reader.nodes;
            Ok(Document { source: source.into_owned(), header, nodes, end })
        }
        // Count lines only for an error, not for every token.
        Err((kind, at)) => Err(ReadError::new(kind, Position::in_text(&source, at))),
    }
}

type Failure = (ReadErrorKind, usize);

fn fault(fault: Fault) -> Failure {
    (fault.kind.into(), usize::try_from(fault.at.offset).unwrap_or(usize::MAX))
}

struct Reader<'a> {
    source: &'a [u8],
    lexer: Lexer<'a>,
    budget: Budget,
    nodes: Vec<Node>,
    /// Number of values in a text whose brackets match.
    count: usize,
    /// The innermost open object or array. `next` of an open one is its parent until its end is known.
    open: Open,
    depth: usize,
}

/// The index of an open node, and a bit for objects. The index fits 31 bits: a value takes two bytes, and a text has at most 4 GiB.
#[derive(Clone, Copy, PartialEq)]
struct Open(u32);

impl Open {
    const NONE: Self = Self(u32::MAX);

    fn new(node: usize, is_object: bool) -> Self {
        Self(offset(node) << 1 | u32::from(is_object))
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_object(self) -> bool {
        self.0 & 1 != 0
    }
}

impl<'a> Reader<'a> {
    fn new(source: &'a [u8], start: usize, options: &ReadOptions) -> Self {
        let lexer = Lexer::new(source, start);
        let count = count_values(lexer.clone()).min(usize::try_from(options.limits.max_items).unwrap_or(usize::MAX));
        let nodes = Vec::with_capacity(count);
        let budget = Budget::new(&options.limits);
        Self { source, lexer, budget, nodes, count, open: Open::NONE, depth: 0 }
    }

    /// Reads the root value. Returns its end.
    fn read(&mut self) -> Result<usize, Failure> {
        let first = self.next("a value")?;
        let mut end = self.value(Node::NO_KEY, first)?;
        while self.open != Open::NONE {
            end = if self.open.is_object() { self.member()? } else { self.item()? };
        }
        Ok(end)
    }

    /// Reads the next member of an object, or its end.
    fn member(&mut self) -> Result<usize, Failure> {
        let mut lexeme = self.next("a key or `}`")?;
        // A comma may follow a member.
        if lexeme.token == Token::Comma && !self.is_empty() {
            lexeme = self.next("a key or `}`")?;
        }
        match lexeme.token {
            Token::Close => return Ok(self.close(&lexeme)),
            Token::Quoted => {}
            Token::Multiline => {}
            Token::Word if !slice(self.source, lexeme.range.clone()).iter().any(|byte| matches!(byte, b'|' | b'+')) => {
            }
            _ => return unexpected(&lexeme, "a key or `}`"),
        }
        let equals = self.next("`=`")?;
        if equals.token != Token::Equals {
            return unexpected(&equals, "`=`");
        }
        let value = self.next("a value")?;
        self.value(offset(lexeme.range.start), value)
    }

    /// Reads the next item of an array, or its end.
    fn item(&mut self) -> Result<usize, Failure> {
        let mut lexeme = self.next("a value or `]`")?;
        if lexeme.token == Token::CloseArray {
            return Ok(self.close(&lexeme));
        }
        if !self.is_empty() {
            if lexeme.token != Token::Comma {
                return unexpected(&lexeme, "`,` or `]`");
            }
            lexeme = self.next("a value or `]`")?;
            if lexeme.token == Token::CloseArray {
                return Ok(self.close(&lexeme));
            }
        }
        self.value(Node::NO_KEY, lexeme)
    }

    /// Reads a value with its flags. Opens an object or array.
    fn value(&mut self, key: u32, first: Lexeme) -> Result<usize, Failure> {
        let node = self.nodes.len();
        let start = first.range.start;
        self.budget.take_items(1, Position::file(start as u64)).map_err(fault)?;
        if node == self.count {
            return Err(self.not_closed());
        }
        self.nodes.push(Node { key, value: offset(start), next: offset(node.saturating_add(1)) });
        let mut lexeme = first;
        loop {
            match lexeme.token {
                Token::Open | Token::OpenArray => {
                    if let Some(node) = self.nodes.last_mut() {
                        node.next = self.open.0;
                    }
                    self.open = Open::new(node, lexeme.token == Token::Open);
                    self.depth = self.depth.saturating_add(1);
                    self.budget.check_depth(self.depth, Position::file(start as u64)).map_err(fault)?;
                }
                Token::Quoted | Token::Multiline | Token::Number => {}
                Token::Binary if super::view::binary(slice(self.source, lexeme.range.clone())).is_some() => {}
                Token::Binary => return Err((ReadErrorKind::Binary, lexeme.range.start)),
                Token::Word => match slice(self.source, lexeme.range.clone()) {
                    b"true" | b"false" | b"null" | b"nan" | b"inf" => {}
                    _ => {
                        let colon = self.next("`:` after a flag")?;
                        if colon.token != Token::Colon {
                            return unexpected(&lexeme, "a value");
                        }
                        lexeme = self.next("a value")?;
                        continue;
                    }
                },
                _ => return unexpected(&lexeme, "a value"),
            }
            return Ok(lexeme.range.end);
        }
    }

    /// Closes the innermost object or array. Returns its end.
    fn close(&mut self, lexeme: &Lexeme) -> usize {
        let next = offset(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(self.open.node()) {
            self.open = Open(node.next);
            node.next = next;
        }
        self.depth = self.depth.saturating_sub(1);
        lexeme.range.end
    }

    /// Returns `true` if the innermost object or array has no values yet.
    fn is_empty(&self) -> bool {
        self.open.node().saturating_add(1) == self.nodes.len()
    }

    /// Returns the error of a text with more values than its brackets allow: the first damaged token, or the end of the text.
    fn not_closed(&mut self) -> Failure {
        loop {
            match self.next("`}` or `]`") {
                Ok(_) => {}
                Err(error) => return error,
            }
        }
    }

    fn next(&mut self, expected: &'static str) -> Result<Lexeme, Failure> {
        match self.lexer.next() {
            Ok(Lexeme { token: Token::End, range }) => Err((ReadErrorKind::Ended { expected }, range.start)),
            Ok(lexeme) => Ok(lexeme),
            Err((LexError::Unended(what), at)) => Err((ReadErrorKind::Unended(what), at)),
            Err((LexError::Unknown, at)) => match self.source.get(at) {
                Some(&found) => Err((ReadErrorKind::Byte { found, expected }, at)),
                None => Err((ReadErrorKind::Ended { expected }, at)),
            },
        }
    }
}

/// Counts the values of a text whose brackets match. With this capacity, the index never grows, which would take three times its memory.
fn count_values(mut lexer: Lexer<'_>) -> usize {
    let (mut values, mut depth) = (0_usize, 0_usize);
    let mut before = Token::End;
    while let Ok(Lexeme { token, .. }) = lexer.next() {
        match (token, before) {
            (Token::End, _) => break,
            // The token before it was counted as a value, but is a key or a flag.
            (Token::Equals, Token::Word | Token::Quoted | Token::Multiline) | (Token::Colon, Token::Word) => {
                values = values.saturating_sub(1);
            }
            (Token::Equals | Token::Colon | Token::Comma, _) => {}
            (Token::Open | Token::OpenArray, _) => depth = depth.saturating_add(1),
            (Token::Close | Token::CloseArray, _) => {
                (values, depth) = (values.saturating_add(1), depth.saturating_sub(1));
                if depth == 0 {
                    break;
                }
            }
            // The root is a scalar. Words before it may be flags.
            _ if depth == 0 && token != Token::Word => return 1,
            _ => values = values.saturating_add(1),
        }
        before = token;
    }
    // In a malformed text, the reader may add one more value before it finds the error.
    values.saturating_add(1)
}

fn unexpected<T>(lexeme: &Lexeme, expected: &'static str) -> Result<T, Failure> {
    let found = match lexeme.token {
        Token::Open => "`{`",
        Token::Close => "`}`",
        Token::OpenArray => "`[`",
        Token::CloseArray => "`]`",
        Token::Equals => "`=`",
        Token::Comma => "`,`",
        Token::Colon => "`:`",
        Token::Quoted | Token::Multiline => "string",
        Token::Binary => "binary value",
        Token::Number => "number",
        Token::Word => "word",
        Token::Space | Token::Comment | Token::End => "end",
    };
    Err((ReadErrorKind::Unexpected { found, expected }, lexeme.range.start))
}
