//! The shape of blocks: closed, convex, and not flat.

use hashbrown::{HashMap, HashSet};
use mapwright_io::format_count;

use super::{Report, block, face};
use crate::resolve::outward;
use crate::resolve::polygons::{HalfSpace, MAX_PLANES, intersect};
use crate::resolve::transform::{add, cross, dot, sub};
use crate::{BlockFlags, Document, PlaneFace, Shape};

/// The tolerance of vertices off the plane of a face, in quants.
const PLANAR: f64 = 0.01;

/// The tolerance of vertices in front of a face of a convex block, in quants.
const CONVEX: f64 = 0.05;

/// The largest product of faces and vertices for which blocks are checked for convexity. Real meshes reach three million.
const MAX_PAIRS: usize = 100_000_000;

pub(super) fn check(document: &Document, report: &mut Report) {
    for (place, part) in document.blocks.iter().enumerate() {
        let is_mesh = part.flags.has(BlockFlags::CONCAVE);
        match &part.shape {
            Shape::Mesh(mesh) => {
                let faces: Vec<&[u32]> = mesh.faces.iter().map(|face| face.corners.as_slice()).collect();
                body(place, &mesh.vertices, &faces, is_mesh, report);
            }
            Shape::Planes(planes) => half_spaces(place, planes, is_mesh, report),
        }
    }
}

/// Checks a block of A4.
fn half_spaces(place: usize, faces: &[PlaneFace], is_mesh: bool, report: &mut Report) {
    if faces.len() > MAX_PLANES {
        return;
    }
    if faces.iter().flat_map(|face| face.points.as_flattened()).any(|number| !number.is_finite()) {
        report.error("number-nan", block(place), "a point of the plane is not finite");
        return;
    }
    let planes: Vec<_> = faces.iter().map(|face| HalfSpace::new(face.points)).collect();
    for (at, _) in planes.iter().enumerate().filter(|(_, plane)| plane.is_none()) {
        report.warning("face-degenerate", face(place, at), "the three points are on one line");
    }
    let (vertices, polygons) = intersect(&planes);
    if vertices.is_empty() {
        report.warning("block-empty", block(place), "the planes enclose no body");
        return;
    }
    let unused =
        |at: &usize| polygons.get(*at).is_some_and(Vec::is_empty) && planes.get(*at).is_some_and(Option::is_some);
    for at in (0..polygons.len()).filter(unused) {
        report.note("plane-unused", face(place, at), "the plane is outside of the body: the face is not drawn");
    }
    let polygons: Vec<&[u32]> = polygons.iter().map(Vec::as_slice).filter(|polygon| !polygon.is_empty()).collect();
    // Planes that miss each other leave the square that they were cut from.
    let (volume, size) = (volume(&vertices, &polygons), size(&vertices));
    if size > 1e6 {
        report.warning("block-open", block(place), "the planes do not close a body");
    } else if volume <= flat(size) {
        report.warning("block-flat", block(place), "a block without volume");
    }
    if is_mesh {
        report.warning("block-convex", block(place), "a convex block that is marked as a mesh (flag 5)");
    }
}

/// Returns the largest extent.
fn size(vertices: &[[f64; 3]]) -> f64 {
    let first = vertices.first().copied().unwrap_or_default();
    let ways = vertices.iter().map(|vertex| sub(*vertex, first).map(f64::abs).into_iter().fold(0.0, f64::max));
    ways.fold(0.0, f64::max)
}

/// Returns the volume below which a block is flat.
fn flat(size: f64) -> f64 {
    // A thousandth of a quant thick.
    let large = size.max(1.0);
    (size * size * 1e-3).min(1e-3 * large * large * large).max(1e-9)
}

/// Returns the volume of polygons that are clockwise seen from outside. A tetrahedron is a sixth of a triple product.
fn volume(vertices: &[[f64; 3]], faces: &[&[u32]]) -> f64 {
    let middle = vertices.first().copied().unwrap_or_default();
    let mut volume = 0.0;
    for corners in faces {
        let mut points = corners.iter().filter_map(|corner| get(vertices, *corner)).map(|point| sub(point, middle));
        let (Some(first), Some(mut before)) = (points.next(), points.next()) else { continue };
        for point in points {
            volume -= dot(first, cross(before, point)) / 6.0;
            before = point;
        }
    }
    volume
}

fn get(vertices: &[[f64; 3]], corner: u32) -> Option<[f64; 3]> {
    vertices.get(usize::try_from(corner).ok()?).copied()
}

/// Returns the first vertex at each position. Vertices closer than a thousandth of a quant are equal.
fn places(vertices: &[[f64; 3]], size: f64) -> Vec<u32> {
    let grain = size * 1e-5 + 1e-3;
    let mut known: HashMap<[i64; 3], u32> = HashMap::with_capacity(vertices.len());
    let place = |(vertex, number): (&[f64; 3], u32)| {
        #[allow(clippy::cast_possible_truncation, reason = "saturates at the range")]
        let cell = vertex.map(|part| (part / grain).round() as i64);
        *known.entry(cell).or_insert(number)
    };
    vertices.iter().zip(0..).map(place).collect()
}

