//! The grid of scattered points.

use crate::{Error, error::malformed};

/// Equal steps along x or y.
pub(super) struct Axis {
    pub(super) first: f64,
    /// `None` for a single position.
    pub(super) step: Option<f64>,
    pub(super) count: u32,
}

/// Maximum distance of a point from the grid, in steps.
const TOLERANCE: f64 = 0.05;

/// Distance of a point from the grid, in steps, that is only noise of its numbers.
const NOISE: f64 = 1e-6;

impl Axis {
    /// Finds the axis of numbers in any order. Rejects numbers that are not finite or not in equal steps.
    pub(super) fn new(name: &'static str, mut numbers: Vec<f64>) -> Result<Self, Error> {
        numbers.sort_unstable_by(f64::total_cmp);
        let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else {
            return Err(malformed(name, "no points"));
        };
        let width = last - first;
        if !(first.is_finite() && last.is_finite() && width.is_finite()) {
            return Err(malformed(name, format!("from {first} to {last}: not a valid range")));
        }
        // The smallest step that is larger than rounding noise.
        let noise = width * 1e-9;
        let least = numbers.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?)).filter(|gap| *gap > noise);
        let Some(least) = least.min_by(f64::total_cmp) else {
            return Ok(Self { first, step: None, count: 1 });
        };
        let steps = (width / least).round();
        if steps >= f64::from(u32::MAX) {
            return Err(malformed(name, format!("{steps} steps, the smallest of {least}: not a regular grid")));
        }
        let axis = Self {
            first,
            step: Some(width / steps),
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Just checked.
            count: steps as u32 + 1,
        };
        match numbers.iter().find(|&&number| axis.index(number).is_none()) {
            Some(number) => {
                let text = format!("not a regular grid: {number} is not on a step of {} from {first}", width / steps);
                Err(malformed(name, text))
            }
            None => Ok(axis),
        }
    }

    /// Returns the largest distance of a number from its place on the axis, unless all distances are noise.
    pub(super) fn largest_shift(&self, numbers: impl Iterator<Item = f64>) -> Option<f64> {
        let step = self.step?;
        let shift = |number: f64| {
            let exact = (number - self.first) / step;
            (exact - exact.round()).abs()
        };
        numbers.map(shift).max_by(f64::total_cmp).filter(|steps| *steps > NOISE).map(|steps| steps * step)
    }

    /// Returns the index of a number on the axis.
    pub(super) fn index(&self, number: f64) -> Option<u32> {
        let Some(step) = self.step else { return Some(0) };
        let exact = (number - self.first) / step;
        let whole = exact.round();
        let lies = (exact - whole).abs() <= TOLERANCE && whole >= 0.0 && whole < f64::from(self.count);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Just checked.
        lies.then_some(whole as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_are_found_in_any_order() {
        let axis = Axis::new("x", vec![30.0, 10.0, 20.0, 10.0, 50.0]).unwrap();
        assert_eq!((axis.first, axis.step, axis.count), (10.0, Some(10.0), 5));
        assert_eq!(
            (axis.index(50.0), axis.index(49.8), axis.index(45.0), axis.index(60.0)),
            (Some(4), Some(4), None, None)
        );
        let single = Axis::new("x", vec![7.0, 7.0]).unwrap();
        assert_eq!((single.first, single.step, single.count, single.index(7.0)), (7.0, None, 1, Some(0)));
        // Numbers with few digits.
        let thirds = Axis::new("x", vec![0.0, 0.333, 0.667, 1.0]).unwrap();
        assert_eq!((thirds.count, thirds.index(0.667)), (4, Some(2)));
    }

    #[test]
    fn irregular_coordinates_are_rejected() {
        for numbers in [vec![], vec![0.0, 1.0, 2.5], vec![0.0, f64::NAN], vec![-1.7e308, 1.7e308]] {
            assert!(Axis::new("x", numbers.clone()).is_err(), "{numbers:?}");
        }
    }
}
