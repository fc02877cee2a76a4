//! Reads damaged texts.
//!
//! After damage, reading continues at the next line whose indentation fits: that of the entries of the innermost block, or of its end.
//! A line with less indentation ends the block early.

use std::ops::Range;

use mapwright_io::{Budget, Category, ErrorKind as _, Losses, format_count};

use super::lexer::Span;
use super::trace::{Entry, Owner, Trace};
use super::{Failure, Open, Parser};
use crate::rescue::{MAX_LISTED, Rescued};
use crate::{ElementId, Header, ReadError, Reference, Value};

/// Reads as much as possible of a text after its header.
pub(in crate::read) fn rescue(
    header: Header,
    bytes: &[u8],
    start: usize,
    budget: &mut Budget,
) -> Result<Rescued, ReadError> {
    let mut brackets = Brackets::default();
    let mut parser = Parser::new(&header, bytes, start, budget, &mut brackets)?;
    let mut recovery = Recovery { resumed: start, ..Recovery::default() };
    while let Err(failure) = parser.file() {
        if failure.kind.category() == Category::Limit || parser.elements.is_empty() {
            return Err(parser.error(failure));
        }
        let at = failure.offset.max(recovery.resumed);
        recovery.report(&parser, failure);
        match parser.resume(at, &mut recovery) {
            Ok(true) => {}
            Ok(false) => break,
            Err(failure) => return Err(parser.error(failure)),
        }
    }
    let at = bytes.len();
    while !parser.stack.is_empty() {
        parser.close_early(at, &mut recovery).map_err(|failure| parser.error(failure))?;
    }
    if !parser.has_root {
        return Err(parser.error(Failure::new(crate::ReadErrorKind::NoElements, at)));
    }
    parser.finish().map_err(|failure| parser.error(failure))?;
    let Recovery { mut losses, incomplete, unlisted, .. } = recovery;
    if unlisted > 0 {
        losses.dropped("", format_count(unlisted as u64, "more damaged place"));
    }
    let mut document = parser.into_document(header);
    document.forget_source();
    let missing = document.drop_missing(&mut losses);
    if missing > MAX_LISTED {
        losses.dropped("", format_count(missing.saturating_sub(MAX_LISTED) as u64, "more reference"));
    }
    Ok(Rescued { document, losses, incomplete })
}

impl crate::Document {
    /// Replaces references to elements that the text does not contain by null, and returns their number.
    fn drop_missing(&mut self, losses: &mut Losses) -> usize {
        let (mut count, strings) = (0_usize, &self.strings);
        let blocks = self.prefix.iter_mut().enumerate().map(|(index, block)| ("prefix", index, block));
        let elements = self.elements.iter_mut().enumerate();
        let elements = elements.map(|(index, element)| ("elements", index, &mut element.attributes));
        for (list, index, attributes) in blocks.chain(elements) {
            for attribute in attributes {
                let references = match &mut attribute.value {
                    Value::Element(reference) => std::slice::from_mut(reference),
                    Value::ElementArray(references) => references,
                    _ => continue,
                };
                for reference in references {
                    let Reference::External(id) = *reference else { continue };
                    count = count.saturating_add(1);
                    if count <= MAX_LISTED {
                        let name = String::from_utf8_lossy(strings.get(attribute.name));
                        let id = String::from_utf8_lossy(strings.get(id));
                        losses.dropped(format!("{list}[{index}].{name}"), format!("the missing element {id}"));
                    }
                    *reference = Reference::Null;
                }
            }
        }
        count
    }
}

/// The state of a recovery.
#[derive(Default)]
struct Recovery {
    losses: Losses,
    /// Number of failures beyond those in `losses`.
    unlisted: usize,
    /// The elements without an end, inner ones first.
    incomplete: Vec<ElementId>,
    /// Offset at which reading last continued.
    resumed: usize,
}

impl Recovery {
    fn report(&mut self, parser: &Parser<'_, '_, Brackets>, failure: Failure) {
        // Finding the line takes time.
        if self.losses.len() == MAX_LISTED {
            self.unlisted = self.unlisted.saturating_add(1);
            return;
        }
        let error = parser.error(failure);
        let line = error.position().and_then(|position| position.text).map_or(0, |text| text.line);
        self.losses.dropped(error.path().clone(), format!("damaged in line {line}: {}", error.kind()));
    }
}

/// The open brackets, and the last entry of the innermost one with its end.
#[derive(Default)]
struct Brackets {
    open: Vec<Bracket>,
    last: Option<(Entry, usize)>,
    /// The last line that was searched for its ends. A long line can contain many brackets.
    line: Line,
}

