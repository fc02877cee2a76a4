//! What a row says of where an object stands.

use std::fmt::Write;

use super::Angles;
use crate::document::Matrix;
use crate::steps::narrow;

/// Where an object stands as a row of a table says it: in bits, in numbers, or both.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Said {
    /// The matrix by its bits.
    pub exact: Option<Matrix>,
    /// Metres east, up and north.
    pub place: [Option<f64>; 3],
    /// Yaw, pitch and roll in degrees, and the scale.
    pub turn: [Option<f64>; 4],
}

impl Said {
    /// The matrix. Where bits and numbers do not say the same, the numbers count, as somebody has changed them.
    ///
    /// # Errors
    /// What is wrong: neither bits nor a place, or numbers that are not finite where the bits do not say such.
    pub fn matrix(&self) -> Result<Matrix, &'static str> {
        let matrix = match &self.exact {
            Some(matrix) => self.change(*matrix),
            None => self.made().ok_or("x, y and z are wanted where there is no matrix")?,
        };
        let own = self.exact.unwrap_or(Matrix::at([0.0; 3]));
        let said = matrix.numbers().into_iter().zip(own.numbers());
        let turns = Angles::of(&own);
        let turns = [turns.yaw, turns.pitch, turns.roll, turns.scale];
        let turned = self.turn.iter().zip(turns).all(|(said, own)| said.is_none_or(f64::is_finite) || !own.is_finite());
        if turned && said.into_iter().all(|(number, own)| number.is_finite() || !own.is_finite()) {
            Ok(matrix)
        } else {
            Err("finite numbers are wanted")
        }
    }

    /// The matrix of numbers alone.
    fn made(&self) -> Option<Matrix> {
        let [x, y, z] = self.place;
        let [yaw, pitch, roll, scale] = self.turn;
        let angles = Angles {
            yaw: yaw.unwrap_or(0.0),
            pitch: pitch.unwrap_or(0.0),
            roll: roll.unwrap_or(0.0),
            scale: scale.unwrap_or(1.0),
        };
        Some(angles.matrix([x?, y?, z?].map(narrow)))
    }

    /// A matrix, but for what the numbers say otherwise.
    fn change(&self, matrix: Matrix) -> Matrix {
        let mut changed = matrix;
        for (place, said) in changed.position.iter_mut().zip(self.place) {
            if let Some(said) = said.map(narrow)
                && !(said == *place || said.is_nan() && place.is_nan())
            {
                *place = said;
            }
        }
        let Angles { yaw, pitch, roll, scale } = Angles::of(&matrix);
        let own = [yaw, pitch, roll, scale];
        // As many digits as are written.
        let differs = |(said, own): (&Option<f64>, f64)| said.is_some_and(|said| (said - own).abs() > 1e-6);
        if self.turn.iter().zip(own).any(differs) {
            let [yaw, pitch, roll, scale] = self.turn;
            let angles = Angles {
                yaw: yaw.unwrap_or(own[0]),
                pitch: pitch.unwrap_or(own[1]),
                roll: roll.unwrap_or(own[2]),
                scale: scale.unwrap_or(own[3]),
            };
            changed = angles.matrix(changed.position);
        }
        changed
    }
}

/// The bits of a matrix as twelve hexadecimal words.
pub fn spell_bits(matrix: &Matrix) -> String {
    let mut words = String::with_capacity(12 * 9);
    for (place, number) in matrix.numbers().iter().enumerate() {
        let blank = if place > 0 { " " } else { "" };
        // Writing to a string does not fail.
        let _ = write!(words, "{blank}{:08x}", number.to_bits());
    }
    words
}

/// The matrix of twelve hexadecimal words.
pub fn parse_bits(text: &str) -> Option<Matrix> {
    let mut numbers = [0.0; 12];
    let mut words = text.split_ascii_whitespace();
    for number in &mut numbers {
        *number = f32::from_bits(u32::from_str_radix(words.next()?, 16).ok()?);
    }
    words.next().is_none().then(|| Matrix::from_numbers(numbers))
}
