//! Operations on meshes for exporters.

use std::borrow::Cow;

use crate::{
    Domain, FaceFlags, Faces, Mesh, Smoothing, Transform,
    transform::{add, dot, scale, sub},
};

impl Mesh {
    /// Returns the visible surface, which exporters write: with the mirror frozen, and without holes and faces of fewer than
    /// three corners. Hidden faces are part of it. All vertices stay.
    pub fn surface(&self) -> Cow<'_, Self> {
        let is_seen = |mesh: &Self, face: usize| {
            !mesh.flags(face).contains(FaceFlags::HOLE) && mesh.faces.get(face).is_some_and(|face| face.len() >= 3)
        };
        let frozen = self.freeze_mirror();
        if (0..frozen.faces.len()).all(|face| is_seen(&frozen, face)) {
            return frozen;
        }
        Cow::Owned(frozen.keep_faces(|face| is_seen(&frozen, face)))
    }

    /// Returns the mesh with only some of its faces. Vertices stay. Edges without a face are removed from the edge lists.
    #[must_use]
    pub fn keep_faces(&self, keep: impl FnMut(usize) -> bool) -> Self {
        let faces: Vec<usize> = {
            let mut keep = keep;
            (0..self.faces.len()).filter(|&face| keep(face)).collect()
        };
        let order: Vec<(usize, bool)> = faces.iter().map(|&face| (face, false)).collect();
        let mut mesh = self.rebuilt(&order, |vertex| vertex);
        mesh.take_vertices(self);
        mesh.mirror =
            self.mirror.and_then(|mirror| u32::try_from(faces.iter().position(|&face| face == mirror as usize)?).ok());
        mesh.drop_lost_edges();
        mesh
    }

    /// Returns the mesh with its virtual mirror applied. The mesh is reflected in the plane through the centre of the mirror
    /// face (the mean of its vertices) across its normal, and welded along the vertices of that face. The mirror face is
    /// removed on both sides.
    ///
    /// Vertices keep their numbers and the new ones follow; so do faces, except for the mirror face. A mirror that does not
    /// exist or has no direction is removed. Texture projections are not reflected but removed.
    pub fn freeze_mirror(&self) -> Cow<'_, Self> {
        let Some(mirror) = self.mirror else { return Cow::Borrowed(self) };
        let mirror = mirror as usize;
        let (Some(normal), Some(seam)) = (self.face_normal(mirror), self.faces.get(mirror)) else {
            return Cow::Owned(Self { mirror: None, ..self.clone() });
        };
        let points: Vec<[f64; 3]> =
            seam.iter().filter_map(|&vertex| self.positions.get(vertex as usize).copied()).collect();
        #[allow(clippy::cast_precision_loss)]
        let centre = scale(points.iter().copied().fold([0.0; 3], add), 1.0 / points.len() as f64);
        let across = |v: [f64; 3]| sub(v, scale(normal, 2.0 * dot(v, normal)));

        let count = self.positions.len();
        let mut twins: Vec<u32> = Vec::with_capacity(count);
        let mut positions = self.positions.clone();
        let mut doubled = Vec::new();
        let mut on_seam = vec![false; count];
        for &vertex in seam {
            if let Some(flag) = on_seam.get_mut(vertex as usize) {
                *flag = true;
            }
        }
        for (vertex, (&position, &on_seam)) in self.positions.iter().zip(&on_seam).enumerate() {
            let twin = if on_seam { vertex } else { positions.len() };
            twins.push(u32::try_from(twin).unwrap_or(u32::MAX));
            if !on_seam {
                positions.push(add(centre, across(sub(position, centre))));
                doubled.push(vertex);
            }
        }

        let kept: Vec<usize> = (0..self.faces.len()).filter(|&face| face != mirror).collect();
        let order: Vec<(usize, bool)> =
            kept.iter().map(|&face| (face, false)).chain(kept.iter().map(|&face| (face, true))).collect();
        let twin = |vertex: u32| twins.get(vertex as usize).copied().unwrap_or(vertex);
        let mut mesh = self.rebuilt(&order, twin);
        mesh.positions = positions;
        mesh.face_projections = Vec::new();
        if let Some(normals) = &mut mesh.normals {
            let half = normals.len() / 2;
            *normals =
                normals.iter().enumerate().map(|(corner, n)| if corner < half { n } else { n.map(across) }).collect();
        }
        for (new, old) in mesh.attributes.iter_mut().zip(&self.attributes) {
            if old.domain == Domain::Vertex {
                new.values.clone_from(&old.values);
                new.values.extend(rows(&old.values, old.width, doubled.iter().copied()));
            }
        }
        let both = |edges: &[[u32; 2]]| {
            let reflected = edges.iter().map(|&[a, b]| [twin(a).min(twin(b)), twin(a).max(twin(b))]);
            let mut all: Vec<[u32; 2]> = edges.iter().copied().chain(reflected).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        mesh.hard_edges = both(&self.hard_edges);
        mesh.soft_edges = both(&self.soft_edges);
        Cow::Owned(mesh)
    }

    /// Reverses the winding of every face. The first corner of each face stays the first.
    pub fn reverse_winding(&mut self) {
        let order: Vec<(usize, bool)> = (0..self.faces.len()).map(|face| (face, true)).collect();
        let mut turned = self.rebuilt(&order, |vertex| vertex);
        self.faces = std::mem::take(&mut turned.faces);
        self.uv_sets = std::mem::take(&mut turned.uv_sets);
        self.color_sets = std::mem::take(&mut turned.color_sets);
        self.normals = turned.normals.take();
        for (new, old) in turned.attributes.into_iter().zip(&mut self.attributes) {
            if old.domain == Domain::Corner {
                *old = new;
            }
        }
    }

    /// Returns the mesh in the space around a transform: positions and normals are transformed, and the winding is reversed if
    /// the transform mirrors. Texture projections are unchanged. The identity keeps exactly the same numbers.
    pub fn transformed(&self, transform: &Transform) -> Cow<'_, Self> {
        if transform.is_identity() {
            return Cow::Borrowed(self);
        }
        let mut mesh = self.clone();
        mesh.positions.iter_mut().for_each(|p| *p = transform.point(*p));
        if let Some(normals) = &mut mesh.normals {
            normals.rows_mut().iter_mut().for_each(|n| *n = transform.normal(*n));
        }
        if transform.mirrors() {
            mesh.reverse_winding();
        }
        Cow::Owned(mesh)
    }

    /// Returns the mesh with all faces of more than three corners split into triangles. If there are such faces, the mirror is
    /// frozen first. `split` adds the triangles of the polygon with these points, as indices of its corners. Columns of faces
    /// and corners follow, and vertices keep their numbers. New edges inside a face are soft.
    pub fn triangulated(&self, mut split: impl FnMut(&[[f64; 3]], &mut Vec<[u32; 3]>)) -> Cow<'_, Self> {
        if self.faces.iter().all(|ring| ring.len() <= 3) {
            return Cow::Borrowed(self);
        }
        let old = self.freeze_mirror();
        let (mut faces, mut of_faces, mut of_corners) = (Faces::new(), Vec::new(), Vec::new());
        let (mut points, mut triangles, mut within) = (Vec::new(), Vec::new(), Vec::new());
        for (face, ring) in old.faces.iter().enumerate() {
            let first = old.faces.corner_range(face).map_or(0, |range| range.start);
            triangles.clear();
            if ring.len() > 3 {
                points.clear();
                points
                    .extend(ring.iter().map(|&vertex| old.positions.get(vertex as usize).copied().unwrap_or_default()));
                split(&points, &mut triangles);
            }
            if triangles.is_empty() {
                faces.push(ring);
                of_faces.push(face);
                of_corners.extend(first..first.saturating_add(ring.len()));
            }
            for corners in triangles.iter().map(|triangle| triangle.map(|corner| corner as usize)) {
                let vertices = corners.map(|corner| ring.get(corner).copied().unwrap_or_default());
                faces.push(&vertices);
                of_faces.push(face);
                of_corners.extend(corners.map(|corner| first.saturating_add(corner)));
                let ([a, b, c], [d, e, f]) = (vertices, corners);
                for ([a, b], [from, to]) in [([a, b], [d, e]), ([b, c], [e, f]), ([c, a], [f, d])] {
                    if (from + 1) % ring.len() != to {
                        within.push([a.min(b), a.max(b)]);
                    }
                }
            }
        }
        let mut mesh = old.with_faces(faces, &of_faces, &of_corners);
        mesh.take_vertices(&old);
        if old.smoothing != Smoothing::Smooth {
            mesh.soft_edges.extend(within.into_iter().filter(|edge| old.hard_edges.binary_search(edge).is_err()));
            mesh.soft_edges.sort_unstable();
            mesh.soft_edges.dedup();
        }
        Cow::Owned(mesh)
    }

    /// Builds a mesh from some faces of this one, in the given order, unchanged or reversed with other vertices. Columns of
    /// faces and corners follow. The caller sets the columns of vertices and edges.
    fn rebuilt(&self, order: &[(usize, bool)], twin: impl Fn(u32) -> u32) -> Self {
        let mut faces = Faces::with_capacity(order.len(), self.faces.corner_count());
        let mut corners = Vec::with_capacity(self.faces.corner_count());
        let mut ring = Vec::new();
        for &(face, turned) in order {
            let (Some(range), Some(vertices)) = (self.faces.corner_range(face), self.faces.get(face)) else { continue };
            ring.clear();
            if turned {
                // The first corner stays the first.
                let split = range.len().min(1);
                corners.extend(range.clone().take(split));
                corners.extend(range.skip(split).rev());
                ring.extend(vertices.iter().take(split).map(|&vertex| twin(vertex)));
                ring.extend(vertices.iter().skip(split).rev().map(|&vertex| twin(vertex)));
            } else {
                corners.extend(range);
                ring.extend_from_slice(vertices);
            }
            faces.push(&ring);
        }
        let order: Vec<usize> = order.iter().map(|&(face, _)| face).collect();
        self.with_faces(faces, &order, &corners)
    }

    /// Builds a mesh with other faces and the columns of faces and corners of this one. The caller sets the columns of vertices
    /// and edges.
    fn with_faces(&self, faces: Faces, of_faces: &[usize], of_corners: &[usize]) -> Self {
        let by_face = || of_faces.iter().copied();
        let by_corner = || of_corners.iter().copied();
        let mut mesh = Self {
            name: self.name.clone(),
            positions: Vec::new(),
            face_materials: pick(&self.face_materials, by_face()),
            face_flags: pick(&self.face_flags, by_face()),
            face_projections: pick(&self.face_projections, by_face()),
            uv_sets: self.uv_sets.clone(),
            color_sets: self.color_sets.clone(),
            normals: self.normals.as_ref().map(|normals| normals.pick(by_corner())),
            smoothing: self.smoothing,
            attributes: self.attributes.clone(),
            properties: self.properties.clone(),
            ..Self::default()
        };
        mesh.uv_sets.iter_mut().for_each(|set| set.corners = set.corners.pick(by_corner()));
        mesh.color_sets.iter_mut().for_each(|set| set.corners = set.corners.pick(by_corner()));
        for attribute in &mut mesh.attributes {
            attribute.values = match attribute.domain {
                Domain::Vertex => Vec::new(),
                Domain::Corner => rows(&attribute.values, attribute.width, by_corner()),
                Domain::Face => rows(&attribute.values, attribute.width, by_face()),
            };
        }
        mesh.faces = faces;
        mesh
    }

    /// Copies the columns of vertices and edges from a mesh with the same vertices.
    fn take_vertices(&mut self, old: &Self) {
        self.positions.clone_from(&old.positions);
        for (new, old) in self.attributes.iter_mut().zip(&old.attributes) {
            if old.domain == Domain::Vertex {
                new.values.clone_from(&old.values);
            }
        }
        self.hard_edges.clone_from(&old.hard_edges);
        self.soft_edges.clone_from(&old.soft_edges);
    }

    /// Removes edges from the edge lists that no face has any more.
    fn drop_lost_edges(&mut self) {
        if self.hard_edges.is_empty() && self.soft_edges.is_empty() {
            return;
        }
        let mut edges = Vec::new();
        self.for_each_edge(|sides| edges.extend(sides.first().map(|side| side.vertices)));
        for list in [&mut self.hard_edges, &mut self.soft_edges] {
            list.retain(|edge| edges.binary_search(edge).is_ok());
        }
    }
}