struct Bracket {
    at: usize,
    /// The indentations of its line, when they are known.
    indentations: Option<(usize, usize)>,
}

/// A line with the indentation of the ends of its blocks, and that of their entries.
#[derive(Default)]
struct Line {
    range: Range<usize>,
    indentations: (usize, usize),
}

impl Line {
    /// Finds the line that contains an offset.
    fn find(source: &[u8], at: usize) -> Self {
        let (start, next) = (line_start(source, at), next_line(source, at));
        let outer = indentation(source, start);
        let entries = next.map(|line| indentation(source, line)).filter(|entries| *entries > outer);
        let indentations = (outer, entries.unwrap_or(outer.saturating_add(1)));
        Self { range: start..next.unwrap_or(source.len()), indentations }
    }
}

impl Brackets {
    /// Returns the innermost bracket with the indentation of its end, and that of its entries.
    fn innermost(&mut self, source: &[u8]) -> Option<(u8, (usize, usize))> {
        let bracket = self.open.last_mut()?;
        let indentations = *bracket.indentations.get_or_insert_with(|| {
            if !self.line.range.contains(&bracket.at) {
                self.line = Line::find(source, bracket.at);
            }
            self.line.indentations
        });
        Some((source.get(bracket.at).copied()?, indentations))
    }
}

impl Trace for Brackets {
    fn open(&mut self, _owner: Owner, _class: Span, brace: Span) {
        self.array(brace);
    }
    fn close(&mut self, _brace: Span) {
        self.array_end(Span::default());
    }
    fn array(&mut self, bracket: Span) {
        self.open.push(Bracket { at: bracket.start, indentations: None });
        self.last = None;
    }
    fn array_end(&mut self, _bracket: Span) {
        self.open.pop();
        self.last = None;
    }
    fn end(&mut self, entry: Entry, _value: Span, last: Span) {
        self.last = Some((entry, last.end));
    }
}

impl Parser<'_, '_, Brackets> {
    /// Skips lines after an offset up to one at which reading can continue. Returns `false` if there is none.
    fn resume(&mut self, from: usize, recovery: &mut Recovery) -> Result<bool, Failure> {
        let source = self.lexer.source();
        // A missing or additional quote changes the value before it in the same line.
        if let Some((Entry::Attribute, end)) = self.trace.last.take()
            && end > line_start(source, from)
        {
            self.attributes.pop();
        }
        let mut at = from;
        loop {
            let Some(start) = next_line(source, at) else { return Ok(false) };
            at = start;
            let indentation = indentation(source, at);
            let first = source.get(at.saturating_add(indentation)).copied();
            let Some(first) = first.filter(|byte| !matches!(byte, b'\r' | b'\n')) else { continue };
            let (is_end, entries) = loop {
                let Some((bracket, (outer, entries))) = self.trace.innermost(source) else { break (false, 0) };
                let end = if bracket == b'{' { b'}' } else { b']' };
                if indentation == outer && first == end {
                    break (true, outer);
                }
                if indentation > outer {
                    break (false, entries);
                }
                self.close_early(at, recovery)?;
            };
            if is_end || indentation == entries && first == b'"' {
                self.lexer.seek(at);
                recovery.resumed = at;
                return Ok(true);
            }
        }
    }

    /// Closes the innermost block or array, whose end is missing.
    fn close_early(&mut self, at: usize, recovery: &mut Recovery) -> Result<(), Failure> {
        let end = Span { start: at, end: at };
        match self.stack.last() {
            Some(&Open::Array { name, first }) => self.close_array(name, first, end),
            Some(&Open::Block { owner, .. }) => {
                if let Owner::Element(index) = owner {
                    recovery.incomplete.push(ElementId::at(index));
                }
                self.close(end)
            }
            None => Ok(()),
        }
    }
}

/// Returns the offset of the line that contains an offset.
fn line_start(source: &[u8], at: usize) -> usize {
    let before = source.get(..at).unwrap_or(source);
    before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at.saturating_add(1))
}

/// Returns the offset of the next line.
fn next_line(source: &[u8], at: usize) -> Option<usize> {
    let length = source.get(at..)?.iter().position(|&byte| byte == b'\n')?;
    Some(at.saturating_add(length).saturating_add(1))
}

/// Counts the tabs and spaces at an offset.
fn indentation(source: &[u8], at: usize) -> usize {
    let line = source.get(at..).unwrap_or_default();
    line.iter().take_while(|byte| matches!(byte, b'\t' | b' ')).count()
}
