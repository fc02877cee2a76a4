//! Shapes of brushes and meshes, in the axes of files.

use mapwright_io::format_count;
use mapwright_scene as scene;
use mapwright_scene::{Brush, Content, MaterialId, Properties, Scene, Smoothing, TextureProjection};

use super::report::PartReport;
use crate::document::FACE;
use crate::resolve::polygons::{HalfSpace, MAX_PLANES, intersect};
use crate::scene::fields::default_number;
use crate::scene::values::{parse_name, push_number};
use crate::scene::{AXES, shapes};
use crate::{Face, Mesh, Name};

/// The shape of a node in the axes of files, for brushes and meshes alike.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct NodeShape {
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) sides: Vec<Side>,
    /// `true` for meshes with soft edges, which files cannot store.
    pub(super) has_soft_edges: bool,
    pub(super) properties: Properties,
}

/// A side of a shape.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Side {
    /// Three points of the plane, clockwise seen from outside. Meshes have none.
    pub(super) plane: Option<[[f64; 3]; 3]>,
    /// Vertex indices, clockwise seen from outside. Brushes may have none.
    pub(super) corners: Vec<u32>,
    pub(super) projection: Option<TextureProjection>,
    pub(super) material: Option<Name>,
    /// Texture coordinates of the corners, u and v of each, v down.
    pub(super) uvs: Option<Vec<f64>>,
    pub(super) properties: Properties,
}

impl NodeShape {
    /// Returns the shape of a brush or mesh.
    pub(super) fn from_content(scene: &Scene, content: &Content) -> Option<Self> {
        match content {
            Content::Brush(id) => Some(Self::from_brush(scene, scene.brushes.get(*id)?)),
            Content::Mesh(id) => Some(Self::from_mesh(scene, scene.meshes.get(*id)?)),
            _ => None,
        }
    }

    fn from_brush(scene: &Scene, brush: &Brush) -> Self {
        let back = AXES.inverse();
        let side = |side: &scene::BrushSide| {
            let mut plane = side.plane.map(|point| back.apply(point));
            plane.reverse();
            Side {
                plane: Some(plane),
                corners: side.corners.iter().rev().copied().collect(),
                projection: Some(back.projection(&side.projection)),
                material: texture(scene, side.material),
                uvs: None,
                properties: side.properties.clone(),
            }
        };
        Self {
            vertices: brush.vertices.iter().map(|vertex| back.apply(*vertex)).collect(),
            sides: brush.sides.iter().map(side).collect(),
            has_soft_edges: false,
            properties: brush.properties.clone(),
        }
    }

    fn from_mesh(scene: &Scene, mesh: &scene::Mesh) -> Self {
        let back = AXES.inverse();
        let vertices: Vec<_> = mesh.positions.iter().map(|vertex| back.apply(*vertex)).collect();
        let sides = mesh.faces.iter().enumerate().map(|(at, corners)| {
            let uv = mesh.uv_sets.first().zip(mesh.faces.corner_range(at));
            let uvs: Option<Vec<[f64; 2]>> =
                uv.and_then(|(set, range)| range.rev().map(|corner| set.top_left(corner)).collect());
            let mut properties = Properties::new();
            for attribute in mesh.attributes.iter().filter(|attribute| attribute.width == 1) {
                let field = FACE.find(&attribute.name).and_then(|index| FACE.field(index));
                let default = field.map_or(0.0, default_number);
                if attribute.domain == scene::Domain::Face
                    && let Some(value) = attribute.values.get(at)
                {
                    push_number(&mut properties, &attribute.name, *value, default);
                }
            }
            let corners: Vec<u32> = corners.iter().rev().copied().collect();
            let material = mesh.face_material(at);
            let projection = mesh.face_projections.get(at).map(|projection| back.projection(projection));
            let projection = projection.or_else(|| {
                let size = material.and_then(|id| scene.materials.get(id))?.texture_size.unwrap_or([64; 2]);
                solve(&corners, &vertices, uvs.as_deref()?, size)
            });
            Side {
                plane: None,
                corners,
                projection,
                material: texture(scene, material),
                uvs: uvs.map(|uvs| uvs.concat()),
                properties,
            }
        });
        let sides = sides.collect();
        let has_soft_edges = mesh.smoothing != Smoothing::Flat || !mesh.soft_edges.is_empty();
        Self { vertices, sides, has_soft_edges, properties: mesh.properties.clone() }
    }

