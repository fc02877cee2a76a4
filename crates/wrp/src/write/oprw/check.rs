//! What an OPRW must be like to be written.

use mapwright_io::{Context as _, Input};

use super::super::{grid, placed, rows};
use super::ambiguous;
use crate::document::{MapInfo, MapShape, Oprw, Road, same_bits};
use crate::read::{LONGEST_NAME, is_elder_object};
use crate::{OprwVersion, WriteError, WriteErrorKind};

pub(super) fn check(terrain: &Oprw) -> Result<(), WriteError> {
    if !terrain.version.is_known() {
        return Err(WriteError::without_position(WriteErrorKind::Version(terrain.version)));
    }
    header(terrain)?;
    grids(terrain)?;
    rows(&terrain.objects, true)?;
    placed(&terrain.objects, false, "OPRW")?;
    names(terrain)?;
    parts(terrain)?;
    if terrain.version.is_elder() { elder(terrain) } else { modern(terrain) }
}

/// What versions 2 and 3 do not say.
fn header(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    if version == OprwVersion::COLD_WAR_CRISIS {
        for size in [terrain.land, terrain.terrain] {
            has(version, size == [Oprw::COLD_WAR_CRISIS_SIZE; 2], "grids of 256 by 256")?;
        }
    }
    if version.is_elder() {
        has(version, same_bits(&[terrain.cell], &[Oprw::ELDER_CELL]), "cells of 50 m")?;
        // They are written without a sign, and read with one.
        let sides = terrain.land.into_iter().chain(terrain.terrain);
        has(version, sides.max() <= Some(i32::MAX.cast_unsigned()), "grids of fewer than 2^31 columns and rows")?;
    }
    Ok(())
}

fn has(version: OprwVersion, has: bool, what: &'static str) -> Result<(), WriteError> {
    if has { Ok(()) } else { Err(WriteError::without_position(WriteErrorKind::Part { version, what })) }
}

/// Each grid of the version has all of its values, and the others have none.
fn grids(terrain: &Oprw) -> Result<(), WriteError> {
    let (version, land, vertices) = (terrain.version, terrain.land, terrain.terrain);
    let modern = !version.is_elder();
    let grids = [
        ("geography", terrain.geography.len(), true, land),
        ("sound", terrain.sound.len(), true, Oprw::sound_size(version, land)),
        ("cells", terrain.cells.len(), true, land),
        ("random", terrain.random.len(), version.has_random(), land),
        ("grass", terrain.grass.len(), version.has_grass(), vertices),
        ("primary_texture", terrain.primary_texture.len(), version.has_primary_texture(), vertices),
        ("heights", terrain.heights.len(), true, vertices),
        ("object_offsets", terrain.object_offsets.len(), modern, land),
        ("map_offsets", terrain.map_offsets.len(), modern, land),
        ("persistent", terrain.persistent.len(), modern, land),
        ("subdivision", terrain.subdivision.len(), modern, vertices),
    ];
    for (what, found, is_there, size) in grids {
        if is_there {
            grid(what, size, found)?;
        } else {
            has(version, found == 0, "no such grid").in_field(what)?;
        }
    }
    Ok(())
}

