//! Height fields of scenes as grids of files: rows from the south, in metres.

use mapwright_scene::{Content, Heights, Losses, Scene, Terrain, Visit};

use crate::{WriteError, WriteErrorKind};

/// The height field that a terrain is made of.
pub(super) struct Surface<'a> {
    pub(super) terrain: &'a Terrain,
    /// Metres in a unit of the scene.
    pub(super) metres: f64,
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
            let text = "a terrain is made of a height field, and there is none";
            return Err(WriteError::nowhere(WriteErrorKind::Scene(text.to_owned())));
        };
        let more = terrains.count();
        if more > 0 {
            losses.dropped("", format!("{more} more height fields: a file has one"));
        }
        let metres = scene.metres_per_unit.unwrap_or(1.0);
        Ok(Self::new(&visit, terrain, metres, losses))
    }

    fn new(visit: &Visit<'_>, terrain: &'a Terrain, metres: f64, losses: &mut Losses) -> Self {
        let [x, z] = terrain.spacing;
        let flipped = [x < 0.0, z > 0.0];
        let far = |axis: usize, step: f64| {
            let vertices = terrain.size.get(axis).copied().unwrap_or(0);
            f64::from(vertices.saturating_sub(1)) * step
        };
        let place = |flipped: bool, far: f64| if flipped { far } else { 0.0 };
        let [west, south] = flipped;
        let [ox, oy, oz] = visit.world.origin();
        if visit.world.linear() != mapwright_scene::Transform::IDENTITY.linear() {
            losses.dropped("terrains", "rotation and scale of the height field");
        }
        // The file has no place but its own corner; heights stay what they are.
        if oy != 0.0 {
            losses.approximated("terrains", "where the height field stands above 0: heights count from there");
        }
        let corner = [ox + place(west, far(0, x)), oy, oz + place(south, far(1, z))].map(|place| place * metres);
        Self { terrain, metres, flipped, corner }
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
        let meant = super::to::decimal(unit);
        match &self.terrain.heights {
            Heights::Steps { step, values } if *step * self.metres == meant => {
                return self.ordered(self.terrain.size, values);
            }
            _ => {}
        }
        let mut rounding = Rounding::default();
        let steps = self.metres().into_iter().map(|height| rounding.step(height, unit, meant)).collect();
        rounding.report(meant, losses);
        steps
    }

    /// The texture cells, if there are any.
    pub(super) fn cells(&self) -> Vec<u32> {
        self.ordered(self.terrain.cell_size, &self.terrain.cells)
    }
}

/// What rounding heights to steps did.
#[derive(Default)]
pub(super) struct Rounding {
    rounded: usize,
    worst: f64,
    clamped: usize,
    not_numbers: usize,
}

impl Rounding {
    /// The nearest step.
    pub(super) fn step(&mut self, height: f32, unit: f32, meant: f64) -> i16 {
        if height.is_nan() {
            self.not_numbers = self.not_numbers.saturating_add(1);
            return 0;
        }
        let steps = (f64::from(height) / meant).round();
        #[allow(clippy::cast_possible_truncation)] // It saturates, and what does is counted.
        let step = steps as i16;
        if f64::from(step) != steps {
            self.clamped = self.clamped.saturating_add(1);
        } else if f32::from(step) * unit != height && narrow(steps * meant) != height {
            self.rounded = self.rounded.saturating_add(1);
            self.worst = self.worst.max((steps * meant - f64::from(height)).abs());
        }
        step
    }

    pub(super) fn report(&self, meant: f64, losses: &mut Losses) {
        let Self { rounded, worst, clamped, not_numbers } = self;
        if *rounded > 0 {
            let text = format!("{rounded} heights, to steps of {meant} m: by at most {worst:.4} m");
            losses.approximated("terrains.heights", text);
        }
        if *clamped > 0 {
            let (low, high) = (f64::from(i16::MIN) * meant, f64::from(i16::MAX) * meant);
            let text = format!("{clamped} heights, to the range from {low} m to {high} m");
            losses.approximated("terrains.heights", text);
        }
        if *not_numbers > 0 {
            losses.repaired("terrains.heights", format!("{not_numbers} heights that are no numbers, to 0"));
        }
    }
}

#[allow(clippy::cast_possible_truncation)] // The file has f32.
pub(super) fn narrow(number: f64) -> f32 {
    number as f32
}
