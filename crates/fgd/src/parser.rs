//! The grammar. The reader checks a whole text with it; the views read single parts of the checked text again, so that a document takes
//! little more memory than its text.

use crate::ReadErrorKind;
use crate::lexer::{Lexeme, Token, next_lexeme};

/// An error with its offset.
pub(crate) type Failure = (ReadErrorKind, usize);

/// A part of the text. Readers reject texts of 4 GiB and more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Converts an offset for storage.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Span {
    fn new(start: usize, end: usize) -> Self {
        Self { start: offset(start), end: offset(end) }
    }

    /// Returns the part of a text.
    pub(crate) fn of(self, source: &[u8]) -> &[u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A class without its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassNode {
    pub(crate) kind: Span,
    /// The text between kind and `=`.
    pub(crate) helpers: Span,
    pub(crate) name: Span,
    pub(crate) description: Option<Span>,
    /// The text after `[`.
    pub(crate) body: Option<u32>,
}

/// An item of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemNode {
    Class(ClassNode),
    Include(Span),
    Exclude(Span),
    MapSize(Span),
    /// An item without meaning for entities, such as `@MaterialExclusion`.
    Other,
}

/// A key of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyNode {
    pub(crate) name: Span,
    /// The text in parentheses.
    pub(crate) value_type: Span,
    /// Flags and metadata between the type and the label.
    pub(crate) flags: Span,
    pub(crate) label: Option<Span>,
    pub(crate) default: Option<Span>,
    pub(crate) help: Option<Span>,
    /// The text after the `[` of the choices. The cursor is there after the key was read.
    pub(crate) choices: Option<u32>,
}

/// An input or output of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PortNode {
    pub(crate) name: Span,
    pub(crate) value_type: Span,
    pub(crate) description: Option<Span>,
}

/// A member of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemberNode {
    Key(KeyNode),
    Input(PortNode),
    Output(PortNode),
}

/// A choice or flag of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChoiceNode {
    pub(crate) value: Span,
    pub(crate) label: Option<Span>,
    pub(crate) default: Option<Span>,
}

/// A helper of a class, such as `base(A, B)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HelperNode {
    pub(crate) name: Span,
    pub(crate) arguments: Option<Span>,
}

/// Flags that may be on another line than the type.
const FLAGS: [&[u8]; 3] = [b"readonly", b"report", b"important"];

/// A cursor over the tokens of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parser<'a> {
    source: &'a [u8],
    next: Lexeme,
    /// The end of the token before the next one.
    last_end: usize,
}

impl<'a> Parser<'a> {
    /// Creates a cursor at an offset between tokens.
    pub(crate) fn new(source: &'a [u8], at: usize) -> Self {
        Self { source, next: next_lexeme(source, at), last_end: at }
    }

    /// Creates a cursor over the tokens of a part of the text.
    pub(crate) fn in_part(source: &'a [u8], part: Span) -> Self {
        Self::new(source.get(..part.end as usize).unwrap_or(source), part.start as usize)
    }

    pub(crate) fn peek(&self) -> Token {
        self.next.token
    }

    /// Returns the offset of the next token.
    pub(crate) fn at(&self) -> usize {
        self.next.start
    }

    /// Returns the token after the next one.
    fn peek_second(&self) -> Token {
        next_lexeme(self.source, self.next.end).token
    }

    pub(crate) fn advance(&mut self) -> Lexeme {
        let lexeme = self.next;
        self.last_end = lexeme.end;
        self.next = next_lexeme(self.source, lexeme.end);
        lexeme
    }

