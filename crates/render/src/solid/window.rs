//! Visible area and scale of images of solids.

use crate::{Area, Error, Ratio, RenderInfo, RenderOptions, Scale};

/// The visible part of the projection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Upper left corner, right and down, in units of length.
    pub(crate) at: [f64; 2],
    /// Units of length per pixel.
    pub(crate) pixel: f64,
    /// Size of the image.
    pub(crate) info: RenderInfo,
}

impl Window {
    /// Creates the window for projected bounds.
    pub(crate) fn new(
        [low, high]: [[f64; 2]; 2],
        start: Option<[f64; 2]>,
        options: &RenderOptions,
    ) -> Result<Self, Error> {
        let (at, size) = add_margin(low, high);
        let (from, size) = area(at, size, start, options.area)?;
        let longest = size[0].max(size[1]);
        let limit = options.limit().max(1);
        let pixels = match options.scale {
            Scale::Fit(most) | Scale::Fill(most) => f64::from(most.clamp(1, limit)) / longest,
            Scale::Exactly(scale) => f64::from(scale.numerator()) / f64::from(scale.denominator()),
        };
        // At least one pixel. Rounding must not add a pixel to a fit.
        let [width, height] = size.map(|length| to_integer((length * pixels * (1.0 - 1e-9)).ceil().max(1.0)));
        let (Some(across), Some(down)) = (fit_limit(width, limit), fit_limit(height, limit)) else {
            return Err(Error::TooLarge {
                width,
                height,
                limit,
                fitting: Ratio::to_fit(to_integer(longest.ceil()), limit),
            });
        };
        let scale = match options.scale {
            Scale::Exactly(scale) => scale,
            Scale::Fit(_) | Scale::Fill(_) => nearest_ratio(pixels),
        };
        #[allow(clippy::cast_possible_truncation)]
        let corner = [from[0] - at[0], from[1] - at[1]].map(|length| length.round() as i64);
        let size = size.map(|length| u32::try_from(to_integer(length.ceil())).unwrap_or(u32::MAX));
        let info = RenderInfo {
            scale,
            from: corner,
            size,
            units_per_pixel: Some(1.0 / pixels),
            ..RenderInfo::new_empty(across, down)
        };
        Ok(Self { at: from, pixel: 1.0 / pixels, info })
    }

    /// Returns the pixel that contains a position.
    pub(crate) fn pixel_at(&self, [right, down]: [f64; 2]) -> [i64; 2] {
        // Clamp positions far outside.
        #[allow(clippy::cast_possible_truncation)]
        [right - self.at[0], down - self.at[1]].map(|length| {
            ((length / self.pixel).floor() as i64).clamp(-crate::level::MAX_DISTANCE, crate::level::MAX_DISTANCE)
        })
    }
}

/// Adds a margin to bounds. Returns the corner and the size.
fn add_margin(low: [f64; 2], high: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let [width, height] = [high[0] - low[0], high[1] - low[1]];
    let far = low.iter().chain(&high).fold(0.0_f64, |far, place| far.max(place.abs()));
    let longest = width.max(height);
    // A point, or one within rounding errors, gets the margin of a unit.
    let margin = if longest > far * 1e-12 && longest > 1e-12 { longest / 32.0 } else { (far * 1e-6).max(0.5) };
    ([low[0] - margin, low[1] - margin], [width + 2.0 * margin, height + 2.0 * margin])
}