    /// Transforms the shape by a matrix without a translation, and its locked textures with it.
    pub(super) fn transform(&mut self, matrix: &scene::Transform) {
        let moved = |point: [f64; 3]| matrix.vector(point);
        self.vertices.iter_mut().for_each(|vertex| *vertex = moved(*vertex));
        let [x, y, z] = matrix.linear();
        let volume = matrix.determinant();
        for side in &mut self.sides {
            side.plane = side.plane.map(|plane| plane.map(moved));
            if matrix.mirrors() {
                side.plane.iter_mut().for_each(|plane| plane.reverse());
                side.corners.reverse();
            }
            let Some(projection) = side.projection.as_mut().filter(|projection| projection.local) else { continue };
            for axis in [&mut projection.u, &mut projection.v] {
                // The inverse transpose: a moved point shows the same texel.
                let [a, b, c, constant] = *axis;
                let turned = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| {
                    use scene::transform::{add, cross, scale};
                    add(add(scale(cross(q, r), a), scale(cross(r, p), b)), scale(cross(p, q), c))
                };
                let [a, b, c] = turned(x, y, z).map(|part| part / volume);
                *axis = [a, b, c, constant];
            }
        }
    }

    /// Returns `true` for closed convex bodies and for bodies of planes without polygons.
    pub(super) fn is_convex(&self) -> bool {
        if self.has_only_planes() {
            return true;
        }
        let faces = self.sides.iter().map(|side| Face { corners: side.corners.as_slice().into(), ..Face::default() });
        shapes::is_convex(&Mesh { vertices: self.vertices.clone(), faces: faces.collect() })
    }

    fn has_only_planes(&self) -> bool {
        !self.sides.is_empty() && self.sides.iter().all(|side| side.corners.is_empty() && side.plane.is_some())
    }

    /// Computes the polygons of a body that has only planes.
    pub(super) fn compute_polygons(&mut self, report: &mut PartReport<'_>) {
        if !self.has_only_planes() || self.sides.len() > MAX_PLANES {
            return;
        }
        let planes: Vec<_> = self.sides.iter().map(|side| side.plane.and_then(HalfSpace::new)).collect();
        let (vertices, polygons) = intersect(&planes);
        self.vertices = vertices;
        for (side, polygon) in self.sides.iter_mut().zip(polygons) {
            side.corners = polygon;
        }
        let count = self.sides.len();
        self.sides.retain(|side| !side.corners.is_empty());
        let dropped = count - self.sides.len();
        if dropped > 0 {
            report.dropped(format!("{} outside of the body", format_count(dropped, "side")));
        }
    }
}

fn texture(scene: &Scene, material: Option<MaterialId>) -> Option<Name> {
    let material = scene.materials.get(material?)?;
    Some(parse_name(&texture_name(&material.name)))
}

/// Returns the name of the texture for a material. Text maps end such names at spaces.
pub(super) fn texture_name(material: &str) -> String {
    material.replace(char::is_whitespace, "_")
}

/// Returns the projection that maps the first three corners of a face to their texture coordinates.
fn solve(corners: &[u32], vertices: &[[f64; 3]], uvs: &[[f64; 2]], size: [u32; 2]) -> Option<TextureProjection> {
    use crate::resolve::transform::{cross, dot, sub};
    let point = |corner: usize| vertices.get(usize::try_from(*corners.get(corner)?).ok()?).copied();
    let (a, b, c) = (point(0)?, point(1)?, point(2)?);
    let (e, f) = (sub(b, a), sub(c, a));
    let normal = cross(e, f);
    let area = dot(normal, normal);
    if !(area > 0.0 && area.is_finite()) {
        return None;
    }
    let axis = |part: usize| {
        let texels = f64::from(*size.get(part)?);
        let at = |corner: usize| Some(*uvs.get(corner)?.get(part)? * texels);
        let (start, along, up) = (at(0)?, at(1)?, at(2)?);
        let (p, q) = (cross(f, normal), cross(normal, e));
        let [x, y, z]: [f64; 3] = std::array::from_fn(|i| {
            (p.get(i).unwrap_or(&0.0) * (along - start) + q.get(i).unwrap_or(&0.0) * (up - start)) / area
        });
        Some([x, y, z, start - dot([x, y, z], a)])
    };
    let (u, v) = (axis(0)?, axis(1)?);
    Some(TextureProjection { u, v, offset: [0.0; 2], scale: [1.0; 2], rotation: 0.0, local: true })
}
