//! Checks of meshes and brushes.

use super::{Report, Severity, finite, nodes};
use crate::{Attribute, Brush, CornerColumn, Domain, Mesh, Scene, TextureProjection};

pub(super) fn check(scene: &Scene, mesh: &Mesh, path: &str, report: &mut Report) {
    let (vertices, faces, corners) = (mesh.positions.len(), mesh.faces.len(), mesh.faces.corner_count());
    if [vertices, faces].iter().any(|&count| u32::try_from(count).is_err()) {
        report.error(&path, "too many vertices or faces: at most 2³² − 1 are allowed");
    }
    let infinite = |p: &[f64; 3]| !finite(p);
    report.column(Severity::Error, &format_args!("{path}.positions"), "not finite", &mesh.positions, infinite);
    self::faces(mesh, path, report);

    report.length(&format_args!("{path}.face_materials"), mesh.face_materials.len(), faces, true);
    let missing = |id: &Option<_>| id.is_some_and(|id| !scene.materials.contains(id));
    let materials = format!("{path}.face_materials");
    report.column(Severity::Error, &materials, "missing materials", &mesh.face_materials, missing);
    report.length(&format_args!("{path}.face_flags"), mesh.face_flags.len(), faces, true);
    report.length(&format_args!("{path}.face_projections"), mesh.face_projections.len(), faces, true);
    let projections = format!("{path}.face_projections");
    report.column(Severity::Error, &projections, "not finite or without a scale", &mesh.face_projections, is_bad);
    if mesh.mirror.is_some_and(|mirror| mirror as usize >= faces) {
        report.error(&format_args!("{path}.mirror"), "missing face");
    }

    for (index, set) in mesh.uv_sets.iter().enumerate() {
        let path = format!("{path}.uv_sets[{index}]");
        report.length(&path, set.corners.len(), corners, false);
        check_rows(report, Severity::Error, &path, "not finite", &set.corners, |uv| !finite(uv));
    }
    for (index, set) in mesh.color_sets.iter().enumerate() {
        let path = format!("{path}.color_sets[{index}]");
        report.length(&path, set.corners.len(), corners, false);
        let bad = |color: &[f32; 4]| color.iter().any(|c| !c.is_finite());
        check_rows(report, Severity::Error, &path, "not finite", &set.corners, bad);
    }
    if let Some(normals) = &mesh.normals {
        let path = format!("{path}.normals");
        report.length(&path, normals.len(), corners, false);
        if !normals.is_complete() {
            report.column(Severity::Error, &path, "corners without a normal", normals.iter(), |n| n.is_none());
        }
        check_rows(report, Severity::Error, &path, "not finite", normals, infinite);
        let bent = |n: &[f64; 3]| (n.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() > 1e-3;
        check_rows(report, Severity::Warning, &path, "not of length 1", normals, bent);
    }
    for (name, edges) in [("hard_edges", &mesh.hard_edges), ("soft_edges", &mesh.soft_edges)] {
        let path = format_args!("{path}.{name}");
        if !edges.is_sorted_by(|a, b| a < b) {
            report.error(&path, "edges must be sorted, without duplicates");
        }
        let bad = |[a, b]: &[u32; 2]| a >= b || *b as usize >= vertices;
        report.column(Severity::Error, &path, "vertices that are missing or not in order", edges, bad);
    }
    attributes(&mesh.attributes, [Some(vertices), Some(corners), Some(faces)], path, report);
    nodes::properties(&mesh.properties, path, report);
}

/// Checks the values of corners. Columns with many corners have few rows, and most have no wrong one.
fn check_rows<T: Copy>(
    report: &mut Report,
    severity: Severity,
    path: &str,
    problem: &str,
    column: &CornerColumn<T>,
    is_wrong: impl Fn(&T) -> bool,
) {
    if column.rows().iter().any(&is_wrong) {
        report.column(severity, &path, problem, column.iter(), |value| value.as_ref().is_some_and(&is_wrong));
    }
}

/// Checks columns of attributes against the numbers of vertices, corners and faces. `None`: there are no such items.
pub(super) fn attributes(attributes: &[Attribute], counts: [Option<usize>; 3], path: &str, report: &mut Report) {
    let [vertices, corners, faces] = counts;
    for (index, attribute) in attributes.iter().enumerate() {
        let path = format!("{path}.attributes[{index}]");
        let rows = match attribute.domain {
            Domain::Vertex => vertices,
            Domain::Corner => corners,
            Domain::Face => faces,
        };
        match rows.map(|rows| attribute.width.checked_mul(rows)) {
            None => report.error(&path, "invalid domain: there are no such items"),
            Some(Some(expected)) if attribute.width > 0 => {
                report.length(&path, attribute.values.len(), expected, false);
            }
            Some(_) => report.error(&path, "invalid width"),
        }
        report.column(Severity::Warning, &path, "not finite", &attribute.values, |value| !value.is_finite());
    }
}

fn faces(mesh: &Mesh, path: &str, report: &mut Report) {
    let path = format!("{path}.faces");
    let short = |face: &[u32]| face.len() < 2;
    report.column(Severity::Error, &path, "fewer than two corners", mesh.faces.iter(), short);
    let is_missing = |vertex: &u32| *vertex as usize >= mesh.positions.len();
    // One pass over all corners is much faster than one over each face.
    if mesh.faces.corners().iter().max().is_some_and(is_missing) {
        let missing = |face: &[u32]| face.iter().any(is_missing);
        report.column(Severity::Error, &path, "missing vertices", mesh.faces.iter(), missing);
    }
    let repeats = |face: usize| mesh.faces.has_repeat(face);
    report.column(Severity::Warning, &path, "faces with a duplicate vertex", 0..mesh.faces.len(), repeats);
}

pub(super) fn brush(scene: &Scene, brush: &Brush, path: &str, report: &mut Report) {
    let infinite = |p: &[f64; 3]| !finite(p);
    report.column(Severity::Error, &format_args!("{path}.vertices"), "not finite", &brush.vertices, infinite);
    for (index, side) in brush.sides.iter().enumerate() {
        let path = format!("{path}.sides[{index}]");
        if !finite(side.plane.iter().flatten()) || is_bad(&side.projection) {
            report.error(&path, "a number that is not finite, or a scale of 0");
        }
        if side.corners.iter().any(|&vertex| vertex as usize >= brush.vertices.len()) {
            report.error(&path, "missing vertex");
        }
        if let Some(material) = side.material {
            nodes::check_reference(&scene.materials, material, &path, report);
        }
        nodes::properties(&side.properties, &path, report);
    }
    nodes::properties(&brush.properties, path, report);
}

fn is_bad(projection: &TextureProjection) -> bool {
    let TextureProjection { u, v, offset, scale, rotation, local: _ } = projection;
    !finite(u.iter().chain(v).chain(offset).chain(scale).chain([rotation])) || scale.contains(&0.0)
}
