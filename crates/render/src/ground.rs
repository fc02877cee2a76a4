//! Height fields: where they lie, and what they are at a place.

use mapwright_scene::{Heights, Terrain, Transform};

/// A height field and where it lies.
///
/// Places in it are counted in steps of vertices, and its ground is as many steps wide as it has vertices: each lies in one
/// corner of a step of its own. Beyond the last vertex, the ground is level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) terrain: &'a Terrain,
    /// Columns and rows, as many as there are heights for.
    size: [u32; 2],
    /// East and south of the first vertex.
    pub(crate) at: [f64; 2],
    /// East and south of a step to the next column, and to the next row.
    steps: [[f64; 2]; 2],
    /// The height of 0, and of 1 above it.
    pub(crate) rise: [f64; 2],
}

/// What the ground is at a place.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sample {
    pub(crate) height: f64,
    /// How much it rises in a step to the next column, and to the next row.
    pub(crate) slope: [f64; 2],
}

impl<'a> Ground<'a> {
    /// A terrain as it lies in the scene; `None` for one without vertices, or without a place on the plane.
    pub(crate) fn new(terrain: &'a Terrain, world: &Transform) -> Option<Self> {
        let [x, y, z, origin] = world.matrix();
        let [column, row] = terrain.spacing;
        let steps = [[x[0] * column, x[2] * column], [z[0] * row, z[2] * row]];
        let [columns, rows] = terrain.size;
        let heights = u32::try_from(terrain.heights.len()).unwrap_or(u32::MAX);
        let size = [columns.min(heights), rows.min(heights.div_ceil(columns.max(1)))];
        let ground = Self { terrain, size, at: [origin[0], origin[2]], steps, rise: [origin[1], y[1]] };
        let numbers = ground.at.iter().chain(steps.iter().flatten()).chain(&ground.rise);
        let lies = numbers.into_iter().all(|number| number.is_finite()) && ground.turned().is_normal();
        (lies && !size.contains(&0)).then_some(ground)
    }

    /// Twice the area between a step to the next column and one to the next row.
    fn turned(&self) -> f64 {
        let [[a, b], [c, d]] = self.steps;
        a * d - b * c
    }

    /// The shorter of the two steps.
    pub(crate) fn step(&self) -> f64 {
        let [column, row] = self.steps.map(|[east, south]| east.hypot(south));
        column.min(row)
    }

    /// The place in the scene, east and south, of a place in the field.
    fn place(&self, column: f64, row: f64) -> [f64; 2] {
        let [[a, b], [c, d]] = self.steps;
        [self.at[0] + a * column + c * row, self.at[1] + b * column + d * row]
    }

    /// The place in the field of a place in the scene, or of a direction if it is counted from nowhere.
    pub(crate) fn find(&self, [east, south]: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = self.steps;
        [(d * east - c * south) / self.turned(), (a * south - b * east) / self.turned()]
    }

    /// The least and the most that it covers to the east and to the south.
    pub(crate) fn bounds(&self) -> [[f64; 2]; 2] {
        let [columns, rows] = self.size.map(f64::from);
        let corners = [[0.0, 0.0], [columns, 0.0], [0.0, rows], [columns, rows]];
        let [first, rest @ ..] = corners.map(|[column, row]| self.place(column, row));
        rest.iter().fold([first, first], |[least, most], corner| {
            let pair = |axis: fn(&[f64; 2]) -> f64| [axis(&least).min(axis(corner)), axis(&most).max(axis(corner))];
            let ([west, east], [north, south]) = (pair(|pair| pair[0]), pair(|pair| pair[1]));
            [[west, north], [east, south]]
        })
    }

    /// The height of the sea in the scene.
    pub(crate) fn sea(&self) -> Option<f64> {
        self.terrain.sea_level.filter(|sea| sea.is_finite()).map(|sea| self.rise[0] + self.rise[1] * sea)
    }

