//! Reads 1WVR to 4WVR.

use mapwright_io::{Budget, Context as _, FixedBytes, Input};

use super::{NameTable, count_cells};
use crate::document::{Heading, Matrix, Name, Net, Nets, Objects, Placements, SubNet, Wvr};
use crate::{ReadError, ReadErrorKind, ReadOptions, Version};

pub(super) fn read(
    input: &mut Input<'_>,
    version: Version,
    options: &ReadOptions,
    budget: &mut Budget,
) -> Result<Wvr, ReadError> {
    let at = input.position();
    let (columns, rows) = (input.i32_le()?, input.i32_le()?);
    let (Ok(x), Ok(z)) = (u32::try_from(columns), u32::try_from(rows)) else {
        return Err(ReadError::new(ReadErrorKind::Grid { columns, rows }, at));
    };
    let size = [x, z];
    let count = count_cells(input, size, 4, "cells")?;
    let heights = input.i16s_le(count).in_field("heights")?;
    let textures = input.i16s_le(count).in_field("textures")?;
    let slots = find_slot_count(input.peek(), version);
    let names = read_names(input, slots).in_field("names")?;
    let (objects, terminator) = match version {
        Version::Wvr1 => (read_wvr1_objects(input, budget)?, None),
        Version::Wvr2 => read_objects::<64>(input, version, budget)?,
        Version::Wvr3 => read_objects::<128>(input, version, budget)?,
        Version::Wvr4 => read_objects::<128>(input, version, budget)?,
    };
    let mut nets = None;
    if version == Version::Wvr1 {
        let mut ahead = input.clone();
        // Bytes that are not a list of roads are preserved as trailing bytes.
        if let Ok(read) = read_nets(&mut ahead) {
            nets = Some(read);
            *input = ahead;
        }
    }
    let after = input.read_to_end().to_vec();
    let (cell, height_unit) = (options.cell, options.height_unit);
    Ok(Wvr { version, size, heights, textures, names, objects, nets, terminator, after, cell, height_unit })
}

/// Returns the number of texture slots at the start of `bytes`.
///
/// According to reports, some 2WVR files have 256. This is detected by a model name in the first object that follows 256 slots, or
/// by a complete last record that only 256 slots give.
fn find_slot_count(bytes: &[u8], version: Version) -> usize {
    let usual = version.slot_count();
    if version != Version::Wvr2 {
        return usual;
    }
    let rest_after = |slots: usize| bytes.get(slots.saturating_mul(32)..);
    let whole = |slots: usize| rest_after(slots).is_some_and(|bytes| bytes.len().is_multiple_of(version.record_size()));
    let names_model = || {
        let record = rest_after(256)?.get(version.name_offset()..version.record_size())?;
        Some(is_model(record))
    };
    if names_model().unwrap_or(false) || (!whole(usual) && whole(256)) { 256 } else { usual }
}

/// Returns a message if the reader would assign the bytes of a document to different parts. 1WVR and 2WVR do not store where parts
/// end. `tail` is the end of the objects.
pub(crate) fn find_ambiguity(bytes: &[u8], terrain: &Wvr, tail: usize) -> Option<&'static str> {
    let names = terrain.heights.len().saturating_mul(4).saturating_add(12);
    if find_slot_count(bytes.get(names..).unwrap_or_default(), terrain.version) != terrain.names.len() {
        return Some("texture table is ambiguous: it would be read with a different number of slots");
    }
    let tail = bytes.get(tail..).unwrap_or_default();
    if terrain.version != Version::Wvr1 {
        None
    } else if tail.first_chunk().is_some_and(is_wvr1_object) {
        Some("roads or trailing bytes would be read as an object")
    } else if terrain.nets.is_none() && read_nets(&mut Input::new(tail)).is_ok() {
        Some("trailing bytes would be read as roads")
    } else {
        None
    }
}

fn read_names(input: &mut Input<'_>, slots: usize) -> Result<Vec<FixedBytes<32>>, ReadError> {
    let bytes = input.take(slots.saturating_mul(32))?;
    Ok(bytes.as_chunks().0.iter().map(|raw| FixedBytes { raw: *raw }).collect())
}

