//! Paints terrain, row by row.

use std::sync::Arc;

use mapwright_scene::MaterialId;

use crate::colors::{self, Color, lit, opaque};
use crate::ground::{Cell, Ground, Sample, cell_density};
use crate::raster::{Axis, Frame};
use crate::relief::Relief;
use crate::solid::{Materials, multiply};
use crate::{Filter, RenderOptions, View};

/// Source of the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coloring {
    /// Tints of heights.
    Heights,
    /// Tints of heights, mixed with the colours of texture cells.
    Both,
    /// Colours of texture cells.
    Cells,
}

/// Share of the texture cell in [`Coloring::Both`], in 256ths.
const CELL: u16 = 60;

/// The textures of cells.
#[derive(Debug)]
struct CellTextures {
    materials: Arc<Materials>,
    /// The changes of texture coordinates from one sample to the next, to the right and down.
    steps: [[f64; 2]; 2],
}

/// Paints one terrain.
#[derive(Debug)]
pub(crate) struct GroundPainter<'a> {
    ground: Ground<'a>,
    relief: Relief,
    /// From slopes of the field to slopes in the scene.
    slope_matrix: [[f64; 2]; 2],
    sea: Option<f64>,
    coloring: Coloring,
    textures: Option<CellTextures>,
    /// The position in the field of the upper left corner of the image, and the offsets to the next column and row of the image.
    corner: [f64; 2],
    right: [f64; 2],
    down: [f64; 2],
    /// Samples per pixel, horizontally and vertically.
    samples: [u32; 2],
    /// `true` if a pixel is smaller than a step, so that slopes are interpolated.
    is_near: bool,
    /// `true` for [`Filter::Nearest`].
    is_nearest: bool,
    /// The columns and rows of the image that the terrain can cover.
    window: [[i64; 2]; 2],
}

impl<'a> GroundPainter<'a> {
    /// Prepares painting. `origin` is the position of the image's origin in the scene, and `unit` the size of a pixel of the level.
    pub(crate) fn new(
        ground: Ground<'a>,
        relief: Relief,
        origin: [f64; 2],
        unit: f64,
        frame: &Frame,
        options: &RenderOptions,
        materials: Option<Arc<Materials>>,
    ) -> Self {
        #[allow(clippy::cast_precision_loss)]
        let (start, step) =
            (|axis: &Axis| axis.origin as f64 * unit, |axis: &Axis| axis.image as f64 / axis.level as f64 * unit);
        let (right, down) = (ground.field_offset([step(&frame.x), 0.0]), ground.field_offset([0.0, step(&frame.y)]));
        let corner = [origin[0] + start(&frame.x), origin[1] + start(&frame.y)];
        let [least, most] = ground.bounds();
        // One pixel more on each side, because of rounding.
        #[allow(clippy::cast_possible_truncation)]
        let window = |axis: &Axis, corner: f64, least: f64, most: f64| {
            let pixel = |place: f64| (place - corner) / step(axis);
            let (first, end) = (pixel(least).floor() as i64, pixel(most).ceil() as i64);
            [first.saturating_sub(1), end.saturating_add(1)].map(|pixel| pixel.clamp(0, axis.length))
        };
        let window = [window(&frame.x, corner[0], least[0], most[0]), window(&frame.y, corner[1], least[1], most[1])];
        let corner = ground.field_offset([corner[0] - ground.at[0], corner[1] - ground.at[1]]);
        let reach = [right, down].map(|[column, row]| column.abs().max(row.abs()));
        let is_nearest = options.filter == Filter::Nearest;
        // As for tiles, 16 samples suffice.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let samples = reach.map(|reach| if is_nearest { 1 } else { ((reach - 1e-6).ceil() as u32).clamp(1, 16) });
        let is_near = !is_nearest && reach.iter().all(|&reach| reach < 1.0 - 1e-6);
        let coloring = match options.view {
            View::Level => Coloring::Both,
            View::Numbers => Coloring::Cells,
            _ => Coloring::Heights,
        };
        let density = cell_density(ground.terrain);
        let per_sample = |offset: f64, density: f64, samples: u32| offset * density / f64::from(samples);
        let steps = [(right[0], down[0], density[0]), (right[1], down[1], density[1])].map(|(right, down, density)| {
            [per_sample(right, density, samples[0]), per_sample(down, density, samples[1])]
        });
        let textures = materials.filter(|_| coloring == Coloring::Both);
        Self {
            textures: textures.map(|materials| CellTextures { materials, steps }),
            slope_matrix: ground.slope_matrix(),
            sea: ground.sea(),
            ground,
            relief,
            coloring,
            corner,
            right,
            down,
            samples,
            is_near,
            is_nearest,
            window,
        }
    }

