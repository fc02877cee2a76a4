//! Polygon meshes → winged edges.

use std::borrow::Cow;

use mapwright_io::format_count;
use mapwright_io::math;
use mapwright_scene::{FaceFlags, LossKind, Losses, Mesh, Smoothing, Transform, UvOrigin};

use super::face_names::FaceNames;
use super::mesh_report::{UvCount, report_mesh, uv_count};
use crate::scene::options::Weld;
use crate::winged::{FaceColumns, Topology, same_places};
use crate::write::MeshSource;
use crate::{Edge, Name, RepairKind};

/// The mesh of an object, and the properties of the object that depend on it.
pub(super) struct WrittenMesh<'a> {
    pub(super) columns: MeshColumns<'a>,
    /// Number of hidden faces.
    pub(super) hidden: u32,
    /// The hidden faces that are holes.
    pub(super) holes: Vec<u32>,
    pub(super) mirror: Option<u32>,
}

/// The winged edges of a mesh of the scene, in columns that take a fraction of the memory of a [`WingedMesh`](crate::WingedMesh).
pub(super) struct MeshColumns<'a> {
    /// The mesh in the space of the scene. Attributes of corners and faces stay in it.
    mesh: Cow<'a, Mesh>,
    topology: Topology,
    /// The faces of the mesh in the order of the object; `None` if it is the same.
    order: Option<Vec<u32>>,
    /// For each vertex of the scene, the one that it was merged with. Empty if none were merged.
    pub(super) merged: Vec<u32>,
}

impl MeshColumns<'_> {
    /// Iterates over the vertices of all edges.
    pub(super) fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..self.topology.edge_count()).map(|edge| self.topology.edge_vertices(edge))
    }

    /// Returns the vertex of the scene that each vertex comes from.
    pub(super) fn vertices(&self) -> &[u32] {
        &self.topology.vertices
    }

    /// Iterates over the faces of the object, each with the face of the scene that it comes from. Added holes have none.
    pub(super) fn faces(&self) -> impl Iterator<Item = (u32, Option<u32>)> {
        (0..self.topology.face_count()).map(|face| (face, self.source(face)))
    }

    /// Returns the face of the scene that a face comes from.
    fn source(&self, face: u32) -> Option<u32> {
        let place = self.topology.face_source(face)?;
        Some(self.order.as_ref().map_or(place, |order| order[place as usize]))
    }
}

/// Edges, faces and vertices with the names of their materials.
pub(super) struct NamedColumns<'c, 'a> {
    pub(super) columns: &'c MeshColumns<'a>,
    pub(super) names: &'c FaceNames,
}

impl MeshSource for NamedColumns<'_, '_> {
    fn edge_count(&self) -> usize {
        self.columns.topology.edge_count() as usize
    }

    fn edge(&self, index: u32) -> Edge {
        let mesh = &self.columns.mesh;
        let (uvs, colors) = (mesh.uv_sets.first(), mesh.color_sets.first());
        self.columns.topology.edge(index, |corner| {
            let corner = corner as usize;
            let color = |[r, g, b, _]: [f32; 4]| [r, g, b];
            (
                uvs.and_then(|set| set.at(corner, UvOrigin::LowerLeft)),
                colors.map(|set| color(set.corners.get(corner).unwrap_or([1.0; 4]))),
            )
        })
    }

    fn face_count(&self) -> usize {
        self.columns.topology.face_count() as usize
    }

    fn face(&self, index: u32) -> Option<&Name> {
        self.names.find(self.columns.mesh.face_material(self.columns.source(index)? as usize))
    }

    fn vertex_count(&self) -> usize {
        self.columns.topology.vertices.len()
    }

    fn vertex(&self, index: u32) -> [f64; 3] {
        self.columns.mesh.positions[self.columns.topology.vertices[index as usize] as usize]
    }

    fn hard_edges(&self) -> &[u32] {
        &self.columns.topology.hard_edges
    }

    fn has_finite_attributes(&self) -> bool {
        let (uvs, colors) = (self.columns.mesh.uv_sets.first(), self.columns.mesh.color_sets.first());
        uvs.is_none_or(|set| set.corners.rows().iter().flatten().all(|x| x.is_finite()))
            && colors.is_none_or(|set| set.corners.rows().iter().flatten().all(|x| x.is_finite()))
    }
}

