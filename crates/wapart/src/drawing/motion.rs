//! Planes that move at another speed than the main plane.

/// The size and the movement of a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Motion {
    /// Size in pixels.
    pub size: [i64; 2],
    /// `true` if the plane repeats horizontally and vertically.
    pub wraps: [bool; 2],
    /// Movement, in percent of the movement of the main plane.
    pub percent: [i32; 2],
    /// `true` for the main plane, which ignores its percentages.
    pub is_main: bool,
}

/// The placement of planes in an image. The game defines it for one position of the camera, but not for an image of a whole level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Projection {
    /// Pixel p of each plane is at pixel p of the image. Exact for planes that move at 100 %.
    #[default]
    Flat,
    /// As the game shows it with the camera in the middle of the image. For images up to the size of a screen.
    Camera,
    /// Each pixel shows the pixel of the plane that is in the middle of the screen if the camera is there: planes that move at p % are
    /// enlarged by 100 / p. For images of whole levels with far backgrounds.
    Stretched,
}

impl Motion {
    /// Returns the pixel of the plane that is in the middle of the screen if the camera is at this position.
    ///
    /// As in the game, the product is rounded to single precision. Repeating planes start again at their end; others stop there.
    pub fn center(&self, camera: [i64; 2]) -> [f64; 2] {
        let center = |camera: i64, size: i64, wraps: bool, percent: i32| {
            let factor = if self.is_main { 1.0 } else { to_single(f64::from(percent) * 0.01) };
            let center = to_single(to_single(to_float(camera)) * factor);
            let size = to_float(size);
            if wraps && size > 0.0 { center.rem_euclid(size) } else { center.min(size - 1.0).max(0.0) }
        };
        [
            center(camera[0], self.size[0], self.wraps[0], self.percent[0]),
            center(camera[1], self.size[1], self.wraps[1], self.percent[1]),
        ]
    }

    /// Returns the left and top pixel of the plane in a view of this size, as the game shows it with the camera in the middle of the view.
    ///
    /// A plane that does not repeat stops at its edges.
    pub fn origin(&self, camera: [i64; 2], view: [u32; 2]) -> [i64; 2] {
        let [x, y] = self.center(camera).map(to_integer);
        let start = |center: i64, view: u32, size: i64, wraps: bool| {
            let view = i64::from(view);
            let start = center.saturating_sub(view / 2);
            if wraps {
                return if start < 0 { start.saturating_add(size) } else { start };
            }
            let start = start.max(0);
            if start.saturating_add(view) > size { size.saturating_sub(view) } else { start }
        };
        [start(x, view[0], self.size[0], self.wraps[0]), start(y, view[1], self.size[1], self.wraps[1])]
    }

    /// Returns the pixel of the plane that an image shows at a pixel of the main plane. The image begins at the pixel `start` of the main
    /// plane and has this size.
    ///
    /// The result may be outside the plane. A plane that does not repeat is empty there.
    pub fn pixel(&self, projection: Projection, at: [i64; 2], start: [i64; 2], size: [u32; 2]) -> [i64; 2] {
        match projection {
            Projection::Flat => at,
            Projection::Camera => {
                let middle = |start: i64, size: u32| start.saturating_add((size / 2).into());
                let origin = self.origin([middle(start[0], size[0]), middle(start[1], size[1])], size);
                let moved = |origin: i64, at: i64, start: i64| origin.saturating_add(at.saturating_sub(start));
                [moved(origin[0], at[0], start[0]), moved(origin[1], at[1], start[1])]
            }
            Projection::Stretched => self.center(at).map(to_integer),
        }
    }
}

/// Rounds to single precision.
#[expect(clippy::cast_possible_truncation, reason = "the rounding of the game")]
fn to_single(number: f64) -> f64 {
    f64::from(number as f32)
}

/// Positions in levels have at most 32 bits, so this is exact.
fn to_float(number: i64) -> f64 {
    let bounded = number.clamp(i32::MIN.into(), i32::MAX.into());
    f64::from(i32::try_from(bounded).unwrap_or_default())
}

#[expect(clippy::cast_possible_truncation, reason = "truncation as in the game")]
fn to_integer(number: f64) -> i64 {
    number as i64
}