/// Reads the objects up to the terminator or the last complete record, and the terminator.
fn read_objects<const RECORD: usize>(
    input: &mut Input<'_>,
    version: Version,
    budget: &mut Budget,
) -> Result<(Objects, Option<Vec<u8>>), ReadError> {
    let at = input.position();
    let (records, _) = input.peek().as_chunks::<RECORD>();
    let is_named = |record: &&[u8; RECORD]| record.get(version.name_offset()) != Some(&0);
    let count = records.iter().take_while(is_named).count();
    let terminator = records.get(count).map(|record| record.to_vec());
    let records = records.get(..count).unwrap_or_default();
    budget.take_items(count as u64, at)?;
    let mut objects = with_capacity(version, count);
    let mut names = NameTable::new();
    for record in records {
        push_object(&mut objects, &mut names, record, version);
    }
    let ended = usize::from(terminator.is_some());
    input.take(count.saturating_add(ended).saturating_mul(RECORD))?;
    Ok((objects, terminator))
}

/// Reads the objects of 1WVR, up to the first record without a model name.
fn read_wvr1_objects(input: &mut Input<'_>, budget: &mut Budget) -> Result<Objects, ReadError> {
    let version = Version::Wvr1;
    let at = input.position();
    let (records, _) = input.peek().as_chunks::<64>();
    let count = records.iter().take_while(|record| is_wvr1_object(record)).count();
    budget.take_items(count as u64, at)?;
    let mut objects = with_capacity(version, count);
    let mut names = NameTable::new();
    for record in records.iter().take(count) {
        push_object(&mut objects, &mut names, record, version);
    }
    input.take(count.saturating_mul(64))?;
    Ok(objects)
}

/// Returns `true` if a record of 1WVR is an object.
fn is_wvr1_object(record: &[u8; 64]) -> bool {
    is_model(record.get(Version::Wvr1.name_offset()..).unwrap_or_default())
}

/// Returns `true` if the name in a field of 1WVR is that of a model.
pub(crate) fn is_model(field: &[u8]) -> bool {
    let name = field.split(|&byte| byte == 0).next().unwrap_or_default();
    let ends = [&b".p3d"[..], b".p3x"];
    ends.iter().any(|end| name.windows(end.len()).any(|part| part.eq_ignore_ascii_case(end)))
}

fn with_capacity(version: Version, count: usize) -> Objects {
    let upright = version <= Version::Wvr2;
    Objects {
        models: Vec::new(),
        model: Vec::with_capacity(count),
        placements: if upright {
            Placements::Headings(Vec::with_capacity(count))
        } else {
            Placements::Matrices(Vec::with_capacity(count))
        },
        ids: Vec::with_capacity(if version.has_ids() { count } else { 0 }),
    }
}

#[inline]
fn push_object<'a, const RECORD: usize>(
    objects: &mut Objects,
    names: &mut NameTable<'a>,
    record: &'a [u8; RECORD],
    version: Version,
) {
    let field = record.get(version.name_offset()..).unwrap_or_default();
    objects.model.push(names.index_of(field, &mut objects.models, Name::from_field));
    match &mut objects.placements {
        Placements::Matrices(matrices) => {
            matrices.push(record.first_chunk().map_or(Matrix::from_position([0.0; 3]), Matrix::from_bytes));
        }
        Placements::Headings(headings) => {
            headings.push(
                record.first_chunk().map_or(Heading { x: 0.0, y: 0.0, z: 0.0, heading: 0.0 }, Heading::from_bytes),
            );
        }
    }
    if version.has_ids() {
        let id = record.get(48..).and_then(|rest| rest.first_chunk().copied());
        objects.ids.push(i32::from_le_bytes(id.unwrap_or_default()));
    }
}

/// Reads the roads of 1WVR.
fn read_nets(input: &mut Input<'_>) -> Result<Nets, ReadError> {
    let mut nets = Vec::new();
    loop {
        let header: [u8; 64] = input.array()?;
        let mut net = Net { header, parts: Vec::new(), end: [0; 8] };
        if net.name() == b"EndOfNets" {
            return Ok(Nets { nets, end: header });
        }
        loop {
            let position: [u8; 8] = input.clone().array()?;
            if is_part_end(position) {
                net.end = input.array()?;
                break;
            }
            net.parts.push(SubNet(input.array()?));
        }
        nets.push(net);
    }
}

/// Returns `true` if a position ends the parts of a road: zeros of either sign.
pub(crate) fn is_part_end(position: [u8; 8]) -> bool {
    position.as_chunks::<4>().0.iter().all(|number| f32::from_le_bytes(*number) == 0.0)
}
