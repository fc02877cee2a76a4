//! Polygons of a brush, from its planes.

use super::{Brush, BrushError, BrushSide, weld};
use crate::transform::{add, cross, dot, normalize, scale, sub};

/// The polygons of a brush.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BrushPolygons {
    /// The vertices.
    pub vertices: Vec<[f64; 3]>,
    /// The polygon of each side as indices into the vertices, counter-clockwise as seen from outside. Empty for a side that the
    /// others clip away.
    pub sides: Vec<Vec<u32>>,
}

impl BrushPolygons {
    /// Iterates over the sides that the others clip away.
    pub fn clipped_away(&self) -> impl Iterator<Item = usize> {
        self.sides.iter().enumerate().filter(|(_, ring)| ring.is_empty()).map(|(side, _)| side)
    }
}

impl Brush {
    /// Maximum number of sides for computing polygons, which takes quadratic time.
    pub const MAX_SIDES: usize = 1024;
    /// Vertices closer than this are welded, in units of length; in small brushes, those closer than a thousandth of the size.
    /// The planes of older editors have a noise of a tenth of it.
    pub const TOLERANCE: f64 = 0.01;

    /// Returns the polygons that the brush stores, or computes them from its planes.
    ///
    /// Planes are unchanged. If two sides have the same plane, the first one gets the polygon. Takes quadratic time in the
    /// number of sides.
    ///
    /// # Errors
    /// [`BrushError::TooManySides`]; [`BrushError::Unbounded`] and [`BrushError::Flat`] for planes that enclose no space. There
    /// is not an error for a brush with stored polygons.
    pub fn polygons(&self) -> Result<BrushPolygons, BrushError> {
        if self.sides.iter().any(|side| side.corners.len() >= 3) {
            let ring = |side: &BrushSide| if side.corners.len() < 3 { Vec::new() } else { side.corners.clone() };
            return Ok(BrushPolygons { vertices: self.vertices.clone(), sides: self.sides.iter().map(ring).collect() });
        }
        if self.sides.len() > Self::MAX_SIDES {
            return Err(BrushError::TooManySides(self.sides.len()));
        }
        Planes::new(self).polygons()
    }
}

/// A plane: outward unit normal and distance.
#[derive(Debug, Clone, Copy)]
struct Plane {
    normal: [f64; 3],
    distance: f64,
}

impl Plane {
    fn above(&self, point: [f64; 3]) -> f64 {
        dot(self.normal, point) - self.distance
    }
}

/// The planes of a brush relative to a point near it: far from the origin, distances lose the digits that matter.
struct Planes {
    centre: [f64; 3],
    /// `None` if the three points are on a line.
    planes: Vec<Option<Plane>>,
    /// Maximum distance of a point that counts as on a plane.
    near: f64,
    /// Half the side of the square from which a polygon is clipped.
    reach: f64,
}

/// A corner of a polygon during clipping, and the plane of the edge to the next corner. `None`: an edge of the square.
#[derive(Debug, Clone, Copy)]
struct Corner {
    point: [f64; 3],
    edge: Option<usize>,
}

impl Planes {
    fn new(brush: &Brush) -> Self {
        let centre = brush.sides.first().map_or([0.0; 3], |side| side.plane[0]);
        let mut size = f64::MIN_POSITIVE;
        let mut planes = Vec::with_capacity(brush.sides.len());
        for side in &brush.sides {
            let [a, b, c] = side.plane.map(|point| sub(point, centre));
            size = [a, b, c].iter().flatten().fold(size, |size, c| size.max(c.abs()));
            let normal = normalize(cross(sub(b, a), sub(c, a)));
            planes.push(normal.map(|normal| Plane { normal, distance: dot(normal, a) }));
        }
        Self { centre, planes, near: size * 1e-9, reach: size * 1e4 }
    }

    fn polygons(&self) -> Result<BrushPolygons, BrushError> {
        let mut rings = Vec::with_capacity(self.planes.len());
        for index in 0..self.planes.len() {
            let ring = self.polygon(index);
            if ring.iter().any(|corner| corner.edge.is_none()) {
                return Err(BrushError::Unbounded);
            }
            rings.push(self.sharpened(index, &ring));
        }
        let points: Vec<[f64; 3]> = rings.iter().flatten().copied().collect();
        let (map, mut vertices) = weld::weld(&points, Brush::TOLERANCE.min(super::size(&points) * 1e-3));
        vertices.iter_mut().for_each(|point| *point = add(*point, self.centre));
        let mut numbers = map.into_iter();
        let sides: Vec<Vec<u32>> = rings.iter().map(|ring| weld::ring(numbers.by_ref().take(ring.len()))).collect();
        if sides.iter().filter(|ring| !ring.is_empty()).count() < 4 {
            return Err(BrushError::Flat);
        }
        // Remove vertices of slivers that were welded away.
        let mut used = vec![false; vertices.len()];
        for flag in sides.iter().flatten() {
            used.get_mut(*flag as usize).into_iter().for_each(|flag| *flag = true);
        }
        Ok(without_unused(BrushPolygons { vertices, sides }, &used))
    }

