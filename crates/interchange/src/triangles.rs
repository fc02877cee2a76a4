//! Triangulation of polygons.

use std::borrow::Cow;

use mapwright_io::format_count;

use earcut::Earcut;
use mapwright_scene::{
    Losses, Mesh, Scene,
    transform::{add, cross, dot, normalize, sub},
};

/// Splits all polygons of all meshes, including concave ones, into triangles. Freezes mirrors of such meshes. Reports polygons
/// that became fans because of their number of vertices.
pub fn triangulate(scene: &mut Scene) -> Losses {
    let mut losses = Losses::new();
    for (id, mesh) in scene.meshes.iter_mut() {
        let mut triangulator = Triangulator::new();
        let split = mesh.triangulated(|points, triangles| triangles.extend_from_slice(triangulator.split(points)));
        if let Cow::Owned(split) = split {
            *mesh = split;
        }
        triangulator.report(&format!("meshes[{}]", id.index()), &mut losses);
    }
    losses
}

/// Returns the triangles of all faces of a mesh in order, each as three indices into columns of corners. Polygons are split as by
/// [`triangulate`]. A face with fewer than three corners or with a missing vertex has none. The mirror is ignored.
///
/// ```
/// use mapwright_scene::{Faces, Mesh};
///
/// let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let quad = Mesh { positions, faces: Faces::from_iter([[3, 0, 1, 2]]), ..Mesh::default() };
/// let triangles = mapwright_interchange::triangle_corners(&quad);
/// assert_eq!(triangles, [[0, 1, 2], [0, 2, 3]]);
/// ```
pub fn triangle_corners(mesh: &Mesh) -> Vec<[u32; 3]> {
    let mut triangulator = Triangulator::new();
    let mut all = Vec::with_capacity(mesh.faces.corner_count().saturating_sub(mesh.faces.len().saturating_mul(2)));
    let (mut points, mut first) = (Vec::new(), 0_u32);
    for ring in mesh.faces.iter() {
        let count = u32::try_from(ring.len()).unwrap_or(u32::MAX);
        points.clear();
        points.extend(ring.iter().filter_map(|&vertex| mesh.positions.get(vertex as usize).copied()));
        if points.len() == ring.len() && count >= 3 {
            let triangles = if count == 3 { &[[0, 1, 2]][..] } else { triangulator.split(&points) };
            all.extend(triangles.iter().map(|triangle| triangle.map(|corner| first.saturating_add(corner))));
        }
        first = first.saturating_add(count);
    }
    all
}

/// Maximum number of vertices for ear cutting, which takes quadratic time for some shapes.
pub(crate) const MAX_EARS: usize = 4096;

/// Splits polygons into triangles. Keeps its buffers between polygons.
pub(crate) struct Triangulator {
    earcut: Earcut<f64>,
    flat: Vec<[f64; 2]>,
    found: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Number of polygons that became fans because of their size.
    fans: usize,
}

impl Triangulator {
    pub(crate) fn new() -> Self {
        Self { earcut: Earcut::new(), flat: Vec::new(), found: Vec::new(), triangles: Vec::new(), fans: 0 }
    }

    /// Splits a polygon with `n ≥ 3` vertices at these points into exactly `n − 2` triangles. Each has three different corners
    /// in the order of the polygon, so that they face in its direction. The first begins with corner 0.
    ///
    /// Convex polygons become fans. Ears are cut from others, in the plane of the Newell normal. Corners on a line, which the cutter
    /// leaves out, are added to the neighbouring triangle. Polygons that cross themselves, have no area or have too many corners also
    /// become fans, which is [reported](Self::report).
    pub(crate) fn split(&mut self, points: &[[f64; 3]]) -> &[[u32; 3]] {
        self.triangles.clear();
        if let &[a, b, c, d] = points {
            self.triangles.extend(split_quad(&[a, b, c, d]));
            return &self.triangles;
        }
        let corners = u32::try_from(points.len()).unwrap_or(u32::MAX);
        if points.len() > 4
            && let Some(normal) = newell(points)
            && !is_convex(points, normal)
        {
            if points.len() <= MAX_EARS {
                self.cut(points, normal);
            } else {
                self.fans += 1;
            }
        }
        if self.triangles.is_empty() {
            self.triangles.extend((1..corners.saturating_sub(1)).map(|corner| [0, corner, corner + 1]));
        }
        &self.triangles
    }

    /// Reports polygons with a fallback triangulation.
    pub(crate) fn report(&self, path: &str, losses: &mut Losses) {
        if self.fans > 0 {
            let text = format!(
                "{} with more than {MAX_EARS} corners triangulated as fans",
                format_count(self.fans, "concave polygon")
            );
            losses.approximated(path, text);
        }
    }

