//! The transform in a row of an object list.

use std::fmt::Write;

use super::Angles;
use crate::document::Matrix;
use crate::steps::to_f32;

/// Transform of an object in a row: as bits, as numbers, or both.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowTransform {
    /// The matrix, from its bits.
    pub bits: Option<Matrix>,
    /// Metres to the east, up and north.
    pub position: [Option<f64>; 3],
    /// Yaw, pitch and roll in degrees, and scale.
    pub angles: [Option<f64>; 4],
}

impl RowTransform {
    /// Returns the matrix. If bits and numbers differ, the numbers win, because somebody has changed them.
    ///
    /// # Errors
    /// Fails if there are neither bits nor a position, or if a number is not finite although the bits are.
    pub fn to_matrix(&self) -> Result<Matrix, &'static str> {
        let matrix = match &self.bits {
            Some(matrix) => self.apply_numbers(*matrix),
            None => self.matrix_from_numbers().ok_or("expected x, y and z, because there is no matrix")?,
        };
        let own = self.bits.unwrap_or(Matrix::from_position([0.0; 3]));
        let given = matrix.numbers().into_iter().zip(own.numbers());
        let own_angles = Angles::from_matrix(&own);
        let own_angles = [own_angles.yaw, own_angles.pitch, own_angles.roll, own_angles.scale];
        let is_valid =
            self.angles.iter().zip(own_angles).all(|(given, own)| given.is_none_or(f64::is_finite) || !own.is_finite());
        if is_valid && given.into_iter().all(|(number, own)| number.is_finite() || !own.is_finite()) {
            Ok(matrix)
        } else {
            Err("expected finite numbers")
        }
    }

    /// Builds the matrix from the numbers alone.
    fn matrix_from_numbers(&self) -> Option<Matrix> {
        let [x, y, z] = self.position;
        let [yaw, pitch, roll, scale] = self.angles;
        let angles = Angles {
            yaw: yaw.unwrap_or(0.0),
            pitch: pitch.unwrap_or(0.0),
            roll: roll.unwrap_or(0.0),
            scale: scale.unwrap_or(1.0),
        };
        Some(angles.to_matrix([x?, y?, z?].map(to_f32)))
    }

    /// Applies the numbers that differ from a matrix.
    fn apply_numbers(&self, matrix: Matrix) -> Matrix {
        let mut changed = matrix;
        for (own, given) in changed.position.iter_mut().zip(self.position) {
            if let Some(given) = given.map(to_f32)
                && !(given == *own || given.is_nan() && own.is_nan())
            {
                *own = given;
            }
        }
        let Angles { yaw, pitch, roll, scale } = Angles::from_matrix(&matrix);
        let own = [yaw, pitch, roll, scale];
        // The lists have six decimals.
        let differs = |(given, own): (&Option<f64>, f64)| given.is_some_and(|given| (given - own).abs() > 1e-6);
        if self.angles.iter().zip(own).any(differs) {
            let [yaw, pitch, roll, scale] = self.angles;
            let angles = Angles {
                yaw: yaw.unwrap_or(own[0]),
                pitch: pitch.unwrap_or(own[1]),
                roll: roll.unwrap_or(own[2]),
                scale: scale.unwrap_or(own[3]),
            };
            changed = angles.to_matrix(changed.position);
        }
        changed
    }
}

/// Formats the bits of a matrix as twelve hexadecimal words.
pub fn format_bits(matrix: &Matrix) -> String {
    let mut words = String::with_capacity(12 * 9);
    for (index, number) in matrix.numbers().iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(words, "{space}{:08x}", number.to_bits());
    }
    words
}

/// Parses a matrix from twelve hexadecimal words.
pub fn parse_bits(text: &str) -> Option<Matrix> {
    let mut numbers = [0.0; 12];
    let mut words = text.split_ascii_whitespace();
    for number in &mut numbers {
        *number = f32::from_bits(u32::from_str_radix(words.next()?, 16).ok()?);
    }
    words.next().is_none().then(|| Matrix::from_numbers(numbers))
}
