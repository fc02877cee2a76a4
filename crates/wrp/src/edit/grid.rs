//! Edits of grids.

use super::{EditError, MAX_VALUES};
use crate::document::{Document, Ground, Wvr};
use crate::sample::sample_nearest;
use crate::steps::{Steps, to_f32};

impl Document {
    /// Raises the ground by metres. In 1WVR to 4WVR, rounds to the nearest number of steps. Does not move objects. Returns the number
    /// of changed heights.
    ///
    /// # Errors
    /// [`EditError::Number`] if a height is out of range.
    pub fn shift_heights(&mut self, metres: f64) -> Result<usize, EditError> {
        if metres == 0.0 {
            return Ok(0);
        }
        self.change_heights(|height| height + metres)
    }

    /// Limits heights to a range in metres. Returns the number of changed heights.
    ///
    /// # Errors
    /// [`EditError::Range`] if the range is empty or a limit is NaN.
    pub fn clamp_heights(&mut self, low: f64, high: f64) -> Result<usize, EditError> {
        if low.is_nan() || high.is_nan() || low > high {
            return Err(EditError::Range(format!("{low} to {high}")));
        }
        self.change_heights(|height| height.clamp(low, high))
    }

    /// Raises the sea by metres: lowers the ground and all objects. In 1WVR to 4WVR, rounds to the nearest number of steps. Objects
    /// that fit to the ground, and those of 1WVR and 2WVR, follow the ground. Returns the number of changed heights.
    ///
    /// # Errors
    /// [`EditError::Number`] if a height is out of range.
    pub fn raise_sea(&mut self, metres: f64) -> Result<usize, EditError> {
        let mut changed = self.clone();
        // Objects and ground must move by the same rounded distance.
        let metres = self.round_to_steps(metres);
        let count = changed.shift_heights(-metres)?;
        if matches!(changed.objects().placements, crate::Placements::Matrices(_)) {
            let objects: Vec<usize> = (0..changed.objects().len()).collect();
            changed.move_objects([0.0, -metres, 0.0], &objects)?;
        }
        *self = changed;
        Ok(count)
    }

    /// Rounds a difference of heights to one that the variant can store.
    pub(super) fn round_to_steps(&self, metres: f64) -> f64 {
        match self {
            Self::Wvr(terrain) => {
                let unit = Steps::new(terrain.height_unit).metres_per_step();
                (metres / unit).round() * unit
            }
            Self::Wvr8(_) | Self::Oprw(_) => metres,
        }
    }

    fn change_heights(&mut self, change: impl Fn(f64) -> f64) -> Result<usize, EditError> {
        let mut changed = 0_usize;
        let field = "height";
        match self {
            Self::Wvr(terrain) => {
                let steps = Steps::new(terrain.height_unit);
                let unit = steps.metres_per_step();
                let new = |&raw: &i16| {
                    let value = change(f64::from(raw) * unit);
                    steps.nearest_step(value).ok_or_else(|| EditError::Number { field, value: format!("{value} m") })
                };
                let heights = terrain.heights.iter().map(new).collect::<Result<Vec<_>, _>>()?;
                changed = heights.iter().zip(&terrain.heights).filter(|(new, old)| new != old).count();
                terrain.heights = heights;
            }
            Self::Wvr8(crate::Wvr8 { heights, .. }) | Self::Oprw(crate::Oprw { heights, .. }) => {
                let fits = |&height: &f32| !height.is_finite() || to_f32(change(f64::from(height))).is_finite();
                if let Some(height) = heights.iter().find(|height| !fits(height)) {
                    let value = format!("{:e} m", change(f64::from(*height)));
                    return Err(EditError::Number { field, value });
                }
                for height in heights.iter_mut().filter(|height| height.is_finite()) {
                    let new = to_f32(change(f64::from(*height)));
                    changed = changed.saturating_add(usize::from(new.to_bits() != height.to_bits()));
                    *height = new;
                }
            }
        }
        Ok(changed)
    }