/// Checks a block of polygons.
fn body(place: usize, vertices: &[[f64; 3]], faces: &[&[u32]], is_mesh: bool, report: &mut Report) {
    if vertices.as_flattened().iter().any(|number| !number.is_finite()) {
        report.error("number-nan", block(place), "a vertex is not finite");
        return;
    }
    let size = size(vertices);
    let welded = places(vertices, size);
    let doubles = welded.iter().zip(0_u32..).filter(|(first, own)| *first != own).count();
    if doubles > 0 {
        let message = format_args!("{} at the position of another", format_count(doubles, "vertex"));
        report.note("vertex-duplicate", block(place), message);
    }
    let mut normals = Vec::with_capacity(faces.len());
    let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
    let mut known: HashSet<Vec<u32>> = HashSet::new();
    let mut whole = true;
    for (at, corners) in faces.iter().enumerate() {
        let spot = face(place, at);
        let own: Option<Vec<u32>> =
            corners.iter().map(|corner| welded.get(usize::try_from(*corner).ok()?).copied()).collect();
        let Some(own) = own else {
            let most = corners.iter().max().copied().unwrap_or_default();
            let message = format_args!("vertex index {most} out of range ({} vertices)", vertices.len());
            report.error("vertex-range", spot, message);
            whole = false;
            continue;
        };
        let mut set = own.clone();
        set.sort_unstable();
        set.dedup();
        if set.len() < 3 {
            report.warning(
                "face-vertices",
                spot,
                format_args!("a face has only {}", format_count(set.len(), "distinct vertex")),
            );
            continue;
        }
        let points: Vec<[f64; 3]> = corners.iter().filter_map(|corner| get(vertices, *corner)).collect();
        let normal = outward(&points);
        if normal == [0.0; 3] || area(&points) < 1e-9 * size * size {
            report.warning("face-degenerate", spot, "a face without area");
        } else {
            // Relative to a vertex: far from the origin, distances would be inexact.
            let first = points.first().copied().unwrap_or_default();
            let count = f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX));
            let over = |point: [f64; 3]| dot(normal, sub(point, first));
            let distance = points.iter().map(|point| over(*point)).sum::<f64>() / count;
            let off = points.iter().map(|point| (over(*point) - distance).abs()).fold(0.0, f64::max);
            if off > PLANAR + 1e-5 * size {
                report.warning(
                    "face-not-planar",
                    spot,
                    format_args!("vertices are up to {off:.3} quants off the plane"),
                );
            }
            normals.push((normal, first, distance));
        }
        if !known.insert(set) {
            report.warning("face-duplicate", spot, "a face has the same vertices as an earlier one");
        }
        for (from, to) in own.iter().zip(own.iter().cycle().skip(1)).filter(|(from, to)| from != to) {
            let count = edges.entry((*from, *to)).or_default();
            *count = count.saturating_add(1);
        }
    }
    if !whole {
        return;
    }
    let open = edges.iter().filter(|&(&(from, to), &count)| count != 1 || edges.get(&(to, from)) != Some(&1)).count();
    if open > 0 || faces.is_empty() {
        let message = format_args!("the block is not closed: {} without exactly two faces", format_count(open, "edge"));
        if is_mesh {
            report.note("mesh-open", block(place), message);
        } else {
            report.warning("block-open", block(place), message);
        }
    }
    let volume = volume(vertices, faces);
    if volume.abs() <= flat(size) {
        report.warning("block-flat", block(place), "a block without volume");
        return;
    }
    if open == 0 && volume < 0.0 {
        report.warning("block-inside-out", block(place), "faces look inward: the volume is negative");
    }
    let corners: HashSet<u32> = edges.keys().map(|(from, _)| *from).collect();
    let corners: Vec<[f64; 3]> = corners.into_iter().filter_map(|corner| get(vertices, corner)).collect();
    if normals.len().saturating_mul(corners.len()) > MAX_PAIRS {
        return;
    }
    let convex = normals.iter().all(|(normal, first, distance)| {
        let (mut over, mut under) = (false, false);
        for corner in &corners {
            let way = dot(*normal, sub(*corner, *first)) - distance;
            (over, under) = (over || way > CONVEX, under || way < -CONVEX);
        }
        !(over && under)
    });
    match (convex, is_mesh) {
        (false, false) => {
            let message = "the block is not convex and is not marked as a mesh (flag 5)";
            report.warning("block-concave", block(place), message);
        }
        (true, true) if open == 0 => {
            report.warning("block-convex", block(place), "a convex block that is marked as a mesh (flag 5)");
        }
        _ => {}
    }
}

/// Returns the area of a polygon.
fn area(points: &[[f64; 3]]) -> f64 {
    let Some(&first) = points.first() else { return 0.0 };
    let mut sum = [0.0; 3];
    for pair in points.windows(2) {
        if let &[a, b] = pair {
            sum = add(sum, cross(sub(a, first), sub(b, first)));
        }
    }
    dot(sum, sum).sqrt() / 2.0
}
