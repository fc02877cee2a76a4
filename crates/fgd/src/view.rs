//! Classes and their members.

use std::borrow::Cow;
use std::fmt;

use mapwright_io::{Position, decode_text};

use crate::lexer::Token;
use crate::parser::{ChoiceNode, ClassNode, HelperNode, KeyNode, MemberNode, Parser, PortNode, Span};

/// Returns a token without its quotes.
pub(crate) fn unquoted(token: &[u8]) -> &[u8] {
    token.strip_prefix(b"\"").and_then(|token| token.strip_suffix(b"\"")).unwrap_or(token)
}

/// Decodes a word, a string, or strings that are joined by `+`.
pub(crate) fn decode_text_at(source: &[u8], span: Span) -> Cow<'_, str> {
    let mut parser = Parser::in_part(source, span);
    let first = parser.advance();
    let part = |start: usize, end: usize| unquoted(source.get(start..end).unwrap_or_default());
    let text = decode_text(part(first.start, first.end));
    if parser.peek() == Token::End {
        return text;
    }
    let mut text = text.into_owned();
    while parser.peek() != Token::End {
        let lexeme = parser.advance();
        if lexeme.token == Token::Quoted {
            text.push_str(&decode_text(part(lexeme.start, lexeme.end)));
        }
    }
    Cow::Owned(text)
}

/// Returns the words and strings of a part of the text.
fn words(source: &[u8], part: Span) -> impl Iterator<Item = Cow<'_, str>> {
    let mut parser = Parser::in_part(source, part);
    std::iter::from_fn(move || {
        loop {
            match parser.peek() {
                Token::End | Token::Unended => return None,
                token => {
                    let lexeme = parser.advance();
                    if token.is_text() {
                        let word = source.get(lexeme.start..lexeme.end).unwrap_or_default();
                        return Some(decode_text(unquoted(word)));
                    }
                }
            }
        }
    })
}

/// Returns the type in parentheses: in lower case, with spaces only between words, and without the `*` of reported keys.
fn value_type(source: &[u8], part: Span) -> String {
    let mut parser = Parser::in_part(source, part);
    let mut text = String::new();
    let mut is_after_word = false;
    while !matches!(parser.peek(), Token::End | Token::Unended) {
        let lexeme = parser.advance();
        let is_word = lexeme.token.is_text();
        if is_word && is_after_word {
            text.push(' ');
        }
        text.push_str(&decode_text(unquoted(source.get(lexeme.start..lexeme.end).unwrap_or_default())));
        is_after_word = is_word;
    }
    text.make_ascii_lowercase();
    match text.strip_prefix('*') {
        Some(rest) => rest.trim_start().to_owned(),
        None => text,
    }
}

/// A class of entities, as one file defines it.
#[derive(Clone, Copy)]
pub struct Class<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) node: ClassNode,
}

impl<'a> Class<'a> {
    /// Returns the kind without its `@`, such as `PointClass`.
    pub fn kind(&self) -> Cow<'a, str> {
        decode_text_at(self.source, self.node.kind)
    }

    /// Returns `true` if the class is of a kind, ignoring case.
    pub fn is_kind(&self, kind: &str) -> bool {
        unquoted(self.node.kind.of(self.source)).eq_ignore_ascii_case(kind.as_bytes())
    }

    /// Returns the name.
    pub fn name(&self) -> Cow<'a, str> {
        decode_text_at(self.source, self.node.name)
    }

    /// Returns the description.
    pub fn description(&self) -> Option<Cow<'a, str>> {
        self.node.description.map(|text| decode_text_at(self.source, text))
    }

    /// Returns the position of the name. Takes time in proportion to the text before it.
    pub fn position(&self) -> Position {
        Position::in_text(self.source, self.node.name.start as usize)
    }

    /// Returns the helpers, such as `base(A, B)` and `size(-8 -8 -8, 8 8 8)`.
    pub fn helpers(&self) -> impl Iterator<Item = Helper<'a>> + use<'a> {
        let source = self.source;
        let mut parser = Parser::in_part(source, self.node.helpers);
        std::iter::from_fn(move || Some(Helper { source, node: parser.helper()? }))
    }

    /// Returns the names of the classes that this one inherits from.
    pub fn bases(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        self.helpers().filter(|helper| helper.name().eq_ignore_ascii_case("base")).flat_map(|helper| helper.arguments())
    }

    /// Returns keys, inputs and outputs in the order of the file, without inherited ones.
    pub fn members(&self) -> impl Iterator<Item = Member<'a>> + use<'a> {
        let source = self.source;
        let mut parser = self.node.body.map(|at| Parser::new(source, at as usize));
        std::iter::from_fn(move || {
            let parser = parser.as_mut()?;
            Some(match parser.member().ok()?? {
                MemberNode::Key(node) => {
                    if node.choices.is_some() {
                        while let Ok(Some(_)) = parser.choice() {}
                    }
                    Member::Key(Key { source, node })
                }
                MemberNode::Input(node) => Member::Input(Port { source, node }),
                MemberNode::Output(node) => Member::Output(Port { source, node }),
            })
        })
    }
}

