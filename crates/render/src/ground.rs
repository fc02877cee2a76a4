//! Heightmaps and their transform to the scene.

use mapwright_io::math;
use mapwright_scene::{Heights, Terrain, Transform};

/// A heightmap with its transform.
///
/// Positions in the field are counted in vertices. The field is as many steps wide as it has vertices: each vertex is at a corner
/// of its own step. The ground after the last vertex is level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) terrain: &'a Terrain,
    /// Columns and rows for which there are heights.
    size: [u32; 2],
    /// Position of the first vertex, east and south.
    pub(crate) at: [f64; 2],
    /// Offset to the next column and to the next row, each east and south.
    steps: [[f64; 2]; 2],
    /// The offset and the factor from heights of the field to heights of the scene.
    pub(crate) rise: [f64; 2],
}

/// Height and slope of the ground at a position.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sample {
    pub(crate) height: f64,
    /// Rise per step to the next column and to the next row.
    pub(crate) slope: [f64; 2],
}

/// A texture cell of a terrain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    /// The index in [`Terrain::materials`].
    pub(crate) material: u32,
    /// Column and row of the cell.
    place: [u32; 2],
    /// Cells per vertex, across and down.
    density: [f64; 2],
}

impl Cell {
    /// Returns the cell at a position in the field.
    pub(crate) fn at(terrain: &Terrain, column: f64, row: f64) -> Option<Self> {
        let density = cell_density(terrain);
        let [across, down] = terrain.cell_size;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let place = [column * density[0], row * density[1]].map(|place| place as u32);
        let is_inside = column >= 0.0 && row >= 0.0 && place[0] < across && place[1] < down;
        let index = (place[1] as usize).checked_mul(across as usize)?.checked_add(place[0] as usize)?;
        let material = terrain.cells.get(index).copied().filter(|_| is_inside)?;
        Some(Self { material, place, density })
    }

    /// Returns the texture coordinates of a position in the field. The cell has those from 0 to 1.
    pub(crate) fn uv(&self, column: f64, row: f64) -> [f64; 2] {
        let [[u, v], [left, top]] = [self.density, self.place.map(f64::from)];
        [column * u - left, row * v - top]
    }
}

/// Returns the number of texture cells per vertex, across and down.
pub(crate) fn cell_density(terrain: &Terrain) -> [f64; 2] {
    let ([columns, rows], [across, down]) = (terrain.size, terrain.cell_size.map(f64::from));
    [across / f64::from(columns), down / f64::from(rows)]
}

impl<'a> Ground<'a> {
    /// Returns `None` for a terrain without vertices, or whose transform cannot be inverted.
    pub(crate) fn new(terrain: &'a Terrain, world: &Transform) -> Option<Self> {
        let [x, y, z, origin] = world.matrix();
        let [column, row] = terrain.spacing;
        let steps = [[x[0] * column, x[2] * column], [z[0] * row, z[2] * row]];
        let [columns, rows] = terrain.size;
        let heights = u32::try_from(terrain.heights.len()).unwrap_or(u32::MAX);
        let size = [columns.min(heights), rows.min(heights.div_ceil(columns.max(1)))];
        let ground = Self { terrain, size, at: [origin[0], origin[2]], steps, rise: [origin[1], y[1]] };
        let numbers = ground.at.iter().chain(steps.iter().flatten()).chain(&ground.rise);
        let lies = numbers.into_iter().all(|number| number.is_finite()) && ground.signed_area().is_normal();
        (lies && !size.contains(&0)).then_some(ground)
    }

    /// Returns the area between a step to the next column and one to the next row.
    fn signed_area(&self) -> f64 {
        let [[a, b], [c, d]] = self.steps;
        a * d - b * c
    }

    /// Returns the length of the shorter step.
    pub(crate) fn shorter_step(&self) -> f64 {
        let [column, row] = self.steps.map(|[east, south]| math::hypot(east, south));
        column.min(row)
    }

    /// Converts a position in the field to the scene, east and south.
    fn scene_position(&self, column: f64, row: f64) -> [f64; 2] {
        let [[a, b], [c, d]] = self.steps;
        [self.at[0] + a * column + c * row, self.at[1] + b * column + d * row]
    }

    /// Converts an offset in the scene to the field.
    pub(crate) fn field_offset(&self, [east, south]: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = self.steps;
        [(d * east - c * south) / self.signed_area(), (a * south - b * east) / self.signed_area()]
    }

    /// Returns the bounds in the scene: the minimum and the maximum, east and south.
    pub(crate) fn bounds(&self) -> [[f64; 2]; 2] {
        let [columns, rows] = self.size.map(f64::from);
        let corners = [[0.0, 0.0], [columns, 0.0], [0.0, rows], [columns, rows]];
        let [first, rest @ ..] = corners.map(|[column, row]| self.scene_position(column, row));
        rest.iter().fold([first, first], |[least, most], corner| {
            let pair = |axis: fn(&[f64; 2]) -> f64| [axis(&least).min(axis(corner)), axis(&most).max(axis(corner))];
            let ([west, east], [north, south]) = (pair(|pair| pair[0]), pair(|pair| pair[1]));
            [[west, north], [east, south]]
        })
    }

    /// Returns the height of the sea in the scene.
    pub(crate) fn sea(&self) -> Option<f64> {
        self.terrain.sea_level.filter(|sea| sea.is_finite()).map(|sea| self.rise[0] + self.rise[1] * sea)
    }

