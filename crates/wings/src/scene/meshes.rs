//! Winged edges ⇄ polygon meshes.

use std::collections::{BTreeSet, HashMap};

use mapwright_scene::{
    ColorSet, FaceFlags, Faces, LossKind, Losses, MaterialId, Mesh, Smoothing, Transform, UvOrigin, UvSet,
};

use super::Weld;
use super::materials::FaceNames;
use crate::winged::same_places;
use crate::{Name, Object, PolygonCorner, Polygons, RepairKind, Rings, WingedMesh};

/// The material `default`, and the one that makes faces holes in files of 1.1.10 and before.
pub(super) const DEFAULT: &str = "default";
pub(super) const HOLE: &str = "_hole_";

/// Materials by name, as faces refer to them.
#[derive(Debug, Default)]
pub(super) struct MaterialNames {
    pub(super) ids: HashMap<String, MaterialId>,
    /// Whether the file says that faces of `'_hole_'` are holes.
    pub(super) holes: bool,
}

/// Makes a mesh of an object, with the rings that say where its corners are in the file; or says why it cannot be one.
pub(super) fn read(
    object: &Object,
    materials: &MaterialNames,
    path: &str,
    losses: &mut Losses,
) -> Result<(Mesh, Rings), String> {
    let winged = &object.mesh;
    let (rings, split) = winged.lowest_rings().map_err(|error| error.to_string())?;
    if let Some(edge) = winged.edges.iter().position(|edge| edge.start.max(edge.end) as usize >= winged.vertices.len())
    {
        return Err(format!("edge {edge} has a vertex that does not exist"));
    }
    if !split.is_empty() {
        let what = format!("edges of {} faces that are not in the same ring as the lowest-numbered one", split.len());
        losses.dropped(path, what);
    }
    let mut mesh =
        Mesh { name: object.name.as_str().to_owned(), positions: winged.vertices.clone(), ..Mesh::default() };
    let corners: Vec<PolygonCorner> =
        rings.corners.iter().filter_map(|&corner| winged.polygon_corner(corner)).collect();
    let mut faces = Faces::with_capacity(rings.faces.len(), corners.len());
    let mut vertices = Vec::new();
    let mut start = 0;
    for &end in &rings.ends {
        vertices.clear();
        vertices.extend(corners.get(start..end).unwrap_or_default().iter().map(|corner| corner.vertex));
        if vertices.len() < 2 {
            return Err("a face has only one corner".to_owned());
        }
        faces.push(&vertices);
        start = end;
    }
    mesh.faces = faces;
    if corners.iter().any(|corner| corner.uv.is_some()) {
        let corners = corners.iter().map(|corner| corner.uv).collect();
        mesh.uv_sets = vec![UvSet { name: String::new(), origin: UvOrigin::LowerLeft, corners }];
    }
    if corners.iter().any(|corner| corner.color.is_some()) {
        let color = |corner: &PolygonCorner| {
            let [r, g, b] = corner.color.unwrap_or([1.0; 3]);
            Some([r, g, b, 1.0])
        };
        mesh.color_sets = vec![ColorSet { name: String::new(), corners: corners.iter().map(color).collect() }];
    }
    read_faces(object, &rings, materials, &mut mesh, path, losses);
    mesh.hard_edges = hard_edges(winged);
    let lost = winged.hard_edges.iter().filter(|&&edge| edge as usize >= winged.edges.len()).count();
    if lost > 0 {
        losses.dropped(path, format!("{lost} hard edges that do not exist"));
    }
    report_extras(winged, path, losses);
    Ok((mesh, rings))
}

/// Reports that objects have no places but those of their vertices.
pub(super) fn report_place(world: &Transform, path: &str, losses: &mut Losses) {
    if !world.is_identity() {
        losses.approximated(path, "transform, applied to the vertices: a mesh stands at 0");
    }
}

/// Reports what is not understood in the entries of a mesh.
pub(super) fn report_extras(mesh: &WingedMesh, path: &str, losses: &mut Losses) {
    if !mesh.extras.is_empty() {
        losses.dropped(path, format!("{} unknown terms in entries of the mesh", mesh.extras.len()));
    }
}

