//! Writes 1WVR to 4WVR.

use mapwright_io::{Context as _, Output};

use super::{check_columns, check_grid, check_placements};
use crate::document::{Name, Nets, Objects, Placements, Wvr};
use crate::read::{find_ambiguity, is_model, is_part_end};
use crate::{Version, WriteError, WriteErrorKind};

pub(super) fn write(terrain: &Wvr) -> Result<Vec<u8>, WriteError> {
    let version = terrain.version;
    check(terrain)?;
    let cells = terrain.heights.len().saturating_mul(4);
    let names = terrain.names.len().saturating_mul(32);
    let objects = terrain.objects.len().saturating_add(1).saturating_mul(version.record_size());
    let whole = [12, cells, names, objects, terrain.after.len()].into_iter().fold(0, usize::saturating_add);
    let mut output = Output::with_capacity(whole);
    output.bytes(&version.magic());
    for cells in terrain.size {
        output.u32_le(cells);
    }
    output.i16s_le(&terrain.heights);
    output.i16s_le(&terrain.textures);
    for name in &terrain.names {
        output.bytes(&name.raw);
    }
    write_objects(&terrain.objects, version, &mut output);
    let tail = output.len();
    if let Some(nets) = &terrain.nets {
        write_nets(nets, &mut output);
    }
    output.bytes(terrain.terminator.as_deref().unwrap_or_default());
    output.bytes(&terrain.after);
    match find_ambiguity(output.as_bytes(), terrain, tail) {
        Some(what) => Err(WriteError::without_position(WriteErrorKind::Ambiguous(what))),
        None => Ok(output.into_bytes()),
    }
}

/// Rejects content that cannot be stored, or that would be read as something else.
fn check(terrain: &Wvr) -> Result<(), WriteError> {
    let version = terrain.version;
    let error = |kind| Err(WriteError::without_position(kind));
    if let Some(axis) = terrain.size.iter().find(|cells| i32::try_from(**cells).is_err()) {
        return error(WriteErrorKind::TooMany { what: "cells", count: u64::from(*axis) });
    }
    check_grid("heights", terrain.size, terrain.heights.len())?;
    check_grid("textures", terrain.size, terrain.textures.len())?;
    let (expected, found) = (version.slot_count(), terrain.names.len());
    if found != expected && !(version == Version::Wvr2 && found == 256) {
        return error(WriteErrorKind::Slots { variant: version.name(), expected, found });
    }
    check_columns(&terrain.objects, version.has_ids())?;
    check_placements(&terrain.objects, version <= Version::Wvr2, version.name())?;
    check_names(&terrain.objects, version)?;
    match &terrain.terminator {
        Some(record) if version == Version::Wvr1 || record.len() != version.record_size() => {
            return error(WriteErrorKind::Ambiguous("terminator is not one record, or the variant (1WVR) has none"))
                .in_field("terminator");
        }
        Some(record) if record.get(version.name_offset()) != Some(&0) => {
            return error(WriteErrorKind::Ambiguous("terminator has a name: it would be read as an object"))
                .in_field("terminator");
        }
        None if version != Version::Wvr1 && terrain.after.len() >= version.record_size() => {
            return error(WriteErrorKind::Ambiguous(
                "trailing bytes would be read as an object: the list has no terminator",
            ))
            .in_field("after");
        }
        _ => {}
    }
    let Some(nets) = &terrain.nets else { return Ok(()) };
    let misplaced_end = nets.nets.iter().any(|net| {
        let positions = net.parts.iter().filter_map(|part| part.0.first_chunk::<8>());
        net.name() == b"EndOfNets" || !is_part_end(net.end) || positions.copied().any(is_part_end)
    });
    let ended = nets.end.get(..24).unwrap_or_default().starts_with(b"EndOfNets\0");
    if version != Version::Wvr1 || misplaced_end || !ended {
        return error(WriteErrorKind::Ambiguous("roads have a misplaced end, or the variant is not 1WVR"))
            .in_field("nets");
    }
    Ok(())
}

/// Checks that names fit their field and do not end the list.
fn check_names(objects: &Objects, version: Version) -> Result<(), WriteError> {
    let width = version.record_size().saturating_sub(version.name_offset());
    let used = objects.counts();
    for (index, (name, _)) in objects.models.iter().zip(&used).enumerate().filter(|(_, (_, count))| **count > 0) {
        let Name { bytes, rest } = name;
        let reason = if bytes.contains(&0) || rest.first().is_some_and(|&byte| byte != 0) {
            "contains a NUL"
        } else if bytes.len().saturating_add(rest.len()) > width {
            "is too long for its field"
        } else if version == Version::Wvr1 && !is_model(bytes) {
            "does not contain .p3d: 1WVR would read it as the end of the list"
        } else if bytes.is_empty() {
            "is empty: it would be read as the end of the list"
        } else {
            continue;
        };
        let kind = WriteErrorKind::Name { name: bytes.clone(), reason };
        return Err(WriteError::without_position(kind)).in_item("models", index).in_field("objects");
    }
    Ok(())
}

#[expect(clippy::expect_used, reason = "the document was checked")]
fn write_objects(objects: &Objects, version: Version, output: &mut Output) {
    let width = version.record_size().saturating_sub(version.name_offset());
    let mut ids = objects.ids.iter();
    let mut write_id_and_name = |model: u32, output: &mut Output| {
        if let Some(id) = ids.next() {
            output.i32_le(*id);
        }
        let name = usize::try_from(model).ok().and_then(|model| objects.models.get(model));
        let name = name.expect("model indices were checked");
        output.bytes(&name.bytes);
        output.bytes(&name.rest);
        let empty = width.saturating_sub(name.bytes.len()).saturating_sub(name.rest.len());
        output.first_bytes(&[0; 80], empty);
    };
    match &objects.placements {
        Placements::Matrices(matrices) => {
            for (matrix, model) in matrices.iter().zip(&objects.model) {
                output.bytes(&matrix.to_bytes());
                write_id_and_name(*model, output);
            }
        }
        Placements::Headings(headings) => {
            for (heading, model) in headings.iter().zip(&objects.model) {
                output.bytes(&heading.to_bytes());
                write_id_and_name(*model, output);
            }
        }
    }
}

fn write_nets(nets: &Nets, output: &mut Output) {
    for net in &nets.nets {
        output.bytes(&net.header);
        for part in &net.parts {
            output.bytes(&part.0);
        }
        output.bytes(&net.end);
    }
    output.bytes(&nets.end);
}
