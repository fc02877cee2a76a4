//! Read access to items.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use mapwright_io::Position;

use super::{Document, Node, Syntax, text};

/// The kind of an [`Item`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ItemKind {
    /// An element of XML.
    Element,
    /// An attribute of XML.
    Attribute,
    /// A JSON object.
    Object,
    /// A JSON array.
    Array,
    /// A JSON string.
    Text,
    /// A JSON number.
    Number,
    /// A JSON `true` or `false`.
    Bool,
    /// A JSON `null`.
    Null,
}

impl ItemKind {
    /// Returns the name with its article, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Element => "an element",
            Self::Attribute => "an attribute",
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Bool => "a boolean",
            Self::Null => "null",
        }
    }
}

/// A part of a text: an element or attribute of XML, or a value of JSON, with its key if it is a member of an object.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    document: &'a Document,
    index: u32,
}

/// Two items are equal if they are the same item of the same document.
impl PartialEq for Item<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.document, other.document) && self.index == other.index
    }
}

/// The items directly in an element, object or array. A clone iterates over the same items again.
#[derive(Clone)]
pub struct Items<'a> {
    document: &'a Document,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let item = Some(Item::new(self.document, self.next)).filter(|item| item.index < self.end)?;
        self.next = item.node().next;
        Some(item)
    }
}

impl<'a> Item<'a> {
    pub(super) const fn new(document: &'a Document, index: u32) -> Self {
        Self { document, index }
    }

    pub(crate) fn node(self) -> Node {
        // The index comes from the document itself.
        let nothing = Node { name: 0, value: 0, value_end: 0, next: u32::MAX, name_length: 0, kind: ItemKind::Null };
        self.document.nodes.get(self.index as usize).copied().unwrap_or(nothing)
    }

