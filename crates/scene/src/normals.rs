//! Normals of corners from faces and hard edges.

use std::ops::Range;

use mapwright_io::{math::cos, parallel};

use crate::{
    CornerColumn, FaceFlags, Mesh, NO_ROW, Smoothing,
    edges::{CornersByVertex, next_vertex},
    transform::{add, dot, normalize, sub},
};

/// The normal of a corner without a direction of its own, in a face without area.
const UP: [f64; 3] = [0.0, 1.0, 0.0];

/// The number of vertices whose normals are computed by one thread.
const PART: usize = 1 << 14;

impl Mesh {
    /// Returns the unit normal of a face by Newell's method, which supports any number of corners and bent polygons. Returns
    /// `None` for a face without area, a missing face or a face with a missing vertex.
    pub fn face_normal(&self, face: usize) -> Option<[f64; 3]> {
        let vertices = self.faces.get(face)?;
        let origin = *self.positions.get(*vertices.first()? as usize)?;
        // Relative to the first vertex: far from the origin, products lose the digits that matter.
        let mut last = sub(*self.positions.get(*vertices.last()? as usize)?, origin);
        let mut sum = [0.0; 3];
        for &vertex in vertices {
            let p = sub(*self.positions.get(vertex as usize)?, origin);
            sum[0] += (last[1] - p[1]) * (last[2] + p[2]);
            sum[1] += (last[2] - p[2]) * (last[0] + p[0]);
            sum[2] += (last[0] - p[0]) * (last[1] + p[1]);
            last = p;
        }
        normalize(sum)
    }

    /// Computes a unit normal for every corner, from the faces and the hard edges.
    ///
    /// Around each vertex, faces that are connected by soft edges share one normal: the normalized sum of their unit normals,
    /// without weights for area or angle, as in Wings 3D. Edges are hard if the mesh marks them as hard; if they separate
    /// visible faces from hidden ones, holes or the mirror; if they have only one face or more than two; or if two faces run
    /// along them in the same direction. A corner without a resulting direction gets the normal of its face or, if there is
    /// none, the upward one.
    ///
    /// Stored [`normals`](Self::normals) are ignored. Takes n·log n time in the number of corners.
    pub fn corner_normals(&self) -> CornerColumn<[f64; 3]> {
        self.corner_normals_with(|normal| normal)
    }

    /// Computes [`corner_normals`](Self::corner_normals) and converts each row, for example to single precision. Takes less memory than
    /// a conversion afterwards.
    pub fn corner_normals_with<T: Send>(&self, convert: impl Fn([f64; 3]) -> T + Send + Sync) -> CornerColumn<T> {
        let around = self.corners_by_vertex(self.positions.len());
        let of_faces = self.face_normals();
        let parts = self.in_parts(|vertices| {
            // The normals, and the index of that of each corner.
            let (mut rows, mut of_corners) = (Vec::with_capacity(vertices.len()), Vec::new());
            of_corners.reserve_exact(around.range(vertices.clone()).len());
            let mut last = None;
            self.visit_normals(&around, vertices.clone(), normal_in(&of_faces), |_, normal: [f64; 3]| {
                // Most corners have the normal of the corner before them at the same vertex.
                let bits = normal.map(f64::to_bits);
                if last != Some(bits) {
                    last = Some(bits);
                    rows.push(convert(normal));
                }
                of_corners.push(u32::try_from(rows.len() - 1).unwrap_or(NO_ROW));
                true
            });
            (vertices, rows, of_corners)
        });
        drop(of_faces);
        let mut rows: Vec<T> = Vec::with_capacity(parts.iter().map(|(_, rows, _)| rows.len()).sum());
        let mut indices = vec![NO_ROW; self.faces.corner_count()];
        for (vertices, of_part, of_corners) in parts {
            for (&[face, place], row) in around.range(vertices).iter().zip(of_corners) {
                let range = self.faces.corner_range(face as usize).unwrap_or_default();
                if let Some(index) = indices.get_mut(range.start + place as usize) {
                    *index = u32::try_from(rows.len() + row as usize).unwrap_or(NO_ROW);
                }
            }
            rows.extend(of_part);
        }
        if indices.contains(&NO_ROW) {
            // Corners at missing vertices.
            let up = u32::try_from(rows.len()).unwrap_or(NO_ROW);
            rows.push(convert(UP));
            indices.iter_mut().filter(|index| **index == NO_ROW).for_each(|index| *index = up);
        }
        CornerColumn::from_rows(rows, indices).unwrap_or_default()
    }

