//! Blocks → brushes and meshes.

use mapwright_scene as scene;
use mapwright_scene::{
    Attribute, Brush, BrushSide, Domain, MaterialId, Properties, Smoothing, TextureProjection, UvSet,
};

use super::values::{push_name, push_number, push_word};
use super::{AXES, shapes};
use crate::resolve::texture::{base, is_local};
use crate::{Block, BlockFlags, Dialect, Face, FaceFlags, Mesh, Model, Name, PlaneFace, Shape};

/// What a block is in a scene.
pub(super) enum Solid {
    Brush(Brush),
    Mesh(Box<scene::Mesh>),
}

/// What is said of a block besides the block.
pub(super) struct Around<'a> {
    pub(super) dialect: Dialect,
    /// The outward normals of its faces in the world.
    pub(super) normals: &'a [[f64; 3]],
}

/// The shape of a block; none if it has numbers that are not finite, or faces that are none.
pub(super) fn say<'a>(
    block: &'a Block,
    around: &Around<'_>,
    mut material: impl FnMut(&'a Name) -> MaterialId,
) -> Option<Solid> {
    let mut properties = Properties::new();
    push_word(&mut properties, "flags", block.flags.0 & !lock(around.dialect));
    push_name(&mut properties, "material", &block.material);
    let normal = |at: usize| around.normals.get(at).copied().unwrap_or_default();
    match &block.shape {
        Shape::Planes(faces) => {
            let mut brush = Brush { properties, ..Brush::default() };
            for (at, face) in faces.iter().enumerate() {
                brush.sides.push(BrushSide {
                    plane: face.points,
                    corners: Vec::new(),
                    projection: projection(None, Some(&face.mapping), false, normal(at)),
                    material: Some(material(&face.texture)),
                    properties: plane_properties(face),
                });
            }
            finish(brush)
        }
        Shape::Mesh(mesh) => {
            let projections = mesh.faces.iter().enumerate().map(|(at, face)| {
                let local = is_local(around.dialect, block.flags, face.flags);
                let finished = face.uvs.is_some();
                let mapping = face.mapping.as_deref().filter(|_| !finished);
                projection(face.vectors.as_deref(), mapping, local && !finished, normal(at))
            });
            let projections: Vec<_> = projections.collect();
            let materials = mesh.faces.iter().map(|face| (!face.bare).then(|| material(&face.texture))).collect();
            if is_brush(block, mesh) {
                finish(brush(mesh, projections, materials, properties, around.dialect))
            } else {
                self::mesh(mesh, projections, materials, properties, around.dialect)
            }
        }
    }
}

/// The flag of blocks whose textures move with them, where it works.
pub(super) const fn lock(dialect: Dialect) -> u32 {
    if matches!(dialect, Dialect::A7 | Dialect::Binary) { BlockFlags::TEXTURE_LOCK.0 } else { 0 }
}

/// The flag of faces whose textures move with the block, where it works.
pub(super) const fn local(dialect: Dialect) -> u32 {
    if matches!(dialect, Dialect::A7 | Dialect::Binary) { FaceFlags::LOCAL.0 } else { 0 }
}

fn is_brush(block: &Block, mesh: &Mesh) -> bool {
    let is_mapped = mesh.faces.iter().any(|face| face.uvs.is_some());
    !is_mapped && !block.flags.has(BlockFlags::CONCAVE) && shapes::is_convex(mesh)
}

/// Turned into the axes of scenes; none if a number is not finite.
fn finish(mut brush: Brush) -> Option<Solid> {
    AXES.brush(&mut brush);
    // Clockwise in the file.
    for side in &mut brush.sides {
        side.plane.reverse();
        side.corners.reverse();
    }
    let numbers = |side: &BrushSide| side.plane.iter().flatten().all(|c| c.is_finite()) && is_finite(&side.projection);
    let vertices = brush.vertices.iter().flatten().all(|c| c.is_finite());
    (vertices && brush.sides.iter().all(numbers)).then_some(Solid::Brush(brush))
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
    let [u, v] = vectors.copied().unwrap_or_else(|| base(normal));
    let [x, y, rotation, sx, sy] = mapping.copied().unwrap_or(super::solids::PLAIN);
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
    push_word(&mut properties, "flags", face.flags.0 & !local(dialect));
    push_number(&mut properties, "ambient", face.ambient, 0.0);
    if !face.bare {
        push_number(&mut properties, "albedo", face.albedo, Model::ALBEDO);
    }
    push_name(&mut properties, "material", &face.material);
    properties
}

fn plane_properties(face: &PlaneFace) -> Properties {
    let mut properties = Properties::new();
    push_word(&mut properties, "flags", face.flags.0);
    push_number(&mut properties, "ambient", face.ambient, 0.0);
    push_number(&mut properties, "albedo", face.albedo, Model::ALBEDO);
    push_name(&mut properties, "material", &face.material);
    push_name(&mut properties, "name", &face.name);
    push_number(&mut properties, "number", face.number, 0.0);
    push_word(&mut properties, "flags2", face.flags2.0);
    properties
}

fn mesh(
    mesh: &Mesh,
    projections: Vec<TextureProjection>,
    materials: Vec<Option<MaterialId>>,
    properties: Properties,
    dialect: Dialect,
) -> Option<Solid> {
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
            let uvs = face.uvs.as_deref().unwrap_or_default();
            let pair = |corner: usize| {
                let (u, v) = (uvs.get(corner.checked_mul(2)?)?, uvs.get(corner.checked_mul(2)?.checked_add(1)?)?);
                Some([*u, *v])
            };
            (0..face.corners.len()).rev().map(pair).collect::<Vec<_>>()
        });
        new.uv_sets.push(UvSet { corners: corners.collect(), ..UvSet::default() });
    }
    let mut column = |name: &str, usual: f64, number: &dyn Fn(&Face) -> f64| {
        let values: Vec<f64> = mesh.faces.iter().map(number).collect();
        if values.iter().any(|value| value.to_bits() != usual.to_bits()) {
            new.attributes.push(Attribute { name: name.to_owned(), domain: Domain::Face, width: 1, values });
        }
    };
    column("flags", 0.0, &|face| f64::from(face.flags.0 & !local(dialect)));
    column("ambient", 0.0, &|face| face.ambient);
    column("albedo", Model::ALBEDO, &|face| if face.bare { Model::ALBEDO } else { face.albedo });
    AXES.mesh(&mut new);
    let uvs = new.uv_sets.iter().flat_map(|set| &set.corners).flatten().flatten();
    let numbers = new.positions.iter().flatten().chain(uvs).all(|number| number.is_finite());
    (numbers && new.face_projections.iter().all(is_finite)).then(|| Solid::Mesh(Box::new(new)))
}
