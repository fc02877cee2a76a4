//! Text: A4, 510, 710 and `$$M`.

mod block;
mod context;
mod entity;
mod geometry;
mod header;
pub(crate) mod lexer;
pub(crate) mod numbers;
mod object;
mod resolved;

use std::ops::Range;
use std::sync::Arc;

use mapwright_io::{Budget, Context as _, LineColumn, Position};

use crate::document::{Origin, Source};
use crate::{Block, Dialect, Document, Entity, Header, LineEnd, MemberKind, Name, Object, Part, ReadError, Wed};
use context::ParseContext;
use lexer::{Lines, expected};

/// Detects the dialect of text without a version from the contents of its blocks. Other sections may contain any lines.
pub(crate) fn dialect(bytes: &[u8]) -> Dialect {
    let begins = |line: lexer::Line<'_>, word: &[u8]| line.words().next().is_some_and(|(first, _)| first == word);
    let has_vectors = |line: lexer::Line<'_>| {
        let mut after = line.text.iter().skip_while(|byte| **byte != b':');
        after.any(|byte| matches!(byte, b'(' | b'['))
    };
    let mut lines = start(bytes);
    let mut dialect = Dialect::A4;
    if start(bytes).next().is_some_and(|line| line.text == b"{") {
        return Dialect::Resolved;
    }
    while let Some(head) = lines.next() {
        if !head.text.ends_with(b"{") {
            continue;
        }
        let from = lines.at();
        // An unclosed section ends with the file.
        let _ = lines.skip_section("a section");
        if !begins(head, b"block") {
            continue;
        }
        let mut block = Lines::new(bytes.get(..lines.at()).unwrap_or_default(), from);
        if !block.next().is_some_and(|line| begins(line, b"vertices")) {
            return dialect;
        }
        dialect = Dialect::A5;
        if std::iter::from_fn(|| block.next()).any(has_vectors) {
            return Dialect::A7;
        }
    }
    dialect
}

/// Returns the lines of a file, after its byte order mark.
fn start(bytes: &[u8]) -> Lines<'_> {
    Lines::new(bytes, if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 })
}

/// `true` if comments of `$$M` name the kinds of sections, which all but the oldest editor write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds(pub(crate) bool);

impl Kinds {
    /// Returns the setting for files of a program.
    pub(crate) fn from_generator(generator: &Name) -> Self {
        Self(!generator.as_bytes().starts_with(b"Wed (6"))
    }
}

/// Everything after the header.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    pub(crate) wed: Option<Part<Wed>>,
    pub(crate) blocks: Vec<Part<Block>>,
    pub(crate) entities: Vec<Part<Entity>>,
    pub(crate) objects: Vec<Part<Object>>,
    /// `$$M`: the brace that closes the level, and the section of the sun.
    pub(crate) close: Range<usize>,
    pub(crate) sun: Range<usize>,
    /// The end of the last section.
    end: usize,
    /// `true` if sections have another order than these lists.
    unusual: bool,
}

/// Reads a text map.
pub(super) fn read(bytes: &[u8], dialect: Dialect, budget: &mut Budget) -> Result<Document, ReadError> {
    let located = |error: ReadError| {
        let offset = error.position().map_or(0, |position| position.offset);
        error.at(located(bytes, offset))
    };
    let mut lines = start(bytes);
    let header = header::header(&mut lines, dialect).in_field("header").map_err(located)?;
    let end = lines.at();
    let sections =
        sections(&mut lines, &header, dialect, &mut ParseContext::new(budget, bytes.len())).map_err(located)?;
    let line_end = match bytes.iter().position(|byte| *byte == b'\n').and_then(|at| at.checked_sub(1)) {
        Some(before) if bytes.get(before) == Some(&b'\r') => LineEnd::Crlf,
        _ => LineEnd::Lf,
    };
    let source = Source {
        id: Source::next_id(),
        bytes: Vec::new(),
        end: sections.end,
        unusual: sections.unusual,
        close: sections.close,
        sun: sections.sun,
        counts: [sections.blocks.len(), sections.entities.len(), sections.objects.len()],
        wed: sections.wed.is_some(),
        dialect,
        line_end,
    };
    Ok(Document {
        dialect,
        line_end,
        header: Part::read(header, Origin::new(0..end)),
        wed: sections.wed,
        blocks: sections.blocks,
        entities: sections.entities,
        objects: sections.objects,
        source: Some(Arc::new(source)),
    })
}

/// Returns the line and column of an offset.
#[cold]
fn located(bytes: &[u8], offset: u64) -> Position {
    let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let before = bytes.get(..offset).unwrap_or(bytes);
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at.saturating_add(1));
    let line = before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1);
    let column = before.len().saturating_sub(start).saturating_add(1);
    let narrow = |number| u32::try_from(number).unwrap_or(u32::MAX);
    let text = Some(LineColumn { line: narrow(line), column: narrow(column) });
    Position { text, ..lexer::position(offset) }
}

