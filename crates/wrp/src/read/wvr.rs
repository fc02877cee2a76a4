//! 1WVR to 4WVR.

use mapwright_io::{Budget, Context as _, FixedBytes, Input};

use super::{Names, cells};
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
    let count = cells(input, size, 4, "cells")?;
    let heights = shorts(input, count).in_field("heights")?;
    let textures = shorts(input, count).in_field("textures")?;
    let slots = slots(input.peek(), version);
    let names = names(input, slots).in_field("names")?;
    let (objects, terminator) = match version {
        Version::Wvr1 => (first_objects(input, budget)?, None),
        Version::Wvr2 => objects::<64>(input, version, budget)?,
        Version::Wvr3 => objects::<128>(input, version, budget)?,
        Version::Wvr4 => objects::<128>(input, version, budget)?,
    };
    let mut nets = None;
    if version == Version::Wvr1 {
        let mut ahead = input.clone();
        // What is no list of roads is kept as bytes.
        if let Ok(read) = self::nets(&mut ahead) {
            nets = Some(read);
            *input = ahead;
        }
    }
    let after = input.rest().to_vec();
    let (cell, height_unit) = (options.cell, options.height_unit);
    Ok(Wvr { version, size, heights, textures, names, objects, nets, terminator, after, cell, height_unit })
}

fn shorts(input: &mut Input<'_>, count: usize) -> Result<Vec<i16>, ReadError> {
    let bytes = input.take(count.saturating_mul(2))?;
    Ok(bytes.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect())
}

/// The number of slots for textures, which begin there. Some 2WVR are said to have 256: those are taken for such in which a model
/// is named where the first object then is, or that only then end with a whole record.
fn slots(bytes: &[u8], version: Version) -> usize {
    let usual = version.slots();
    if version != Version::Wvr2 {
        return usual;
    }
    let behind = |slots: usize| bytes.get(slots.saturating_mul(32)..);
    let whole = |slots: usize| behind(slots).is_some_and(|bytes| bytes.len().is_multiple_of(version.record()));
    let names_model = || {
        let record = behind(256)?.get(version.name_at()..version.record())?;
        Some(is_model(record))
    };
    if names_model().unwrap_or(false) || (!whole(usual) && whole(256)) { 256 } else { usual }
}

/// What would be read of the bytes of a document as another part than it is; 1WVR and 2WVR say less of where parts end than others.
/// `tail` is where the objects end.
pub(crate) fn ambiguous(bytes: &[u8], terrain: &Wvr, tail: usize) -> Option<&'static str> {
    let names = terrain.heights.len().saturating_mul(4).saturating_add(12);
    if slots(bytes.get(names..).unwrap_or_default(), terrain.version) != terrain.names.len() {
        return Some("a table of textures of 256 slots, or of 512, that would be taken for the other");
    }
    let tail = bytes.get(tail..).unwrap_or_default();
    if terrain.version != Version::Wvr1 {
        None
    } else if tail.first_chunk().is_some_and(is_first_object) {
        Some("roads, or bytes at the end, that would be an object")
    } else if terrain.nets.is_none() && nets(&mut Input::new(tail)).is_ok() {
        Some("bytes at the end that would be roads")
    } else {
        None
    }
}

fn names(input: &mut Input<'_>, slots: usize) -> Result<Vec<FixedBytes<32>>, ReadError> {
    let bytes = input.take(slots.saturating_mul(32))?;
    Ok(bytes.as_chunks().0.iter().map(|raw| FixedBytes { raw: *raw }).collect())
}

/// The objects up to the terminator or the last whole record, and the terminator.
fn objects<const RECORD: usize>(
    input: &mut Input<'_>,
    version: Version,
    budget: &mut Budget,
) -> Result<(Objects, Option<Vec<u8>>), ReadError> {
    let at = input.position();
    let (records, _) = input.peek().as_chunks::<RECORD>();
    let is_named = |record: &&[u8; RECORD]| record.get(version.name_at()) != Some(&0);
    let count = records.iter().take_while(is_named).count();
    let terminator = records.get(count).map(|record| record.to_vec());
    let records = records.get(..count).unwrap_or_default();
    budget.take_items(count as u64, at)?;
    let mut objects = with_capacity(version, count);
    let mut names = Names::new();
    for record in records {
        push(&mut objects, &mut names, record, version);
    }
    let ended = usize::from(terminator.is_some());
    input.take(count.saturating_add(ended).saturating_mul(RECORD))?;
    Ok((objects, terminator))
}

/// The objects of 1WVR: up to the first record that names no model.
fn first_objects(input: &mut Input<'_>, budget: &mut Budget) -> Result<Objects, ReadError> {
    let version = Version::Wvr1;
    let at = input.position();
    let (records, _) = input.peek().as_chunks::<64>();
    let count = records.iter().take_while(|record| is_first_object(record)).count();
    budget.take_items(count as u64, at)?;
    let mut objects = with_capacity(version, count);
    let mut names = Names::new();
    for record in records.iter().take(count) {
        push(&mut objects, &mut names, record, version);
    }
    input.take(count.saturating_mul(64))?;
    Ok(objects)
}

/// Whether a record of 1WVR is an object.
fn is_first_object(record: &[u8; 64]) -> bool {
    is_model(record.get(Version::Wvr1.name_at()..).unwrap_or_default())
}

/// Whether the name in a field of 1WVR is that of a model.
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
fn push<'a, const RECORD: usize>(
    objects: &mut Objects,
    names: &mut Names<'a>,
    record: &'a [u8; RECORD],
    version: Version,
) {
    let field = record.get(version.name_at()..).unwrap_or_default();
    objects.model.push(names.place(field, &mut objects.models, Name::from_field));
    match &mut objects.placements {
        Placements::Matrices(matrices) => {
            matrices.push(record.first_chunk().map_or(Matrix::at([0.0; 3]), Matrix::from_bytes));
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

/// The roads of 1WVR.
fn nets(input: &mut Input<'_>) -> Result<Nets, ReadError> {
    let mut nets = Vec::new();
    loop {
        let header: [u8; 64] = input.array()?;
        let mut net = Net { header, parts: Vec::new(), end: [0; 8] };
        if net.name() == b"EndOfNets" {
            return Ok(Nets { nets, end: header });
        }
        loop {
            let place: [u8; 8] = input.clone().array()?;
            if is_end(place) {
                net.end = input.array()?;
                break;
            }
            net.parts.push(SubNet(input.array()?));
        }
        nets.push(net);
    }
}

/// Whether a place ends the parts of a road: zeros, of either sign.
pub(crate) fn is_end(place: [u8; 8]) -> bool {
    place.as_chunks::<4>().0.iter().all(|number| f32::from_le_bytes(*number) == 0.0)
}