    /// Returns `true` if normals of corners are the same as the [computed ones](Self::corner_normals), as a function compares them.
    /// The first that differs ends the comparison.
    pub fn follows_edges(
        &self,
        normals: &CornerColumn<[f64; 3]>,
        is_same: impl Fn([f64; 3], [f64; 3]) -> bool + Sync,
    ) -> bool {
        /// Most files that store other normals store them from the beginning. For these, the normals of few faces are needed.
        const FIRST: usize = 64;
        let first = self.positions.len().min(FIRST);
        let is_same_at = |corner: usize, normal: [f64; 3]| normals.get(corner).is_none_or(|own| is_same(normal, own));
        let around = self.corners_by_vertex(first);
        if !self.visit_normals(&around, 0..first, |face| self.face_normal(face as usize), is_same_at) {
            return false;
        }
        let around = self.corners_by_vertex(self.positions.len());
        let of_faces = self.face_normals();
        let parts = self.in_parts(|vertices| self.visit_normals(&around, vertices, normal_in(&of_faces), is_same_at));
        parts.into_iter().all(|is_same| is_same)
    }

    /// Does work for all vertices in parts, with several threads. The parts do not depend on the number of threads.
    fn in_parts<R: Send>(&self, work: impl Fn(Range<usize>) -> R + Send + Sync) -> Vec<R> {
        let count = self.positions.len();
        let parts = (0..count).step_by(PART).map(|start| start..count.min(start + PART));
        parallel::map(parts.collect(), work)
    }

    /// Returns the normal of each face, or zeros.
    fn face_normals(&self) -> Vec<[f64; 3]> {
        parallel::collect(self.faces.len(), |face| self.face_normal(face).unwrap_or_default())
    }

    /// Groups the corners by the first `count` vertices.
    fn corners_by_vertex(&self, count: usize) -> CornersByVertex {
        CornersByVertex::new(&self.faces, count, |vertices, place| vertices.get(place).copied().unwrap_or_default())
    }

    /// Computes the normals of the corners at some vertices, and visits each corner with its normal until `visit` returns `false`.
    /// Returns `false` then.
    fn visit_normals(
        &self,
        around: &CornersByVertex,
        vertices: Range<usize>,
        normal_of: impl Fn(u32) -> Option<[f64; 3]>,
        mut visit: impl FnMut(usize, [f64; 3]) -> bool,
    ) -> bool {
        let shown = |face: u32| {
            let hidden = FaceFlags::HIDDEN.with(FaceFlags::HOLE);
            self.mirror != Some(face) && !self.flags(face as usize).intersects(hidden)
        };
        // Most meshes are smooth as a whole. No edge has to be looked up then.
        let is_smooth = self.smoothing == Smoothing::Smooth
            && self.hard_edges.is_empty()
            && self.mirror.is_none()
            && self.face_flags.iter().all(|flags| flags.is_empty());
        let (mut fan, mut spokes) = (Fan::default(), Vec::new());
        for vertex in vertices {
            spokes.clear();
            spokes.extend(around.get(vertex).iter().filter_map(|&[face, place]| self.spoke(face, place)));
            if is_smooth && is_one_fan(&spokes) {
                fan.join_all(spokes.len());
            } else {
                fan.join(&spokes, |a, b, edge| {
                    shown(a) == shown(b)
                        && match (normal_of(a), normal_of(b)) {
                            (Some(n), Some(m)) => self.is_soft(edge, Some(dot(n, m))),
                            _ => self.is_soft(edge, None),
                        }
                });
            }
            for (place, spoke) in spokes.iter().enumerate() {
                if let (Some(normal), Some(sum)) = (normal_of(spoke.face), fan.sum(place)) {
                    *sum = add(*sum, normal);
                }
            }
            fan.normalize_sums();
            for (place, spoke) in spokes.iter().enumerate() {
                let normal = fan.sum(place).copied().filter(|normal| *normal != [0.0; 3]);
                if !visit(spoke.corner, normal.or_else(|| normal_of(spoke.face)).unwrap_or(UP)) {
                    return false;
                }
            }
        }
        true
    }

