//! Makes one mesh of the nodes of a file, for instance sets.

use mapwright_scene::{CornerColumn, Mesh, MeshId, Scene, Transform, UvOrigin, UvSet};

use super::RESOLVED_FROM;
use super::merge::Template;

/// Adds one mesh with all visible meshes of a file to the scene. Returns `None` if it has none.
///
/// The mesh keeps positions, faces, materials and the first texture coordinates.
pub(super) fn flatten(scene: &mut Scene, template: &Template, reference: &str) -> Option<MeshId> {
    let parts = template.visible_meshes();
    let mut all = match parts.as_slice() {
        [] => return None,
        [(mesh, transform)] if transform.is_identity() => scene.meshes.get(*mesh)?.clone(),
        _ => {
            let mut all = Mesh::default();
            for (mesh, transform) in &parts {
                append(&mut all, scene.meshes.get(*mesh)?, transform);
            }
            all
        }
    };
    all.properties.set(RESOLVED_FROM, reference);
    Some(scene.meshes.push(all))
}

/// Appends a transformed mesh.
fn append(all: &mut Mesh, mesh: &Mesh, transform: &Transform) {
    let first = u32::try_from(all.positions.len()).unwrap_or(u32::MAX);
    if all.name.is_empty() {
        all.name.clone_from(&mesh.name);
        all.smoothing = mesh.smoothing;
    }
    all.positions.extend(mesh.positions.iter().map(|position| transform.point(*position)));
    let corners = all.faces.corner_count();
    let had_faces = !all.faces.is_empty();
    // All faces before have normals, or there are none.
    let mut normals = if had_faces { all.normals.take() } else { Some(CornerColumn::new()) };
    let own = mesh.normals.as_ref();
    let mut uvs = Vec::with_capacity(mesh.faces.corner_count());
    for index in 0..mesh.faces.len() {
        let (Some(face), Some(range)) = (mesh.faces.get(index), mesh.faces.corner_range(index)) else { continue };
        let mut face: Vec<(usize, u32)> = range.zip(face.iter().map(|vertex| vertex.saturating_add(first))).collect();
        if transform.mirrors() {
            face.reverse();
        }
        all.faces.push(&face.iter().map(|(_, vertex)| *vertex).collect::<Vec<_>>());
        all.face_materials.push(mesh.face_material(index));
        all.face_flags.push(mesh.flags(index));
        let uv = |corner: usize| mesh.uv_sets.first().and_then(|set| set.at(corner, UvOrigin::TopLeft));
        uvs.extend(face.iter().map(|(corner, _)| uv(*corner)));
        let normal = |corner: usize| own.and_then(|own| own.get(corner)).map(|normal| transform.normal(normal));
        normals = normals.and_then(|mut all| {
            for (corner, _) in &face {
                all.push(Some(normal(*corner)?));
            }
            Some(all)
        });
    }
    all.normals = normals.filter(|normals| !normals.is_empty());
    if uvs.iter().any(Option::is_some) && all.uv_sets.is_empty() {
        all.uv_sets.push(UvSet { corners: CornerColumn::filled(None, corners), ..UvSet::default() });
    }
    if let Some(set) = all.uv_sets.first_mut() {
        set.corners.extend(uvs);
    }
    let moved =
        |edges: &[[u32; 2]]| edges.iter().map(|edge| edge.map(|it| it.saturating_add(first))).collect::<Vec<_>>();
    all.hard_edges.extend(moved(&mesh.hard_edges));
    all.soft_edges.extend(moved(&mesh.soft_edges));
}
