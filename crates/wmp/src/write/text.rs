//! Text: A4, 510, 710 and `$$M`.
//!
//! Unchanged parts are copied. Changed parts are printed as the editor prints them, and then get the formatting of the source
//! wherever the values are the same.

mod block;
mod entity;
mod formatting;
mod header;
pub(crate) mod numbers;
mod object;
mod printer;
mod resolved;

use std::ops::Range;

use hashbrown::HashMap;
use mapwright_io::Context as _;

use crate::document::{Part, Source};
use crate::read::text::{Kinds, dialect, header_of, resolved_block_of, sections_of};
use crate::sniff::Content;
use crate::{Dialect, Document, Entity, EntityKind, LineEnd, MemberKind, Object, WriteError, WriteErrorKind};
use formatting::keep_formatting;
use printer::Printer;
pub(crate) use printer::{file_problem, line_problem, word_problem};

/// Writes a text map.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    // Parts of a file in another dialect cannot be copied.
    let source = document.source.as_deref().filter(|source| source.dialect == document.dialect);
    let mut bytes = Writer::new(document, source)?.write()?;
    // The dialect of a file without a version follows from its blocks, and a change may remove those.
    if source.is_some() && !is_detected_as(&bytes, document.dialect) {
        bytes = Writer { reprint_header: true, ..Writer::new(document, source)? }.write()?;
    }
    Ok(match source {
        Some(source) if source.line_end != document.line_end => ended(&bytes, document.line_end),
        _ => bytes,
    })
}

/// Returns `true` if a reader detects bytes as a dialect.
fn is_detected_as(bytes: &[u8], wanted: Dialect) -> bool {
    match Content::from_bytes(bytes) {
        Content::Map(found) => found == wanted,
        _ => dialect(bytes) == wanted,
    }
}

/// Returns text with other line ends.
fn ended(bytes: &[u8], line_end: LineEnd) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => {
                out.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
                out.extend_from_slice(bytes_of(line_end));
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

const fn bytes_of(line_end: LineEnd) -> &'static [u8] {
    match line_end {
        LineEnd::Lf => b"\n",
        LineEnd::Crlf => b"\r\n",
    }
}

/// Creates the error for a value that the dialect cannot store.
#[cold]
fn unsupported_error(out: &Printer, what: &'static str) -> WriteError {
    WriteError::without_position(WriteErrorKind::Dialect { what, dialect: out.dialect })
}

/// A part of the output.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Header,
    Wed,
    Block(usize),
    Entity(usize),
    Object(usize),
    /// `$$M`: the level up to its first block, the text after the last block, the sun.
    Level(usize),
}

struct Writer<'a> {
    document: &'a Document,
    source: Option<&'a Source>,
    kinds: Kinds,
    /// `$$M`: objects by their member.
    places: HashMap<(MemberKind, u32), &'a Part<Object>>,
    /// `$$M`: the three texts of the level.
    level: [Vec<u8>; 3],
    reprint_header: bool,
    line_end: &'static [u8],
    out: Vec<u8>,
}

impl<'a> Writer<'a> {
    fn new(document: &'a Document, source: Option<&'a Source>) -> Result<Self, WriteError> {
        // The line ends of copied parts are converted at the end.
        let line_end = source.map_or(document.line_end, |source| source.line_end);
        let mut writer = Self {
            document,
            source,
            kinds: Kinds::from_generator(&document.header.generator),
            places: HashMap::new(),
            level: [const { Vec::new() }; 3],
            reprint_header: false,
            line_end: bytes_of(line_end),
            out: Vec::with_capacity(source.map_or(0, |source| source.bytes.len())),
        };
        if document.dialect == Dialect::Resolved {
            if document.wed.is_some() {
                return Err(unsupported_error(&writer.printer(), "settings of the editor")).in_field("wed");
            }
            writer.places = writer.places()?;
        }
        Ok(writer)
    }

    fn printer(&self) -> Printer {
        Printer::new(self.document.dialect)
    }

    fn write(mut self) -> Result<Vec<u8>, WriteError> {
        for (_, piece) in self.pieces()? {
            self.piece(piece)?;
        }
        if let Some(source) = self.source {
            self.copy(source.end..source.bytes.len());
        }
        Ok(self.out)
    }

