//! The faces of bodies, one after another. They are never all in memory.

use std::ops::Range;

use mapwright_scene::transform::dot;
use mapwright_scene::{
    ColorSpace, CornerColumn, Diagonal, FaceFlags, MaterialId, Mesh, Model, PlaceholderBox, Terrain,
};

use super::bodies::{Bodies, Body, Shape};
use super::materials::{Materials, multiply};
use super::surface::{CornerLook, Surface};
use crate::Sides;
use crate::colors::opaque;
use crate::ground::Cell;
use crate::orbit::Projection;
use crate::relief::Relief;

/// Number of faces in a block of a mesh.
const BLOCK: usize = 256;
/// Maximum number of steps along a side of terrain. Larger terrain is drawn with fewer vertices, which is not visible in images of
/// usual size.
const MAX_STEPS: u32 = 4096;

impl Bodies<'_> {
    /// Visits all faces of a body as [`visit_faces`](Self::visit_faces) does.
    pub(crate) fn visit_all_faces(
        &self,
        body: &Body<'_>,
        projection: &Projection,
        materials: &Materials,
        sides: Sides,
        mut visit: impl FnMut(&[[f64; 3]]),
    ) {
        self.visit_faces(body, projection, materials, sides, |_| true, |_, corners, _| visit(corners));
    }

    /// Visits the faces of a body, block by block: parts of a mesh, rows of a terrain, instances of a set. Other bodies are one block.
    /// Passes the number of the block, the projected corners of the face, and a function that returns its surface and adds the look of
    /// its corners, if they differ. Blocks for which `is_wanted` returns `false` are left out.
    pub(crate) fn visit_faces<'m>(
        &self,
        body: &Body<'_>,
        projection: &Projection,
        materials: &'m Materials,
        sides: Sides,
        is_wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, &[[f64; 3]], &Look<'_, 'm>),
    ) {
        let projection = projection.within(&body.world);
        match body.shape {
            Shape::Mesh(id) => {
                let Some(mesh) = self.mesh(id) else { return };
                let blocks = (0..mesh.faces.len()).step_by(BLOCK).enumerate();
                for (block, first) in blocks.filter(|(block, _)| is_wanted(*block)) {
                    let faces = first..mesh.faces.len().min(first + BLOCK);
                    let visit = |corners: &[[f64; 3]], look: &Look<'_, 'm>| visit(block, corners, look);
                    visit_mesh(mesh, faces, self.normals(id), &projection, materials, sides, visit);
                }
            }
            Shape::Brush(place) => {
                let Some((brush, polygons)) = self.brushes.get(place).filter(|_| is_wanted(0)) else { return };
                let (mut corners, winding) = (Vec::new(), visible_winding(&projection, sides));
                for (ring, side) in polygons.sides.iter().zip(&brush.sides) {
                    if materials.is_drawn(side.material)
                        && collect_corners(&mut corners, ring, &polygons.vertices, &projection, winding)
                    {
                        visit(0, &corners, &|looks| {
                            let vertices = ring.iter().filter_map(|&vertex| polygons.vertices.get(vertex as usize));
                            let is_local = side.projection.local;
                            let positions =
                                vertices.map(|&vertex| if is_local { vertex } else { body.world.point(vertex) });
                            materials.side_surface(side.material, &side.projection, positions, looks)
                        });
                    }
                }
            }
            Shape::Placeholder(placeholder) => {
                let metres = self.scene.metres_per_unit.filter(|metres| metres.is_normal()).unwrap_or(1.0);
                if is_wanted(0) {
                    visit_box(placeholder, metres, &projection, sides, |corners, look| visit(0, corners, look));
                }
            }
            Shape::Terrain(terrain, relief) => {
                visit_terrain(terrain, &relief, &projection, materials, is_wanted, visit);
            }
            Shape::Set(set, count) => {
                for instance in (0..count).filter(|instance| is_wanted(*instance)) {
                    let Some(Model::Mesh(id)) = set.model_of(instance) else { continue };
                    if let (Some(mesh), Some(transform)) = (self.mesh(*id), set.transforms.get(instance)) {
                        let projection = projection.within(&transform);
                        let faces = 0..mesh.faces.len();
                        let visit = |corners: &[[f64; 3]], look: &Look<'_, 'm>| visit(instance, corners, look);
                        visit_mesh(mesh, faces, self.normals(*id), &projection, materials, sides, visit);
                    }
                }
            }
        }
    }
}