    /// Cuts out an area of cells, given by its south-west cell and its size. Deletes objects outside, and moves the others so that
    /// the new corner is the origin. Returns the number of deleted objects.
    ///
    /// # Errors
    /// Fails if the area is not inside the grid, and for OPRW and for 1WVR with roads.
    pub fn crop(&mut self, at: [u32; 2], size: [u32; 2]) -> Result<usize, EditError> {
        self.check_editable()?;
        let (grid, cell) = match &*self {
            Self::Wvr(terrain) => (terrain.size, terrain.cell),
            Self::Wvr8(terrain) => (terrain.land, terrain.cell),
            Self::Oprw(terrain) => (terrain.land, terrain.cell),
        };
        let [x, z] = at;
        let [columns, rows] = size;
        let inside = |start: u32, length: u32, whole: u32| start.checked_add(length).is_some_and(|end| end <= whole);
        if columns == 0 || rows == 0 {
            return Err(EditError::Size(size));
        }
        if let Self::Wvr(crate::Wvr { nets: Some(_), .. }) = self {
            return Err(EditError::roads());
        }
        if !inside(x, columns, grid[0]) || !inside(z, rows, grid[1]) {
            return Err(EditError::Outside { at, size, grid });
        }
        let (west, south) = (f64::from(x) * f64::from(cell), f64::from(z) * f64::from(cell));
        let (width, depth) = (f64::from(columns) * f64::from(cell), f64::from(rows) * f64::from(cell));
        let mut changed = self.clone();
        match &mut changed {
            Self::Wvr(terrain) => {
                terrain.heights = copy_area(&terrain.heights, grid, at, size);
                terrain.textures = copy_area(&terrain.textures, grid, at, size);
                terrain.size = size;
            }
            Self::Wvr8(terrain) => {
                let [fx, fz] = factors(terrain.terrain, terrain.land)?;
                let scaled = |[a, b]: [u32; 2]| [a.saturating_mul(fx), b.saturating_mul(fz)];
                terrain.heights = copy_area(&terrain.heights, terrain.terrain, scaled(at), scaled(size));
                terrain.cells = copy_area(&terrain.cells, grid, at, size);
                (terrain.terrain, terrain.land) = (scaled(size), size);
            }
            Self::Oprw(_) => {}
        }
        let before = self.objects().len();
        let matrices = self.matrices();
        let inside = |place: usize| {
            let Some(matrix) = matrices.get(place) else { return false };
            let [x, _, z] = matrix.position.map(f64::from);
            x >= west && x <= west + width && z >= south && z <= south + depth
        };
        changed.keep_objects(inside);
        let objects: Vec<usize> = (0..changed.objects().len()).collect();
        changed.change_positions(&objects, |[x, y, z], _| [x - west, y, z - south])?;
        *self = changed;
        Ok(before.saturating_sub(self.objects().len()))
    }

    /// Resamples the heights on a grid of another size over the same area, with linear interpolation. The material grid of 8WVR is
    /// resampled if the new size is not an integer multiple of it. In 1WVR to 4WVR the textures are resampled, too.
    ///
    /// # Errors
    /// Fails if the size is invalid, for OPRW and for 1WVR with roads, and if cells of 1WVR to 4WVR would not become 50 m large: the
    /// file does not store their size, so the area would change, and the objects would stay.
    pub fn resample(&mut self, size: [u32; 2]) -> Result<(), EditError> {
        let [columns, rows] = size;
        let values = u64::from(columns).saturating_mul(rows.into());
        if values == 0 || values > MAX_VALUES || self.ground().heights.is_empty() {
            return Err(EditError::Size(size));
        }
        self.check_editable()?;
        // Files store one cell size.
        let [old_columns, old_rows] = self.ground().size.map(u64::from);
        if old_columns.saturating_mul(rows.into()) != old_rows.saturating_mul(columns.into()) {
            let why = "its cells are squares, so both sides must change by the same factor";
            return Err(EditError::Variant { variant: self.variant(), why });
        }
        let heights = interpolate(&self.ground(), size);
        match self {
            Self::Wvr(terrain) => {
                if terrain.nets.is_some() {
                    return Err(EditError::roads());
                }
                let cell = to_f32(f64::from(terrain.cell) * f64::from(terrain.size[0]) / f64::from(columns));
                if cell != Wvr::CELL {
                    let why = "its cells are always 50 m, so the area would change; convert it to 8WVR first: \
                               `convert --variant 8wvr`";
                    return Err(EditError::Variant { variant: self.variant(), why });
                }
                // Positions in cells change with the cell size.
                if let crate::Placements::Headings(headings) = &mut terrain.objects.placements {
                    for heading in headings {
                        let cells =
                            |cells: f32| to_f32(f64::from(cells) * f64::from(columns) / f64::from(terrain.size[0]));
                        (heading.x, heading.z) = (cells(heading.x), cells(heading.z));
                    }
                }
                let mut steps = Steps::new(terrain.height_unit);
                // Interpolated heights are always in range.
                terrain.heights = heights.into_iter().map(|height| steps.round_height(height)).collect();
                let textures = sample_nearest(&terrain.textures, terrain.size, size);
                terrain.textures = textures.map(|texture| texture.unwrap_or(Wvr::SEA)).collect();
                (terrain.cell, terrain.size) = (cell, size);
            }
            Self::Wvr8(terrain) => {
                let width = f64::from(terrain.cell) * f64::from(terrain.land[0]);
                (terrain.heights, terrain.terrain) = (heights, size);
                if !matches!(factors(size, terrain.land), Ok([x, z]) if x == z) {
                    let land = land_size(size, width / f64::from(columns));
                    let cells = sample_nearest(&terrain.cells, terrain.land, land);
                    terrain.cells = cells.map(Option::unwrap_or_default).collect();
                    (terrain.land, terrain.cell) = (land, to_f32(width / f64::from(land[0])));
                }
            }
            Self::Oprw(_) => {}
        }
        Ok(())
    }
}

