//! Findings of brushes, their faces, and patches.

use mapwright_io::{Severity, escape};

use super::Report;
use crate::document::number::parse_number;
use crate::geometry::{BrushProblem, HalfSpace, clip_polygons, cross, dot};
use crate::{Entity, Face, Mapping, Primitive, PrimitiveKind};

/// Compilers of Quake reject brushes with more faces.
const MAX_FACES: usize = 128;
/// Coordinates beyond these are outside of the worlds of Quake and Half-Life.
const MAX_COORDINATE: f64 = 4096.0;
/// Numbers beyond these are no coordinates.
const MAX_NUMBER: f64 = 1e9;

pub(super) fn check(entity: Entity<'_>, (index, primitive): (usize, Primitive<'_>), report: &mut Report<'_>) {
    let path = [("entities", entity.index()), ("primitives", index)];
    let offset = primitive.range().start;
    if primitive.kind() == PrimitiveKind::Other {
        let name = escape(primitive.name().unwrap_or_default());
        report.add(
            "primitive-unknown",
            Severity::Note,
            &path,
            offset,
            format_args!("the primitive {name} is preserved, but not read"),
        );
    }
    if let Some(patch) = primitive.patch() {
        let (rows, columns) = (patch.row_count(), patch.column_count());
        if [rows, columns].iter().any(|&size| size < 3 || size % 2 == 0) {
            let message = format_args!("a patch of {rows} × {columns} control points: both must be odd and at least 3");
            report.add("patch-size", Severity::Warning, &path, offset, message);
        }
        check_numbers(patch.point_words(), &path, offset, report);
        check_texture(&patch.texture(), &path, offset, report);
    }
    if primitive.kind().is_brush() {
        check_brush(primitive, &path, report);
    }
}

fn check_brush(primitive: Primitive<'_>, path: &[(&'static str, usize); 2], report: &mut Report<'_>) {
    let offset = primitive.range().start;
    let mut planes: Vec<Option<HalfSpace>> = Vec::with_capacity(primitive.faces().len());
    for (index, face) in primitive.faces().enumerate() {
        let [entity, primitive] = *path;
        let path = [entity, primitive, ("faces", index)];
        let offset = face.range().start;
        let plane = face.half_space();
        check_numbers(face.plane_words().chain(face.mapping_words()), &path, offset, report);
        check_texture(&face.texture(), &path, offset, report);
        match plane {
            None => {
                let message = "the points of the face are in a line: compilers drop the face";
                report.add("face-degenerate", Severity::Warning, &path, offset, message);
            }
            Some(plane) => {
                check_mapping(face, &plane, &path, report);
                // Faces of larger brushes are not compared with all others: that takes quadratic time.
                let mut compared = planes.iter().take(MAX_FACES);
                let earlier = compared.position(|other| other.is_some_and(|other| plane.is_duplicate_of(&other)));
                if let Some(earlier) = earlier {
                    let message = format_args!("the face has the plane of face {earlier}: compilers drop it");
                    report.add("plane-duplicate", Severity::Warning, &path, offset, message);
                }
            }
        }
        planes.push(plane);
    }
    if planes.len() > MAX_FACES {
        let message = format_args!("a brush of {} faces: compilers accept up to {MAX_FACES}", planes.len());
        report.add("brush-faces", Severity::Warning, path, offset, message);
        // Clipping takes time in proportion to the cube of the number of faces.
        return;
    }
    match clip_polygons(&planes) {
        Ok(polygons) => {
            for (index, ((polygon, plane), face)) in polygons.iter().zip(&planes).zip(primitive.faces()).enumerate() {
                let is_duplicate = |plane: &HalfSpace| {
                    planes.iter().take(index).any(|other| other.is_some_and(|other| plane.is_duplicate_of(&other)))
                };
                if polygon.is_empty() && plane.is_some_and(|plane| !is_duplicate(&plane)) {
                    let [entity, primitive] = *path;
                    let path = [entity, primitive, ("faces", index)];
                    let message = "the face has no area: the other faces clip it away";
                    report.add("face-unused", Severity::Note, &path, face.range().start, message);
                }
            }
        }
        Err(problem @ BrushProblem::Open) => {
            report.add(
                "brush-open",
                Severity::Warning,
                path,
                offset,
                format_args!("{problem}: compilers drop the brush"),
            );
        }
        Err(problem @ BrushProblem::Empty) => {
            report.add(
                "brush-empty",
                Severity::Warning,
                path,
                offset,
                format_args!("{problem}: compilers drop the brush"),
            );
        }
        // `brush-faces` reports these.
        Err(BrushProblem::TooManyFaces(_)) => {}
    }
}

fn check_numbers<'a>(
    words: impl Iterator<Item = &'a [u8]>,
    path: &[(&'static str, usize)],
    offset: usize,
    report: &mut Report<'_>,
) {
    // NaN does not occur in files.
    let largest = words.map(|word| parse_number(word).abs()).fold(0.0, f64::max);
    if largest > MAX_NUMBER {
        let message =
            format_args!("the number {largest:e} is beyond ±{MAX_NUMBER:e}, so that geometry cannot be computed");
        report.add("number-range", Severity::Error, path, offset, message);
    }
}

fn check_texture(name: &[u8], path: &[(&'static str, usize)], offset: usize, report: &mut Report<'_>) {
    // Textures in archives have no folders.
    let (most, games) = match (name.contains(&b'/'), name.len()) {
        (false, 16..) => (15, "Quake and Half-Life"),
        (true, 64..) => (63, "Quake 3"),
        (true, 32..) => (31, "Quake 2"),
        _ => return,
    };
    let message =
        format_args!("the texture name \"{}\" has {} bytes: {games} reads up to {most}", escape(name), name.len());
    report.add("texture-long", Severity::Note, path, offset, message);
}

fn check_mapping(face: Face<'_>, plane: &HalfSpace, path: &[(&'static str, usize)], report: &mut Report<'_>) {
    let offset = face.range().start;
    if let crate::Plane::Points(points) = face.plane()
        && points.iter().flatten().any(|part| part.abs() > MAX_COORDINATE)
    {
        let message = format_args!("a point beyond ±{MAX_COORDINATE}: the worlds of some games end there");
        report.add("coordinate-far", Severity::Note, path, offset, message);
    }
    let scale = match face.mapping() {
        Mapping::Standard { scale, .. } => scale,
        Mapping::Valve { u: [a, b, c, _], v: [d, e, f, _], scale, .. } => {
            let (u, v) = ([a, b, c], [d, e, f]);
            // Seen along the normal, the axes must span an area.
            let area = dot(cross(u, v), plane.normal).abs();
            if area <= dot(u, u).sqrt() * dot(v, v).sqrt() * 1e-6 {
                let message = "the texture axes are zero, parallel, or parallel to the normal: compilers replace them";
                report.add("texture-axes", Severity::Warning, path, offset, message);
            }
            scale
        }
        Mapping::Matrix(_) => return,
    };
    if scale.contains(&0.0) {
        report.add("scale-zero", Severity::Note, path, offset, "a texture scale of 0, which means 1");
    }
}
