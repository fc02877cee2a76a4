//! Checks before an OPRW is written.

use mapwright_io::{Context as _, Input};

use super::super::{check_grid, check_placements, check_rows};
use super::ambiguous;
use crate::document::{MapInfo, MapShape, Oprw, Road, same_bits};
use crate::read::{LONGEST_NAME, is_legacy_object};
use crate::{OprwVersion, WriteError, WriteErrorKind};

pub(super) fn check(terrain: &Oprw) -> Result<(), WriteError> {
    if !terrain.version.is_known() {
        return Err(WriteError::without_position(WriteErrorKind::Version(terrain.version)));
    }
    check_header(terrain)?;
    check_grids(terrain)?;
    check_rows(&terrain.objects, true)?;
    check_placements(&terrain.objects, false, "OPRW")?;
    check_names(terrain)?;
    check_parts(terrain)?;
    if terrain.version.is_legacy() { check_legacy(terrain) } else { check_modern(terrain) }
}

/// Checks values that versions 2 and 3 do not store.
fn check_header(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    if version == OprwVersion::COLD_WAR_CRISIS {
        for size in [terrain.land, terrain.terrain] {
            require(version, size == [Oprw::COLD_WAR_CRISIS_SIZE; 2], "grids of 256×256")?;
        }
    }
    if version.is_legacy() {
        require(version, same_bits(&[terrain.cell], &[Oprw::LEGACY_CELL]), "cells of 50 m")?;
        // The reader treats the sides as signed.
        let sides = terrain.land.into_iter().chain(terrain.terrain);
        require(version, sides.max() <= Some(i32::MAX.cast_unsigned()), "grids of fewer than 2^31 columns and rows")?;
    }
    Ok(())
}

fn require(version: OprwVersion, has: bool, what: &'static str) -> Result<(), WriteError> {
    if has { Ok(()) } else { Err(WriteError::without_position(WriteErrorKind::Part { version, what })) }
}

/// Checks that each grid of the version has all values, and that other grids are empty.
fn check_grids(terrain: &Oprw) -> Result<(), WriteError> {
    let (version, land, vertices) = (terrain.version, terrain.land, terrain.terrain);
    let modern = !version.is_legacy();
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
            check_grid(what, size, found)?;
        } else {
            require(version, found == 0, "an empty grid").in_field(what)?;
        }
    }
    Ok(())
}

/// Checks that names contain no NUL and have no residue.
fn check_names(terrain: &Oprw) -> Result<(), WriteError> {
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

/// Checks parts that only some versions have.
fn check_parts(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    let all = if version.has_app_id() { "an application ID" } else { "no application ID" };
    require(version, terrain.app_id.is_some() == version.has_app_id(), all).in_field("app_id")?;
    let objects = if version.has_shapes() { terrain.objects.len() } else { 0 };
    let all = if version.has_shapes() { "one shape parameter per object" } else { "no shape parameters" };
    require(version, terrain.shapes.len() == objects, all).in_field("shapes")?;
    require(version, version.has_entities() || terrain.entities.is_empty(), "no entities").in_field("entities")
}

fn check_legacy(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    require(version, terrain.max_object_id.is_none(), "no largest object ID").in_field("max_object_id")?;
    let roads = terrain.roads.is_empty() && terrain.stated_road_size.is_none();
    require(version, roads, "no roads").in_field("roads")?;
    let map = terrain.map_info.is_empty() && terrain.map_rest.is_empty() && terrain.stated_map_size.is_none();
    require(version, map, "no map").in_field("map_info")?;
    if let Some(object) = terrain.objects.ids.iter().position(|id| *id < 0) {
        return Err(ambiguous("negative ID would end the object list")).in_item("objects", object);
    }
    match terrain.terminator {
        Some(0..) => Err(ambiguous("terminator is not negative: it would be read as an object")).in_field("terminator"),
        None if is_legacy_object(&terrain.after) => {
            Err(ambiguous("trailing bytes would be read as objects")).in_field("after")
        }
        _ => Ok(()),
    }
}

fn check_modern(terrain: &Oprw) -> Result<(), WriteError> {
    let version = terrain.version;
    require(version, terrain.max_object_id.is_some(), "a largest object ID").in_field("max_object_id")?;
    require(version, terrain.terminator.is_none(), "no terminator").in_field("terminator")?;
    if let Some(place) = terrain.roads.iter().position(|road| !is_valid_road(road, terrain)) {
        let what = "roads inside the grid, with point types since 24 and pieces since 16";
        return require(version, false, what).in_item("roads", place);
    }
    if !terrain.roads.is_sorted_by_key(|road| road.cell) {
        return Err(ambiguous("roads are not ordered by cell")).in_field("roads");
    }
    for (index, item) in terrain.map_info.iter().enumerate() {
        if !item.is_consistent() {
            return Err(ambiguous("kind requires a different layout")).in_item("map_info", index);
        }
        if let MapShape::River { points, .. } = &item.shape {
            super::to_u32("points of a river", points.len()).in_item("map_info", index)?;
        }
    }
    if matches!(MapInfo::read(&mut Input::new(&terrain.map_rest)), Ok(Some(_))) {
        return Err(ambiguous("remaining bytes would be read as an item of the map")).in_field("map_rest");
    }
    Ok(())
}

/// Returns `true` if a road is inside the grid and has the parts that the version stores.
fn is_valid_road(road: &Road, terrain: &Oprw) -> bool {
    let version = terrain.version;
    road.cell.iter().zip(terrain.land).all(|(cell, cells)| *cell < cells)
        && road.piece.is_some() == version.has_road_pieces()
        && (version.has_road_types() || road.points.iter().all(|point| point.kind == 0))
}
