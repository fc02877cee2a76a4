//! Reads bytes into a [`Document`].

use std::borrow::Cow;

use mapwright_io::{Budget, Fault, FaultKind, Position};

use crate::document::{Document, ReadOptions};
use crate::parser::{Failure, ItemNode, MemberNode, Parser, offset};
use crate::{ReadError, ReadErrorKind};

/// The UTF-8 byte order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

pub(crate) fn read(source: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    let start = Position::file(0);
    if u32::try_from(source.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of a text", asked: source.len() as u64, limit: u32::MAX.into() };
        return Err(ReadError::new(kind.into(), start));
    }
    if matches!(&*source, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Err(ReadError::new(ReadErrorKind::Utf16, start));
    }
    if mapwright_io::is_git_lfs_pointer(&source) {
        return Err(ReadError::new(ReadErrorKind::LfsPointer, start));
    }
    match read_items(&source, &mut Budget::new(&options.limits)) {
        Ok(items) => Ok(Document { source: source.into_owned(), items }),
        // Count lines only for an error, not for every token.
        Err((kind, at)) => Err(ReadError::new(kind, Position::in_text(&source, at))),
    }
}

/// Checks the whole text. Returns the offsets of its items.
fn read_items(source: &[u8], budget: &mut Budget) -> Result<Vec<u32>, Failure> {
    let start = if source.starts_with(MARK) { MARK.len() } else { 0 };
    let mut parser = Parser::new(source, start);
    // With this capacity, the list never grows. The shortest item is `@a`.
    let count = memchr::memchr_iter(b'@', source).count();
    let mut items = Vec::with_capacity(count.min(source.len().div_ceil(2)));
    loop {
        let at = parser.at();
        let Some(item) = parser.item()? else { return Ok(items) };
        take_item(budget, at)?;
        items.push(offset(at));
        if let ItemNode::Class(class) = item
            && class.body.is_some()
        {
            read_members(&mut parser, budget)?;
        }
    }
}

/// Checks the members of a class.
fn read_members(parser: &mut Parser<'_>, budget: &mut Budget) -> Result<(), Failure> {
    while let Some(member) = parser.member()? {
        take_item(budget, parser.at())?;
        if let MemberNode::Key(key) = member
            && key.choices.is_some()
        {
            while parser.choice()?.is_some() {
                take_item(budget, parser.at())?;
            }
        }
    }
    Ok(())
}

fn take_item(budget: &mut Budget, at: usize) -> Result<(), Failure> {
    budget.take_items(1, Position::file(at as u64)).map_err(|Fault { kind, .. }| (kind.into(), at))
}