    /// Cuts ears. Returns no triangles if that fails.
    fn cut(&mut self, points: &[[f64; 3]], normal: [f64; 3]) {
        let (u, v) = plane(normal);
        let Some(&origin) = points.first() else { return };
        self.flat.clear();
        self.flat.extend(points.iter().map(|&p| sub(p, origin)).map(|p| [dot(p, u), dot(p, v)]));
        self.earcut.earcut_slice::<u32>(&self.flat, &[], &mut self.found);
        for triangle in self.found.chunks_exact(3) {
            if let &[a, b, c] = triangle {
                // Every triangle of a polygon visits its corners in the order of the polygon.
                let mut triangle = [a, b, c];
                triangle.sort_unstable();
                self.triangles.push(triangle);
            }
        }
        if !self.insert_missing(points.len()) {
            self.triangles.clear();
            return;
        }
        if let Some(index) = self.triangles.iter().position(|triangle| triangle.contains(&0))
            && let Some(triangle) = self.triangles.get_mut(index)
        {
            let turn = triangle.iter().position(|&corner| corner == 0).unwrap_or(0);
            triangle.rotate_left(turn);
            self.triangles.swap(0, index);
        }
    }

    /// Adds corners without a triangle. They are between two corners of a triangle, which becomes a fan around its third
    /// corner. Returns `true` if all corners are in `corners − 2` triangles afterwards.
    fn insert_missing(&mut self, corners: usize) -> bool {
        if self.triangles.len() + 2 == corners {
            return true;
        }
        let mut used = vec![false; corners];
        for &corner in self.triangles.iter().flatten() {
            match used.get_mut(corner as usize) {
                Some(used) => *used = true,
                None => return false,
            }
        }
        let kept: Vec<u32> = (0_u32..).zip(&used).filter(|(_, used)| **used).map(|(corner, _)| corner).collect();
        if self.triangles.len() + 2 != kept.len() {
            return false;
        }
        let following = |corner: u32| kept.get(kept.partition_point(|&k| k <= corner)).or(kept.first()).copied();
        // Finds the triangle with the side from a corner to the next one.
        let mut sides = vec![usize::MAX; corners];
        for (index, &[a, b, c]) in self.triangles.iter().enumerate() {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                if let Some(side) = sides.get_mut(from as usize).filter(|_| following(from) == Some(to)) {
                    *side = index;
                }
            }
        }
        let count = u32::try_from(corners).unwrap_or(u32::MAX);
        for &from in &kept {
            let Some(to) = following(from) else { return false };
            if (from + 1) % count == to {
                continue;
            }
            let Some(&index) = sides.get(from as usize) else { return false };
            let Some(triangle) = self.triangles.get_mut(index) else { return false };
            let Some(&apex) = triangle.iter().find(|&&corner| corner != from && corner != to) else { return false };
            *triangle = [from, (from + 1) % count, apex];
            let mut last = (from + 1) % count;
            while last != to {
                let next = (last + 1) % count;
                self.triangles.push([last, next, apex]);
                last = next;
            }
            // The side that begins at `to`, if this triangle had it, now belongs to the last part of the fan.
            if let Some(side) = sides.get_mut(to as usize).filter(|side| **side == index) {
                *side = self.triangles.len() - 1;
            }
        }
        self.triangles.len() + 2 == corners
    }
}

/// Splits a quad as [`Triangulator::split`] does: along the first diagonal, unless only for the second one both triangles face in the
/// direction of the quad.
pub(crate) fn split_quad(&[a, b, c, d]: &[[f64; 3]; 4]) -> [[u32; 3]; 2] {
    const FAN: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
    let area = |p, q, r| cross(sub(q, p), sub(r, p));
    let (first, second) = (area(a, b, c), area(a, c, d));
    let normal = add(first, second);
    // Most quads are flat and convex. Then the signs are certain without the unit normal: the products are far from 0 compared with
    // their rounding errors.
    let is_certain = |half: [f64; 3]| {
        let parts = [half[0] * normal[0], half[1] * normal[1], half[2] * normal[2]];
        let (sum, size) = (parts[0] + parts[1] + parts[2], parts[0].abs() + parts[1].abs() + parts[2].abs());
        sum > size * 1e-12 && sum > 1e-150 && sum < 1e150
    };
    if is_certain(first) && is_certain(second) {
        return FAN;
    }
    let Some(normal) = normalize(normal) else { return FAN };
    let faces = |half| dot(half, normal) > 0.0;
    if !(faces(first) && faces(second)) && faces(area(b, c, d)) && faces(area(b, d, a)) {
        [[0, 1, 3], [1, 2, 3]]
    } else {
        FAN
    }
}

/// Returns the unit normal of a polygon by Newell's method, relative to its first point.
fn newell(points: &[[f64; 3]]) -> Option<[f64; 3]> {
    let &origin = points.first()?;
    let mut last = sub(*points.last()?, origin);
    let mut sum = [0.0; 3];
    for &point in points {
        let point = sub(point, origin);
        let [x, y, z] = cross(last, point);
        sum = [sum[0] + x, sum[1] + y, sum[2] + z];
        last = point;
    }
    normalize(sum)
}

