//! White space around items.

use std::ops::Range;

use crate::document::{Item, ItemKind, is_xml_space};

fn text_of(item: Item<'_>) -> &str {
    item.document().as_str()
}

/// Returns the white space before an item, from the last line end on.
pub(super) fn lead(item: Item<'_>) -> &str {
    let before = text_of(item).get(..item.range().start).unwrap_or_default();
    let space = before.trim_end_matches(|c: char| u8::try_from(c).is_ok_and(is_xml_space));
    let space = before.get(space.len()..).unwrap_or_default();
    match space.rfind('\n') {
        Some(at) => {
            let at =
                if space.get(..at).is_some_and(|before| before.ends_with('\r')) { at.saturating_sub(1) } else { at };
            space.get(at..).unwrap_or_default()
        }
        None => space,
    }
}

/// Returns the white space before an item; for the root, which may have none, the first line end of the text.
pub(super) fn lead_or_line_end(item: Item<'_>) -> &str {
    match lead(item) {
        "" if item.index() == 0 => line_end(text_of(item)),
        lead => lead,
    }
}

fn line_end(text: &str) -> &'static str {
    match memchr::memchr(b'\n', text.as_bytes()) {
        Some(at) if text.get(..at).is_some_and(|before| before.ends_with('\r')) => "\r\n",
        Some(_) => "\n",
        None => "",
    }
}

/// Returns the white space before the children of an element that has none. It is empty if the element is in the line of others.
pub(super) fn lead_of_children(item: Item<'_>) -> String {
    let own = lead_or_line_end(item);
    if !own.contains('\n') {
        return String::new();
    }
    // One level is as deep as the first child of the root.
    let unit =
        item.document().root().elements().next().map_or(" ", |first| lead(first).trim_start_matches(['\r', '\n']));
    [own, if unit.is_empty() { " " } else { unit }].concat()
}

/// Returns the end of the last attribute, or of the name of an element.
pub(super) fn attributes_end(item: Item<'_>) -> usize {
    let last = item.items().take_while(|item| item.kind() == ItemKind::Attribute).last();
    let name = item.range().start.saturating_add(1).saturating_add(item.name().len());
    last.map_or(name, |attribute| attribute.range().end)
}

/// Returns the text between the key and the value of a member.
pub(super) fn separator(member: Item<'_>) -> &str {
    let node = member.node();
    let start = (node.name as usize).saturating_add(node.name_length.into()).saturating_add(1);
    text_of(member).get(start..node.value as usize).unwrap_or(":")
}

/// Returns the range to delete when an element or attribute is removed: its line, or the space before it.
pub(super) fn removal(item: Item<'_>) -> Range<usize> {
    let range = item.range();
    range.start.saturating_sub(lead(item).len())..range.end
}

/// Returns the ranges to delete when members and items of arrays are removed. The items must be in the order of the text.
///
/// Neighbouring items are one range, because they share commas: it has the commas after its items, or the one before it if it is at the
/// end of an object or array.
pub(super) fn json_removals<'a>(items: impl IntoIterator<Item = Item<'a>>) -> Vec<Range<usize>> {
    let mut removals: Vec<Range<usize>> = Vec::new();
    // The range before the current item, if a comma is after it.
    let mut open: Option<Range<usize>> = None;
    for item in items {
        let (range, text) = (item.range(), text_of(item));
        if removals.last().into_iter().chain(&open).any(|removal| range.start < removal.end) {
            // It is in a removed item.
            continue;
        }
        let start = range.start.saturating_sub(lead(item).len());
        let is_blank = |range: Range<usize>| text.get(range).is_some_and(|between| between.trim_ascii().is_empty());
        let start = match open.take() {
            Some(before) if is_blank(before.end..range.start) => before.start,
            before => {
                removals.extend(before);
                start
            }
        };
        let after = text.get(range.end..).unwrap_or_default();
        let rest = after.trim_ascii_start();
        if rest.starts_with(',') {
            let comma = after.len().saturating_sub(rest.len());
            open = Some(start..range.end.saturating_add(comma).saturating_add(1));
            continue;
        }
        let before = text.get(..start).unwrap_or_default().trim_ascii_end();
        let start = if before.ends_with(',') { before.len().saturating_sub(1) } else { start };
        removals.push(start..range.end);
    }
    removals.extend(open);
    removals
}
