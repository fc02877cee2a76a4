//! Writes polygon meshes, brushes and terrains as half-edge meshes.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use mapwright_dmx::{ElementId, Value};
use mapwright_scene as scene;
use mapwright_scene::{Content, Domain, MaterialId, MeshId, Transform};

use super::super::conventions::{AXES, is_rounded};
use super::super::names::with_count;
use super::super::streams::smoothing_to_angle;
use super::brushes;
use super::columns::{Column, to_columns};
use super::context::WriteContext;
use super::materials::Materials;
use super::mesh_update::update_mesh;
use super::shear::apply_shear;
use crate::WriteError;
use crate::mesh::{BuildOptions, Built, Hardness, Mesh, Projection, Repair, Soup, Stream, StreamData};

/// A node with a mesh, and its place in the world.
pub(super) struct MeshNode<'a> {
    pub(super) element: ElementId,
    pub(super) world: Transform,
    /// Shear that is applied to the vertices before `world`.
    pub(super) shear: Transform,
    /// Mesh and world transform in the base.
    pub(super) before: Option<(&'a scene::Mesh, Transform)>,
    /// Path in losses.
    pub(super) path: &'a str,
}

/// Maximum number of problems that are reported one by one for a mesh.
const MAX_REPORTED_PROBLEMS: usize = 20;

/// Writes a mesh, a brush or a terrain into the element of a node. Other contents have no mesh.
pub(super) fn write_content(
    context: &mut WriteContext<'_, '_, '_>,
    node: &MeshNode<'_>,
    content: &Content,
    materials: &Materials,
) -> Result<(), WriteError> {
    let scene = context.scene;
    match content {
        Content::Mesh(id) => write_mesh(context, node, &scene.meshes[*id], materials),
        Content::Brush(id) => {
            let world = node.world.compose(&node.shear);
            let mesh = brushes::to_mesh(&scene.brushes[*id], &world, materials, node.path, &mut context.losses);
            write_mesh(context, node, &mesh, materials)
        }
        Content::Terrain(id) => write_mesh(context, node, &scene.terrains[*id].mesh(), materials),
        _ => Ok(()),
    }
}

/// Writes a mesh at the origin into the element of a new node.
pub(super) fn write_new_mesh(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    id: MeshId,
    materials: &Materials,
    path: &str,
) -> Result<(), WriteError> {
    let (world, shear) = (Transform::IDENTITY, Transform::IDENTITY);
    let node = MeshNode { element, world, shear, before: None, path };
    let scene = context.scene;
    write_mesh(context, &node, &scene.meshes[id], materials)
}

fn write_mesh(
    context: &mut WriteContext<'_, '_, '_>,
    node: &MeshNode<'_>,
    mesh: &scene::Mesh,
    materials: &Materials,
) -> Result<(), WriteError> {
    let frozen = mesh.freeze_mirror();
    let mut mesh = frozen.surface();
    if !node.shear.is_identity() {
        mesh = Cow::Owned(apply_shear(&mesh, &node.shear));
    }
    let mesh: &scene::Mesh = &mesh;
    if node.before.is_none_or(|(before, _)| before.smoothing != mesh.smoothing) {
        let angle = context.narrow(smoothing_to_angle(mesh.smoothing));
        context.set(node.element, "smoothingAngle", Value::Float(angle));
    }
    if let Some((before, _)) = node.before {
        let is_same = before == mesh && materials.are_equal(before, mesh);
        // Change the existing mesh where possible: it has data that scenes do not model.
        if is_same || update_mesh(context, node.element, node.before, (mesh, node.world), materials, node.path)? {
            return Ok(());
        }
        context
            .losses
            .approximated(node.path, "mesh rebuilt for its new polygons, without data that scenes do not store");
    }
    report_mesh(context, mesh, node.path);
    let built = build_mesh(context, mesh, &node.world, materials, node.path);
    context.editor.set_mesh(node.element, &built.mesh)
}

