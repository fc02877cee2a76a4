//! To 4WVR.

use mapwright_io::FixedBytes;

use super::{ConvertOptions, Grid, Parts, with_names};
use crate::Version;
use crate::document::{Name, Objects, Placements, Wvr};
use crate::loss::{LossKind, Report};
use crate::sample::nearest;
use crate::steps::Steps;

/// Bytes of the fields of names.
const TEXTURE: usize = 32;
const MODEL: usize = 76;

/// An elder variant as 4WVR.
pub(super) fn renew(terrain: &Wvr, report: &mut Report) -> Wvr {
    if terrain.version == Version::Wvr4 {
        return terrain.clone();
    }
    let mut names = terrain.names.clone();
    names.resize(Version::Wvr4.slots(), FixedBytes { raw: [0; TEXTURE] });
    let mut textures = terrain.textures.clone();
    if !terrain.is_sea(Wvr::SEA) && textures.contains(&Wvr::SEA) {
        // What was an ordinary texture moves out of the slot of the sea, to the first one that 1WVR has not.
        let free = terrain.names.len();
        if let [first, ..] = names[..]
            && let (Some(slot), Ok(index)) = (names.get_mut(free), i16::try_from(free))
        {
            *slot = first;
            textures.iter_mut().filter(|texture| **texture == Wvr::SEA).for_each(|texture| *texture = index);
            report.add(LossKind::Approximated, "textures", format!("slot 0, as slot {free}: in 4WVR it is the sea"));
        }
    }
    let objects = objects(terrain, report);
    let objects = with_names(&objects, report, |name, report| fit(name, MODEL, "objects.models", report));
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

/// The objects of 1WVR to 4WVR with matrices and numbers, and names without bytes behind them.
pub(super) fn objects(terrain: &Wvr, report: &mut Report) -> Objects {
    let mut objects = terrain.objects.clone();
    if let Placements::Headings(headings) = &objects.placements {
        let ground = terrain.ground();
        let matrices: Vec<_> = headings.iter().map(|heading| heading.matrix(&ground, terrain.cell)).collect();
        report.count(LossKind::Approximated, "objects", matrices.len(), "headings, as matrices");
        objects.placements = Placements::Matrices(matrices);
    }
    if !terrain.version.has_ids() {
        objects.number();
        report.count(LossKind::Synthesized, "objects.ids", objects.len(), "numbers of objects");
    }
    if let Some(nets) = &terrain.nets {
        report.count(LossKind::Dropped, "nets", nets.nets.len(), "roads");
    }
    let residue = objects.models.iter().filter(|name| !name.rest.is_empty()).count();
    report.count(LossKind::Dropped, "objects.models", residue, "names with bytes behind them: those bytes");
    let terminator = terrain.terminator.as_ref().is_some_and(|record| record.iter().any(|&byte| byte != 0));
    report.count(LossKind::Dropped, "terminator", terminator.into(), "record with old bytes at the end of the list");
    super::left(&terrain.after, report);
    objects
}

/// A 4WVR of the parts of a newer variant.
pub(super) fn make(parts: &Parts<'_>, options: &ConvertOptions, report: &mut Report) -> Wvr {
    let size = match options.grid {
        Grid::Terrain => parts.terrain,
        Grid::Land => parts.land,
    };
    let step = if options.grid == Grid::Terrain { parts.step() } else { parts.cell };
    if step != Wvr::CELL {
        report.add(
            LossKind::Dropped,
            "cell",
            format!("cells of {step} m: the file does not say it, the game takes 50"),
        );
    }
    if size != parts.terrain {
        let [columns, rows] = parts.terrain;
        report.add(LossKind::Dropped, "heights", format!("some of {columns} by {rows}, by the grid of the materials"));
    }
    let mut steps = Steps::new(Wvr::HEIGHT_UNIT);
    let heights =
        nearest(&parts.heights, parts.terrain, size).map(|height| steps.step(height.unwrap_or(0.0))).collect();
    let (approximated, repaired) = steps.report();
    approximated.into_iter().for_each(|text| report.add(LossKind::Approximated, "heights", text));
    repaired.into_iter().for_each(|text| report.add(LossKind::Repaired, "heights", text));
    let (names, shift) = slots(parts, report);
    let (mut beyond, mut foreign) = (0_usize, 0_usize);
    let listed = parts.materials.len();
    let textures = nearest(&parts.cells, parts.land, size).map(|cell| {
        let Some(cell) = cell else { return Wvr::SEA };
        if usize::from(cell) >= listed {
            // A number without a meaning must not get that of another slot.
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
        report.add(LossKind::Approximated, "materials", "the first has a name: all are one slot further, for the sea");
    }
    report.count(LossKind::Approximated, "cells", foreign, "cells of numbers beyond the materials, as -1");
    report.count(LossKind::Dropped, "cells", beyond, "cells of materials beyond slot 511, which became sea");
    let objects = with_names(&parts.objects, report, |name, report| fit(name, MODEL, "objects.models", report));
    Wvr { size, heights, textures, names, objects, cell: step, ..Wvr::new([0, 0]) }
}

/// The slots of textures, and by how much materials move so that none is in that of the sea.
fn slots(parts: &Parts<'_>, report: &mut Report) -> (Vec<FixedBytes<TEXTURE>>, u16) {
    let shift = u16::from(parts.materials.first().is_some_and(|name| !name.is_empty()));
    let empty = FixedBytes { raw: [0; TEXTURE] };
    let mut names = vec![empty; Version::Wvr4.slots()];
    for (slot, name) in names.iter_mut().skip(shift.into()).zip(&parts.materials) {
        let name = fit(&Name::new(*name), TEXTURE, "materials", report);
        *slot = name.and_then(|name| FixedBytes::from_text(&name.bytes)).unwrap_or(empty);
    }
    (names, shift)
}

/// A name that fits its field: without its folder where it is too long, and cut where that is, too.
fn fit(name: &Name, width: usize, path: &'static str, report: &mut Report) -> Option<Name> {
    let whole = name.bytes.as_slice();
    let text = whole.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut fitted = text;
    if fitted.len() > width {
        fitted = fitted.rsplit(|&byte| byte == b'\\').next().unwrap_or_default();
        fitted = fitted.get(..width).unwrap_or(fitted);
    }
    if fitted.len() < whole.len() {
        let (whole, fitted) = (mapwright_io::escape(whole), mapwright_io::escape(fitted));
        report.add(LossKind::Approximated, path, format!("\"{whole}\", as \"{fitted}\": names have {width} bytes"));
    }
    (!fitted.is_empty()).then(|| Name::new(fitted))
}
