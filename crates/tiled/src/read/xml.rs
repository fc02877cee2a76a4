//! Finds the elements and attributes of XML: the part of XML 1.0 without entities that a document declares.

use mapwright_io::{FaultKind, Limits};

use super::{Builder, Cursor, Failure, NO_PARENT, name_of};
use crate::ReadErrorKind;
use crate::document::{ItemKind, Node, decode_character, is_xml_space};

pub(super) fn index(text: &str, start: usize, limits: &Limits) -> Result<Vec<Node>, Failure> {
    let bytes = text.as_bytes();
    let marks = memchr::memchr2_iter(b'<', b'=', bytes).count();
    let mut builder = Builder::new(limits, marks, bytes.len())?;
    let mut cursor = Cursor { text, at: start };
    let mut names = Vec::new();
    loop {
        let before = cursor.at;
        let length = memchr::memchr(b'<', cursor.rest().as_bytes()).unwrap_or(cursor.rest().len());
        let characters = cursor.rest().get(..length).unwrap_or_default();
        cursor.advance(length);
        let is_outside = builder.open == NO_PARENT;
        if is_outside {
            // Only white space is allowed before and after the root.
            let space = characters.len().saturating_sub(characters.trim_ascii_start().len());
            if space < characters.len() {
                cursor.at = before.saturating_add(space);
                return Err(cursor.unexpected("an element"));
            }
        } else {
            check_references(characters, before)?;
        }
        let tag = cursor.at;
        if cursor.peek().is_none() {
            break;
        } else if cursor.skip("<!--") {
            cursor.skip_past("-->", "comment", tag)?;
        } else if cursor.skip("<?") {
            cursor.skip_past("?>", "processing instruction", tag)?;
        } else if !is_outside && cursor.skip("<![CDATA[") {
            cursor.skip_past("]]>", "CDATA section", tag)?;
        } else if builder.nodes.is_empty() && cursor.skip("<!DOCTYPE") {
            skip_doctype(&mut cursor, tag)?;
        } else if !is_outside && cursor.skip("</") {
            close_element(&mut cursor, &mut builder, tag)?;
        } else if is_outside && !builder.nodes.is_empty() {
            return Err(cursor.unexpected("the end of the file"));
        } else {
            cursor.advance(1);
            open_element(&mut cursor, &mut builder, &mut names)?;
        }
    }
    if builder.nodes.is_empty() || builder.open != NO_PARENT {
        return Err(cursor.unexpected("an end tag"));
    }
    Ok(builder.finish())
}

/// Skips a document type. One with declarations is rejected, because they may contain entities.
fn skip_doctype(cursor: &mut Cursor<'_>, start: usize) -> Result<(), Failure> {
    loop {
        match cursor.peek() {
            Some(b'>') => break,
            Some(b'[') => return Err((ReadErrorKind::Doctype, start)),
            Some(quote @ (b'"' | b'\'')) => {
                cursor.advance(1);
                cursor.skip_past(if quote == b'"' { "\"" } else { "'" }, "document type", start)?;
            }
            Some(_) => cursor.advance(1),
            None => return Err((ReadErrorKind::Unended("document type"), start)),
        }
    }
    cursor.advance(1);
    Ok(())
}

/// Reads a name and returns its length. The cursor is after it.
fn read_name(cursor: &mut Cursor<'_>) -> Result<usize, Failure> {
    let is_end = |byte: u8| is_xml_space(byte) || matches!(byte, b'<' | b'>' | b'/' | b'=' | b'"' | b'\'' | b'&');
    let rest = cursor.rest().as_bytes();
    let length = rest.iter().position(|&byte| is_end(byte) || byte < b' ').unwrap_or(rest.len());
    if length == 0 || matches!(rest.first(), Some(b'0'..=b'9' | b'-' | b'.' | b'!' | b'?')) {
        return Err(cursor.unexpected("a name"));
    }
    cursor.advance(length);
    Ok(length)
}

/// Returns `true` if a text can be the name of an attribute or element.
pub(crate) fn is_name(text: &str) -> bool {
    read_name(&mut Cursor { text, at: 0 }).is_ok_and(|length| length == text.len()) && u16::try_from(text.len()).is_ok()
}

