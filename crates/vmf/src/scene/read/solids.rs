//! Solids → brushes and meshes.

use mapwright_scene::{Brush, BrushSide, Content, Mesh, Node, NodeId, Properties, Smoothing, Transform};

use super::context::Context;
use super::displacements::read_displacements;
use super::editor::read_editor;
use super::projections::read_projection;
use crate::scene::AXES;
use crate::scene::names::{ID, SIDE_DEFAULTS, SIDE_FIELDS};
use crate::scene::parts::Part;
use crate::{Side, Solid};

/// Blocks of solids and sides that the scene does not need.
const EDITOR_BLOCKS: [&str; 2] = ["vertices_plus", "point_data"];

/// Adds the node of a solid below a parent.
pub(super) fn read_solid(context: &mut Context<'_>, solid: Solid<'_>, parent: Option<NodeId>, transform: Transform) {
    let part = Part::Solid(context.solids);
    let path = format!("solid[{}]", context.solids);
    context.solids += 1;
    if solid.editor().is_some_and(crate::document::editor::EditorData::is_cordon_solid) {
        context.counts.cordon_solids += 1;
        return;
    }
    report_blocks(context, solid, &path);
    let content = match solid.polygons() {
        Ok(polygons) if solid.has_displacements() => read_displacements(context, solid, &polygons, &path)
            .map(|mesh| Content::Mesh(context.scene.meshes.push(mesh))),
        Ok(polygons) => Some(Content::Brush(read_brush(context, solid, &polygons))),
        Err(problem) => match stored_mesh(context, solid) {
            Some(mesh) => {
                context.losses.approximated(&*path, format!("{problem}: as a mesh of the stored vertices"));
                Some(Content::Mesh(context.scene.meshes.push(mesh)))
            }
            None => {
                context.losses.dropped(&*path, problem.to_string());
                None
            }
        },
    };
    let Some(content) = content else { return };
    let node = Node { transform, visible: !solid.is_hidden(), key: Some(part.node_key()), ..Node::new("", content) };
    let node = context.scene.add_node(parent, node);
    read_editor(context, node, solid.editor());
}

/// Creates the brush of a solid. It has polygons only if they do not follow from the planes alone.
fn read_brush(context: &mut Context<'_>, solid: Solid<'_>, polygons: &[Vec<[f64; 3]>]) -> mapwright_scene::BrushId {
    let sides = solid.sides().map(|side| read_side(context, side)).collect();
    let mut brush = Brush { sides, properties: solid_properties(solid), ..Brush::default() };
    let is_same = |made: &mapwright_scene::BrushPolygons| {
        made.sides.iter().zip(polygons).all(|(made, found)| made.is_empty() == found.is_empty())
    };
    if !brush.polygons().is_ok_and(|made| is_same(&made)) {
        for (side, polygon) in brush.sides.iter_mut().zip(polygons) {
            side.corners =
                polygon.iter().rev().map(|corner| add_vertex(&mut brush.vertices, AXES.apply(*corner))).collect();
        }
    }
    context.scene.brushes.push(brush)
}

/// Returns the index of a vertex near a point, which is added if there is none.
fn add_vertex(vertices: &mut Vec<[f64; 3]>, point: [f64; 3]) -> u32 {
    let is_near = |vertex: &[f64; 3]| vertex.iter().zip(point).all(|(a, b)| (a - b).abs() < 0.06);
    let index = vertices.iter().position(is_near).unwrap_or_else(|| {
        vertices.push(point);
        vertices.len() - 1
    });
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn read_side(context: &mut Context<'_>, side: Side<'_>) -> BrushSide {
    // Maps are clockwise, scenes counter-clockwise.
    let mut plane = side.plane().unwrap_or_default().map(|point| AXES.apply(point));
    plane.reverse();
    let material = side.material().map(|name| context.material(&name));
    let properties = side_properties(context, side);
    let (projection, is_complete) = read_projection(side);
    if !is_complete {
        context.losses.repaired("side.uaxis", "texture axes that are missing, malformed or have a scale of 0");
    }
    BrushSide { plane, corners: Vec::new(), projection, material, properties }
}

/// Returns the keys of a side that the scene has no field for.
fn side_properties(context: &Context<'_>, side: Side<'_>) -> Properties {
    let mut properties = Properties::new();
    if let Some(id) = side.id().filter(|id| context.listed_sides.contains(id)) {
        properties.push(ID, id);
    }
    for item in side.item().items().filter(|item| !item.is_block()) {
        let (name, text) = (item.name_text(), item.text().unwrap_or_default());
        let is_field = SIDE_FIELDS.iter().any(|field| field.eq_ignore_ascii_case(&name));
        let is_default =
            SIDE_DEFAULTS.iter().any(|(key, value)| key.eq_ignore_ascii_case(&name) && *value == text.trim());
        if !is_field && !is_default {
            properties.push(&*name, &*text);
        }
    }
    properties
}

fn solid_properties(solid: Solid<'_>) -> Properties {
    let keys = solid.item().items().filter(|item| !item.is_block() && !item.is(ID));
    keys.map(|item| (item.name_text().into_owned(), item.text().unwrap_or_default().into_owned())).collect()
}

/// Returns the polygons that Hammer++ stores as a mesh. Returns `None` if a side has none.
fn stored_mesh(context: &mut Context<'_>, solid: Solid<'_>) -> Option<Mesh> {
    let mut mesh = Mesh { smoothing: Smoothing::Flat, ..Mesh::default() };
    for side in solid.sides().take(crate::geometry::MAX_SIDES) {
        let polygon = side.stored_vertices().filter(|polygon| polygon.len() >= 3)?;
        let corners = polygon.iter().rev().map(|corner| add_vertex(&mut mesh.positions, AXES.apply(*corner)));
        let corners: Vec<u32> = corners.collect();
        let mut sorted = corners.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != corners.len() {
            return None;
        }
        mesh.faces.push(&corners);
        mesh.face_materials.push(side.material().map(|name| context.material(&name)));
        mesh.face_projections.push(read_projection(side).0);
    }
    (!mesh.faces.is_empty()).then_some(mesh)
}

/// Reports blocks of solids and sides that the scene does not have.
fn report_blocks(context: &mut Context<'_>, solid: Solid<'_>, path: &str) {
    let blocks = solid.item().items().filter(|item| item.is_block() && !item.is("side") && !item.is("editor"));
    for item in blocks {
        context.losses.dropped(path, format!("block {}", item.name_text()));
    }
    let is_known = |name: &str| EDITOR_BLOCKS.contains(&name) || name == "dispinfo";
    for item in solid.sides().flat_map(|side| side.item().items()).filter(|item| item.is_block()) {
        let name = item.name_text().to_ascii_lowercase();
        if !is_known(&name) {
            context.losses.dropped(path, format!("block {name} of a side"));
        }
    }
}
