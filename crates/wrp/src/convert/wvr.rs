//! Converts terrains to 4WVR.

use mapwright_io::FixedBytes;

use super::{ConvertOptions, Grid, Parts, rebuild_with_names};
use crate::Version;
use crate::document::{Name, Objects, Placements, Wvr};
use crate::loss::{LossKind, OLD_NAMES, Report};
use crate::sample::sample_nearest;
use crate::steps::Steps;

/// Widths of the name fields in bytes.
const TEXTURE: usize = 32;
const MODEL: usize = 76;

/// Converts a legacy variant to 4WVR.
pub(super) fn upgrade(terrain: &Wvr, report: &mut Report) -> Wvr {
    if terrain.version == Version::Wvr4 {
        return terrain.clone();
    }
    let mut names = terrain.names.clone();
    names.resize(Version::Wvr4.slot_count(), FixedBytes { raw: [0; TEXTURE] });
    let mut textures = terrain.textures.clone();
    if !terrain.is_sea(Wvr::SEA) && textures.contains(&Wvr::SEA) {
        // In 4WVR slot 0 is the sea, so the ordinary texture in it moves to the first slot that 1WVR does not have.
        let free = terrain.names.len();
        if let [first, ..] = names[..]
            && let (Some(slot), Ok(index)) = (names.get_mut(free), i16::try_from(free))
        {
            *slot = first;
            textures.iter_mut().filter(|texture| **texture == Wvr::SEA).for_each(|texture| *texture = index);
            report.add(
                LossKind::Approximated,
                "textures",
                format!("texture of slot 0 moved to slot {free}, because slot 0 is the sea in 4WVR"),
            );
        }
    }
    let objects = collect_objects(terrain, report);
    let objects = rebuild_with_names(&objects, report, |name, report| fit_name(name, MODEL, "objects.models", report));
    Wvr {
        size: terrain.size,
        heights: terrain.heights.clone(),
        textures,
        names,
        objects,
        cell: terrain.cell,
        height_unit: terrain.height_unit,
        ..Wvr::new([0, 0])
    }
}

/// Returns the objects of 1WVR to 4WVR with matrices and IDs, and reports what the conversion drops.
pub(super) fn collect_objects(terrain: &Wvr, report: &mut Report) -> Objects {
    let mut objects = terrain.objects.clone();
    if let Placements::Headings(headings) = &objects.placements {
        let ground = terrain.ground();
        let matrices: Vec<_> = headings.iter().map(|heading| heading.to_matrix(&ground, terrain.cell)).collect();
        report.count(
            LossKind::Approximated,
            "objects",
            matrices.len(),
            ["heading converted to a matrix", "headings converted to matrices"],
        );
        objects.placements = Placements::Matrices(matrices);
    }
    if !terrain.version.has_ids() {
        objects.assign_ids();
        report.count(LossKind::Synthesized, "objects.ids", objects.len(), ["ID of an object", "IDs of objects"]);
    }
    if let Some(nets) = &terrain.nets {
        report.count(LossKind::Dropped, "nets", nets.nets.len(), ["road", "roads"]);
    }
    let residue = objects.models.iter().filter(|name| !name.rest.is_empty()).count();
    report.count(LossKind::Dropped, "objects.models", residue, OLD_NAMES);
    let terminator = terrain.terminator.as_ref().is_some_and(|record| record.iter().any(|&byte| byte != 0));
    report.count(
        LossKind::Dropped,
        "terminator",
        terminator.into(),
        ["terminator with old bytes", "terminator with old bytes"],
    );
    super::report_trailing_bytes(&terrain.after, report);
    objects
}