    /// Computes the part of a plane behind all others, counter-clockwise.
    fn polygon(&self, index: usize) -> Vec<Corner> {
        let Some(own) = self.planes.get(index).copied().flatten() else { return Vec::new() };
        let away = if own.normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let Some(first) = normalize(cross(own.normal, away)) else { return Vec::new() };
        let second = cross(own.normal, first);
        let middle = scale(own.normal, own.distance);
        let corner = |[x, y]: [f64; 2]| {
            let point = add(middle, add(scale(first, x * self.reach), scale(second, y * self.reach)));
            Corner { point, edge: None }
        };
        let mut ring: Vec<Corner> =
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].into_iter().map(corner).collect();
        for (other, plane) in self.planes.iter().enumerate().filter(|(other, _)| *other != index) {
            let Some(plane) = plane else { continue };
            let same =
                dot(plane.normal, own.normal) > 1.0 - 1e-12 && (plane.distance - own.distance).abs() <= self.near;
            if !same {
                ring = self.clipped(&ring, other, plane);
            } else if other < index {
                return Vec::new();
            }
        }
        ring
    }

    /// Clips a ring: keeps the part behind a plane.
    fn clipped(&self, ring: &[Corner], index: usize, plane: &Plane) -> Vec<Corner> {
        let mut kept = Vec::with_capacity(ring.len() + 1);
        for (&from, &to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let (a, b) = (plane.above(from.point), plane.above(to.point));
            let crossing = || add(from.point, scale(sub(to.point, from.point), a / (a - b)));
            let [from_in, to_in] = [a <= self.near, b <= self.near];
            match (from_in, to_in) {
                (true, true) => kept.push(from),
                // The corner is on the plane already, so the ring leaves there.
                (true, false) if a >= -self.near => kept.push(Corner { edge: Some(index), ..from }),
                (true, false) => kept.extend([from, Corner { point: crossing(), edge: Some(index) }]),
                (false, true) if b < -self.near => kept.push(Corner { point: crossing(), edge: from.edge }),
                (false, _) => {}
            }
        }
        if kept.len() < 3 {
            kept.clear();
        }
        kept
    }

    /// Computes the points where three planes meet. Unlike points that are clipped one after another, they are exact for a box
    /// on whole numbers.
    fn sharpened(&self, index: usize, ring: &[Corner]) -> Vec<[f64; 3]> {
        let before = ring.iter().cycle().skip(ring.len().saturating_sub(1));
        let plane = |index: usize| self.planes.get(index).copied().flatten();
        let meeting = |corner: &Corner, before: &Corner| {
            let [a, b, c] = [plane(index)?, plane(before.edge?)?, plane(corner.edge?)?];
            let (bc, ca, ab) = (cross(b.normal, c.normal), cross(c.normal, a.normal), cross(a.normal, b.normal));
            let volume = dot(a.normal, bc);
            let sum = add(add(scale(bc, a.distance), scale(ca, b.distance)), scale(ab, c.distance));
            let point = sum.map(|c| c / volume);
            // The intersection of nearly parallel planes is unreliable.
            let off = sub(point, corner.point);
            let reach = self.near * 1e3;
            (volume.abs() > 1e-6 && dot(off, off) <= reach * reach).then_some(point)
        };
        ring.iter().zip(before).map(|(corner, before)| meeting(corner, before).unwrap_or(corner.point)).collect()
    }
}

fn without_unused(polygons: BrushPolygons, used: &[bool]) -> BrushPolygons {
    let mut numbers = Vec::with_capacity(used.len());
    let mut next = 0_u32;
    for &used in used {
        numbers.push(next);
        next += u32::from(used);
    }
    let vertices = polygons.vertices.into_iter().zip(used).filter(|(_, used)| **used).map(|(point, _)| point).collect();
    let mut sides = polygons.sides;
    for vertex in sides.iter_mut().flatten() {
        *vertex = numbers.get(*vertex as usize).copied().unwrap_or(*vertex);
    }
    BrushPolygons { vertices, sides }
}
