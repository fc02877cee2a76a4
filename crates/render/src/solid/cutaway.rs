//! Removes faces that hide the interior of closed rooms.

use super::bodies::Bodies;
use super::{are_in_range, extend_bounds};
use crate::orbit::Projection;

/// Maximum number of objects that are tested.
const MAX_POINTS: usize = 32;
/// Tenths of the objects that must be inside.
const CLOSED_TENTHS: usize = 8;

/// Tests if the objects of a scene are inside of rooms.
#[derive(Debug)]
pub(crate) struct OcclusionProbe(Vec<ProbePoint>);

#[derive(Debug)]
struct ProbePoint {
    /// Projected position.
    at: [f64; 3],
    is_hidden: bool,
    /// Distance of the nearest face at or after the point, and of the nearest one of them that is seen from its front.
    back: f64,
    floor: f64,
}

impl OcclusionProbe {
    /// Samples the objects of a scene. Returns `None` if there are none.
    pub(crate) fn new(bodies: &Bodies<'_>, projection: &Projection) -> Option<Self> {
        let objects = bodies.marks.iter().filter(|mark| mark.is_object).map(|mark| mark.place);
        let places = || objects.clone().chain(bodies.start);
        let step = places().count().div_ceil(MAX_POINTS).max(1);
        let places = places().step_by(step).map(|place| projection.project(place)).filter(|&at| are_in_range(&[at]));
        let point = |at| ProbePoint { at, is_hidden: false, back: f64::INFINITY, floor: f64::INFINITY };
        let points: Vec<ProbePoint> = places.map(point).collect();
        (!points.is_empty()).then_some(Self(points))
    }

    /// Adds a face. It hides points if it is not terrain: terrain above an object does not make a room.
    pub(crate) fn add_occluder(&mut self, corners: &[[f64; 3]], is_ground: bool) {
        let depth_at = depth_of(corners);
        for point in &mut self.0 {
            match depth_at(&point.at) {
                Some(depth) if is_before(depth, &point.at) => point.is_hidden |= !is_ground,
                Some(depth) => point.back = point.back.min(depth),
                None => {}
            }
        }
    }

    /// Returns `true` if at least 80 % of the points are hidden. Faces seen from their front then decide if rooms are closed.
    pub(crate) fn may_be_closed(&self) -> bool {
        self.0.iter().filter(|point| point.is_hidden).count() * 10 >= self.0.len() * CLOSED_TENTHS
    }

    /// Adds a face seen from its front, on which objects may stand.
    pub(crate) fn add_front_face(&mut self, corners: &[[f64; 3]]) {
        let depth_at = depth_of(corners);
        for point in &mut self.0 {
            let depth = depth_at(&point.at).filter(|&depth| !is_before(depth, &point.at));
            point.floor = depth.map_or(point.floor, |depth| point.floor.min(depth));
        }
    }

    /// Returns the cutaway if at least 80 % of the points are inside. Points inside solid ground are ignored: the next face is a
    /// back, or there is none.
    pub(crate) fn into_cutaway(self) -> Option<Cutaway> {
        let all = self.0.len();
        let is_inside = |point: &ProbePoint| point.is_hidden && point.floor.is_finite() && point.floor <= point.back;
        let points: Vec<[f64; 3]> = self.0.into_iter().filter(is_inside).map(|point| point.at).collect();
        let least = all.div_ceil(10).max(2).min(all);
        (points.len() * 10 >= all * CLOSED_TENTHS).then_some(Cutaway { points, least })
    }
}

/// Removes ceilings, walls towards the eye and skyboxes: faces that hide a tenth of the objects.
#[derive(Debug)]
pub(crate) struct Cutaway {
    /// Projected positions of the sampled objects inside.
    points: Vec<[f64; 3]>,
    /// Minimum number of points that a removed face hides.
    least: usize,
}

impl Cutaway {
    pub(crate) fn hides_interior(&self, corners: &[[f64; 3]]) -> bool {
        let depth_at = depth_of(corners);
        let is_behind = |point: &&[f64; 3]| depth_at(point).is_some_and(|depth| is_before(depth, point));
        self.points.iter().filter(is_behind).take(self.least).count() == self.least
    }
}

/// Returns a function that gives the distance of a face at a point, or `None` beside the face and for faces seen from the side.
fn depth_of(corners: &[[f64; 3]]) -> impl Fn(&[f64; 3]) -> Option<f64> {
    let bounds = corners.iter().fold(None, |bounds, corner| Some(extend_bounds(bounds, *corner)));
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

/// Returns `true` if a distance is before a point. Objects that stand on a face are not hidden by it.
fn is_before(depth: f64, [_, _, away]: &[f64; 3]) -> bool {
    depth < away - 1e-6 * away.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_faces_hide_points() {
        let slope = [[0.0, 0.0, 0.0], [10.0, 0.0, 10.0], [10.0, 10.0, 10.0], [0.0, 10.0, 0.0]];
        let is_hidden = |point: [f64; 3]| depth_of(&slope)(&point).map(|depth| is_before(depth, &point));
        assert_eq!([[5.0, 5.0, 5.1], [1.0, 9.0, 2.0]].map(is_hidden), [Some(true); 2]);
        assert_eq!([[5.0, 5.0, 4.9], [9.0, 9.0, 5.0]].map(is_hidden), [Some(false); 2], "in front of it");
        assert_eq!(is_hidden([5.0, 5.0, 5.0]), Some(false), "on it");
        assert_eq!([[11.0, 5.0, 50.0], [5.0, -1.0, 50.0]].map(is_hidden), [None; 2], "beside it");
        let side = [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 10.0, 10.0], [0.0, 0.0, 10.0]];
        assert_eq!(depth_of(&side)(&[0.0, 5.0, 50.0]), None);
    }
}