/// Reports the parts of a mesh that maps cannot store, and those that must be synthesized.
fn report_mesh(context: &mut WriteContext<'_, '_, '_>, mesh: &scene::Mesh, path: &str) {
    let losses = &mut context.losses;
    if !mesh.name.is_empty() {
        losses.dropped(path, format!("name {:?} of the mesh; maps only store the node's name", mesh.name));
    }
    if !mesh.properties.is_empty() {
        losses.dropped(path, "properties of the mesh; maps only store the node's properties");
    }
    if let Some(set) = mesh.color_sets.first().filter(|set| set.name != "VertexPaintTintColor") {
        losses.approximated(path, format!("colours {:?}, written as VertexPaintTintColor", set.name));
    }
    if mesh.uv_sets.iter().any(|set| !set.name.is_empty()) {
        losses.dropped(path, "names of texture coordinates");
    }
    if mesh.uv_sets.iter().any(|set| set.origin != scene::UvOrigin::TopLeft) {
        losses.approximated(path, "texture coordinates, flipped to an origin at the top left");
    }
    let missing = [
        (mesh.uv_sets.is_empty(), "texture coordinates"),
        (mesh.normals.is_none(), "normals"),
        (!mesh.attributes.iter().any(|attribute| attribute.name == "tangent"), "tangents"),
        (mesh.face_projections.is_empty(), "texture projections"),
        ((0..mesh.faces.len()).any(|face| mesh.face_material(face).is_none()), "a material for faces without one"),
    ];
    let missing: Vec<&str> = missing.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, name)| name).collect();
    if !missing.is_empty() {
        losses.synthesized(path, missing.join(", "));
    }
    if !mesh.face_projections.iter().all(|projection| projection.rotation == 0.0 && !projection.local) {
        losses.approximated(path, "texture projections, converted to world space without a separate rotation");
    }
}

/// Builds a half-edge mesh.
fn build_mesh(
    context: &mut WriteContext<'_, '_, '_>,
    mesh: &scene::Mesh,
    world: &Transform,
    materials: &Materials,
    path: &str,
) -> Built {
    let to_map = AXES.inverse();
    let positions = mesh.positions.iter().map(|&p| to_map.apply(p).map(|c| context.narrow(c))).collect();
    let mut soup = Soup { positions, ..Soup::default() };
    mesh.faces.iter().for_each(|face| soup.push_face(face));
    // Maps of Hammer contain faces that share only a vertex.
    let options = BuildOptions::default()
        .with_repair(Repair::ShareVertices)
        .with_smoothing_angle(smoothing_to_angle(mesh.smoothing));
    set_materials(&mut soup, mesh, materials, &options);
    let (corners, synthesized) = to_columns(mesh, Domain::Corner, world);
    if let Some(text) = synthesized {
        context.losses.synthesized(path, text);
    }
    let (faces, _) = to_columns(mesh, Domain::Face, world);
    let (vertices, _) = to_columns(mesh, Domain::Vertex, world);
    soup.corner_streams = to_streams(context, &corners, path);
    soup.face_streams = to_streams(context, &faces, path);
    if mesh.face_projections.is_empty() {
        soup.face_streams.extend(fit_projections(mesh, world, materials));
    }
    let hard = mesh.hard_edges.iter().map(|&edge| (edge, Hardness::HARD));
    soup.edges = hard.chain(mesh.soft_edges.iter().map(|&edge| (edge, Hardness::SOFT))).collect();

    let mut built = Mesh::build(&soup, &options);
    for problem in built.problems.iter().take(MAX_REPORTED_PROBLEMS) {
        context.losses.repaired(path, problem.to_string());
    }
    if let Some(more) = built.problems.len().checked_sub(MAX_REPORTED_PROBLEMS).filter(|more| *more > 0) {
        context.losses.repaired(path, format!("{} of faces", with_count(more, "more problem")));
    }
    // Building copies and removes vertices, so gather their attributes now.
    for column in vertices.iter().filter(|column| column.name != "position:0") {
        let rows = built.vertices.iter().flat_map(|&vertex| {
            let start = (vertex as usize).saturating_mul(column.width);
            column.values.get(start..start.saturating_add(column.width)).unwrap_or_default()
        });
        let column = Column { name: column.name.clone(), width: column.width, values: rows.copied().collect() };
        match column.to_stream() {
            Some(stream) => built.mesh.vertex_data.streams.push(stream),
            None => context.losses.dropped(path, format!("attribute {}", column.name)),
        }
    }
    built
}