/// Returns the corner and the size of the visible area.
fn area(at: [f64; 2], total: [f64; 2], start: Option<[f64; 2]>, area: Area) -> Result<([f64; 2], [f64; 2]), Error> {
    let (from, size) = match area {
        Area::Whole => (at, total),
        Area::Rectangle { from, size } => {
            let [right, down] = from.map(f64::from);
            let [width, height] = size.map(f64::from);
            if right >= total[0] || down >= total[1] || right + width <= 0.0 || down + height <= 0.0 {
                let size = total.map(|length| i64::try_from(to_integer(length)).unwrap_or(i64::MAX));
                return Err(Error::OutsideArea { size });
            }
            ([at[0] + right, at[1] + down], size.map(f64::from))
        }
        Area::AroundStart(size) => {
            let start = start.ok_or(Error::NoStart)?;
            let [width, height] = size.map(f64::from);
            let (width, height) = (width.min(total[0]), height.min(total[1]));
            let clamp_corner =
                |start: f64, at: f64, total: f64, size: f64| (start - size / 2.0).min(at + total - size).max(at);
            let left_top =
                [clamp_corner(start[0], at[0], total[0], width), clamp_corner(start[1], at[1], total[1], height)];
            (left_top, [width, height])
        }
    };
    if size.contains(&0.0) { Err(Error::EmptyArea) } else { Ok((from, size)) }
}

/// Converts to an integer with saturation.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
const fn to_integer(number: f64) -> u64 {
    number as u64
}

fn fit_limit(length: u64, limit: u32) -> Option<u32> {
    u32::try_from(length).ok().filter(|&length| length <= limit)
}

/// Returns the nearest ratio with a 1 as numerator or denominator.
fn nearest_ratio(pixels: f64) -> Ratio {
    let count = |number: f64| u32::try_from(to_integer(number.round())).unwrap_or(u32::MAX).clamp(1, Ratio::MAX);
    let ratio = if pixels >= 1.0 { Ratio::new(count(pixels), 1) } else { Ratio::new(1, count(1.0 / pixels)) };
    ratio.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(low: [f64; 2], high: [f64; 2], options: &RenderOptions) -> Result<Window, Error> {
        Window::new([low, high], None, options)
    }

    #[test]
    fn images_fit_with_a_margin() {
        let options = RenderOptions::default().with_scale(Scale::Fit(340));
        let window = window([-10.0, 5.0], [310.0, 165.0], &options).unwrap();
        assert_eq!((window.at, window.pixel, window.info.width, window.info.height), ([-20.0, -5.0], 1.0, 340, 180));
        assert_eq!(window.pixel_at([-20.0, 0.5]), [0, 5]);
        assert_eq!(window.info.scale, Ratio::ONE);
    }

    #[test]
    fn points_and_bounds_of_any_size_can_be_drawn() {
        let options = RenderOptions::default().with_scale(Scale::Fit(100)).with_max_size(50);
        for [low, high] in [[[0.0; 2]; 2], [[1e30; 2]; 2], [[-1e30; 2], [1e30; 2]], [[0.0; 2], [1e-300, 0.0]]] {
            let info = window(low, high, &options).unwrap().info;
            assert_eq!([info.width, info.height].into_iter().max(), Some(50), "{low:?} {high:?}");
        }
        let exactly = options.with_scale(Scale::Exactly(Ratio::ONE));
        let error = window([0.0; 2], [96.0, 32.0], &exactly).unwrap_err();
        assert!(matches!(error, Error::TooLarge { width: 102, height: 38, limit: 50, fitting: Some(_) }), "{error:?}");
        assert!(matches!(window([-1e30; 2], [1e30; 2], &exactly), Err(Error::TooLarge { fitting: None, .. })));
    }

    #[test]
    fn areas_are_measured_in_units_from_the_upper_left() {
        let part = Area::Rectangle { from: [10, -5], size: [40, 20] };
        let options = RenderOptions::default().with_area(part).with_scale(Scale::Fit(80));
        let window = window([0.0; 2], [320.0, 160.0], &options).unwrap();
        assert_eq!(
            (window.at, window.pixel, window.info.from, window.info.size),
            ([0.0, -15.0], 0.5, [10, -5], [40, 20])
        );
        assert_eq!((window.info.width, window.info.height), (80, 40));
        let around = options.with_area(Area::AroundStart([100, 1000]));
        assert!(matches!(Window::new([[0.0; 2], [320.0, 160.0]], None, &around), Err(Error::NoStart)));
        let window = Window::new([[0.0; 2], [320.0, 160.0]], Some([0.0, 80.0]), &around).unwrap();
        assert_eq!((window.at, window.info.size), ([-10.0, -10.0], [100, 180]));
    }
}
