//! Finds the values of JSON (RFC 8259).

use mapwright_io::Limits;

use super::{Builder, Cursor, Failure, NO_PARENT};
use crate::ReadErrorKind;
use crate::document::{ItemKind, Node};

pub(super) fn index(text: &str, start: usize, limits: &Limits) -> Result<Vec<Node>, Failure> {
    let bytes = text.as_bytes();
    // Every item is an object, an array or a string, or has a key.
    let strings = memchr::memchr_iter(b'"', bytes).count().div_ceil(2);
    let marks = memchr::memchr2_iter(b'{', b'[', bytes).count().saturating_add(strings);
    let mut builder = Builder::new(limits, marks, bytes.len())?;
    let mut cursor = Cursor { text, at: start };
    read_value(&mut cursor, &mut builder, None)?;
    // `true` before the first item of the innermost object or array.
    let mut is_first = true;
    while let Some(open) = builder.innermost() {
        cursor.skip_space();
        let is_object = open.kind == ItemKind::Object;
        if cursor.skip(if is_object { "}" } else { "]" }) {
            builder.close(cursor.at);
            is_first = false;
            continue;
        }
        if !is_first {
            if !cursor.skip(",") {
                let expected = if is_object { "`,` or `}`" } else { "`,` or `]`" };
                return Err(cursor.unexpected(expected));
            }
            cursor.skip_space();
        }
        let key = if is_object { Some(read_key(&mut cursor)?) } else { None };
        let depth = builder.depth;
        read_value(&mut cursor, &mut builder, key)?;
        is_first = builder.depth > depth;
    }
    debug_assert_eq!(builder.open, NO_PARENT);
    cursor.skip_space();
    if cursor.peek().is_some() {
        return Err(cursor.unexpected("the end of the file"));
    }
    Ok(builder.finish())
}

/// Reads a key and the colon after it. Returns the start of the key without its quote, and its length.
fn read_key(cursor: &mut Cursor<'_>) -> Result<[usize; 2], Failure> {
    if cursor.peek() != Some(b'"') {
        return Err(cursor.unexpected("a key in quotes"));
    }
    let start = cursor.at.saturating_add(1);
    skip_string(cursor)?;
    let length = cursor.at.saturating_sub(1).saturating_sub(start);
    cursor.skip_space();
    if !cursor.skip(":") {
        return Err(cursor.unexpected("`:`"));
    }
    Ok([start, length])
}

/// Reads a value. Opens it, if it is an object or array.
fn read_value(cursor: &mut Cursor<'_>, builder: &mut Builder, key: Option<[usize; 2]>) -> Result<(), Failure> {
    cursor.skip_space();
    let start = cursor.at;
    let kind = match cursor.peek() {
        Some(b'{') => ItemKind::Object,
        Some(b'[') => ItemKind::Array,
        Some(b'"') => ItemKind::Text,
        Some(b'-' | b'0'..=b'9') => ItemKind::Number,
        _ if cursor.skip("true") || cursor.skip("false") => ItemKind::Bool,
        _ if cursor.skip("null") => ItemKind::Null,
        _ => return Err(cursor.unexpected("a value")),
    };
    match kind {
        ItemKind::Object | ItemKind::Array => cursor.advance(1),
        ItemKind::Text => skip_string(cursor)?,
        ItemKind::Number => skip_number(cursor)?,
        _ => {}
    }
    let is_container = matches!(kind, ItemKind::Object | ItemKind::Array);
    // Grids of numbers would take ten times their memory.
    if key.is_none() && !is_container && kind != ItemKind::Text {
        return Ok(());
    }
    let [name, length] = key.unwrap_or([start, 0]);
    builder.push(name, length, [start, cursor.at], kind)?;
    if is_container { builder.open() } else { Ok(()) }
}

fn skip_string(cursor: &mut Cursor<'_>) -> Result<(), Failure> {
    let start = cursor.at;
    cursor.advance(1);
    loop {
        let rest = cursor.rest().as_bytes();
        let is_special = |&byte: &u8| matches!(byte, b'"' | b'\\') || byte < b' ';
        let length = rest.iter().position(is_special).ok_or((ReadErrorKind::Unended("string"), start))?;
        cursor.advance(length);
        match cursor.peek() {
            Some(b'"') => {
                cursor.advance(1);
                return Ok(());
            }
            Some(b'\\') => {
                cursor.advance(1);
                match cursor.peek() {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => cursor.advance(1),
                    Some(b'u') => {
                        cursor.advance(1);
                        for _ in 0..4 {
                            if !cursor.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                                return Err(cursor.unexpected("four hexadecimal digits"));
                            }
                            cursor.advance(1);
                        }
                    }
                    _ => return Err(cursor.unexpected("an escape such as \\n")),
                }
            }
            _ => return Err(cursor.unexpected("an escape such as \\n")),
        }
    }
}

fn skip_number(cursor: &mut Cursor<'_>) -> Result<(), Failure> {
    fn skip_digits(cursor: &mut Cursor<'_>) -> Result<(), Failure> {
        if !cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(cursor.unexpected("a digit"));
        }
        while cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            cursor.advance(1);
        }
        Ok(())
    }
    cursor.skip("-");
    if !cursor.skip("0") {
        skip_digits(cursor)?;
    }
    if cursor.skip(".") {
        skip_digits(cursor)?;
    }
    if cursor.skip("e") || cursor.skip("E") {
        let _ = cursor.skip("+") || cursor.skip("-");
        skip_digits(cursor)?;
    }
    Ok(())
}
