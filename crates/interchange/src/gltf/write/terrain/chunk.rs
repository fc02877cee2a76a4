//! A part of a terrain as vertices and triangles.

use mapwright_scene::Diagonal;

use super::{super::vertices::single, field::Field};

/// Some quads of a terrain.
pub(super) struct Chunk<'f, 't> {
    field: &'f Field<'t>,
    /// Column and row of the first quad, and the number of quads.
    first: [u32; 2],
    size: [u32; 2],
    /// For each vertex, the purpose for which it was last written, and its row.
    known: Vec<(u32, u32)>,
    /// Distinguishes vertices that are written for different purposes.
    purpose: u32,
}

/// A quad with the data that its vertices depend on. Sorting groups quads that can share vertices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Quad {
    /// The material of the scene.
    pub material: Option<usize>,
    /// The texture cell to which texture coordinates are relative.
    origin: [u32; 2],
    /// Row and column in the chunk.
    place: [u32; 2],
}

/// Vertices and triangles. A vertex has its position relative to the chunk, its normal and texture coordinates.
#[derive(Default)]
pub(super) struct Surface {
    pub words: Vec<u32>,
    pub indices: Vec<u32>,
    /// `true` if positions are rounded.
    pub rounded: bool,
}

impl<'f, 't> Chunk<'f, 't> {
    pub(super) fn new(field: &'f Field<'t>, first: [u32; 2], size: [u32; 2]) -> Self {
        let vertices = (size[0] as usize + 1) * (size[1] as usize + 1);
        Self { field, first, size, known: vec![(0, 0); vertices], purpose: 0 }
    }

    /// Returns the position of the chunk.
    pub(super) fn origin(&self) -> [f64; 3] {
        let [x, z] = self.field.plane(self.first);
        [x, 0.0, z]
    }

    /// Returns all quads, sorted by material. `materials` contains the material of the scene for each entry of the terrain's
    /// materials, and `true` if its textures end with the cell.
    pub(super) fn quads(&self, materials: &[(Option<usize>, bool)]) -> Vec<Quad> {
        // Texture coordinates relative to the chunk stay small, and exact in 32 bits.
        let start = self.field.cell(self.first);
        let mut quads = Vec::with_capacity(self.known.len());
        for row in 0..self.size[1] {
            for column in 0..self.size[0] {
                let cell = self.field.cell([self.first[0] + column, self.first[1] + row]);
                let entry = self.field.material(cell).and_then(|entry| materials.get(entry));
                let (material, ends) = entry.copied().unwrap_or((None, false));
                quads.push(Quad { material, origin: if ends { cell } else { start }, place: [row, column] });
            }
        }
        quads.sort_unstable();
        quads
    }

    /// Creates the surface of some quads of one material, with this many equal sets of texture coordinates.
    ///
    /// # Errors
    /// The number that 32 bits cannot store.
    pub(super) fn surface(&mut self, quads: &[Quad], uv_sets: usize) -> Result<Surface, f64> {
        let terrain = self.field.terrain;
        let [step_x, step_z] = terrain.spacing;
        let faces_up = (step_x < 0.0) == (step_z < 0.0);
        let mut surface = Surface::default();
        surface.indices.reserve(quads.len() * 6);
        let mut origin = None;
        for quad in quads {
            if origin.replace(quad.origin) != Some(quad.origin) {
                self.purpose += 1;
            }
            let [row, column] = quad.place;
            let mut corners = [0; 4];
            for (corner, offset) in corners.iter_mut().zip([[0, 0], [1, 0], [0, 1], [1, 1]]) {
                *corner = self.vertex([column + offset[0], row + offset[1]], quad.origin, uv_sets, &mut surface)?;
            }
            let [a, b, c, d] = corners;
            let halves = match terrain.diagonal {
                Diagonal::Main => [[a, c, d], [a, d, b]],
                Diagonal::Anti => [[a, c, b], [b, c, d]],
            };
            for [p, q, r] in halves {
                surface.indices.extend(if faces_up { [p, q, r] } else { [p, r, q] });
            }
        }
        Ok(surface)
    }

