//! The faces of bodies, one after another: they are never in memory all at once.

use mapwright_scene::{Diagonal, FaceFlags, Mesh, Model, Terrain};

use super::bodies::{Bodies, Body, Shape};
use super::materials::Paints;
use crate::Sides;
use crate::colors::{Color, opaque};
use crate::orbit::Sight;
use crate::relief::Relief;

/// Terrain of more vertices along a side is drawn with fewer, which pictures of usual sizes do not show.
const MOST_STEPS: u32 = 4096;

impl Bodies<'_> {
    /// Calls back for each face of a body, with its corners as they are seen, and what works out its colour.
    pub(crate) fn faces(
        &self,
        body: &Body<'_>,
        sight: &Sight,
        paints: &Paints,
        sides: Sides,
        mut found: impl FnMut(&[[f64; 3]], &dyn Fn() -> Color),
    ) {
        let sight = sight.of(&body.world);
        match body.shape {
            Shape::Mesh(id) => {
                if let Some(mesh) = self.mesh(id) {
                    of_mesh(mesh, &sight, paints, sides, &mut found);
                }
            }
            Shape::Brush(place) => {
                let Some((brush, polygons)) = self.brushes.get(place) else { return };
                let (mut corners, front) = (Vec::new(), seen(&sight, sides));
                for (ring, side) in polygons.sides.iter().zip(&brush.sides) {
                    if collect(&mut corners, ring, &polygons.vertices, &sight, front) {
                        found(&corners, &|| paints.of(side.material));
                    }
                }
            }
            Shape::Terrain(terrain, relief) => of_terrain(terrain, &relief, &sight, &mut found),
            Shape::Set(set, count) => {
                for instance in 0..count {
                    let Some(Model::Mesh(id)) = set.model_of(instance) else { continue };
                    if let (Some(mesh), Some(transform)) = (self.mesh(*id), set.transforms.get(instance)) {
                        of_mesh(mesh, &sight.of(&transform), paints, sides, &mut found);
                    }
                }
            }
        }
    }
}

/// The surface of a mesh without a mirror.
fn of_mesh(
    mesh: &Mesh,
    sight: &Sight,
    paints: &Paints,
    sides: Sides,
    found: &mut impl FnMut(&[[f64; 3]], &dyn Fn() -> Color),
) {
    let (mut corners, front) = (Vec::new(), seen(sight, sides));
    for (face, ring) in mesh.faces.iter().enumerate() {
        let is_hole = mesh.flags(face).contains(FaceFlags::HOLE);
        if !is_hole && collect(&mut corners, ring, &mesh.positions, sight, front) {
            found(&corners, &|| paints.of_face(mesh, face));
        }
    }
}

/// What [`is_front`] says of faces that are seen, if not all are.
fn seen(sight: &Sight, sides: Sides) -> Option<bool> {
    (sides == Sides::Front).then(|| !sight.mirrors())
}

/// Takes the corners of a ring of vertices; whether it is a face that is seen.
fn collect(
    corners: &mut Vec<[f64; 3]>,
    ring: &[u32],
    vertices: &[[f64; 3]],
    sight: &Sight,
    front: Option<bool>,
) -> bool {
    corners.clear();
    corners.extend(ring.iter().filter_map(|&vertex| vertices.get(vertex as usize)).map(|&place| sight.point(place)));
    corners.len() == ring.len() && ring.len() >= 3 && front.is_none_or(|front| is_front(corners) == front)
}

/// Whether a face goes round against the clock as it is seen.
fn is_front(corners: &[[f64; 3]]) -> bool {
    let Some(&[x, y, _]) = corners.first() else { return false };
    let area = |pair: &[[f64; 3]]| match *pair {
        [[a, b, _], [c, d, _]] => (a - x) * (d - y) - (c - x) * (b - y),
        _ => 0.0,
    };
    // Down is more.
    corners.windows(2).map(area).sum::<f64>() < 0.0
}

/// How many steps between vertices a face of a terrain is long.
fn step(terrain: &Terrain) -> u32 {
    let [columns, rows] = terrain.size;
    columns.max(rows).div_ceil(MOST_STEPS).max(1)
}

/// How many corners the faces of a terrain have.
pub(crate) fn corners_of(terrain: &Terrain) -> usize {
    let [across, down] = terrain.size.map(|count| count.saturating_sub(1).div_ceil(step(terrain)) as usize);
    across.saturating_mul(down).min(terrain.heights.len()).saturating_mul(6)
}

/// The ground, with the sea above it.
fn of_terrain(
    terrain: &Terrain,
    relief: &Relief,
    sight: &Sight,
    found: &mut impl FnMut(&[[f64; 3]], &dyn Fn() -> Color),
) {
    let [columns, rows] = terrain.size;
    let step = step(terrain);
    let sea = terrain.sea_level.filter(|sea| sea.is_finite());
    let place = |column: u32, row: u32| {
        let vertex = (row as usize).checked_mul(columns as usize)?.checked_add(column as usize)?;
        let height = terrain.heights.get(vertex)?;
        let [x, z] = terrain.spacing;
        // What is no number stays none, and so no face has it.
        let top = sea.filter(|&sea| height < sea).unwrap_or(height);
        Some((height, sight.point([f64::from(column) * x, top, f64::from(row) * z])))
    };
    let next = |start: u32, count: u32| start.saturating_add(step).min(count.saturating_sub(1));
    for row in (0..rows.saturating_sub(1)).step_by(step as usize) {
        for column in (0..columns.saturating_sub(1)).step_by(step as usize) {
            let (right, below) = (next(column, columns), next(row, rows));
            let Some((a, first)) = place(column, row) else { return };
            let corners = (place(right, row), place(right, below), place(column, below));
            let (Some((b, second)), Some((c, third)), Some((d, fourth))) = corners else { return };
            // Of a quad with a height that is none, neither half is there.
            if ![first, second, third, fourth].iter().flatten().all(|place| place.is_finite()) {
                continue;
            }
            let halves = match terrain.diagonal {
                Diagonal::Main => [[first, second, third], [first, third, fourth]],
                Diagonal::Anti => [[first, second, fourth], [second, third, fourth]],
            };
            let color = || opaque(relief.tint((a + b + c + d) / 4.0, sea).0);
            halves.iter().for_each(|half| found(half, &color));
        }
    }
}