/// Sets the materials of faces. Their order is that of the scene, so that a scene read from the map has the same order.
fn set_materials(soup: &mut Soup, mesh: &scene::Mesh, materials: &Materials, options: &BuildOptions) {
    let default = String::from_utf8_lossy(&options.material).into_owned();
    let name = |material: Option<MaterialId>| materials.reference(material).unwrap_or(&default);
    let used: BTreeSet<Option<MaterialId>> = (0..mesh.faces.len()).map(|face| mesh.face_material(face)).collect();
    let mut indices: HashMap<&str, u32> = HashMap::new();
    // `None` is the smallest, but the default material comes last.
    let has_default = used.contains(&None);
    let in_order = used.into_iter().filter(Option::is_some).chain(has_default.then_some(None));
    for material in in_order {
        let next = u32::try_from(indices.len()).unwrap_or(u32::MAX);
        let name = name(material);
        indices.entry(name).or_insert_with(|| {
            soup.materials.push(name.as_bytes().to_vec());
            next
        });
    }
    soup.face_materials = (0..mesh.faces.len()).map(|face| indices[name(mesh.face_material(face))]).collect();
}

fn to_streams(context: &mut WriteContext<'_, '_, '_>, columns: &[Column], path: &str) -> Vec<Stream> {
    let mut streams = Vec::with_capacity(columns.len());
    for column in columns {
        context.rounded += column.values.iter().filter(|&&c| is_rounded(c)).count();
        match column.to_stream() {
            Some(stream) => streams.push(stream),
            None => context.losses.dropped(path, format!("attribute {}", column.name)),
        }
    }
    streams
}

/// Returns the projections of faces that fit their texture coordinates best.
fn fit_projections(mesh: &scene::Mesh, world: &Transform, materials: &Materials) -> Vec<Stream> {
    let to_map = AXES.inverse();
    let position = |vertex: u32| to_map.apply(world.point(mesh.positions[vertex as usize]));
    let set = mesh.uv_sets.first();
    let (mut us, mut vs, mut scales) = (Vec::new(), Vec::new(), Vec::new());
    for (face, vertices) in mesh.faces.iter().enumerate() {
        let size = materials.texture_size(mesh.face_material(face));
        let corners = vertices.iter().zip(mesh.faces.corner_range(face).unwrap_or_default());
        let corners: Vec<([f64; 3], [f64; 2])> = corners
            .map(|(&vertex, corner)| (position(vertex), set.and_then(|set| set.top_left(corner)).unwrap_or_default()))
            .collect();
        let fit = set.and_then(|_| Projection::fit(&corners, size)).map(|fit| fit.projection);
        let projection = fit.unwrap_or_else(|| {
            let normal = mesh.face_normal(face).unwrap_or([0.0, 1.0, 0.0]);
            Projection::along(to_map.apply(world.normal(normal)))
        });
        us.push(projection.axis_u);
        vs.push(projection.axis_v);
        scales.push(projection.scale);
    }
    vec![
        Stream::new("textureScale", 0, StreamData::Vector2(scales)),
        Stream::new("textureAxisU", 0, StreamData::Vector4(us)),
        Stream::new("textureAxisV", 0, StreamData::Vector4(vs)),
    ]
}
