//! The faces of bodies, one after another. They are never all in memory.

use mapwright_scene::{Diagonal, FaceFlags, Mesh, Model, Terrain};

use super::bodies::{Bodies, Body, Shape};
use super::materials::MaterialColors;
use crate::Sides;
use crate::colors::{Color, opaque};
use crate::orbit::Projection;
use crate::relief::Relief;

/// Maximum number of steps along a side of terrain. Larger terrain is drawn with fewer vertices, which is not visible in images of
/// usual size.
const MAX_STEPS: u32 = 4096;

impl Bodies<'_> {
    /// Visits each face of a body. Passes its projected corners, and a function that computes its colour.
    pub(crate) fn visit_faces(
        &self,
        body: &Body<'_>,
        projection: &Projection,
        colors: &MaterialColors,
        sides: Sides,
        mut visit: impl FnMut(&[[f64; 3]], &dyn Fn() -> Color),
    ) {
        let projection = projection.within(&body.world);
        match body.shape {
            Shape::Mesh(id) => {
                if let Some(mesh) = self.mesh(id) {
                    visit_mesh(mesh, &projection, colors, sides, &mut visit);
                }
            }
            Shape::Brush(place) => {
                let Some((brush, polygons)) = self.brushes.get(place) else { return };
                let (mut corners, winding) = (Vec::new(), visible_winding(&projection, sides));
                for (ring, side) in polygons.sides.iter().zip(&brush.sides) {
                    if collect_corners(&mut corners, ring, &polygons.vertices, &projection, winding) {
                        visit(&corners, &|| colors.material_color(side.material));
                    }
                }
            }
            Shape::Terrain(terrain, relief) => visit_terrain(terrain, &relief, &projection, &mut visit),
            Shape::Set(set, count) => {
                for instance in 0..count {
                    let Some(Model::Mesh(id)) = set.model_of(instance) else { continue };
                    if let (Some(mesh), Some(transform)) = (self.mesh(*id), set.transforms.get(instance)) {
                        visit_mesh(mesh, &projection.within(&transform), colors, sides, &mut visit);
                    }
                }
            }
        }
    }
}

/// Visits the faces of a mesh, ignoring its mirror.
fn visit_mesh(
    mesh: &Mesh,
    projection: &Projection,
    colors: &MaterialColors,
    sides: Sides,
    visit: &mut impl FnMut(&[[f64; 3]], &dyn Fn() -> Color),
) {
    let (mut corners, winding) = (Vec::new(), visible_winding(projection, sides));
    for (face, ring) in mesh.faces.iter().enumerate() {
        let is_hole = mesh.flags(face).contains(FaceFlags::HOLE);
        if !is_hole && collect_corners(&mut corners, ring, &mesh.positions, projection, winding) {
            visit(&corners, &|| colors.face_color(mesh, face));
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

/// Visits the faces of a terrain. Faces below the sea are at its level.
fn visit_terrain(
    terrain: &Terrain,
    relief: &Relief,
    projection: &Projection,
    visit: &mut impl FnMut(&[[f64; 3]], &dyn Fn() -> Color),
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
    for row in (0..rows.saturating_sub(1)).step_by(step as usize) {
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
                Diagonal::Main => [[first, second, third], [first, third, fourth]],
                Diagonal::Anti => [[first, second, fourth], [second, third, fourth]],
            };
            let color = || opaque(relief.tint((a + b + c + d) / 4.0, sea).0);
            halves.iter().for_each(|half| visit(half, &color));
        }
    }
}
