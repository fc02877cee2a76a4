//! Objects.

use super::context::ParseContext;
use super::lexer::{Line, Lines, expected};
use super::numbers;
use crate::{Member, MemberKind, Members, Object, ReadError};

/// Reads the contents of an object and its closing brace.
pub(super) fn object(
    lines: &mut Lines<'_>,
    head: Line<'_>,
    number: u32,
    context: &mut ParseContext<'_>,
) -> Result<Object, ReadError> {
    context.count(1, head.at)?;
    let mut object = Object { name: context.shared.name_or_none(head.comment), ..Object::new(number) };
    let place = lines.want(PLACE)?;
    [object.position, object.angles, object.scale] = transform(place)?;
    while let Some(line) = lines.until_close("an object")? {
        members(line, &mut object.members, context)?;
    }
    Ok(object)
}

const PLACE: &str = "position, angles and scale in parentheses";

/// Reads three times three numbers in parentheses.
fn transform(line: Line<'_>) -> Result<[[f64; 3]; 3], ReadError> {
    let mut transform = [[0.0; 3]; 3];
    let mut rest = line.text;
    let at = |rest: &[u8]| line.at.saturating_add(line.text.len()).saturating_sub(rest.len());
    for numbers in &mut transform {
        let inner = rest.trim_ascii_start().strip_prefix(b"(").ok_or_else(|| expected(PLACE, rest, at(rest)))?;
        let close = inner.iter().position(|byte| *byte == b')').ok_or_else(|| expected("`)`", b"\n", at(b"")))?;
        let (text, after) = inner.split_at_checked(close).unwrap_or((inner, b""));
        *numbers = Line { text, at: at(inner), comment: b"" }.numbers("three numbers in parentheses")?;
        rest = after.get(1..).unwrap_or_default();
    }
    match rest.trim_ascii_start() {
        b"" => Ok(transform),
        more => Err(expected("the end of the line", more, at(more))),
    }
}

/// Reads a word, and numbers separated by commas.
fn members(line: Line<'_>, members: &mut Members, context: &mut ParseContext<'_>) -> Result<(), ReadError> {
    const WHAT: &str = "members: `object`, `block` or a kind of entity, and numbers";
    let end = line.text.iter().position(u8::is_ascii_whitespace).unwrap_or(line.text.len());
    let (word, list) = line.text.split_at_checked(end).unwrap_or((line.text, b""));
    let kind = MemberKind::from_word(word).ok_or_else(|| expected(WHAT, line.text, line.at))?;
    let mut rest = list;
    loop {
        let length = rest.iter().position(|byte| *byte == b',');
        let text = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default().trim_ascii();
        let at = line.at.saturating_add(line.text.len().saturating_sub(rest.trim_ascii_start().len()));
        let number = numbers::whole(text).ok_or_else(|| {
            let found = if text.is_empty() { b"\n" } else { text };
            expected("the number of a member", found, at)
        })?;
        context.push_few(members.inner_mut(), Member { kind, number }, at)?;
        match length.and_then(|length| rest.get(length.saturating_add(1)..)) {
            Some(more) => rest = more,
            None => return Ok(()),
        }
    }
}
