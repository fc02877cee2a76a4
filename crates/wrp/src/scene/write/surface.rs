//! The heightmap of a scene in the layout of files: rows from the south, in metres.

use mapwright_scene::{Content, Heights, Losses, Scene, Terrain, Visit};

use crate::document::Wvr;
use crate::loss::counted;
use crate::steps::{Steps, to_f32};
use crate::{WriteError, WriteErrorKind};

/// Heights above this are not terrain heights.
const HIGHEST: f32 = 1e30;

/// The heightmap that becomes the terrain.
pub(super) struct Surface<'a> {
    pub(super) terrain: &'a Terrain,
    /// Metres per unit of the scene.
    pub(super) unit: f64,
    /// Metres per unit of the heightmap, which may be scaled.
    metres: f64,
    /// `true` if columns run west, and if rows run south.
    flipped: [bool; 2],
    /// Position of the south-west corner in the scene, in metres.
    pub(super) corner: [f64; 3],
}

/// Rejects an invalid scene.
pub(super) fn check_scene(scene: &Scene) -> Result<(), WriteError> {
    match scene.first_error() {
        Some(finding) => Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path)),
        None => Ok(()),
    }
}

impl<'a> Surface<'a> {
    /// Finds the first heightmap of a scene.
    pub(super) fn find(scene: &'a Scene, losses: &mut Losses) -> Result<Self, WriteError> {
        let mut terrains = scene.walk().filter_map(|visit| match visit.node.content {
            Content::Terrain(id) => scene.terrains.get(id).map(|terrain| (visit, terrain)),
            _ => None,
        });
        let Some((visit, terrain)) = terrains.next() else {
            return Err(WriteError::without_position(WriteErrorKind::NoHeightmap));
        };
        // An image of texture cells without heights is not a terrain.
        if terrain.heights.is_empty() && !terrain.cells.is_empty() && !is_own(scene) {
            return Err(WriteError::without_position(WriteErrorKind::NoHeightmap));
        }
        let more = terrains.count();
        if more > 0 {
            let fields = counted(more, ["further heightmap", "further heightmaps"]);
            losses.dropped("", format!("{fields}: a file has only one"));
        }
        let unit = scene.metres_per_unit.unwrap_or(1.0);
        let scale = uniform_scale(&visit).ok_or_else(|| WriteError::without_position(WriteErrorKind::Rotated))?;
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
        // The first vertex is the south-west corner only if neither axis is flipped.
        let offset = |flipped: bool, far: f64| if flipped { far } else { 0.0 };
        let [west, south] = flipped;
        let [ox, oy, oz] = visit.world.origin();
        let corner = [ox + offset(west, far(0, x)) * scale, oy, oz + offset(south, far(1, z)) * scale];
        Self { terrain, unit, metres, flipped, corner: corner.map(|axis| axis * unit) }
    }