impl Bodies<'_> {
    /// Returns the number of faces of a body whose material is not drawn. Instances are not counted.
    pub(crate) fn count_undrawn_faces(&self, body: &Body<'_>, materials: &Materials) -> usize {
        let is_undrawn = |material: Option<MaterialId>| !materials.is_drawn(material);
        let in_mesh = |mesh: &Mesh| mesh.face_materials.iter().filter(|material| is_undrawn(**material)).count();
        match body.shape {
            Shape::Mesh(id) => self.mesh(id).map_or(0, in_mesh),
            Shape::Brush(place) => self.brushes.get(place).map_or(0, |(brush, polygons)| {
                let sides = brush.sides.iter().zip(&polygons.sides).filter(|(_, ring)| !ring.is_empty());
                sides.filter(|(side, _)| is_undrawn(side.material)).count()
            }),
            Shape::Placeholder(_) | Shape::Terrain(..) | Shape::Set(..) => 0,
        }
    }
}

/// Returns the surface of a face, and adds the look of its corners, if they differ.
pub(crate) type Look<'a, 'm> = dyn Fn(&mut Vec<CornerLook>) -> Surface<'m> + 'a;

/// Visits some faces of a mesh, ignoring its mirror. A flat mesh has no `normals`.
fn visit_mesh<'m>(
    mesh: &Mesh,
    faces: Range<usize>,
    normals: Option<&CornerColumn<[f32; 3]>>,
    projection: &Projection,
    materials: &'m Materials,
    sides: Sides,
    mut visit: impl FnMut(&[[f64; 3]], &Look<'_, 'm>),
) {
    let (mut corners, winding) = (Vec::new(), visible_winding(projection, sides));
    let rows = projection.normal_rows();
    for (face, ring) in faces.filter_map(|face| Some((face, mesh.faces.get(face)?))) {
        let is_drawn = !mesh.flags(face).contains(FaceFlags::HOLE) && materials.is_drawn(mesh.face_material(face));
        if is_drawn && collect_corners(&mut corners, ring, &mesh.positions, projection, winding) {
            visit(&corners, &|looks| {
                let range = mesh.faces.corner_range(face).unwrap_or_default();
                // A face with a corner without a normal is flat.
                let normals = normals.filter(|normals| normals.range(range.clone()).all(|normal| normal.is_some()));
                let normals = normals.into_iter().flat_map(|normals| normals.range(range.clone())).flatten();
                let normals = normals.map(|normal| rows.map(|row| dot(row, normal.map(f64::from))));
                materials.face_surface(mesh, face, normals, looks)
            });
        }
    }
}

/// Visits the sides of a box. `metres` is the length of a unit.
fn visit_box<'m>(
    placeholder: &PlaceholderBox,
    metres: f64,
    projection: &Projection,
    sides: Sides,
    mut visit: impl FnMut(&[[f64; 3]], &Look<'_, 'm>),
) {
    // Bits of a corner: east, up, south. Rings are counter-clockwise from outside.
    const SIDES: [[u32; 4]; 6] = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [2, 6, 7, 3], [4, 6, 2, 0], [5, 7, 6, 4]];
    let half = placeholder.size.map(|size| size / 2.0 / metres);
    let corner = |number: u32| [0, 1, 2].map(|axis: u32| if number >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let vertices: [[f64; 3]; 8] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(corner).map(|[x, y, z]| [x * half[0], y * half[1], z * half[2]]);
    let color = opaque(multiply([255; 3], ColorSpace::Linear.to_srgb(placeholder.color)));
    let (mut corners, winding) = (Vec::new(), visible_winding(projection, sides));
    for ring in SIDES {
        if collect_corners(&mut corners, &ring, &vertices, projection, winding) {
            visit(&corners, &|_| Surface { color, texture: None });
        }
    }
}

/// Returns the result of [`winds_counter_clockwise`] for visible faces, or `None` if both sides are visible.
fn visible_winding(projection: &Projection, sides: Sides) -> Option<bool> {
    (sides == Sides::Front).then(|| !projection.is_mirrored())
}

/// Projects the corners of a face. Returns `true` if the face is valid and visible.
fn collect_corners(
    corners: &mut Vec<[f64; 3]>,
    ring: &[u32],
    vertices: &[[f64; 3]],
    projection: &Projection,
    winding: Option<bool>,
) -> bool {
    corners.clear();
    corners.extend(
        ring.iter().filter_map(|&vertex| vertices.get(vertex as usize)).map(|&place| projection.project(place)),
    );
    corners.len() == ring.len()
        && ring.len() >= 3
        && winding.is_none_or(|winding| winds_counter_clockwise(corners) == winding)
}

