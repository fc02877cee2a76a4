//! Conversion between brushes and meshes.

use super::{Brush, BrushError, BrushPolygons, BrushSide, TextureProjection, size, weld};
use crate::transform::{cross, dot, normalize, sub};
use crate::{CornerColumn, Faces, MaterialId, Mesh, Properties, Smoothing, Transform, UvOrigin, UvSet};

/// A brush that was created from a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshBrush {
    /// The brush. Its sides have planes, but no polygons.
    pub brush: Brush,
    /// Number of sides whose texture coordinates no projection reproduces. They have the nearest one, or that of the base axes.
    pub bent: usize,
    /// The largest distance of a vertex of the brush from the nearest vertex of the mesh, or of a vertex of the mesh from the brush. Planes
    /// that are almost parallel meet far from rounded vertices.
    pub shift: f64,
    /// Number of faces that were on the plane of another face with another material, and now have that material.
    pub merged: usize,
}

impl Brush {
    /// Returns the brush as a flat-shaded mesh of its [polygons](Self::polygons). Its texture coordinates are the texels of the
    /// projections divided by the size of the texture.
    ///
    /// `world` transforms from the space of the brush to that of the scene, which projections use that are not local.
    pub fn to_mesh(
        &self,
        polygons: &BrushPolygons,
        world: &Transform,
        texture_size: impl Fn(Option<MaterialId>) -> [f64; 2],
    ) -> Mesh {
        let mut mesh = Mesh {
            name: self.name.clone(),
            positions: polygons.vertices.clone(),
            smoothing: Smoothing::Flat,
            properties: self.properties.clone(),
            ..Mesh::default()
        };
        let mut corners = CornerColumn::new();
        for (side, ring) in self.sides.iter().zip(&polygons.sides).filter(|(_, ring)| !ring.is_empty()) {
            let [width, height] = texture_size(side.material);
            mesh.faces.push(ring);
            mesh.face_materials.push(side.material);
            mesh.face_projections.push(side.projection);
            for &vertex in ring {
                let place = polygons.vertices.get(vertex as usize).copied().unwrap_or_default();
                let place = if side.projection.local { place } else { world.point(place) };
                let [x, y] = side.projection.texel(place);
                corners.push(Some([x / width, y / height]).filter(|uv| uv.iter().all(|c| c.is_finite())));
            }
        }
        if mesh.face_materials.iter().all(Option::is_none) {
            mesh.face_materials.clear();
        }
        mesh.uv_sets = vec![UvSet { corners, ..UvSet::default() }];
        mesh
    }

