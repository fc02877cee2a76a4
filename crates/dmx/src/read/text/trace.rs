//! Ranges of the parts of a text in its source.

use super::Span;

/// The owner of the attributes in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// An element.
    Element(usize),
    /// A block of prefix attributes.
    Prefix(usize),
}

/// The kind of an entry of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Entry {
    /// The identity of the element.
    Id,
    /// The name of the element.
    Name,
    /// An attribute.
    #[default]
    Attribute,
}

/// Receives the ranges of parts.
pub(crate) trait Trace {
    /// A block opens: its class, and the brace.
    fn open(&mut self, _owner: Owner, _class: Span, _brace: Span) {}
    /// The innermost block closes.
    fn close(&mut self, _brace: Span) {}
    /// An entry of the innermost block begins with its name.
    fn entry(&mut self, _name: Span) {}
    /// The entry is an array of elements.
    fn array(&mut self, _bracket: Span) {}
    /// An item of that array begins.
    fn item(&mut self, _word: Span) {}
    /// The item is a reference, which ends with its text.
    fn reference(&mut self, _text: Span) {}
    /// The array of elements ends.
    fn array_end(&mut self, _bracket: Span) {}
    /// Any other entry ends: its kind, the text of its value or the part between its brackets, and its last token.
    fn end(&mut self, _entry: Entry, _value: Span, _last: Span) {}
}

/// Ignores the ranges.
impl Trace for () {}

/// The ranges of all blocks of a source.
#[derive(Debug, Default)]
pub(crate) struct Cst {
    /// The block of each element.
    pub(crate) elements: Vec<Block>,
    /// The blocks of prefix attributes.
    pub(crate) prefix: Vec<Block>,
    /// The top-level blocks.
    pub(crate) top: Vec<(Owner, Span)>,
    open: Vec<(Owner, Block)>,
}

/// The range of a block.
#[derive(Debug, Default, Clone)]
pub(crate) struct Block {
    /// The class.
    pub(crate) class: Span,
    /// The part between the braces.
    pub(crate) inner: Span,
    pub(crate) entries: Vec<EntrySpan>,
}

/// The range of an entry of a block.
#[derive(Debug, Default, Clone)]
pub(crate) struct EntrySpan {
    pub(crate) entry: Entry,
    /// The whole entry.
    pub(crate) span: Span,
    /// The text of its value with the quotes, or the part between its brackets.
    pub(crate) value: Span,
    /// The items of an array of elements, with `true` for blocks.
    pub(crate) items: Vec<(Span, bool)>,
    /// `true` if the value is a block.
    pub(crate) inline: bool,
    /// `true` if an array of elements is open.
    array: bool,
}

impl Cst {
    fn last(&mut self) -> Option<&mut EntrySpan> {
        self.open.last_mut()?.1.entries.last_mut()
    }
}

impl Trace for Cst {
    fn open(&mut self, owner: Owner, class: Span, brace: Span) {
        let inner = Span { start: brace.end, end: brace.end };
        self.open.push((owner, Block { class, inner, entries: Vec::new() }));
    }

    fn close(&mut self, brace: Span) {
        let Some((owner, mut block)) = self.open.pop() else { return };
        block.inner.end = brace.start;
        let start = block.class.start;
        let (blocks, index) = match owner {
            Owner::Element(index) => (&mut self.elements, index),
            Owner::Prefix(index) => (&mut self.prefix, index),
        };
        if blocks.len() <= index {
            blocks.resize(index.saturating_add(1), Block::default());
        }
        if let Some(place) = blocks.get_mut(index) {
            *place = block;
        }
        match self.last() {
            Some(entry) if entry.array => {
                if let Some((item, inline)) = entry.items.last_mut() {
                    (item.end, *inline) = (brace.end, true);
                }
            }
            Some(entry) => (entry.span.end, entry.inline) = (brace.end, true),
            None => self.top.push((owner, Span { start, end: brace.end })),
        }
    }

    fn entry(&mut self, name: Span) {
        if let Some((_, block)) = self.open.last_mut() {
            block.entries.push(EntrySpan { span: name, ..EntrySpan::default() });
        }
    }

    fn array(&mut self, bracket: Span) {
        if let Some(entry) = self.last() {
            (entry.array, entry.value.start) = (true, bracket.end);
        }
    }

    fn item(&mut self, word: Span) {
        if let Some(entry) = self.last() {
            entry.items.push((word, false));
        }
    }

    fn reference(&mut self, text: Span) {
        if let Some((item, _)) = self.last().and_then(|entry| entry.items.last_mut()) {
            item.end = text.end;
        }
    }

    fn array_end(&mut self, bracket: Span) {
        if let Some(entry) = self.last() {
            (entry.array, entry.value.end, entry.span.end) = (false, bracket.start, bracket.end);
        }
    }

    fn end(&mut self, entry: Entry, value: Span, last: Span) {
        if let Some(open) = self.last() {
            (open.entry, open.value, open.span.end) = (entry, value, last.end);
        }
    }
}
