//! Heights as text, and what that costs them.

use std::io::Write;

use mapwright_scene::{Heights, Losses};

use super::number::hundredths;
use crate::heightmap::{Numbers, grid::Grid};

/// What stands for points without a height.
pub(super) const NO_DATA: f32 = -9999.0;

/// Spells heights one after the other.
pub(super) struct Speller {
    numbers: Numbers,
    /// The step, of heights that are multiples of one.
    step: Option<f64>,
    /// Heights that are no finite number.
    missing: u64,
    /// Heights that look as if they were.
    taken: u64,
    /// Heights that do not come back, and by how much at most.
    rounded: u64,
    off: f64,
}

impl Speller {
    pub(super) fn new(heights: &Heights, numbers: Numbers) -> Self {
        let step = match heights {
            Heights::Steps { step, .. } => Some(*step),
            Heights::F32(_) => None,
        };
        Self { numbers, step, missing: 0, taken: 0, rounded: 0, off: 0.0 }
    }

    /// Spells the heights of a grid row by row, each with what `around` puts around it.
    pub(super) fn rows(
        &mut self,
        grid: &Grid<'_>,
        mut row: impl FnMut(&mut Self, &mut dyn Iterator<Item = f64>) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        match &*grid.heights {
            Heights::F32(heights) => {
                for heights in grid.rows(heights) {
                    row(self, &mut heights.iter().map(|&height| f64::from(height)))?;
                }
            }
            Heights::Steps { step, values } => {
                for values in grid.rows(values) {
                    row(self, &mut values.iter().map(|&value| f64::from(value) * step))?;
                }
            }
        }
        Ok(())
    }

    /// Appends a height, or what stands for none.
    pub(super) fn height_or_no_data(&mut self, height: f64, out: &mut Vec<u8>) {
        if self.is_missing(height) {
            self.spell(f64::from(NO_DATA), out);
            return;
        }
        let start = out.len();
        self.height(height, out);
        if (height - f64::from(NO_DATA)).abs() < 0.01 && out.get(start..).is_some_and(is_no_data) {
            self.taken += 1;
        }
    }

    /// Whether it is no finite number, which counts.
    pub(super) fn is_missing(&mut self, height: f64) -> bool {
        self.missing += u64::from(!height.is_finite());
        !height.is_finite()
    }

    /// Appends a height.
    pub(super) fn height(&mut self, height: f64, out: &mut Vec<u8>) {
        self.spell(height, out);
        if self.numbers == Numbers::Hundredths && self.step.is_none() {
            let spelled = (height * 100.0).round_ties_even() / 100.0;
            #[allow(clippy::cast_possible_truncation)] // As whoever reads it rounds it.
            if f64::from(spelled as f32) != height {
                self.rounded += 1;
                self.off = self.off.max((spelled - height).abs());
            }
        }
    }

    fn spell(&self, height: f64, out: &mut Vec<u8>) {
        match self.numbers {
            Numbers::Hundredths => hundredths(height, out),
            // Writing to a vector cannot fail. Heights are floats of 32 bits, or as good as such.
            #[allow(clippy::cast_possible_truncation)]
            Numbers::Shortest => _ = write!(out, "{}", height as f32),
        }
    }

    pub(super) fn report(&self, grid: &Grid<'_>, losses: &mut Losses) {
        let Self { missing, taken, rounded, off, .. } = *self;
        let path = grid.heights_path();
        if missing > 0 {
            losses.approximated(&path, format!("{missing} heights that are no finite number: as points without data"));
        }
        if taken > 0 {
            losses.approximated(&path, format!("{taken} heights of {NO_DATA}, which means points without data"));
        }
        if rounded > 0 {
            losses.approximated(&path, format!("{rounded} heights rounded to 0.01, by up to {off:.2e}"));
        }
        match self.step {
            // Half a hundredth away from each other they cannot be told apart.
            Some(step) if self.numbers == Numbers::Hundredths && step.abs() <= 0.01 => {
                losses.approximated(&path, format!("steps of {step} rounded to 0.01"));
            }
            Some(step) => {
                losses
                    .preserved(&path, format!("steps of {step} as numbers, which come back where that step is stated"));
            }
            None => {}
        }
    }
}

/// Whether a reader would take the text for that of a point without a height.
fn is_no_data(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse() == Ok(NO_DATA))
}
