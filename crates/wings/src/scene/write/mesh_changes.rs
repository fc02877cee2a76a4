//! Changes of meshes whose topology stays the same.

use mapwright_scene::{ColorSet, Mesh, Smoothing, UvOrigin, UvSet};

use super::face_names::FaceNames;
use crate::{Edge, Object, Rings};

/// Changes an object from the mesh `old` to the mesh `new`. Returns `false`, and changes nothing, if winged edges must be
/// built again because the topology differs.
pub(super) fn change_mesh(object: &mut Object, rings: &Rings, old: &Mesh, new: &Mesh, names: &FaceNames) -> bool {
    let has_same_topology = old.faces == new.faces
        && old.positions.len() == new.positions.len()
        && old.face_flags == new.face_flags
        && new.normals.is_none()
        && new.smoothing == Smoothing::Smooth;
    let has_partial_uvs = new.uv_sets.first().is_some_and(|set| set.has_partial_faces(&new.faces));
    if !has_same_topology || (has_partial_uvs && old.uv_sets != new.uv_sets) {
        return false;
    }
    object.mesh.vertices.clone_from(&new.positions);
    if old.hard_edges != new.hard_edges {
        let is_hard =
            |edge: &Edge| new.hard_edges.binary_search(&[edge.start.min(edge.end), edge.start.max(edge.end)]).is_ok();
        let edges = (0..).zip(&object.mesh.edges).filter(|(_, edge)| is_hard(edge)).map(|(number, _)| number);
        object.mesh.hard_edges = edges.collect();
    }
    let uv = |set: &UvSet, corner| set.at(corner, UvOrigin::LowerLeft);
    for (index, corner) in rings.corners.iter().enumerate() {
        let wing = object.mesh.edges[corner.edge as usize].wing_mut(corner.side);
        if old.uv_sets != new.uv_sets {
            wing.uv = new.uv_sets.first().and_then(|set| uv(set, index));
        }
        if old.color_sets != new.color_sets {
            let color = |set: &ColorSet| set.corners.get(index).unwrap_or([1.0; 4]);
            let (before, after) = (old.color_sets.first().map(color), new.color_sets.first().map(color));
            if before != after {
                wing.color = after.map(|[r, g, b, _]| [r, g, b]);
            }
        }
    }
    for (index, &face) in rings.faces.iter().enumerate() {
        let (before, after) = (old.face_material(index), new.face_material(index));
        if before != after || names.is_renamed(after) {
            let face = face as usize;
            // The list may be too short: missing entries are `default`. A face number beyond all sides of edges is not
            // worth the memory.
            if object.mesh.faces.len() <= face && face < object.mesh.edges.len().saturating_mul(2) {
                object.mesh.faces.resize(face + 1, None);
            }
            if let Some(entry) = object.mesh.faces.get_mut(face) {
                *entry = names.find(after).cloned();
            }
        }
    }
    true
}
