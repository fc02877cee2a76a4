//! Ground that is drawn, row by row.

use crate::colors::{self, Color, lit, opaque};
use crate::ground::{Ground, Sample};
use crate::raster::{Axis, Frame};
use crate::relief::Relief;
use crate::{Filter, RenderOptions, View};

/// What ground is painted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    /// The tints of heights.
    Heights,
    /// The tints of heights, with something of the colours of texture cells.
    Both,
    /// The colours of texture cells.
    Cells,
}

/// How much of the colour of a texture cell is seen in [`Paint::Both`], of 256.
const CELL: u16 = 60;

/// Ground that is drawn.
#[derive(Debug)]
pub(crate) struct Painted<'a> {
    ground: Ground<'a>,
    relief: Relief,
    incline: [[f64; 2]; 2],
    sea: Option<f64>,
    paint: Paint,
    /// The place in the field of the upper left corner of the picture, and of a step to the right and down.
    corner: [f64; 2],
    right: [f64; 2],
    down: [f64; 2],
    /// In how many places across and down a pixel is looked at.
    looks: [u32; 2],
    near: bool,
    nearest: bool,
    /// The pixels across and down that it can touch.
    window: [[i64; 2]; 2],
}

impl<'a> Painted<'a> {
    /// Ground in a picture of which the origin lies at a place in the scene, with pixels of the level of that length.
    pub(crate) fn new(
        ground: Ground<'a>,
        relief: Relief,
        origin: [f64; 2],
        unit: f64,
        frame: &Frame,
        options: &RenderOptions,
    ) -> Self {
        #[allow(clippy::cast_precision_loss)]
        let (start, step) =
            (|axis: &Axis| axis.origin as f64 * unit, |axis: &Axis| axis.picture as f64 / axis.level as f64 * unit);
        let (right, down) = (ground.find([step(&frame.x), 0.0]), ground.find([0.0, step(&frame.y)]));
        let corner = [origin[0] + start(&frame.x), origin[1] + start(&frame.y)];
        let [least, most] = ground.bounds();
        // One more on each side, lest a rounding cuts something off.
        #[allow(clippy::cast_possible_truncation)]
        let window = |axis: &Axis, corner: f64, least: f64, most: f64| {
            let pixel = |place: f64| (place - corner) / step(axis);
            let (first, end) = (pixel(least).floor() as i64, pixel(most).ceil() as i64);
            [first.saturating_sub(1), end.saturating_add(1)].map(|pixel| pixel.clamp(0, axis.length))
        };
        let window = [window(&frame.x, corner[0], least[0], most[0]), window(&frame.y, corner[1], least[1], most[1])];
        let corner = ground.find([corner[0] - ground.at[0], corner[1] - ground.at[1]]);
        let reach = [right, down].map(|[column, row]| column.abs().max(row.abs()));
        let nearest = options.filter == Filter::Nearest;
        // As with tiles, 16 across are enough.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let looks = reach.map(|reach| if nearest { 1 } else { ((reach - 1e-6).ceil() as u32).clamp(1, 16) });
        let near = !nearest && reach.iter().all(|&reach| reach < 1.0 - 1e-6);
        let paint = match options.view {
            View::Level => Paint::Both,
            View::Numbers => Paint::Cells,
            _ => Paint::Heights,
        };
        Self {
            incline: ground.incline(),
            sea: ground.sea(),
            ground,
            relief,
            paint,
            corner,
            right,
            down,
            looks,
            near,
            nearest,
            window,
        }
    }

    /// Draws row `y` over what there is.
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

    /// The colour of a pixel; `None` where no ground is.
    fn pixel(&self, x: i64, y: i64) -> Option<[u8; 3]> {
        let [across, down] = self.looks;
        let (mut sum, mut count) = (Sample::default(), 0.0);
        let mut cells = Mean::default();
        #[allow(clippy::cast_precision_loss)]
        let (x, y) = (x as f64, y as f64);
        for line in 0..down {
            let y = y + (f64::from(line) + 0.5) / f64::from(down);
            for place in 0..across {
                let x = x + (f64::from(place) + 0.5) / f64::from(across);
                let at = |axis: fn(&[f64; 2]) -> f64| axis(&self.corner) + axis(&self.right) * x + axis(&self.down) * y;
                let (mut column, mut row) = (at(|pair| pair[0]), at(|pair| pair[1]));
                if self.nearest {
                    (column, row) = (column.floor() + 0.5, row.floor() + 0.5);
                }
                let sample = if self.near { self.ground.smooth(column, row) } else { self.ground.sample(column, row) };
                let Some(sample) = sample else { continue };
                sum.height += sample.height;
                sum.slope = [sum.slope[0] + sample.slope[0], sum.slope[1] + sample.slope[1]];
                count += 1.0;
                if self.paint != Paint::Heights {
                    cells.add(self.ground.cell(column, row).filter(|&cell| self.shows(cell)));
                }
            }
        }
        if count == 0.0 {
            return None;
        }
        let [base, rise] = self.ground.rise;
        let height = base + rise * sum.height / count;
        let light = self.relief.light(self.incline.map(|[a, b]| (a * sum.slope[0] + b * sum.slope[1]) / count));
        let (tint, water) = self.relief.tint(height, self.sea);
        // Tints are bright where it is level, and water is hardly shaded.
        let tinted = |tint| if water { lit(tint, 0.85 + 0.15 * light) } else { lit(tint, 0.25 + 0.7 * light) };
        Some(match (self.paint, cells.get()) {
            (Paint::Cells, Some(cell)) => lit(cell, 0.65 + 0.35 * light),
            (Paint::Both, Some(cell)) if !water => tinted(colors::mix(tint, cell, CELL)),
            _ => tinted(tint),
        })
    }

    /// Whether the colour of a texture cell is seen. Where ground is tinted, a cell without a material is no ground.
    fn shows(&self, cell: u32) -> bool {
        let material = || usize::try_from(cell).ok().and_then(|cell| self.ground.terrain.materials.get(cell));
        self.paint == Paint::Cells || material().is_some_and(Option::is_some)
    }
}

/// The mean of the colours of texture cells.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: [u32; 3],
    count: u32,
    /// The last cell and its colour: neighbours are mostly alike.
    last: Option<(u32, [u8; 3])>,
}

impl Mean {
    fn add(&mut self, cell: Option<u32>) {
        let Some(cell) = cell else { return };
        let color = match self.last {
            Some((last, color)) if last == cell => color,
            _ => colors::cell(cell),
        };
        self.last = Some((cell, color));
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
