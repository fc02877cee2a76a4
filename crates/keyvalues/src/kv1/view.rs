//! Read access to items.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use mapwright_io::Position;

use super::lexer::{Lexer, Token};
use super::{Document, Node};
use crate::bytes::{MARK, slice, unescape};
use crate::text::decode_cow;

/// Escapes of strings: letters and their bytes.
pub(super) const ESCAPES: [(u8, u8); 5] = [(b'"', b'"'), (b'\\', b'\\'), (b'n', b'\n'), (b't', b'\t'), (b'r', b'\r')];

/// A key with its value, or a block with its items.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    document: &'a Document,
    index: u32,
    /// The end of the value or block before the item, or of the `{` around it.
    before: u32,
}

/// The items of a block, or of the document. A clone iterates over the same items again.
#[derive(Clone)]
pub struct Items<'a> {
    document: &'a Document,
    next: u32,
    end: u32,
    before: u32,
}

impl Document {
    /// Iterates over the items outside of blocks.
    pub fn items(&self) -> Items<'_> {
        let before = if self.source.starts_with(MARK) { 3 } else { 0 };
        Items { document: self, next: 0, end: crate::bytes::offset(self.nodes.len()), before }
    }

    /// Iterates over all items, each block before its items.
    pub fn walk(&self) -> impl Iterator<Item = Item<'_>> {
        let mut open = vec![self.items()];
        std::iter::from_fn(move || {
            loop {
                match open.last_mut()?.next() {
                    Some(item) => {
                        open.push(item.items());
                        return Some(item);
                    }
                    None => drop(open.pop()),
                }
            }
        })
    }

    /// Returns the first item outside of blocks with a name, in any case.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<Item<'_>> {
        self.items().named(name.as_ref())
    }
}

impl<'a> Items<'a> {
    fn named(mut self, name: &[u8]) -> Option<Item<'a>> {
        self.find(|item| item.is(name))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let index = Some(self.next).filter(|index| *index < self.end)?;
        let item = Item { document: self.document, index, before: self.before };
        let node = self.document.nodes.get(index as usize)?;
        self.next = node.next;
        self.before = if item.is_block() { node.value_end.saturating_add(1) } else { node.value_end };
        Some(item)
    }
}

impl<'a> Item<'a> {
    pub(super) fn node(self) -> Node {
        // The index comes from the document itself.
        let nothing = Node { name: 0, name_end: 0, value: 0, value_end: 0, next: u32::MAX };
        self.document.nodes.get(self.index as usize).copied().unwrap_or(nothing)
    }

