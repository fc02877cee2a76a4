//! Planes, texture axes and polygons of brushes, in the coordinates of the file: x east, y north, z up.

mod patch;
mod snap;

pub use patch::PatchGrid;
#[cfg(feature = "scene")]
pub(crate) use patch::tessellate;
pub use snap::{largest_triangle, snap_planes};

use mapwright_io::math::{atan2, hypot, sin_cos};

use crate::{Face, Mapping, Plane};

/// Brushes with more faces are not clipped: that takes time in proportion to the cube of the number of faces in the worst case.
pub const MAX_BRUSH_FACES: usize = 1024;

/// Half of the side of the square from which polygons are clipped. Corners of brushes are within half of it.
const REACH: f64 = 262_144.0;
/// Points nearer to a plane are on it.
const NEAR: f64 = 1e-5;
/// Corners nearer to each other are one.
const MERGED: f64 = 1e-4;

/// The space behind a face: points p with normal · p ≤ distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    /// The unit normal, outwards.
    pub normal: [f64; 3],
    /// The distance of the plane from the origin along the normal.
    pub distance: f64,
}

impl HalfSpace {
    /// Returns the distance of a point in front of the plane. It is negative behind it.
    pub fn distance_to(&self, point: [f64; 3]) -> f64 {
        dot(self.normal, point) - self.distance
    }

    /// Returns `true` for the same plane: normals within 1e-6 and distances within 0.01. Compilers keep the first of such planes.
    pub fn is_duplicate_of(&self, other: &Self) -> bool {
        let is_near = |(a, b): (f64, f64)| (a - b).abs() < 1e-6;
        self.normal.into_iter().zip(other.normal).all(is_near) && (self.distance - other.distance).abs() < 0.01
    }
}

impl Plane {
    /// Returns the space behind the plane. Returns `None` for a degenerate one: points in a line, no normal, or numbers that are too large.
    pub fn half_space(&self) -> Option<HalfSpace> {
        let (normal, point, edge) = match *self {
            Self::Points([a, b, c]) => {
                let (first, second) = (sub(a, b), sub(c, b));
                let longest = [first, second, sub(a, c)].map(|edge| dot(edge, edge)).into_iter().fold(0.0, f64::max);
                (cross(first, second), b, longest)
            }
            Self::Equation([a, b, c, _]) => ([a, b, c], [0.0; 3], 0.0),
        };
        let length = dot(normal, normal).sqrt();
        if !length.is_finite() || length <= edge * 1e-9 {
            return None;
        }
        let unit = normal.map(|part| part / length);
        let distance = match *self {
            Self::Points(_) => dot(unit, point),
            Self::Equation([.., d]) => -d / length,
        };
        distance.is_finite().then_some(HalfSpace { normal: unit, distance })
    }
}

/// The reason why faces are not the sides of a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum BrushProblem {
    /// More than [`MAX_BRUSH_FACES`].
    #[error("the brush has {0} faces: at most {MAX_BRUSH_FACES} are supported")]
    TooManyFaces(usize),
    /// The faces do not enclose a bounded space.
    #[error("the faces do not enclose a bounded space")]
    Open,
    /// The faces enclose no space.
    #[error("the faces enclose no space")]
    Empty,
}

/// Returns the polygon of each face of a brush, clockwise as seen from outside. Faces without a plane, faces with the plane of an earlier
/// one, and faces that the others clip away have no corners.
///
/// # Errors
/// If the faces are not the sides of a solid.
pub fn clip_polygons(planes: &[Option<HalfSpace>]) -> Result<Vec<Vec<[f64; 3]>>, BrushProblem> {
    if planes.len() > MAX_BRUSH_FACES {
        return Err(BrushProblem::TooManyFaces(planes.len()));
    }
    let mut polygons = Vec::with_capacity(planes.len());
    let mut volume = 0.0;
    for (index, plane) in planes.iter().enumerate() {
        let polygon = plane.map_or_else(Vec::new, |plane| clip_polygon(&plane, index, planes));
        if polygon.iter().flatten().any(|part| part.abs() > REACH / 2.0) {
            return Err(BrushProblem::Open);
        }
        volume += plane.map_or(0.0, |plane| plane.distance * area(&polygon, plane.normal));
        polygons.push(polygon);
    }
    if polygons.iter().filter(|polygon| !polygon.is_empty()).count() < 4 || volume / 3.0 < 1e-6 {
        return Err(BrushProblem::Empty);
    }
    Ok(polygons)
}

/// Clips a large square on a plane by all other planes.
fn clip_polygon(own: &HalfSpace, index: usize, planes: &[Option<HalfSpace>]) -> Vec<[f64; 3]> {
    let away = if own.normal[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let up = sub(away, scale(own.normal, dot(away, own.normal)));
    let length = dot(up, up).sqrt();
    let up = up.map(|part| part / length);
    let right = cross(up, own.normal);
    let corner = |(across, along): (f64, f64)| {
        let on_plane = scale(own.normal, own.distance);
        add(on_plane, add(scale(right, across * REACH), scale(up, along * REACH)))
    };
    let mut polygon = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)].map(corner).to_vec();
    for (other, plane) in planes.iter().enumerate() {
        let Some(plane) = plane.filter(|_| other != index) else { continue };
        if own.is_duplicate_of(&plane) {
            // The first of several equal planes has the polygon.
            if other < index {
                return Vec::new();
            }
            continue;
        }
        polygon = clip_behind(&polygon, &plane);
        if polygon.len() < 3 {
            return Vec::new();
        }
    }
    merge_corners(polygon)
}

