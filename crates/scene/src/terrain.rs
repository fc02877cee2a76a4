//! Terrains: heightmaps with texture cells.

use crate::{Attribute, CornerColumn, MaterialId, Mesh, Properties, UvSet};

/// A terrain: a grid of heights over the ground plane of its node.
///
/// The vertex in column c and row r is at `(c · spacing[0], height, r · spacing[1])`. A negative spacing preserves the order of
/// rows of a file whose rows run towards −Z.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Terrain {
    /// The name; may be empty.
    pub name: String,
    /// Number of vertices along X and along Z.
    pub size: [u32; 2],
    /// Distance between vertices along X and Z, in units of length.
    pub spacing: [f64; 2],
    /// One height per vertex, row by row.
    pub heights: Heights,
    /// The diagonal that splits quads into triangles.
    pub diagonal: Diagonal,
    /// Number of texture cells along X and along Z. They cover the ground evenly.
    pub cell_size: [u32; 2],
    /// Index into [`materials`](Self::materials) of each texture cell, row by row. An index beyond the list is a cell without a
    /// material.
    pub cells: Vec<u32>,
    /// Materials of the cells. `None`: sea, or no material.
    pub materials: Vec<Option<MaterialId>>,
    /// Height of the water.
    pub sea_level: Option<f64>,
    /// Other columns, such as the density of grass: one row per height ([`Domain::Vertex`](crate::Domain::Vertex)) or per texture
    /// cell ([`Domain::Face`](crate::Domain::Face)), in their order.
    pub attributes: Vec<Attribute>,
    /// Other data of the file.
    pub properties: Properties,
}

/// The heights of a terrain in units of length, as exact as in the file.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Heights {
    /// Floating-point heights.
    F32(Vec<f32>),
    /// Multiples of a step.
    Steps {
        /// The height of one step, in units of length.
        step: f64,
        /// The multiples.
        values: Vec<i16>,
    },
}

impl Heights {
    /// Returns the number of heights.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(heights) => heights.len(),
            Self::Steps { values, .. } => values.len(),
        }
    }

    /// Returns `true` if there are no heights.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the height of a vertex.
    pub fn get(&self, vertex: usize) -> Option<f64> {
        match self {
            Self::F32(heights) => heights.get(vertex).map(|&height| f64::from(height)),
            Self::Steps { step, values } => values.get(vertex).map(|&value| f64::from(value) * step),
        }
    }
}

/// The diagonal that splits a quad of a terrain into triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Diagonal {
    /// From (c, r) to (c + 1, r + 1).
    #[default]
    Main,
    /// From (c + 1, r) to (c, r + 1).
    Anti,
}

impl Terrain {
    /// Creates a terrain with `size` vertices along X and Z and `spacing` units of length between them. The heights are row by
    /// row.
    pub fn new(size: [u32; 2], spacing: [f64; 2], heights: Heights) -> Self {
        Self {
            name: String::new(),
            size,
            spacing,
            heights,
            diagonal: Diagonal::default(),
            cell_size: [0; 2],
            cells: Vec::new(),
            materials: Vec::new(),
            sea_level: None,
            attributes: Vec::new(),
            properties: Properties::new(),
        }
    }

    /// Returns the number of texture cells per step between vertices along X and Z. Cells cover the ground evenly. If they
    /// cannot in whole steps, and a cell has as many steps as vertices, the last cells extend beyond the terrain: some games
    /// have one cell for each vertex.
    pub fn cells_for_step(&self) -> [f64; 2] {
        let ([columns, rows], [cells_x, cells_z]) = (self.size, self.cell_size);
        [cells_for_step(columns, cells_x), cells_for_step(rows, cells_z)]
    }

    /// Converts the ground to a mesh: two upward triangles per quad, with the material of the cell in its middle, and texture
    /// coordinates that cover each texture cell once. Heights that are not finite become 0.
    pub fn mesh(&self) -> Mesh {
        mesh(self)
    }

    /// Returns the materials of the quads of [`mesh`](Self::mesh), with repetitions.
    pub fn quad_materials(&self) -> impl Iterator<Item = MaterialId> {
        let [columns, rows] = self.size.map(|count| count.saturating_sub(1));
        let step = self.cells_for_step();
        let quads = (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row]));
        quads.filter_map(move |quad| material(self, quad, step))
    }
}

fn cells_for_step(vertices: u32, cells: u32) -> f64 {
    let quads = vertices.saturating_sub(1);
    let is_cut = cells > 0 && !quads.is_multiple_of(cells) && vertices.is_multiple_of(cells);
    f64::from(cells) / f64::from(if is_cut { vertices } else { quads }.max(1))
}