/// Maximum number of attributes of an element. Tiled writes at most 25.
const MOST_ATTRIBUTES: usize = 1024;

/// Reads a start tag after its `<`. `names` is empty memory that is used again for every tag.
fn open_element<'a>(
    cursor: &mut Cursor<'a>,
    builder: &mut Builder,
    names: &mut Vec<(&'a str, usize)>,
) -> Result<(), Failure> {
    let (index, name) = (builder.nodes.len(), cursor.at);
    let length = read_name(cursor)?;
    builder.push(name, length, [0, 0], ItemKind::Element)?;
    names.clear();
    let is_empty = loop {
        let before = cursor.at;
        cursor.skip_space();
        if cursor.skip("/>") {
            break true;
        }
        if cursor.skip(">") {
            break false;
        }
        if cursor.at == before {
            return Err(cursor.unexpected("a space, `>` or `/>`"));
        }
        let name = cursor.at;
        let length = read_name(cursor)?;
        if names.len() == MOST_ATTRIBUTES {
            let (what, limit) = ("number of attributes of an element", MOST_ATTRIBUTES as u64);
            return Err((FaultKind::Limit { what, asked: limit.saturating_add(1), limit }.into(), name));
        }
        names.push((cursor.text.get(name..cursor.at).unwrap_or_default(), name));
        cursor.skip_space();
        if !cursor.skip("=") {
            return Err(cursor.unexpected("`=`"));
        }
        cursor.skip_space();
        let quote = match cursor.peek() {
            Some(b'"') => "\"",
            Some(b'\'') => "'",
            _ => return Err(cursor.unexpected("a quote")),
        };
        let start = cursor.at;
        cursor.advance(1);
        let value = cursor.skip_past(quote, "attribute", start)?;
        let start = start.saturating_add(1);
        if let Some(at) = memchr::memchr(b'<', value.as_bytes()) {
            cursor.at = start.saturating_add(at);
            return Err(cursor.unexpected("&lt;"));
        }
        check_references(value, start)?;
        builder.push(name, length, [start, start.saturating_add(value.len())], ItemKind::Attribute)?;
    };
    // Sorted, a repeated name is found in little time even among many attributes.
    names.sort_unstable();
    for pair in names.windows(2) {
        if let [(first, _), (second, at)] = pair
            && first == second
        {
            return Err((ReadErrorKind::DuplicateAttribute(super::shorten(second)), *at));
        }
    }
    let next = super::offset(builder.nodes.len());
    if let Some(node) = builder.nodes.get_mut(index) {
        (node.value, node.value_end, node.next) = (super::offset(cursor.at), super::offset(cursor.at), next);
    }
    if is_empty { Ok(()) } else { builder.open_at(index) }
}

/// Reads an end tag after its `</`, which is at `tag`.
fn close_element(cursor: &mut Cursor<'_>, builder: &mut Builder, tag: usize) -> Result<(), Failure> {
    let name = cursor.at;
    read_name(cursor)?;
    let found = cursor.text.get(name..cursor.at).unwrap_or_default();
    let expected = builder.innermost().map_or("", |node| name_of(cursor.text, node));
    if cursor.peek().is_some() && found != expected {
        let [found, expected] = [found, expected].map(super::shorten);
        return Err((ReadErrorKind::EndTag { found, expected }, tag));
    }
    cursor.skip_space();
    if !cursor.skip(">") {
        return Err(cursor.unexpected("`>`"));
    }
    builder.close(tag);
    Ok(())
}

/// Rejects references to entities that XML does not predefine.
fn check_references(text: &str, start: usize) -> Result<(), Failure> {
    /// Bytes of the longest reference that is read, with zeros before its number.
    const LONGEST: usize = 32;
    for at in memchr::memchr_iter(b'&', text.as_bytes()) {
        let bytes = text.as_bytes().get(at.saturating_add(1)..).unwrap_or_default();
        let name = bytes.get(..LONGEST).unwrap_or(bytes).split(|&byte| byte == b';').next().unwrap_or_default();
        let is_ended = bytes.get(name.len()) == Some(&b';');
        let name = String::from_utf8_lossy(name);
        if !is_ended || decode_character(&name).is_none() {
            return Err((ReadErrorKind::Entity(super::shorten(&name)), start.saturating_add(at)));
        }
    }
    Ok(())
}
