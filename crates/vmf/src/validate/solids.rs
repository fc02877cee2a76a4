//! Findings about solids and displacements.

use mapwright_io::{Frame, Severity};

use super::{Known, Report, below, is_far};
use crate::geometry::{DisplacementProblem, SolidProblem, length, sub};
use crate::{Entity, Side, Solid};

/// Vertices of Hammer++ that are farther away from the corners of a side differ from them.
const SAME_VERTEX: f64 = 0.05;

pub(super) fn check(entity: Entity<'_>, path: &[Frame], known: &Known, report: &mut Report<'_>) {
    for (index, solid) in entity.solids().enumerate() {
        let path = below(path, "solids", index);
        known.check_editor(solid.editor(), &path, report);
        for (index, side) in solid.sides().enumerate() {
            check_side(side, &below(&path, "sides", index), report);
        }
        check_polygons(solid, &path, report);
    }
}

fn check_side(side: Side<'_>, path: &[Frame], report: &mut Report<'_>) {
    let item = side.item();
    if crate::document::value::key(item, "plane").is_none() {
        report.add("side-plane", Severity::Error, path, item, "the side has no plane: Hammer rejects the file");
    }
    report.check_numbers::<9>(item, "plane", path);
    report.check_numbers::<5>(item, "uaxis", path);
    report.check_numbers::<5>(item, "vaxis", path);
    if side.plane().is_some_and(|points| points.into_iter().any(is_far)) {
        let message = "a point of the plane is beyond ±16384, where most games end";
        report.add("coordinate-far", Severity::Warning, path, item, message);
    }
    if [side.u_axis(), side.v_axis()].into_iter().flatten().any(|axis| axis.scale == 0.0) {
        report.add("scale-zero", Severity::Warning, path, item, "a texture scale is 0: the texture cannot be drawn");
    }
}

fn check_polygons(solid: Solid<'_>, path: &[Frame], report: &mut Report<'_>) {
    let polygons = match solid.polygons() {
        Ok(polygons) => polygons,
        Err(problem) => {
            // Missing and malformed planes are reported with their sides.
            let has_planes = solid.sides().all(|side| side.plane().is_some());
            if has_planes || !matches!(problem, SolidProblem::NoPlane(_)) {
                let id = solid.id().map_or_else(|| "no id".to_owned(), |id| format!("id {id}"));
                let message = format_args!("{problem} ({id}): Hammer removes the solid");
                report.add("solid-invalid", Severity::Warning, path, solid.item(), message);
            }
            check_arrays(solid, path, report);
            return;
        }
    };
    for (index, (side, polygon)) in solid.sides().zip(&polygons).enumerate() {
        let is_corner = |vertex: &[f64; 3]| polygon.iter().any(|&corner| length(sub(corner, *vertex)) <= SAME_VERTEX);
        let stored = side.stored_vertices().unwrap_or_default();
        if let Some([x, y, z]) = stored.iter().find(|vertex| !is_corner(vertex)) {
            let message =
                format_args!("the vertex {x} {y} {z} of Hammer++ is not at a corner of the side: the planes count");
            report.add("vertices-differ", Severity::Warning, &below(path, "sides", index), side.item(), message);
        }
        if side.displacement().is_some() && polygon.len() != 4 {
            let problem = DisplacementProblem::Corners(polygon.len());
            report_displacement(problem, side, &below(path, "sides", index), report);
        }
    }
    check_arrays(solid, path, report);
}

/// Checks powers and arrays of displacements.
fn check_arrays(solid: Solid<'_>, path: &[Frame], report: &mut Report<'_>) {
    for (index, side) in solid.sides().enumerate() {
        if let Some(problem) = side.displacement().and_then(crate::Displacement::problem) {
            report_displacement(problem, side, &below(path, "sides", index), report);
        }
    }
}

fn report_displacement(problem: DisplacementProblem, side: Side<'_>, path: &[Frame], report: &mut Report<'_>) {
    let message = format_args!("{problem}: the flat side is used");
    report.add("displacement-invalid", Severity::Warning, path, side.item(), message);
}
