//! Marks for objects without an image.

use std::collections::HashMap;

use crate::colors::{self, Color, blend_over, fade, opaque};
use crate::raster::Frame;
use crate::sweep::Sweep;

/// A mark for an object without an image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    /// Centre in the image.
    at: [i64; 2],
    color: Color,
    shape: Shape,
    /// Radius in pixels.
    radius: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Disc,
    Square,
    Diamond,
    Up,
    Down,
    /// One of many dots of equal size.
    Dot,
    /// The start of the player.
    Cross,
}

impl Shape {
    /// Returns the maximum distance of covered pixels from the centre.
    const fn reach(self, radius: i64) -> i64 {
        if matches!(self, Self::Cross) { radius * 7 / 3 } else { radius }
    }

    /// Returns `true` if the mark covers an offset from its centre.
    const fn covers(self, radius: i64, x: i64, y: i64) -> bool {
        let (wide, high) = (x.abs(), y.abs());
        let side = (radius * 2 + 1) / 3;
        match self {
            Self::Disc | Self::Dot => 9 * (wide * wide + high * high) <= 10 * radius * radius,
            Self::Square => wide <= side && high <= side,
            Self::Diamond => wide + high <= radius,
            Self::Up => high <= side && wide * 2 <= y + radius,
            Self::Down => high <= side && wide * 2 <= radius - y,
            Self::Cross => {
                let (arm, length) = (radius / 3, radius * 7 / 3);
                (wide <= arm && high <= length) || (high <= arm && wide <= length)
            }
        }
    }

    /// Returns `true` if a direct neighbour of an offset is covered.
    const fn borders(self, radius: i64, x: i64, y: i64) -> bool {
        self.covers(radius, x - 1, y)
            || self.covers(radius, x + 1, y)
            || self.covers(radius, x, y - 1)
            || self.covers(radius, x, y + 1)
    }
}

impl Mark {
    /// Creates a mark for an object of a class, at a pixel of the image.
    pub(crate) fn from_class(class: &str, at: [i64; 2]) -> Self {
        let hash = colors::hash_text(class);
        let shape = match hash >> 8 & 7 {
            0 | 1 => Shape::Disc,
            2 => Shape::Square,
            3 | 4 => Shape::Diamond,
            5 | 6 => Shape::Up,
            _ => Shape::Down,
        };
        Self { at, color: opaque(colors::class(hash)), shape, radius: 0 }
    }

    /// Moves the mark to another pixel of the image.
    pub(crate) const fn moved_to(self, at: [i64; 2]) -> Self {
        Self { at, ..self }
    }

    /// Creates a dot for one of many objects with a common hash.
    pub(crate) fn new_dot(hash: u32, at: [i64; 2]) -> Self {
        Self { at, color: opaque(colors::class(hash)), shape: Shape::Dot, radius: 0 }
    }

    /// Creates the mark of the start.
    pub(crate) const fn new_start(at: [i64; 2]) -> Self {
        Self { at, color: opaque([255; 3]), shape: Shape::Cross, radius: 0 }
    }
}

/// Marks in drawing order. Their size follows that of the image. Where marks are crowded they are smaller, and finally translucent,
/// so that their density and the level remain visible.
#[derive(Debug)]
pub(crate) struct Marks {
    marks: Vec<Mark>,
    sweep: Sweep,
}

/// Number of marks in three by three cells of the size of a mark from which they are crowded.
const CROWD_LIMIT: u64 = 5;
/// The maximum radius.
const MAX_RADIUS: i64 = 9;
/// The minimum radius of marks with a border.
const MIN_BORDERED_RADIUS: i64 = 3;

/// Returns the radius of marks that are not crowded. Large images are usually viewed scaled down.
fn radius(frame: &Frame) -> i64 {
    (frame.x.length.max(frame.y.length) / 448).clamp(3, MAX_RADIUS)
}

impl Frame {
    /// Returns `true` if a mark at a pixel may be visible.
    pub(crate) fn shows_mark(&self, [x, y]: [i64; 2]) -> bool {
        let reach = radius(self);
        let near = |at: i64, length: i64| at >= -reach && at < length + reach;
        near(x, self.x.length) && near(y, self.y.length)
    }
}

