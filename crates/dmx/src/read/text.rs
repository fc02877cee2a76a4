//! Reader of KeyValues2.

mod entry;
mod entry_cache;
mod failure;
mod lexer;
mod plain;
mod recovery;
mod references;
mod trace;
mod value;

use std::borrow::Cow;

use mapwright_io::{Budget, FaultKind, Position};

use entry_cache::{CacheKey, EntryCache};
use failure::{Failure, position};
use lexer::Lexeme;
pub(crate) use lexer::{ESCAPES, Lexer, Span, Token, unescape};
pub(super) use recovery::rescue;
pub(crate) use trace::{Block, Cst, Entry, EntrySpan, Owner, Trace};

use super::memory::{GROWTH, Memory};
use crate::document::{MAX_BYTES, MAX_ELEMENTS};
use crate::layout::PREFIX_BLOCK;
use crate::{
    Attribute, Document, Element, ElementId, Guid, Header, ReadError, ReadErrorKind, Reference, StringId, Strings,
    Value, ValueType,
};

/// Reads a text after its header.
pub(super) fn read(
    header: Header,
    bytes: Cow<'_, [u8]>,
    start: usize,
    budget: &mut Budget,
) -> Result<Document, ReadError> {
    let mut document = parse(header, &bytes, start, budget, &mut ())?;
    document.source = Some(bytes.into());
    Ok(document)
}

/// Reads a text after its header and traces the positions of its parts.
pub(crate) fn parse(
    header: Header,
    bytes: &[u8],
    start: usize,
    budget: &mut Budget,
    trace: &mut impl Trace,
) -> Result<Document, ReadError> {
    let mut parser = Parser::new(&header, bytes, start, budget, trace)?;
    if let Err(failure) = parser.file().and_then(|()| parser.finish()) {
        return Err(parser.error(failure));
    }
    Ok(parser.into_document(header))
}

/// An open block or array. One stack contains the attributes of all open blocks, another the items of all open arrays.
#[derive(Debug, Clone, Copy)]
enum Open {
    Block {
        owner: Owner,
        /// The attribute that contains the block; `None` for a top-level block and for an item of an array.
        name: Option<StringId>,
        /// Index of its first attribute.
        first: usize,
        /// `true` if the identity was read, and `true` if the name was read.
        had: (bool, bool),
        key: CacheKey,
    },
    Array {
        name: StringId,
        /// Index of its first item.
        first: usize,
    },
}

struct Parser<'a, 'b, T> {
    lexer: Lexer<'a>,
    strings: Strings,
    elements: Vec<Element>,
    /// `true` if the root was read. It is the first element, but prefix attributes precede it.
    has_root: bool,
    prefix: Vec<Vec<Attribute>>,
    /// Identity of the element that repeats the prefix attributes.
    copy: Option<Guid>,
    copy_class: &'static [u8],
    stack: Vec<Open>,
    attributes: Vec<Attribute>,
    references: Vec<Reference>,
    /// The identities in references. Until all elements are known, references are external ones with an index into this list.
    identities: Vec<Lexeme<'a>>,
    /// The attribute that is being read.
    name: Option<StringId>,
    budget: &'b mut Budget,
    memory: Memory,
    cache: EntryCache,
    /// Lists for items of each type, which are reused.
    spare: [Option<value::Items>; ValueType::ALL.len()],
    trace: &'b mut T,
}

impl<'a, 'b, T: Trace> Parser<'a, 'b, T> {
    fn new(
        header: &Header,
        bytes: &'a [u8],
        start: usize,
        budget: &'b mut Budget,
        trace: &'b mut T,
    ) -> Result<Self, ReadError> {
        // Offsets of strings take four bytes.
        if bytes.len() > MAX_BYTES {
            let (asked, limit) = (bytes.len() as u64, MAX_BYTES as u64);
            let kind = FaultKind::Limit { what: "size of the file", asked, limit };
            return Err(ReadError::new(kind.into(), Position::file(0)));
        }
        let mut memory = Memory::new(bytes.len());
        // The document owns the source.
        memory.spend(bytes.len()).map_err(|kind| ReadError::new(kind.into(), Position::file(0)))?;
        Ok(Self {
            lexer: Lexer::new(bytes, start),
            strings: Strings::default(),
            elements: Vec::new(),
            has_root: false,
            prefix: Vec::new(),
            copy: None,
            copy_class: header.prefix_class(),
            stack: Vec::new(),
            attributes: Vec::new(),
            references: Vec::new(),
            identities: Vec::new(),
            name: None,
            budget,
            memory,
            cache: EntryCache::default(),
            spare: Default::default(),
            trace,
        })
    }

    fn into_document(self, header: Header) -> Document {
        let Self { strings, elements, prefix, .. } = self;
        Document { header, prefix, strings, elements, trailing: Vec::new(), source: None }
    }

