//! Height fields, as meshes.

use mapwright_scene::{Diagonal, Faces, Mesh, Terrain};

use super::Writer;
use crate::Error;

impl Writer<'_> {
    pub(super) fn terrain(&mut self, terrain: &Terrain, path: &str) -> Result<Option<u32>, Error> {
        let infinite = (0..terrain.heights.len()).filter(|&i| !is_finite(terrain, i)).count();
        if infinite > 0 {
            self.losses.repaired(path, format!("{infinite} heights that are not finite became 0"));
        }
        self.mesh(&mesh(terrain), path)
    }
}

fn is_finite(terrain: &Terrain, vertex: usize) -> bool {
    terrain.heights.get(vertex).is_some_and(f64::is_finite)
}

/// Two triangles for each quad, facing up, with the material of the cell that they lie in.
fn mesh(terrain: &Terrain) -> Mesh {
    let [columns, rows] = terrain.size;
    let [step_x, step_z] = terrain.spacing;
    let mut mesh = Mesh { name: terrain.name.clone(), ..Mesh::default() };
    mesh.positions.reserve(terrain.heights.len());
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    for (vertex, (column, row)) in places.enumerate() {
        let height = terrain.heights.get(vertex).filter(|height| height.is_finite()).unwrap_or(0.0);
        mesh.positions.push([f64::from(column) * step_x, height, f64::from(row) * step_z]);
    }
    let quads = [columns.saturating_sub(1), rows.saturating_sub(1)];
    let faces_up = (step_x < 0.0) == (step_z < 0.0);
    let mut faces = Faces::new();
    for row in 0..quads[1] {
        for column in 0..quads[0] {
            // Validation has counted the heights, so that these fit.
            let a = row * columns + column;
            let [b, c, d] = [a + 1, a + columns, a + columns + 1];
            let halves = match terrain.diagonal {
                Diagonal::Main => [[a, c, d], [a, d, b]],
                Diagonal::Anti => [[a, c, b], [b, c, d]],
            };
            let material = material(terrain, [column, row], quads);
            for [p, q, r] in halves {
                faces.push(&if faces_up { [p, q, r] } else { [p, r, q] });
                mesh.face_materials.push(material);
            }
        }
    }
    mesh.faces = faces;
    mesh
}

/// The material of the texture cell that a quad begins in.
fn material(terrain: &Terrain, quad: [u32; 2], quads: [u32; 2]) -> Option<mapwright_scene::MaterialId> {
    let cell = |axis: usize| -> Option<u64> {
        let (quad, quads, cells) = (quad.get(axis)?, quads.get(axis)?, terrain.cell_size.get(axis)?);
        (u64::from(*quad) * u64::from(*cells)).checked_div(u64::from(*quads))
    };
    let place = cell(1)? * u64::from(terrain.cell_size[0]) + cell(0)?;
    let index = *terrain.cells.get(usize::try_from(place).ok()?)?;
    terrain.materials.get(index as usize).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Heights, Properties};

    #[test]
    fn every_triangle_faces_up_whatever_the_order_of_rows() {
        for spacing in [[2.0, 3.0], [2.0, -3.0]] {
            for diagonal in [Diagonal::Main, Diagonal::Anti] {
                let terrain = Terrain {
                    name: "island".into(),
                    size: [3, 3],
                    spacing,
                    heights: Heights::F32((0_u8..9).map(f32::from).collect()),
                    diagonal,
                    cell_size: [1, 2],
                    cells: vec![0, 1],
                    materials: vec![None, None],
                    sea_level: None,
                    attributes: Vec::new(),
                    properties: Properties::new(),
                };
                let mesh = mesh(&terrain);
                assert_eq!((mesh.faces.len(), mesh.positions.len()), (8, 9));
                assert!((0..8).all(|face| mesh.face_normal(face).unwrap()[1] > 0.0));
            }
        }
    }
}
