//! Height fields of scenes as grids of files: rows from the south, in metres.

use mapwright_scene::{Content, Heights, Losses, Scene, Terrain, Visit};

use crate::steps::{Steps, narrow};
use crate::{WriteError, WriteErrorKind};

/// The height field that a terrain is made of.
pub(super) struct Surface<'a> {
    pub(super) terrain: &'a Terrain,
    /// Metres in a unit of the scene.
    pub(super) unit: f64,
    /// Metres in a unit of the height field, which may be scaled.
    metres: f64,
    /// Whether columns run west, and rows south.
    flipped: [bool; 2],
    /// Where the south-west corner stands in the scene, in metres.
    pub(super) corner: [f64; 3],
}

impl<'a> Surface<'a> {
    /// The first height field of a scene.
    pub(super) fn find(scene: &'a Scene, losses: &mut Losses) -> Result<Self, WriteError> {
        let mut terrains = scene.walk().filter_map(|visit| match visit.node.content {
            Content::Terrain(id) => scene.terrains.get(id).map(|terrain| (visit, terrain)),
            _ => None,
        });
        let Some((visit, terrain)) = terrains.next() else {
            return Err(WriteError::without_position(WriteErrorKind::NoHeightField));
        };
        // A picture of texture cells alone.
        let own = scene.properties.get("format").and_then(|format| format.as_text()) == Some("wrp");
        if terrain.heights.is_empty() && !terrain.cells.is_empty() && !own {
            return Err(WriteError::without_position(WriteErrorKind::NoHeightField));
        }
        let more = terrains.count();
        if more > 0 {
            losses.dropped("", format!("{more} more height fields: a file has one"));
        }
        let unit = scene.metres_per_unit.unwrap_or(1.0);
        let scale = scale(&visit).ok_or_else(|| WriteError::without_position(WriteErrorKind::Turned))?;
        Ok(Self::new(&visit, terrain, unit, scale))
    }

    fn new(visit: &Visit<'_>, terrain: &'a Terrain, unit: f64, scale: f64) -> Self {
        let metres = unit * scale;
        let [x, z] = terrain.spacing;
        let flipped = [x < 0.0, z > 0.0];
        let far = |axis: usize, step: f64| {
            let vertices = terrain.size.get(axis).copied().unwrap_or(0);
            f64::from(vertices.saturating_sub(1)) * step
        };
        let place = |flipped: bool, far: f64| if flipped { far } else { 0.0 };
        let [west, south] = flipped;
        let [ox, oy, oz] = visit.world.origin();
        let corner = [ox + place(west, far(0, x)) * scale, oy, oz + place(south, far(1, z)) * scale];
        Self { terrain, unit, metres, flipped, corner: corner.map(|place| place * unit) }
    }

    /// Refuses what is too large for single precision.
    pub(super) fn within_numbers(self) -> Result<Self, WriteError> {
        let highest = match &self.terrain.heights {
            Heights::F32(heights) => {
                let finite = heights.iter().filter(|height| height.is_finite());
                finite.fold(0.0, |high: f32, height| high.max(height.abs())).into()
            }
            Heights::Steps { step, values } => {
                step * values.iter().fold(0.0, |high: f64, value| high.max(f64::from(*value).abs()))
            }
        };
        let [x, z] = self.step();
        for (what, metres) in [("cells", x.max(z)), ("heights", highest * self.metres)] {
            if metres.abs() > f64::from(f32::MAX) {
                return Err(WriteError::without_position(WriteErrorKind::Beyond { what, metres }));
            }
        }
        Ok(self)
    }

    /// Metres between vertices, along x and z.
    pub(super) fn step(&self) -> [f64; 2] {
        self.terrain.spacing.map(|step| step.abs() * self.metres)
    }

    /// The values of a grid in the order of files.
    fn ordered<T: Copy>(&self, size: [u32; 2], values: &[T]) -> Vec<T> {
        let [west, south] = self.flipped;
        if !west && !south {
            return values.to_vec();
        }
        let columns = usize::try_from(size[0]).unwrap_or(0).max(1);
        let mut rows: Vec<&[T]> = values.chunks(columns).collect();
        if south {
            rows.reverse();
        }
        let mut ordered = Vec::with_capacity(values.len());
        for row in rows {
            ordered.extend_from_slice(row);
            if west {
                let start = ordered.len().saturating_sub(row.len());
                ordered.get_mut(start..).unwrap_or_default().reverse();
            }
        }
        ordered
    }

    /// The heights in metres.
    pub(super) fn metres(&self) -> Vec<f32> {
        match &self.terrain.heights {
            Heights::F32(heights) => {
                let mut heights = self.ordered(self.terrain.size, heights);
                if self.metres != 1.0 {
                    for height in &mut heights {
                        *height = narrow(f64::from(*height) * self.metres);
                    }
                }
                heights
            }
            Heights::Steps { step, values } => {
                let step = narrow(*step * self.metres);
                self.ordered(self.terrain.size, values).into_iter().map(|value| f32::from(value) * step).collect()
            }
        }
    }

    /// The heights in steps of `unit` metres.
    pub(super) fn steps(&self, unit: f32, losses: &mut Losses) -> Vec<i16> {
        let mut steps = Steps::new(unit);
        match &self.terrain.heights {
            Heights::Steps { step, values } if *step * self.metres == steps.meant() => {
                return self.ordered(self.terrain.size, values);
            }
            _ => {}
        }
        let values = self.metres().into_iter().map(|height| steps.step(height)).collect();
        report(&steps, losses);
        values
    }

    /// The texture cells, if there are any.
    pub(super) fn cells(&self) -> Vec<u32> {
        self.ordered(self.terrain.cell_size, &self.terrain.cells)
    }
}

/// By how much a node is larger, if it is not turned.
fn scale(visit: &Visit<'_>) -> Option<f64> {
    let [[x, a, b], [c, y, d], [e, f, z]] = visit.world.linear();
    let straight = [a, b, c, d, e, f].iter().all(|number| *number == 0.0);
    (straight && x == y && y == z && x > 0.0 && x.is_finite()).then_some(x)
}

/// Reports what rounding did.
pub(super) fn report(steps: &Steps, losses: &mut Losses) {
    let (approximated, repaired) = steps.report();
    approximated.into_iter().for_each(|text| losses.approximated("terrains.heights", text));
    repaired.into_iter().for_each(|text| losses.repaired("terrains.heights", text));
}
