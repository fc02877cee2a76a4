//! Polygon meshes → winged edges.

use mapwright_io::format_count;
use mapwright_io::math;
use mapwright_scene::{FaceFlags, LossKind, Losses, Mesh, Smoothing, Transform, UvOrigin};

use super::face_names::FaceNames;
use super::mesh_report::{UvCount, report_mesh, uv_count};
use crate::scene::options::Weld;
use crate::winged::same_places;
use crate::{PolygonCorner, Polygons, RepairKind, WingedMesh};

/// The mesh of an object, and the properties of the object that depend on it.
pub(super) struct WrittenMesh {
    pub(super) mesh: WingedMesh,
    /// Number of hidden faces.
    pub(super) hidden: u32,
    /// The hidden faces that are holes.
    pub(super) holes: Vec<u32>,
    pub(super) mirror: Option<u32>,
    pub(super) origins: ElementOrigins,
}

/// The elements of the scene's mesh that the elements of an object come from.
pub(super) struct ElementOrigins {
    /// The vertex of the scene that each vertex comes from.
    pub(super) vertices: Vec<u32>,
    /// For each vertex of the scene, the one that it was merged with. Empty if none were merged.
    pub(super) merged: Vec<u32>,
    /// Faces of the file, each with the face of the scene.
    pub(super) faces: Vec<(u32, u32)>,
}

/// Builds winged edges. Returns `None` if no face is left.
pub(super) fn write_mesh(
    mesh: &Mesh,
    world: &Transform,
    names: &FaceNames,
    weld: Weld,
    path: &str,
    losses: &mut Losses,
) -> Option<WrittenMesh> {
    report_mesh(mesh, world, names, path, losses);
    let mesh = mesh.transformed(world);
    let flags = |face: u32| mesh.flags(face as usize);
    let is_hidden = |face: &u32| flags(*face).intersects(FaceFlags::HIDDEN.with(FaceFlags::HOLE));
    // Wings stores only the number of hidden faces, so they must come first.
    let all = || 0..u32::try_from(mesh.faces.len()).unwrap_or(u32::MAX);
    let order: Vec<u32> = all().filter(is_hidden).chain(all().filter(|face| !is_hidden(face))).collect();
    let mut built = WingedMesh::from_polygons(&to_polygons(&mesh, &order, names));
    let mut merged_vertices = Vec::new();
    // Weld only after building: only that shows if the mesh is open, and if welding closes any of its holes.
    if built.holes > 0 && weld == Weld::Open {
        let (places, merged) = same_places(&mesh.positions);
        let welded =
            (merged > 0).then(|| WingedMesh::from_polygons(&to_polygons(&weld_mesh(&mesh, &places), &order, names)));
        if let Some(mut welded) = welded.filter(|w| w.holes < built.holes && !w.mesh.faces.is_empty()) {
            // Merged vertices are the unused ones. They are reported as merged.
            welded.repairs.retain(|repair| repair.kind != RepairKind::UnusedVertex);
            losses
                .repaired(path, format!("{} merged with others at the same position", format_count(merged, "vertex")));
            built = welded;
            merged_vertices = places;
        }
    }
    for repair in &built.repairs {
        let kind = if repair.kind == RepairKind::OpenSurface { LossKind::Synthesized } else { LossKind::Repaired };
        losses.push(kind, path, repair.to_string());
    }
    if built.mesh.faces.is_empty() {
        losses.dropped(path, "mesh without a face");
        return None;
    }
    // Added hole faces have no origin.
    let origins = built.faces.iter().map(|face| face.map(|face| order[face as usize]));
    let faces: Vec<(u32, Option<u32>)> = (0..).zip(origins).collect();
    let hidden = faces.iter().filter(|(_, origin)| origin.as_ref().is_none_or(&is_hidden)).count();
    let is_hole = |origin: Option<u32>| origin.is_none_or(|face| flags(face).contains(FaceFlags::HOLE));
    let mut mirror = faces.iter().find(|(_, origin)| origin.is_some() && *origin == mesh.mirror).map(|&(face, _)| face);
    if mesh.mirror.is_some_and(|mirror| is_hidden(&mirror)) {
        losses.dropped(path, "mirror at a hidden face");
        mirror = None;
    } else if mesh.mirror.is_some() && mirror.is_none() {
        losses.dropped(path, "mirror at a face that was left out");
    }
    Some(WrittenMesh {
        hidden: u32::try_from(hidden).unwrap_or(u32::MAX),
        holes: faces.iter().filter(|(_, origin)| is_hole(*origin)).map(|&(face, _)| face).collect(),
        mirror,
        origins: ElementOrigins {
            vertices: std::mem::take(&mut built.vertices),
            merged: merged_vertices,
            faces: faces.iter().filter_map(|&(face, origin)| Some((face, origin?))).collect(),
        },
        mesh: built.mesh,
    })
}

