//! Reads bytes into a [`Document`].

pub(crate) mod layout;
pub(crate) mod lexer;

use std::borrow::Cow;

use mapwright_io::{Budget, FaultKind, Frame, Path, Position};

use crate::bytes::{offset, slice};
use crate::document::{EntityRow, FaceRow, Index, PairRow, PrimitiveRow};
use crate::{Document, PrimitiveKind, ReadError, ReadErrorKind, ReadOptions};
use layout::{face_layout, patch_layout};
use lexer::{Lexeme, Lexer, Token};

/// The reason why a text is rejected, with the offset. The error is created from it, so that results of the lexer stay small.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failure {
    pub(crate) problem: Problem,
    pub(crate) at: usize,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Problem {
    /// Another token, or the end of the text, instead of what is described here.
    Expected(&'static str),
    /// A part without an end. The offset is that of its start.
    Unended(&'static str),
    Input(FaultKind),
}

/// Returns the failure for a token that is not what is described.
pub(crate) fn expected<T>(expected: &'static str, found: Lexeme) -> Result<T, Failure> {
    Err(Failure { problem: Problem::Expected(expected), at: found.start })
}

fn limit<T>(what: &'static str, asked: usize, limit: usize, at: usize) -> Result<T, Failure> {
    let kind = FaultKind::Limit { what, asked: asked as u64, limit: limit as u64 };
    Err(Failure { problem: Problem::Input(kind), at })
}

pub(super) fn read(source: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    check_source(&source)?;
    let mut parser = Parser {
        lexer: Lexer::new(&source),
        options,
        budget: Budget::new(&options.limits),
        index: Index::default(),
        part: Part::File,
    };
    match parser.map() {
        Ok(()) => {
            let index = parser.index;
            Ok(Document { source: source.into_owned(), index, options: options.clone() })
        }
        Err(failure) => Err(parser.error(failure)),
    }
}

/// Rejects texts that are longer than offsets can count, UTF-16 and Git LFS pointers.
fn check_source(source: &[u8]) -> Result<(), ReadError> {
    let start = Position::file(0);
    if u32::try_from(source.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of a text", asked: source.len() as u64, limit: u32::MAX.into() };
        return Err(ReadError::new(kind.into(), start));
    }
    if matches!(source, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Err(ReadError::new(ReadErrorKind::Utf16, start));
    }
    if mapwright_io::is_git_lfs_pointer(source) {
        return Err(ReadError::new(ReadErrorKind::LfsPointer, start));
    }
    Ok(())
}

/// The part that is being read, for the path of an error.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    File,
    Entity,
    Primitive,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    options: &'a ReadOptions,
    budget: Budget,
    index: Index,
    part: Part,
}

impl Parser<'_> {
    fn map(&mut self) -> Result<(), Failure> {
        let mut lexeme = self.lexer.next()?;
        if lexeme.token == Token::Word && slice(self.lexer.source(), lexeme.range()) == b"Version" {
            lexeme = self.lexer.next()?;
            if lexeme.token != Token::Number {
                return expected("a number after Version", lexeme);
            }
            lexeme = self.lexer.next()?;
        }
        // The end of the last brush of a fragment, while brushes follow that are in no entity.
        let mut is_fragment = false;
        while lexeme.token != Token::End {
            if lexeme.token != Token::OpenBrace {
                return expected("`{` of an entity", lexeme);
            }
            let open = lexeme;
            lexeme = self.lexer.next()?;
            if self.begins_brush(lexeme)? {
                if !is_fragment {
                    self.open_entity(open)?;
                }
                is_fragment = true;
                let close = self.primitive(open, lexeme)?;
                self.close_entity(close);
            } else {
                is_fragment = false;
                self.open_entity(open)?;
                let close = self.entity(lexeme, open)?;
                self.close_entity(close);
            }
            lexeme = self.lexer.next()?;
        }
        Ok(())
    }

    /// Returns `true` for the first token of a brush or patch, which an entity cannot begin with.
    fn begins_brush(&self, lexeme: Lexeme) -> Result<bool, Failure> {
        Ok(match lexeme.token {
            Token::OpenParenthesis | Token::Points | Token::Three | Token::Four | Token::Five => true,
            Token::Word => self.lexer.clone().next()?.token == Token::OpenBrace,
            _ => false,
        })
    }

    fn open_entity(&mut self, open: Lexeme) -> Result<(), Failure> {
        let number = self.index.entities.len().saturating_add(1);
        if number > self.options.max_entities {
            return limit("max_entities", number, self.options.max_entities, open.start);
        }
        self.index.entities.push(EntityRow {
            start: offset(open.start),
            end: 0,
            first_pair: offset(self.index.pairs.len()),
            first_primitive: offset(self.index.primitives.len()),
        });
        self.part = Part::Entity;
        Ok(())
    }

    fn close_entity(&mut self, close: Lexeme) {
        if let Some(entity) = self.index.entities.last_mut() {
            entity.end = offset(close.end);
        }
        self.part = Part::File;
    }

    /// Reads an entity after its brace. Returns the brace at its end.
    fn entity(&mut self, first: Lexeme, open: Lexeme) -> Result<Lexeme, Failure> {
        let mut lexeme = first;
        loop {
            match lexeme.token {
                Token::CloseBrace => return Ok(lexeme),
                Token::OpenBrace => {
                    let first = self.lexer.next()?;
                    self.primitive(lexeme, first)?;
                }
                Token::End => return Err(Failure { problem: Problem::Unended("an entity"), at: open.start }),
                _ if lexeme.is_text() => {
                    let pair = self.pair(lexeme)?;
                    self.index.pairs.push(pair);
                }
                _ => return expected("a key, a brush or `}`", lexeme),
            }
            lexeme = self.lexer.next()?;
        }
    }

    /// Reads the value of a key.
    fn pair(&mut self, key: Lexeme) -> Result<PairRow, Failure> {
        let value = self.lexer.next()?;
        if !value.is_text() {
            return expected("the value of a key", value);
        }
        for text in [key, value] {
            if text.range().len() > self.options.max_text {
                return limit("max_text", text.range().len(), self.options.max_text, text.start);
            }
        }
        self.take_item(key)?;
        Ok(PairRow { key: offset(key.start), value: offset(value.start) })
    }

    fn take_item(&mut self, lexeme: Lexeme) -> Result<(), Failure> {
        let taken = self.budget.take_items(1, Position::file(lexeme.start as u64));
        taken.map_err(|fault| Failure { problem: Problem::Input(fault.kind), at: lexeme.start })
    }

    /// Reads a brush, patch or other primitive after its brace. Returns the brace at its end.
    fn primitive(&mut self, open: Lexeme, first: Lexeme) -> Result<Lexeme, Failure> {
        self.take_item(open)?;
        self.index.primitives.push(PrimitiveRow {
            start: offset(open.start),
            end: 0,
            first_face: offset(self.index.faces.len()),
        });
        self.part = Part::Primitive;
        let close = self.primitive_content(open, first)?;
        if let Some(primitive) = self.index.primitives.last_mut() {
            primitive.end = offset(close.end);
        }
        self.part = Part::Entity;
        Ok(close)
    }

    fn primitive_content(&mut self, open: Lexeme, first: Lexeme) -> Result<Lexeme, Failure> {
        let is_named = first.token == Token::Word && self.lexer.clone().next()?.token == Token::OpenBrace;
        if !is_named {
            return self.faces(PrimitiveKind::Brush, first, open);
        }
        let kind = PrimitiveKind::from_name(slice(self.lexer.source(), first.range()));
        let inner = self.lexer.next()?;
        match kind {
            PrimitiveKind::Brush => {}
            PrimitiveKind::BrushDef | PrimitiveKind::BrushDef3 => {
                let first = self.lexer.next()?;
                self.faces(kind, first, inner)?;
            }
            PrimitiveKind::PatchDef2 | PrimitiveKind::PatchDef3 => {
                patch_layout(&mut self.lexer, kind, self.options.max_patch)?;
                let mut lexeme = self.lexer.next()?;
                while lexeme.is_text() {
                    let pair = self.pair(lexeme)?;
                    self.index.primitive_pairs.push(pair);
                    lexeme = self.lexer.next()?;
                }
                if lexeme.token != Token::CloseBrace {
                    return expected("`}` of the patch", lexeme);
                }
            }
            PrimitiveKind::Other => self.skip_braces(inner)?,
        }
        let close = self.lexer.next()?;
        match close.token {
            Token::CloseBrace => Ok(close),
            _ => expected("`}` of the primitive", close),
        }
    }

    /// Reads faces and keys of a brush up to its brace, which is returned.
    fn faces(&mut self, kind: PrimitiveKind, first: Lexeme, open: Lexeme) -> Result<Lexeme, Failure> {
        let mut lexeme = first;
        loop {
            match lexeme.token {
                Token::OpenParenthesis | Token::Points | Token::Three | Token::Four => {
                    let number = self.index.faces.len().saturating_add(1);
                    if number > self.options.max_faces {
                        return limit("max_faces", number, self.options.max_faces, lexeme.start);
                    }
                    let (face, next) = face_layout(&mut self.lexer, kind, lexeme)?;
                    self.index.faces.push(FaceRow { start: offset(lexeme.start), texture: offset(face.texture.start) });
                    lexeme = next;
                }
                Token::CloseBrace => return Ok(lexeme),
                Token::End => return Err(Failure { problem: Problem::Unended("a brush"), at: open.start }),
                _ if lexeme.is_text() => {
                    let pair = self.pair(lexeme)?;
                    self.index.primitive_pairs.push(pair);
                    lexeme = self.lexer.next()?;
                }
                _ => return expected("a face or `}`", lexeme),
            }
        }
    }

    /// Skips a block in braces, after the first one.
    fn skip_braces(&mut self, open: Lexeme) -> Result<(), Failure> {
        // The braces of the entity, the primitive and the block.
        let mut depth = 3_usize;
        while depth > 2 {
            let lexeme = self.lexer.next()?;
            match lexeme.token {
                Token::OpenBrace => {
                    depth = depth.saturating_add(1);
                    let check = self.budget.check_depth(depth, Position::file(lexeme.start as u64));
                    check.map_err(|fault| Failure { problem: Problem::Input(fault.kind), at: lexeme.start })?;
                }
                Token::CloseBrace => depth = depth.saturating_sub(1),
                Token::End => return Err(Failure { problem: Problem::Unended("a primitive"), at: open.start }),
                _ => {}
            }
        }
        Ok(())
    }

    /// Creates the error of a failure. Lines are counted only here.
    #[cold]
    fn error(&self, failure: Failure) -> ReadError {
        let source = self.lexer.source();
        let rest = slice(source, failure.at..source.len());
        let kind = match failure.problem {
            Problem::Input(kind) => kind.into(),
            Problem::Unended(what) => ReadErrorKind::Unended(what),
            Problem::Expected(expected) if rest.is_empty() => ReadErrorKind::Ended { expected },
            Problem::Expected(expected) => {
                let length = rest.iter().take(40).position(u8::is_ascii_whitespace).unwrap_or(40);
                let word = slice(rest, 0..length.clamp(1, rest.len()));
                ReadErrorKind::Expected { expected, found: mapwright_io::escape(word).to_string() }
            }
        };
        let last = |count: usize| count.saturating_sub(1);
        let mut path = Vec::new();
        if self.part != Part::File {
            path.extend([Frame::Field("entities"), Frame::Index(last(self.index.entities.len()))]);
        }
        if self.part == Part::Primitive {
            let first = self
                .index
                .entities
                .get(last(self.index.entities.len()))
                .map_or(0, |entity| entity.first_primitive as usize);
            let number = last(self.index.primitives.len()).saturating_sub(first);
            path.extend([Frame::Field("primitives"), Frame::Index(number)]);
        }
        ReadError::new(kind, Position::in_text(source, failure.at)).with_path(path.into_iter().collect::<Path>())
    }
}
