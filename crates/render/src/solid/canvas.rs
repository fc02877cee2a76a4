//! Faces into samples of a picture, of which the nearest is seen.

use mapwright_scene::transform::{add, cross, normalize, sub};

use super::edges::{Edges, middle, sample};
use crate::colors::{CLEAR, Color, lit};

/// Some rows of samples.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    /// How far away from the eye each sample is; infinity where nothing is.
    depths: Vec<f32>,
    /// With the opacity of the face, of which a sample that is seen is opaque.
    colors: Vec<Color>,
    /// Those of the last face.
    edges: Edges,
}

/// Where the light stands: at the upper left, before the picture; right, down, away.
const LIGHT: [f64; 3] = [-0.6, -0.55, -0.58];
/// The darkest shade, and what there is between it and full light.
const SHADE: [f64; 2] = [0.32, 0.64];

/// Which samples of two by two are seen of a face that lets light through: those with a number below its opacity.
const SCREEN: [[u8; 2]; 2] = [[32, 160], [224, 96]];

impl Canvas {
    /// Bytes of a sample.
    pub(crate) const SAMPLE: usize = size_of::<f32>() + size_of::<Color>();

    /// Starts anew with nothing on it.
    pub(crate) fn clear(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.depths.clear();
        self.depths.resize(width * height, f32::INFINITY);
        self.colors.clear();
        self.colors.resize(width * height, CLEAR);
    }

    /// The depths and colours of a row; nothing beyond the last.
    pub(crate) fn row(&self, y: usize) -> (&[f32], &[Color]) {
        let range = y.saturating_mul(self.width)..y.saturating_add(1).saturating_mul(self.width);
        (self.depths.get(range.clone()).unwrap_or_default(), self.colors.get(range).unwrap_or_default())
    }

    /// Draws a face by its corners: how far right, down and away, in samples. Both sides are seen.
    pub(crate) fn face(&mut self, corners: &[[f64; 3]], color: Color) {
        match *corners {
            [a, b, c, d] => {
                // Of a quad that is not flat or not convex, the diagonal inside of it.
                let turn = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| cross(sub(q, p), sub(r, p))[2];
                if turn(a, b, c) * turn(a, c, d) >= 0.0 {
                    self.flat(&[a, b, c], color);
                    self.flat(&[a, c, d], color);
                } else {
                    self.flat(&[a, b, d], color);
                    self.flat(&[b, c, d], color);
                }
            }
            _ => self.flat(corners, color),
        }
    }

    /// Draws a polygon that lies in a plane. What it surrounds twice is outside.
    fn flat(&mut self, corners: &[[f64; 3]], color: Color) {
        let (low, high) = corners.iter().fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(low, high), corner| {
            let both = |one: fn(f64, f64) -> f64, bound: [f64; 3]| {
                [one(bound[0], corner[0]), one(bound[1], corner[1]), one(bound[2], corner[2])]
            };
            (both(f64::min, low), both(f64::max, high))
        });
        // A sample is seen if its middle is.
        let (top, bottom) = (sample(low[1], self.height), sample(high[1], self.height));
        if top >= bottom || sample(low[0], self.width) >= sample(high[0], self.width) {
            return;
        }
        let Some(plane) = Plane::new(corners, [low[2], high[2]]) else { return };
        let [red, green, blue, opacity] = color;
        let [red, green, blue] = plane.lit([red, green, blue]);
        let color = [red, green, blue, opacity];
        self.edges.begin(corners, bottom);
        for y in top..bottom {
            for &[from, to] in self.edges.spans(y, self.width) {
                if from >= to {
                    continue;
                }
                let start = y * self.width;
                let depths = self.depths.get_mut(start + from..start + to).unwrap_or_default();
                let colors = self.colors.get_mut(start + from..start + to).unwrap_or_default();
                let seen = SCREEN.get(y % 2).copied().unwrap_or_default();
                for ((x, depth), below) in (from..).zip(depths).zip(colors) {
                    if seen.get(x % 2).is_some_and(|&seen| seen >= opacity) {
                        continue;
                    }
                    let away = plane.depth(middle(x), middle(y));
                    if away < *depth {
                        (*depth, *below) = (away, color);
                    }
                }
            }
        }
    }
}