    fn eat(&mut self, token: Token) -> bool {
        let is_next = self.peek() == token;
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(crate) fn unexpected(&self, expected: &'static str) -> Failure {
        let kind = match self.peek() {
            Token::End => ReadErrorKind::Ended { expected },
            Token::Unended => ReadErrorKind::Unended,
            token => ReadErrorKind::Unexpected { found: token.name(), expected },
        };
        (kind, self.at())
    }

    fn expect(&mut self, token: Token, expected: &'static str) -> Result<(), Failure> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Reads a word or string.
    pub(crate) fn name(&mut self, expected: &'static str) -> Result<Span, Failure> {
        if !self.peek().is_text() {
            return Err(self.unexpected(expected));
        }
        let lexeme = self.advance();
        Ok(Span::new(lexeme.start, lexeme.end))
    }

    /// Reads a word, a string, or strings that are joined by `+`.
    fn text(&mut self, expected: &'static str) -> Result<Span, Failure> {
        let first = self.name(expected)?;
        let mut end = first.end;
        while self.eat(Token::Plus) {
            if self.peek() != Token::Quoted {
                break;
            }
            end = self.name(expected)?.end;
        }
        Ok(Span { end, ..first })
    }

    /// Reads a group in brackets. Returns the text between them. Brackets of other kinds in it need not match.
    fn group(&mut self) -> Result<Span, Failure> {
        let open = self.peek();
        let Some(close) = open.closing() else { return Err(self.unexpected("a group in brackets")) };
        let start = self.advance().end;
        let mut depth = 1_usize;
        loop {
            let token = self.peek();
            if matches!(token, Token::End | Token::Unended) {
                return Err(self.unexpected(close.name()));
            }
            let lexeme = self.advance();
            if token == open {
                depth = depth.saturating_add(1);
            } else if token == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Ok(Span::new(start, lexeme.start));
                }
            }
        }
    }

    /// Skips tags and metadata. Both dialects have them in several places.
    fn groups(&mut self) -> Result<(), Failure> {
        while matches!(self.peek(), Token::OpenSquare | Token::OpenCurly) {
            self.group()?;
        }
        Ok(())
    }

    /// Reads the next item of a file. Returns `None` at the end.
    pub(crate) fn item(&mut self) -> Result<Option<ItemNode>, Failure> {
        if self.peek() == Token::End {
            return Ok(None);
        }
        self.expect(Token::At, "`@`")?;
        let kind = self.name("a kind of class after `@`")?;
        let word = kind.of(self.source);
        let item = if word.eq_ignore_ascii_case(b"include") {
            ItemNode::Include(self.text("the name of a file")?)
        } else if word.eq_ignore_ascii_case(b"exclude") {
            ItemNode::Exclude(self.name("the name of a class")?)
        } else if word.eq_ignore_ascii_case(b"mapsize") {
            ItemNode::MapSize(self.group()?)
        } else if word.eq_ignore_ascii_case(b"autovisgroup") {
            self.expect(Token::Equals, "`=`")?;
            self.text("the name of a group")?;
            self.group()?;
            ItemNode::Other
        } else {
            self.class(kind)?
        };
        Ok(Some(item))
    }

    /// Reads a class up to its `[`, or an unknown item without a `=`.
    fn class(&mut self, kind: Span) -> Result<ItemNode, Failure> {
        let start = self.last_end;
        loop {
            match self.peek() {
                Token::Equals => break,
                Token::At | Token::End => {
                    let word = kind.of(self.source);
                    let suffix = word.len().checked_sub(5).and_then(|start| word.get(start..)).unwrap_or_default();
                    if suffix.eq_ignore_ascii_case(b"class") {
                        return Err(self.unexpected("`=` and the name of the class"));
                    }
                    return Ok(ItemNode::Other);
                }
                Token::OpenSquare | Token::OpenRound | Token::OpenCurly => drop(self.group()?),
                Token::Word | Token::Quoted | Token::Separator | Token::Plus | Token::Colon => drop(self.advance()),
                _ => return Err(self.unexpected("helpers, or `=` and the name of the class")),
            }
        }
        let helpers = Span::new(start, self.advance().start);
        let name = self.name("the name of the class")?;
        let mut description = None;
        let mut is_first = true;
        while self.eat(Token::Colon) {
            if self.peek() == Token::Quoted {
                let text = self.text("a description")?;
                description = description.or(is_first.then_some(text));
            }
            is_first = false;
        }
        let body = (self.peek() == Token::OpenSquare).then(|| offset(self.advance().end));
        Ok(ItemNode::Class(ClassNode { kind, helpers, name, description, body }))
    }

    /// Reads the next helper of a class. Returns `None` at the end of the helpers.
    pub(crate) fn helper(&mut self) -> Option<HelperNode> {
        loop {
            match self.peek() {
                Token::End | Token::Unended => return None,
                Token::Word | Token::Quoted => break,
                _ => drop(self.advance()),
            }
        }
        let name = self.name("a helper").ok()?;
        // Tags of srctools.
        while self.peek() == Token::OpenSquare {
            self.group().ok()?;
        }
        let has_arguments = matches!(self.peek(), Token::OpenRound | Token::OpenCurly);
        let arguments = if has_arguments { Some(self.group().ok()?) } else { None };
        Some(HelperNode { name, arguments })
    }