    fn spoke(&self, face: u32, place: u32) -> Option<Spoke> {
        let (range, vertices) = self.faces.corner_range(face as usize).zip(self.faces.get(face as usize))?;
        let place = place as usize;
        let before = place.checked_sub(1).or(vertices.len().checked_sub(1))?;
        Some(Spoke {
            corner: range.start + place,
            face,
            vertex: *vertices.get(place)?,
            before: *vertices.get(before)?,
            after: next_vertex(vertices, place)?,
        })
    }

    /// Returns `true` if an edge between two faces is soft. `cosine` is that of the angle between their normals, if they have
    /// normals.
    fn is_soft(&self, edge: [u32; 2], cosine: Option<f64>) -> bool {
        if self.hard_edges.binary_search(&edge).is_ok() {
            return false;
        }
        match self.smoothing {
            Smoothing::Smooth => true,
            _ if self.soft_edges.binary_search(&edge).is_ok() => true,
            Smoothing::Flat => false,
            Smoothing::Angle(largest) => cosine.is_none_or(|cosine| cosine >= cos(largest)),
        }
    }
}

/// Returns the normal of a face from a list with zeros for faces without area.
fn normal_in(normals: &[[f64; 3]]) -> impl Fn(u32) -> Option<[f64; 3]> + '_ {
    |face| normals.get(face as usize).copied().filter(|normal| *normal != [0.0; 3])
}

/// A corner as seen from its vertex.
#[derive(Clone, Copy)]
struct Spoke {
    /// Index of the corner in per-corner columns.
    corner: usize,
    face: u32,
    vertex: u32,
    /// The vertices before and after the corner in the face.
    before: u32,
    after: u32,
}

/// Returns `true` if each of the corners at a vertex is connected to all others by edges between two faces that run in opposite
/// directions, and no edge has another face. Returns `false` for many corners.
fn is_one_fan(spokes: &[Spoke]) -> bool {
    /// Maximum number of corners that are compared in pairs.
    const MANY: usize = 12;
    let Some(first) = spokes.first().filter(|_| spokes.len() <= MANY) else { return false };
    let is_unusual = |(place, spoke): (usize, &Spoke)| {
        spoke.before == spoke.vertex
            || spoke.after == spoke.vertex
            || spokes.iter().take(place).any(|other| other.before == spoke.before || other.after == spoke.after)
    };
    if spokes.iter().enumerate().any(is_unusual) {
        return false;
    }
    // From the first corner around the vertex in one direction, and then in the other if there is a border.
    let (mut found, mut last) = (1, first);
    while let Some(next) = spokes.iter().find(|next| next.after == last.before) {
        if next.corner == first.corner {
            return found == spokes.len();
        }
        (found, last) = (found + 1, next);
    }
    last = first;
    while let Some(next) = spokes.iter().find(|next| next.before == last.after) {
        (found, last) = (found + 1, next);
    }
    found == spokes.len()
}

