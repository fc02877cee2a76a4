//! What hides the inside of closed rooms.

use super::bodies::Bodies;
use super::{around, is_somewhere};
use crate::orbit::Sight;

/// So many marks are looked for at most.
const MOST_MARKS: usize = 32;
/// Fewer do not say where the inside is.
const LEAST_MARKS: usize = 4;
/// Rooms are closed where so many of ten marks are hidden.
const CLOSED: usize = 8;

/// Marks, and which of them are seen.
#[derive(Debug)]
pub(crate) struct Lookout {
    marks: Vec<[f64; 3]>,
    seen: Vec<[f64; 3]>,
}

impl Lookout {
    /// For some of the marks, as they are seen, unless there are too few.
    pub(crate) fn new(bodies: &Bodies<'_>, sight: &Sight) -> Option<Self> {
        let step = bodies.marks.len().div_ceil(MOST_MARKS).max(1);
        let marks = bodies.marks.iter().step_by(step).map(|(_, place)| sight.point(*place));
        let marks: Vec<[f64; 3]> = marks.filter(|&mark| is_somewhere(&[mark])).collect();
        (marks.len() >= LEAST_MARKS).then(|| Self { seen: marks.clone(), marks })
    }

    /// Lets a face stand before them.
    pub(crate) fn cover(&mut self, corners: &[[f64; 3]]) {
        let is_behind = behind(corners);
        self.seen.retain(|mark| !is_behind(mark));
    }

    /// What is to be left out, if rooms are closed.
    pub(crate) fn lid(self) -> Option<Lid> {
        let Self { marks, seen } = self;
        let hidden = marks.len() - seen.len();
        let least = marks.len().div_ceil(10).max(2);
        (hidden * 10 >= marks.len() * CLOSED).then_some(Lid { marks, least })
    }
}

/// Ceilings, walls towards the eye, skies around all: what a good part of the marks lie behind, where most are hidden.
#[derive(Debug)]
pub(crate) struct Lid {
    /// Some of the marks, as they are seen.
    marks: Vec<[f64; 3]>,
    /// A face that so many of them lie behind is left out.
    least: usize,
}

impl Lid {
    pub(crate) fn hides(&self, corners: &[[f64; 3]]) -> bool {
        let is_behind = behind(corners);
        self.marks.iter().filter(|mark| is_behind(mark)).take(self.least).count() == self.least
    }
}

/// Says of points whether they lie behind a face: most do not lie in the box around it.
fn behind(corners: &[[f64; 3]]) -> impl Fn(&[f64; 3]) -> bool {
    let bounds = corners.iter().fold(None, |bounds, corner| Some(around(bounds, *corner)));
    move |&[right, down, away]| {
        let is_near = bounds.is_some_and(|[low, high]| {
            (low[0]..=high[0]).contains(&right) && (low[1]..=high[1]).contains(&down) && low[2] < away
        });
        is_near && is_before(corners, [right, down, away])
    }
}

/// Whether a point lies behind a face.
fn is_before(corners: &[[f64; 3]], [right, down, away]: [f64; 3]) -> bool {
    let Some(&[x, y, z]) = corners.first() else { return false };
    let (mut inside, mut normal) = (false, [0.0; 3]);
    let next = corners.iter().skip(1).chain(corners.first());
    for (&[a, b, c], &[d, e, f]) in corners.iter().zip(next) {
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
        let is_hidden = |point: [f64; 3]| behind(&slope)(&point);
        assert!(is_hidden([5.0, 5.0, 5.1]) && is_hidden([1.0, 9.0, 2.0]));
        assert!(!is_hidden([5.0, 5.0, 4.9]) && !is_hidden([9.0, 9.0, 5.0]), "before it");
        assert!(!is_hidden([5.0, 5.0, 5.0]), "on it");
        assert!(!is_hidden([11.0, 5.0, 50.0]) && !is_hidden([5.0, -1.0, 50.0]), "beside it");
        let side = [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 10.0, 10.0], [0.0, 0.0, 10.0]];
        assert!(!behind(&side)(&[0.0, 5.0, 50.0]));
    }
}