    /// Returns the pieces in the order of writing, with their offsets in the source.
    fn pieces(&mut self) -> Result<Vec<(usize, Piece)>, WriteError> {
        let document = self.document;
        let mut pieces = vec![(0, Piece::Header)];
        let mut sorted = self.source.is_some_and(|source| source.unusual);
        if document.dialect == Dialect::Resolved {
            let levels: Vec<usize> = document
                .entities
                .iter()
                .enumerate()
                .filter(|(_, entity)| is_level(entity))
                .map(|(index, _)| index)
                .collect();
            match (levels.as_slice(), document.blocks.is_empty()) {
                ([level], _) => {
                    self.level = self.level(*level).in_item("entities", *level)?;
                    let source = self
                        .source
                        .filter(|_| document.entities.get(*level).is_some_and(|level| level.origin().is_some()));
                    let start =
                        document.entities.get(*level).and_then(Part::origin).map_or(0, |origin| origin.range().start);
                    pieces.push((start, Piece::Level(0)));
                    let mut after = start;
                    sorted &= positions(&document.blocks, Piece::Block, &mut after, &mut pieces);
                    pieces.push((source.map_or(after, |source| source.close.start), Piece::Level(1)));
                    let sun = source.map(|source| &source.sun).filter(|sun| !sun.is_empty());
                    pieces.push((sun.map_or(after, |sun| sun.start), Piece::Level(2)));
                }
                ([], true) => {}
                // The public description has such files.
                ([], false) if self.source.is_some() => {
                    let mut after = 0;
                    sorted &= positions(&document.blocks, Piece::Block, &mut after, &mut pieces);
                }
                ([], false) => return Err(unsupported_error(&self.printer(), "blocks without a level")),
                _ => return Err(unsupported_error(&self.printer(), "more than one level")),
            }
            let mut after = 0;
            sorted &= positions(&document.entities, Piece::Entity, &mut after, &mut pieces);
            pieces.retain(|(_, piece)| !matches!(piece, Piece::Entity(index) if levels.contains(index)));
        } else {
            let mut after = 0;
            if let Some(wed) = &document.wed {
                sorted &= positions(std::slice::from_ref(wed), |_| Piece::Wed, &mut after, &mut pieces);
            }
            sorted &= positions(&document.blocks, Piece::Block, &mut after, &mut pieces);
            sorted &= positions(&document.entities, Piece::Entity, &mut after, &mut pieces);
            sorted &= positions(&document.objects, Piece::Object, &mut after, &mut pieces);
        }
        if sorted {
            pieces.sort_by_key(|(start, _)| *start);
        }
        Ok(pieces)
    }

