//! Fill-rate budget, which limits the time for drawing faces.

use super::edges::sample;
use super::window::Window;

/// The remaining samples that faces may cover.
#[derive(Debug)]
pub(crate) struct FillBudget {
    /// Upper left corner, right and down, in units of length.
    at: [f64; 2],
    /// Samples per unit of length.
    scale: f64,
    /// Width and height in samples.
    size: [f64; 2],
    /// Remaining samples; negative after the first face that exceeded the budget.
    left: f64,
}

/// Maximum number of times that faces cover the image. Real levels and models reach 10.
const MAX_COVERAGE: f64 = 24.0;

/// Time to compute the crossing of an edge with a row, relative to that for a sample.
const CROSSING_COST: f64 = 3.0;

impl FillBudget {
    /// Minimum budget, so that small images of millions of small faces are complete.
    pub(crate) const MIN_SAMPLES: f64 = 2_147_483_648.0;

    /// Creates the budget of an image, with the given samples per pixel.
    pub(crate) fn new(window: &Window, samples: usize, min_samples: f64) -> Self {
        #[allow(clippy::cast_precision_loss)]
        let samples = samples as f64;
        let size = [window.info.width, window.info.height].map(|pixels| f64::from(pixels) * samples);
        let left = (size[0] * size[1] * MAX_COVERAGE).max(min_samples);
        Self { at: window.at, scale: samples / window.pixel, size, left }
    }

    /// Spends the cost of a face. Returns `false` for the first face that exceeds the budget and all that follow.
    pub(crate) fn spend(&mut self, cost: f64) -> bool {
        self.left -= cost;
        self.left >= 0.0
    }

    /// Returns an upper bound of the samples that a face covers, plus the time for the crossings of its edges with rows. Corners are
    /// right and down in units of length.
    pub(crate) fn cost(&self, corners: &[[f64; 3]]) -> f64 {
        let place = |&[x, y, _]: &[f64; 3]| [(x - self.at[0]) * self.scale, (y - self.at[1]) * self.scale];
        let Some(first) = corners.first().map(place) else { return 0.0 };
        // A sample is covered, and a row is crossed, at its centre.
        let count = |low: f64, high: f64, size: f64| {
            // Counted without `ceil`, which is a call on processors without an instruction for it.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let most = size as usize;
            #[allow(clippy::cast_precision_loss)]
            let [low, high] = [low, high].map(|place| sample(place, most) as f64);
            high - low
        };
        let mut last = corners.last().map_or(first, place);
        let (mut low, mut high, mut area, mut crossings) = (first, first, 0.0, 0.0);
        for [x, y] in corners.iter().map(place) {
            crossings += count(last[1].min(y), last[1].max(y), self.size[1]);
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
            area += ((last[0] - first[0]) * (y - first[1]) - (x - first[0]) * (last[1] - first[1])).abs() / 2.0;
            last = [x, y];
        }
        let [columns, rows] = [count(low[0], high[0], self.size[0]), count(low[1], high[1], self.size[1])];
        if columns <= 0.0 || rows <= 0.0 {
            return 0.0;
        }
        #[allow(clippy::cast_precision_loss)]
        let corners = corners.len() as f64;
        // A triangle covers at most its area plus its widest row.
        CROSSING_COST * crossings + (rows * columns).min(area + columns * corners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RenderOptions, Scale};

    #[test]
    fn the_cost_of_a_face_is_its_covered_area() {
        let options = RenderOptions::default().with_scale(Scale::Fit(340));
        let window = Window::new([[0.0; 2], [320.0; 2]], None, &options).unwrap();
        assert_eq!((window.at, window.pixel, window.info.width), ([-10.0; 2], 1.0, 340));
        let mut budget = FillBudget::new(&window, 2, 1e9);
        let cost = |corners: &[[f64; 2]]| budget.cost(&corners.iter().map(|&[x, y]| [x, y, 0.0]).collect::<Vec<_>>());
        let square = |size: f64| [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]];
        assert_eq!(cost(&square(10.0)), 40.0 * 3.0 + 400.0);
        assert_eq!(cost(&square(1e9).map(|corner| corner.map(|place| place - 1e8))), 1360.0 * 3.0 + 680.0 * 680.0);
        // A thin face costs its bounding box only if it is axis-aligned.
        assert_eq!(cost(&[[0.0, 0.0], [100.0, 0.3], [0.0, 0.3]]), 2.0 * 3.0 + 200.0);
        assert_eq!(cost(&[[0.0, 0.0], [100.0, 100.0], [100.0, 101.0]]), 404.0 * 3.0 + 200.0 + 600.0);
        for outside in [[[-20.0, 0.0], [-11.0, 0.0], [-20.0, 90.0]], [[0.0, 350.0], [9.0, 350.0], [9.0, 400.0]]] {
            assert_eq!(cost(&outside), 0.0);
        }
        assert_eq!((cost(&[[5.1, 5.1], [5.2, 5.1], [5.1, 5.2]]), cost(&[])), (0.0, 0.0), "between samples");
        assert!(budget.spend(4e8) && budget.spend(6e8) && budget.spend(0.0));
        assert!(!budget.spend(1.0) && !budget.spend(0.0));
    }
}
