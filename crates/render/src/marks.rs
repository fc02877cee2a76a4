//! Marks: signs for things without a picture.

use std::collections::HashMap;

use crate::colors::{self, Color, fade, opaque, over};
use crate::raster::Frame;
use crate::sweep::Sweep;

/// A sign for a thing without a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    /// Its middle in the picture.
    at: [i64; 2],
    color: Color,
    shape: Shape,
    /// Pixels from the middle to the border.
    radius: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Disc,
    Square,
    Diamond,
    Up,
    Down,
    /// One of many that are of one size.
    Dot,
    /// The start.
    Cross,
}

impl Shape {
    /// Pixels from the middle that it reaches.
    const fn reach(self, radius: i64) -> i64 {
        if matches!(self, Self::Cross) { radius * 7 / 3 } else { radius }
    }

    /// Whether it covers a place, counted from its middle.
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

    /// Whether it is right beside what it covers.
    const fn borders(self, radius: i64, x: i64, y: i64) -> bool {
        self.covers(radius, x - 1, y)
            || self.covers(radius, x + 1, y)
            || self.covers(radius, x, y - 1)
            || self.covers(radius, x, y + 1)
    }
}

impl Mark {
    /// Of a thing of that class, in the middle of which that pixel of the picture lies.
    pub(crate) fn of(class: &str, at: [i64; 2]) -> Self {
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

    /// The same at another pixel of the picture.
    pub(crate) const fn moved(self, at: [i64; 2]) -> Self {
        Self { at, ..self }
    }

    /// Of one of many things that have that hash in common.
    pub(crate) fn dot(hash: u32, at: [i64; 2]) -> Self {
        Self { at, color: opaque(colors::class(hash)), shape: Shape::Dot, radius: 0 }
    }

    /// Of the start.
    pub(crate) const fn start(at: [i64; 2]) -> Self {
        Self { at, color: opaque([255; 3]), shape: Shape::Cross, radius: 0 }
    }
}

/// Marks in the order in which they are drawn. Their size follows that of the picture; where there are too many of them they are
/// smaller, and at last translucent, so that they show how many they are and what is below.
#[derive(Debug)]
pub(crate) struct Marks {
    marks: Vec<Mark>,
    sweep: Sweep,
}

/// So many marks in three by three squares of their size still let see what is below.
const CROWD: u64 = 5;
/// The radius of the largest mark.
const LARGEST: i64 = 9;
/// The smallest mark with a border.
const BORDERED: i64 = 3;

/// How large marks are that have room: large pictures are mostly looked at on small screens.
fn radius(frame: &Frame) -> i64 {
    (frame.x.length.max(frame.y.length) / 448).clamp(3, LARGEST)
}

impl Frame {
    /// Whether something of a mark at a pixel may be seen.
    pub(crate) fn shows(&self, [x, y]: [i64; 2]) -> bool {
        let reach = radius(self);
        let near = |at: i64, length: i64| at >= -reach && at < length + reach;
        near(x, self.x.length) && near(y, self.y.length)
    }
}

impl Marks {
    /// The marks of things that the picture shows, below that of the start.
    pub(crate) fn new(mut marks: Vec<Mark>, start: Option<Mark>, frame: &Frame) -> Self {
        let radius = radius(frame);
        marks.retain(|mark| frame.shows(mark.at));
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
        // Dots have one size and opacity, so that there is more to see where they are more.
        let dots = marks.iter().filter(|mark| mark.shape == Shape::Dot);
        let (sum, count) = dots.fold((0, 0), |(sum, count), dot| (sum + crowd(dot), count + 1));
        let mean = u64::checked_div(sum, count).unwrap_or(0);
        let (least, room) = (radius / 3, radius.unsigned_abs().pow(2) * CROWD);
        for mark in &mut marks {
            let crowd = if mark.shape == Shape::Dot { mean } else { crowd(mark) }.max(CROWD);
            // As large as they may be to cover as much in all as a few large ones.
            mark.radius = i64::try_from((room / crowd).isqrt()).unwrap_or(radius).max(least);
            if crowd > CROWD {
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

    /// How many there are, the start left out.
    pub(crate) fn things(&self) -> usize {
        self.marks.iter().filter(|mark| mark.shape != Shape::Cross).count()
    }

    /// Draws row `y` over what there is.
    pub(crate) fn draw(&mut self, y: i64, below: &mut [Color]) {
        for &place in self.sweep.to(y) {
            let Some(&Mark { at, color, shape, radius }) = self.marks.get(place) else { continue };
            let reach = shape.reach(radius) + 1;
            for x in -reach..=reach {
                let Some(below) = usize::try_from(at[0] + x).ok().and_then(|place| below.get_mut(place)) else {
                    continue;
                };
                if shape.covers(radius, x, y - at[1]) {
                    over(color, below);
                } else if radius >= BORDERED && shape.borders(radius, x, y - at[1]) {
                    over([0, 0, 0, 200], below);
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
    fn marks_grow_with_the_picture() {
        for (length, radius) in [(10, 3), (1024, 3), (2048, 4), (4096, 9), (32_768, 9)] {
            let axis = Axis::new(0, crate::Ratio::ONE, length);
            let marks = Marks::new(vec![Mark::of("Officer", [5, 5])], None, &Frame { x: axis, y: axis, mean: false });
            assert_eq!(marks.marks[0].radius, radius, "{length}");
        }
    }

    #[test]
    fn many_marks_are_small_and_let_through_what_is_below() {
        let every = |step: usize| -> Vec<Mark> {
            let places = (0..64).step_by(step).flat_map(|y| (0..64).step_by(step).map(move |x| [x, y]));
            places.map(|at| Mark::of("Officer", at)).collect()
        };
        let (few, many) = (drawn(every(32), 64).0, drawn(every(2), 64));
        assert!(few.marks.iter().all(|mark| mark.radius == 3 && mark.color[3] == 255));
        assert!(many.0.marks.iter().all(|mark| mark.radius == 1 && mark.color[3] < 255));
        // More marks, more colour.
        let light = |rows: &[Vec<Color>]| -> u64 { rows.iter().flatten().map(|color| u64::from(color[1])).sum() };
        assert!(light(&drawn(every(1), 64).1) > light(&many.1));
    }

    #[test]
    fn what_is_outside_is_no_mark() {
        let far = [i64::MIN / 4, i64::MAX / 4];
        let (marks, _) = drawn(vec![Mark::of("", far), Mark::of("", [-4, 5]), Mark::of("", [-3, 5])], 20);
        assert_eq!(marks.things(), 1);
    }
}
