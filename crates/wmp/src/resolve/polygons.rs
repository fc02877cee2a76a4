//! Intersection of half-spaces: the blocks of A4.

use super::transform::{add, cross, dot, sub};

/// Points closer than this on every axis are equal, in quants. The points of planes carry noise of about a tenth of it.
const MERGE: f64 = 0.01;

/// The most planes of a block. Each cuts each, so time grows with their square. Real blocks have up to a few dozen.
pub(crate) const MAX_PLANES: usize = 1024;

/// A half-space: everything on the inner side of a plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HalfSpace {
    /// The outward unit normal.
    pub(crate) normal: [f64; 3],
    /// The distance of the plane along the normal.
    pub(crate) distance: f64,
}

impl HalfSpace {
    /// Creates a half-space from three points, clockwise seen from outside. Returns `None` if they are on one line.
    pub(crate) fn new([a, b, c]: [[f64; 3]; 3]) -> Option<Self> {
        let inward = cross(sub(b, a), sub(c, a));
        let length = dot(inward, inward).sqrt();
        if !(length.is_finite() && length > 0.0) {
            return None;
        }
        let normal = inward.map(|part| -part / length);
        let distance = dot(normal, a);
        distance.is_finite().then_some(Self { normal, distance })
    }

    fn height_above(&self, point: [f64; 3]) -> f64 {
        dot(self.normal, point) - self.distance
    }

    /// Returns `true` if both have the same plane.
    fn is(&self, other: &Self) -> bool {
        (dot(self.normal, other.normal) - 1.0).abs() < 1e-9 && (self.distance - other.distance).abs() < MERGE
    }

    /// Returns a square on the plane, clockwise seen from outside.
    fn square(&self, half: f64) -> Vec<[f64; 3]> {
        let [x, y, z] = self.normal.map(f64::abs);
        let up = if z >= x.max(y) { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
        let side = cross(up, self.normal);
        let length = dot(side, side).sqrt();
        let side = side.map(|part| part / length * half);
        let up = cross(self.normal, side);
        let middle = self.normal.map(|part| part * self.distance);
        [add(side, up), sub(side, up), sub([0.0; 3], add(side, up)), sub(up, side)].map(|way| add(middle, way)).to_vec()
    }
}

/// Intersects half-spaces. Returns the vertices, and a polygon for each plane, clockwise seen from outside. The polygon is empty
/// if the plane is outside of the body, or equal to an earlier one.
pub(crate) fn intersect(planes: &[Option<HalfSpace>]) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let far = planes.iter().flatten().map(|plane| plane.distance.abs()).fold(250_000.0, f64::max) * 4.0;
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    let polygons = planes.iter().enumerate().map(|(at, plane)| {
        let Some(plane) = plane else { return Vec::new() };
        let mut polygon = plane.square(far);
        let mut cut = Vec::new();
        for (other_at, other) in planes.iter().enumerate() {
            let Some(other) = other.as_ref().filter(|_| other_at != at) else { continue };
            if plane.is(other) {
                if other_at < at {
                    return Vec::new();
                }
                continue;
            }
            clip(&polygon, other, &mut cut);
            std::mem::swap(&mut polygon, &mut cut);
            if polygon.len() < 3 {
                return Vec::new();
            }
        }
        weld(&polygon, &mut vertices)
    });
    let polygons = polygons.collect();
    (vertices, polygons)
}

/// Cuts a polygon at a plane and keeps the inner side.
fn clip(polygon: &[[f64; 3]], plane: &HalfSpace, kept: &mut Vec<[f64; 3]>) {
    kept.clear();
    let Some(mut before) = polygon.last().map(|point| (*point, plane.height_above(*point))) else { return };
    for point in polygon {
        let over = plane.height_above(*point);
        let (last, last_over) = before;
        if (last_over < 0.0 && over > 0.0) || (last_over > 0.0 && over < 0.0) {
            let share = last_over / (last_over - over);
            kept.push(add(last, sub(*point, last).map(|part| part * share)));
        }
        if over <= 0.0 {
            kept.push(*point);
        }
        before = (*point, over);
    }
}