    /// Reads the next member of a class, after `[` or another member. Returns `None` after `]`.
    pub(crate) fn member(&mut self) -> Result<Option<MemberNode>, Failure> {
        // Extensions such as `@snippet` take the rest of their line.
        while self.eat(Token::At) {
            let is_end = |token| matches!(token, Token::CloseSquare | Token::At | Token::End | Token::Unended);
            while !is_end(self.peek()) && !self.next.begins_line {
                self.advance();
            }
        }
        if self.eat(Token::CloseSquare) {
            return Ok(None);
        }
        let name = self.name("a key, an input, an output or `]`")?;
        // A key may be named `input`. Then its type follows.
        if self.peek().is_text() {
            let word = name.of(self.source);
            if word.eq_ignore_ascii_case(b"input") {
                return Ok(Some(MemberNode::Input(self.port()?)));
            }
            if word.eq_ignore_ascii_case(b"output") {
                return Ok(Some(MemberNode::Output(self.port()?)));
            }
        }
        Ok(Some(MemberNode::Key(self.key(name)?)))
    }

    /// Reads an input or output after the word.
    fn port(&mut self) -> Result<PortNode, Failure> {
        let name = self.name("a name")?;
        self.groups()?;
        let value_type = if self.peek() == Token::OpenRound { self.group()? } else { Span::default() };
        self.groups()?;
        let [description] = self.columns()?;
        self.groups()?;
        Ok(PortNode { name, value_type, description })
    }

    /// Reads a key after its name.
    fn key(&mut self, name: Span) -> Result<KeyNode, Failure> {
        self.groups()?;
        if self.peek() != Token::OpenRound {
            return Err(self.unexpected("`(` and the type of the key"));
        }
        let value_type = self.group()?;
        let start = self.last_end;
        loop {
            match self.peek() {
                Token::OpenSquare | Token::OpenCurly => drop(self.group()?),
                Token::Word if self.is_flag() => drop(self.advance()),
                _ => break,
            }
        }
        let flags = Span::new(start, self.last_end);
        let [label, default, help] = self.columns()?;
        self.groups()?;
        let mut choices = None;
        if self.eat(Token::Equals) {
            if self.peek() != Token::OpenSquare {
                return Err(self.unexpected("`[` and choices"));
            }
            choices = Some(offset(self.advance().end));
        }
        Ok(KeyNode { name, value_type, flags, label, default, help, choices })
    }

    /// Returns `true` if the next word is a flag of a key, not the start of the next member.
    fn is_flag(&self) -> bool {
        let word = self.source.get(self.next.start..self.next.end).unwrap_or_default();
        let second = self.peek_second();
        if FLAGS.iter().any(|flag| word.eq_ignore_ascii_case(flag)) {
            return second != Token::OpenRound;
        }
        let is_port = word.eq_ignore_ascii_case(b"input") || word.eq_ignore_ascii_case(b"output");
        !self.next.begins_line && second != Token::OpenRound && !(is_port && second.is_text())
    }

    /// Reads texts that begin with `:`. Each may be missing. Further ones are skipped.
    fn columns<const N: usize>(&mut self) -> Result<[Option<Span>; N], Failure> {
        let mut columns = [None; N];
        let mut places = columns.iter_mut();
        while self.eat(Token::Colon) {
            let text = match self.peek() {
                // The name of the next member.
                Token::Word if self.peek_second() == Token::OpenRound => None,
                Token::Word | Token::Quoted => Some(self.text("a text")?),
                Token::Colon | Token::Equals | Token::CloseSquare | Token::OpenSquare | Token::OpenCurly => None,
                _ => return Err(self.unexpected("a text after `:`")),
            };
            if let Some(place) = places.next() {
                *place = text;
            }
        }
        Ok(columns)
    }

    /// Reads the next choice, after `[` or another choice. Returns `None` after `]`.
    pub(crate) fn choice(&mut self) -> Result<Option<ChoiceNode>, Failure> {
        while self.eat(Token::Separator) {}
        if self.eat(Token::CloseSquare) {
            return Ok(None);
        }
        let value = self.name("a choice or `]`")?;
        let [label, default, _help] = self.columns()?;
        self.groups()?;
        Ok(Some(ChoiceNode { value, label, default }))
    }
}