/// Materials and flags of the faces, and the mirror.
fn read_faces(
    object: &Object,
    rings: &Rings,
    materials: &MaterialNames,
    mesh: &mut Mesh,
    path: &str,
    losses: &mut Losses,
) {
    let mut unknown: BTreeSet<&str> = BTreeSet::new();
    let mut ids = Vec::with_capacity(rings.faces.len());
    let hidden = object.hidden_faces();
    let mut holes = object.holes();
    holes.sort_unstable();
    let mut flags = Vec::with_capacity(rings.faces.len());
    for &face in &rings.faces {
        let name = object.mesh.faces.get(face as usize).and_then(Option::as_ref).map_or(DEFAULT, Name::as_str);
        let old_hole = materials.holes && name == HOLE;
        let name = if old_hole { DEFAULT } else { name };
        let id = materials.ids.get(name).copied();
        if id.is_none() && name != DEFAULT {
            unknown.insert(name);
        }
        ids.push(id.or_else(|| materials.ids.get(DEFAULT).copied()));
        let hole = FaceFlags::HIDDEN.with(FaceFlags::HOLE);
        flags.push(match face {
            _ if old_hole || holes.binary_search(&face).is_ok() => hole,
            face if face < hidden => FaceFlags::HIDDEN,
            _ => FaceFlags::NONE,
        });
    }
    for name in unknown {
        losses
            .approximated(path, format!("faces of the material {name:?}, which does not exist, have the default one"));
    }
    if ids.iter().any(Option::is_some) {
        mesh.face_materials = ids;
    }
    if flags.iter().any(|flags| !flags.is_empty()) {
        mesh.face_flags = flags;
    }
    if let Some(mirror) = object.mirror_face() {
        match rings.faces.binary_search(&mirror) {
            Ok(face) => mesh.mirror = u32::try_from(face).ok(),
            Err(_) => losses.dropped(path, "mirror face that does not exist"),
        }
    }
}

