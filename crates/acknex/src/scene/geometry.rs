//! Builds meshes of scenes from triangles.

use std::collections::HashMap;

use mapwright_io::escape_bytes;
use mapwright_scene::{Attribute, CornerColumn, Domain, Import, Losses, MaterialId, Mesh, Smoothing, UvSet};

use super::{AXES, Frames, ImportOptions};
use crate::{Repairs, mesh};

/// Creates a mesh from groups of triangles, in the animation frame of the options. `materials` contains the material of each skin.
pub(super) fn build_mesh(
    groups: &[mesh::Mesh],
    materials: &[Option<MaterialId>],
    options: &ImportOptions,
    losses: &mut Losses,
) -> Mesh {
    let mut built = Mesh { name: options.name.clone(), smoothing: Smoothing::Smooth, ..Mesh::default() };
    let mut uvs = UvSet::default();
    let mut replaced: usize = 0;
    for group in groups {
        let first = u32::try_from(built.positions.len()).unwrap_or(u32::MAX);
        for (position, fallback) in group.pose(options.frame).iter().zip(&group.positions) {
            let position = [position, fallback].into_iter().find(|it| it.iter().all(|number| number.is_finite()));
            // Only vertices of the first pose that triangles use are known to be finite.
            replaced = replaced.saturating_add(usize::from(position.is_none()));
            built.positions.push(AXES.apply(position.copied().unwrap_or_default().map(f64::from)));
        }
        for triangle in &group.triangles {
            // Files store triangles clockwise, scenes counter-clockwise.
            let [a, b, c] = triangle.vertices.map(|vertex| vertex.saturating_add(first));
            built.faces.push(&[c, b, a]);
            let skin = triangle.skin.and_then(|skin| usize::try_from(skin).ok());
            built.face_materials.push(skin.and_then(|skin| materials.get(skin).copied().flatten()));
            match triangle.uvs {
                Some(corners) => uvs.corners.extend(corners.iter().rev().map(|uv| Some(uv.map(f64::from)))),
                None => uvs.corners.extend([None; 3]),
            }
        }
    }
    if replaced > 0 {
        losses.repaired("vertices", format!("positions that are not finite: {replaced}, moved to the origin"));
    }
    if uvs.corners.has_values() {
        built.uv_sets.push(uvs);
    }
    built.normals = (options.frame == 0).then(|| stored_normals(groups)).flatten();
    built.attributes = frame_attributes(groups, options, losses);
    built
}

/// Returns the normal of each corner, if all groups store valid normals.
fn stored_normals(groups: &[mesh::Mesh]) -> Option<CornerColumn<[f64; 3]>> {
    let mut corners = CornerColumn::new();
    for group in groups {
        for vertex in group.triangles.iter().flat_map(|triangle| triangle.vertices.into_iter().rev()) {
            let normal = group.normals.get(usize::try_from(vertex).ok()?)?.map(f64::from);
            let length = normal.iter().map(|number| number * number).sum::<f64>().sqrt();
            if !length.is_normal() {
                return None;
            }
            corners.push(Some(AXES.apply(normal.map(|number| number / length))));
        }
    }
    (!corners.is_empty()).then_some(corners)
}

/// Returns the offsets of vertices in all frames but the first. Reports these frames instead if the options leave them out.
fn frame_attributes(groups: &[mesh::Mesh], options: &ImportOptions, losses: &mut Losses) -> Vec<Attribute> {
    let count = groups.iter().map(|group| group.frames.len()).max().unwrap_or(0);
    let is_moving = |frame: &mesh::Frame| !frame.positions.is_empty();
    let moving = |frame: &usize| groups.iter().any(|group| group.frames.get(*frame).is_some_and(is_moving));
    let frames: Vec<usize> = (1..count).filter(moving).collect();
    if options.frames == Frames::LeaveOut {
        if !frames.is_empty() {
            losses.dropped("frames", format!("animation frames: {}", frames.len()));
        }
        return Vec::new();
    }
    let mut names: HashMap<String, usize> = HashMap::new();
    let attribute = |&frame: &usize| {
        let name = groups.iter().find_map(|group| group.frames.get(frame)).map(|frame| escape_bytes(frame.name.text()));
        let name = name.unwrap_or_default();
        // Attributes need unique names, but frames may share a name.
        let uses = names.entry(name.clone()).or_default();
        *uses = uses.saturating_add(1);
        let name = if *uses > 1 { format!("morph:{name}#{uses}") } else { format!("morph:{name}") };
        let mut values = Vec::new();
        for group in groups {
            for (to, from) in group.pose(frame).iter().zip(&group.positions) {
                let [x, y, z] = to.map(f64::from);
                let [a, b, c] = from.map(f64::from);
                let offset = [x - a, y - b, z - c].map(|number| if number.is_finite() { number } else { 0.0 });
                values.extend(AXES.apply(offset));
            }
        }
        Attribute { name, domain: Domain::Vertex, width: 3, values }
    };
    frames.iter().map(attribute).collect()
}

/// Reports the records that the reader replaced.
pub(super) fn report_repairs(repairs: &Repairs, losses: &mut Losses) {
    for (count, text) in [
        (repairs.triangles, "triangles with missing vertices, left out"),
        (repairs.uvs, "missing texture coordinates, now (0, 0)"),
        (repairs.skins, "triangles with missing skins, now without a material"),
    ] {
        if count > 0 {
            losses.repaired("triangles", format!("{text}: {count}"));
        }
    }
}

/// Adds a mesh and its node to a scene.
pub(super) fn add_mesh(import: &mut Import, mesh: Mesh) -> mapwright_scene::NodeId {
    let name = mesh.name.clone();
    let mesh = import.scene.meshes.push(mesh);
    let content = mapwright_scene::Content::Mesh(mesh);
    import.scene.add_node(None, mapwright_scene::Node::new(name, content))
}
