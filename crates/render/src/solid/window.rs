//! Which part of solids is drawn, and how large.

use crate::{Area, Error, Picture, Ratio, RenderOptions, Scale};

/// What a picture shows of what is projected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Right and down of the upper left corner, in units of length.
    pub(crate) at: [f64; 2],
    /// Units of length in a pixel.
    pub(crate) pixel: f64,
    /// An empty picture.
    pub(crate) picture: Picture,
}

impl Window {
    /// Of what lies between the least and the most, right and down.
    pub(crate) fn new(
        [low, high]: [[f64; 2]; 2],
        start: Option<[f64; 2]>,
        options: &RenderOptions,
    ) -> Result<Self, Error> {
        let (at, size) = with_margin(low, high);
        let (from, size) = area(at, size, start, options.area)?;
        let longest = size[0].max(size[1]);
        let limit = options.limit().max(1);
        let pixels = match options.scale {
            Scale::Fit(most) => f64::from(most.clamp(1, limit)) / longest,
            Scale::Exactly(scale) => f64::from(scale.picture()) / f64::from(scale.level()),
        };
        // What is thinner than a pixel is one; of a fit, what a rounding makes more is none.
        let [width, height] = size.map(|length| whole((length * pixels * (1.0 - 1e-9)).ceil().max(1.0)));
        let (Some(across), Some(down)) = (within(width, limit), within(height, limit)) else {
            return Err(Error::TooLarge {
                width,
                height,
                limit,
                fitting: Ratio::fitting(whole(longest.ceil()), limit),
            });
        };
        let scale = match options.scale {
            Scale::Exactly(scale) => scale,
            Scale::Fit(_) => nearest(pixels),
        };
        #[allow(clippy::cast_possible_truncation)]
        let corner = [from[0] - at[0], from[1] - at[1]].map(|length| length.round() as i64);
        let size = size.map(|length| u32::try_from(whole(length.ceil())).unwrap_or(u32::MAX));
        let picture = Picture { scale, from: corner, size, pixel: Some(1.0 / pixels), ..Picture::empty(across, down) };
        Ok(Self { at: from, pixel: 1.0 / pixels, picture })
    }

    /// The pixel in which a place lies.
    pub(crate) fn pixel_at(&self, [right, down]: [f64; 2]) -> [i64; 2] {
        // Far outside is as far outside as that.
        #[allow(clippy::cast_possible_truncation)]
        [right - self.at[0], down - self.at[1]]
            .map(|length| ((length / self.pixel).floor() as i64).clamp(-crate::level::FARTHEST, crate::level::FARTHEST))
    }
}

/// The corner and the size of all, with some room around it.
fn with_margin(low: [f64; 2], high: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let [width, height] = [high[0] - low[0], high[1] - low[1]];
    let far = low.iter().chain(&high).fold(0.0_f64, |far, place| far.max(place.abs()));
    let longest = width.max(height);
    // A point, or what is one as far as numbers tell, has room for something as large as a unit.
    let margin = if longest > far * 1e-12 && longest > 1e-12 { longest / 32.0 } else { (far * 1e-6).max(0.5) };
    ([low[0] - margin, low[1] - margin], [width + 2.0 * margin, height + 2.0 * margin])
}

/// The part that is asked for.
fn area(at: [f64; 2], whole: [f64; 2], start: Option<[f64; 2]>, area: Area) -> Result<([f64; 2], [f64; 2]), Error> {
    let (from, size) = match area {
        Area::Whole => (at, whole),
        Area::Rectangle { from, size } => {
            let [right, down] = from.map(f64::from);
            ([at[0] + right, at[1] + down], size.map(f64::from))
        }
        Area::AroundStart(size) => {
            let start = start.ok_or(Error::NoStart)?;
            let [width, height] = size.map(f64::from);
            let (width, height) = (width.min(whole[0]), height.min(whole[1]));
            let left = |start: f64, at: f64, whole: f64, size: f64| (start - size / 2.0).min(at + whole - size).max(at);
            let left_top = [left(start[0], at[0], whole[0], width), left(start[1], at[1], whole[1], height)];
            (left_top, [width, height])
        }
    };
    if size.contains(&0.0) { Err(Error::EmptyArea) } else { Ok((from, size)) }
}

/// The number itself, or the largest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
const fn whole(number: f64) -> u64 {
    number as u64
}

fn within(length: u64, limit: u32) -> Option<u32> {
    u32::try_from(length).ok().filter(|&length| length <= limit)
}

/// The fraction that is nearest to so many pixels for a unit of length, of those with a 1 in it.
fn nearest(pixels: f64) -> Ratio {
    let count = |number: f64| u32::try_from(whole(number.round())).unwrap_or(u32::MAX).clamp(1, Ratio::MAX);
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
    fn all_fits_with_some_room() {
        let options = RenderOptions::default().with_scale(Scale::Fit(340));
        let window = window([-10.0, 5.0], [310.0, 165.0], &options).unwrap();
        assert_eq!(
            (window.at, window.pixel, window.picture.width, window.picture.height),
            ([-20.0, -5.0], 1.0, 340, 180)
        );
        assert_eq!(window.pixel_at([-20.0, 0.5]), [0, 5]);
        assert_eq!(window.picture.scale, Ratio::ONE);
    }

    #[test]
    fn points_and_numbers_of_any_size_have_a_picture() {
        let options = RenderOptions::default().with_scale(Scale::Fit(100)).with_max_size(50);
        for [low, high] in [[[0.0; 2]; 2], [[1e30; 2]; 2], [[-1e30; 2], [1e30; 2]], [[0.0; 2], [1e-300, 0.0]]] {
            let picture = window(low, high, &options).unwrap().picture;
            assert_eq!([picture.width, picture.height].into_iter().max(), Some(50), "{low:?} {high:?}");
        }
        let exactly = options.with_scale(Scale::Exactly(Ratio::ONE));
        let error = window([0.0; 2], [96.0, 32.0], &exactly).unwrap_err();
        assert!(matches!(error, Error::TooLarge { width: 102, height: 38, limit: 50, fitting: Some(_) }), "{error:?}");
        assert!(matches!(window([-1e30; 2], [1e30; 2], &exactly), Err(Error::TooLarge { fitting: None, .. })));
    }

    #[test]
    fn parts_are_counted_in_units_from_the_upper_left() {
        let part = Area::Rectangle { from: [10, -5], size: [40, 20] };
        let options = RenderOptions::default().with_area(part).with_scale(Scale::Fit(80));
        let window = window([0.0; 2], [320.0, 160.0], &options).unwrap();
        assert_eq!(
            (window.at, window.pixel, window.picture.from, window.picture.size),
            ([0.0, -15.0], 0.5, [10, -5], [40, 20])
        );
        assert_eq!((window.picture.width, window.picture.height), (80, 40));
        let around = options.with_area(Area::AroundStart([100, 1000]));
        assert!(matches!(Window::new([[0.0; 2], [320.0, 160.0]], None, &around), Err(Error::NoStart)));
        let window = Window::new([[0.0; 2], [320.0, 160.0]], Some([0.0, 80.0]), &around).unwrap();
        assert_eq!((window.at, window.picture.size), ([-10.0, -10.0], [100, 180]));
    }
}
