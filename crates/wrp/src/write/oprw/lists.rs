//! The lists of OPRW.

use mapwright_io::{Context as _, Output};

use super::count;
use crate::document::{Oprw, Placements, Road};
use crate::{OprwVersion, WriteError};

fn name(name: &[u8], output: &mut Output) {
    output.bytes(name);
    output.u8(0);
}

pub(super) fn peaks(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(count("peaks", terrain.peaks.len())?);
    output.f32s_le(terrain.peaks.as_flattened());
    Ok(())
}

pub(super) fn materials(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(count("materials", terrain.materials.len())?);
    for material in &terrain.materials {
        name(&material.name, output);
        output.u8(material.flag);
    }
    Ok(())
}

pub(super) fn models(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(count("models", terrain.objects.models.len())?);
    terrain.objects.models.iter().for_each(|model| name(&model.bytes, output));
    Ok(())
}

pub(super) fn entities(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    output.u32_le(count("entities", terrain.entities.len())?);
    for entity in &terrain.entities {
        name(&entity.class, output);
        name(&entity.shape, output);
        output.f32s_le(&entity.position);
        output.u32_le(entity.object_id);
    }
    Ok(())
}

/// The roads of all cells, and before them their size.
pub(super) fn roads(terrain: &Oprw, output: &mut Output) -> Result<(), WriteError> {
    let size = output.reserve_u32();
    let before = output.len();
    let [columns, rows] = terrain.land;
    let mut left = terrain.roads.as_slice();
    if rows > 0 {
        for x in 0..columns {
            for z in 0..rows {
                let of_cell = left.iter().take_while(|road| road.cell == [x, z]).count();
                let (here, behind) = left.split_at_checked(of_cell).unwrap_or_default();
                output.u32_le(count("roads", of_cell)?);
                for each in here {
                    road(each, terrain.version, output)?;
                }
                left = behind;
            }
        }
    }
    let actual = count("bytes of roads", output.len().saturating_sub(before)).in_field("roads")?;
    output.patch_u32_le(size, terrain.stated_road_size.unwrap_or(actual));
    Ok(())
}

fn road(road: &Road, version: OprwVersion, output: &mut Output) -> Result<(), WriteError> {
    let points = count("points of a road", road.points.len())?;
    let points = u16::try_from(points).map_err(|_| super::wide("points of a road", points))?;
    output.u16_le(points);
    road.points.iter().for_each(|point| output.f32s_le(&point.position));
    if version.has_road_types() {
        road.points.iter().for_each(|point| output.u8(point.kind));
    }
    output.u32_le(road.object_id);
    if let Some(piece) = &road.piece {
        name(&piece.model, output);
        output.bytes(&piece.matrix.to_bytes());
    }
    Ok(())
}

pub(super) fn objects(terrain: &Oprw, output: &mut Output) {
    let Placements::Matrices(matrices) = &terrain.objects.placements else { return };
    let rows = matrices.iter().zip(&terrain.objects.ids).zip(&terrain.objects.model);
    let mut shapes = terrain.shapes.iter();
    for ((matrix, id), model) in rows {
        output.i32_le(*id);
        output.u32_le(*model);
        output.bytes(&matrix.to_bytes());
        // Versions without them have none: that is checked.
        if let Some(shape) = shapes.next() {
            output.u32_le(*shape);
        }
    }
}

/// The size of the list of things on the map that the file is to state.
pub(super) fn map_size(terrain: &Oprw, size: usize) -> Result<u32, WriteError> {
    let size = count("bytes of the map", size).in_field("map_info")?;
    match terrain.stated_map_size {
        None => Ok(size),
        Some(stated) if stated > size && terrain.after.is_empty() => Ok(stated),
        Some(_) => Err(super::ambiguous("a size that reaches beyond the file")).in_field("stated_map_size"),
    }
}