/// The groups of corners at a vertex that share a normal: a forest in which every corner points towards the first of its group.
/// Reused for each vertex.
#[derive(Default)]
struct Fan {
    /// The other ends of the edges at the vertex: the neighbour, `true` if the edge runs towards it, and the index of the
    /// corner.
    ends: Vec<(u32, bool, usize)>,
    parents: Vec<usize>,
    sums: Vec<[f64; 3]>,
}

impl Fan {
    /// Joins the corners at a vertex whose faces share a soft edge. `soft` is called only for edges of two faces that run in
    /// opposite directions, with the faces and the vertices, smaller first.
    fn join(&mut self, spokes: &[Spoke], soft: impl Fn(u32, u32, [u32; 2]) -> bool) {
        self.parents.clear();
        self.parents.extend(0..spokes.len());
        self.sums.clear();
        self.sums.resize(spokes.len(), [0.0; 3]);
        self.ends.clear();
        for (place, spoke) in spokes.iter().enumerate() {
            self.ends.extend([(spoke.before, false, place), (spoke.after, true, place)]);
        }
        self.ends.sort_unstable();
        let ends = std::mem::take(&mut self.ends);
        for edge in ends.chunk_by(|a, b| a.0 == b.0) {
            let &[(neighbour, false, a), (_, true, b)] = edge else { continue };
            let (Some(first), Some(second)) = (spokes.get(a), spokes.get(b)) else { continue };
            let edge = [first.vertex.min(neighbour), first.vertex.max(neighbour)];
            if neighbour != first.vertex && soft(first.face, second.face, edge) {
                let (a, b) = (self.root(a), self.root(b));
                if let Some(entry) = self.parents.get_mut(a.max(b)) {
                    *entry = a.min(b);
                }
            }
        }
        self.ends = ends;
    }

    /// Joins all corners.
    fn join_all(&mut self, count: usize) {
        self.parents.clear();
        self.parents.resize(count, 0);
        self.sums.clear();
        self.sums.resize(count, [0.0; 3]);
    }

    /// Makes the sums unit vectors. Those without a direction become zeros.
    fn normalize_sums(&mut self) {
        for (place, (sum, parent)) in self.sums.iter_mut().zip(&self.parents).enumerate() {
            if *parent == place {
                // The direction of a nearly vanishing sum consists of rounding errors.
                *sum = normalize(*sum).filter(|_| dot(*sum, *sum) > 1e-18).unwrap_or_default();
            }
        }
    }

    fn root(&mut self, mut corner: usize) -> usize {
        while let Some(&parent) = self.parents.get(corner).filter(|&&parent| parent != corner) {
            let above = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(entry) = self.parents.get_mut(corner) {
                *entry = above;
            }
            corner = above;
        }
        corner
    }