/// See [`Terrain::mesh`].
fn mesh(terrain: &Terrain) -> Mesh {
    let [columns, rows] = terrain.size;
    let [dx, dz] = terrain.spacing;
    let step = terrain.cells_for_step();
    let mut mesh = Mesh::default();
    let mut uvs = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let index = u64::from(row) * u64::from(columns) + u64::from(column);
            let height = usize::try_from(index).ok().and_then(|index| terrain.heights.get(index));
            let height = height.filter(|height| height.is_finite()).unwrap_or(0.0);
            mesh.positions.push([f64::from(column) * dx, height, f64::from(row) * dz]);
            uvs.push([f64::from(column) * step[0], f64::from(row) * step[1]]);
        }
    }
    let quads = [columns.saturating_sub(1), rows.saturating_sub(1)];
    // Rows that run towards −Z reverse the winding.
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
                let places = triangle.iter().filter_map(|&corner: &usize| corners.get(corner));
                let mut face: Vec<u32> = places.map(|&(c, r)| at(c, r)).collect();
                if turned {
                    face.reverse();
                }
                mesh.faces.push(&face);
                mesh.face_materials.push(material);
            }
        }
    }
    let corners = CornerColumn::from_rows(uvs, mesh.faces.corners().to_vec()).unwrap_or_default();
    mesh.uv_sets = vec![UvSet { corners, ..UvSet::default() }];
    if mesh.face_materials.iter().all(Option::is_none) {
        mesh.face_materials = Vec::new();
    }
    mesh
}

/// Returns the material in the middle of a quad.
fn material(terrain: &Terrain, quad: [u32; 2], step: [f64; 2]) -> Option<MaterialId> {
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
    use super::*;

    fn terrain(spacing: [f64; 2], diagonal: Diagonal) -> Terrain {
        Terrain {
            diagonal,
            cell_size: [2, 1],
            cells: vec![0, 1],
            materials: vec![Some(MaterialId::new(7)), None],
            ..Terrain::new([3, 2], spacing, Heights::F32(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]))
        }
    }

    #[test]
    fn the_ground_faces_up_for_any_row_direction() {
        for spacing in [[2.0, 3.0], [2.0, -3.0], [-2.0, 3.0], [-2.0, -3.0]] {
            for diagonal in [Diagonal::Main, Diagonal::Anti] {
                let mesh = terrain(spacing, diagonal).mesh();
                assert_eq!((mesh.positions.len(), mesh.faces.len()), (6, 4));
                assert!((0..4).all(|face| mesh.face_normal(face).unwrap()[1] > 0.0), "{spacing:?} {diagonal:?}");
                assert_eq!(mesh.face_materials.iter().filter(|material| material.is_some()).count(), 2);
                // Both triangles are one quad.
                assert_eq!(terrain(spacing, diagonal).quad_materials().collect::<Vec<_>>(), [MaterialId::new(7)]);
            }
        }
        let main = terrain([1.0, 1.0], Diagonal::Main).mesh();
        assert_eq!(main.faces.get(0), Some(&[0, 3, 4][..]));
        assert!(main.uv_sets[0].corners.range(0..3).eq([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(Some)));
    }

    #[test]
    fn cells_are_even_or_extend_beyond_the_terrain() {
        let even = |vertices, cells, expected: f64| assert_eq!(cells_for_step(vertices, cells), expected);
        even(257, 256, 1.0);
        even(256, 256, 1.0);
        even(512, 128, 0.25);
        even(513, 128, 0.25);
        even(4, 1, 1.0 / 3.0);
        even(4, 2, 0.5);
        even(5, 3, 0.75);
        even(5, 0, 0.0);
    }

    #[test]
    fn each_quad_gets_the_material_of_its_cell() {
        // As in Operation Flashpoint: one cell for each vertex, so the last cells have no ground.
        let cells: Vec<u32> = (0..16).collect();
        let materials = (0..16).map(|material| Some(MaterialId::new(material))).collect();
        let heights = Heights::Steps { step: 1.0, values: vec![0; 16] };
        let terrain = Terrain {
            size: [4, 4],
            cell_size: [4, 4],
            heights,
            cells,
            materials,
            ..terrain([1.0, -1.0], Diagonal::Anti)
        };
        let mesh = terrain.mesh();
        let shown: Vec<usize> = mesh.face_materials.iter().step_by(2).flatten().map(|id| id.index()).collect();
        assert_eq!(shown, [0, 1, 2, 4, 5, 6, 8, 9, 10]);
        assert_eq!(mesh.uv_sets[0].corners.iter().flatten().flatten().fold(0.0, f64::max), 3.0);
    }
}
