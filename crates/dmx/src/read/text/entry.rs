//! Entries of blocks.

use super::entry_cache::{CacheKey, EntryHead, EntryKind};
use super::lexer::{Span, Token};
use super::trace::{Entry, Owner, Trace};
use super::{Failure, Open, Parser, position, value};
use crate::{Reference, StringId, Value, ValueType};

impl<T: Trace> Parser<'_, '_, T> {
    /// Reads an entry of the innermost block, or the end of the block.
    pub(super) fn entry(&mut self, owner: Owner, had: (bool, bool), key: CacheKey) -> Result<(), Failure> {
        self.name = None;
        self.lexer.skip_spaces();
        let head = match self.cache.find(key, self.lexer.source(), self.lexer.at()) {
            Some(head) => {
                self.budget.take_items(1, position(head.name.start))?;
                self.trace.entry(head.name);
                self.name = Some(head.id);
                head
            }
            None => match self.head(key)? {
                Some(head) => head,
                None => return Ok(()),
            },
        };
        if let Some(Open::Block { key, .. }) = self.stack.last_mut() {
            key.previous = head.id;
        }
        let value = Span { start: head.value, end: head.value.saturating_add(1) };
        self.lexer.seek(value.end);
        match head.kind {
            EntryKind::Block(class) => {
                let child = self.element(class, head.word)?;
                self.attribute(head.id, Value::Element(Reference::Element(child)), head.word)?;
                self.open(Owner::Element(child.index()), Some(head.id), head.word, value)
            }
            EntryKind::Array(ValueType::Element) => {
                self.trace.array(value);
                let first = self.references.len();
                self.push(Open::Array { name: head.id, first }, value)
            }
            EntryKind::Array(value_type) => {
                let (items, last) = self.array(value_type)?;
                self.attribute(head.id, items, last)?;
                self.trace.end(Entry::Attribute, Span { start: value.end, end: last.start }, last);
                Ok(())
            }
            EntryKind::Value(value_type) => {
                let (value, span) = self.scalar(value_type, value)?;
                let entry = self.store(owner, had, head.id, value, span)?;
                self.trace.end(entry, span, span);
                Ok(())
            }
        }
    }

    /// Reads the name of an entry and the word after it, or the end of the block.
    fn head(&mut self, key: CacheKey) -> Result<Option<EntryHead>, Failure> {
        let name = self.lex()?;
        match name.token {
            Token::Text(_) => {}
            Token::Close => {
                self.close(name.span)?;
                return Ok(None);
            }
            _ => return Err(self.unexpected("the name of an attribute or }", name)),
        }
        self.budget.take_items(1, position(name.span.start))?;
        self.trace.entry(name.span);
        let id = self.string(name)?;
        self.name = Some(id);
        let word = self.text("a type or the class of an element")?;
        // The value is read again when its type is known.
        let value = self.token()?;
        let kind = match value.token {
            Token::Open => EntryKind::Block(self.string(word)?),
            Token::OpenArray => match word.text.strip_suffix(b"_array").and_then(ValueType::from_text) {
                Some(value_type) => EntryKind::Array(value_type),
                None => return Err(self.unexpected("an array type", word)),
            },
            Token::Text(_) => match ValueType::from_text(word.text) {
                Some(value_type) => EntryKind::Value(value_type),
                None => return Err(self.unexpected("a type", word)),
            },
            _ => return Err(self.unexpected("a value", value)),
        };
        let head = EntryHead { name: name.span, word: word.span, value: value.span.start, id, kind };
        if (name.token, word.token) == (Token::Text(false), Token::Text(false)) {
            self.cache.insert(key, head);
        }
        Ok(Some(head))
    }

    /// Reads a single value after its opening quote.
    fn scalar(&mut self, value_type: ValueType, quote: Span) -> Result<(Value, Span), Failure> {
        if value_type != ValueType::String {
            let rest = self.lexer.remaining();
            if let Some((value, after)) = value::plain(value_type, rest) {
                self.lexer.seek(self.lexer.at().saturating_add(rest.len()).saturating_sub(after.len()));
                return Ok((value, Span { start: quote.start, end: self.lexer.at() }));
            }
        }
        self.lexer.seek(quote.start);
        let text = self.lex()?;
        let value = match value_type {
            ValueType::Element => Value::Element(self.reference(text)?),
            ValueType::String => Value::String(self.string(text)?),
            _ => self.value(value_type, text, |text| value::scalar(value_type, text))?,
        };
        Ok((value, text.span))
    }

    /// Stores a value as identity, name or attribute.
    fn store(
        &mut self,
        owner: Owner,
        had: (bool, bool),
        name: StringId,
        value: Value,
        at: Span,
    ) -> Result<Entry, Failure> {
        let is_named = |known: &[u8]| self.strings.get(name) == known;
        let entry = match &value {
            // Only the first block of prefix attributes contains the identity of its copy. In others it is an attribute.
            Value::ObjectId(_) if !had.0 && !matches!(owner, Owner::Prefix(1..)) && is_named(b"id") => Entry::Id,
            Value::String(_) if !had.1 && matches!(owner, Owner::Element(_)) && is_named(b"name") => Entry::Name,
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
            (_, _, value) => self.attribute(name, value, at)?,
        }
        Ok(entry)
    }
}
