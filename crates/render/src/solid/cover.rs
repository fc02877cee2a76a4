//! How much of a picture faces cover, which is how long it takes to draw them.

use super::window::Window;

/// What faces may yet cover of a picture.
#[derive(Debug)]
pub(crate) struct Cover {
    /// Right and down of the upper left corner, in units of length.
    at: [f64; 2],
    /// Samples in a unit of length.
    scale: f64,
    /// Samples across and down.
    size: [f64; 2],
    /// Samples that may yet be covered; less than none once they were too few.
    left: f64,
}

/// Faces cover the picture so many times at most; those of real levels and models do 10 times at most.
const MOST_TIMES: f64 = 24.0;

/// The time to find where an edge crosses a row, compared with that for a sample.
const CROSSING: f64 = 3.0;

impl Cover {
    /// Of small pictures, so many samples may be covered: those of millions of small faces are drawn too.
    pub(crate) const LEAST: f64 = 2_147_483_648.0;

    /// Of a picture with so many samples across and down in a pixel, of which so many at least may be covered.
    pub(crate) fn new(window: &Window, samples: usize, least: f64) -> Self {
        #[allow(clippy::cast_precision_loss)]
        let samples = samples as f64;
        let size = [window.picture.width, window.picture.height].map(|pixels| f64::from(pixels) * samples);
        let left = (size[0] * size[1] * MOST_TIMES).max(least);
        Self { at: window.at, scale: samples / window.pixel, size, left }
    }

    /// Whether a face may be drawn that covers so much. Where one may not, none behind it may.
    pub(crate) fn takes(&mut self, cost: f64) -> bool {
        self.left -= cost;
        self.left >= 0.0
    }

    /// The most samples that a face can cover, and the time for the crossings of its edges with rows. Its corners are given by how far right
    /// and down they are, in units of length.
    pub(crate) fn cost(&self, corners: &[[f64; 3]]) -> f64 {
        let place = |&[x, y, _]: &[f64; 3]| [(x - self.at[0]) * self.scale, (y - self.at[1]) * self.scale];
        let Some(first) = corners.first().map(place) else { return 0.0 };
        // A sample is covered, and a row is crossed, if its middle is.
        let count = |low: f64, high: f64, size: f64| {
            let [low, high] = [low, high].map(|place| (place - 0.5).ceil().clamp(0.0, size));
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
        // The samples of a triangle are no more than its area and its broadest row.
        CROSSING * crossings + (rows * columns).min(area + columns * corners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RenderOptions, Scale};

    #[test]
    fn what_a_face_costs_is_what_it_covers_of_the_picture() {
        let options = RenderOptions::default().with_scale(Scale::Fit(340));
        let window = Window::new([[0.0; 2], [320.0; 2]], None, &options).unwrap();
        assert_eq!((window.at, window.pixel, window.picture.width), ([-10.0; 2], 1.0, 340));
        let mut cover = Cover::new(&window, 2, 1e9);
        let cost = |corners: &[[f64; 2]]| cover.cost(&corners.iter().map(|&[x, y]| [x, y, 0.0]).collect::<Vec<_>>());
        let square = |size: f64| [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]];
        assert_eq!(cost(&square(10.0)), 40.0 * 3.0 + 400.0);
        assert_eq!(cost(&square(1e9).map(|corner| corner.map(|place| place - 1e8))), 1360.0 * 3.0 + 680.0 * 680.0);
        // What is thin costs what is around it only as far as it is not slanted.
        assert_eq!(cost(&[[0.0, 0.0], [100.0, 0.3], [0.0, 0.3]]), 2.0 * 3.0 + 200.0);
        assert_eq!(cost(&[[0.0, 0.0], [100.0, 100.0], [100.0, 101.0]]), 404.0 * 3.0 + 200.0 + 600.0);
        for outside in [[[-20.0, 0.0], [-11.0, 0.0], [-20.0, 90.0]], [[0.0, 350.0], [9.0, 350.0], [9.0, 400.0]]] {
            assert_eq!(cost(&outside), 0.0);
        }
        assert_eq!((cost(&[[5.1, 5.1], [5.2, 5.1], [5.1, 5.2]]), cost(&[])), (0.0, 0.0), "between samples");
        assert!(cover.takes(4e8) && cover.takes(6e8) && cover.takes(0.0));
        assert!(!cover.takes(1.0) && !cover.takes(0.0));
    }
}
