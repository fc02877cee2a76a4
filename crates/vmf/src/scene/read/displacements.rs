//! Displacements → meshes.

use mapwright_scene::{Attribute, Domain, Mesh, Properties, Smoothing, TextureProjection, UvSet};

use super::context::Context;
use super::projections::read_projection;
use crate::geometry::DisplacementGrid;
use crate::scene::AXES;
use crate::scene::names::BLEND;
use crate::{Side, Solid};

/// Assumed size of a texture in texels.
const TEXTURE_SIZE: f64 = 64.0;

/// Creates the mesh of the displacements of a solid. Returns `None` if it would be empty.
pub(super) fn read_displacements(
    context: &mut Context<'_>,
    solid: Solid<'_>,
    polygons: &[Vec<[f64; 3]>],
    path: &str,
) -> Option<Mesh> {
    let mut surface = Surface { mesh: Mesh { smoothing: Smoothing::Smooth, ..Mesh::default() }, weights: Vec::new() };
    for (side, polygon) in solid.sides().zip(polygons) {
        let Some(displacement) = side.displacement() else {
            // Games do not draw it.
            context.counts.undrawn_sides += 1;
            continue;
        };
        let normal = side.half_space().map_or([0.0; 3], |space| space.normal);
        let material = side.material().map(|name| context.material(&name));
        let before = surface.mesh.faces.len();
        match displacement.grid(polygon, normal) {
            Ok(grid) if grid.points.iter().flatten().all(|number| number.is_finite()) => {
                context.counts.displacements += 1;
                surface.add_grid(side, &grid);
            }
            Ok(_) => {
                context.losses.repaired(path, "displacement with numbers that are not finite: as the flat side");
                surface.add_flat(side, polygon);
            }
            Err(problem) => {
                context.losses.repaired(path, format!("{problem}: as the flat side"));
                surface.add_flat(side, polygon);
            }
        }
        let added = surface.mesh.faces.len() - before;
        surface.mesh.face_materials.extend(std::iter::repeat_n(material, added));
    }
    surface.finish()
}

/// A mesh of displacements.
struct Surface {
    mesh: Mesh,
    /// The weight of the second texture at each corner.
    weights: Vec<f64>,
}

impl Surface {
    fn add_grid(&mut self, side: Side<'_>, grid: &DisplacementGrid) {
        let start = self.mesh.positions.len();
        self.mesh.positions.extend(grid.points.iter().map(|point| AXES.apply(*point)));
        for triangle in grid.triangles() {
            let [a, b, c] = triangle;
            // Maps are clockwise, scenes counter-clockwise.
            let order = [c, b, a];
            let weights = order.map(|index| grid.alphas.get(index).copied().unwrap_or(0.0) / 255.0);
            let flat = order.map(|index| grid.flat_points.get(index).copied().unwrap_or_default());
            self.add_face(side, order.map(|index| start + index).as_slice(), &flat, &weights);
        }
    }

    fn add_flat(&mut self, side: Side<'_>, polygon: &[[f64; 3]]) {
        if polygon.len() < 3 {
            return;
        }
        let start = self.mesh.positions.len();
        let points: Vec<[f64; 3]> = polygon.iter().rev().copied().collect();
        self.mesh.positions.extend(points.iter().map(|point| AXES.apply(*point)));
        let corners: Vec<usize> = (start..start + points.len()).collect();
        self.add_face(side, &corners, &points, &vec![0.0; points.len()]);
    }

    /// Adds a face with the texture coordinates of the flat points: displacements do not move textures.
    fn add_face(&mut self, side: Side<'_>, corners: &[usize], flat: &[[f64; 3]], weights: &[f64]) {
        let corners: Vec<u32> = corners.iter().map(|&corner| u32::try_from(corner).unwrap_or(u32::MAX)).collect();
        self.mesh.faces.push(&corners);
        let (plain, _) = read_projection(side);
        let texels: Vec<[f64; 2]> = flat.iter().map(|point| plain.texel(AXES.apply(*point))).collect();
        let place = |corner: &u32| self.mesh.positions.get(*corner as usize).copied().unwrap_or_default();
        // The projection that maps the moved points to these texels.
        let fitted = match (corners.as_slice(), texels.as_slice()) {
            ([a, b, c], [s, t, u]) => TextureProjection::from_points([a, b, c].map(place), [*s, *t, *u]),
            _ => None,
        };
        self.mesh.face_projections.push(fitted.unwrap_or(plain));
        if self.mesh.uv_sets.is_empty() {
            self.mesh.uv_sets.push(UvSet::default());
        }
        for set in &mut self.mesh.uv_sets {
            let uvs = texels.iter().map(|texel| texel.map(|part| part / TEXTURE_SIZE));
            set.corners.extend(uvs.map(|uv| Some(uv).filter(|uv| uv.iter().all(|part| part.is_finite()))));
        }
        self.weights.extend(weights);
    }

    fn finish(mut self) -> Option<Mesh> {
        if self.mesh.faces.is_empty() {
            return None;
        }
        if self.weights.iter().any(|weight| *weight != 0.0) {
            let values = self.weights.iter().flat_map(|weight| [*weight, 0.0, 0.0, 0.0]).collect();
            self.mesh.attributes.push(Attribute { name: BLEND.to_owned(), domain: Domain::Corner, width: 4, values });
        }
        self.mesh.properties = Properties::new();
        Some(self.mesh)
    }
}
