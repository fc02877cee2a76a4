//! Converts heights in metres to the steps of 4WVR.

use crate::loss::counted;

/// Returns the shortest decimal number that rounds to a float: 0.045, not 0.04500000178813934.
pub(crate) fn to_shortest_decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

#[allow(clippy::cast_possible_truncation)] // The formats store f32.
pub(crate) fn to_f32(number: f64) -> f32 {
    number as f32
}

const HEIGHTS: [&str; 2] = ["height", "heights"];

/// Rounds heights to steps and counts the changes.
///
/// Rounding to nearest restores each of the 65,536 raw heights from its metres. The game rounds down, which lowers 5602 of them.
#[derive(Debug)]
pub(crate) struct Steps {
    unit: f32,
    metres: f64,
    rounded: usize,
    worst: f64,
    clamped: usize,
    not_numbers: usize,
}

impl Steps {
    pub(crate) fn new(unit: f32) -> Self {
        Self { unit, metres: to_shortest_decimal(unit), rounded: 0, worst: 0.0, clamped: 0, not_numbers: 0 }
    }

    /// Returns the metres per step as a decimal number.
    pub(crate) const fn metres_per_step(&self) -> f64 {
        self.metres
    }

    /// Rounds a height in metres to the nearest step.
    pub(crate) fn round_height(&mut self, height: f32) -> i16 {
        if height.is_nan() {
            self.not_numbers = self.not_numbers.saturating_add(1);
            return 0;
        }
        let steps = (f64::from(height) / self.metres).round();
        #[allow(clippy::cast_possible_truncation)] // The cast saturates; saturated values are counted.
        let step = steps as i16;
        if f64::from(step) != steps {
            self.clamped = self.clamped.saturating_add(1);
        } else if f32::from(step) * self.unit != height && to_f32(steps * self.metres) != height {
            self.rounded = self.rounded.saturating_add(1);
            self.worst = self.worst.max((steps * self.metres - f64::from(height)).abs());
        }
        step
    }

    /// Returns the nearest step to a height in metres, if the height is in range.
    pub(crate) fn nearest_step(&self, height: f64) -> Option<i16> {
        let steps = (height / self.metres).round();
        #[allow(clippy::cast_possible_truncation)] // The cast saturates; saturated values give `None`.
        let step = steps as i16;
        (f64::from(step) == steps).then_some(step)
    }

    /// Describes the approximations and the repairs.
    pub(crate) fn describe_changes(&self) -> (Vec<String>, Option<String>) {
        let Self { metres, rounded, worst, clamped, not_numbers, .. } = self;
        let mut approximated = Vec::new();
        if *rounded > 0 {
            approximated.push(format!(
                "{} rounded to steps of {metres} m (by at most {worst:.4} m)",
                counted(*rounded, HEIGHTS)
            ));
        }
        if *clamped > 0 {
            let (low, high) = (f64::from(i16::MIN) * metres, f64::from(i16::MAX) * metres);
            approximated
                .push(format!("{} clamped to the range from {low:.3} m to {high:.3} m", counted(*clamped, HEIGHTS)));
        }
        let repaired = (*not_numbers > 0)
            .then(|| counted(*not_numbers, ["NaN height replaced by 0", "NaN heights replaced by 0"]));
        (approximated, repaired)
    }
}