impl fmt::Debug for Class<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bases: Vec<_> = self.bases().collect();
        f.debug_struct("Class").field("kind", &self.kind()).field("name", &self.name()).field("bases", &bases).finish()
    }
}

/// A helper of a class.
#[derive(Clone, Copy)]
pub struct Helper<'a> {
    source: &'a [u8],
    node: HelperNode,
}

impl<'a> Helper<'a> {
    /// Returns the name, such as `base`.
    pub fn name(&self) -> Cow<'a, str> {
        decode_text_at(self.source, self.node.name)
    }

    /// Returns the words and strings in the brackets.
    pub fn arguments(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        words(self.source, self.node.arguments.unwrap_or_default())
    }
}

impl fmt::Debug for Helper<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name())?;
        for (index, argument) in self.arguments().enumerate() {
            write!(f, "{}{argument:?}", if index > 0 { ", " } else { "" })?;
        }
        write!(f, ")")
    }
}

/// A member of a class.
#[derive(Debug, Clone, Copy)]
pub enum Member<'a> {
    /// A key.
    Key(Key<'a>),
    /// An input.
    Input(Port<'a>),
    /// An output.
    Output(Port<'a>),
}

/// A key of a class.
#[derive(Clone, Copy)]
pub struct Key<'a> {
    source: &'a [u8],
    node: KeyNode,
}

impl<'a> Key<'a> {
    /// Returns the name.
    pub fn name(&self) -> Cow<'a, str> {
        decode_text_at(self.source, self.node.name)
    }

    /// Returns the type in lower case, such as `integer` or `resource:model`.
    pub fn value_type(&self) -> String {
        value_type(self.source, self.node.value_type)
    }

    /// Returns words and metadata between the type and the label, such as `readonly`.
    pub fn flags(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        words(self.source, self.node.flags)
    }

    /// Returns the name for users.
    pub fn label(&self) -> Option<Cow<'a, str>> {
        self.node.label.map(|text| decode_text_at(self.source, text))
    }

    /// Returns the default value.
    pub fn default(&self) -> Option<Cow<'a, str>> {
        self.node.default.map(|text| decode_text_at(self.source, text))
    }

    /// Returns the description.
    pub fn help(&self) -> Option<Cow<'a, str>> {
        self.node.help.map(|text| decode_text_at(self.source, text))
    }

    /// Returns `true` if the key lists choices or flags, even if there are none.
    pub fn has_choices(&self) -> bool {
        self.node.choices.is_some()
    }

    /// Returns the choices, or the flags of a key of type `flags`.
    pub fn choices(&self) -> impl Iterator<Item = Choice<'a>> + use<'a> {
        let source = self.source;
        let mut parser = self.node.choices.map(|at| Parser::new(source, at as usize));
        std::iter::from_fn(move || Some(Choice { source, node: parser.as_mut()?.choice().ok()?? }))
    }
}

impl fmt::Debug for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Key");
        out.field("name", &self.name()).field("type", &self.value_type()).field("default", &self.default());
        if self.has_choices() {
            out.field("choices", &self.choices().map(|choice| choice.value()).collect::<Vec<_>>());
        }
        out.finish()
    }
}

/// A choice or flag of a key.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    source: &'a [u8],
    node: ChoiceNode,
}

impl<'a> Choice<'a> {
    /// Returns the value. Flags of the srctools dialect may be powers of two, such as `2^3`; see [`flag`](Self::flag).
    pub fn value(&self) -> Cow<'a, str> {
        decode_text_at(self.source, self.node.value)
    }

    /// Returns the name for users.
    pub fn label(&self) -> Option<Cow<'a, str>> {
        self.node.label.map(|text| decode_text_at(self.source, text))
    }

    /// Returns the text after the label. For a flag, it is `1` if the flag is set in a new entity.
    pub fn default(&self) -> Option<Cow<'a, str>> {
        self.node.default.map(|text| decode_text_at(self.source, text))
    }

    /// Returns the value of a flag as a number.
    pub fn flag(&self) -> Option<u64> {
        let value = self.value();
        match value.split_once('^') {
            Some(("2" | "", power)) => 1_u64.checked_shl(power.parse().ok()?),
            _ => value.parse().ok(),
        }
    }
}

impl fmt::Debug for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choice").field("value", &self.value()).field("label", &self.label()).finish()
    }
}

/// An input or output of a class.
#[derive(Clone, Copy)]
pub struct Port<'a> {
    source: &'a [u8],
    node: PortNode,
}

impl<'a> Port<'a> {
    /// Returns the name.
    pub fn name(&self) -> Cow<'a, str> {
        decode_text_at(self.source, self.node.name)
    }

    /// Returns the type of the parameter in lower case. `void` is none.
    pub fn value_type(&self) -> String {
        value_type(self.source, self.node.value_type)
    }

    /// Returns the description.
    pub fn description(&self) -> Option<Cow<'a, str>> {
        self.node.description.map(|text| decode_text_at(self.source, text))
    }
}

impl fmt::Debug for Port<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Port").field("name", &self.name()).field("type", &self.value_type()).finish()
    }
}
