//! Reports of properties of meshes that Wings cannot store.

use mapwright_io::format_count;
use mapwright_scene::{Losses, Mesh, Smoothing, Transform, UvOrigin};

use super::face_names::FaceNames;

/// Number of the corners of a face with texture coordinates.
#[derive(PartialEq, Eq)]
pub(super) enum UvCount {
    None,
    Some,
    All,
}

pub(super) fn uv_count(mesh: &Mesh, face: usize) -> UvCount {
    let range = mesh.faces.corner_range(face);
    let Some((set, range)) = mesh.uv_sets.first().zip(range) else { return UvCount::None };
    let corners = set.corners.range(range);
    let all = corners.len();
    match corners.flatten().count() {
        0 => UvCount::None,
        count if count == all => UvCount::All,
        _ => UvCount::Some,
    }
}

/// Reports properties that are lost in new and in changed objects.
pub(super) fn report_mesh(mesh: &Mesh, world: &Transform, names: &FaceNames, path: &str, losses: &mut Losses) {
    if names.has_default() && (0..mesh.faces.len()).any(|face| mesh.face_material(face).is_none()) {
        losses.approximated(path, "faces without a material: now with the default material");
    }
    if mesh.uv_sets.first().is_some_and(|set| set.has_partial_faces(&mesh.faces)) {
        let partial = (0..mesh.faces.len()).filter(|&face| uv_count(mesh, face) == UvCount::Some).count();
        losses.dropped(path, format!("texture coordinates of {}", format_count(partial, "partly mapped face")));
    }
    if let Some(set) = mesh.color_sets.first() {
        let white = set.corners.iter().filter(Option::is_none).count();
        if white > 0 {
            // Programs show such corners in white.
            losses.preserved(path, format!("white for {}", format_count(white, "uncoloured face corner")));
        }
        if set.corners.iter().flatten().any(|color| color[3] != 1.0) {
            losses.dropped(path, "alpha of corner colours");
        }
        if !set.name.is_empty() {
            losses.dropped(path, format!("name {:?} of a set of colours", set.name));
        }
    }
    if let Some(set) = mesh.uv_sets.first() {
        let is_rounded = |[_, v]: [f64; 2]| 1.0 - (1.0 - v) != v;
        if set.origin == UvOrigin::TopLeft && set.corners.iter().flatten().any(is_rounded) {
            losses.approximated(path, "texture coordinates, rounded when v is flipped");
        }
        if !set.name.is_empty() {
            losses.dropped(path, format!("name {:?} of a set of texture coordinates", set.name));
        }
    }
    if mesh.normals.is_some() && mesh.hard_edges.is_empty() {
        losses.approximated(path, "normals, as hard edges where they split");
    } else if mesh.normals.is_some() {
        losses.dropped(path, "normals; Wings computes them from the hard edges");
    }
    if mesh.smoothing != Smoothing::Smooth {
        losses.approximated(path, "smoothing, as hard edges");
    }
    if !world.is_identity() {
        losses.approximated(path, "transform, applied to the vertices");
    }
}
