//! Metres to the steps of 4WVR.

/// The decimal number that was meant by a float: 0.045 and not 0.04500000178813934.
pub(crate) fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

#[allow(clippy::cast_possible_truncation)] // The file has f32.
pub(crate) fn narrow(number: f64) -> f32 {
    number as f32
}

/// Rounds heights to steps, and counts what that changes.
///
/// Rounding to the nearest brings each of the 65,536 raw heights back from its metres. The game's own saver rounds down, which lowers
/// 5602 of them.
#[derive(Debug)]
pub(crate) struct Steps {
    unit: f32,
    meant: f64,
    rounded: usize,
    worst: f64,
    clamped: usize,
    not_numbers: usize,
}

impl Steps {
    pub(crate) fn new(unit: f32) -> Self {
        Self { unit, meant: decimal(unit), rounded: 0, worst: 0.0, clamped: 0, not_numbers: 0 }
    }

    /// The metres of a step as meant.
    pub(crate) const fn meant(&self) -> f64 {
        self.meant
    }

    /// The nearest step to a height in metres.
    pub(crate) fn step(&mut self, height: f32) -> i16 {
        if height.is_nan() {
            self.not_numbers = self.not_numbers.saturating_add(1);
            return 0;
        }
        let steps = (f64::from(height) / self.meant).round();
        #[allow(clippy::cast_possible_truncation)] // It saturates, and what does is counted.
        let step = steps as i16;
        if f64::from(step) != steps {
            self.clamped = self.clamped.saturating_add(1);
        } else if f32::from(step) * self.unit != height && narrow(steps * self.meant) != height {
            self.rounded = self.rounded.saturating_add(1);
            self.worst = self.worst.max((steps * self.meant - f64::from(height)).abs());
        }
        step
    }

    /// The nearest step to a height in metres, if there is one.
    pub(crate) fn exact(&self, height: f64) -> Option<i16> {
        let steps = (height / self.meant).round();
        #[allow(clippy::cast_possible_truncation)] // It saturates, and what does is none.
        let step = steps as i16;
        (f64::from(step) == steps).then_some(step)
    }

    /// What was approximated, and what was repaired, in words.
    pub(crate) fn report(&self) -> (Vec<String>, Option<String>) {
        let Self { meant, rounded, worst, clamped, not_numbers, .. } = self;
        let mut approximated = Vec::new();
        if *rounded > 0 {
            approximated.push(format!("{rounded} heights, to steps of {meant} m: by at most {worst:.4} m"));
        }
        if *clamped > 0 {
            let (low, high) = (f64::from(i16::MIN) * meant, f64::from(i16::MAX) * meant);
            approximated.push(format!("{clamped} heights, to the range from {low:.3} m to {high:.3} m"));
        }
        let repaired = (*not_numbers > 0).then(|| format!("{not_numbers} heights that are no numbers, to 0"));
        (approximated, repaired)
    }
}