    fn slice(self, start: usize, end: usize) -> &'a str {
        self.document.source.get(start..end).unwrap_or_default()
    }

    /// Returns the document.
    pub const fn document(self) -> &'a Document {
        self.document
    }

    /// Returns the index in the order of the file.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// Returns the kind.
    pub fn kind(self) -> ItemKind {
        self.node().kind
    }

    /// Returns the name of an element or attribute, or the key of a member, without quotes and escapes. Returns an empty text for the root
    /// of JSON and for items of arrays.
    pub fn name(self) -> Cow<'a, str> {
        let node = self.node();
        let start = node.name as usize;
        let raw = self.slice(start, start.saturating_add(node.name_length.into()));
        if self.document.syntax == Syntax::Json { text::decode_string(raw) } else { Cow::Borrowed(raw) }
    }

    /// Returns `true` if the item has this name.
    pub fn is(self, name: &str) -> bool {
        self.name() == name
    }

    /// Returns the content of an element, the value of an attribute without quotes, or a JSON value, as the text contains it.
    pub fn raw(self) -> &'a str {
        let node = self.node();
        self.slice(node.value as usize, node.value_end as usize)
    }

    /// Returns the text: of an element without the elements in it, of an attribute, of a string, or of a number or word. Objects and
    /// arrays have none.
    pub fn text(self) -> Cow<'a, str> {
        let raw = self.raw();
        match self.kind() {
            ItemKind::Attribute => text::decode_attribute(raw),
            ItemKind::Text => text::decode_string(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()),
            ItemKind::Element => self.element_text(),
            ItemKind::Object | ItemKind::Array | ItemKind::Null => Cow::Borrowed(""),
            ItemKind::Number | ItemKind::Bool => Cow::Borrowed(raw),
        }
    }

    fn element_text(self) -> Cow<'a, str> {
        let raw = self.raw();
        if memchr::memchr3(b'<', b'&', b'\r', raw.as_bytes()).is_none() {
            return Cow::Borrowed(raw);
        }
        let (mut text, mut at) = (String::new(), self.node().value as usize);
        for child in self.elements() {
            let range = child.range();
            text::decode_content_into(&mut text, self.slice(at, range.start));
            at = range.end;
        }
        text::decode_content_into(&mut text, self.slice(at, self.node().value_end as usize));
        Cow::Owned(text)
    }

    /// Iterates over the items directly in this one. The attributes of an element come before its elements. Numbers, booleans and nulls
    /// in arrays are no items; see [`numbers`](Self::numbers).
    pub fn items(self) -> Items<'a> {
        Items { document: self.document, next: self.index.saturating_add(1), end: self.node().next }
    }

    /// Returns an empty list of items.
    pub(crate) const fn no_items(self) -> Items<'a> {
        Items { document: self.document, next: 0, end: 0 }
    }

    /// Iterates over the elements directly in this one.
    pub fn elements(self) -> impl Iterator<Item = Item<'a>> + Clone {
        self.items().filter(|item| item.kind() == ItemKind::Element)
    }

    /// Returns the first attribute with a name, or the last member with a key, as Tiled does.
    pub fn get(self, name: &str) -> Option<Item<'a>> {
        match self.kind() {
            ItemKind::Element => {
                self.items().take_while(|item| item.kind() == ItemKind::Attribute).find(|item| item.is(name))
            }
            ItemKind::Object => self.items().filter(|item| item.is(name)).last(),
            _ => None,
        }
    }

    /// Iterates over the numbers in an array, or between the commas of a text. Items that are no numbers are `None`.
    pub fn numbers(self) -> impl Iterator<Item = Option<f64>> + 'a {
        self.number_tokens().map(|(_, token)| token.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    /// Iterates over the parts between the commas of an array or a text, with their offsets.
    pub(crate) fn number_tokens(self) -> impl Iterator<Item = (usize, &'a str)> + 'a {
        let raw = self.raw();
        let quoted = match self.kind() {
            ItemKind::Array | ItemKind::Text => 1,
            _ => 0,
        };
        let inner = raw.get(quoted..raw.len().saturating_sub(quoted)).unwrap_or_default();
        let start = (self.node().value as usize).saturating_add(quoted);
        let is_empty = inner.trim_ascii().is_empty();
        let tokens = inner.split(',').scan(start, |at, part| {
            let here = *at;
            *at = at.saturating_add(part.len()).saturating_add(1);
            let trimmed = part.trim_ascii_start();
            let blanks = part.len().saturating_sub(trimmed.len());
            Some((here.saturating_add(blanks), trimmed.trim_ascii_end()))
        });
        tokens.take(if is_empty { 0 } else { usize::MAX })
    }

    /// Returns the range of the item in the text: an element with its tags, an attribute with its name and quotes, a member with its key.
    pub fn range(self) -> Range<usize> {
        let node = self.node();
        let (name, end) = (node.name as usize, node.value_end as usize);
        match node.kind {
            ItemKind::Element => {
                let start = name.saturating_sub(1);
                if self.has_end_tag() {
                    let tag = self.slice(end, self.document.source.len());
                    let length = memchr::memchr(b'>', tag.as_bytes()).map_or(0, |at| at.saturating_add(1));
                    start..end.saturating_add(length)
                } else {
                    start..end
                }
            }
            ItemKind::Attribute => name..end.saturating_add(1),
            // Members have quotes around the key, which may be empty.
            _ if node.name < node.value => name.saturating_sub(1)..end,
            _ => node.value as usize..end,
        }
    }

    /// Returns the range of what [`raw`](Self::raw) returns.
    pub fn value_range(self) -> Range<usize> {
        let node = self.node();
        node.value as usize..node.value_end as usize
    }

    /// Returns `true` for an element of XML.
    pub(crate) fn has_tags(self) -> bool {
        self.kind() == ItemKind::Element
    }

    /// Returns `false` for an element such as `<point/>`.
    pub(crate) fn has_end_tag(self) -> bool {
        // A start tag never ends with `/>`.
        let start = self.node().value as usize;
        self.kind() == ItemKind::Element && self.slice(start.saturating_sub(2), start) != "/>"
    }

    /// Returns the position in the text, with line and column. Takes time in proportion to the text before it.
    pub fn position(self) -> Position {
        Position::in_text(self.document.source.as_bytes(), self.range().start)
    }
}

impl fmt::Debug for Item<'_> {
    /// Formats the kind, the name and the start of the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value: String = self.raw().chars().take(40).collect();
        write!(f, "{:?} {} {value:?}", self.kind(), self.name())
    }
}
