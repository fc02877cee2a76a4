//! Faces with duplicate vertices.

use std::borrow::Cow;

use mapwright_io::format_count;
use mapwright_scene::{ColorSet, Faces, Losses, Mesh, UvSet};

use crate::triangles::Triangulator;

/// Returns the mesh without duplicate vertices in a face. Repeats in a row become one corner, and other faces with repeats are
/// split into triangles. Faces with fewer than three corners are removed.
pub(super) fn simple_faces<'m>(mesh: &'m Mesh, path: &str, losses: &mut Losses) -> Cow<'m, Mesh> {
    let repeating: Vec<bool> = (0..mesh.faces.len()).map(|face| mesh.faces.has_repeat(face)).collect();
    let count = repeating.iter().filter(|&&repeating| repeating).count();
    if count == 0 {
        return Cow::Borrowed(mesh);
    }
    losses.repaired(path, format!("{} with a repeated vertex split", format_count(count, "face")));

    let mut parts = Parts { mesh, faces: Faces::new(), corners: Vec::new(), sources: Vec::new() };
    let mut triangulator = Triangulator::new();
    for (face, repeating) in repeating.into_iter().enumerate() {
        let range = mesh.faces.corner_range(face).unwrap_or_default();
        if repeating {
            parts.take_apart(face, range.collect(), &mut triangulator);
        } else {
            parts.push(face, &range.collect::<Vec<usize>>());
        }
    }
    triangulator.report(path, losses);
    Cow::Owned(parts.finish())
}

/// Faces made from corners of a mesh.
struct Parts<'m> {
    mesh: &'m Mesh,
    faces: Faces,
    /// The old corner of each new corner.
    corners: Vec<usize>,
    /// The old face of each new face.
    sources: Vec<usize>,
}

impl Parts<'_> {
    fn vertex(&self, corner: usize) -> u32 {
        self.mesh.faces.corners().get(corner).copied().unwrap_or_default()
    }

    fn push(&mut self, face: usize, corners: &[usize]) {
        let vertices: Vec<u32> = corners.iter().map(|&corner| self.vertex(corner)).collect();
        self.faces.push(&vertices);
        self.corners.extend_from_slice(corners);
        self.sources.push(face);
    }

    fn take_apart(&mut self, face: usize, mut corners: Vec<usize>, triangulator: &mut Triangulator) {
        corners.dedup_by_key(|corner| self.vertex(*corner));
        while corners.len() > 1 && corners.first().map(|&c| self.vertex(c)) == corners.last().map(|&c| self.vertex(c)) {
            corners.pop();
        }
        let mut vertices: Vec<u32> = corners.iter().map(|&corner| self.vertex(corner)).collect();
        vertices.sort_unstable();
        vertices.dedup();
        if vertices.len() < 3 {
            return;
        }
        if vertices.len() == corners.len() {
            self.push(face, &corners);
            return;
        }
        let point =
            |&corner: &usize| self.mesh.positions.get(self.vertex(corner) as usize).copied().unwrap_or_default();
        let points: Vec<[f64; 3]> = corners.iter().map(point).collect();
        for triangle in triangulator.split(&points) {
            let triangle: Vec<usize> = triangle.iter().filter_map(|&c| corners.get(c as usize).copied()).collect();
            if let [a, b, c] = triangle.iter().map(|&corner| self.vertex(corner)).collect::<Vec<u32>>()[..]
                && a != b
                && b != c
                && c != a
            {
                self.push(face, &triangle);
            }
        }
    }

    fn finish(self) -> Mesh {
        let mesh = self.mesh;
        let by_corner = || self.corners.iter().copied();
        Mesh {
            name: mesh.name.clone(),
            positions: mesh.positions.clone(),
            face_materials: pick(&mesh.face_materials, self.sources.iter().copied()),
            face_flags: pick(&mesh.face_flags, self.sources.iter().copied()),
            uv_sets: mesh
                .uv_sets
                .iter()
                .map(|set| UvSet { name: set.name.clone(), origin: set.origin, corners: set.corners.pick(by_corner()) })
                .collect(),
            color_sets: mesh
                .color_sets
                .iter()
                .map(|set| ColorSet { name: set.name.clone(), corners: set.corners.pick(by_corner()) })
                .collect(),
            normals: mesh.normals.as_ref().map(|normals| normals.pick(by_corner())),
            smoothing: mesh.smoothing,
            hard_edges: mesh.hard_edges.clone(),
            soft_edges: mesh.soft_edges.clone(),
            faces: self.faces,
            ..Mesh::default()
        }
    }
}

/// Returns the items at the given indices. An empty column stays empty.
fn pick<T: Copy>(column: &[T], places: impl Iterator<Item = usize>) -> Vec<T> {
    places.filter_map(|place| column.get(place).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_with_repeats_are_taken_apart() {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces: [&[u32]; 4] = [&[0, 1, 2], &[0, 1, 1, 2, 0], &[0, 1, 0], &[0, 1, 2, 0, 3, 4]];
        let mesh = Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() };
        let mut losses = Losses::new();
        let simple = simple_faces(&mesh, "meshes[0]", &mut losses);
        assert_eq!(losses.items[0].text, "3 faces with a repeated vertex split");
        assert_eq!(simple.faces.get(1), Some(&[0, 1, 2][..]));
        assert!(simple.faces.len() >= 3);
        for face in simple.faces.iter() {
            let mut once = face.to_vec();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), face.len());
        }
        let plain = Mesh { faces: [[0, 1, 2]].into_iter().collect(), ..mesh.clone() };
        assert!(matches!(simple_faces(&plain, "", &mut losses), Cow::Borrowed(_)));
    }
}
