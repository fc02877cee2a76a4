//! Blocks → brushes and meshes.

use mapwright_query::{FieldType, Fields as _};
use mapwright_scene as scene;
use mapwright_scene::{
    Attribute, Brush, BrushSide, Content, Domain, MaterialId, Properties, Smoothing, TextureProjection, UvSet,
};

use super::context::Context;
use crate::document::{FACE, PLAIN_MAPPING};
use crate::resolve::texture::{default_axes, is_local};
use crate::scene::fields::{default_number, push_fields};
use crate::scene::texture_lock::{block_lock, face_lock};
use crate::scene::values::{push_flags, push_name};
use crate::scene::{AXES, shapes};
use crate::{Block, BlockFlags, Dialect, Face, Mesh, PlaneFace, Shape};

/// Returns the brush or mesh of a block, or `None` if it has numbers that are not finite or faces without corners.
pub(super) fn block_content(context: &mut Context<'_>, at: usize) -> Option<Content> {
    let document = context.document;
    let (block, dialect) = (&*document.blocks[at], document.dialect);
    let normals = context.take_normals(at);
    let normal = |face: usize| normals.get(face).copied().unwrap_or_default();
    let mut properties = Properties::new();
    push_flags(&mut properties, "flags", block.flags.0 & !block_lock(dialect));
    push_name(&mut properties, "material", &block.material);
    match &block.shape {
        Shape::Planes(faces) => {
            let sides = faces.iter().enumerate().map(|(at, face)| BrushSide {
                plane: face.points,
                corners: Vec::new(),
                projection: projection(None, Some(&face.mapping), false, normal(at)),
                material: Some(context.material(&face.texture)),
                properties: plane_properties(face),
            });
            let sides = sides.collect();
            let brush = finish_brush(Brush { sides, properties, ..Brush::default() })?;
            Some(Content::Brush(context.scene.brushes.push(brush)))
        }
        Shape::Mesh(mesh) => {
            let projections = mesh.faces.iter().enumerate().map(|(at, face)| {
                let local = is_local(dialect, block.flags, face.flags);
                // Stored texture coordinates are final: the mapping is already part of them.
                let finished = face.uvs.is_some();
                let mapping = face.mapping.as_deref().filter(|_| !finished);
                projection(face.vectors.as_deref(), mapping, local && !finished, normal(at))
            });
            let projections = projections.collect();
            let materials = mesh.faces.iter().map(|face| (!face.bare).then(|| context.material(&face.texture)));
            let materials = materials.collect();
            if is_brush(block, mesh) {
                let brush = finish_brush(brush(mesh, projections, materials, properties, dialect))?;
                Some(Content::Brush(context.scene.brushes.push(brush)))
            } else {
                let mesh = self::mesh(mesh, projections, materials, properties, dialect)?;
                Some(Content::Mesh(context.scene.meshes.push(mesh)))
            }
        }
    }
}

fn is_brush(block: &Block, mesh: &Mesh) -> bool {
    let is_mapped = mesh.faces.iter().any(|face| face.uvs.is_some());
    !is_mapped && !block.flags.has(BlockFlags::CONCAVE) && shapes::is_convex(mesh)
}

/// Converts a brush to the axes of scenes. Returns `None` if a number is not finite.
fn finish_brush(mut brush: Brush) -> Option<Brush> {
    AXES.brush(&mut brush);
    // Files store faces clockwise, scenes counter-clockwise.
    for side in &mut brush.sides {
        side.plane.reverse();
        side.corners.reverse();
    }
    let numbers = |side: &BrushSide| side.plane.iter().flatten().all(|c| c.is_finite()) && is_finite(&side.projection);
    let vertices = brush.vertices.iter().flatten().all(|c| c.is_finite());
    (vertices && brush.sides.iter().all(numbers)).then_some(brush)
}

fn is_finite(projection: &TextureProjection) -> bool {
    let TextureProjection { u, v, offset, scale, rotation, local: _ } = projection;
    u.iter().chain(v).chain(offset).chain(scale).chain([rotation]).all(|number| number.is_finite())
}