    fn bytes(self, start: u32, end: u32) -> &'a [u8] {
        slice(&self.document.source, start as usize..end as usize)
    }

    /// Returns the document.
    pub fn document(self) -> &'a Document {
        self.document
    }

    /// Returns the name with its quotes, as the text contains it.
    pub fn name_token(self) -> &'a [u8] {
        self.bytes(self.node().name, self.node().name_end)
    }

    /// Returns the name without quotes and escapes.
    pub fn name(self) -> Cow<'a, [u8]> {
        self.plain(self.name_token())
    }

    /// Returns the name as text: UTF-8, else Windows-1252.
    pub fn name_text(self) -> Cow<'a, str> {
        decode_cow(self.name())
    }

    /// Returns `true` if the item has a name, in any case.
    pub fn is(self, name: impl AsRef<[u8]>) -> bool {
        self.name().eq_ignore_ascii_case(name.as_ref())
    }

    /// Returns `true` for a block.
    pub fn is_block(self) -> bool {
        self.document.source.get(self.node().value as usize) == Some(&b'{')
    }

    /// Returns the value with its quotes, as the text contains it. `None` for a block.
    pub fn value_token(self) -> Option<&'a [u8]> {
        (!self.is_block()).then(|| self.bytes(self.node().value, self.node().value_end))
    }

    /// Returns the value without quotes and escapes. `None` for a block.
    pub fn value(self) -> Option<Cow<'a, [u8]>> {
        self.value_token().map(|token| self.plain(token))
    }

    /// Returns the value as text: UTF-8, else Windows-1252. `None` for a block.
    pub fn text(self) -> Option<Cow<'a, str>> {
        self.value().map(decode_cow)
    }

    /// Returns the value as a number. `None` for a block and for text that is not a number.
    pub fn number(self) -> Option<f64> {
        self.text()?.trim().parse().ok()
    }

    /// Returns the numbers of a value such as `[1 0.5 0]` or `(0 0 64)`, or of one number. `None` if anything else is in it.
    pub fn numbers(self) -> Option<Vec<f64>> {
        let text = self.text()?;
        let inner = text.trim();
        let inner = inner.strip_prefix(['[', '(']).map_or(inner, |rest| rest.trim_end_matches([']', ')']));
        let numbers: Option<Vec<f64>> = inner.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        numbers.filter(|numbers| !numbers.is_empty())
    }

    /// Iterates over the items of a block. A key has none.
    pub fn items(self) -> Items<'a> {
        let (node, first) = (self.node(), self.index.saturating_add(1));
        Items { document: self.document, next: first, end: node.next, before: node.value.saturating_add(1) }
    }

    /// Returns the first item of the block with a name, in any case.
    pub fn get(self, name: impl AsRef<[u8]>) -> Option<Item<'a>> {
        self.items().named(name.as_ref())
    }

    /// Returns the condition after the value or the name of a block, with its brackets: `[$X360]`.
    pub fn condition(self) -> Option<&'a [u8]> {
        self.condition_range().map(|range| slice(&self.document.source, range))
    }

    fn condition_range(self) -> Option<Range<usize>> {
        let node = self.node();
        let at = if self.is_block() { node.name_end } else { node.value_end };
        condition_at(self.document, at)
    }

    /// Returns the bytes before the item, back to the previous item: spaces, line ends and comments.
    pub fn lead(self) -> &'a [u8] {
        // The condition of the previous item does not belong to the bytes before this one.
        let start = condition_at(self.document, self.before).map_or(self.before as usize, |range| range.end);
        slice(&self.document.source, start..self.node().name as usize)
    }

    /// Iterates over the comments before the item, with their `//` or `/*`. A comment at the end of a line belongs to the next item.
    pub fn comments(self) -> impl Iterator<Item = &'a [u8]> {
        let lead = self.lead();
        let mut lexer = Lexer::at(lead, 0, self.document.grammar);
        let tokens =
            std::iter::from_fn(move || lexer.next_with_spaces().ok().filter(|lexeme| lexeme.token != Token::End));
        tokens
            .filter(|lexeme| lexeme.token == Token::Comment)
            .map(move |lexeme| slice(lead, lexeme.range).trim_ascii_end())
    }

    /// Returns the range of the item in the text: from its name to its value, condition or `}`.
    pub fn range(self) -> Range<usize> {
        let node = self.node();
        let end = if self.is_block() {
            (node.value_end as usize).saturating_add(1)
        } else {
            self.condition_range().map_or(node.value_end as usize, |range| range.end)
        };
        node.name as usize..end
    }

    /// Returns the range of the value with its quotes, or of the content of a block between its braces.
    pub fn content_range(self) -> Range<usize> {
        let node = self.node();
        let start = if self.is_block() { node.value.saturating_add(1) } else { node.value };
        start as usize..node.value_end as usize
    }

    /// Returns the position of the item in the text. Takes time in proportion to the offset.
    pub fn position(self) -> Position {
        Position::in_text(&self.document.source, self.node().name as usize)
    }

    /// Removes the quotes and escapes of a token.
    fn plain(self, token: &'a [u8]) -> Cow<'a, [u8]> {
        match token {
            [b'"', inner @ .., b'"'] if self.document.grammar.escapes => unescape(inner, &ESCAPES),
            [b'"', inner @ .., b'"'] => Cow::Borrowed(inner),
            _ => Cow::Borrowed(token),
        }
    }
}

/// Finds a condition at an offset, after spaces and comments.
fn condition_at(document: &Document, at: u32) -> Option<Range<usize>> {
    if !document.grammar.conditions {
        return None;
    }
    let lexeme = Lexer::at(&document.source, at as usize, document.grammar).next().ok()?;
    (lexeme.token == Token::Condition).then_some(lexeme.range)
}

impl fmt::Debug for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(value) => write!(f, "\"{}\" \"{}\"", self.name().escape_ascii(), value.escape_ascii()),
            None => write!(f, "\"{}\" {{ … }}", self.name().escape_ascii()),
        }
    }
}