    /// Draws row `y` over the lower layers.
    pub(crate) fn draw(&self, y: i64, below: &mut [Color]) {
        let [[from, to], [top, bottom]] = self.window;
        if y < top || y >= bottom {
            return;
        }
        let range = usize::try_from(from).unwrap_or(0)..usize::try_from(to).unwrap_or(0);
        for (x, below) in (from..).zip(below.get_mut(range).unwrap_or_default()) {
            if let Some(color) = self.pixel(x, y) {
                *below = opaque(color);
            }
        }
    }

    /// Returns the colour of a pixel, or `None` without ground.
    fn pixel(&self, x: i64, y: i64) -> Option<[u8; 3]> {
        let [across, down] = self.samples;
        let (mut sum, mut count) = (Sample::default(), 0.0);
        let (mut cells, mut textures) = (MeanColor::default(), MeanColor::default());
        #[allow(clippy::cast_precision_loss)]
        let (x, y) = (x as f64, y as f64);
        for line in 0..down {
            let y = y + (f64::from(line) + 0.5) / f64::from(down);
            for place in 0..across {
                let x = x + (f64::from(place) + 0.5) / f64::from(across);
                let at = |axis: fn(&[f64; 2]) -> f64| axis(&self.corner) + axis(&self.right) * x + axis(&self.down) * y;
                let (mut column, mut row) = (at(|pair| pair[0]), at(|pair| pair[1]));
                if self.is_nearest {
                    (column, row) = (column.floor() + 0.5, row.floor() + 0.5);
                }
                let sample =
                    if self.is_near { self.ground.sample_smooth(column, row) } else { self.ground.sample(column, row) };
                let Some(sample) = sample else { continue };
                sum.height += sample.height;
                sum.slope = [sum.slope[0] + sample.slope[0], sum.slope[1] + sample.slope[1]];
                count += 1.0;
                let cell = self.ground.cell(column, row).filter(|cell| self.shows_cell(cell.material));
                let Some(cell) = cell else { continue };
                match self.texture(&cell, [column, row]) {
                    Some(color) => textures.add(color),
                    None => cells.add_cell(cell.material),
                }
            }
        }
        if count == 0.0 {
            return None;
        }
        let [base, rise] = self.ground.rise;
        let height = base + rise * sum.height / count;
        let light = self.relief.light(self.slope_matrix.map(|[a, b]| (a * sum.slope[0] + b * sum.slope[1]) / count));
        let (tint, water) = self.relief.tint(height, self.sea);
        // Tints are for level ground, and water is hardly shaded.
        let tinted = |tint| if water { lit(tint, 0.85 + 0.15 * light) } else { lit(tint, 0.25 + 0.7 * light) };
        let colored = |color| lit(color, 0.65 + 0.35 * light);
        if let Some(texture) = textures.get().filter(|_| !water) {
            return Some(colored(texture));
        }
        Some(match (self.coloring, cells.get()) {
            (Coloring::Cells, Some(cell)) => colored(cell),
            (Coloring::Both, Some(cell)) if !water => tinted(colors::mix(tint, cell, CELL)),
            _ => tinted(tint),
        })
    }

    /// Returns `true` if the colour of a texture cell is visible. In tinted views, a cell without a material is not.
    fn shows_cell(&self, cell: u32) -> bool {
        match self.coloring {
            Coloring::Heights => false,
            Coloring::Both => self.material(cell).is_some(),
            Coloring::Cells => true,
        }
    }

    fn material(&self, cell: u32) -> Option<MaterialId> {
        usize::try_from(cell).ok().and_then(|cell| *self.ground.terrain.materials.get(cell)?)
    }

    /// Returns the colour of the texture of a cell at a position in the field.
    fn texture(&self, cell: &Cell, [column, row]: [f64; 2]) -> Option<[u8; 3]> {
        let CellTextures { materials, steps } = self.textures.as_ref()?;
        let surface = materials.textured_surface(self.material(cell.material))?;
        let texture = surface.texture?;
        let [red, green, blue, _] = texture.sample(texture.texture.level(*steps)?, cell.uv(column, row));
        let [r, g, b, _] = surface.color.map(|part| f64::from(part) / 255.0);
        Some(multiply([red, green, blue], [r, g, b]))
    }
}

/// Computes the mean of colours.
#[derive(Debug, Clone, Copy, Default)]
struct MeanColor {
    sum: [u32; 3],
    count: u32,
    /// The last texture cell with its colour: neighbours usually are equal.
    last: Option<(u32, [u8; 3])>,
}

impl MeanColor {
    fn add_cell(&mut self, cell: u32) {
        let color = match self.last {
            Some((last, color)) if last == cell => color,
            _ => colors::cell(cell),
        };
        self.last = Some((cell, color));
        self.add(color);
    }

    fn add(&mut self, color: [u8; 3]) {
        self.count += 1;
        for (sum, part) in self.sum.iter_mut().zip(color) {
            *sum += u32::from(part);
        }
    }

    fn get(&self) -> Option<[u8; 3]> {
        let mean = |sum: u32| u8::try_from(sum.checked_div(self.count)?).ok();
        let [red, green, blue] = self.sum.map(mean);
        Some([red?, green?, blue?])
    }
}