    /// Reads up to the end of the text.
    fn file(&mut self) -> Result<(), Failure> {
        loop {
            match self.stack.last() {
                None => {
                    let class = self.lex()?;
                    match class.token {
                        Token::Text(_) => self.top_level_block(class)?,
                        Token::End if !self.has_root => {
                            return Err(Failure::new(ReadErrorKind::NoElements, class.span.start));
                        }
                        Token::End => return Ok(()),
                        _ => return Err(self.unexpected("the class of an element", class)),
                    }
                }
                Some(&Open::Block { owner, had, key, .. }) => self.entry(owner, had, key)?,
                Some(&Open::Array { name, first }) => self.item(name, first)?,
            }
        }
    }

    fn top_level_block(&mut self, class: Lexeme<'a>) -> Result<(), Failure> {
        let brace = self.lex()?;
        if brace.token != Token::Open {
            return Err(self.unexpected("{", brace));
        }
        let at = class.span;
        if class.text == PREFIX_BLOCK {
            let owner = Owner::Prefix(self.prefix.len());
            self.counted(class.span.start, |parser| parser.memory.push(&mut parser.prefix, Vec::new()))?;
            if self.elements.is_empty() {
                // The block can contain elements, but the root is the first element.
                let class = self.string(class)?;
                self.element(class, at)?;
            }
            return self.open(owner, None, at, brace.span);
        }
        let class = self.string(class)?;
        let element = match self.elements.first_mut().filter(|_| !self.has_root) {
            Some(root) => {
                root.class = class;
                ElementId::ROOT
            }
            None => self.element(class, at)?,
        };
        self.has_root = true;
        self.open(Owner::Element(element.index()), None, at, brace.span)
    }

    /// Adds an element.
    fn element(&mut self, class: StringId, at: Span) -> Result<ElementId, Failure> {
        self.budget.take_items(1, position(at.start))?;
        let index = self.elements.len();
        if index >= MAX_ELEMENTS {
            let (asked, limit) = (index as u64, MAX_ELEMENTS as u64);
            let kind = FaultKind::Limit { what: "number of elements", asked, limit };
            return Err(Failure::new(kind, at.start));
        }
        let mut element = Element::new(class, StringId::EMPTY, None);
        element.origin = u32::try_from(index).ok();
        self.counted(at.start, |parser| parser.memory.push(&mut parser.elements, element))?;
        Ok(ElementId::at(index))
    }

    fn open(&mut self, owner: Owner, name: Option<StringId>, class: Span, brace: Span) -> Result<(), Failure> {
        self.trace.open(owner, class, brace);
        let first = self.attributes.len();
        let class = match owner {
            Owner::Element(index) => self.elements.get(index).map(|element| element.class),
            Owner::Prefix(_) => None,
        };
        let key = CacheKey { class: class.unwrap_or(StringId::EMPTY), previous: StringId::EMPTY };
        self.push(Open::Block { owner, name, first, had: (false, false), key }, brace)
    }

    fn push(&mut self, open: Open, at: Span) -> Result<(), Failure> {
        self.name = None;
        self.counted(at.start, |parser| parser.memory.push(&mut parser.stack, open))?;
        Ok(self.budget.check_depth(self.stack.len(), position(at.start))?)
    }

    fn array(&mut self, value_type: ValueType) -> Result<(Value, Span), Failure> {
        // Lists are reused, so that they do not grow each time.
        let spare = self.spare.get_mut(value_type as usize).and_then(Option::take);
        let mut items = spare.unwrap_or_else(|| value::Items::new(value_type));
        loop {
            let start = self.lexer.at();
            let plain = items.push_plain(self.lexer.remaining(), &mut self.memory);
            let taken = plain.map_err(|kind| Failure::new(kind, start))?;
            self.lexer.seek(start.saturating_add(taken));
            let item = self.lex()?;
            match item.token {
                Token::Text(_) | Token::Number => {}
                Token::CloseArray => {
                    let value = items.finish(&mut self.memory).map_err(|kind| Failure::new(kind, item.span.start))?;
                    if let Some(spare) = self.spare.get_mut(value_type as usize) {
                        *spare = Some(items);
                    }
                    return Ok((value, item.span));
                }
                _ => return Err(self.unexpected("an item or ]", item)),
            }
            self.counted(item.span.start, |parser| items.make_room(&mut parser.memory))?;
            if let value::Items::String(strings) = &mut items {
                self.budget.take_items(1, position(item.span.start))?;
                strings.push(intern(&mut self.strings, &mut self.memory, item)?);
            } else {
                self.value(value_type, item, |text| items.push(text))?;
            }
        }
    }

    fn value<V>(
        &mut self,
        value_type: ValueType,
        lexeme: Lexeme<'_>,
        read: impl FnOnce(&[u8]) -> Option<V>,
    ) -> Result<V, Failure> {
        // Twice, because prefix attributes are copied.
        self.counted(lexeme.span.start, |parser| match value_type {
            ValueType::Binary => parser.memory.spend(lexeme.text.len()),
            ValueType::Matrix => parser.memory.spend(size_of::<[[f32; 16]; 2]>()),
            _ => Ok(()),
        })?;
        let value = match lexeme.token {
            Token::Text(true) => read(&unescape(lexeme.text)),
            _ => read(lexeme.text),
        };
        value.ok_or_else(|| {
            let start = lexeme.text.get(..64).unwrap_or(lexeme.text);
            let text = String::from_utf8_lossy(start).into_owned();
            Failure::new(ReadErrorKind::BadValue { value_type, text }, lexeme.span.start)
        })
    }