/// Names end with a NUL, and there is nothing behind it.
fn names(terrain: &Oprw) -> Result<(), WriteError> {
    let check = |name: &[u8]| {
        if name.contains(&0) {
            let kind = WriteErrorKind::Name { name: name.to_vec(), reason: "has a NUL, at which it would end" };
            return Err(WriteError::without_position(kind));
        }
        if name.len() > LONGEST_NAME {
            // The start is enough for a message.
            let name = name.iter().copied().take(64).collect();
            let kind =
                WriteErrorKind::Name { name, reason: "starts a name of more than 4096 bytes, which no reader accepts" };
            return Err(WriteError::without_position(kind));
        }
        Ok(())
    };
    for (place, material) in terrain.materials.iter().enumerate() {
        check(&material.name).in_item("materials", place)?;
    }
    for (place, model) in terrain.objects.models.iter().enumerate() {
        if !model.rest.is_empty() {
            let reason = "has bytes behind it: OPRW has no fields of fixed width";
            let kind = WriteErrorKind::Name { name: model.bytes.clone(), reason };
            return Err(WriteError::without_position(kind)).in_item("models", place).in_field("objects");
        }
        check(&model.bytes).in_item("models", place).in_field("objects")?;
    }
    for (place, entity) in terrain.entities.iter().enumerate() {
        check(&entity.class).and_then(|()| check(&entity.shape)).in_item("entities", place)?;
    }
    for (place, road) in terrain.roads.iter().enumerate() {
        check(road.piece.as_ref().map_or(&[], |piece| piece.model.as_slice())).in_item("roads", place)?;
    }
    Ok(())
}

/// Parts that only some versions have.
fn parts(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    let all = if version.has_app_id() { "the number of an application" } else { "no number of an application" };
    has(version, terrain.app_id.is_some() == version.has_app_id(), all).in_field("app_id")?;
    let objects = if version.has_shapes() { terrain.objects.len() } else { 0 };
    let all = if version.has_shapes() { "one parameter of its shape per object" } else { "no parameters of shapes" };
    has(version, terrain.shapes.len() == objects, all).in_field("shapes")?;
    has(version, version.has_entities() || terrain.entities.is_empty(), "no entities").in_field("entities")
}

fn elder(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    has(version, terrain.max_object_id.is_none(), "no largest number of an object").in_field("max_object_id")?;
    let roads = terrain.roads.is_empty() && terrain.stated_road_size.is_none();
    has(version, roads, "no roads").in_field("roads")?;
    let map = terrain.map_info.is_empty() && terrain.map_rest.is_empty() && terrain.stated_map_size.is_none();
    has(version, map, "no map").in_field("map_info")?;
    if let Some(object) = terrain.objects.ids.iter().position(|id| *id < 0) {
        return Err(ambiguous("a negative number: it would end the list")).in_item("objects", object);
    }
    match terrain.terminator {
        Some(0..) => Err(ambiguous("a number that is not negative: it would be an object")).in_field("terminator"),
        None if is_elder_object(&terrain.after) => {
            Err(ambiguous("bytes at the end that would belong to the list of objects")).in_field("after")
        }
        _ => Ok(()),
    }
}

fn modern(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    has(version, terrain.max_object_id.is_some(), "a largest number of an object").in_field("max_object_id")?;
    has(version, terrain.terminator.is_none(), "no number behind the objects").in_field("terminator")?;
    if let Some(place) = terrain.roads.iter().position(|road| !fits(road, terrain)) {
        let what = "roads with types of points since 24 and pieces since 16, in cells of the grid";
        return has(version, false, what).in_item("roads", place);
    }
    if !terrain.roads.is_sorted_by_key(|road| road.cell) {
        return Err(ambiguous("roads that are not ordered by cell")).in_field("roads");
    }
    for (place, thing) in terrain.map_info.iter().enumerate() {
        if !thing.is_consistent() {
            return Err(ambiguous("a kind of another layout")).in_item("map_info", place);
        }
        if let MapShape::River { points, .. } = &thing.shape {
            super::count("points of a river", points.len()).in_item("map_info", place)?;
        }
    }
    if matches!(MapInfo::read(&mut Input::new(&terrain.map_rest)), Ok(Some(_))) {
        return Err(ambiguous("bytes that would be a thing on the map")).in_field("map_rest");
    }
    Ok(())
}

/// Whether a road is in the grid and has what the version stores.
fn fits(road: &Road, terrain: &Oprw) -> bool {
    let version = terrain.version;
    road.cell.iter().zip(terrain.land).all(|(cell, cells)| *cell < cells)
        && road.piece.is_some() == version.has_road_pieces()
        && (version.has_road_types() || road.points.iter().all(|point| point.kind == 0))
}