    /// Returns the row of a vertex of the chunk. Writes it unless it was written for the same purpose.
    fn vertex(
        &mut self,
        [column, row]: [u32; 2],
        cell: [u32; 2],
        uv_sets: usize,
        surface: &mut Surface,
    ) -> Result<u32, f64> {
        let place = row as usize * (self.size[0] as usize + 1) + column as usize;
        let width = super::FIRST_UV + 2 * uv_sets;
        let next = u32::try_from(surface.words.len() / width).unwrap_or(u32::MAX);
        if let Some(known) = self.known.get_mut(place) {
            if known.0 == self.purpose {
                return Ok(known.1);
            }
            *known = (self.purpose, next);
        }
        let vertex = [self.first[0] + column, self.first[1] + row];
        let ([x, z], [origin_x, _, origin_z]) = (self.field.plane(vertex), self.origin());
        for number in [x - origin_x, self.field.height(vertex), z - origin_z] {
            let written = single(number);
            if !written.is_finite() {
                return Err(number);
            }
            surface.rounded |= f64::from(written) != number;
            surface.words.push(written.to_bits());
        }
        surface.words.extend(self.field.normal(vertex).map(|number| single(number).to_bits()));
        let uv = self.field.uv(vertex, cell).map(|number| single(number).to_bits());
        (0..uv_sets).for_each(|_| surface.words.extend(uv));
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use mapwright_scene::{Heights, MaterialId, Terrain};

    use super::*;

    fn terrain(spacing: [f64; 2], diagonal: Diagonal) -> Terrain {
        Terrain {
            diagonal,
            cell_size: [2, 2],
            cells: vec![0, 1, 1, 7],
            materials: vec![None, Some(MaterialId::new(3))],
            ..Terrain::new([3, 3], spacing, Heights::F32(vec![0.0, 0.0, 8.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]))
        }
    }

    fn surfaces(terrain: &Terrain, ends: bool, uv_sets: usize) -> Vec<(Option<usize>, Surface)> {
        let field = Field::new(terrain, 1).unwrap();
        let mut chunk = Chunk::new(&field, [0, 0], [2, 2]);
        let quads = chunk.quads(&[(None, false), (Some(3), ends)]);
        let groups = quads.chunk_by(|a, b| a.material == b.material);
        groups.map(|quads| (quads[0].material, chunk.surface(quads, uv_sets).unwrap())).collect()
    }

    fn row(surface: &Surface, width: usize, row: u32) -> Vec<f32> {
        let start = row as usize * width;
        surface.words[start..start + width].iter().map(|&word| f32::from_bits(word)).collect()
    }

    #[test]
    fn every_triangle_faces_up_and_every_normal_too() {
        for spacing in [[2.0, 3.0], [2.0, -3.0], [-2.0, 3.0], [-2.0, -3.0]] {
            for diagonal in [Diagonal::Main, Diagonal::Anti] {
                let terrain = terrain(spacing, diagonal);
                let mut triangles = 0;
                for (_, surface) in surfaces(&terrain, false, 0) {
                    for triangle in surface.indices.chunks(3) {
                        let [p, q, r] = [0, 1, 2].map(|i| row(&surface, 6, triangle[i]));
                        let up = (q[2] - p[2]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[2] - p[2]);
                        assert_eq!(up, 6.0, "{spacing:?} {diagonal:?}");
                        assert!(p[4] > 0.0);
                        triangles += 1;
                    }
                }
                assert_eq!(triangles, 8);
            }
        }
    }

    #[test]
    fn normals_lean_away_from_what_is_higher() {
        let terrain = terrain([2.0, -4.0], Diagonal::Anti);
        let field = Field::new(&terrain, 1).unwrap();
        // Rises by 8 in 2 to the east, and falls by 8 in 4 to the north.
        let [x, y, z] = field.normal([2, 0]);
        assert!((x / y - -4.0).abs() < 1e-12, "{x}");
        assert!((z / y - -2.0).abs() < 1e-12, "{z}");
        // In the middle, both sides count equally.
        assert_eq!(field.normal([1, 1]), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn the_diagonal_is_that_of_the_terrain() {
        for (diagonal, expected) in [(Diagonal::Main, [[0, 2, 3], [0, 3, 1]]), (Diagonal::Anti, [[0, 2, 1], [1, 2, 3]])]
        {
            let terrain = terrain([1.0, 1.0], diagonal);
            let surfaces = surfaces(&terrain, false, 1);
            // The first and the last quad have cells without a material.
            assert_eq!(surfaces[0].0, None);
            assert_eq!(surfaces[0].1.indices[..6], *expected.as_flattened());
        }
    }

    #[test]
    fn textures_that_end_with_their_cell_start_in_it() {
        let terrain = terrain([1.0, -1.0], Diagonal::Anti);
        let uvs = |ends: bool| {
            let surfaces = surfaces(&terrain, ends, 2);
            let surface = &surfaces[1].1;
            let rows = surface.words.len() / 10;
            (rows, (0..u32::try_from(rows).unwrap()).map(|i| row(surface, 10, i)[6..].to_vec()).collect::<Vec<_>>())
        };
        // The quads (1, 0) and (0, 1) share a vertex where the texture continues.
        let (rows, all) = uvs(false);
        assert_eq!(rows, 7);
        assert_eq!(all[..3], [[1.0, 0.0, 1.0, 0.0], [2.0, 0.0, 2.0, 0.0], [1.0, 1.0, 1.0, 1.0]]);
        let (rows, all) = uvs(true);
        assert_eq!(rows, 8);
        assert!(all.iter().flatten().all(|&c| c == 0.0 || c == 1.0), "{all:?}");
    }
}