    /// Reads an item of an array of elements, or the end of the array.
    fn item(&mut self, name: StringId, first: usize) -> Result<(), Failure> {
        self.name = None;
        let word = self.lex()?;
        match word.token {
            Token::Text(_) => {}
            Token::CloseArray => return self.close_array(name, first, word.span),
            _ => return Err(self.unexpected("an element or ]", word)),
        }
        self.trace.item(word.span);
        let next = self.lex()?;
        match next.token {
            Token::Open => {
                let class = self.string(word)?;
                let child = self.element(class, word.span)?;
                self.item_of_array(Reference::Element(child), word.span)?;
                self.open(Owner::Element(child.index()), None, word.span, next.span)
            }
            Token::Text(_) if word.text == b"element" => {
                self.budget.take_items(1, position(word.span.start))?;
                let reference = self.reference(next)?;
                self.item_of_array(reference, word.span)?;
                self.trace.reference(next.span);
                Ok(())
            }
            _ => Err(self.unexpected("{", next)),
        }
    }

    fn close_array(&mut self, name: StringId, first: usize, bracket: Span) -> Result<(), Failure> {
        self.stack.pop();
        let count = self.references.len().saturating_sub(first);
        let bytes = count.saturating_mul(size_of::<Reference>());
        self.counted(bracket.start, |parser| parser.memory.spend(bytes))?;
        let value = Value::ElementArray(self.references.split_off(first).into());
        self.attribute(name, value, bracket)?;
        self.trace.array_end(bracket);
        Ok(())
    }

    fn close(&mut self, brace: Span) -> Result<(), Failure> {
        self.trace.close(brace);
        let Some(Open::Block { owner, first, .. }) = self.stack.pop() else { return Ok(()) };
        let bytes = self.attributes.len().saturating_sub(first).saturating_mul(size_of::<Attribute>());
        // Prefix attributes are copied.
        let bytes = if matches!(owner, Owner::Prefix(_)) { bytes.saturating_mul(2) } else { bytes };
        self.counted(brace.start, |parser| parser.memory.spend(bytes))?;
        let attributes = self.attributes.split_off(first);
        let place = match owner {
            Owner::Element(index) => self.elements.get_mut(index).map(|element| &mut element.attributes),
            Owner::Prefix(index) => self.prefix.get_mut(index),
        };
        if let Some(place) = place {
            *place = attributes;
        }
        Ok(())
    }

    fn attribute(&mut self, name: StringId, value: Value, at: Span) -> Result<(), Failure> {
        self.counted(at.start, |parser| parser.memory.push(&mut parser.attributes, Attribute { name, value }))
    }

    fn item_of_array(&mut self, item: Reference, at: Span) -> Result<(), Failure> {
        self.counted(at.start, |parser| parser.memory.push(&mut parser.references, item))
    }

    /// Counts memory, and reports the offset if the limit is reached.
    #[inline]
    fn counted(&mut self, offset: usize, take: impl FnOnce(&mut Self) -> Result<(), FaultKind>) -> Result<(), Failure> {
        take(self).map_err(|kind| Failure::new(kind, offset))
    }

    fn string(&mut self, lexeme: Lexeme<'a>) -> Result<StringId, Failure> {
        intern(&mut self.strings, &mut self.memory, lexeme)
    }

    fn lex(&mut self) -> Result<Lexeme<'a>, Failure> {
        let lexeme = self.token()?;
        // Texts with backslashes are copied without them.
        if lexeme.token == Token::Text(true) {
            self.counted(lexeme.span.start, |parser| parser.memory.spend(lexeme.text.len()))?;
        }
        Ok(lexeme)
    }

    fn token(&mut self) -> Result<Lexeme<'a>, Failure> {
        self.lexer.next().map_err(|(error, span)| self.unknown(error, span))
    }

    fn text(&mut self, expected: &'static str) -> Result<Lexeme<'a>, Failure> {
        let lexeme = self.lex()?;
        if matches!(lexeme.token, Token::Text(_)) { Ok(lexeme) } else { Err(self.unexpected(expected, lexeme)) }
    }
}

fn intern(strings: &mut Strings, memory: &mut Memory, lexeme: Lexeme<'_>) -> Result<StringId, Failure> {
    let unescaped;
    let text = match lexeme.token {
        Token::Text(true) => {
            unescaped = unescape(lexeme.text);
            &*unescaped
        }
        _ => lexeme.text,
    };
    if let Some(known) = strings.find(text) {
        return Ok(known);
    }
    // The bytes, their end and an entry of the index.
    let bytes = text.len().saturating_add(9).saturating_mul(GROWTH);
    memory.spend(bytes).map_err(|kind| Failure::new(kind, lexeme.span.start))?;
    Ok(strings.push(text))
}