    fn piece(&mut self, piece: Piece) -> Result<(), WriteError> {
        let document = self.document;
        let dialect = document.dialect;
        let header = &*document.header;
        match piece {
            Piece::Header => {
                let print = |header: &_| {
                    let mut out = Printer::new(dialect);
                    header::header(&mut out, header).map(|()| out.text)
                };
                let read = |text: &[u8]| header_of(text, dialect).ok();
                let reprinted = Part::new(header.clone());
                let part = if self.reprint_header { &reprinted } else { &document.header };
                self.part(part, true, print, read).in_field("header")
            }
            Piece::Wed => {
                let Some(part) = &document.wed else { return Ok(()) };
                let print = |wed: &_| {
                    let mut out = Printer::new(dialect);
                    header::wed(&mut out, wed).map(|()| out.text)
                };
                let read = |text: &[u8]| Some(sections_of(text, header, dialect).ok()?.wed?.into_inner());
                self.part(part, true, print, read).in_field("wed")
            }
            Piece::Block(index) => {
                let Some(part) = document.blocks.get(index) else { return Ok(()) };
                let print = |block: &crate::Block| {
                    let mut out = Printer::new(dialect);
                    if dialect == Dialect::Resolved {
                        resolved::numbered_block(&mut out, block)?;
                    } else {
                        out.put(format!("block {} {{\n", block.number));
                        block::block(&mut out, block)?;
                        out.put(b"}\n\n");
                    }
                    Ok(out.text)
                };
                let read = |text: &[u8]| match dialect {
                    Dialect::Resolved => resolved_block_of(text, index).ok(),
                    _ => Some(sections_of(text, header, dialect).ok()?.blocks.pop()?.into_inner()),
                };
                if dialect == Dialect::Resolved
                    && self
                        .places
                        .get(&(MemberKind::Block, part.number))
                        .is_some_and(|place| !resolved::is_origin(place))
                {
                    return Err(unsupported_error(&self.printer(), "the transform of a block"))
                        .in_item("blocks", index);
                }
                self.part(part, true, print, read).in_item("blocks", index)
            }
            Piece::Entity(index) if dialect == Dialect::Resolved => self.placed(index).in_item("entities", index),
            Piece::Entity(index) => {
                let Some(part) = document.entities.get(index) else { return Ok(()) };
                let print = |entity: &Entity| {
                    let mut out = Printer::new(dialect);
                    entity::entity(&mut out, entity).map(|()| out.text)
                };
                let read = |text: &[u8]| Some(sections_of(text, header, dialect).ok()?.entities.pop()?.into_inner());
                self.part(part, true, print, read).in_item("entities", index)
            }
            Piece::Object(index) => {
                let Some(part) = document.objects.get(index) else { return Ok(()) };
                let print = |object: &Object| {
                    let mut out = Printer::new(dialect);
                    object::object(&mut out, object).map(|()| out.text)
                };
                let read = |text: &[u8]| Some(sections_of(text, header, dialect).ok()?.objects.pop()?.into_inner());
                self.part(part, true, print, read).in_item("objects", index)
            }
            Piece::Level(index) => {
                let text = self.level.get_mut(index).map(std::mem::take).unwrap_or_default();
                if !text.is_empty() {
                    self.start_line();
                    self.out.extend_from_slice(&text);
                }
                Ok(())
            }
        }
    }

