//! To 8WVR.

use super::{Parts, on_ground, with_names};
use crate::document::{Elevations, Ground, Name, Placements, Sentinel, Wvr8};
use crate::loss::{LossKind, Report};

/// An 8WVR of the parts of another variant.
pub(super) fn make(parts: &Parts<'_>, report: &mut Report) -> Wvr8 {
    let named = |name: &Name| (!name.bytes.is_empty()).then(|| Name::new(name.bytes.as_slice()));
    let mut objects = with_names(&parts.objects, report, |name, _| named(name));
    let step = f64::from(parts.step());
    let ground = Ground { size: parts.terrain, step: [step, step], heights: Elevations::Metres(&parts.heights) };
    if let Placements::Matrices(matrices) = &mut objects.placements {
        let moved = on_ground(matrices, &ground);
        report.count(LossKind::Approximated, "objects", moved, "that fit to the ground, at its height");
    }
    let materials = parts.materials.iter();
    let mut materials: Vec<Vec<Vec<u8>>> =
        materials.map(|name| if name.is_empty() { Vec::new() } else { vec![name.to_vec()] }).collect();
    if materials.is_empty() {
        materials.push(Vec::new());
    }
    Wvr8 {
        land: parts.land,
        terrain: parts.terrain,
        cell: parts.cell,
        heights: parts.heights.to_vec(),
        cells: parts.cells.to_vec(),
        materials,
        sentinel: Some(Sentinel::new()),
        objects,
        after: Vec::new(),
    }
}