/// Returns the mesh with vertices replaced by the first one at the same position.
fn weld_mesh(mesh: &Mesh, places: &[u32]) -> Mesh {
    let mut mesh = mesh.clone();
    let weld = |vertex: &mut u32| *vertex = places[*vertex as usize];
    mesh.faces.corners_mut().iter_mut().for_each(weld);
    for edges in [&mut mesh.hard_edges, &mut mesh.soft_edges] {
        edges.iter_mut().flatten().for_each(weld);
        edges.iter_mut().for_each(|edge| edge.sort_unstable());
        edges.retain(|[a, b]| a < b);
        edges.sort_unstable();
        edges.dedup();
    }
    mesh
}

/// Converts the faces, in the given order, to the input of [`WingedMesh::from_polygons`].
fn to_polygons(mesh: &Mesh, order: &[u32], names: &FaceNames) -> Polygons {
    let mut polygons = Polygons { positions: mesh.positions.clone(), ..Polygons::default() };
    let colors = mesh.color_sets.first();
    let is_mapped = mesh.uv_sets.first().is_some_and(|set| set.corners.is_complete());
    for &face in order {
        let face = face as usize;
        let (range, vertices) =
            mesh.faces.corner_range(face).zip(mesh.faces.get(face)).expect("the order contains only faces of the mesh");
        let uvs = mesh.uv_sets.first().filter(|_| is_mapped || uv_count(mesh, face) == UvCount::All);
        let corners = range.zip(vertices).map(|(corner, &vertex)| PolygonCorner {
            vertex,
            uv: uvs.and_then(|set| set.at(corner, UvOrigin::LowerLeft)),
            color: colors.map(|set| {
                let [r, g, b, _] = set.corners.get(corner).unwrap_or([1.0; 4]);
                [r, g, b]
            }),
        });
        polygons.push(corners, names.find(mesh.face_material(face)));
    }
    polygons.hard_edges = collect_hard_edges(mesh);
    polygons
}

/// Returns the hard edges of a mesh, with those that follow from its smoothing or its normals.
fn collect_hard_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let from_normals = mesh.normals.as_ref().filter(|_| mesh.hard_edges.is_empty());
    if mesh.smoothing == Smoothing::Smooth && from_normals.is_none() {
        return mesh.hard_edges.clone();
    }
    let normals: Vec<Option<[f64; 3]>> = (0..mesh.faces.len()).map(|face| mesh.face_normal(face)).collect();
    let mut hard = mesh.hard_edges.clone();
    mesh.for_each_edge(|sides| {
        // Only edges between two faces can be hard.
        let [a, b] = sides else { return };
        let is_hard = match (mesh.smoothing, from_normals) {
            _ if mesh.soft_edges.binary_search(&a.vertices).is_ok() => false,
            (_, Some(normals)) => {
                let differ = |i: usize, j: usize| match (normals.get(i), normals.get(j)) {
                    (Some(a), Some(b)) => a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() > 1e-7,
                    _ => false,
                };
                let ([a0, a1], [b0, b1]) = (a.corners(), b.corners());
                differ(a0, b0) || differ(a1, b1)
            }
            (Smoothing::Flat, None) => true,
            (Smoothing::Angle(angle), None) => match (normals[a.face as usize], normals[b.face as usize]) {
                (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() < math::cos(angle),
                _ => false,
            },
            (Smoothing::Smooth, None) => false,
        };
        if is_hard {
            hard.push(a.vertices);
        }
    });
    hard
}
