//! What hides the inside of closed rooms.

use super::bodies::{Bodies, Shape};
use super::is_somewhere;
use super::materials::Paints;
use crate::Sides;
use crate::orbit::Sight;

/// So many marks are looked for at most.
const MOST_MARKS: usize = 32;
/// Fewer do not say where the inside is.
const LEAST_MARKS: usize = 4;
/// Rooms are closed where so many of ten marks are hidden.
const CLOSED: usize = 8;

/// Ceilings, walls towards the eye, skies around all: what a good part of the marks lie behind, where most are hidden.
#[derive(Debug)]
pub(crate) struct Lid {
    /// Some of the marks, as they are seen.
    marks: Vec<[f64; 3]>,
    /// A face that so many of them lie behind is left out.
    least: usize,
}

impl Lid {
    /// Of rooms that are closed.
    pub(crate) fn of(bodies: &Bodies<'_>, sight: &Sight, paints: &Paints) -> Option<Self> {
        let step = bodies.marks.len().div_ceil(MOST_MARKS).max(1);
        let marks = bodies.marks.iter().step_by(step).map(|(_, place)| sight.point(*place));
        let marks: Vec<[f64; 3]> = marks.filter(|&mark| is_somewhere(&[mark])).collect();
        if marks.len() < LEAST_MARKS {
            return None;
        }
        let mut seen = marks.clone();
        // Ground is no lid: what is below it is not what the level is about.
        for body in bodies.all.iter().filter(|body| !matches!(body.shape, Shape::Terrain(..))) {
            bodies.faces(body, sight, paints, Sides::Both, |corners, _| {
                if is_somewhere(corners) {
                    let extent = Extent::of(corners);
                    seen.retain(|&mark| !extent.is_before(mark) || !is_before(corners, mark));
                }
            });
        }
        let hidden = marks.len() - seen.len();
        let least = marks.len().div_ceil(10).max(2);
        (hidden * 10 >= marks.len() * CLOSED).then_some(Self { marks, least })
    }

    pub(crate) fn hides(&self, corners: &[[f64; 3]]) -> bool {
        let extent = Extent::of(corners);
        let behind = self.marks.iter().filter(|&&mark| extent.is_before(mark) && is_before(corners, mark));
        behind.take(self.least).count() == self.least
    }
}

/// The box around a face.
struct Extent([[f64; 2]; 3]);

impl Extent {
    fn of(corners: &[[f64; 3]]) -> Self {
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        let grow = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
        Self(corners.iter().fold([none; 3], |[x, y, z], &[a, b, c]| [grow(x, a), grow(y, b), grow(z, c)]))
    }

    fn is_before(&self, [right, down, away]: [f64; 3]) -> bool {
        let Self([x, y, z]) = self;
        (x[0]..=x[1]).contains(&right) && (y[0]..=y[1]).contains(&down) && z[0] < away
    }
}

/// Whether a point lies behind a face.
fn is_before(corners: &[[f64; 3]], [right, down, away]: [f64; 3]) -> bool {
    let Some(&[x, y, z]) = corners.first() else { return false };
    let (mut inside, mut normal) = (false, [0.0; 3]);
    let behind = corners.iter().skip(1).chain(corners.first());
    for (&[a, b, c], &[d, e, f]) in corners.iter().zip(behind) {
        if (b > down) != (e > down) && right < (d - a) * (down - b) / (e - b) + a {
            inside = !inside;
        }
        let [p, q] = [[a - x, b - y, c - z], [d - x, e - y, f - z]];
        normal[0] += p[1] * q[2] - p[2] * q[1];
        normal[1] += p[2] * q[0] - p[0] * q[2];
        normal[2] += p[0] * q[1] - p[1] * q[0];
    }
    // Seen from the side it hides nothing; what stands on it does not lie behind it.
    let depth = z - (normal[0] * (right - x) + normal[1] * (down - y)) / normal[2];
    inside && depth < away - 1e-6 * away.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_behind_faces_that_are_nearer_there() {
        let slope = [[0.0, 0.0, 0.0], [10.0, 0.0, 10.0], [10.0, 10.0, 10.0], [0.0, 10.0, 0.0]];
        let is_hidden = |point: [f64; 3]| Extent::of(&slope).is_before(point) && is_before(&slope, point);
        assert!(is_hidden([5.0, 5.0, 5.1]) && is_hidden([1.0, 9.0, 2.0]));
        assert!(!is_hidden([5.0, 5.0, 4.9]) && !is_hidden([9.0, 9.0, 5.0]), "before it");
        assert!(!is_hidden([5.0, 5.0, 5.0]), "on it");
        assert!(!is_hidden([11.0, 5.0, 50.0]) && !is_hidden([5.0, -1.0, 50.0]), "beside it");
        let side = [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 10.0, 10.0], [0.0, 0.0, 10.0]];
        assert!(!is_before(&side, [0.0, 5.0, 50.0]));
    }
}
