//! Planes on a grid.

use super::{HalfSpace, clip_polygons, cross, dot, sub};
use crate::Plane;

/// Returns three corners of a polygon, in its order, whose triangle is the largest. These define its plane best.
pub fn largest_triangle(polygon: &[[f64; 3]]) -> Option<[[f64; 3]; 3]> {
    let mut best = None;
    let mut most = 0.0;
    for (first, &a) in polygon.iter().enumerate() {
        for (second, &b) in polygon.iter().enumerate().skip(first.saturating_add(1)) {
            for &c in polygon.iter().skip(second.saturating_add(1)) {
                let normal = cross(sub(a, b), sub(c, b));
                let size = dot(normal, normal);
                if size > most {
                    (best, most) = (Some([a, b, c]), size);
                }
            }
        }
    }
    best
}

/// Most corners of a face that is snapped: the largest triangle takes cubic time.
const MAX_CORNERS: usize = 64;

/// Returns new points for the planes of a brush, on a grid with the given step, clockwise as seen from outside.
///
/// Rounded corners of a face need not be on one plane. So the brush is rebuilt from the new planes. Returns `None` if a corner of it is not
/// within half a step of an old one, if an old one is not within half a step of a new one, or if a face is lost. Faces that the others clip
/// away are not snapped, and lead to `None`, too.
pub fn snap_planes(planes: &[Plane], step: f64) -> Option<Vec<[[f64; 3]; 3]>> {
    if !(step > 0.0 && step.is_finite()) {
        return None;
    }
    let spaces: Vec<Option<HalfSpace>> = planes.iter().map(Plane::half_space).collect();
    let old = clip_polygons(&spaces).ok()?;
    let round = |part: f64| (part / step).round() * step + 0.0;
    let mut snapped = Vec::with_capacity(planes.len());
    for (plane, polygon) in planes.iter().zip(&old) {
        // Points that are on the grid already stay.
        let points = match plane {
            Plane::Points(points) if points.iter().flatten().all(|&part| round(part) == part) => *points,
            _ if polygon.len() > MAX_CORNERS => return None,
            _ => largest_triangle(&polygon.iter().map(|corner| corner.map(round)).collect::<Vec<_>>())?,
        };
        snapped.push(points);
    }
    let new: Vec<Option<HalfSpace>> = snapped.iter().map(|points| Plane::Points(*points).half_space()).collect();
    let new = clip_polygons(&new).ok()?;
    let is_near = |corner: &[f64; 3], polygon: &[[f64; 3]]| {
        let within = |(a, b): (&f64, &f64)| (a - b).abs() <= step / 2.0 + 1e-9;
        polygon.iter().any(|other| corner.iter().zip(other).all(within))
    };
    let is_same = |(old, new): (&Vec<[f64; 3]>, &Vec<[f64; 3]>)| {
        !new.is_empty()
            && old.iter().all(|corner| is_near(corner, new))
            && new.iter().all(|corner| is_near(corner, old))
    };
    old.iter().zip(&new).all(is_same).then_some(snapped)
}
