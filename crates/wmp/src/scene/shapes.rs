//! Planes of polygons.

pub(super) use crate::resolve::convex::{is_convex, points};
use crate::resolve::transform::{cross, dot, sub};

/// Returns three vertices of a polygon that are far apart, in polygon order.
pub(super) fn plane(points: &[[f64; 3]]) -> [[f64; 3]; 3] {
    let Some(&first) = points.first() else { return [[0.0; 3]; 3] };
    let farthest = |measure: &dyn Fn([f64; 3]) -> f64| {
        let mut best = (0, first, 0.0);
        for (at, &point) in points.iter().enumerate() {
            let size = measure(sub(point, first));
            if size > best.2 {
                best = (at, point, size);
            }
        }
        (best.0, best.1)
    };
    let second = farthest(&|offset| dot(offset, offset));
    let along = sub(second.1, first);
    let third = farthest(&|offset| {
        let across = cross(along, offset);
        dot(across, across)
    });
    if second.0 < third.0 { [first, second.1, third.1] } else { [first, third.1, second.1] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_keep_the_order_of_the_polygon() {
        let square = [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 8.0, 0.0], [8.0, 8.0, 0.0], [8.0, 0.0, 0.0]];
        assert_eq!(plane(&square), [[0.0; 3], [0.0, 8.0, 0.0], [8.0, 8.0, 0.0]]);
        assert_eq!(plane(&[]), [[0.0; 3]; 3]);
    }
}