/// Returns the part of a polygon behind a plane.
fn clip_behind(polygon: &[[f64; 3]], plane: &HalfSpace) -> Vec<[f64; 3]> {
    let mut kept = Vec::with_capacity(polygon.len().saturating_add(1));
    for (&from, &to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let (before, after) = (plane.distance_to(from), plane.distance_to(to));
        if before <= NEAR {
            kept.push(from);
        }
        if (before > NEAR && after < -NEAR) || (before < -NEAR && after > NEAR) {
            kept.push(add(from, scale(sub(to, from), before / (before - after))));
        }
    }
    kept
}

/// Merges corners that are next to each other and nearly equal. Returns nothing if fewer than three are left.
fn merge_corners(polygon: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    let is_near = |a: [f64; 3], b: [f64; 3]| dot(sub(a, b), sub(a, b)) < MERGED * MERGED;
    let mut merged: Vec<[f64; 3]> = Vec::with_capacity(polygon.len());
    for corner in polygon {
        if !merged.last().is_some_and(|&last| is_near(last, corner)) {
            merged.push(corner);
        }
    }
    while let [first, .., last] = merged[..] {
        if !is_near(first, last) {
            break;
        }
        merged.pop();
    }
    if merged.len() < 3 { Vec::new() } else { merged }
}

/// Returns the area of a polygon, which is clockwise as seen from the side of the normal.
fn area(polygon: &[[f64; 3]], normal: [f64; 3]) -> f64 {
    let Some(&first) = polygon.first() else { return 0.0 };
    let edges = polygon.iter().zip(polygon.iter().skip(1));
    edges.map(|(&a, &b)| dot(cross(sub(b, first), sub(a, first)), normal) / 2.0).sum()
}

/// The axes of a texture: u = U · (p, 1) and v = V · (p, 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TextureAxes {
    /// In texels. The size of the texture gives repeats.
    Texels([[f64; 4]; 2]),
    /// In repeats of the texture. Brush primitives store them.
    Repeats([[f64; 4]; 2]),
}

/// The base axes of a standard texture: a normal, and the axes of faces that it is nearest to. The first of equal ones counts.
const BASE_AXES: [[[f64; 3]; 3]; 6] = [
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
    [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
];

/// Returns the base axes of a standard texture on a face with a normal.
pub fn base_axes(normal: [f64; 3]) -> [[f64; 3]; 2] {
    let [mut nearest, ..] = BASE_AXES;
    let mut best = 0.0;
    for row in BASE_AXES {
        let product = dot(normal, row[0]);
        if product > best {
            (best, nearest) = (product, row);
        }
    }
    let [_, u, v] = nearest;
    [u, v]
}

/// Returns the two directions in a plane that the matrix of a brush primitive refers to.
pub(crate) fn matrix_axes(normal: [f64; 3]) -> [[f64; 3]; 2] {
    let [x, y, z] = normal.map(|part| if part.abs() < 1e-6 { 0.0 } else { part });
    let (pitch, yaw) = (-atan2(z, hypot(x, y)), atan2(y, x));
    let ((sin_pitch, cos_pitch), (sin, cos)) = (sin_cos(pitch), sin_cos(yaw));
    [[-sin, cos, 0.0], [-sin_pitch * cos, -sin_pitch * sin, -cos_pitch]]
}

impl Mapping {
    /// Returns the axes of the texture on a face with this unit normal.
    pub fn axes(&self, normal: [f64; 3]) -> TextureAxes {
        // A scale of 0 means 1.
        let per_unit = |axis: [f64; 3], scale: f64| axis.map(|part| part / if scale == 0.0 { 1.0 } else { scale });
        let with = |[x, y, z]: [f64; 3], constant: f64| [x, y, z, constant];
        match *self {
            Self::Standard { shift: [s, t], rotation, scale: [x, y] } => {
                let (sin, cos) = sin_cos(rotation.to_radians());
                let base = base_axes(normal);
                // The components that the two base axes use: all others are 0, and stay 0.
                let [across, along] = base.map(|axis| axis.map(f64::abs));
                let turn = |axis: [f64; 3]| {
                    let (p, q) = (dot(axis, across), dot(axis, along));
                    add(scale(across, cos * p - sin * q), scale(along, sin * p + cos * q))
                };
                let [u, v] = base.map(turn);
                TextureAxes::Texels([with(per_unit(u, x), s), with(per_unit(v, y), t)])
            }
            Self::Valve { u: [a, b, c, s], v: [d, e, f, t], scale: [x, y], .. } => {
                TextureAxes::Texels([with(per_unit([a, b, c], x), s), with(per_unit([d, e, f], y), t)])
            }
            Self::Matrix(rows) => {
                let [across, along] = matrix_axes(normal);
                TextureAxes::Repeats(rows.map(|[a, b, c]| with(add(scale(across, a), scale(along, b)), c)))
            }
        }
    }
}

impl Face<'_> {
    /// Returns the space behind the face. Returns `None` for a degenerate one.
    pub fn half_space(self) -> Option<HalfSpace> {
        self.plane().half_space()
    }

    /// Returns the axes of the texture. Returns `None` for a degenerate face.
    pub fn texture_axes(self) -> Option<TextureAxes> {
        Some(self.mapping().axes(self.half_space()?.normal))
    }
}

pub(crate) fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

pub(crate) fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

pub(crate) fn sub([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a - x, b - y, c - z]
}

fn add([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a + x, b + y, c + z]
}

fn scale(vector: [f64; 3], factor: f64) -> [f64; 3] {
    vector.map(|part| part * factor)
}