/// Reads the header of text without sections.
pub(crate) fn header_of(text: &[u8], dialect: Dialect) -> Result<Header, ReadError> {
    header::header(&mut start(text), dialect)
}

/// Reads the sections of text without a header.
pub(crate) fn sections_of(text: &[u8], header: &Header, dialect: Dialect) -> Result<Sections, ReadError> {
    let mut budget = Budget::new(&mapwright_io::Limits::default());
    sections(&mut Lines::new(text, 0), header, dialect, &mut ParseContext::new(&mut budget, text.len()))
}

/// Reads a block of `$$M` without the level around it.
pub(crate) fn resolved_block_of(text: &[u8], index: usize) -> Result<Block, ReadError> {
    let mut lines = Lines::new(text, 0);
    let head = lines.want("a block in braces")?;
    let mut budget = Budget::new(&mapwright_io::Limits::default());
    resolved::numbered_block(&mut lines, head, index, &mut ParseContext::new(&mut budget, text.len()))
}

/// Reads all sections of a file. The span of a part begins where that of the part before ends, so unknown lines belong to the
/// part after them.
fn sections(
    lines: &mut Lines<'_>,
    header: &Header,
    dialect: Dialect,
    context: &mut ParseContext<'_>,
) -> Result<Sections, ReadError> {
    if dialect == Dialect::Resolved {
        return resolved::sections(lines, Kinds::from_generator(&header.generator), context);
    }
    let mut sections = Sections::default();
    let mut last = 0;
    let mut start = lines.at();
    let counts = header.counts.unwrap_or_default();
    context.reserve(&mut sections.blocks, counts.blocks, start)?;
    context.reserve(&mut sections.entities, counts.entities, start)?;
    context.reserve(&mut sections.objects, counts.objects, start)?;
    while let Some(head) = lines.next() {
        const SECTION: &str = "a section: wed, block, an entity or object, its number and `{`";
        let opened = head.text.strip_suffix(b"{").ok_or_else(|| expected(SECTION, head.text, head.at))?;
        let mut words = lexer::Line { text: opened.trim_ascii_end(), ..head }.words();
        let (word, _) = words.next().unwrap_or_default();
        let digits = words.next();
        let kind = MemberKind::from_word(word);
        let known = if word == b"wed" { sections.wed.is_none() } else { kind.is_some() };
        if !known {
            lines.skip_section("a section")?;
            continue;
        }
        let number = match digits {
            None if kind.is_none() => 0,
            None => return Err(expected("the number of a section", b"{", head.at)),
            Some((digits, at)) => {
                numbers::whole(digits).ok_or_else(|| expected("the number of a section", digits, at))?
            }
        };
        if let Some((word, at)) = words.next() {
            return Err(expected("`{`", word, at));
        }
        let mut read = Read { lines, dialect, context, start };
        let rank = read.section(&mut sections, kind, head, number)?;
        sections.unusual |= rank < last;
        last = rank;
        start = lines.at();
    }
    sections.end = start;
    Ok(sections)
}

/// State of reading sections.
struct Read<'a, 'b, 'c> {
    lines: &'b mut Lines<'a>,
    dialect: Dialect,
    context: &'b mut ParseContext<'c>,
    /// The start of the span of the section.
    start: usize,
}

impl Read<'_, '_, '_> {
    /// Reads a section after its first line. Returns its rank in the order of a file.
    fn section(
        &mut self,
        sections: &mut Sections,
        kind: Option<MemberKind>,
        head: lexer::Line<'_>,
        number: u32,
    ) -> Result<u8, ReadError> {
        let rank = match kind {
            None => {
                let wed = header::wed(self.lines, self.context).in_field("wed")?;
                sections.wed = Some(self.part(wed));
                0
            }
            Some(MemberKind::Block) => {
                let at = sections.blocks.len();
                let block = block::block(self.lines, number, self.dialect, self.context);
                let block = block.in_item("blocks", at)?;
                let part = self.part(block);
                self.context.push(&mut sections.blocks, part, self.lines.at())?;
                1
            }
            Some(MemberKind::Object) => {
                let at = sections.objects.len();
                let object = object::object(self.lines, head, number, self.context).in_item("objects", at)?;
                let part = self.part(object);
                self.context.push(&mut sections.objects, part, self.lines.at())?;
                3
            }
            Some(kind) => {
                let at = sections.entities.len();
                let entity = entity::entity(self.lines, head, kind, number, self.dialect, self.context);
                if let Some(entity) = entity.in_item("entities", at)? {
                    let part = self.part(entity);
                    self.context.push(&mut sections.entities, part, self.lines.at())?;
                }
                2
            }
        };
        Ok(rank)
    }

    /// Creates a part that ends here, after the blank line that follows it.
    fn part<T>(&mut self, value: T) -> Part<T> {
        self.lines.skip_blank_line();
        Part::read(value, Origin::new(self.start..self.lines.at()))
    }
}
