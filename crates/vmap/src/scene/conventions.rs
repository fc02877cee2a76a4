//! Axes, unit and number precision of maps.

use mapwright_scene::AxisChange;

/// Change of axes from maps to scenes: (x, y, z) → (x, z, −y). Both are right-handed. In maps Z is up and entities look along X.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// Metres per unit of length: a unit is an inch.
pub const METRES_PER_UNIT: f64 = 0.0254;

/// Returns a point of a map in the axes of scenes.
pub(super) fn to_scene_point(point: [f32; 3]) -> [f64; 3] {
    AXES.apply(point.map(f64::from))
}

/// Rounds to single precision. Finite numbers stay finite. NaN becomes the NaN without a sign, because calculations give either,
/// depending on the processor.
#[expect(clippy::cast_possible_truncation, reason = "maps store 32-bit numbers")]
pub(super) fn narrow(number: f64) -> f32 {
    if number.is_nan() {
        return f32::NAN;
    }
    let narrow = number as f32;
    if number.is_finite() && !narrow.is_finite() { f32::MAX.copysign(narrow) } else { narrow }
}

/// Returns `true` if single precision changes a number by more than the last digits of double precision.
pub(super) fn is_rounded(number: f64) -> bool {
    (f64::from(narrow(number)) - number).abs() > 1e-10 * number.abs() + 1e-12
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_nan_have_the_same_bits() {
        for nan in [f64::NAN, -f64::NAN, f64::from_bits(0x7ff8_0000_4000_0000)] {
            assert_eq!(super::narrow(nan).to_bits(), 0x7fc0_0000);
        }
    }

    #[test]
    fn z_becomes_y_and_y_becomes_minus_z() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
        assert!(!super::AXES.reverses_winding());
    }
}