/// Returns the size of the material grid for heights that are `step` metres apart. Terrain Builder requires a coarser grid: the factor
/// is the power of two whose cells are nearest to 40 m, and between 25 m and 50 m if possible.
pub(crate) fn land_size(terrain: [u32; 2], step: f64) -> [u32; 2] {
    let factors =
        [1_u32, 2, 4, 8, 16].into_iter().filter(|factor| terrain.iter().all(|side| side.is_multiple_of(*factor)));
    let rank = |factor: &u32| {
        let cell = step * f64::from(*factor);
        (!(25.0..=50.0).contains(&cell), (cell - 40.0).abs())
    };
    let best = factors.min_by(|a, b| {
        let ((a, a_off), (b, b_off)) = (rank(a), rank(b));
        a.cmp(&b).then(a_off.total_cmp(&b_off))
    });
    terrain.map(|side| side.checked_div(best.unwrap_or(1)).unwrap_or(side))
}

/// Returns the number of heights per cell along both axes.
pub(super) fn factors(terrain: [u32; 2], land: [u32; 2]) -> Result<[u32; 2], EditError> {
    let [Some(x), Some(z)] = [(terrain[0], land[0]), (terrain[1], land[1])].map(|(terrain, land)| {
        let factor = terrain.checked_div(land)?;
        (factor > 0 && factor.checked_mul(land) == Some(terrain)).then_some(factor)
    }) else {
        return Err(EditError::Ratio { terrain, land });
    };
    Ok([x, z])
}

/// Copies a part of a grid.
fn copy_area<T: Copy>(values: &[T], [columns, _]: [u32; 2], [x, z]: [u32; 2], size: [u32; 2]) -> Vec<T> {
    let place = |row: u32| {
        let start = u64::from(z.saturating_add(row)).saturating_mul(columns.into()).saturating_add(x.into());
        usize::try_from(start).unwrap_or(usize::MAX)
    };
    let width = usize::try_from(size[0]).unwrap_or(0);
    let row = |row: u32| {
        let start = place(row);
        values.get(start..start.saturating_add(width)).unwrap_or_default()
    };
    (0..size[1]).flat_map(row).copied().collect()
}

/// Interpolates heights in metres for a grid of another size.
fn interpolate(ground: &Ground<'_>, size: [u32; 2]) -> Vec<f32> {
    let [columns, rows] = ground.size;
    let places = |to: u32, from: u32| -> Vec<(u32, u32, f64)> {
        let last = from.saturating_sub(1);
        let place = |at: u32| {
            let place = f64::from(at) * f64::from(from) / f64::from(to);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            // The value is between 0 and the old size.
            let below = (place.floor() as u32).min(last);
            (below, below.saturating_add(1).min(last), (place - f64::from(below)).min(1.0))
        };
        (0..to).map(place).collect()
    };
    let (across, along) = (places(size[0], columns), places(size[1], rows));
    let height = |x, z| f64::from(ground.vertex_height(x, z).unwrap_or(0.0));
    let mut heights = Vec::new();
    for (south, north, v) in along {
        for &(west, east, u) in &across {
            let low = height(west, south) * (1.0 - u) + height(east, south) * u;
            let high = height(west, north) * (1.0 - u) + height(east, north) * u;
            heights.push(if u == 0.0 && v == 0.0 {
                // Keep the exact height, even if a neighbour is NaN.
                ground.vertex_height(west, south).unwrap_or(0.0)
            } else {
                to_f32(low * (1.0 - v) + high * v)
            });
        }
    }
    heights
}