    /// The height of a vertex. It may be no number; beyond the last it is that of the last.
    fn vertex(&self, column: usize, row: usize) -> f64 {
        let [columns, rows] = self.size.map(|count| count as usize);
        let (column, row) = (column.min(columns.saturating_sub(1)), row.min(rows.saturating_sub(1)));
        let place = row.checked_mul(self.terrain.size[0] as usize).and_then(|start| start.checked_add(column));
        place.and_then(|place| self.terrain.heights.get(place)).unwrap_or(f64::NAN)
    }

    /// The heights of a vertex, of the next in its row, and of the two behind them in the next row.
    fn corners(&self, column: usize, row: usize) -> [f64; 4] {
        // Most vertices are not at the border.
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
        [self.vertex(column, row), self.vertex(right, row), self.vertex(column, below), self.vertex(right, below)]
    }

    /// The ground at a place in the field: between four vertices as near as they are. `None` outside, and where none of
    /// them has a height.
    pub(crate) fn sample(&self, column: f64, row: f64) -> Option<Sample> {
        let ((column, across), (row, down)) = (self.split(0, column)?, self.split(1, row)?);
        let corners = self.corners(column, row);
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

    /// The whole and the rest of a place on an axis of the field; `None` outside.
    fn split(&self, axis: usize, place: f64) -> Option<(usize, f64)> {
        let count = f64::from(*self.size.get(axis)?);
        if !(place >= 0.0 && place < count) {
            return None;
        }
        // Much faster than `trunc`, which asks the processor for more than all of them have.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = place as u32;
        Some((whole as usize, place - f64::from(whole)))
    }

    /// The ground at a place in the field with slopes that change from step to step without a break, to be seen from near.
    pub(crate) fn smooth(&self, column: f64, row: f64) -> Option<Sample> {
        let middle = self.sample(column, row)?;
        let [columns, rows] = self.size.map(f64::from);
        // The field ends half a step before its end at the latest.
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

    /// What makes of a slope its rise in one unit of length to the east, and to the south.
    pub(crate) fn incline(&self) -> [[f64; 2]; 2] {
        let [[a, b], [c, d]] = self.steps;
        let rise = self.rise[1] / self.turned();
        [[d * rise, -b * rise], [-c * rise, a * rise]]
    }

    /// The number of the texture cell at a place in the field.
    pub(crate) fn cell(&self, column: f64, row: f64) -> Option<u32> {
        let at = |axis: usize, place: f64| {
            let (vertices, cells) = (self.terrain.size.get(axis)?, self.terrain.cell_size.get(axis)?);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let cell = (place * (f64::from(*cells) / f64::from(*vertices))) as usize;
            (place >= 0.0 && cell < *cells as usize).then_some(cell)
        };
        let (column, row) = (at(0, column)?, at(1, row)?);
        let place = row.checked_mul(self.terrain.cell_size[0] as usize)?.checked_add(column)?;
        self.terrain.cells.get(place).copied()
    }

    /// Heights and slopes from all over the field, some tens of thousands of them, of which slopes are as steep as they look
    /// when a step of the picture is that long.
    pub(crate) fn survey(&self, step: f64, heights: &mut Vec<f64>, slopes: &mut Vec<f64>) {
        const MOST: u32 = 160;
        let [columns, rows] = self.size;
        let far = [self.find([step, 0.0]), self.find([0.0, step])].map(|[column, row]| column.hypot(row).max(1.0));
        for place in 0..MOST * MOST {
            let middle = |place: u32, count: u32| (f64::from(place) + 0.5) / f64::from(MOST) * f64::from(count);
            let (column, row) = (middle(place % MOST, columns), middle(place / MOST, rows));
            let Some(here) = self.sample(column, row) else { continue };
            heights.push(self.rise[0] + self.rise[1] * here.height);
            let [east, south] = far;
            for (there, steps) in [([column + east, row], east), ([column, row + south], south)] {
                if let Some(there) = self.sample(there[0], there[1]) {
                    let rise = (there.height - here.height) * self.rise[1] / steps;
                    slopes.push(rise / self.step());
                }
            }
        }
    }
}
