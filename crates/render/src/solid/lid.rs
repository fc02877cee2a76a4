//! What hides the inside of closed rooms.

use super::bodies::Bodies;
use super::{around, is_somewhere};
use crate::orbit::Sight;

/// So many things are looked for at most.
const MOST_THINGS: usize = 32;
/// Fewer do not say where the inside is.
const LEAST_THINGS: usize = 4;
/// Rooms are closed where so many of ten things are inside.
const CLOSED: usize = 8;

/// Things, and what stands before and behind them.
#[derive(Debug)]
pub(crate) struct Lookout(Vec<Thing>);

#[derive(Debug)]
struct Thing {
    /// As it is seen.
    at: [f64; 3],
    is_hidden: bool,
    /// How far away the nearest face is that it stands on or before, and the nearest of them that is seen from its front.
    behind: f64,
    floor: f64,
}

impl Lookout {
    /// For some of the things, unless there are too few.
    pub(crate) fn new(bodies: &Bodies<'_>, sight: &Sight) -> Option<Self> {
        let places = || bodies.marks.iter().filter(|mark| mark.is_thing).map(|mark| mark.place);
        let step = places().count().div_ceil(MOST_THINGS).max(1);
        let places = places().step_by(step).map(|place| sight.point(place)).filter(|&at| is_somewhere(&[at]));
        let thing = |at| Thing { at, is_hidden: false, behind: f64::INFINITY, floor: f64::INFINITY };
        let things: Vec<Thing> = places.map(thing).collect();
        (things.len() >= LEAST_THINGS).then_some(Self(things))
    }

    /// Lets a face stand there, which hides things if it is no ground: what is below that is not what the level is about.
    pub(crate) fn face(&mut self, corners: &[[f64; 3]], is_ground: bool) {
        let depth_at = depth_of(corners);
        for thing in &mut self.0 {
            match depth_at(&thing.at) {
                Some(depth) if is_before(depth, &thing.at) => thing.is_hidden |= !is_ground,
                Some(depth) => thing.behind = thing.behind.min(depth),
                None => {}
            }
        }
    }

    /// Whether so many are hidden that rooms may be closed: whether they are, the faces say that are seen from their front.
    pub(crate) fn may_be_closed(&self) -> bool {
        self.0.iter().filter(|thing| thing.is_hidden).count() * 10 >= self.0.len() * CLOSED
    }

    /// Lets a face that is seen from its front be what things stand on or before.
    pub(crate) fn front(&mut self, corners: &[[f64; 3]]) {
        let depth_at = depth_of(corners);
        for thing in &mut self.0 {
            let depth = depth_at(&thing.at).filter(|&depth| !is_before(depth, &thing.at));
            thing.floor = depth.map_or(thing.floor, |depth| thing.floor.min(depth));
        }
    }

    /// What is to be left out, if most of them are inside: what lies in the ground has nothing behind it, or the ground's back.
    pub(crate) fn lid(self) -> Option<Lid> {
        let all = self.0.len();
        let is_inside = |thing: &Thing| thing.is_hidden && thing.floor.is_finite() && thing.floor <= thing.behind;
        let things: Vec<[f64; 3]> = self.0.into_iter().filter(is_inside).map(|thing| thing.at).collect();
        let least = all.div_ceil(10).max(2);
        (things.len() * 10 >= all * CLOSED).then_some(Lid { things, least })
    }
}

/// Ceilings, walls towards the eye, skies around all: what a good part of the things lie behind, where most are inside.
#[derive(Debug)]
pub(crate) struct Lid {
    /// Some of the things inside, as they are seen.
    things: Vec<[f64; 3]>,
    /// A face that so many of them lie behind is left out.
    least: usize,
}

impl Lid {
    pub(crate) fn hides(&self, corners: &[[f64; 3]]) -> bool {
        let depth_at = depth_of(corners);
        let is_behind = |thing: &&[f64; 3]| depth_at(thing).is_some_and(|depth| is_before(depth, thing));
        self.things.iter().filter(is_behind).take(self.least).count() == self.least
    }
}

/// Says of points how far away a face is there, if it is: most do not lie in the box around it. From its side it is nowhere.
fn depth_of(corners: &[[f64; 3]]) -> impl Fn(&[f64; 3]) -> Option<f64> {
    let bounds = corners.iter().fold(None, |bounds, corner| Some(around(bounds, *corner)));
    move |&[right, down, _]| {
        let is_near =
            bounds.is_some_and(|[low, high]| (low[0]..=high[0]).contains(&right) && (low[1]..=high[1]).contains(&down));
        let &[x, y, z] = corners.first().filter(|_| is_near)?;
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
        let depth = z - (normal[0] * (right - x) + normal[1] * (down - y)) / normal[2];
        (inside && depth.is_finite()).then_some(depth)
    }
}

/// Whether a face so far away is before a point; what stands on it does not lie behind it.
fn is_before(depth: f64, [_, _, away]: &[f64; 3]) -> bool {
    depth < away - 1e-6 * away.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_behind_faces_that_are_nearer_there() {
        let slope = [[0.0, 0.0, 0.0], [10.0, 0.0, 10.0], [10.0, 10.0, 10.0], [0.0, 10.0, 0.0]];
        let is_hidden = |point: [f64; 3]| depth_of(&slope)(&point).map(|depth| is_before(depth, &point));
        assert_eq!([[5.0, 5.0, 5.1], [1.0, 9.0, 2.0]].map(is_hidden), [Some(true); 2]);
        assert_eq!([[5.0, 5.0, 4.9], [9.0, 9.0, 5.0]].map(is_hidden), [Some(false); 2], "before it");
        assert_eq!(is_hidden([5.0, 5.0, 5.0]), Some(false), "on it");
        assert_eq!([[11.0, 5.0, 50.0], [5.0, -1.0, 50.0]].map(is_hidden), [None; 2], "beside it");
        let side = [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 10.0, 10.0], [0.0, 0.0, 10.0]];
        assert_eq!(depth_of(&side)(&[0.0, 5.0, 50.0]), None);
    }
}
