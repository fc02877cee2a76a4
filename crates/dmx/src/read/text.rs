//! KeyValues2.

mod lexer;
mod trace;
mod value;

use hashbrown::HashMap;
use mapwright_io::{Budget, Fault, FaultKind, Frame, LineColumn, Position};

pub(crate) use lexer::{ESCAPES, Lexer, Span, Token, unescape};
use lexer::{LexError, Lexeme};
pub(crate) use trace::{Block, Cst, Entry, EntrySpan, Owner, Trace};
pub(crate) use value::float;

use super::memory::{GROWTH, Memory};
use crate::document::{MAX_BYTES, MAX_ELEMENTS};
use crate::layout::{PREFIX_BLOCK, PREFIX_CLASS};
use crate::{
    Attribute, Document, Element, ElementId, Guid, Header, ReadError, ReadErrorKind, Reference, StringId, Strings,
    Value, ValueType,
};

/// Reads what follows a header.
pub(super) fn read(header: Header, bytes: &[u8], start: usize, budget: &mut Budget) -> Result<Document, ReadError> {
    let mut document = parse(header, bytes, start, budget, &mut ())?;
    document.source = Some(bytes.into());
    Ok(document)
}

/// Reads what follows a header and tells where it stands.
pub(crate) fn parse(
    header: Header,
    bytes: &[u8],
    start: usize,
    budget: &mut Budget,
    trace: &mut impl Trace,
) -> Result<Document, ReadError> {
    // Strings tell each other apart by offsets of four bytes.
    if bytes.len() > MAX_BYTES {
        let (asked, limit) = (bytes.len() as u64, MAX_BYTES as u64);
        let kind = FaultKind::Limit { what: "size of the file", asked, limit };
        return Err(ReadError::new(kind.into(), Position::file(0)));
    }
    let mut parser = Parser {
        lexer: Lexer::new(bytes, start),
        strings: Strings::default(),
        elements: Vec::new(),
        rooted: false,
        prefix: Vec::new(),
        copy: None,
        stack: Vec::new(),
        attributes: Vec::new(),
        references: Vec::new(),
        identities: Vec::new(),
        name: None,
        budget,
        memory: Memory::new(bytes.len()),
        trace,
    };
    if let Err(failure) = parser.file() {
        return Err(parser.error(failure));
    }
    let Parser { strings, elements, prefix, .. } = parser;
    Ok(Document { header, prefix, strings, elements, trailing: Vec::new(), source: None })
}

/// What is wrong, and where.
struct Failure {
    kind: Box<ReadErrorKind>,
    offset: usize,
}

impl Failure {
    #[cold]
    fn new(kind: impl Into<ReadErrorKind>, offset: usize) -> Self {
        Self { kind: Box::new(kind.into()), offset }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::new(fault.kind, usize::try_from(fault.at.offset).unwrap_or(usize::MAX))
    }
}

/// Something that is open. The attributes of all open blocks lie in one stack, as do the items of all open arrays.
#[derive(Debug, Clone, Copy)]
enum Open {
    Block {
        owner: Owner,
        /// The attribute of the block around it that it stands in; none of a top-level block and of an item.
        name: Option<StringId>,
        /// Where its attributes begin.
        first: usize,
        /// Whether it had its identity and its name.
        had: (bool, bool),
    },
    Array {
        name: StringId,
        /// Where its items begin.
        first: usize,
    },
}

struct Parser<'a, 'b, T> {
    lexer: Lexer<'a>,
    strings: Strings,
    elements: Vec<Element>,
    /// Whether the root was read. It is the first element, but prefix attributes stand before it.
    rooted: bool,
    prefix: Vec<Vec<Attribute>>,
    /// The identity of the element that repeats the prefix attributes.
    copy: Option<Guid>,
    stack: Vec<Open>,
    attributes: Vec<Attribute>,
    references: Vec<Reference>,
    /// The identities that references name. Until all elements are known, references are external ones to a place here.
    identities: Vec<Lexeme<'a>>,
    /// The attribute that is being read.
    name: Option<StringId>,
    budget: &'b mut Budget,
    memory: Memory,
    trace: &'b mut T,
}

