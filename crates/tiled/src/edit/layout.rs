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

/// Returns the range to delete when an item is removed.
pub(super) fn removal(item: Item<'_>) -> Range<usize> {
    let range = item.range();
    let text = text_of(item);
    let start = range.start.saturating_sub(lead(item).len());
    match item.kind() {
        // The line, or the space before an attribute.
        ItemKind::Element | ItemKind::Attribute => start..range.end,
        // The comma after the item, or else that before it.
        _ => {
            let after = text.get(range.end..).unwrap_or_default();
            let rest = after.trim_ascii_start();
            if rest.starts_with(',') {
                let comma = after.len().saturating_sub(rest.len());
                return start..range.end.saturating_add(comma).saturating_add(1);
            }
            let before = text.get(..range.start).unwrap_or_default().trim_ascii_end();
            match before.ends_with(',') {
                true => before.len().saturating_sub(1)..range.end,
                false => range,
            }
        }
    }
}
