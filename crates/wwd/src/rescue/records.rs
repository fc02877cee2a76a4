//! Lists of records with a damaged count or damaged sizes.

use std::ops::Range;
use std::sync::Arc;

use mapwright_io::{Input, Losses};

use crate::document::record::Field as _;
use crate::read::tile_property;
use crate::{Object, Objects, Shape, TileProperties, TileProperty};

/// A record, or damaged bytes between records.
struct Record {
    range: Range<usize>,
    is_whole: bool,
}

/// Splits bytes into records of at least `min_size` bytes, in linear time. Records after damage must be plausible and end exactly at the
/// end of the bytes. If `is_cut` is `true`, the bytes end inside a record.
fn split_records(
    bytes: &[u8],
    min_size: usize,
    is_cut: bool,
    size: impl Fn(&[u8]) -> Option<usize>,
    is_plausible: impl Fn(&[u8]) -> bool,
) -> Vec<Record> {
    let end_at = |at: usize| {
        let end = at.checked_add(size(bytes.get(at..)?)?)?;
        (end <= bytes.len()).then_some(end)
    };
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some(end) = end_at(at) {
        records.push(Record { range: at..end, is_whole: true });
        at = end;
        if at == bytes.len() {
            return records;
        }
    }
    // `true` for each index at which a sequence of records begins that reaches the end.
    let mut reaches_end = vec![false; bytes.len()];
    if !is_cut {
        for at in (0..bytes.len()).rev() {
            let end = end_at(at).filter(|end| *end == bytes.len() || reaches_end.get(*end) == Some(&true));
            let reaches = end.and_then(|end| bytes.get(at..end)).is_some_and(&is_plausible);
            if let Some(place) = reaches_end.get_mut(at) {
                *place = reaches;
            }
        }
    }
    (records, at) = (Vec::new(), 0);
    // The first of these indices after the minimum size of the record. It only moves forward.
    let mut next = 0_usize;
    while at < bytes.len() {
        let end = end_at(at);
        let is_intact = reaches_end.get(at) == Some(&true);
        if !is_intact {
            next = next.max(at.saturating_add(min_size));
            let skipped = reaches_end.get(next..).and_then(|reaches| reaches.iter().position(|reaches| *reaches));
            next = skipped.map_or(bytes.len(), |skipped| next.saturating_add(skipped));
        }
        let (end, is_whole) = match end {
            Some(end) if is_intact || next >= bytes.len() || end == next || end.saturating_add(min_size) <= next => {
                (end, true)
            }
            _ => (next, false),
        };
        records.push(Record { range: at..end, is_whole });
        at = end;
    }
    records
}

/// Returns the size of an object in bytes.
fn object_size(bytes: &[u8]) -> Option<usize> {
    let lengths = bytes.get(Object::DERIVED)?.as_chunks::<4>().0.iter();
    lengths.map(|length| u32::get(length) as usize).try_fold(Object::FILE_SIZE, usize::checked_add)
}

/// Returns `true` if the texts of an object are short and contain no control characters. Only names of WapMap may contain them.
fn has_short_texts(object: &[u8]) -> bool {
    let texts = object.get(Object::FILE_SIZE..).unwrap_or_default();
    texts.len() <= 512 && texts.iter().all(|byte| *byte >= b' ')
}

/// Returns the size of a tile property in bytes.
fn property_size(bytes: &[u8]) -> Option<usize> {
    let mut input = Input::new(bytes);
    let [kind, _, width, height] = [(); 4].map(|()| input.u32_le().ok());
    match kind? {
        1 => Some(20),
        2 => Some(40),
        3 => usize::try_from(u64::from(width?).checked_mul(height?.into())?).ok()?.checked_add(16),
        _ => None,
    }
}

/// Returns `true` if the reserved word of a tile property is 0, as in all known files, and its size is not.
fn has_usual_head(property: &[u8]) -> bool {
    let word = |at: usize| property.get(at..).map_or(0, u32::get);
    word(4) == 0 && word(8) > 0 && word(12) > 0
}

/// Returns the end of `count` records of at least `min_size` bytes.
fn end_of_records(bytes: &[u8], count: u32, min_size: usize, size: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
    if (count as usize).checked_mul(min_size)? > bytes.len() {
        return None;
    }
    (0..count).try_fold(0_usize, |at, _| at.checked_add(size(bytes.get(at..)?)?).filter(|end| *end <= bytes.len()))
}

/// Returns the end of `count` objects.
pub(super) fn end_of_objects(bytes: &[u8], count: u32) -> Option<usize> {
    end_of_records(bytes, count, Object::FILE_SIZE, object_size)
}

/// Returns the end of a table of tile properties.
pub(super) fn end_of_tile_properties(bytes: &[u8]) -> Option<usize> {
    let (header, items) = bytes.split_at_checked(TABLE_HEADER)?;
    let count = u32::get(header.get(8..)?);
    end_of_records(items, count, 20, property_size)?.checked_add(TABLE_HEADER)
}

/// Bytes of the header of a table of tile properties.
const TABLE_HEADER: usize = 32;