/// Builds winged edges. Returns `None` if no face is left.
pub(super) fn write_mesh<'a>(
    mesh: Cow<'a, Mesh>,
    world: &Transform,
    names: &FaceNames,
    weld: Weld,
    path: &str,
    losses: &mut Losses,
) -> Option<WrittenMesh<'a>> {
    report_mesh(&mesh, world, names, path, losses);
    let mut mesh = transform_mesh(mesh, world);
    let flags = |mesh: &Mesh, face: u32| mesh.flags(face as usize);
    let is_hidden = |mesh: &Mesh, face: u32| flags(mesh, face).intersects(FaceFlags::HIDDEN.with(FaceFlags::HOLE));
    // Wings stores only the number of hidden faces, so they must come first.
    let all = || 0..u32::try_from(mesh.faces.len()).unwrap_or(u32::MAX);
    let order: Option<Vec<u32>> = all().any(|face| is_hidden(&mesh, face)).then(|| {
        let (hidden, shown): (Vec<u32>, Vec<u32>) = all().partition(|&face| is_hidden(&mesh, face));
        [hidden, shown].concat()
    });
    let mut topology = build_topology(&mesh, order.as_deref());
    let mut merged_vertices = Vec::new();
    // Weld only after building: only that shows if the mesh is open, and if welding closes any of its holes.
    if topology.holes > 0 && weld == Weld::Open {
        let (places, merged) = same_places(&mesh.positions);
        let welded = (merged > 0).then(|| build_topology(&weld_mesh(&mesh, &places), order.as_deref()));
        if let Some(mut welded) = welded.filter(|w| w.holes < topology.holes && w.face_count() > 0) {
            // Merged vertices are the unused ones. They are reported as merged.
            welded.repairs.retain(|repair| repair.kind != RepairKind::UnusedVertex);
            losses
                .repaired(path, format!("{} merged with others at the same position", format_count(merged, "vertex")));
            topology = welded;
            merged_vertices = places;
        }
    }
    for repair in &topology.repairs {
        let kind = if repair.kind == RepairKind::OpenSurface { LossKind::Synthesized } else { LossKind::Repaired };
        losses.push(kind, path, repair.to_string());
    }
    if topology.face_count() == 0 {
        losses.dropped(path, "mesh without a face");
        return None;
    }
    clear_partial_uvs(&mut mesh);
    let mut columns = MeshColumns { mesh, topology, order, merged: merged_vertices };
    let mesh = &*columns.mesh;
    let is_hole = |origin: Option<u32>| origin.is_none_or(|face| flags(mesh, face).contains(FaceFlags::HOLE));
    let hidden = columns.faces().filter(|(_, origin)| origin.is_none_or(|face| is_hidden(mesh, face))).count();
    let holes = columns.faces().filter(|(_, origin)| is_hole(*origin)).map(|(face, _)| face).collect();
    let mut mirror =
        columns.faces().find(|(_, origin)| origin.is_some() && *origin == mesh.mirror).map(|(face, _)| face);
    if mesh.mirror.is_some_and(|mirror| is_hidden(mesh, mirror)) {
        losses.dropped(path, "mirror at a hidden face");
        mirror = None;
    } else if mesh.mirror.is_some() && mirror.is_none() {
        losses.dropped(path, "mirror at a face that was left out");
    }
    drop_unused_columns(&mut columns.mesh);
    Some(WrittenMesh { hidden: u32::try_from(hidden).unwrap_or(u32::MAX), holes, mirror, columns })
}

/// Frees the columns of a copied mesh that are not needed once its winged edges are built. A scene may have many copies.
fn drop_unused_columns(mesh: &mut Cow<'_, Mesh>) {
    let Cow::Owned(mesh) = mesh else { return };
    let Mesh { positions, face_materials, uv_sets, color_sets, .. } = std::mem::take(mesh);
    let uv_sets = uv_sets.into_iter().take(1).collect();
    let color_sets = color_sets.into_iter().take(1).collect();
    *mesh = Mesh { positions, face_materials, uv_sets, color_sets, ..Mesh::default() };
}

/// Returns the mesh in the space of the scene.
fn transform_mesh<'a>(mesh: Cow<'a, Mesh>, world: &Transform) -> Cow<'a, Mesh> {
    match world.is_identity() {
        true => mesh,
        false => Cow::Owned(mesh.transformed(world).into_owned()),
    }
}

/// Removes the texture coordinates of faces that are mapped at some of their corners only. They are reported.
fn clear_partial_uvs(mesh: &mut Cow<'_, Mesh>) {
    if mesh.uv_sets.first().is_none_or(|set| !set.has_partial_faces(&mesh.faces)) {
        return;
    }
    let partial: Vec<usize> = (0..mesh.faces.len()).filter(|&face| uv_count(mesh, face) == UvCount::Some).collect();
    let mesh = mesh.to_mut();
    for face in partial {
        let range = mesh.faces.corner_range(face).unwrap_or_default();
        mesh.uv_sets.first_mut().into_iter().for_each(|set| set.corners.clear(range.clone()));
    }
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

/// Builds the winged edges of the faces in the given order.
fn build_topology(mesh: &Mesh, order: Option<&[u32]>) -> Topology {
    Topology::new(FaceColumns {
        positions: &mesh.positions,
        vertices: mesh.faces.corners(),
        ends: mesh.faces.ends(),
        order,
        hard_edges: &collect_hard_edges(mesh),
    })
}

/// Returns the hard edges of a mesh, with those that follow from its smoothing or its normals.
fn collect_hard_edges(mesh: &Mesh) -> Cow<'_, [[u32; 2]]> {
    let from_normals = mesh.normals.as_ref().filter(|_| mesh.hard_edges.is_empty());
    if mesh.smoothing == Smoothing::Smooth && from_normals.is_none() {
        return Cow::Borrowed(&mesh.hard_edges);
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
    Cow::Owned(hard)
}
