//! Polygons of solids, points of displacements and texture coordinates, in the coordinates of the file: units, z up.
//!
//! ```
//! use mapwright_vmf::Document;
//!
//! let sides: String = [
//!     "(0 64 32) (64 64 32) (64 0 32)", "(0 0 0) (64 0 0) (64 64 0)",
//!     "(0 64 32) (0 0 32) (0 0 0)", "(64 64 0) (64 0 0) (64 0 32)",
//!     "(64 64 32) (0 64 32) (0 64 0)", "(64 0 0) (0 0 0) (0 0 32)",
//! ].iter().map(|points| format!("side {{ plane \"{points}\" uaxis \"[1 0 0 8] 0.25\" }} ")).collect();
//! let map = Document::from_bytes(format!("world {{ solid {{ {sides} }} }}").as_bytes())?;
//!
//! let solid = map.solids().next().ok_or("no solid")?;
//! let top = solid.sides().next().ok_or("no side")?;
//! let polygons = solid.polygons()?;
//! assert_eq!(polygons[0].len(), 4);
//! assert!(polygons[0].contains(&[64.0, 0.0, 32.0]));
//! assert_eq!(top.u_axis().ok_or("no axis")?.texel([64.0, 0.0, 32.0]), 264.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod grid;
mod vector;

pub use grid::{DisplacementGrid, DisplacementProblem};

pub(crate) use vector::{add, cross, dot, length, scale, sub};

use crate::{Side, Solid, TextureAxis};

/// Solids with more sides are not clipped: that takes quadratic time.
pub const MAX_SIDES: usize = 256;

/// Half of the side of the square from which polygons are clipped.
const REACH: f64 = 131_072.0;
/// Points nearer to a plane are on it.
const ON_PLANE: f64 = 0.01;
/// Neighbours in a polygon that are nearer to each other are one corner.
const SAME_CORNER: f64 = 1e-4;
/// Corners of different polygons that are nearer to each other along each axis are one vertex.
const SAME_VERTEX: f64 = 0.06;

/// The space behind a side: points p with normal · p ≤ distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    /// The unit normal, outwards.
    pub normal: [f64; 3],
    /// The distance of the plane from the origin along the normal.
    pub distance: f64,
}

impl HalfSpace {
    /// Returns the space behind three points that are clockwise as seen from outside. Returns `None` if they are in a line, or too far
    /// away.
    pub fn from_points([a, b, c]: [[f64; 3]; 3]) -> Option<Self> {
        let normal = cross(sub(a, b), sub(c, b));
        let length = length(normal);
        if !length.is_finite() || length < 1e-9 {
            return None;
        }
        let normal = scale(normal, 1.0 / length);
        let distance = dot(normal, b);
        distance.is_finite().then_some(Self { normal, distance })
    }

    /// Returns the distance of a point in front of the plane. It is negative behind it.
    pub fn distance_to(&self, point: [f64; 3]) -> f64 {
        dot(self.normal, point) - self.distance
    }

    fn is_same_plane(&self, other: &Self) -> bool {
        dot(self.normal, other.normal) > 1.0 - 1e-9 && (self.distance - other.distance).abs() < 1e-6
    }
}

/// The reason why the sides of a solid do not bound a body. Hammer removes such solids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SolidProblem {
    /// More sides than [`MAX_SIDES`].
    #[error("the solid has {0} sides: at most {MAX_SIDES} are supported")]
    TooManySides(usize),
    /// A side without a plane: its points are missing, malformed or in a line.
    #[error("side {0} of the solid has no plane")]
    NoPlane(usize),
    /// Two sides with the same plane.
    #[error("sides {0} and {1} of the solid have the same plane")]
    SamePlane(usize, usize),
    /// Fewer than four sides have an area.
    #[error("only {0} sides of the solid have an area: a body has at least 4")]
    FewFaces(usize),
    /// The sides do not enclose a body: edges belong to one side only.
    #[error("the sides of the solid do not enclose a body")]
    Open,
}

impl Side<'_> {
    /// Returns the space behind the side. Returns `None` if the plane is missing, malformed or degenerate.
    pub fn half_space(self) -> Option<HalfSpace> {
        HalfSpace::from_points(self.plane()?)
    }

    /// Returns the texture coordinates of a point in texels. Returns `None` if the side has no texture axes.
    pub fn texels(self, point: [f64; 3]) -> Option<[f64; 2]> {
        Some([self.u_axis()?.texel(point), self.v_axis()?.texel(point)])
    }
}

impl TextureAxis {
    /// Returns the texture coordinate of a point in texels. A scale of 0 counts as 1.
    pub fn texel(&self, point: [f64; 3]) -> f64 {
        let scale = if self.scale == 0.0 { 1.0 } else { self.scale };
        dot(point, self.direction) / scale + self.shift
    }
}