    /// Writes a part: copied, with the formatting of the source, or printed if it is new. `same` is `true` if related parts are
    /// unchanged.
    fn part<T>(
        &mut self,
        part: &Part<T>,
        same: bool,
        print: impl Fn(&T) -> Result<Vec<u8>, WriteError>,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<(), WriteError> {
        self.start_line();
        let origin = part.origin().and_then(|origin| Some((self.source?, origin)));
        let Some((source, origin)) = origin else {
            let new = print(part)?;
            self.out.extend(self.ended(&new));
            return Ok(());
        };
        if origin.is_pristine() && same {
            self.copy(origin.range());
            return Ok(());
        }
        let span = source.bytes.get(origin.range()).unwrap_or_default();
        let new = print(part)?;
        let reprint = |text: &[u8]| print(&read(text)?).ok();
        let text = match reprint(span) {
            Some(old) if old == new => span.to_vec(),
            // The editor wrote the span, so the new text needs no other formatting.
            Some(old) if span == self.ended(&old) => self.ended(&new),
            Some(old) => {
                let text = keep_formatting(span, &old, &new, self.line_end);
                // Lines may be arranged such that their pieces do not fit together. Then all of the part is printed.
                if reprint(&text).is_some_and(|found| found == new) { text } else { self.ended(&new) }
            }
            None => self.ended(&new),
        };
        self.out.extend(text);
        Ok(())
    }

    /// Writes an entity of a resolved map with its position.
    fn placed(&mut self, index: usize) -> Result<(), WriteError> {
        let Some(part) = self.document.entities.get(index) else { return Ok(()) };
        let Some(place) = self.places.get(&(part.member_kind(), part.number)).copied() else {
            return Err(unsupported_error(&self.printer(), "a part without an object, and so without a position"));
        };
        let same = place.origin() == part.origin();
        let both = Part::joined(part, ((**part).clone(), (**place).clone()));
        let (kinds, header) = (self.kinds, &*self.document.header);
        let print = |(entity, place): &(Entity, Object)| {
            let mut out = Printer::new(Dialect::Resolved);
            resolved::entity(&mut out, entity, place, kinds).map(|()| out.text)
        };
        let read = |text: &[u8]| {
            let mut sections = sections_of(text, header, Dialect::Resolved).ok()?;
            Some((sections.entities.pop()?.into_inner(), sections.objects.pop()?.into_inner()))
        };
        self.part(&both, same, print, read)
    }

    /// Returns the three texts of the level of a resolved map.
    fn level(&self, index: usize) -> Result<[Vec<u8>; 3], WriteError> {
        let Some((part, EntityKind::Level(level))) = self.document.entities.get(index).map(|part| (part, &part.kind))
        else {
            return Ok(Default::default());
        };
        let print =
            |entity: &Entity, level: &crate::Level| resolved::level(&mut self.printer(), entity, level, self.kinds);
        let origin = part.origin().and_then(|origin| Some((self.source?, origin)));
        let Some((source, origin)) = origin else { return Ok(print(part, level)?.map(|text| self.ended(&text))) };
        let spans = [origin.range(), source.close.clone(), source.sun.clone()];
        let spans = spans.map(|span| source.bytes.get(span).unwrap_or_default());
        if origin.is_pristine() {
            return Ok(spans.map(<[u8]>::to_vec));
        }
        let new = print(part, level)?;
        let reprint = |texts: [&[u8]; 3]| {
            let sections = sections_of(&texts.concat(), &self.document.header, Dialect::Resolved).ok()?;
            let entity = sections.entities.first()?;
            let EntityKind::Level(level) = &entity.kind else { return None };
            print(entity, level).ok()
        };
        let Some(old) = reprint(spans) else { return Ok(new.map(|text| self.ended(&text))) };
        let mut texts = new.each_ref().map(|text| self.ended(text));
        for ((text, span), (old, new)) in texts.iter_mut().zip(spans).zip(old.iter().zip(&new)) {
            if old == new {
                *text = span.to_vec();
            } else if !span.is_empty() {
                *text = keep_formatting(span, old, new, self.line_end);
            }
        }
        let [head, close, sun] = &texts;
        let fits = reprint([head, close, sun]).is_some_and(|found| found == new);
        Ok(if fits { texts } else { new.map(|text| self.ended(&text)) })
    }

    /// Returns the objects of a resolved map by their member. Such maps have no groups.
    fn places(&self) -> Result<HashMap<(MemberKind, u32), &'a Part<Object>>, WriteError> {
        let mut places = HashMap::new();
        for (index, object) in self.document.objects.iter().enumerate() {
            let is_root = index == 0;
            let holds_objects = object.members.iter().any(|member| member.kind == MemberKind::Object);
            object::check(&self.printer(), object).in_item("objects", index)?;
            let what = match () {
                () if is_root && !resolved::is_origin(object) => "the transform of the root",
                () if !is_root && holds_objects => "a group",
                () if !object.name.is_empty() => "the name of an object",
                () if !is_root && object.members.is_empty() => "an object without members",
                () => {
                    for member in &object.members {
                        places.entry((member.kind, member.number)).or_insert(object);
                    }
                    continue;
                }
            };
            return Err(unsupported_error(&self.printer(), what)).in_item("objects", index);
        }
        Ok(places)
    }

    fn copy(&mut self, range: Range<usize>) {
        let span = self.source.and_then(|source| source.bytes.get(range)).unwrap_or_default();
        self.out.extend_from_slice(span);
    }

    /// Ends the last line, which a file may have left open.
    fn start_line(&mut self) {
        if self.out.last().is_some_and(|last| *last != b'\n') {
            self.out.extend_from_slice(self.line_end);
        }
    }

    /// Converts printed text to the line ends of the document.
    fn ended(&self, text: &[u8]) -> Vec<u8> {
        if self.line_end == b"\n" { text.to_vec() } else { ended(text, LineEnd::Crlf) }
    }
}

fn is_level(entity: &Entity) -> bool {
    matches!(entity.kind, EntityKind::Level(_))
}

/// Adds parts to the pieces. New ones follow the part before them. Returns `true` if the others are in the order of the source.
fn positions<T>(
    parts: &[Part<T>],
    piece: impl Fn(usize) -> Piece,
    after: &mut usize,
    pieces: &mut Vec<(usize, Piece)>,
) -> bool {
    let mut sorted = true;
    let mut last = None;
    for (index, part) in parts.iter().enumerate() {
        if let Some(origin) = part.origin() {
            *after = origin.range().start;
            sorted &= last < Some(*after);
            last = Some(*after);
        }
        pieces.push((*after, piece(index)));
    }
    sorted
}