    /// Returns the height of a vertex, which may be NaN. Indices are clamped to the last vertex.
    fn vertex_height(&self, column: usize, row: usize) -> f64 {
        let [columns, rows] = self.size.map(|count| count as usize);
        let (column, row) = (column.min(columns.saturating_sub(1)), row.min(rows.saturating_sub(1)));
        let place = row.checked_mul(self.terrain.size[0] as usize).and_then(|start| start.checked_add(column));
        place.and_then(|place| self.terrain.heights.get(place)).unwrap_or(f64::NAN)
    }

    /// Returns the heights of a vertex, its right neighbour, and the two vertices below.
    fn corner_heights(&self, column: usize, row: usize) -> [f64; 4] {
        // Fast path for vertices that are not at the border.
        let columns = self.terrain.size[0] as usize;
        let start = row.saturating_mul(columns).saturating_add(column);
        let inside = column + 1 < columns && row + 1 < self.size[1] as usize;
        if let (Heights::F32(heights), true) = (&self.terrain.heights, inside) {
            let pair = |start: usize| heights.get(start..start.saturating_add(2));
            if let (Some(&[a, b]), Some(&[c, d])) = (pair(start), pair(start.saturating_add(columns))) {
                return [a, b, c, d].map(f64::from);
            }
        }
        let (right, below) = (column.saturating_add(1), row.saturating_add(1));
        [
            self.vertex_height(column, row),
            self.vertex_height(right, row),
            self.vertex_height(column, below),
            self.vertex_height(right, below),
        ]
    }

    /// Interpolates the ground at a position in the field. Returns `None` outside, and if none of the four vertices has a height.
    pub(crate) fn sample(&self, column: f64, row: f64) -> Option<Sample> {
        let ((column, across), (row, down)) = (self.split_position(0, column)?, self.split_position(1, row)?);
        let corners = self.corner_heights(column, row);
        let [a, b, c, d] = corners;
        let (upper, lower) = (a + (b - a) * across, c + (d - c) * across);
        let height = upper + (lower - upper) * down;
        if height.is_finite() {
            return Some(Sample { height, slope: [(b - a) + (d - c - b + a) * down, lower - upper] });
        }
        let known = corners.into_iter().filter(|height| height.is_finite());
        let (sum, count) = known.fold((0.0, 0.0), |(sum, count), height| (sum + height, count + 1.0));
        (count > 0.0).then(|| Sample { height: sum / count, slope: [0.0; 2] })
    }

    /// Splits a coordinate into its integral and fractional part. Returns `None` outside.
    fn split_position(&self, axis: usize, place: f64) -> Option<(usize, f64)> {
        let count = f64::from(*self.size.get(axis)?);
        if !(place >= 0.0 && place < count) {
            return None;
        }
        // `trunc` is much slower: it is one instruction only on processors with SSE 4.1.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = place as u32;
        Some((whole as usize, place - f64::from(whole)))
    }

    /// Interpolates the ground with continuous slopes, for large scales.
    pub(crate) fn sample_smooth(&self, column: f64, row: f64) -> Option<Sample> {
        let middle = self.sample(column, row)?;
        let [columns, rows] = self.size.map(f64::from);
        // The last half step has no slope of its own.
        let around = |place: f64, count: f64| [(place - 0.5).max(0.0), (place + 0.5).min(count - 0.5)];
        let slope = |[from, to]: [f64; 2], at: &dyn Fn(f64) -> [f64; 2]| {
            let height = |place| {
                let [column, row] = at(place);
                self.sample(column, row).map(|sample| sample.height)
            };
            height(from).zip(height(to)).filter(|_| to > from).map_or(0.0, |(start, end)| (end - start) / (to - from))
        };
        let across = slope(around(column, columns), &|column| [column, row]);
        let down = slope(around(row, rows), &|row| [column, row]);
        Some(Sample { slope: [across, down], ..middle })
    }

    /// Returns the matrix that converts slopes of the field to the rise per unit of length to the east and to the south.
    pub(crate) fn slope_matrix(&self) -> [[f64; 2]; 2] {
        let [[a, b], [c, d]] = self.steps;
        let rise = self.rise[1] / self.signed_area();
        [[d * rise, -b * rise], [-c * rise, a * rise]]
    }

    /// Returns the texture cell at a position in the field.
    pub(crate) fn cell(&self, column: f64, row: f64) -> Option<Cell> {
        Cell::at(self.terrain, column, row)
    }

    /// Adds heights and slopes from a grid over the field. Slopes are measured over `step`, the size of a pixel of the image.
    pub(crate) fn collect_samples(&self, step: f64, heights: &mut Vec<f64>, slopes: &mut Vec<f64>) {
        const SAMPLES_PER_SIDE: u32 = 160;
        let [columns, rows] = self.size;
        let far = [self.field_offset([step, 0.0]), self.field_offset([0.0, step])]
            .map(|[column, row]| math::hypot(column, row).max(1.0));
        for place in 0..SAMPLES_PER_SIDE * SAMPLES_PER_SIDE {
            let middle =
                |place: u32, count: u32| (f64::from(place) + 0.5) / f64::from(SAMPLES_PER_SIDE) * f64::from(count);
            let (column, row) = (middle(place % SAMPLES_PER_SIDE, columns), middle(place / SAMPLES_PER_SIDE, rows));
            let Some(here) = self.sample(column, row) else { continue };
            heights.push(self.rise[0] + self.rise[1] * here.height);
            let [east, south] = far;
            for (there, steps) in [([column + east, row], east), ([column, row + south], south)] {
                if let Some(there) = self.sample(there[0], there[1]) {
                    let rise = (there.height - here.height) * self.rise[1] / steps;
                    slopes.push(rise / self.shorter_step());
                }
            }
        }
    }
}