fn projection(
    vectors: Option<&[[f64; 4]; 2]>,
    mapping: Option<&[f64; 5]>,
    local: bool,
    normal: [f64; 3],
) -> TextureProjection {
    let [u, v] = vectors.copied().unwrap_or_else(|| default_axes(normal));
    let [x, y, rotation, sx, sy] = mapping.copied().unwrap_or(PLAIN_MAPPING);
    let scale = [sx, sy].map(|scale| if scale == 0.0 { 1.0 } else { scale });
    TextureProjection { u, v, offset: [x, y], scale, rotation: rotation.to_radians(), local }
}

fn brush(
    mesh: &Mesh,
    projections: Vec<TextureProjection>,
    materials: Vec<Option<MaterialId>>,
    properties: Properties,
    dialect: Dialect,
) -> Brush {
    let sides = mesh.faces.iter().zip(projections).zip(materials).map(|((face, projection), material)| BrushSide {
        plane: shapes::plane(&shapes::points(mesh, &face.corners).unwrap_or_default()),
        corners: face.corners.to_vec(),
        projection,
        material,
        properties: face_properties(face, dialect),
    });
    Brush { name: String::new(), vertices: mesh.vertices.clone(), sides: sides.collect(), properties }
}

fn face_properties(face: &Face, dialect: Dialect) -> Properties {
    let mut properties = Properties::new();
    if !face.bare {
        push_flags(&mut properties, "flags", face.flags.0 & !face_lock(dialect));
        push_fields(&mut properties, face, |field| matches!(field, "texture" | "flags"));
    }
    properties
}

fn plane_properties(face: &PlaneFace) -> Properties {
    let mut properties = Properties::new();
    push_fields(&mut properties, face, |field| field == "texture");
    properties
}

fn mesh(
    mesh: &Mesh,
    projections: Vec<TextureProjection>,
    materials: Vec<Option<MaterialId>>,
    properties: Properties,
    dialect: Dialect,
) -> Option<scene::Mesh> {
    if mesh.faces.iter().any(|face| face.corners.len() < 2 || shapes::points(mesh, &face.corners).is_none()) {
        return None;
    }
    let reversed = |face: &Face| face.corners.iter().rev().copied().collect::<Vec<_>>();
    let mut new = scene::Mesh {
        positions: mesh.vertices.clone(),
        faces: mesh.faces.iter().map(reversed).collect(),
        face_materials: materials,
        face_projections: projections,
        smoothing: Smoothing::Flat,
        properties,
        ..scene::Mesh::default()
    };
    if mesh.faces.iter().any(|face| face.uvs.is_some()) {
        let corners = mesh.faces.iter().flat_map(|face| {
            let (uvs, _) = face.uvs.as_deref().unwrap_or_default().as_chunks::<2>();
            (0..face.corners.len()).rev().map(|corner| uvs.get(corner).copied()).collect::<Vec<_>>()
        });
        new.uv_sets.push(UvSet { corners: corners.collect(), ..UvSet::default() });
    }
    let mut column = |name: &str, default: f64, number: &dyn Fn(&Face) -> f64| {
        let values: Vec<f64> = mesh.faces.iter().map(number).collect();
        if values.iter().any(|value| value.to_bits() != default.to_bits()) {
            new.attributes.push(Attribute { name: name.to_owned(), domain: Domain::Face, width: 1, values });
        }
    };
    column("flags", 0.0, &|face| f64::from(face.flags.0 & !face_lock(dialect)));
    for (index, field) in FACE.iter().enumerate().filter(|(_, field)| matches!(field.of, FieldType::Float { .. })) {
        let default = default_number(field);
        let number = |face: &Face| face.get(index).and_then(|value| value.as_f64()).filter(|_| !face.bare);
        column(field.name, default, &|face| number(face).unwrap_or(default));
    }
    AXES.mesh(&mut new);
    let uvs = new.uv_sets.iter().flat_map(|set| set.corners.rows()).flatten();
    let numbers = new.positions.iter().flatten().chain(uvs).all(|number| number.is_finite());
    (numbers && new.face_projections.iter().all(is_finite)).then_some(new)
}
