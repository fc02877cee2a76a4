//! Hides and shows objects: adds and removes blocks `hidden`.

use mapwright_io::splice::{Splices, indentation, line_end, slice};
use mapwright_keyvalues::kv1::Item;
use mapwright_scene::Losses;

use super::change::Change;
use crate::scene::write::plan::{Plan, PlannedSolid};
use crate::{Document, Entity, Solid, WriteError};

/// Hides and shows entities, then solids, which may be parts of them.
pub(super) fn apply(change: &Change<'_, '_>, document: Document, losses: &mut Losses) -> Result<Document, WriteError> {
    let mut splices = Splices::default();
    let parts: Vec<Entity<'_>> = document.entities().collect();
    for (source, before, after) in change.entity_pairs() {
        let Some(entity) = parts.get(source) else { continue };
        if before.place.hidden != after.place.hidden {
            let outer = entity.outer();
            set_hidden(&document, &mut splices, entity.item(), outer, after.place.hidden, losses);
        }
    }
    let document = finish(document, splices)?;

    let mut splices = Splices::default();
    let parts: Vec<Solid<'_>> = document.solids().collect();
    for (source, before, after) in change.solid_pairs() {
        let Some(solid) = parts.get(source) else { continue };
        let [was_hidden, is_hidden] =
            [(change.before, before), (change.after, after)].map(|(plan, it)| hides(plan, it));
        if was_hidden != is_hidden {
            set_hidden(&document, &mut splices, solid.item(), solid.outer(), is_hidden, losses);
        }
    }
    finish(document, splices)
}

/// Returns `true` if a solid is hidden other than by its entity.
fn hides(plan: &Plan<'_>, solid: &PlannedSolid) -> bool {
    let owner = solid.owner.and_then(|owner| plan.entities.get(owner));
    solid.place.hidden && !owner.is_some_and(|owner| owner.place.hidden)
}

fn finish(document: Document, splices: Splices) -> Result<Document, WriteError> {
    if splices.is_empty() {
        return Ok(document);
    }
    let source = document.as_bytes();
    // Ranges of different objects do not overlap.
    let text = splices.apply(source).unwrap_or_else(|_| source.to_vec());
    Document::from_text(text, document.text().has_escapes())
}

/// Adds a block `hidden` around an item, or removes the one around it.
fn set_hidden(
    document: &Document,
    splices: &mut Splices,
    item: Item<'_>,
    outer: Item<'_>,
    hides: bool,
    losses: &mut Losses,
) {
    let source = document.as_bytes();
    let (range, outer) = (item.range(), outer.range());
    let text = slice(source, range.clone());
    if hides && range == outer {
        let end = line_end(source, range.start);
        let indent = indentation(source, range.start).unwrap_or_default();
        let inner = indent_lines(text);
        let parts: [&[u8]; 11] = [b"hidden", end, indent, b"{", end, indent, b"\t", &inner, end, indent, b"}"];
        splices.replace(range, parts.concat());
    } else if !hides && range != outer {
        splices.replace(outer, unindent_lines(text));
    } else {
        losses.dropped("hidden", "visibility of an object that shares a block with others");
    }
}

/// Adds a tab to each line but the first, unless a value has several lines.
fn indent_lines(text: &[u8]) -> Vec<u8> {
    if !has_only_short_values(text) {
        return text.to_vec();
    }
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    lines.join(&b"\n\t"[..])
}

/// Removes a tab from each line but the first, unless a value has several lines.
fn unindent_lines(text: &[u8]) -> Vec<u8> {
    if !has_only_short_values(text) {
        return text.to_vec();
    }
    let lines = text.split(|&byte| byte == b'\n').map(|line| line.strip_prefix(b"\t").unwrap_or(line));
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// Returns `true` if each line has an even number of quotes, so that no value continues in the next one.
fn has_only_short_values(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').all(|line| line.iter().filter(|byte| **byte == b'"').count().is_multiple_of(2))
}
