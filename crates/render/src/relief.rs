//! Colours of heights: lit from the north-west, tinted by height, and blue below the sea.

/// Parameters that all terrains of an image share, so that a height has one tint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relief {
    /// The lowest and the highest height, without outliers.
    range: [f64; 2],
    /// Factor of slopes, which makes flat terrain visible.
    steeper: f64,
}

/// From the shore to the highest land, and to the deepest sea.
const LAND: [[u8; 3]; 5] =
    [[0x7F, 0xA8, 0x6B], [0xB4, 0xC2, 0x82], [0xDC, 0xCC, 0x96], [0xB0, 0x8A, 0x66], [0xF0, 0xEE, 0xEA]];
const SEA: [[u8; 3]; 3] = [[0x8F, 0xC4, 0xD6], [0x4A, 0x8C, 0xB8], [0x20, 0x47, 0x80]];

/// The mean slope after scaling.
const STEEP: f64 = 0.4;

impl Relief {
    /// Computes the parameters from samples of heights, and of slopes as the rise per unit of length.
    pub(crate) fn new(mut heights: Vec<f64>, slopes: &[f64]) -> Self {
        heights.retain(|height| height.is_finite());
        heights.sort_unstable_by(f64::total_cmp);
        // One in 200 heights at each end is an outlier.
        let outliers = heights.len() / 200;
        let low = heights.get(outliers).copied().unwrap_or(0.0);
        let high = heights.iter().rev().nth(outliers).copied().unwrap_or(0.0);
        let squares = || slopes.iter().map(|slope| slope * slope).filter(|square| square.is_finite());
        #[allow(clippy::cast_precision_loss)]
        let mean = (squares().sum::<f64>() / squares().count().max(1) as f64).sqrt();
        let steeper = if mean > 0.0 { (STEEP / mean).clamp(0.2, 50.0) } else { 1.0 };
        Self { range: [low, high], steeper }
    }

    /// Returns the brightness of ground with a slope to the east and to the south; 1 if it is level.
    pub(crate) fn light(&self, [east, south]: [f64; 2]) -> f64 {
        let (east, south) = (east * self.steeper, south * self.steeper);
        // The light comes from the north-west, 45 degrees above the horizon.
        let side = (east + south) * std::f64::consts::FRAC_1_SQRT_2;
        let light = (1.0 + side) / (1.0 + east * east + south * south).sqrt();
        // Very steep ground gives infinity divided by infinity.
        if light.is_finite() { light.max(0.0) } else { 0.0 }
    }

    /// Returns the tint of a height, and `true` if it is below the sea.
    pub(crate) fn tint(&self, height: f64, sea: Option<f64>) -> ([u8; 3], bool) {
        let [low, high] = self.range;
        match sea {
            Some(sea) if height < sea => (ramp(&SEA, (sea - height) / (sea - low)), true),
            Some(sea) => (ramp(&LAND, (height - sea) / (high - sea)), false),
            None => (ramp(&LAND, (height - low) / (high - low)), false),
        }
    }
}

/// Returns the colour at a share of the way through a gradient.
fn ramp(colors: &[[u8; 3]], share: f64) -> [u8; 3] {
    // An empty range gives NaN. A height beyond a range with the wrong sign is clamped.
    let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
    let steps = colors.len().saturating_sub(1);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let way = (share * (steps * 256) as f64) as u16;
    let step = usize::from(way / 256);
    let first = colors.get(step).copied().unwrap_or_default();
    colors.get(step + 1).map_or(first, |&second| crate::colors::mix(first, second, way % 256))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_to_the_north_west_are_bright() {
        let relief = Relief::new(vec![0.0, 100.0], &[0.4]);
        assert_eq!(relief.light([0.0, 0.0]), 1.0);
        assert!(relief.light([0.2, 0.2]) > 1.1, "rises to the south-east");
        assert!(relief.light([-0.2, -0.2]) < 0.9, "rises to the north-west");
        assert!(relief.light([f64::INFINITY, -1e300]).is_finite());
    }

    #[test]
    fn tints_follow_the_range_and_the_sea() {
        let relief = Relief::new((0..=1000).map(|height| f64::from(height) - 400.0).collect(), &[]);
        assert_eq!(relief.tint(0.0, Some(0.0)), (LAND[0], false));
        assert_eq!(relief.tint(900.0, Some(0.0)), (LAND[4], false));
        assert_eq!(relief.tint(-900.0, Some(0.0)), (SEA[2], true));
        let (shallow, deep) = (relief.tint(-1.0, Some(0.0)).0, relief.tint(-300.0, Some(0.0)).0);
        assert!(shallow[0] > deep[0], "{shallow:?} {deep:?}");
        assert_eq!(relief.tint(-400.0, None), (LAND[0], false));
        // A single height, and a sea above everything.
        let flat = Relief::new(vec![5.0, f64::NAN], &[f64::NAN]);
        assert_eq!(flat.tint(5.0, None), (LAND[0], false));
        assert_eq!(flat.tint(5.0, Some(5.0)), (LAND[0], false));
        assert!(flat.tint(5.0, Some(9.0)).1);
    }
}
