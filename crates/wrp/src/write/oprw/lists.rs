//! The lists of OPRW.

use mapwright_io::{Context as _, Output};

use super::to_u32;
use crate::document::{Oprw, Placements, Road};
use crate::{OprwVersion, WriteError};

fn write_name(name: &[u8], output: &mut Output) {
    output.bytes(name);
    output.u8(0);
}

pub(super) fn write_peaks(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(to_u32("peaks", terrain.peaks.len())?);
    output.f32s_le(terrain.peaks.as_flattened());
    Ok(())
}

pub(super) fn write_materials(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(to_u32("materials", terrain.materials.len())?);
    for material in &terrain.materials {
        write_name(&material.name, output);
        output.u8(material.flag);
    }
    Ok(())
}

pub(super) fn write_models(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(to_u32("models", terrain.objects.models.len())?);
    terrain.objects.models.iter().for_each(|model| write_name(&model.bytes, output));
    Ok(())
}

pub(super) fn write_entities(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(to_u32("entities", terrain.entities.len())?);
    for entity in &terrain.entities {
        write_name(&entity.class, output);
        write_name(&entity.shape, output);
        output.f32s_le(&entity.position);
        output.u32_le(entity.object_id);
    }
    Ok(())
}

/// Writes the roads of all cells, preceded by their size.
pub(super) fn write_roads(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    let size = output.reserve_u32();
    let before = output.len();
    let [columns, rows] = terrain.land;
    let mut left = terrain.roads.as_slice();
    if rows > 0 {
        for x in 0..columns {
            for z in 0..rows {
                let count = left.iter().take_while(|road| road.cell == [x, z]).count();
                let (here, rest) = left.split_at_checked(count).unwrap_or_default();
                output.u32_le(to_u32("roads", count)?);
                for each in here {
                    write_road(each, terrain.version, output)?;
                }
                left = rest;
            }
        }
    }
    let actual = to_u32("bytes of roads", output.len().saturating_sub(before)).in_field("roads")?;
    output.patch_u32_le(size, terrain.stated_road_size.unwrap_or(actual));
    Ok(())
}

fn write_road(road: &Road, version: OprwVersion, output: &mut Output) -> Result<(), WriteError> {
    let points = to_u32("points of a road", road.points.len())?;
    let points = u16::try_from(points).map_err(|_| super::too_wide("points of a road", points))?;
    output.u16_le(points);
    road.points.iter().for_each(|point| output.f32s_le(&point.position));
    if version.has_road_types() {
        road.points.iter().for_each(|point| output.u8(point.kind));
    }
    output.u32_le(road.object_id);
    if let Some(piece) = &road.piece {
        write_name(&piece.model, output);
        output.bytes(&piece.matrix.to_bytes());
    }
    Ok(())
}

pub(super) fn write_objects(terrain: &Oprw, output: &mut Output) {
    let Placements::Matrices(matrices) = &terrain.objects.placements else { unreachable!("placements were checked") };
    let rows = matrices.iter().zip(&terrain.objects.ids).zip(&terrain.objects.model);
    let mut shapes = terrain.shapes.iter();
    for ((matrix, id), model) in rows {
        output.i32_le(*id);
        output.u32_le(*model);
        output.bytes(&matrix.to_bytes());
        // `check` ensures that versions without shapes have none.
        if let Some(shape) = shapes.next() {
            output.u32_le(*shape);
        }
    }
}

/// Returns the size of the map items to be stored in the file.
pub(super) fn map_size(terrain: &Oprw, size: usize) -> Result<u32, WriteError> {
    let size = to_u32("bytes of the map", size).in_field("map_info")?;
    match terrain.stated_map_size {
        None => Ok(size),
        Some(stated) if stated > size && terrain.after.is_empty() => Ok(stated),
        Some(_) => {
            Err(super::ambiguous("stored map size must exceed the rest of the file")).in_field("stated_map_size")
        }
    }
}
