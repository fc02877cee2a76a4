//! Convex bodies.

use hashbrown::HashMap;

use super::outward;
use super::transform::{dot, sub};
use crate::Mesh;

/// The tolerance of vertices in front of a face, in quants.
const BEFORE: f64 = 0.1;

/// Maximum number of faces and of vertices of a checked body: each vertex is compared with each face.
const MAX_ITEMS: usize = 1024;

/// Returns `true` if a mesh is a closed convex body.
pub(crate) fn is_convex(mesh: &Mesh) -> bool {
    if mesh.faces.len() < 4 || mesh.faces.len() > MAX_ITEMS || mesh.vertices.len() > MAX_ITEMS {
        return false;
    }
    let mut edges: HashMap<(u32, u32), bool> = HashMap::new();
    for face in &mesh.faces {
        let Some(points) = points(mesh, &face.corners).filter(|points| points.len() >= 3) else { return false };
        let normal = outward(&points);
        let Some(&first) = points.first().filter(|_| dot(normal, normal) > 0.5) else { return false };
        if mesh.vertices.iter().any(|vertex| dot(normal, sub(*vertex, first)) > BEFORE) {
            return false;
        }
        let ends = face.corners.iter().skip(1).chain(face.corners.first());
        for (&from, &to) in face.corners.iter().zip(ends) {
            if edges.insert((from, to), true).is_some() {
                return false;
            }
        }
    }
    edges.keys().all(|&(from, to)| edges.contains_key(&(to, from)))
}

/// Returns the positions of vertices, or `None` if an index is out of range.
pub(crate) fn points(mesh: &Mesh, corners: &[u32]) -> Option<Vec<[f64; 3]>> {
    corners.iter().map(|corner| mesh.vertices.get(usize::try_from(*corner).ok()?).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;

    #[test]
    fn closed_convex_bodies_are_detected() {
        let face = |corners: &[u32]| Face { corners: corners.into(), ..Face::default() };
        let vertices = vec![[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
        let faces = vec![face(&[0, 1, 2]), face(&[0, 3, 1]), face(&[0, 2, 3]), face(&[1, 3, 2])];
        let mut mesh = Mesh { vertices, faces };
        assert!(is_convex(&mesh));
        mesh.vertices.push([3.0, 3.0, 3.0]);
        assert!(!is_convex(&mesh), "a vertex before a face");
        mesh.vertices.pop();
        mesh.faces[3].corners.reverse();
        assert!(!is_convex(&mesh), "inside out");
        mesh.faces[3] = face(&[0, 1, 2]);
        assert!(!is_convex(&mesh), "open");
        mesh.faces[3] = face(&[1, 3, 9]);
        assert!(!is_convex(&mesh), "no vertex");
    }
}