/// Builds a 4WVR from the parts of a newer variant.
pub(super) fn from_parts(parts: &Parts<'_>, options: &ConvertOptions, report: &mut Report) -> Wvr {
    let size = match options.grid {
        Grid::Terrain => parts.terrain,
        Grid::Land => parts.land,
    };
    let step = if options.grid == Grid::Terrain { parts.vertex_spacing() } else { parts.cell };
    if step != Wvr::CELL {
        report.add(
            LossKind::Dropped,
            "cell",
            format!("cell size of {step} m: 4WVR does not store it, and the game uses 50 m"),
        );
    }
    if size != parts.terrain {
        let [columns, rows] = parts.terrain;
        report.add(
            LossKind::Dropped,
            "heights",
            format!("some of {columns}×{rows} heights, to match the material grid"),
        );
    }
    let mut steps = Steps::new(Wvr::HEIGHT_UNIT);
    let heights = sample_nearest(&parts.heights, parts.terrain, size)
        .map(|height| steps.round_height(height.unwrap_or(0.0)))
        .collect();
    let (approximated, repaired) = steps.describe_changes();
    approximated.into_iter().for_each(|text| report.add(LossKind::Approximated, "heights", text));
    repaired.into_iter().for_each(|text| report.add(LossKind::Repaired, "heights", text));
    let (names, shift) = assign_slots(parts, report);
    let (mut beyond, mut foreign) = (0_usize, 0_usize);
    let listed = parts.materials.len();
    let textures = sample_nearest(&parts.cells, parts.land, size).map(|cell| {
        let Some(cell) = cell else { return Wvr::SEA };
        if usize::from(cell) >= listed {
            // An index that is out of range must not refer to the material in another slot.
            let taken = names.get(usize::from(cell)).is_some_and(|name| !name.text().is_empty());
            foreign = foreign.saturating_add(usize::from(taken));
            return if taken { -1 } else { cell.cast_signed() };
        }
        let slot = cell.saturating_add(shift);
        if usize::from(slot) < names.len() {
            return slot.cast_signed();
        }
        beyond = beyond.saturating_add(1);
        Wvr::SEA
    });
    let textures = textures.collect();
    if shift > 0 {
        report.add(LossKind::Approximated, "materials", "all moved up by one slot, because slot 0 is the sea");
    }
    report.count(
        LossKind::Approximated,
        "cells",
        foreign,
        ["cell with an index out of range, stored as -1", "cells with an index out of range, stored as -1"],
    );
    report.count(
        LossKind::Dropped,
        "cells",
        beyond,
        [
            "cell with a material above slot 511, which becomes sea",
            "cells with a material above slot 511, which become sea",
        ],
    );
    let objects =
        rebuild_with_names(&parts.objects, report, |name, report| fit_name(name, MODEL, "objects.models", report));
    Wvr { size, heights, textures, names, objects, cell: step, ..Wvr::new([0, 0]) }
}

/// Assigns materials to texture slots. Also returns by how many slots they move up to leave the slot of the sea free.
fn assign_slots(parts: &Parts<'_>, report: &mut Report) -> (Vec<FixedBytes<TEXTURE>>, u16) {
    let shift = u16::from(parts.materials.first().is_some_and(|name| !name.is_empty()));
    let empty = FixedBytes { raw: [0; TEXTURE] };
    let mut names = vec![empty; Version::Wvr4.slot_count()];
    for (slot, name) in names.iter_mut().skip(shift.into()).zip(&parts.materials) {
        let name = fit_name(&Name::new(*name), TEXTURE, "materials", report);
        *slot = name.and_then(|name| FixedBytes::from_text(&name.bytes)).unwrap_or(empty);
    }
    (names, shift)
}

/// Fits a name to its field. Removes the folder of a name that is too long, then truncates it.
fn fit_name(name: &Name, width: usize, path: &'static str, report: &mut Report) -> Option<Name> {
    let whole = name.bytes.as_slice();
    let text = whole.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut fitted = text;
    if fitted.len() > width {
        fitted = fitted.rsplit(|&byte| byte == b'\\').next().unwrap_or_default();
        fitted = fitted.get(..width).unwrap_or(fitted);
    }
    if fitted.len() < whole.len() {
        let (whole, fitted) = (mapwright_io::escape_bytes(whole), mapwright_io::escape_bytes(fitted));
        report.add(
            LossKind::Approximated,
            path,
            format!("\"{whole}\" shortened to \"{fitted}\": names have {width} bytes"),
        );
    }
    (!fitted.is_empty()).then(|| Name::new(fitted))
}
