//! Converts terrains to 8WVR.

use super::{Parts, move_to_ground, rebuild_with_names};
use crate::document::{Elevations, Ground, Name, Placements, Sentinel, Wvr8};
use crate::loss::{LossKind, Report};

/// Builds an 8WVR from the parts of another variant.
pub(super) fn from_parts(parts: &Parts<'_>, report: &mut Report) -> Wvr8 {
    let named = |name: &Name| (!name.bytes.is_empty()).then(|| Name::new(name.bytes.as_slice()));
    let mut objects = rebuild_with_names(&parts.objects, report, |name, _| named(name));
    let step = f64::from(parts.vertex_spacing());
    let ground = Ground { size: parts.terrain, step: [step, step], heights: Elevations::Metres(&parts.heights) };
    if let Placements::Matrices(matrices) = &mut objects.placements {
        let moved = move_to_ground(matrices, &ground);
        report.count(
            LossKind::Approximated,
            "objects",
            moved,
            [
                "object that fits to the ground, stored at its height",
                "objects that fit to the ground, stored at its height",
            ],
        );
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
