//! Vertices and quads of a terrain.

use mapwright_scene::{Terrain, transform::normalize};

/// The written heights of a terrain. Vertices and quads are indexed within those, column before row.
pub(super) struct Field<'t> {
    pub terrain: &'t Terrain,
    /// The columns and rows of written heights.
    lines: [Vec<u32>; 2],
    /// Texture cells for each step between heights, along X and Z.
    cells: [f64; 2],
}

impl<'t> Field<'t> {
    /// Selects every `step`-th height, and the last ones. Returns `None` if there is no quad.
    pub(super) fn new(terrain: &'t Terrain, step: u32) -> Option<Self> {
        if terrain.size.iter().any(|&vertices| vertices < 2) {
            return None;
        }
        let [columns, rows] = terrain.size;
        Some(Self { terrain, lines: [lines(columns, step), lines(rows, step)], cells: terrain.cells_for_step() })
    }

    /// Returns the number of quads along X and Z.
    pub(super) fn quads(&self) -> [u32; 2] {
        [0, 1].map(|axis: usize| self.lines.get(axis).map_or(0, |lines| count(lines.len()).saturating_sub(1)))
    }

    /// Returns the number of heights that are not finite.
    pub(super) fn infinite(&self) -> usize {
        let heights = &self.terrain.heights;
        (0..heights.len()).filter(|&vertex| !heights.get(vertex).is_some_and(f64::is_finite)).count()
    }

    /// Returns the position of a vertex on the ground plane.
    pub(super) fn plane(&self, vertex: [u32; 2]) -> [f64; 2] {
        let [x, z] = self.step(vertex);
        let [step_x, step_z] = self.terrain.spacing;
        [f64::from(x) * step_x, f64::from(z) * step_z]
    }

    /// Returns the height of a vertex, or 0 if it is not finite.
    pub(super) fn height(&self, vertex: [u32; 2]) -> f64 {
        height(self.terrain, self.step(vertex))
    }

    /// Returns the upward unit normal at a vertex, from its neighbours.
    pub(super) fn normal(&self, vertex: [u32; 2]) -> [f64; 3] {
        let slope = |axis: usize| {
            let last = self.quads().get(axis).copied().unwrap_or(0);
            let (mut low, mut high) = (vertex, vertex);
            if let (Some(low), Some(high)) = (low.get_mut(axis), high.get_mut(axis)) {
                *low = low.saturating_sub(1);
                *high = last.min(high.saturating_add(1));
            }
            let [from, to] = [low, high].map(|vertex| self.plane(vertex).get(axis).copied().unwrap_or(0.0));
            (self.height(high) - self.height(low)) / (to - from)
        };
        normalize([-slope(0), 1.0, -slope(1)]).unwrap_or([0.0, 1.0, 0.0])
    }

    /// Returns texture coordinates of a vertex relative to a texture cell: 1 per cell, u along X and v along Z.
    pub(super) fn uv(&self, vertex: [u32; 2], [cell_x, cell_z]: [u32; 2]) -> [f64; 2] {
        let [x, z] = self.step(vertex);
        let [cells_x, cells_z] = self.cells;
        [f64::from(x) * cells_x - f64::from(cell_x), f64::from(z) * cells_z - f64::from(cell_z)]
    }

    /// Returns `true` if there are texture cells.
    pub(super) fn has_cells(&self) -> bool {
        !self.terrain.cells.is_empty()
    }

    /// Returns the texture cell in the middle of a quad.
    pub(super) fn cell(&self, quad: [u32; 2]) -> [u32; 2] {
        let [column, row] = quad;
        let [low, high] = [self.step(quad), self.step([column.saturating_add(1), row.saturating_add(1)])];
        let cell = |low: u32, high: u32, cells: f64, count: u32| {
            let middle = (f64::from(low) + f64::from(high)) / 2.0 * cells;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative
            let cell = middle as u32;
            cell.min(count.saturating_sub(1))
        };
        let ([cells_x, cells_z], [count_x, count_z]) = (self.cells, self.terrain.cell_size);
        [cell(low[0], high[0], cells_x, count_x), cell(low[1], high[1], cells_z, count_z)]
    }

    /// Returns the index of a texture cell's material in the terrain's materials.
    pub(super) fn material(&self, [column, row]: [u32; 2]) -> Option<usize> {
        let place = u64::from(row) * u64::from(self.terrain.cell_size[0]) + u64::from(column);
        self.terrain.cells.get(usize::try_from(place).ok()?).map(|&index| index as usize)
    }

    /// Returns the column and row of the terrain for a vertex.
    fn step(&self, [column, row]: [u32; 2]) -> [u32; 2] {
        let [columns, rows] = &self.lines;
        let at = |lines: &[u32], index: u32| lines.get(index as usize).or(lines.last()).copied().unwrap_or(0);
        [at(columns, column), at(rows, row)]
    }
}

/// Returns the height at a column and row of a terrain, or 0 if it is not finite.
pub(in crate::gltf::write) fn height(terrain: &Terrain, [column, row]: [u32; 2]) -> f64 {
    let place = u64::from(row) * u64::from(terrain.size[0]) + u64::from(column);
    let height = usize::try_from(place).ok().and_then(|place| terrain.heights.get(place));
    height.filter(|height| height.is_finite()).unwrap_or(0.0)
}

/// Returns every `step`-th line, and the last one.
fn lines(count: u32, step: u32) -> Vec<u32> {
    let last = count.saturating_sub(1);
    (0..last).step_by(step.max(1) as usize).chain([last]).collect()
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_always_included() {
        assert_eq!(lines(5, 1), [0, 1, 2, 3, 4]);
        assert_eq!(lines(5, 2), [0, 2, 4]);
        assert_eq!(lines(6, 2), [0, 2, 4, 5]);
        assert_eq!(lines(6, 100), [0, 5]);
        assert_eq!(lines(2, 0), [0, 1]);
    }
}
