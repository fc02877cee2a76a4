//! Height fields → polygon meshes.

use mapwright_scene as scene;
use mapwright_scene::{Diagonal, Terrain, UvSet};

/// Two triangles for each quad, and texture coordinates that cover each texture cell once.
pub(super) fn mesh(terrain: &Terrain) -> scene::Mesh {
    let [columns, rows] = terrain.size;
    let [dx, dz] = terrain.spacing;
    let mut mesh = scene::Mesh::default();
    let mut uvs = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let index = u64::from(row) * u64::from(columns) + u64::from(column);
            let height = usize::try_from(index).ok().and_then(|index| terrain.heights.get(index));
            let height = height.filter(|height| height.is_finite()).unwrap_or(0.0);
            mesh.positions.push([f64::from(column) * dx, height, f64::from(row) * dz]);
        }
    }
    let quads = [columns.saturating_sub(1), rows.saturating_sub(1)];
    let [cells_x, cells_z] = terrain.cell_size;
    // Texture cells cover the same ground, evenly.
    let cells = |quads: u32, cells: u32| if quads == 0 { 0.0 } else { f64::from(cells) / f64::from(quads) };
    let step = [cells(quads[0], cells_x), cells(quads[1], cells_z)];
    // Rows that run towards −Z turn the winding.
    let turned = (dx < 0.0) != (dz < 0.0);
    for row in 0..quads[1] {
        for column in 0..quads[0] {
            let at = |c: u32, r: u32| {
                let place = (u64::from(row) + u64::from(r)) * u64::from(columns) + u64::from(column) + u64::from(c);
                u32::try_from(place).unwrap_or(u32::MAX)
            };
            let corners = [(0, 0), (0, 1), (1, 1), (1, 0)];
            let split = match terrain.diagonal {
                Diagonal::Main => [[0, 1, 2], [0, 2, 3]],
                Diagonal::Anti => [[0, 1, 3], [1, 2, 3]],
            };
            let material = material(terrain, [column, row], step);
            for triangle in split {
                let mut places: Vec<(u32, u32)> =
                    triangle.iter().filter_map(|&corner: &usize| corners.get(corner).copied()).collect();
                if turned {
                    places.reverse();
                }
                let face: Vec<u32> = places.iter().map(|&(c, r)| at(c, r)).collect();
                mesh.faces.push(&face);
                mesh.face_materials.push(material);
                uvs.extend(
                    places.iter().map(|&(c, r)| Some([f64::from(column + c) * step[0], f64::from(row + r) * step[1]])),
                );
            }
        }
    }
    mesh.uv_sets = vec![UvSet { corners: uvs, ..UvSet::default() }];
    if mesh.face_materials.iter().all(Option::is_none) {
        mesh.face_materials = Vec::new();
    }
    mesh
}

/// The material in the middle of a quad.
fn material(terrain: &Terrain, quad: [u32; 2], step: [f64; 2]) -> Option<scene::MaterialId> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let cell =
        |quad: u32, step: f64, count: u32| (((f64::from(quad) + 0.5) * step) as u32).min(count.saturating_sub(1));
    let [x, z] = [cell(quad[0], step[0], terrain.cell_size[0]), cell(quad[1], step[1], terrain.cell_size[1])];
    let index = usize::try_from(u64::from(z) * u64::from(terrain.cell_size[0]) + u64::from(x)).ok()?;
    let material = *terrain.cells.get(index)?;
    terrain.materials.get(material as usize).copied().flatten()
}

#[cfg(test)]
mod tests {
    use mapwright_scene::Heights;

    use super::*;

    fn terrain(spacing: [f64; 2], diagonal: Diagonal) -> Terrain {
        Terrain {
            name: String::new(),
            size: [3, 2],
            spacing,
            heights: Heights::F32(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            diagonal,
            cell_size: [2, 1],
            cells: vec![0, 1],
            materials: vec![Some(scene::MaterialId::new(7)), None],
            sea_level: None,
            attributes: Vec::new(),
            properties: scene::Properties::new(),
        }
    }

    #[test]
    fn the_ground_faces_up_whichever_way_rows_run() {
        for spacing in [[2.0, 3.0], [2.0, -3.0], [-2.0, 3.0], [-2.0, -3.0]] {
            for diagonal in [Diagonal::Main, Diagonal::Anti] {
                let mesh = mesh(&terrain(spacing, diagonal));
                assert_eq!((mesh.positions.len(), mesh.faces.len()), (6, 4));
                assert!((0..4).all(|face| mesh.face_normal(face).unwrap()[1] > 0.0), "{spacing:?} {diagonal:?}");
                assert_eq!(mesh.face_materials.iter().filter(|material| material.is_some()).count(), 2);
            }
        }
        let main = mesh(&terrain([1.0, 1.0], Diagonal::Main));
        assert_eq!(main.faces.get(0), Some(&[0, 3, 4][..]));
        assert_eq!(main.uv_sets[0].corners[..3], [Some([0.0, 0.0]), Some([0.0, 1.0]), Some([1.0, 1.0])]);
    }
}