/// Returns two unit vectors that span the plane of a normal: u × v is the normal.
fn plane(normal: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let [x, y, z] = normal.map(f64::abs);
    let other = if x <= y && x <= z {
        [1.0, 0.0, 0.0]
    } else if y <= z {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let u = normalize(cross(other, normal)).unwrap_or([1.0, 0.0, 0.0]);
    (u, cross(normal, u))
}

/// Returns `true` if a polygon turns left at every corner and all triangles of its fan face in its direction. Returns `false`
/// for corners on a line, because triangles there could have no area.
fn is_convex(points: &[[f64; 3]], normal: [f64; 3]) -> bool {
    let count = points.len();
    let at = |corner: usize| points.get(corner % count).copied().unwrap_or_default();
    let turns = |a, b, c| dot(cross(sub(b, a), sub(c, a)), normal) > 0.0;
    (0..count).all(|corner| turns(at(corner), at(corner + 1), at(corner + 2)))
        && (1..count - 1).all(|corner| turns(at(0), at(corner), at(corner + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[[f64; 3]], [a, b, c]: [u32; 3]) -> f64 {
        let [a, b, c] = [a, b, c].map(|corner| points[corner as usize]);
        cross(sub(b, a), sub(c, a))[2] / 2.0
    }

    /// Splits a polygon in the XY plane, and checks that all triangles face up and cover its area.
    fn check(shape: &[[f64; 2]], expected: f64) {
        let points: Vec<[f64; 3]> = shape.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        for turn in 0..points.len() {
            let mut points = points.clone();
            points.rotate_left(turn);
            let mut triangulator = Triangulator::new();
            let triangles = triangulator.split(&points);
            assert_eq!(triangles.len(), points.len() - 2);
            assert_eq!(triangles[0][0], 0);
            let areas: Vec<f64> = triangles.iter().map(|&triangle| area(&points, triangle)).collect();
            assert!(areas.iter().all(|&area| area > -1e-12), "{turn}: {triangles:?} {areas:?}");
            assert!((areas.iter().sum::<f64>() - expected).abs() < 1e-9, "{turn}: {triangles:?} {areas:?}");
        }
    }

    #[test]
    fn concave_shapes_keep_their_area() {
        check(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]], 3.0);
        check(&[[0.0, 0.0], [1.0, 0.2], [2.0, 0.0], [1.0, 3.0]], 2.8);
        check(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]], 10.0);
    }

    #[test]
    fn corners_on_lines_are_kept() {
        // An L with extra corners in the middle of its sides, two on one.
        let shape = [
            [0.0, 0.0],
            [0.5, 0.0],
            [1.5, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 1.5],
            [1.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
        ];
        check(&shape, 3.0);
        // A triangle with a corner on every side.
        check(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [0.0, 1.0]], 2.0);
    }

    #[test]
    fn degenerate_polygons_have_all_triangles() {
        let mut triangulator = Triangulator::new();
        assert_eq!(triangulator.split(&[[0.0; 3]; 6]).len(), 4);
        let line: Vec<[f64; 3]> = (0..5).map(|i| [f64::from(i), 0.0, 0.0]).collect();
        assert_eq!(triangulator.split(&line).len(), 3);
        let star = [[0.0, 0.0], [4.0, 3.0], [0.0, 3.0], [4.0, 0.0], [2.0, 5.0]].map(|[x, y]| [x, y, 0.0]);
        for &[a, b, c] in triangulator.split(&star) {
            assert!(a != b && b != c && c != a);
        }
    }

    #[test]
    fn a_large_concave_polygon_is_fast_and_reported() {
        let comb = |corners: u32| -> Vec<[f64; 3]> {
            let zigzag = (0..corners - 2).map(|i| [f64::from(i), f64::from(i % 2), 0.0]);
            zigzag.rev().chain([[0.0, -1.0, 0.0], [f64::from(corners), -1.0, 0.0]]).collect()
        };
        let mut triangulator = Triangulator::new();
        let mut losses = Losses::new();
        assert_eq!(triangulator.split(&comb(4096)).len(), 4094);
        triangulator.report("meshes[0]", &mut losses);
        assert!(losses.is_empty());
        let start = std::time::Instant::now();
        assert_eq!(triangulator.split(&comb(1_000_000)).len(), 999_998);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        triangulator.report("meshes[0]", &mut losses);
        assert_eq!(losses.items[0].text, "1 concave polygon with more than 4096 corners triangulated as fans");
    }

    #[test]
    fn a_bent_quad_takes_a_diagonal_that_faces_outside_on_both_sides() {
        let mut triangulator = Triangulator::new();
        let dart = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.5], [2.0, 0.0, 0.0], [1.0, 3.0, 0.0]];
        assert_eq!(triangulator.split(&dart), [[0, 1, 3], [1, 2, 3]]);
    }
}