    /// Returns the sum of the normals in the group of a corner.
    fn sum(&mut self, corner: usize) -> Option<&mut [f64; 3]> {
        let root = self.root(corner);
        self.sums.get_mut(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::tests::cube;

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        dot(sub(a, b), sub(a, b)) < 1e-20
    }

    #[test]
    fn normals_of_a_soft_cube_point_to_its_corners() {
        let cube = cube();
        for (&vertex, normal) in cube.faces.corners().iter().zip(cube.corner_normals().iter().flatten()) {
            let outward = normalize(sub(cube.positions[vertex as usize], [0.5; 3])).unwrap();
            assert!(near(normal, outward), "{vertex}: {normal:?}");
        }
    }

    #[test]
    fn corners_around_a_vertex_are_one_fan_without_a_gap_or_a_third_face() {
        let spoke = |corner: usize, [before, after]: [u32; 2]| Spoke { corner, face: 0, vertex: 0, before, after };
        let is_one = |ends: &[[u32; 2]]| {
            is_one_fan(&ends.iter().enumerate().map(|(corner, ends)| spoke(corner, *ends)).collect::<Vec<_>>())
        };
        for closed in [&[[1, 2], [3, 1], [2, 3]][..], &[[1, 1]]] {
            assert!(is_one(closed), "{closed:?}");
        }
        for open in [&[[2, 3], [1, 2], [3, 4]][..], &[[1, 2]]] {
            assert!(is_one(open), "{open:?}");
        }
        for others in [
            // A gap, two closed fans, an edge with three faces, faces that run in the same direction, a vertex twice.
            &[[1, 2], [3, 4]][..],
            &[[1, 2], [2, 1], [3, 4], [4, 3]],
            &[[1, 2], [2, 3], [2, 4]],
            &[[1, 2], [3, 2]],
            &[[0, 1], [1, 2]],
            &[],
        ] {
            assert!(!is_one(others), "{others:?}");
        }
        let many: Vec<[u32; 2]> = (1..20).map(|place| [place, place + 1]).collect();
        assert!(!is_one(&many));
    }

    #[test]
    fn hard_edges_split() {
        let mut flat = cube();
        flat.smoothing = Smoothing::Flat;
        let mut angle = cube();
        angle.smoothing = Smoothing::Angle(1.0);
        let mut listed = cube();
        listed.hard_edges = listed.edge_sides().iter().map(|side| side.vertices).collect();
        listed.hard_edges.dedup();
        for mesh in [flat, angle, listed] {
            let normals = mesh.corner_normals();
            for face in 0..6 {
                let own = mesh.face_normal(face).unwrap();
                assert!(mesh.faces.corner_range(face).unwrap().all(|corner| near(normals.get(corner).unwrap(), own)));
            }
        }
    }

    #[test]
    fn an_edge_at_a_hidden_face_is_hard() {
        let mut mesh = cube();
        mesh.face_flags = vec![FaceFlags::NONE; 6];
        mesh.face_flags[0] = FaceFlags::HIDDEN;
        let normals = mesh.corner_normals();
        let own = mesh.face_normal(0).unwrap();
        assert!(mesh.faces.corner_range(0).unwrap().all(|corner| near(normals.get(corner).unwrap(), own)));
        // The neighbours are no longer tilted towards the hidden face.
        let first = mesh.faces.get(0).unwrap()[0];
        for (corner, _) in mesh.faces.corners().iter().enumerate().skip(4).filter(|(_, v)| **v == first) {
            assert!(dot(normals.get(corner).unwrap(), own).abs() < 1e-12);
        }
    }

    #[test]
    fn a_soft_edge_stays_soft_in_a_flat_mesh() {
        let mut mesh = cube();
        mesh.smoothing = Smoothing::Flat;
        mesh.soft_edges = vec![mesh.edge_sides()[0].vertices];
        let [a, b] = mesh.soft_edges[0];
        let flat = Mesh { soft_edges: Vec::new(), ..mesh.clone() }.corner_normals();
        let changed: Vec<u32> = mesh
            .corner_normals()
            .iter()
            .flatten()
            .zip(flat.iter().flatten())
            .zip(mesh.faces.corners())
            .filter(|((now, before), _)| !near(*now, *before))
            .map(|(_, &vertex)| vertex)
            .collect();
        assert_eq!(changed.len(), 4);
        assert!(changed.iter().all(|vertex| [a, b].contains(vertex)));
    }

    #[test]
    fn a_face_without_area_still_gets_unit_normals() {
        let mesh = Mesh { positions: vec![[0.0; 3]; 3], faces: [[0, 1, 2]].into_iter().collect(), ..Mesh::default() };
        assert_eq!(mesh.face_normal(0), None);
        assert_eq!(mesh.corner_normals(), CornerColumn::filled(Some(UP), 3));
    }

    #[test]
    fn face_normals_are_exact_for_distant_concave_faces() {
        let shape = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]];
        let positions = shape.map(|[x, y]| [x + 1e9, y + 1e9, 5e9]).to_vec();
        let mesh = Mesh { positions, faces: [[0, 1, 2, 3, 4]].into_iter().collect(), ..Mesh::default() };
        assert_eq!(mesh.face_normal(0), Some([0.0, 0.0, 1.0]));
    }
}