impl<'a, T: Trace> Parser<'a, '_, T> {
    fn file(&mut self) -> Result<(), Failure> {
        // The document keeps the source.
        self.counted(0, |parser| parser.memory.spend(parser.lexer.source().len()))?;
        loop {
            match self.stack.last() {
                None => {
                    let class = self.lex()?;
                    match class.token {
                        Token::Text(_) => self.top(class)?,
                        Token::End if !self.rooted => {
                            return Err(Failure::new(ReadErrorKind::NoElements, class.span.start));
                        }
                        Token::End => return self.finish(),
                        _ => return Err(self.unexpected("the class of an element", class)),
                    }
                }
                Some(&Open::Block { owner, had, .. }) => self.entry(owner, had)?,
                Some(&Open::Array { name, first }) => self.item(name, first)?,
            }
        }
    }

    fn top(&mut self, class: Lexeme<'a>) -> Result<(), Failure> {
        let brace = self.lex()?;
        if brace.token != Token::Open {
            return Err(self.unexpected("{", brace));
        }
        if class.text == PREFIX_BLOCK {
            let owner = Owner::Prefix(self.prefix.len());
            self.counted(class.span.start, |parser| parser.memory.push(&mut parser.prefix, Vec::new()))?;
            if self.elements.is_empty() {
                // Elements may stand in the block, and the root comes before them.
                self.element(class)?;
            }
            return self.open(owner, None, class.span, brace.span);
        }
        let element = match self.elements.first_mut().filter(|_| !self.rooted) {
            Some(root) => {
                root.class = intern(&mut self.strings, &mut self.memory, class)?;
                ElementId::ROOT
            }
            None => self.element(class)?,
        };
        self.rooted = true;
        self.open(Owner::Element(element.index()), None, class.span, brace.span)
    }

    /// Adds an element whose class was read.
    fn element(&mut self, class: Lexeme<'a>) -> Result<ElementId, Failure> {
        let at = position(class.span.start);
        self.budget.take_items(1, at)?;
        let index = self.elements.len();
        if index >= MAX_ELEMENTS {
            let (asked, limit) = (index as u64, MAX_ELEMENTS as u64);
            let kind = FaultKind::Limit { what: "number of elements", asked, limit };
            return Err(Failure::new(kind, class.span.start));
        }
        let (start, class) = (class.span.start, self.string(class)?);
        let mut element = Element::new(class, StringId::EMPTY, None);
        element.origin = u32::try_from(index).ok();
        self.counted(start, |parser| parser.memory.push(&mut parser.elements, element))?;
        Ok(ElementId::at(index))
    }

    fn open(&mut self, owner: Owner, name: Option<StringId>, class: Span, brace: Span) -> Result<(), Failure> {
        self.trace.open(owner, class, brace);
        let first = self.attributes.len();
        self.push(Open::Block { owner, name, first, had: (false, false) }, brace)
    }

    fn push(&mut self, open: Open, at: Span) -> Result<(), Failure> {
        self.name = None;
        self.counted(at.start, |parser| parser.memory.push(&mut parser.stack, open))?;
        Ok(self.budget.check_depth(self.stack.len(), position(at.start))?)
    }

    /// An entry of the innermost block, or the end of the block.
    fn entry(&mut self, owner: Owner, had: (bool, bool)) -> Result<(), Failure> {
        self.name = None;
        let name = self.lex()?;
        match name.token {
            Token::Text(_) => {}
            Token::Close => {
                return self.close(name.span);
            }
            _ => return Err(self.unexpected("the name of an attribute or }", name)),
        }
        self.budget.take_items(1, position(name.span.start))?;
        self.trace.entry(name.span);
        let name_id = self.string(name)?;
        self.name = Some(name_id);
        let word = self.text("a type or the class of an element")?;
        let value = self.lex()?;
        match value.token {
            Token::Open => {
                let child = self.element(word)?;
                let reference = Value::Element(Reference::Element(child));
                self.attribute(name_id, reference, word.span)?;
                self.open(Owner::Element(child.index()), Some(name_id), word.span, value.span)
            }
            Token::OpenArray => match word.text.strip_suffix(b"_array").and_then(ValueType::from_text) {
                Some(ValueType::Element) => {
                    self.trace.array(value.span);
                    let first = self.references.len();
                    self.push(Open::Array { name: name_id, first }, value.span)
                }
                Some(value_type) => {
                    let (items, last) = self.array(value_type)?;
                    self.attribute(name_id, items, last)?;
                    let inner = Span { start: value.span.end, end: last.start };
                    self.trace.end(Entry::Attribute, inner, last);
                    Ok(())
                }
                None => Err(self.unexpected("an array type", word)),
            },
            Token::Text(_) => {
                let Some(value_type) = ValueType::from_text(word.text) else {
                    return Err(self.unexpected("a type", word));
                };
                let entry = self.scalar(owner, had, name_id, value_type, value)?;
                self.trace.end(entry, value.span, value.span);
                Ok(())
            }
            _ => Err(self.unexpected("a value", value)),
        }
    }

    fn scalar(
        &mut self,
        owner: Owner,
        had: (bool, bool),
        name: StringId,
        value_type: ValueType,
        text: Lexeme<'a>,
    ) -> Result<Entry, Failure> {
        let value = match value_type {
            ValueType::Element => Value::Element(self.reference(text)?),
            ValueType::String => Value::String(self.string(text)?),
            _ => self.value(value_type, text, |text| value::scalar(value_type, text))?,
        };
        let entry = match (&value, self.strings.get(name)) {
            // Only the first block of prefix attributes has a copy, whose identity it says; in others it is an attribute.
            (Value::ObjectId(_), b"id") if !had.0 && !matches!(owner, Owner::Prefix(1..)) => Entry::Id,
            (Value::String(_), b"name") if !had.1 && matches!(owner, Owner::Element(_)) => Entry::Name,
            _ => Entry::Attribute,
        };
        if let (Some(Open::Block { had, .. }), Entry::Id | Entry::Name) = (self.stack.last_mut(), entry) {
            *(if entry == Entry::Id { &mut had.0 } else { &mut had.1 }) = true;
        }
        match (owner, entry, value) {
            (Owner::Element(index), Entry::Id, Value::ObjectId(id)) => {
                if let Some(element) = self.elements.get_mut(index) {
                    element.id = Some(id);
                }
            }
            (Owner::Element(index), Entry::Name, Value::String(name)) => {
                if let Some(element) = self.elements.get_mut(index) {
                    element.name = name;
                }
            }
            (Owner::Prefix(_), Entry::Id, Value::ObjectId(id)) => self.copy = Some(id),
            (_, _, value) => self.attribute(name, value, text.span)?,
        }
        Ok(entry)
    }

    fn array(&mut self, value_type: ValueType) -> Result<(Value, Span), Failure> {
        let mut items = value::Items::new(value_type);
        loop {
            let item = self.lex()?;
            match item.token {
                Token::Text(_) | Token::Number => {}
                Token::CloseArray => return Ok((items.finish(), item.span)),
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
        // Twice, as the copy of the prefix attributes is one of them.
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

    /// An item of an array of elements, or the end of the array.
    fn item(&mut self, name: StringId, first: usize) -> Result<(), Failure> {
        self.name = None;
        let word = self.lex()?;
        match word.token {
            Token::Text(_) => {}
            Token::CloseArray => {
                self.stack.pop();
                let count = self.references.len().saturating_sub(first);
                let bytes = count.saturating_mul(size_of::<Reference>());
                self.counted(word.span.start, |parser| parser.memory.spend(bytes))?;
                let value = Value::ElementArray(self.references.split_off(first).into());
                self.attribute(name, value, word.span)?;
                self.trace.array_end(word.span);
                return Ok(());
            }
            _ => return Err(self.unexpected("an element or ]", word)),
        }
        self.trace.item(word.span);
        let next = self.lex()?;
        match next.token {
            Token::Open => {
                let child = self.element(word)?;
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

    fn reference(&mut self, text: Lexeme<'a>) -> Result<Reference, Failure> {
        if text.text.is_empty() {
            return Ok(Reference::Null);
        }
        let place = StringId::at(self.identities.len());
        self.counted(text.span.start, |parser| parser.memory.push(&mut parser.identities, text))?;
        Ok(Reference::External(place))
    }

    fn close(&mut self, brace: Span) -> Result<(), Failure> {
        self.trace.close(brace);
        let Some(Open::Block { owner, first, .. }) = self.stack.pop() else { return Ok(()) };
        let bytes = self.attributes.len().saturating_sub(first).saturating_mul(size_of::<Attribute>());
        // Those of the first block are copied.
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

    /// Does what takes memory; there is too little of it at an offset of the source.
    fn counted(&mut self, offset: usize, take: impl FnOnce(&mut Self) -> Result<(), FaultKind>) -> Result<(), Failure> {
        take(self).map_err(|kind| Failure::new(kind, offset))
    }

    /// All is read: adds the element that repeats the prefix attributes, and finds what references refer to.
    fn finish(&mut self) -> Result<(), Failure> {
        if let (Some(id), Some(block)) = (self.copy, self.prefix.first().cloned()) {
            let class = Lexeme { token: Token::Text(false), span: Span::default(), text: PREFIX_CLASS };
            let copy = self.element(class)?;
            if let Some(element) = self.elements.get_mut(copy.index()) {
                (element.id, element.attributes) = (Some(id), block);
            }
        }
        // A table is up to twice as large as what it holds.
        let end = self.lexer.source().len();
        let ids = self.elements.iter().filter(|element| element.id.is_some()).count();
        self.counted(end, |parser| parser.memory.spend(ids.saturating_mul(size_of::<[(Guid, ElementId); 3]>())))?;
        let mut known = HashMap::with_capacity(ids);
        for (index, element) in self.elements.iter().enumerate() {
            if let Some(id) = element.id {
                known.entry(id).or_insert(ElementId::at(index));
            }
        }
        let (strings, memory, identities) = (&mut self.strings, &mut self.memory, &self.identities);
        let mut resolve = |reference: &mut Reference| -> Result<(), Failure> {
            let Reference::External(place) = *reference else { return Ok(()) };
            let Some(&text) = identities.get(place.index()) else { return Ok(()) };
            let element = Guid::from_text(text.text).ok().and_then(|id| known.get(&id));
            *reference = match element {
                Some(&element) => Reference::Element(element),
                None => Reference::External(intern(strings, memory, text)?),
            };
            Ok(())
        };
        let attributes = self.elements.iter_mut().flat_map(|element| &mut element.attributes);
        for attribute in attributes.chain(self.prefix.iter_mut().flatten()) {
            match &mut attribute.value {
                Value::Element(reference) => resolve(reference)?,
                Value::ElementArray(references) => references.iter_mut().try_for_each(&mut resolve)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn string(&mut self, lexeme: Lexeme<'a>) -> Result<StringId, Failure> {
        intern(&mut self.strings, &mut self.memory, lexeme)
    }

    fn lex(&mut self) -> Result<Lexeme<'a>, Failure> {
        let lexeme = self.lexer.next().map_err(|(error, span)| match error {
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
        })?;
        // What has backslashes is copied without them.
        if lexeme.token == Token::Text(true) {
            self.counted(lexeme.span.start, |parser| parser.memory.spend(lexeme.text.len()))?;
        }
        Ok(lexeme)
    }

    fn text(&mut self, expected: &'static str) -> Result<Lexeme<'a>, Failure> {
        let lexeme = self.lex()?;
        if matches!(lexeme.token, Token::Text(_)) { Ok(lexeme) } else { Err(self.unexpected(expected, lexeme)) }
    }

    #[cold]
    fn unexpected(&self, expected: &'static str, lexeme: Lexeme<'_>) -> Failure {
        let found = match lexeme.token {
            Token::End => "the end of the file".to_owned(),
            _ => {
                let text = lexeme.span.of(self.lexer.source());
                text.get(..64).unwrap_or(text).escape_ascii().to_string()
            }
        };
        Failure::new(ReadErrorKind::Expected { expected, found }, lexeme.span.start)
    }

    /// The error with line and column, and with the path of what is open.
    #[cold]
    fn error(&self, failure: Failure) -> ReadError {
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
        // What is being read is not counted yet.
        let unread = matches!(self.stack.last(), Some(Open::Array { .. }));
        let mut items = self.references.len().saturating_add(unread.into());
        for open in self.stack.iter().rev() {
            error = match *open {
                Open::Block { name: Some(id), .. } => error.wrap(name(id)),
                Open::Block { owner: Owner::Prefix(index), .. } => {
                    error.wrap(Frame::Index(index)).wrap(Frame::Field("prefix"))
                }
                // An item of an array, which is already counted; or an element at the top.
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
    // Its bytes, its end and its place in the index.
    let bytes = text.len().saturating_add(9).saturating_mul(GROWTH);
    memory.spend(bytes).map_err(|kind| Failure::new(kind, lexeme.span.start))?;
    Ok(strings.push(text))
}

fn position(offset: usize) -> Position {
    Position::file(offset as u64)
}