    /// Creates the brush that fills a convex mesh. Vertices at almost the same position are welded. Faces on one plane become
    /// one side, whose three points are the widest triangle of its first face. Faces without a projection get one from their
    /// first set of texture coordinates, or else from the base axes.
    ///
    /// Holes, mirrors and transforms are ignored: the caller applies them first. Takes linear time in the size of the mesh,
    /// times the number of sides.
    ///
    /// # Errors
    /// [`BrushError`] for meshes that are not closed, not convex, without volume, with bent faces or with too many sides, and for brushes
    /// without polygons.
    pub fn from_mesh(
        mesh: &Mesh,
        texture_size: impl Fn(Option<MaterialId>) -> [f64; 2],
    ) -> Result<MeshBrush, BrushError> {
        let size = size(&mesh.positions);
        let welded = mesh.welded(Self::TOLERANCE.min(size * 1e-4));
        if !welded.is_closed() {
            return Err(BrushError::Open);
        }
        // The distance that welded vertices can move.
        let tolerance = 2.0 * Self::TOLERANCE.min(size * 1e-3);
        let mut brush = Self { name: mesh.name.clone(), properties: mesh.properties.clone(), ..Self::default() };
        // Outward unit normal and distance of each side.
        let mut planes: Vec<([f64; 3], f64)> = Vec::new();
        let (mut bent, mut merged, mut shift) = (0, 0, 0.0);
        for (face, ring) in mesh.faces.iter().enumerate() {
            let Some((triangle, corners)) = widest_triangle(mesh, face, ring) else { continue };
            let [a, b, c] = triangle;
            let Some(normal) = normalize(cross(sub(b, a), sub(c, a))) else { continue };
            let distance = dot(normal, a);
            let above = |p: &[f64; 3]| dot(normal, *p) - distance;
            let mut corners_of = ring.iter().filter_map(|&vertex| mesh.positions.get(vertex as usize));
            if corners_of.any(|p| above(p).abs() > tolerance) {
                return Err(BrushError::Bent);
            }
            let material = mesh.face_material(face);
            let is_on = |(n, d): &([f64; 3], f64)| {
                dot(*n, normal) > 0.999 && triangle.iter().all(|p| (dot(*n, *p) - d).abs() <= tolerance)
            };
            if let Some(side) = planes.iter().position(is_on) {
                merged += usize::from(brush.sides.get(side).is_some_and(|side| side.material != material));
                continue;
            }
            shift = welded.positions.iter().map(above).fold(shift, f64::max);
            if shift > tolerance {
                return Err(BrushError::Concave);
            }
            if brush.sides.len() == Self::MAX_SIDES {
                return Err(BrushError::TooManySides(mesh.faces.len()));
            }
            let stored = mesh.face_projections.get(face).copied();
            let projection = stored.unwrap_or_else(|| {
                let (projection, fits) = projection(mesh, face, triangle, corners, texture_size(material));
                bent += usize::from(!fits);
                projection.unwrap_or_else(|| TextureProjection::on_base_axes(normal))
            });
            planes.push((normal, distance));
            let properties = Properties::new();
            brush.sides.push(BrushSide { plane: triangle, corners: Vec::new(), projection, material, properties });
        }
        if brush.sides.len() < 4 || welded.volume() <= 0.0 {
            return Err(BrushError::Flat);
        }
        let is_on = |p: &[f64; 3], (n, d): &([f64; 3], f64)| (dot(*n, *p) - d).abs() <= tolerance;
        // Vertices within a side or an edge are not part of the brush.
        let is_corner = |p: &&[f64; 3]| planes.iter().filter(|plane| is_on(p, plane)).count() > 2;
        let corners: Vec<[f64; 3]> = welded.positions.iter().filter(is_corner).copied().collect();
        let vertices = brush.polygons()?.vertices;
        for (points, others) in [(&vertices, &welded.positions), (&corners, &vertices)] {
            let nearest = |p: &[f64; 3]| {
                let distances = others.iter().map(|q| sub(*p, *q)).map(|way| dot(way, way));
                distances.fold(f64::INFINITY, f64::min).sqrt()
            };
            shift = points.iter().map(nearest).fold(shift, f64::max);
        }
        Ok(MeshBrush { brush, bent, shift, merged })
    }
}

impl Mesh {
    /// Returns the signed volume of the faces: negative if they face inwards. It means little for a mesh that is not
    /// [closed](Self::is_closed). Missing vertices count as the origin.
    pub fn volume(&self) -> f64 {
        let point = |vertex: u32| self.positions.get(vertex as usize).copied().unwrap_or_default();
        // Relative to one of the points: far from the origin, products lose the digits that matter.
        let origin = self.faces.corners().first().map_or([0.0; 3], |&vertex| point(vertex));
        let around = |vertex: u32| sub(point(vertex), origin);
        let fan = |face: &[u32]| {
            let Some(&first) = face.first() else { return 0.0 };
            let triangles = face.iter().zip(face.iter().skip(1)).skip(1);
            triangles.map(|(&b, &c)| dot(around(first), cross(around(b), around(c)))).sum::<f64>()
        };
        self.faces.iter().map(fan).sum::<f64>() / 6.0
    }