    /// Rejects values that exceed single precision.
    pub(super) fn check_range(self) -> Result<Self, WriteError> {
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
                return Err(WriteError::without_position(WriteErrorKind::OutOfRange { what, metres }));
            }
        }
        Ok(self)
    }

    /// Rejects missing heights, which games cannot draw.
    pub(super) fn check_heights(&self) -> Result<(), WriteError> {
        let Heights::F32(heights) = &self.terrain.heights else { return Ok(()) };
        let is_missing = |height: &f32| !height.is_finite() || height.abs() > HIGHEST;
        let [columns, rows] = self.terrain.size;
        let rows_from_north = self.to_file_order(self.terrain.size, heights);
        let mut places = (0..rows).flat_map(|row| {
            let start = u64::from(rows.saturating_sub(1).saturating_sub(row)).saturating_mul(columns.into());
            (0..columns).map(move |column| (column, row, start.saturating_add(column.into())))
        });
        let is_missing_at =
            |at: u64| usize::try_from(at).ok().and_then(|at| rows_from_north.get(at)).is_some_and(is_missing);
        let Some((column, row, _)) = places.find(|(.., at)| is_missing_at(*at)) else { return Ok(()) };
        let missing = heights.iter().filter(|height| is_missing(height)).count();
        let kind = WriteErrorKind::MissingHeights { missing, heights: heights.len(), column, row };
        Err(WriteError::on_path(kind, "terrains"))
    }

    /// Rejects cells that are not squares.
    pub(super) fn check_squares(&self) -> Result<(), WriteError> {
        let step @ [x, z] = self.step();
        if (x - z).abs() > 1e-6 * x.max(z) {
            return Err(WriteError::on_path(WriteErrorKind::NotSquare(step), "terrains"));
        }
        Ok(())
    }

    /// Returns `true` if heights are steps of the game.
    pub(super) fn has_game_steps(&self) -> bool {
        let metres = Steps::new(Wvr::HEIGHT_UNIT).metres_per_step();
        matches!(&self.terrain.heights, Heights::Steps { step, .. } if *step * self.metres == metres)
    }

    /// Returns `true` if cells have the size of those of the game.
    pub(super) fn has_game_cells(&self) -> bool {
        self.step() == [f64::from(Wvr::CELL); 2]
    }

    /// Returns the distance between vertices in metres, along x and z.
    pub(super) fn step(&self) -> [f64; 2] {
        self.terrain.spacing.map(|step| step.abs() * self.metres)
    }

    /// Returns the values of a grid in file order.
    fn to_file_order<T: Copy>(&self, size: [u32; 2], values: &[T]) -> Vec<T> {
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
            if west {
                ordered.extend(row.iter().rev());
            } else {
                ordered.extend_from_slice(row);
            }
        }
        ordered
    }

    /// Returns the heights in metres.
    pub(super) fn metres(&self) -> Vec<f32> {
        match &self.terrain.heights {
            Heights::F32(heights) => {
                let mut heights = self.to_file_order(self.terrain.size, heights);
                if self.metres != 1.0 {
                    for height in &mut heights {
                        *height = to_f32(f64::from(*height) * self.metres);
                    }
                }
                heights
            }
            Heights::Steps { step, values } => {
                let metres = *step * self.metres;
                let values = self.to_file_order(self.terrain.size, values);
                // The game multiplies in single precision.
                if self.has_game_steps() {
                    return values.into_iter().map(|value| f32::from(value) * Wvr::HEIGHT_UNIT).collect();
                }
                values.into_iter().map(|value| to_f32(f64::from(value) * metres)).collect()
            }
        }
    }

    /// Returns the heights in steps of `unit` metres.
    pub(super) fn steps(&self, unit: f32, losses: &mut Losses) -> Vec<i16> {
        let mut steps = Steps::new(unit);
        match &self.terrain.heights {
            // Steps of the same size are exact.
            Heights::Steps { step, values } if *step * self.metres == steps.metres_per_step() => {
                return self.to_file_order(self.terrain.size, values);
            }
            _ => {}
        }
        let values = self.metres().into_iter().map(|height| steps.round_height(height)).collect();
        report_rounding(&steps, losses);
        values
    }

    /// Returns the texture cells in file order. Empty if there are none.
    pub(super) fn cells(&self) -> Vec<u32> {
        self.to_file_order(self.terrain.cell_size, &self.terrain.cells)
    }
}

/// Returns `true` if a scene was made from a `.wrp` file.
pub(super) fn is_own(scene: &Scene) -> bool {
    scene.properties.get("format").and_then(|format| format.as_text()) == Some("wrp")
}

/// Returns the scale of a node. `None` if it is rotated, mirrored or scaled unevenly.
fn uniform_scale(visit: &Visit<'_>) -> Option<f64> {
    let [[x, a, b], [c, y, d], [e, f, z]] = visit.world.linear();
    let is_straight = [a, b, c, d, e, f].iter().all(|number| *number == 0.0);
    (is_straight && x == y && y == z && x > 0.0 && x.is_finite()).then_some(x)
}

/// Reports the changes by rounding.
pub(super) fn report_rounding(steps: &Steps, losses: &mut Losses) {
    let (approximated, repaired) = steps.describe_changes();
    approximated.into_iter().for_each(|text| losses.approximated("terrains.heights", text));
    repaired.into_iter().for_each(|text| losses.repaired("terrains.heights", text));
}
