//! 8WVR.

use mapwright_io::{Budget, Context as _, Input};

use super::{NameTable, count_cells};
use crate::ReadError;
use crate::document::{Matrix, Name, Objects, Placements, Sentinel, Wvr8};

/// Size of an object without its name, in bytes.
const RECORD: usize = 56;

pub(super) fn read(input: &mut Input<'_>, budget: &mut Budget) -> Result<Wvr8, ReadError> {
    let land = [input.u32_le()?, input.u32_le()?];
    let terrain = [input.u32_le()?, input.u32_le()?];
    let cell = input.f32_le()?;
    let count = count_cells(input, terrain, 4, "heights")?;
    let heights = input.f32s_le(count).in_field("heights")?;
    let count = count_cells(input, land, 2, "cells")?;
    let cells = input.u16s_le(count).in_field("cells")?;
    let materials = read_materials(input, budget)?;
    let (objects, sentinel) = read_objects(input, budget)?;
    let after = input.read_to_end().to_vec();
    Ok(Wvr8 { land, terrain, cell, heights, cells, materials, objects, sentinel, after })
}

fn read_materials(input: &mut Input<'_>, budget: &mut Budget) -> Result<Vec<Vec<Vec<u8>>>, ReadError> {
    let declared = input.u32_le().in_field("materials")?;
    let count = input.count(declared.into(), 4, "materials").in_field("materials")?;
    // An empty list takes 24 bytes of memory and 4 bytes of the file, so the capacity is bounded by the file.
    budget.take_items(count as u64, input.position())?;
    let mut materials = Vec::with_capacity(count);
    for material in 0..count {
        materials.push(read_strings(input, budget).in_item("materials", material)?);
    }
    Ok(materials)
}

/// Reads strings up to an empty one.
fn read_strings(input: &mut Input<'_>, budget: &mut Budget) -> Result<Vec<Vec<u8>>, ReadError> {
    // Count first: a growing list takes much more memory than short strings.
    let mut ahead = input.clone();
    let mut count = 0_usize;
    while !read_string(&mut ahead)?.is_empty() {
        count = count.saturating_add(1);
    }
    budget.take_items(count as u64, input.position())?;
    let mut strings = Vec::with_capacity(count);
    for _ in 0..count {
        strings.push(read_string(input)?.to_vec());
    }
    read_string(input)?;
    Ok(strings)
}

fn read_string<'a>(input: &mut Input<'a>) -> Result<&'a [u8], ReadError> {
    let length = input.u32_le()?;
    let length = input.count(length.into(), 1, "bytes of a name")?;
    Ok(input.take(length)?)
}

/// Reads the objects up to the first incomplete one, and the sentinel.
fn read_objects(input: &mut Input<'_>, budget: &mut Budget) -> Result<(Objects, Option<Sentinel>), ReadError> {
    let bytes = input.peek();
    let mut count = 0_usize;
    let mut ahead = bytes;
    while let Some((_, _, rest)) = read_object(ahead) {
        count = count.saturating_add(1);
        ahead = rest;
    }
    budget.take_items(count as u64, input.position())?;
    let mut objects = Objects {
        models: Vec::new(),
        model: Vec::with_capacity(count),
        placements: Placements::default(),
        ids: Vec::with_capacity(count),
    };
    let mut matrices = Vec::with_capacity(count);
    let mut sentinel = None;
    let mut names = NameTable::new();
    let mut left = bytes;
    while let Some((record, name, rest)) = read_object(left) {
        left = rest;
        let matrix = record.first_chunk().map_or(Matrix::from_position([0.0; 3]), Matrix::from_bytes);
        let id = record.get(48..).and_then(|rest| rest.first_chunk().copied());
        let id = i32::from_le_bytes(id.unwrap_or_default());
        if name.is_empty() && sentinel.is_none() {
            sentinel =
                Some(Sentinel { followed_by: count.saturating_sub(matrices.len()).saturating_sub(1), matrix, id });
            continue;
        }
        objects.model.push(names.index_of(name, &mut objects.models, |name| Name::new(name)));
        matrices.push(matrix);
        objects.ids.push(id);
    }
    objects.placements = Placements::Matrices(matrices);
    input.take(bytes.len().saturating_sub(left.len()))?;
    Ok((objects, sentinel))
}

/// Reads the first object. Returns its fixed part, its name, and the remaining bytes.
#[inline]
fn read_object(bytes: &[u8]) -> Option<(&[u8; RECORD], &[u8], &[u8])> {
    let (record, rest) = bytes.split_first_chunk::<RECORD>()?;
    let [.., a, b, c, d] = *record;
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
    let (name, rest) = rest.split_at_checked(length)?;
    Some((record, name, rest))
}

/// Returns `true` if bytes start with an object.
pub(crate) fn is_object(bytes: &[u8]) -> bool {
    read_object(bytes).is_some()
}