impl Solid<'_> {
    /// Returns the spaces behind the sides.
    ///
    /// # Errors
    /// If there are too many sides, or if a side has no plane, or that of another side.
    pub fn half_spaces(self) -> Result<Vec<HalfSpace>, SolidProblem> {
        let count = self.sides().count();
        if count > MAX_SIDES {
            return Err(SolidProblem::TooManySides(count));
        }
        let mut spaces: Vec<HalfSpace> = Vec::with_capacity(count);
        for (index, side) in self.sides().enumerate() {
            let space = side.half_space().ok_or(SolidProblem::NoPlane(index))?;
            if let Some(other) = spaces.iter().position(|other| space.is_same_plane(other)) {
                return Err(SolidProblem::SamePlane(other, index));
            }
            spaces.push(space);
        }
        Ok(spaces)
    }

    /// Returns the polygon of each side, clockwise as seen from outside. Sides without an area have no corners.
    ///
    /// # Errors
    /// If the sides do not bound a body.
    pub fn polygons(self) -> Result<Vec<Vec<[f64; 3]>>, SolidProblem> {
        let spaces = self.half_spaces()?;
        let polygons: Vec<Vec<[f64; 3]>> = (0..spaces.len()).map(|index| clip_side(&spaces, index)).collect();
        let faces = polygons.iter().filter(|polygon| !polygon.is_empty()).count();
        if faces < 4 {
            return Err(SolidProblem::FewFaces(faces));
        }
        if is_closed(&polygons) { Ok(polygons) } else { Err(SolidProblem::Open) }
    }
}

/// Clips a large square on the plane of a side by all other planes.
fn clip_side(spaces: &[HalfSpace], index: usize) -> Vec<[f64; 3]> {
    let Some(own) = spaces.get(index) else { return Vec::new() };
    let mut polygon = square(own).to_vec();
    for (_, other) in spaces.iter().enumerate().filter(|(other, _)| *other != index) {
        polygon = clip_behind(&polygon, other);
        if polygon.is_empty() {
            break;
        }
    }
    merge_corners(polygon)
}

/// Returns a square around the point of a plane that is nearest to the origin, clockwise as seen from the front.
fn square(space: &HalfSpace) -> [[f64; 3]; 4] {
    let [x, y, z] = space.normal.map(f64::abs);
    let up = if z >= x && z >= y { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let up = sub(up, scale(space.normal, dot(up, space.normal)));
    let up = scale(up, 1.0 / length(up));
    let right = scale(cross(up, space.normal), REACH);
    let up = scale(up, REACH);
    let centre = scale(space.normal, space.distance);
    let (left, right) = (sub(centre, right), add(centre, right));
    [add(left, up), add(right, up), sub(right, up), sub(left, up)]
}

/// Returns the part of a polygon behind a plane.
fn clip_behind(polygon: &[[f64; 3]], space: &HalfSpace) -> Vec<[f64; 3]> {
    let mut kept = Vec::with_capacity(polygon.len().saturating_add(1));
    for (&from, &to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let (before, after) = (space.distance_to(from), space.distance_to(to));
        if before <= ON_PLANE {
            kept.push(from);
        }
        if (before > ON_PLANE && after < -ON_PLANE) || (before < -ON_PLANE && after > ON_PLANE) {
            kept.push(add(from, scale(sub(to, from), before / (before - after))));
        }
    }
    kept
}

/// Merges corners that are next to each other and nearly equal. Returns nothing if fewer than three are left.
fn merge_corners(polygon: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    let is_same = |a: [f64; 3], b: [f64; 3]| length(sub(a, b)) <= SAME_CORNER;
    let mut merged: Vec<[f64; 3]> = Vec::with_capacity(polygon.len());
    for corner in polygon {
        if !merged.last().is_some_and(|&last| is_same(corner, last)) {
            merged.push(corner);
        }
    }
    if let [first, .., last] = merged[..]
        && is_same(first, last)
    {
        merged.pop();
    }
    if merged.len() < 3 { Vec::new() } else { merged }
}

/// Returns `true` if each edge of a polygon is that of another one in the other direction.
fn is_closed(polygons: &[Vec<[f64; 3]>]) -> bool {
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    let mut vertex = |corner: [f64; 3]| {
        let is_same = |other: &[f64; 3]| sub(*other, corner).iter().all(|part| part.abs() < SAME_VERTEX);
        vertices.iter().position(is_same).unwrap_or_else(|| {
            vertices.push(corner);
            vertices.len().saturating_sub(1)
        })
    };
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for polygon in polygons {
        let corners: Vec<usize> = polygon.iter().map(|&corner| vertex(corner)).collect();
        let next = corners.iter().cycle().skip(1);
        edges.extend(corners.iter().zip(next).filter(|(from, to)| from != to).map(|(&from, &to)| (from, to)));
    }
    let mut reversed: Vec<(usize, usize)> = edges.iter().map(|&(from, to)| (to, from)).collect();
    edges.sort_unstable();
    reversed.sort_unstable();
    edges == reversed
}
