//! 8WVR.

use mapwright_io::{Context as _, Output};

use super::{check_columns, check_grid, check_placements, to_u32};
use crate::document::{Objects, Placements, Sentinel, Wvr8};
use crate::read::is_object;
use crate::{WriteError, WriteErrorKind};

pub(super) fn write(terrain: &Wvr8) -> Result<Vec<u8>, WriteError> {
    check_grid("heights", terrain.terrain, terrain.heights.len())?;
    check_grid("cells", terrain.land, terrain.cells.len())?;
    check_columns(&terrain.objects, true)?;
    check_placements(&terrain.objects, false, "8WVR")?;
    check(terrain)?;
    let counts = terrain.objects.counts();
    let names = terrain.objects.models.iter().zip(counts);
    let names = names.map(|(name, count)| name.bytes.len().saturating_add(56).saturating_mul(count));
    let strings = terrain.materials.iter().flatten().map(|string| string.len().saturating_add(4));
    let materials = terrain.materials.len().saturating_mul(4);
    let grids = terrain.heights.len().saturating_mul(4).saturating_add(terrain.cells.len().saturating_mul(2));
    let parts = [28, grids, materials, 56, terrain.after.len()].into_iter().chain(names).chain(strings);
    let mut output = Output::with_capacity(parts.fold(0, usize::saturating_add));
    output.bytes(b"8WVR");
    for cells in terrain.land.into_iter().chain(terrain.terrain) {
        output.u32_le(cells);
    }
    output.f32_le(terrain.cell);
    output.f32s_le(&terrain.heights);
    output.u16s_le(&terrain.cells);
    output.u32_le(to_u32("materials", terrain.materials.len())?);
    for string in terrain.materials.iter().flat_map(|strings| strings.iter().map(Vec::as_slice).chain([&[][..]])) {
        output.u32_le(to_u32("bytes of a name", string.len())?);
        output.bytes(string);
    }
    write_objects(&terrain.objects, terrain.sentinel.as_ref(), &mut output)?;
    output.bytes(&terrain.after);
    Ok(output.into_bytes())
}

/// Rejects content that would be read as something else.
fn check(terrain: &Wvr8) -> Result<(), WriteError> {
    let error = |kind| Err(WriteError::without_position(kind));
    let empty = terrain.materials.iter().position(|strings| strings.iter().any(Vec::is_empty));
    if let Some(material) = empty {
        let kind = WriteErrorKind::Name { name: Vec::new(), reason: "is empty: it would end the material" };
        return error(kind).in_item("materials", material);
    }
    let with_rest = terrain.objects.models.iter().position(|name| !name.rest.is_empty());
    if let Some(model) = with_rest {
        let name = terrain.objects.models.get(model).map_or_else(Vec::new, |name| name.bytes.clone());
        let kind = WriteErrorKind::Name { name, reason: "has a residue: 8WVR has no fixed-width fields" };
        return error(kind).in_item("models", model).in_field("objects");
    }
    // The first object without a name is the sentinel.
    let nameless = |model: &u32| {
        let name = usize::try_from(*model).ok().and_then(|model| terrain.objects.models.get(model));
        name.is_some_and(|name| name.bytes.is_empty())
    };
    let before = terrain.sentinel.map_or(usize::MAX, |sentinel| sentinel_index(&sentinel, &terrain.objects));
    if terrain.objects.models.iter().any(|name| name.bytes.is_empty())
        && let Some(object) = terrain.objects.model.iter().take(before).position(nameless)
    {
        let kind = WriteErrorKind::Name { name: Vec::new(), reason: "is empty: only the sentinel may have no name" };
        return error(kind).in_item("objects", object);
    }
    if terrain.sentinel.is_some_and(|sentinel| sentinel.followed_by > terrain.objects.len()) {
        return error(WriteErrorKind::Ambiguous("sentinel is followed by more objects than there are"))
            .in_field("sentinel");
    }
    if is_object(&terrain.after) {
        return error(WriteErrorKind::Ambiguous("trailing bytes would be read as an object")).in_field("after");
    }
    Ok(())
}

/// Returns the number of objects before the sentinel.
fn sentinel_index(sentinel: &Sentinel, objects: &Objects) -> usize {
    objects.len().saturating_sub(sentinel.followed_by)
}

#[expect(clippy::expect_used, reason = "the document was checked")]
fn write_objects(objects: &Objects, sentinel: Option<&Sentinel>, output: &mut Output) -> Result<(), WriteError> {
    let Placements::Matrices(matrices) = &objects.placements else { unreachable!("placements were checked") };
    let write_sentinel = |sentinel: &Sentinel, output: &mut Output| {
        output.bytes(&sentinel.matrix.to_bytes());
        output.i32_le(sentinel.id);
        output.u32_le(0);
    };
    let at = sentinel.map(|sentinel| sentinel_index(sentinel, objects));
    let rows = matrices.iter().zip(&objects.ids).zip(&objects.model);
    for (index, ((matrix, id), model)) in rows.enumerate() {
        if let Some(sentinel) = sentinel.filter(|_| at == Some(index)) {
            write_sentinel(sentinel, output);
        }
        let name = usize::try_from(*model).ok().and_then(|model| objects.models.get(model));
        let name = name.expect("model indices were checked");
        output.bytes(&matrix.to_bytes());
        output.i32_le(*id);
        output.u32_le(to_u32("bytes of a name", name.bytes.len())?);
        output.bytes(&name.bytes);
    }
    if let Some(sentinel) = sentinel.filter(|_| at == Some(matrices.len())) {
        write_sentinel(sentinel, output);
    }
    Ok(())
}