    /// Returns `true` if every edge has two faces that run along it in opposite directions. Vertices at the same position are
    /// not welded for this.
    pub fn is_closed(&self) -> bool {
        let mut is_closed = self.faces.corner_count() > 0;
        self.for_each_edge(|edge| {
            is_closed &= matches!(edge, [a, b] if a.forward != b.forward && a.vertices[0] != a.vertices[1]);
        });
        is_closed
    }

    /// Returns `true` if no vertex is outside the plane of a face by more than the tolerance. Takes quadratic time.
    pub fn is_convex(&self, tolerance: f64) -> bool {
        self.faces.iter().enumerate().all(|(face, ring)| {
            let Some(([a, b, c], _)) = widest_triangle(self, face, ring) else { return true };
            let Some(normal) = normalize(cross(sub(b, a), sub(c, a))) else { return true };
            self.positions.iter().all(|p| dot(normal, sub(*p, a)) <= tolerance)
        })
    }

    /// Returns positions and faces only, with vertices at almost the same position welded.
    fn welded(&self, tolerance: f64) -> Self {
        let (map, positions) = weld::weld(&self.positions, tolerance.max(f64::MIN_POSITIVE));
        let number = |&vertex: &u32| map.get(vertex as usize).copied().unwrap_or_default();
        let rings = self.faces.iter().map(|face| weld::ring(face.iter().map(number)));
        let faces: Faces = rings.filter(|ring| !ring.is_empty()).collect();
        Self { positions, faces, ..Self::default() }
    }
}

/// Maximum number of corners of a face of which all triangles are compared. Larger faces use evenly spread corners.
const MAX_TRIED_VERTICES: usize = 32;

/// Returns the triangle with the largest area among the corners of a face, in their order, with the indices of these corners.
/// Returns `None` for a face without area.
fn widest_triangle(mesh: &Mesh, face: usize, ring: &[u32]) -> Option<([[f64; 3]; 3], [usize; 3])> {
    let start = mesh.faces.corner_range(face)?.start;
    let step = ring.len().div_ceil(MAX_TRIED_VERTICES).max(1);
    let corners = ring.iter().enumerate().step_by(step);
    let points: Vec<(usize, [f64; 3])> = corners
        .map(|(corner, &vertex)| Some((start + corner, *mesh.positions.get(vertex as usize)?)))
        .collect::<Option<_>>()?;
    let mut widest = (0.0, None);
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in points.iter().skip(j + 1) {
                let across = cross(sub(b.1, a.1), sub(c.1, a.1));
                let area = dot(across, across);
                // A slightly larger area is rounding: keep the first triangle of a rectangle.
                if area > widest.0 * (1.0 + 1e-9) {
                    widest = (area, Some(([a.1, b.1, c.1], [a.0, b.0, c.0])));
                }
            }
        }
    }
    widest.1
}

/// Returns the projection that matches the texture coordinates of a face, and `true` if it reproduces all of them. A face
/// without texture coordinates has no projection and counts as reproduced.
fn projection(
    mesh: &Mesh,
    face: usize,
    triangle: [[f64; 3]; 3],
    corners: [usize; 3],
    size: [f64; 2],
) -> (Option<TextureProjection>, bool) {
    let Some(set) = mesh.uv_sets.first() else { return (None, true) };
    let texel = |corner: usize| set.at(corner, UvOrigin::TopLeft).map(|[u, v]| [u * size[0], v * size[1]]);
    let [Some(a), Some(b), Some(c)] = corners.map(texel) else { return (None, true) };
    let Some(fitted) = TextureProjection::from_points(triangle, [a, b, c]) else { return (None, false) };
    let range = mesh.faces.corner_range(face).unwrap_or_default();
    let vertices = mesh.faces.get(face).unwrap_or_default();
    let fits = range.zip(vertices).all(|(corner, &vertex)| {
        let place = mesh.positions.get(vertex as usize).copied().unwrap_or_default();
        let wanted = texel(corner).unwrap_or([f64::INFINITY; 2]);
        fitted.texel(place).iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 0.1)
    });
    (Some(fitted), fits)
}