impl Marks {
    /// Prepares the visible marks. The start is drawn last.
    pub(crate) fn new(mut marks: Vec<Mark>, start: Option<Mark>, frame: &Frame) -> Self {
        let radius = radius(frame);
        marks.retain(|mark| frame.shows_mark(mark.at));
        let square = |mark: &Mark| mark.at.map(|at| at.div_euclid(radius * 2 + 1));
        let mut squares: HashMap<[i64; 2], u64> = HashMap::new();
        for mark in &marks {
            *squares.entry(square(mark)).or_default() += 1;
        }
        let crowd = |mark: &Mark| -> u64 {
            let [x, y] = square(mark);
            let around = (-1..=1).flat_map(|right| (-1..=1).map(move |down| [x + right, y + down]));
            around.filter_map(|square| squares.get(&square)).sum()
        };
        // All dots have one size and opacity, so that their density is visible.
        let dots = marks.iter().filter(|mark| mark.shape == Shape::Dot);
        let (sum, count) = dots.fold((0, 0), |(sum, count), dot| (sum + crowd(dot), count + 1));
        let mean = u64::checked_div(sum, count).unwrap_or(0);
        let (least, room) = (radius / 3, radius.unsigned_abs().pow(2) * CROWD_LIMIT);
        for mark in &mut marks {
            let crowd = if mark.shape == Shape::Dot { mean } else { crowd(mark) }.max(CROWD_LIMIT);
            // The total area of crowded marks stays that of a few large ones.
            mark.radius = i64::try_from((room / crowd).isqrt()).unwrap_or(radius).max(least);
            if crowd > CROWD_LIMIT {
                let cover = crowd * mark.radius.unsigned_abs().pow(2);
                let opacity = (220 * room / cover.max(1)).clamp(40, 220);
                mark.color = fade(mark.color, u8::try_from(opacity).unwrap_or(u8::MAX));
            }
        }
        marks.extend(start.map(|start| Mark { radius, ..start }));
        let rows = marks.iter().map(|mark| {
            let reach = mark.shape.reach(mark.radius) + 1;
            [mark.at[1] - reach, mark.at[1] + reach + 1]
        });
        let sweep = Sweep::new(rows);
        Self { marks, sweep }
    }

    /// Returns the number of marks without the start.
    pub(crate) fn count_objects(&self) -> usize {
        self.marks.iter().filter(|mark| mark.shape != Shape::Cross).count()
    }

    /// Draws row `y` over the lower layers.
    pub(crate) fn draw(&mut self, y: i64, below: &mut [Color]) {
        for &place in self.sweep.advance_to(y) {
            let Some(&Mark { at, color, shape, radius }) = self.marks.get(place) else { continue };
            let reach = shape.reach(radius) + 1;
            for x in -reach..=reach {
                let Some(below) = usize::try_from(at[0] + x).ok().and_then(|place| below.get_mut(place)) else {
                    continue;
                };
                if shape.covers(radius, x, y - at[1]) {
                    blend_over(color, below);
                } else if radius >= MIN_BORDERED_RADIUS && shape.borders(radius, x, y - at[1]) {
                    blend_over([0, 0, 0, 200], below);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Axis;

    fn drawn(marks: Vec<Mark>, length: u32) -> (Marks, Vec<Vec<Color>>) {
        let axis = Axis::new(0, crate::Ratio::ONE, length);
        let mut marks = Marks::new(marks, None, &Frame { x: axis, y: axis, mean: false });
        let rows = (0..i64::from(length)).map(|y| {
            let mut row = vec![opaque([0; 3]); length as usize];
            marks.draw(y, &mut row);
            row
        });
        let rows = rows.collect();
        (marks, rows)
    }

    #[test]
    fn marks_grow_with_the_image() {
        for (length, radius) in [(10, 3), (1024, 3), (2048, 4), (4096, 9), (32_768, 9)] {
            let axis = Axis::new(0, crate::Ratio::ONE, length);
            let marks =
                Marks::new(vec![Mark::from_class("Officer", [5, 5])], None, &Frame { x: axis, y: axis, mean: false });
            assert_eq!(marks.marks[0].radius, radius, "{length}");
        }
    }

    #[test]
    fn crowded_marks_are_small_and_translucent() {
        let every = |step: usize| -> Vec<Mark> {
            let places = (0..64).step_by(step).flat_map(|y| (0..64).step_by(step).map(move |x| [x, y]));
            places.map(|at| Mark::from_class("Officer", at)).collect()
        };
        let (few, many) = (drawn(every(32), 64).0, drawn(every(2), 64));
        assert!(few.marks.iter().all(|mark| mark.radius == 3 && mark.color[3] == 255));
        assert!(many.0.marks.iter().all(|mark| mark.radius == 1 && mark.color[3] < 255));
        // More marks give a stronger colour.
        let light = |rows: &[Vec<Color>]| -> u64 { rows.iter().flatten().map(|color| u64::from(color[1])).sum() };
        assert!(light(&drawn(every(1), 64).1) > light(&many.1));
    }

    #[test]
    fn marks_outside_are_removed() {
        let far = [i64::MIN / 4, i64::MAX / 4];
        let (marks, _) =
            drawn(vec![Mark::from_class("", far), Mark::from_class("", [-4, 5]), Mark::from_class("", [-3, 5])], 20);
        assert_eq!(marks.count_objects(), 1);
    }
}
