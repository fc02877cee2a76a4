//! Axes and unit of maps.

use mapwright_scene::AxisChange;

/// Change of axes from maps to scenes: (x, y, z) → (x, z, −y). Both are right-handed. In maps Z is up and entities look along X.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// Metres per unit of length: a unit is an inch.
pub const METRES_PER_UNIT: f64 = 0.0254;

/// Formats a number with the fewest digits that read back the same, and without negative zero.
pub(super) fn format_number(number: f64) -> String {
    format!("{}", number + 0.0)
}

/// Formats numbers with spaces between them.
pub(super) fn format_numbers(numbers: impl IntoIterator<Item = f64>) -> String {
    numbers.into_iter().map(format_number).collect::<Vec<_>>().join(" ")
}

/// Formats a point or direction of a scene in the axes of maps.
pub(super) fn format_point(point: [f64; 3]) -> String {
    format_numbers(AXES.inverse().apply(point))
}

/// Rounds to nine decimals, which removes the noise of calculations.
pub(super) fn round_noise(number: f64) -> f64 {
    const STEPS: f64 = 1e9;
    if number.abs() < 1e6 { (number * STEPS).round() / STEPS } else { number }
}

#[cfg(test)]
mod tests {
    #[test]
    fn z_becomes_y_and_y_becomes_minus_z() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
        assert!(!super::AXES.reverses_winding());
    }
}