/// Reads the objects in a range of a main block. Repairs the text lengths of a damaged object, because its numbers may be right.
pub(super) fn read_objects(
    main: &Arc<Vec<u8>>,
    range: Range<usize>,
    is_cut: bool,
    declared: u32,
    path: &str,
    losses: &mut Losses,
) -> Objects {
    let bytes = main.get(range.clone()).unwrap_or_default();
    let mut records = split_records(bytes, Object::FILE_SIZE, is_cut, object_size, has_short_texts);
    let mut lost = is_cut;
    if is_cut {
        records.pop_if(|record| !record.is_whole);
        records.truncate(declared as usize);
    }
    if records.iter().all(|record| record.is_whole) {
        report_count(path, records.len(), declared, lost, "objects are readable", losses);
        let size = records.last().map_or(0, |record| record.range.end);
        let end = range.start.saturating_add(size);
        return Objects::in_block(main, range.start..end, records.len());
    }
    let (mut repaired, mut count) = (Vec::new(), 0_usize);
    for record in records {
        let bytes = bytes.get(record.range.clone()).unwrap_or_default();
        let path = format!("{path}[{count}]");
        if record.is_whole {
            repaired.extend_from_slice(bytes);
        } else if !repair_object(bytes, &path, &mut repaired, losses) {
            lost = true;
            continue;
        }
        count = count.saturating_add(1);
    }
    report_count(path, count, declared, lost, "objects are readable", losses);
    let size = repaired.len();
    Objects::in_block(&Arc::new(repaired), 0..size, count)
}

/// Reports a count that differs from the declared one. If `lost` is `true`, items are missing; otherwise the declared count is damaged.
pub(super) fn report_count(path: &str, found: usize, declared: u32, lost: bool, text: &str, losses: &mut Losses) {
    if lost && declared as usize > found {
        losses.dropped(path, format!("{found} of {declared} declared {text}"));
    } else if declared as usize != found {
        losses.repaired(path, format!("the count is wrong: {declared} declared, {found} found"));
    }
}

/// Appends an object with repaired text lengths. `bytes` are all bytes up to the next object. Returns `false` if they contain no object.
fn repair_object(bytes: &[u8], path: &str, repaired: &mut Vec<u8>, losses: &mut Losses) -> bool {
    let Some((fields, texts)) = bytes.split_at_checked(Object::FILE_SIZE) else {
        losses.dropped(path, format!("{} bytes after the last object", bytes.len()));
        return false;
    };
    let mut fields = fields.to_vec();
    let (lengths, _) = fields.get_mut(Object::DERIVED).unwrap_or_default().as_chunks_mut::<4>();
    let size = |length: &[u8; 4]| u32::get(length) as usize;
    let total = lengths.iter().map(size).fold(0, usize::saturating_add);
    // If the texts would exceed the bytes, the longest length is damaged. The other lengths determine it.
    if let Some(longest) = lengths.iter_mut().max_by_key(|length| size(length)).filter(|_| total > texts.len()) {
        let declared = u32::get(longest);
        let others = total.saturating_sub(size(longest));
        let Some(found) = texts.len().checked_sub(others).and_then(|found| u32::try_from(found).ok()) else {
            losses.dropped(path, "an object with invalid text lengths");
            return false;
        };
        *longest = found.to_le_bytes();
        losses.repaired(path, format!("the length of a text is wrong: {declared} declared, {found} found"));
    } else {
        let after = texts.len().saturating_sub(total);
        losses.dropped(path, format!("{after} bytes after the object: its texts may be damaged"));
    }
    let kept = total.min(texts.len());
    repaired.extend(fields);
    repaired.extend_from_slice(texts.get(..kept).unwrap_or_default());
    true
}

/// Reads the table of tile properties at the start of `bytes`. Damaged properties become clear, so that the others keep their frames.
/// Returns `None` if the header is truncated.
pub(super) fn read_tile_properties(bytes: &[u8], is_cut: bool, losses: &mut Losses) -> Option<TileProperties> {
    let (header, items) = bytes.split_at_checked(TABLE_HEADER)?;
    let words: Vec<u32> = header.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let &[size, reserved_04, declared, ref reserved_0c @ ..] = words.as_slice() else { return None };
    let reserved_0c = reserved_0c.try_into().unwrap_or_default();
    let mut table = TileProperties { size, reserved_04, reserved_0c, items: Vec::new() };
    let mut records = split_records(items, 20, is_cut, property_size, has_usual_head);
    if is_cut {
        records.pop_if(|record| !record.is_whole);
        records.truncate(declared as usize);
    }
    let mut missing = (declared as usize).saturating_sub(records.len());
    for record in records {
        let item = items.get(record.range.clone()).map(|bytes| tile_property(&mut Input::new(bytes)));
        match item {
            Some(Ok(item)) if record.is_whole => table.items.push(item),
            _ => {
                // A damaged range may contain several properties.
                let most = record.range.len().checked_div(20).unwrap_or(0).saturating_sub(1);
                let count = missing.min(most).saturating_add(1);
                missing = missing.saturating_add(1).saturating_sub(count);
                let path = format!("tile_properties.items[{}]", table.items.len());
                let text = mapwright_io::format_count(count as u64, "damaged property");
                losses.repaired(path, format!("{text}, now clear"));
                let size = table.items.first().map_or([0; 2], |item| [item.width, item.height]);
                let [width, height] = size;
                let clear = TileProperty { reserved_04: 0, width, height, shape: Shape::Single(0) };
                table.items.extend(std::iter::repeat_n(clear, count));
            }
        }
    }
    report_count("tile_properties", table.items.len(), declared, is_cut, "tile properties are readable", losses);
    Some(table)
}
