//! The lists of OPRW.

use mapwright_io::{Budget, Context as _, Fault, FaultKind, Input};

use crate::document::{Entity, MapInfo, Matrix, Name, Objects, OprwMaterial, Placements, Road, RoadPiece, RoadPoint};
use crate::{OprwVersion, ReadError};

/// Number of names that a list may have in every file.
const NAMES: u64 = 1 << 16;

/// Maximum length of a name in bytes, ten times that of real names.
pub(crate) const LONGEST_NAME: usize = 4096;

/// Reads a count of items that take at least `smallest` bytes each.
fn count(input: &mut Input<'_>, smallest: usize, what: &'static str, budget: &mut Budget) -> Result<usize, ReadError> {
    let at = input.position();
    let declared = input.u32_le()?;
    let count = input.count(declared.into(), smallest, what)?;
    budget.take_items(count as u64, at)?;
    Ok(count)
}

/// Reads a count of names. An empty name takes much more memory than file bytes, so the count is limited by the file size.
fn count_names(
    input: &mut Input<'_>,
    smallest: usize,
    what: &'static str,
    budget: &mut Budget,
) -> Result<usize, ReadError> {
    let at = input.position();
    let count = count(input, smallest, what, budget)?;
    let limit = (input.remaining() as u64 / 16).saturating_add(NAMES);
    if count as u64 > limit {
        return Err(Fault { kind: FaultKind::Limit { what, asked: count as u64, limit }, at }.into());
    }
    Ok(count)
}

/// Reads a name and its NUL.
fn name(input: &mut Input<'_>) -> Result<Vec<u8>, ReadError> {
    let bytes = input.peek();
    let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    // Many objects may share a model. Its name must not make lists of objects large.
    if length > LONGEST_NAME && length < bytes.len() {
        let (asked, limit) = (length as u64, LONGEST_NAME as u64);
        return Err(input.fault(FaultKind::Limit { what: "a name", asked, limit }).into());
    }
    // If there is no NUL, this takes one byte too many and fails.
    let name = input.take(length.saturating_add(1))?;
    Ok(name.get(..length).unwrap_or_default().to_vec())
}

fn vector(input: &mut Input<'_>) -> Result<[f32; 3], ReadError> {
    Ok([input.f32_le()?, input.f32_le()?, input.f32_le()?])
}

pub(super) fn peaks(input: &mut Input<'_>, budget: &mut Budget) -> Result<Vec<[f32; 3]>, ReadError> {
    let count = count(input, 12, "peaks", budget)?;
    (0..count).map(|_| vector(input)).collect()
}

pub(super) fn materials(input: &mut Input<'_>, budget: &mut Budget) -> Result<Vec<OprwMaterial>, ReadError> {
    let count = count_names(input, 2, "materials", budget)?;
    let mut materials = Vec::with_capacity(count);
    for _ in 0..count {
        materials.push(OprwMaterial { name: name(input)?, flag: input.u8()? });
    }
    Ok(materials)
}

pub(super) fn models(input: &mut Input<'_>, budget: &mut Budget) -> Result<Vec<Name>, ReadError> {
    let count = count_names(input, 1, "models", budget)?;
    let mut models = Vec::with_capacity(count);
    for _ in 0..count {
        models.push(Name::new(name(input)?));
    }
    Ok(models)
}

pub(super) fn entities(input: &mut Input<'_>, budget: &mut Budget) -> Result<Vec<Entity>, ReadError> {
    let count = count(input, 18, "entities", budget).in_field("entities")?;
    let mut entities = Vec::with_capacity(count);
    for index in 0..count {
        entities.push(entity(input).in_item("entities", index)?);
    }
    Ok(entities)
}

fn entity(input: &mut Input<'_>) -> Result<Entity, ReadError> {
    Ok(Entity { class: name(input)?, shape: name(input)?, position: vector(input)?, object_id: input.u32_le()? })
}

/// Reads the roads of all cells.
pub(super) fn roads(
    input: &mut Input<'_>,
    version: OprwVersion,
    land: [u32; 2],
    budget: &mut Budget,
) -> Result<Vec<Road>, ReadError> {
    // Count first: a growing list takes three times its size.
    let mut count = 0_usize;
    for_each_road(&mut input.clone(), version, land, |_| count = count.saturating_add(1))?;
    budget.take_items(count as u64, input.position())?;
    let mut roads = Vec::with_capacity(count);
    for_each_road(input, version, land, |road| roads.push(road))?;
    Ok(roads)
}