/// Returns `true` if the projected face winds counter-clockwise.
fn winds_counter_clockwise(corners: &[[f64; 3]]) -> bool {
    let Some(&[x, y, _]) = corners.first() else { return false };
    let area = |pair: &[[f64; 3]]| match *pair {
        [[a, b, _], [c, d, _]] => (a - x) * (d - y) - (c - x) * (b - y),
        _ => 0.0,
    };
    // The y axis points down, so the sign is reversed.
    corners.windows(2).map(area).sum::<f64>() < 0.0
}

/// Returns the number of vertices per step.
fn terrain_step(terrain: &Terrain) -> u32 {
    let [columns, rows] = terrain.size;
    columns.max(rows).div_ceil(MAX_STEPS).max(1)
}

/// Returns the number of corners of all faces of a terrain.
pub(crate) fn count_corners(terrain: &Terrain) -> usize {
    let [across, down] = terrain.size.map(|count| count.saturating_sub(1).div_ceil(terrain_step(terrain)) as usize);
    across.saturating_mul(down).min(terrain.heights.len()).saturating_mul(6)
}

/// Visits the faces of a terrain; each row is a block. Faces below the sea are at its level. The others have the texture of their cell
/// or, without one, the tint of their height.
fn visit_terrain<'m>(
    terrain: &Terrain,
    relief: &Relief,
    projection: &Projection,
    materials: &'m Materials,
    is_wanted: impl Fn(usize) -> bool,
    mut visit: impl FnMut(usize, &[[f64; 3]], &Look<'_, 'm>),
) {
    let [columns, rows] = terrain.size;
    let step = terrain_step(terrain);
    let sea = terrain.sea_level.filter(|sea| sea.is_finite());
    let place = |column: u32, row: u32| {
        let vertex = (row as usize).checked_mul(columns as usize)?.checked_add(column as usize)?;
        let height = terrain.heights.get(vertex)?;
        let [x, z] = terrain.spacing;
        // NaN heights stay NaN, so that their faces are skipped.
        let top = sea.filter(|&sea| height < sea).unwrap_or(height);
        Some((height, projection.project([f64::from(column) * x, top, f64::from(row) * z])))
    };
    let next = |start: u32, count: u32| start.saturating_add(step).min(count.saturating_sub(1));
    let blocks = (0..rows.saturating_sub(1)).step_by(step as usize).enumerate();
    for (block, row) in blocks.filter(|(block, _)| is_wanted(*block)) {
        for column in (0..columns.saturating_sub(1)).step_by(step as usize) {
            let (right, below) = (next(column, columns), next(row, rows));
            let Some((a, first)) = place(column, row) else { return };
            let corners = (place(right, row), place(right, below), place(column, below));
            let (Some((b, second)), Some((c, third)), Some((d, fourth))) = corners else { return };
            // Skip both halves of a quad with an invalid height.
            if ![first, second, third, fourth].iter().flatten().all(|place| place.is_finite()) {
                continue;
            }
            let halves = match terrain.diagonal {
                Diagonal::Main => [[0, 1, 2], [0, 2, 3]],
                Diagonal::Anti => [[0, 1, 3], [1, 2, 3]],
            };
            let corners = [first, second, third, fourth];
            let places = [[column, row], [right, row], [right, below], [column, below]];
            let look = |half: [usize; 3], looks: &mut Vec<CornerLook>| {
                let (color, is_water) = relief.tint((a + b + c + d) / 4.0, sea);
                let [[left, top], [right, bottom]] = [[column, row], [right, below]].map(|place| place.map(f64::from));
                let cell = Cell::at(terrain, (left + right) / 2.0, (top + bottom) / 2.0).filter(|_| !is_water);
                let textured = cell.and_then(|cell| {
                    let material = terrain.materials.get(usize::try_from(cell.material).ok()?)?;
                    Some((cell, materials.textured_surface(*material)?))
                });
                let Some((cell, surface)) = textured else { return Surface { color: opaque(color), texture: None } };
                looks.extend(half.iter().filter_map(|corner| {
                    let [column, row] = places.get(*corner)?.map(f64::from);
                    Some(CornerLook { uv: cell.uv(column, row), tint: [1.0; 3], normal: None })
                }));
                surface
            };
            for half in halves {
                let points = half.map(|corner| corners.get(corner).copied().unwrap_or_default());
                visit(block, &points, &|looks| look(half, looks));
            }
        }
    }
}