/// The hard edges by their vertices: sorted, without doubles.
fn hard_edges(mesh: &WingedMesh) -> Vec<[u32; 2]> {
    let edges = mesh.hard_edges.iter().filter_map(|&edge| mesh.edges.get(edge as usize));
    let mut pairs: Vec<[u32; 2]> =
        edges.map(|edge| [edge.start.min(edge.end), edge.start.max(edge.end)]).filter(|[a, b]| a < b).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// What of a mesh Wings cannot say, whatever happens to the rest.
pub(super) fn report(mesh: &Mesh, names: &FaceNames, path: &str, losses: &mut Losses) {
    if names.has_default() && (0..mesh.faces.len()).any(|face| mesh.face_material(face).is_none()) {
        losses.approximated(path, "faces without a material, which have the one that is called default");
    }
    let partial = (0..mesh.faces.len()).filter(|&face| uv_count(mesh, face) == UvCount::Some).count();
    if partial > 0 {
        losses.dropped(path, format!("texture coordinates of {partial} faces that have them on some corners only"));
    }
    if let Some(set) = mesh.color_sets.first() {
        let white = set.corners.iter().filter(|color| color.is_none()).count();
        if white > 0 {
            losses.synthesized(path, format!("white for {white} corners without a colour"));
        }
        if set.corners.iter().flatten().any(|color| color[3] != 1.0) {
            losses.dropped(path, "opacity of corner colours");
        }
        if !set.name.is_empty() {
            losses.dropped(path, format!("name {:?} of a set of colours", set.name));
        }
    }
    if let Some(set) = mesh.uv_sets.first() {
        let bent = |[_, v]: &[f64; 2]| 1.0 - (1.0 - v) != *v;
        if set.origin == UvOrigin::TopLeft && set.corners.iter().flatten().any(bent) {
            losses.approximated(path, "texture coordinates, by rounding as v is turned over");
        }
        if !set.name.is_empty() {
            losses.dropped(path, format!("name {:?} of a set of texture coordinates", set.name));
        }
    }
    if mesh.normals.is_some() && mesh.hard_edges.is_empty() {
        losses.approximated(path, "normals, as hard edges where they split");
    } else if mesh.normals.is_some() {
        losses.dropped(path, "normals; they follow from the hard edges");
    }
    if mesh.smoothing != Smoothing::Smooth {
        losses.approximated(path, "smoothing, as hard edges");
    }
}

/// Whether the corners of a face have texture coordinates.
#[derive(PartialEq, Eq)]
enum UvCount {
    None,
    Some,
    All,
}

fn uv_count(mesh: &Mesh, face: usize) -> UvCount {
    let range = mesh.faces.corner_range(face);
    let corners = mesh.uv_sets.first().zip(range).and_then(|(set, range)| set.corners.get(range)).unwrap_or_default();
    match corners.iter().filter(|uv| uv.is_some()).count() {
        0 => UvCount::None,
        count if count == corners.len() => UvCount::All,
        _ => UvCount::Some,
    }
}

/// A mesh as an object has it, and how its numbers follow from those of the scene.
pub(super) struct Written {
    pub(super) mesh: WingedMesh,
    /// How many faces are hidden, and which of them are holes.
    pub(super) hidden: u32,
    pub(super) holes: Vec<u32>,
    pub(super) mirror: Option<u32>,
    pub(super) numbers: Numbers,
}

/// What the elements of an object are in the mesh of the scene.
pub(super) struct Numbers {
    /// The vertex that each vertex was.
    pub(super) vertices: Vec<u32>,
    /// The vertex that stands for each vertex of the mesh, where some were merged.
    pub(super) same: Vec<u32>,
    /// Faces of the file with the face that each was.
    pub(super) faces: Vec<(u32, u32)>,
}

/// Builds winged edges. `None` if no face is left.
pub(super) fn write(
    mesh: &Mesh,
    world: &Transform,
    names: &FaceNames,
    weld: Weld,
    path: &str,
    losses: &mut Losses,
) -> Option<Written> {
    report(mesh, names, path, losses);
    report_place(world, path, losses);
    let mesh = mesh.transformed(world);
    let flags = |face: u32| mesh.flags(face as usize);
    let is_hidden = |face: &u32| flags(*face).intersects(FaceFlags::HIDDEN.with(FaceFlags::HOLE));
    let all = || 0..u32::try_from(mesh.faces.len()).unwrap_or(u32::MAX);
    // Hidden faces have the lowest numbers.
    let order: Vec<u32> = all().filter(is_hidden).chain(all().filter(|face| !is_hidden(face))).collect();
    let mut built = WingedMesh::from_polygons(&polygons(&mesh, &order, names));
    let mut same = Vec::new();
    if built.holes > 0 && weld == Weld::Open {
        let (places, merged) = same_places(&mesh.positions);
        let welded =
            (merged > 0).then(|| WingedMesh::from_polygons(&polygons(&weld_mesh(&mesh, &places), &order, names)));
        if let Some(mut welded) = welded.filter(|w| w.holes < built.holes && !w.mesh.faces.is_empty()) {
            // The vertices that were merged are what is unused now.
            welded.repairs.retain(|repair| repair.kind != RepairKind::UnusedVertex);
            losses.repaired(path, format!("{merged} vertices merged with others at the same place"));
            built = welded;
            same = places;
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
    let source = |face: Option<u32>| face.and_then(|face| order.get(face as usize).copied());
    let faces: Vec<(u32, Option<u32>)> = (0..).zip(built.faces.iter().map(|&face| source(face))).collect();
    let hidden = faces.iter().filter(|(_, from)| from.as_ref().is_none_or(&is_hidden)).count();
    let is_hole = |from: Option<u32>| from.is_none_or(|face| flags(face).contains(FaceFlags::HOLE));
    let mirror = faces.iter().find(|(_, from)| from.is_some() && *from == mesh.mirror).map(|&(face, _)| face);
    if mesh.mirror.is_some_and(|mirror| is_hidden(&mirror)) {
        losses.dropped(path, "mirror at a hidden face");
    } else if mesh.mirror.is_some() && mirror.is_none() {
        losses.dropped(path, "mirror at a face that was left out");
    }
    Some(Written {
        hidden: u32::try_from(hidden).unwrap_or(u32::MAX),
        holes: faces.iter().filter(|(_, from)| is_hole(*from)).map(|&(face, _)| face).collect(),
        mirror: mirror.filter(|_| !mesh.mirror.as_ref().is_some_and(is_hidden)),
        numbers: Numbers {
            vertices: std::mem::take(&mut built.vertices),
            same,
            faces: faces.iter().filter_map(|&(face, from)| Some((face, from?))).collect(),
        },
        mesh: built.mesh,
    })
}

/// The mesh with one vertex for all at a place.
fn weld_mesh(mesh: &Mesh, same: &[u32]) -> Mesh {
    let mut mesh = mesh.clone();
    let now = |vertex: &mut u32| *vertex = same.get(*vertex as usize).copied().unwrap_or(*vertex);
    mesh.faces.corners_mut().iter_mut().for_each(now);
    for edges in [&mut mesh.hard_edges, &mut mesh.soft_edges] {
        edges.iter_mut().flatten().for_each(now);
        edges.iter_mut().for_each(|edge| edge.sort_unstable());
        edges.retain(|[a, b]| a < b);
        edges.sort_unstable();
        edges.dedup();
    }
    mesh
}

/// The faces in an order, as winged edges are built from.
fn polygons(mesh: &Mesh, order: &[u32], names: &FaceNames) -> Polygons {
    let mut polygons = Polygons { positions: mesh.positions.clone(), ..Polygons::default() };
    let colors = mesh.color_sets.first();
    for &face in order {
        let face = face as usize;
        let (Some(range), Some(vertices)) = (mesh.faces.corner_range(face), mesh.faces.get(face)) else { continue };
        let uvs = mesh.uv_sets.first().filter(|_| uv_count(mesh, face) == UvCount::All);
        let corners = range.zip(vertices).map(|(corner, &vertex)| PolygonCorner {
            vertex,
            uv: uvs.and_then(|set| set.at(corner, UvOrigin::LowerLeft)),
            color: colors.map(|set| {
                let [r, g, b, _] = set.corners.get(corner).copied().flatten().unwrap_or([1.0; 4]);
                [r, g, b]
            }),
        });
        polygons.push(corners, names.of(mesh.face_material(face)));
    }
    polygons.hard_edges = wanted_hard_edges(mesh);
    polygons
}

/// The hard edges of a mesh: those it names, and those that follow from its smoothing or its normals.
fn wanted_hard_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let from_normals = mesh.normals.as_ref().filter(|_| mesh.hard_edges.is_empty());
    if mesh.smoothing == Smoothing::Smooth && from_normals.is_none() {
        return mesh.hard_edges.clone();
    }
    let normals: Vec<Option<[f64; 3]>> = (0..mesh.faces.len()).map(|face| mesh.face_normal(face)).collect();
    let normal = |face: u32| normals.get(face as usize).copied().flatten();
    let sides = mesh.edge_sides();
    let mut hard = mesh.hard_edges.clone();
    for group in sides.chunk_by(|a, b| a.vertices == b.vertices) {
        let [a, b] = group else { continue };
        let is_hard = match (mesh.smoothing, from_normals) {
            _ if mesh.soft_edges.binary_search(&a.vertices).is_ok() => false,
            (_, Some(normals)) => {
                let differ = |i: usize, j: usize| match (normals.get(i), normals.get(j)) {
                    (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() > 1e-7,
                    _ => false,
                };
                let ([a0, a1], [b0, b1]) = (a.corners(), b.corners());
                differ(a0, b0) || differ(a1, b1)
            }
            (Smoothing::Flat, None) => true,
            (Smoothing::Angle(angle), None) => match (normal(a.face), normal(b.face)) {
                (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() < angle.cos(),
                _ => false,
            },
            (Smoothing::Smooth, None) => false,
        };
        if is_hard {
            hard.push(a.vertices);
        }
    }
    hard
}

/// Puts a changed mesh into an object whose topology it has. Returns whether it does: else nothing is done.
pub(super) fn patch(object: &mut Object, rings: &Rings, old: &Mesh, new: &Mesh, names: &FaceNames) -> bool {
    let same_shape = old.faces == new.faces
        && old.positions.len() == new.positions.len()
        && old.face_flags == new.face_flags
        && new.normals.is_none()
        && new.smoothing == Smoothing::Smooth;
    let partial = (0..new.faces.len()).any(|face| uv_count(new, face) == UvCount::Some);
    if !same_shape || (partial && old.uv_sets != new.uv_sets) {
        return false;
    }
    object.mesh.vertices.clone_from(&new.positions);
    if old.hard_edges != new.hard_edges {
        let is_hard = |edge: &crate::Edge| {
            new.hard_edges.binary_search(&[edge.start.min(edge.end), edge.start.max(edge.end)]).is_ok()
        };
        let edges = (0..).zip(&object.mesh.edges).filter(|(_, edge)| is_hard(edge)).map(|(number, _)| number);
        object.mesh.hard_edges = edges.collect();
    }
    let corners = |set: &UvSet, corner| set.at(corner, UvOrigin::LowerLeft);
    for (place, corner) in rings.corners.iter().enumerate() {
        let Some(edge) = object.mesh.edges.get_mut(corner.edge as usize) else { continue };
        let wing = edge.wing_mut(corner.side);
        if old.uv_sets != new.uv_sets {
            wing.uv = new.uv_sets.first().and_then(|set| corners(set, place));
        }
        if old.color_sets != new.color_sets {
            let color = |set: &ColorSet| set.corners.get(place).copied().flatten().unwrap_or([1.0; 4]);
            let (before, after) = (old.color_sets.first().map(color), new.color_sets.first().map(color));
            if before != after {
                wing.color = after.map(|[r, g, b, _]| [r, g, b]);
            }
        }
    }
    for (place, &face) in rings.faces.iter().enumerate() {
        let (before, after) = (old.face_material(place), new.face_material(place));
        if before != after || names.is_renamed(after) {
            let face = face as usize;
            if object.mesh.faces.len() <= face && face < object.mesh.edges.len().saturating_mul(2) {
                object.mesh.faces.resize(face + 1, None);
            }
            if let Some(entry) = object.mesh.faces.get_mut(face) {
                *entry = names.of(after);
            }
        }
    }
    true
}
