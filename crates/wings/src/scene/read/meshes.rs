//! Winged edges → polygon meshes.

use mapwright_io::format_count;
use std::collections::BTreeSet;

use mapwright_scene::{ColorSet, FaceFlags, Faces, Losses, Mesh, UvOrigin, UvSet};

use super::materials::MaterialNames;
use crate::scene::materials::{DEFAULT, HOLE};
use crate::scene::report::report_extras;
use crate::{Name, Object, PolygonCorner, Rings, WingedMesh};

/// Converts the mesh of an object. The rings give the origin of each face and corner.
///
/// # Errors
/// The reason if the winged edges are inconsistent.
pub(super) fn read_mesh(
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
        let what =
            format!("edges of {} outside the ring of the lowest-numbered edge", format_count(split.len(), "face"));
        losses.dropped(path, what);
    }
    let mut mesh =
        Mesh { name: object.name.as_str().to_owned(), positions: winged.vertices.clone(), ..Mesh::default() };
    let corners: Vec<PolygonCorner> = rings
        .corners
        .iter()
        .map(|&corner| winged.polygon_corner(corner).expect("rings contain only edges of their mesh"))
        .collect();
    mesh.faces = Faces::with_capacity(rings.faces.len(), corners.len());
    let mut vertices = Vec::new();
    let mut start = 0;
    for &end in &rings.ends {
        vertices.clear();
        vertices.extend(corners[start..end].iter().map(|corner| corner.vertex));
        if vertices.len() < 2 {
            return Err("a face has only one corner".to_owned());
        }
        mesh.faces.push(&vertices);
        start = end;
    }
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
    let missing = winged.hard_edges.iter().filter(|&&edge| edge as usize >= winged.edges.len()).count();
    if missing > 0 {
        losses.dropped(path, format_count(missing, "missing hard edge"));
    }
    report_extras(winged, path, losses);
    Ok((mesh, rings))
}

/// Reads the materials and flags of the faces, and the mirror.
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
        let is_old_hole = materials.has_holes && name == HOLE;
        let name = if is_old_hole { DEFAULT } else { name };
        let id = materials.ids.get(name).copied();
        if id.is_none() && name != DEFAULT {
            unknown.insert(name);
        }
        ids.push(id.or_else(|| materials.ids.get(DEFAULT).copied()));
        flags.push(match face {
            _ if is_old_hole || holes.binary_search(&face).is_ok() => FaceFlags::HIDDEN.with(FaceFlags::HOLE),
            face if face < hidden => FaceFlags::HIDDEN,
            _ => FaceFlags::NONE,
        });
    }
    for name in unknown {
        losses.approximated(path, format!("faces with the missing material {name:?}, now with the default one"));
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

/// Returns the hard edges as pairs of vertices, sorted and without duplicates.
fn hard_edges(mesh: &WingedMesh) -> Vec<[u32; 2]> {
    let edges = mesh.hard_edges.iter().filter_map(|&edge| mesh.edges.get(edge as usize));
    let mut pairs: Vec<[u32; 2]> =
        edges.map(|edge| [edge.start.min(edge.end), edge.start.max(edge.end)]).filter(|[a, b]| a < b).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
