//! Changes of a document.

use mapwright_io::splice::Splices;

use super::lexer::{Lexer, Token};
use super::view::ESCAPES;
use super::{Document, Item, Items, ReadOptions};
use crate::bytes::{escape_into, indentation, is_blank, line_end, removal, slice};
use crate::error::{invalid, overlap};
use crate::{WriteError, WriteErrorKind};

/// A list of changes of one document. Everything else keeps its bytes. New items have the layout of the items before them.
///
/// All items must belong to this document.
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

    /// Changes the value of a key. The new value is quoted if the old one was, or if it has to be.
    ///
    /// # Errors
    /// If the item is a block, or if the value cannot be stored.
    pub fn set_value(&mut self, item: Item<'a>, value: impl AsRef<[u8]>) -> Result<(), WriteError> {
        let (Some(old), Some(token)) = (item.value(), item.value_token()) else {
            return Err(kind("a block", "a key"));
        };
        if *old != *value.as_ref() {
            let new = self.token(value.as_ref(), token.starts_with(b"\""))?;
            self.splices.replace(item.node().value as usize..item.node().value_end as usize, new);
        }
        Ok(())
    }

    /// Changes the name of a key or block.
    ///
    /// # Errors
    /// If the name cannot be stored.
    pub fn rename(&mut self, item: Item<'a>, name: impl AsRef<[u8]>) -> Result<(), WriteError> {
        if *item.name() != *name.as_ref() {
            let new = self.token(name.as_ref(), item.name_token().starts_with(b"\""))?;
            self.splices.replace(item.node().name as usize..item.node().name_end as usize, new);
        }
        Ok(())
    }

    /// Removes an item, with its line if nothing else is in it. Comments stay.
    pub fn remove(&mut self, item: Item<'a>) {
        self.splices.replace(removal(&self.document.source, item.range()), []);
    }

    /// Adds a key after the last key of a block, or of the document.
    ///
    /// # Errors
    /// If the parent is a key, or if name or value cannot be stored.
    pub fn insert_key(
        &mut self,
        parent: Option<Item<'a>>,
        name: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<(), WriteError> {
        let neighbour = self.items(parent)?.filter(|item| !item.is_block()).last();
        let (name, value) = (name.as_ref(), value.as_ref());
        let is_quoted = |token: Option<&[u8]>| token.is_none_or(|token| token.starts_with(b"\""));
        let mut text = self.token(name, is_quoted(neighbour.map(Item::name_token)))?;
        text.extend_from_slice(neighbour.map_or(b" ", |item| self.separator(item)));
        text.extend(self.token(value, is_quoted(neighbour.and_then(Item::value_token)))?);
        self.insert(parent, neighbour, &text);
        Ok(())
    }

    /// Adds a block with keys after the last item of a block, or of the document.
    ///
    /// # Errors
    /// If the parent is a key, or if a name or value cannot be stored.
    pub fn insert_block<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        parent: Option<Item<'a>>,
        name: impl AsRef<[u8]>,
        keys: impl IntoIterator<Item = (K, V)>,
    ) -> Result<(), WriteError> {
        let neighbour = self.items(parent)?.last();
        let text = self.block(parent, neighbour, name.as_ref(), keys)?;
        self.insert(parent, neighbour, &text);
        Ok(())
    }

    /// Adds a block with keys after an item of the same block.
    ///
    /// # Errors
    /// If a name or value cannot be stored.
    pub fn insert_block_after<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        item: Item<'a>,
        name: impl AsRef<[u8]>,
        keys: impl IntoIterator<Item = (K, V)>,
    ) -> Result<(), WriteError> {
        let text = self.block(None, Some(item), name.as_ref(), keys)?;
        self.insert(None, Some(item), &text);
        Ok(())
    }

    /// Adds the text of a block after an item of the same block. Its first line gets the indentation of the item, other lines keep theirs.
    /// [`apply`](Self::apply) returns an error if the text is invalid.
    pub fn insert_text_after(&mut self, item: Item<'a>, text: impl AsRef<[u8]>) {
        self.insert(None, Some(item), text.as_ref());
    }

    /// Applies all changes and reads the result.
    ///
    /// # Errors
    /// If two changes overlap, or if the edited text is invalid.
    pub fn apply(self) -> Result<Document, WriteError> {
        let grammar = self.document.grammar;
        let source = &self.document.source;
        let text = self.splices.apply(source).map_err(|at| overlap(source, at))?;
        // The document may have been read with other limits than the defaults.
        let unlimited = mapwright_io::Limits::default().with_max_items(u64::MAX).with_max_depth(u32::MAX);
        let options = ReadOptions::default()
            .with_limits(unlimited)
            .with_max_text(usize::MAX)
            .with_escapes(grammar.escapes)
            .with_conditions(grammar.conditions)
            .with_block_comments(grammar.block_comments);
        Document::from_vec_with(text, &options).map_err(invalid)
    }

    /// Formats a block with keys, in the layout of its neighbour or parent.
    fn block<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        parent: Option<Item<'a>>,
        neighbour: Option<Item<'a>>,
        name: &[u8],
        keys: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Vec<u8>, WriteError> {
        let indent = self.indentation(parent, neighbour);
        let lines = [self.line_end(parent, neighbour), &*indent].concat();
        let mut text = self.token(name, false)?;
        text.extend([&*lines, b"{"].concat());
        for (key, value) in keys {
            text.extend([&*lines, b"\t"].concat());
            text.extend(self.token(key.as_ref(), true)?);
            text.push(b' ');
            text.extend(self.token(value.as_ref(), true)?);
        }
        text.extend([&*lines, b"}"].concat());
        Ok(text)
    }

    fn items(&self, parent: Option<Item<'a>>) -> Result<Items<'a>, WriteError> {
        match parent {
            None => Ok(self.document.items()),
            Some(parent) if parent.is_block() => Ok(parent.items()),
            Some(_) => Err(kind("a key", "a block")),
        }
    }

    /// Returns the spaces between name and value of a key, or one space if there is anything else.
    fn separator(&self, item: Item<'a>) -> &'a [u8] {
        let between = slice(&self.document.source, item.node().name_end as usize..item.node().value as usize);
        if !between.is_empty() && between.iter().all(|&byte| is_blank(byte)) { between } else { b" " }
    }

    /// Returns the indentation of new items: the same as the neighbour's, or one tab more than the parent's.
    fn indentation(&self, parent: Option<Item<'a>>, neighbour: Option<Item<'a>>) -> Vec<u8> {
        let of = |item: Item<'a>| indentation(&self.document.source, item.node().name as usize).map(<[u8]>::to_vec);
        let below = |parent| [&*of(parent).unwrap_or_default(), b"\t"].concat();
        neighbour.and_then(of).or_else(|| parent.map(below)).unwrap_or_default()
    }

    /// Returns the line end of new items: the same as before the neighbour or the parent.
    fn line_end(&self, parent: Option<Item<'a>>, neighbour: Option<Item<'a>>) -> &'static [u8] {
        line_end(&self.document.source, neighbour.or(parent).map_or(0, |item| item.range().start))
    }

    /// Inserts an item after its neighbour, or as the first item of its parent.
    fn insert(&mut self, parent: Option<Item<'a>>, neighbour: Option<Item<'a>>, text: &[u8]) {
        let source = &self.document.source;
        let (line_end, indent) = (self.line_end(parent, neighbour), self.indentation(parent, neighbour));
        let line = [line_end, &*indent, text].concat();
        match (parent, neighbour) {
            (_, Some(neighbour)) => {
                let range = neighbour.range();
                // A key that shares its line with other items gets its new neighbour in the same line.
                if indentation(source, range.start).is_none() && !neighbour.is_block() {
                    self.splices.insert(range.end, [b" ", text].concat());
                } else {
                    self.splices.insert(end_of_line(self.document, range.end), line);
                }
            }
            (Some(parent), None) => {
                let node = parent.node();
                let start = (node.value as usize).saturating_add(1);
                let rest = slice(source, start..source.len());
                let is_single = rest.iter().find(|&&byte| !is_blank(byte)) == Some(&b'}');
                let close = indentation(source, node.name as usize).unwrap_or_default();
                let end = if is_single { [line_end, close].concat() } else { Vec::new() };
                let at = if is_single { start } else { end_of_line(self.document, start) };
                self.splices.insert(at, [line, end].concat());
            }
            (None, None) => {
                let before: &[u8] = if matches!(source.last(), None | Some(b'\n')) { b"" } else { line_end };
                self.splices.insert(source.len(), [before, text, line_end].concat());
            }
        }
    }

    /// Formats a text as a token. Adds quotes if `quoted` is `true` or if the text needs them.
    fn token(&self, text: &[u8], quoted: bool) -> Result<Vec<u8>, WriteError> {
        let grammar = self.document.grammar;
        if !quoted {
            let lexeme = Lexer::at(text, 0, grammar).next_with_spaces();
            if lexeme.is_ok_and(|lexeme| lexeme.token == Token::Bare && lexeme.range == (0..text.len())) {
                return Ok(text.to_vec());
            }
        }
        let mut token = Vec::with_capacity(text.len().saturating_add(2));
        token.push(b'"');
        if grammar.escapes {
            escape_into(&mut token, text, &ESCAPES);
        } else if text.contains(&b'"') {
            let text = crate::decode(text).into_owned();
            let reason = "the file has no escapes for quotes";
            return Err(WriteError::without_position(WriteErrorKind::Text { text, reason }));
        } else {
            token.extend_from_slice(text);
        }
        token.push(b'"');
        Ok(token)
    }
}

/// Returns the end of the line after spaces and a `//` comment, or the offset itself if anything else follows.
fn end_of_line(document: &Document, at: usize) -> usize {
    let rest = slice(&document.source, at..document.source.len());
    let line = slice(rest, 0..memchr::memchr(b'\n', rest).unwrap_or(rest.len()));
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_free = matches!(line.trim_ascii_start(), [] | [b'/', b'/', ..]);
    if is_free { at.saturating_add(line.len()) } else { at }
}

fn kind(found: &'static str, expected: &'static str) -> WriteError {
    WriteError::without_position(WriteErrorKind::Kind { found, expected })
}