/// Returns the indices of points among the vertices, and adds new ones.
fn weld(polygon: &[[f64; 3]], vertices: &mut Vec<[f64; 3]>) -> Vec<u32> {
    let mut corners: Vec<u32> = Vec::with_capacity(polygon.len());
    for point in polygon {
        let near = |vertex: &[f64; 3]| sub(*vertex, *point).iter().all(|way| way.abs() <= MERGE);
        let place = vertices.iter().position(near).unwrap_or_else(|| {
            vertices.push(*point);
            vertices.len().saturating_sub(1)
        });
        let corner = u32::try_from(place).unwrap_or(u32::MAX);
        if corners.last() != Some(&corner) {
            corners.push(corner);
        }
    }
    while corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    if corners.len() < 3 { Vec::new() } else { corners }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the half-space at a distance along a direction.
    fn plane(normal: [f64; 3], distance: f64) -> Option<HalfSpace> {
        let length = dot(normal, normal).sqrt();
        Some(HalfSpace { normal: normal.map(|part| part / length), distance })
    }

    fn cube() -> Vec<Option<HalfSpace>> {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        axes.iter().flat_map(|axis| [plane(*axis, 8.0), plane(axis.map(|part| -part), 8.0)]).collect()
    }

    /// Six times the volume. Negative, because faces are clockwise.
    fn volume(vertices: &[[f64; 3]], polygons: &[Vec<u32>]) -> f64 {
        let point = |corner: u32| vertices[corner as usize];
        polygons
            .iter()
            .flat_map(|polygon| polygon.windows(2).skip(1).map(|pair| (polygon[0], pair[0], pair[1])))
            .map(|(a, b, c)| dot(point(a), cross(point(b), point(c))))
            .sum()
    }

    #[test]
    fn three_clockwise_points_define_a_plane() {
        let plane = HalfSpace::new([[0.0, 0.0, 5.0], [0.0, 1.0, 5.0], [1.0, 0.0, 5.0]]).unwrap();
        assert_eq!((plane.normal.map(|part| part + 0.0), plane.distance), ([0.0, 0.0, 1.0], 5.0));
        assert!(HalfSpace::new([[1.0; 3], [2.0; 3], [3.0; 3]]).is_none(), "on one line");
        assert!(HalfSpace::new([[f64::NAN; 3]; 3]).is_none());
        assert!(HalfSpace::new([[f64::MAX, 0.0, 0.0], [0.0, f64::MAX, 0.0], [0.0; 3]]).is_none(), "out of range");
    }

    #[test]
    fn six_planes_are_a_cube() {
        let (vertices, polygons) = intersect(&cube());
        assert_eq!((vertices.len(), polygons.iter().map(Vec::len).collect::<Vec<_>>()), (8, vec![4; 6]));
        assert!((volume(&vertices, &polygons) + 6.0 * 4096.0).abs() < 1e-6);
    }

    #[test]
    fn planes_outside_of_the_body_have_no_polygon() {
        let mut planes = cube();
        planes.extend([plane([1.0, 0.0, 0.0], 9.0), plane([1.0, 0.0, 0.0], 8.001), None]);
        planes.push(plane([1.0, 1.0, 1.0], 8.0));
        let (vertices, polygons) = intersect(&planes);
        assert_eq!(polygons.iter().map(Vec::len).collect::<Vec<_>>(), [5, 4, 5, 4, 5, 4, 0, 0, 0, 3]);
        assert_eq!(vertices.len(), 10);
    }

    #[test]
    fn empty_intersections_have_no_polygons() {
        let planes = [plane([1.0, 0.0, 0.0], -1.0), plane([-1.0, 0.0, 0.0], -1.0), plane([0.0, 1.0, 0.0], 0.0)];
        assert_eq!(intersect(&planes), (Vec::new(), vec![Vec::new(); 3]));
    }

    #[test]
    fn vertices_split_by_noise_are_merged() {
        let mut planes = cube();
        // Eight planes meet near (8, 8, 8).
        planes.push(plane([1.0, 1.0, 1.0], 24.0 / 3f64.sqrt() - 0.001));
        let (vertices, polygons) = intersect(&planes);
        assert_eq!(vertices.len(), 8);
        assert_eq!(polygons.last(), Some(&Vec::new()));
        let mut corners: Vec<u32> = polygons.concat();
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners.len(), 8, "every vertex is a corner");
    }
}