/// Returns the items at the given indices. An empty column stays empty.
fn pick<T: Clone>(column: &[T], places: impl Iterator<Item = usize>) -> Vec<T> {
    places.filter_map(|place| column.get(place).cloned()).collect()
}

/// Returns the rows at the given indices of a column of rows.
fn rows(values: &[f64], width: usize, places: impl Iterator<Item = usize>) -> Vec<f64> {
    let row = |place: usize| {
        let start = place.checked_mul(width)?;
        values.get(start..start.checked_add(width)?)
    };
    places.filter_map(row).flatten().copied().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Attribute, UvSet};

    /// The unit cube. Face 0 is the bottom, faces 1 to 4 are the sides, face 5 is the top.
    pub(crate) fn cube() -> Mesh {
        let positions = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
        let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [5, 7, 6, 4], [4, 6, 2, 0], [2, 6, 7, 3]];
        Mesh { name: "cube".into(), positions, faces: faces.into_iter().collect(), ..Mesh::default() }
    }

    fn volume(mesh: &Mesh) -> f64 {
        let p = |v: u32| mesh.positions[v as usize];
        let fan = |f: &[u32]| {
            f.windows(2).skip(1).map(|w| dot(p(f[0]), crate::transform::cross(p(w[0]), p(w[1])))).sum::<f64>()
        };
        mesh.faces.iter().map(fan).sum::<f64>() / 6.0
    }

    #[test]
    fn a_frozen_mirror_doubles_the_mesh_and_closes_it() {
        let mut mesh = cube();
        assert!((volume(&mesh) - 1.0).abs() < 1e-12);
        mesh.mirror = Some(5);
        mesh.hard_edges = vec![[0, 1]];
        mesh.uv_sets =
            vec![UvSet { corners: (0..24).map(|i| Some([f64::from(i), 0.0])).collect(), ..UvSet::default() }];
        mesh.attributes = vec![Attribute {
            name: "weight".into(),
            domain: Domain::Vertex,
            width: 1,
            values: (0..8).map(f64::from).collect(),
        }];
        let frozen = mesh.freeze_mirror();
        assert_eq!((frozen.positions.len(), frozen.faces.len(), frozen.mirror), (12, 10, None));
        assert!((volume(&frozen) - 2.0).abs() < 1e-12);
        assert!(frozen.edge_sides().chunk_by(|a, b| a.vertices == b.vertices).all(|edge| edge.len() == 2));
        assert_eq!(frozen.positions[8], [0.0, 2.0, 0.0]);
        assert_eq!(frozen.hard_edges, [[0, 1], [8, 9]]);
        // Face 0 reversed: its corners 0, 3, 2, 1.
        let turned: Vec<f64> = frozen.uv_sets[0].corners.range(20..24).map(|uv| uv.unwrap()[0]).collect();
        assert_eq!(turned, [0.0, 3.0, 2.0, 1.0]);
        assert_eq!(frozen.faces.get(5), Some(&[8, 10, 11, 9][..]));
        assert_eq!(frozen.attributes[0].values, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 4.0, 5.0]);
    }

    #[test]
    fn triangles_keep_the_data_of_their_face() {
        let mut mesh = cube();
        mesh.smoothing = Smoothing::Flat;
        mesh.face_flags = (0..6).map(|face| if face == 2 { FaceFlags::HIDDEN } else { FaceFlags::NONE }).collect();
        mesh.uv_sets =
            vec![UvSet { corners: (0..24).map(|i| Some([f64::from(i), 0.0])).collect(), ..UvSet::default() }];
        let fan = |points: &[[f64; 3]], triangles: &mut Vec<[u32; 3]>| {
            assert_eq!(points.len(), 4);
            triangles.extend([[0, 1, 2], [0, 2, 3]]);
        };
        let split = mesh.triangulated(fan).into_owned();
        assert_eq!((split.faces.len(), split.positions.len(), volume(&split)), (12, 8, volume(&mesh)));
        assert_eq!((split.faces.get(0), split.faces.get(1)), (Some(&[0, 1, 5][..]), Some(&[0, 5, 4][..])));
        let hidden: Vec<usize> = (0..12).filter(|&face| split.flags(face) == FaceFlags::HIDDEN).collect();
        assert_eq!(hidden, [4, 5]);
        let corners: Vec<f64> = split.uv_sets[0].corners.range(6..12).map(|uv| uv.unwrap()[0]).collect();
        assert_eq!(corners, [4.0, 5.0, 6.0, 4.0, 6.0, 7.0]);
        // The shading is that of the cube, with six soft diagonals.
        assert_eq!(split.soft_edges, [[0, 3], [0, 5], [1, 7], [2, 4], [2, 7], [5, 6]]);
        assert!(matches!(split.triangulated(fan), Cow::Borrowed(_)));
    }

    #[test]
    fn a_surface_excludes_holes_and_includes_hidden_faces() {
        let mut mesh = cube();
        assert!(matches!(mesh.surface(), Cow::Borrowed(_)));
        mesh.face_flags = vec![FaceFlags::NONE; 6];
        mesh.face_flags[1] = FaceFlags::HOLE.with(FaceFlags::HIDDEN);
        mesh.face_flags[2] = FaceFlags::HIDDEN;
        mesh.faces.push(&[0, 1]);
        mesh.face_flags.push(FaceFlags::NONE);
        mesh.hard_edges = vec![[0, 1], [0, 7]];
        let surface = mesh.surface();
        assert_eq!((surface.faces.len(), surface.face_flags.len()), (5, 5));
        assert_eq!(surface.flags(1), FaceFlags::HIDDEN);
        assert_eq!(surface.hard_edges, [[0, 1]]);
    }

    #[test]
    fn reversing_the_winding_twice_changes_nothing() {
        let mut mesh = cube();
        mesh.normals = Some((0..24).map(|i| Some([f64::from(i), 0.0, 0.0])).collect());
        let before = mesh.clone();
        mesh.reverse_winding();
        assert!((volume(&mesh) + 1.0).abs() < 1e-12);
        assert_eq!(mesh.faces.get(0), Some(&[0, 4, 5, 1][..]));
        mesh.reverse_winding();
        assert_eq!(mesh, before);
    }

    #[test]
    fn a_mirroring_transform_keeps_faces_outward() {
        let mirror = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [-2.0, 1.0, 1.0] };
        let mesh = cube();
        assert!((volume(&mesh.transformed(&mirror)) - 2.0).abs() < 1e-12);
        assert!(matches!(mesh.transformed(&Transform::IDENTITY), Cow::Borrowed(_)));
    }
}