/// The plane of a face.
struct Plane {
    /// How far away it is at the origin, and how much farther it gets to the right and down.
    depth: [f64; 3],
    range: [f64; 2],
    /// Towards the eye, of length 1.
    normal: [f64; 3],
}

impl Plane {
    /// The plane that is nearest to some points; `None` if they lie in a line.
    fn new(corners: &[[f64; 3]], range: [f64; 2]) -> Option<Self> {
        let &origin = corners.first()?;
        let mut last = sub(*corners.last()?, origin);
        let (mut sum, mut mean) = ([0.0; 3], [0.0; 3]);
        for &corner in corners {
            let corner = sub(corner, origin);
            (sum, mean) = (add(sum, cross(last, corner)), add(mean, corner));
            last = corner;
        }
        let normal = normalize(sum)?;
        let normal = if normal[2] > 0.0 { normal.map(|part| -part) } else { normal };
        #[allow(clippy::cast_precision_loss)]
        let [x, y, away] = add(origin, mean.map(|part| part / corners.len() as f64));
        // Seen from the side it is a line, all of it as far away.
        let slope = |part: f64| if normal[2] < -1e-9 { -part / normal[2] } else { 0.0 };
        let (right, down) = (slope(normal[0]), slope(normal[1]));
        Some(Self { depth: [away - right * x - down * y, right, down], range, normal })
    }

    /// How far away it is at a place.
    fn depth(&self, x: f64, y: f64) -> f32 {
        let [depth, right, down] = self.depth;
        let [near, far] = self.range;
        // What is bent, or seen almost from the side, is never before or behind all of its corners.
        #[allow(clippy::cast_possible_truncation)]
        let depth = (depth + right * x + down * y).max(near).min(far) as f32;
        depth.min(f32::MAX)
    }

    /// A colour in the light that falls on it.
    fn lit(&self, color: [u8; 3]) -> [u8; 3] {
        let [x, y, z] = self.normal;
        // What faces away is not all of one shade, so that its edges are seen.
        let light = (x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2]) / 2.0 + 0.5;
        lit(color, SHADE[0] + SHADE[1] * light * light)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Color = [255, 0, 0, 255];
    const BLUE: Color = [0, 0, 255, 255];

    fn canvas() -> Canvas {
        let mut canvas = Canvas::default();
        canvas.clear(8, 8);
        canvas
    }

    /// Each row as text: a letter for red or blue, a dot where nothing is.
    fn shown(canvas: &Canvas) -> Vec<String> {
        let letter = |(depth, color): (&f32, &Color)| match color {
            _ if depth.is_infinite() => '.',
            [0, ..] => 'b',
            _ => 'r',
        };
        (0..8).map(|y| canvas.row(y)).map(|(depths, colors)| depths.iter().zip(colors).map(letter).collect()).collect()
    }

