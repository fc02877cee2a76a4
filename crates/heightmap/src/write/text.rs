//! Heights as text, and the resulting losses.

use std::io::Write;

use mapwright_io::format_count;
use mapwright_scene::{Heights, Losses};

use super::number::hundredths;
use crate::{Numbers, grid::Grid};

/// Value of points without a height.
pub(super) const NO_DATA: f32 = -9999.0;

/// Formats heights one after another.
pub(super) struct HeightFormatter {
    numbers: Numbers,
    /// The step, for heights that are multiples of one.
    step: Option<f64>,
    /// Number of heights that are not finite.
    infinite: u64,
    /// Number of heights that equal the no-data value.
    taken: u64,
    /// Number of rounded heights.
    rounded: u64,
    off: f64,
}

impl HeightFormatter {
    pub(super) fn new(heights: &Heights, numbers: Numbers) -> Self {
        let step = match heights {
            Heights::Steps { step, .. } => Some(*step),
            Heights::F32(_) => None,
        };
        Self { numbers, step, infinite: 0, taken: 0, rounded: 0, off: 0.0 }
    }

    /// Formats the heights of a grid row by row. `around` adds the text around each height.
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

    /// Appends a height, or the no-data value.
    pub(super) fn height_or_no_data(&mut self, height: f64, out: &mut Vec<u8>) {
        if self.is_missing(height) {
            self.write_height(f64::from(NO_DATA), out);
            return;
        }
        let start = out.len();
        self.height(height, out);
        if (height - f64::from(NO_DATA)).abs() < 0.01 && out.get(start..).is_some_and(is_no_data) {
            self.taken += 1;
        }
    }

    /// Returns `true` if a height is not finite, and counts it.
    pub(super) fn is_missing(&mut self, height: f64) -> bool {
        // A height that is not a number is missing in the source, too.
        self.infinite += u64::from(height.is_infinite());
        !height.is_finite()
    }

    /// Appends a height.
    pub(super) fn height(&mut self, height: f64, out: &mut Vec<u8>) {
        self.write_height(height, out);
        if self.numbers == Numbers::Hundredths && self.step.is_none() {
            let rounded_height = (height * 100.0).round_ties_even() / 100.0;
            #[allow(clippy::cast_possible_truncation)] // As whoever reads it rounds it.
            if f64::from(rounded_height as f32) != height {
                self.rounded += 1;
                self.off = self.off.max((rounded_height - height).abs());
            }
        }
    }

    fn write_height(&self, height: f64, out: &mut Vec<u8>) {
        match self.numbers {
            Numbers::Hundredths => hundredths(height, out),
            // Writing to a vector never fails. Heights are 32-bit floats or can be rounded to them.
            #[allow(clippy::cast_possible_truncation)]
            Numbers::Shortest => _ = write!(out, "{}", height as f32),
        }
    }

    pub(super) fn report(&self, grid: &Grid<'_>, losses: &mut Losses) {
        let Self { infinite, taken, rounded, off, .. } = *self;
        let path = grid.heights_path();
        if infinite > 0 {
            let text = format!("{}: written as no-data points", format_count(infinite, "infinite height"));
            losses.approximated(&path, text);
        }
        if taken > 0 {
            losses
                .approximated(&path, format!("{} equal to the no-data value {NO_DATA}", format_count(taken, "height")));
        }
        if rounded > 0 {
            losses.approximated(
                &path,
                format!("{} rounded to 0.01, by up to {off:.2e}", format_count(rounded, "height")),
            );
        }
        match self.step {
            // Heights that differ by half a hundredth cannot be distinguished.
            Some(step) if self.numbers == Numbers::Hundredths && step.abs() <= 0.01 => {
                losses.approximated(&path, format!("height steps of {step} rounded to 0.01"));
            }
            Some(step) => {
                losses.preserved(
                    &path,
                    format!(
                        "height steps of {step} written as numbers; reading them with this step gives identical heights"
                    ),
                );
            }
            None => {}
        }
    }
}

/// Returns `true` if readers would interpret the text as the no-data value.
fn is_no_data(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse() == Ok(NO_DATA))
}