fn for_each_road(
    input: &mut Input<'_>,
    version: OprwVersion,
    [columns, rows]: [u32; 2],
    mut each: impl FnMut(Road),
) -> Result<(), ReadError> {
    if rows == 0 {
        return Ok(());
    }
    for x in 0..columns {
        for z in 0..rows {
            let declared = input.u32_le()?;
            for _ in 0..input.count(declared.into(), 6, "roads")? {
                each(road(input, version, [x, z])?);
            }
        }
    }
    Ok(())
}

fn road(input: &mut Input<'_>, version: OprwVersion, cell: [u32; 2]) -> Result<Road, ReadError> {
    let count = input.u16_le()?;
    let count = input.count(count.into(), if version.has_road_types() { 13 } else { 12 }, "points of a road")?;
    let mut points = Vec::with_capacity(count);
    for _ in 0..count {
        points.push(RoadPoint { position: vector(input)?, kind: 0 });
    }
    if version.has_road_types() {
        for (point, kind) in points.iter_mut().zip(input.take(count)?) {
            point.kind = *kind;
        }
    }
    let object_id = input.u32_le()?;
    let piece = if version.has_road_pieces() {
        let model = name(input)?;
        Some(Box::new(RoadPiece { model, matrix: Matrix::from_bytes(&input.array()?) }))
    } else {
        None
    };
    Ok(Road { cell, points, object_id, piece })
}

/// Reads the objects, which take `size` bytes, and their shape parameters.
pub(super) fn objects(
    input: &mut Input<'_>,
    version: OprwVersion,
    size: u32,
    models: Vec<Name>,
    budget: &mut Budget,
) -> Result<(Objects, Vec<u32>), ReadError> {
    let at = input.position();
    let count = usize::try_from(size.checked_div(version.record_size()).unwrap_or(0)).unwrap_or(usize::MAX);
    let bytes = input.take(usize::try_from(size).unwrap_or(usize::MAX))?;
    budget.take_items(count as u64, at)?;
    let mut objects = with_capacity(models, count);
    let mut shapes = Vec::with_capacity(if version.has_shapes() { count } else { 0 });
    if version.has_shapes() {
        for [object @ .., a, b, c, d] in bytes.as_chunks::<60>().0 {
            push_object(&mut objects, object);
            shapes.push(u32::from_le_bytes([*a, *b, *c, *d]));
        }
    } else {
        bytes.as_chunks::<56>().0.iter().for_each(|object| push_object(&mut objects, object));
    }
    Ok((objects, shapes))
}

/// Reads the objects of versions 2 and 3 up to a negative ID or the last complete record, and that ID.
pub(super) fn legacy_objects(
    input: &mut Input<'_>,
    models: Vec<Name>,
    budget: &mut Budget,
) -> Result<(Objects, Option<i32>), ReadError> {
    let (records, _) = input.peek().as_chunks::<56>();
    let count = records.iter().take_while(|record| !is_end(record.as_slice())).count();
    budget.take_items(count as u64, input.position())?;
    let mut objects = with_capacity(models, count);
    for record in records.iter().take(count) {
        push_object(&mut objects, record);
    }
    input.take(count.saturating_mul(56))?;
    let terminator = if is_end(input.peek()) { Some(input.i32_le()?) } else { None };
    Ok((objects, terminator))
}

/// Returns `true` if bytes start with a negative ID.
fn is_end(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|id| i32::from_le_bytes(*id) < 0)
}

/// Returns `true` if bytes would be read as an object of versions 2 and 3, or as the end of the list.
pub(crate) fn is_legacy_object(bytes: &[u8]) -> bool {
    is_end(bytes) || bytes.len() >= 56
}

fn with_capacity(models: Vec<Name>, count: usize) -> Objects {
    Objects {
        models,
        model: Vec::with_capacity(count),
        placements: Placements::Matrices(Vec::with_capacity(count)),
        ids: Vec::with_capacity(count),
    }
}

fn push_object(objects: &mut Objects, [i, d, e, n, m, o, p, q, matrix @ ..]: &[u8; 56]) {
    objects.ids.push(i32::from_le_bytes([*i, *d, *e, *n]));
    objects.model.push(u32::from_le_bytes([*m, *o, *p, *q]));
    if let Placements::Matrices(matrices) = &mut objects.placements {
        matrices.push(Matrix::from_bytes(matrix));
    }
}

/// Reads the items on the map up to the first one that is incomplete or of an unknown kind.
pub(super) fn map_info(input: &mut Input<'_>, budget: &mut Budget) -> Result<Vec<MapInfo>, ReadError> {
    // Count first, as for roads.
    let (mut ahead, mut count) = (input.clone(), 0_usize);
    while let Ok(Some(_)) = MapInfo::read(&mut ahead) {
        count = count.saturating_add(1);
    }
    budget.take_items(count as u64, input.position())?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.extend(MapInfo::read(input)?);
    }
    Ok(items)
}