    fn square([left, top]: [f64; 2], size: f64, depth: f64) -> Vec<[f64; 3]> {
        let places = [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]];
        places.into_iter().map(|[x, y]| [left + x, top + y, depth]).collect()
    }

    #[test]
    fn the_nearest_is_seen_whichever_comes_first() {
        for turn in [false, true] {
            let mut canvas = canvas();
            let mut faces = [(square([0.0, 0.0], 4.0, 5.0), RED), (square([2.0, 2.0], 4.0, 9.0), BLUE)];
            if turn {
                faces.reverse();
            }
            faces.iter().for_each(|(face, color)| canvas.face(face, *color));
            let expected =
                ["rrrr....", "rrrr....", "rrrrbb..", "rrrrbb..", "..bbbb..", "..bbbb..", "........", "........"];
            assert_eq!(shown(&canvas), expected);
        }
    }

    #[test]
    fn faces_that_cross_hide_each_other_in_part() {
        let mut canvas = canvas();
        canvas.face(&square([0.0, 0.0], 8.0, 4.0), RED);
        canvas.face(&[[0.0, 0.0, 0.0], [8.0, 0.0, 8.0], [8.0, 8.0, 8.0], [0.0, 8.0, 0.0]], BLUE);
        assert!(shown(&canvas).iter().all(|row| row == "bbbbrrrr"), "{:?}", shown(&canvas));
    }

    #[test]
    fn concave_faces_are_no_fans() {
        let ring = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [6.0, 8.0], [6.0, 2.0], [2.0, 2.0], [2.0, 8.0], [0.0, 8.0]];
        let corners: Vec<[f64; 3]> = ring.iter().map(|&[x, y]| [x, y, 1.0]).collect();
        for turn in 0..corners.len() {
            let mut canvas = canvas();
            let mut corners = corners.clone();
            corners.rotate_left(turn);
            canvas.face(&corners, RED);
            assert_eq!(shown(&canvas)[1..4], ["rrrrrrrr", "rr....rr", "rr....rr"]);
        }
        // An arrow, whichever corner comes first.
        let arrow = [[0.0, 0.0, 1.0], [8.0, 4.0, 1.0], [0.0, 8.0, 1.0], [4.0, 4.0, 1.0]];
        for turn in 0..4 {
            let (mut canvas, mut arrow) = (canvas(), arrow);
            arrow.rotate_left(turn);
            canvas.face(&arrow, RED);
            assert_eq!(shown(&canvas)[4], "...rrrr.", "{turn}");
        }
    }

    #[test]
    fn concave_faces_of_many_corners_are_not_filled_in() {
        // A comb of 2,000 thin teeth, none of which covers the middle of a sample.
        let teeth = (0..2000).flat_map(|tooth| {
            let top = (f64::from(tooth) + 0.5) / 250.0;
            [[6.0, top], [0.0, top], [0.0, top + 1e-6], [6.0, top + 1e-6]]
        });
        let ends = [[6.0, 8.0], [8.0, 8.0], [8.0, 0.0]];
        let corners: Vec<[f64; 3]> = teeth.chain(ends).map(|[x, y]| [x, y, 1.0]).collect();
        for turn in [0, 4001] {
            let (mut canvas, mut corners) = (canvas(), corners.clone());
            corners.rotate_left(turn);
            canvas.face(&corners, RED);
            assert!(shown(&canvas).iter().all(|row| row == "......rr"), "{:?}", shown(&canvas));
        }
    }

    #[test]
    fn neighbours_leave_no_gap_and_both_sides_are_seen() {
        let mut canvas = canvas();
        let middle = [3.3, 4.7, 2.0];
        let corners = square([0.0, 0.0], 8.0, 2.0);
        for (place, &corner) in corners.iter().enumerate() {
            let next = corners[(place + 1) % 4];
            let face = if place % 2 == 0 { [corner, next, middle] } else { [next, corner, middle] };
            canvas.face(&face, RED);
        }
        assert!(shown(&canvas).iter().all(|row| row == "rrrrrrrr"), "{:?}", shown(&canvas));
    }

    #[test]
    fn what_lets_light_through_is_a_screen() {
        let mut canvas = canvas();
        canvas.face(&square([0.0, 0.0], 8.0, 2.0), [255, 0, 0, 128]);
        canvas.face(&square([0.0, 0.0], 8.0, 3.0), [0, 0, 255, 0]);
        assert_eq!(shown(&canvas)[..2], ["r.r.r.r.", ".r.r.r.r"]);
    }

    #[test]
    fn what_is_no_plane_or_far_outside_draws_nothing() {
        let mut canvas = canvas();
        canvas.face(&[], RED);
        canvas.face(&[[1.0; 3]; 5], RED);
        canvas.face(&[[0.0; 3], [4.0, 4.0, 0.0], [8.0, 8.0, 0.0]], RED);
        canvas.face(&square([-1e30, -1e30], 1e29, 0.0), RED);
        canvas.face(&square([1e30, 1e30], 1e29, 0.0), RED);
        assert!(shown(&canvas).iter().all(|row| row == "........"));
        canvas.face(&square([-1e30, -1e30], 2e30, 1e300), RED);
        assert!(shown(&canvas).iter().all(|row| row == "rrrrrrrr"));
    }
}
