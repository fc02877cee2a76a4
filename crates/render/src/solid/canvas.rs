//! Rasterization of faces with a depth buffer.

use std::ops::Range;

use mapwright_scene::transform::{add, cross, dot, normalize, sub};

use super::edges::{Edges, middle, sample};
use super::surface::{CornerLook, Gradient, Surface};
use super::textures::TextureUse;
use crate::appearance::Bitmap;
use crate::colors::{CLEAR, Color, lit};

/// Some rows of samples.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    samples: Vec<Sample>,
}

/// A sample. Its numbers are together, because neighbouring faces are rarely neighbours in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// Distance from the eye; infinite without a face.
    pub(crate) depth: f32,
    /// Colour with the opacity of the face. A visible sample of a translucent face is drawn opaque.
    pub(crate) color: Color,
}

/// Consecutive rows of a canvas, into which one thread draws.
#[derive(Debug)]
pub(crate) struct Strip<'a> {
    width: usize,
    /// The rows of the canvas.
    pub(crate) rows: Range<usize>,
    samples: &'a mut [Sample],
    /// Buffer for the edges of a face.
    edges: Edges,
}

/// Direction to the light, at the upper left in front of the image: right, down, away.
const LIGHT: [f64; 3] = [-0.6, -0.55, -0.58];
/// The darkest shade, and the range up to full light.
const SHADE: [f64; 2] = [0.32, 0.64];

/// Screen-door transparency: a sample of two by two is drawn if its number is below the opacity of the face.
const SCREEN_DOOR: [[u8; 2]; 2] = [[32, 160], [224, 96]];

impl Canvas {
    /// Memory of a sample in bytes.
    pub(crate) const SAMPLE: usize = size_of::<Sample>();

    /// Clears the canvas and sets its size.
    pub(crate) fn clear(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.samples.clear();
        self.samples.resize(width * height, Sample { depth: f32::INFINITY, color: CLEAR });
    }

    /// Returns a row. It is empty after the last row.
    pub(crate) fn row(&self, y: usize) -> &[Sample] {
        let range = y.saturating_mul(self.width)..y.saturating_add(1).saturating_mul(self.width);
        self.samples.get(range).unwrap_or_default()
    }

    /// Splits the rows into at most `count` strips.
    pub(crate) fn strips(&mut self, count: usize) -> Vec<Strip<'_>> {
        let (width, height) = (self.width, self.height);
        let rows = height.div_ceil(count.max(1)).max(1);
        let parts = self.samples.chunks_mut((rows * width).max(1)).enumerate();
        let strip = |(place, samples)| {
            let rows = place * rows..height.min((place + 1) * rows);
            Strip { width, rows, samples, edges: Edges::default() }
        };
        parts.map(strip).collect()
    }
}

impl Strip<'_> {
    /// Draws both sides of a face. Corners are right, down and away, in samples. There is a look for each corner, or none.
    pub(crate) fn draw_face(&mut self, corners: &[[f64; 3]], surface: &Surface<'_>, looks: &[CornerLook]) {
        match *corners {
            [a, b, c, d] => {
                // Split quads, which may be bent or concave, along the diagonal that lies inside.
                let turn = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| cross(sub(q, p), sub(r, p))[2];
                let halves = match turn(a, b, c) * turn(a, c, d) >= 0.0 {
                    true => [[0, 1, 2], [0, 2, 3]],
                    false => [[0, 1, 3], [1, 2, 3]],
                };
                for half in halves {
                    let places = half.map(|corner: usize| corners.get(corner).copied().unwrap_or_default());
                    let half = half.map(|corner| looks.get(corner).copied().unwrap_or_default());
                    self.draw_polygon(&places, surface, if looks.is_empty() { &[] } else { &half });
                }
            }
            _ => self.draw_polygon(corners, surface, looks),
        }
    }

    /// Draws a planar polygon with the even-odd rule.
    fn draw_polygon(&mut self, corners: &[[f64; 3]], surface: &Surface<'_>, looks: &[CornerLook]) {
        let (low, high) = corners.iter().fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(low, high), corner| {
            let both = |one: fn(f64, f64) -> f64, bound: [f64; 3]| {
                [one(bound[0], corner[0]), one(bound[1], corner[1]), one(bound[2], corner[2])]
            };
            (both(f64::min, low), both(f64::max, high))
        });
        // A face covers a sample if it covers its centre.
        let (top, bottom) = (sample(low[1], self.rows.end).max(self.rows.start), sample(high[1], self.rows.end));
        if top >= bottom || sample(low[0], self.width) >= sample(high[0], self.width) {
            return;
        }
        // Most faces of a large mesh cover no sample.
        let mut look = None;
        self.edges.begin(corners, bottom);
        for y in top..bottom {
            for &[from, to] in self.edges.spans(y, self.width) {
                if from >= to {
                    continue;
                }
                if look.is_none() {
                    look = Plane::new(corners, [low[2], high[2]]).map(|plane| {
                        let [red, green, blue, opacity] = surface.color;
                        let color = lit([red, green, blue], light(plane.normal));
                        let painter =
                            (looks.len() == corners.len()).then(|| Painter::new(corners, surface, looks, plane.normal));
                        (plane, [color[0], color[1], color[2], opacity], painter)
                    });
                }
                let Some((plane, flat, painter)) = &look else { return };
                let start = (y - self.rows.start) * self.width;
                let samples = self.samples.get_mut(start + from..start + to).unwrap_or_default();
                let seen = SCREEN_DOOR.get(y % 2).copied().unwrap_or_default();
                let row = painter.as_ref().map(|painter| painter.row(middle(from), middle(y)));
                for (x, sample) in (from..).zip(samples) {
                    let away = plane.depth(middle(x), middle(y));
                    if away < sample.depth {
                        let color = match &row {
                            Some(row) => row.color(middle(x)),
                            None => *flat,
                        };
                        if seen.get(x % 2).is_some_and(|&seen| seen < color[3]) {
                            *sample = Sample { depth: away, color };
                        }
                    }
                }
            }
        }
    }
}

/// The plane of a face.
struct Plane {
    /// Distance at the origin, and its change to the right and down.
    depth: [f64; 3],
    range: [f64; 2],
    /// Unit normal towards the eye.
    normal: [f64; 3],
}

impl Plane {
    /// Fits a plane to points. Returns `None` if they are collinear.
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
        // A face seen from the side is a line. It has one distance.
        let slope = |part: f64| if normal[2] < -1e-9 { -part / normal[2] } else { 0.0 };
        let (right, down) = (slope(normal[0]), slope(normal[1]));
        Some(Self { depth: [away - right * x - down * y, right, down], range, normal })
    }

    /// Returns the distance at a position.
    fn depth(&self, x: f64, y: f64) -> f32 {
        let [depth, right, down] = self.depth;
        let [near, far] = self.range;
        // Limit the distance to that of the corners: the plane of bent faces, or of those seen almost from the side, exceeds it.
        #[allow(clippy::cast_possible_truncation)]
        let depth = (depth + right * x + down * y).max(near).min(far) as f32;
        depth.min(f32::MAX)
    }
}

/// Returns the brightness of a surface with a projected unit normal.
fn light([x, y, z]: [f64; 3]) -> f64 {
    // Faces away from the light have different shades too, so that their edges are visible.
    let light = (x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2]) / 2.0 + 0.5;
    SHADE[0] + SHADE[1] * light * light
}

/// Computes the colours of a face whose corners differ.
struct Painter<'a> {
    color: Color,
    /// The texture, and the copy of it that is sampled.
    texture: Option<(TextureUse<'a>, &'a Bitmap)>,
    /// Texture coordinates, and the factors of red, green and blue.
    gradient: Gradient<5>,
}

impl<'a> Painter<'a> {
    /// `normal` is the unit normal of the plane, towards the eye.
    fn new(corners: &[[f64; 3]], surface: &Surface<'a>, looks: &[CornerLook], normal: [f64; 3]) -> Self {
        // Smooth normals may point away from the eye on both sides of a face.
        let sum = looks.iter().filter_map(|look| look.normal).fold([0.0; 3], add);
        let side = if dot(sum, normal) < 0.0 { -1.0 } else { 1.0 };
        let value = |look: &CornerLook| {
            let smooth = look.normal.and_then(|normal| normalize(normal.map(|part| part * side)));
            let light = light(smooth.unwrap_or(normal));
            let ([u, v], [red, green, blue]) = (look.uv, look.tint);
            [u, v, red * light, green * light, blue * light]
        };
        let values: Vec<[f64; 5]> = looks.iter().map(value).collect();
        let gradient = Gradient::new(corners, &values);
        let [u, v, ..] = *gradient.slope();
        let texture = surface.texture.and_then(|texture| Some((texture, texture.texture.level([u, v])?)));
        Self { color: surface.color, texture, gradient }
    }

    /// Returns the colours of a row from a position on.
    fn row(&self, from: f64, y: f64) -> PainterRow<'_> {
        PainterRow {
            painter: self,
            from,
            first: self.gradient.at(from, y),
            step: self.gradient.slope().map(|[right, _]| right),
        }
    }

    /// Returns the colour of the texture, multiplied by that of the surface. It is clear where nothing is drawn.
    fn textured(&self, texture: &TextureUse<'_>, level: &Bitmap, uv: [f64; 2]) -> Color {
        let [red, green, blue, opacity] = self.color;
        let [r, g, b, alpha] = texture.sample(level, uv);
        let visible = match texture.mask {
            Some(cutoff) if alpha < cutoff || alpha == 0 => return CLEAR,
            Some(_) => 255,
            None => alpha,
        };
        // Colours of textures are multiplied by their opacity.
        let part = |texel: u8, base: u8| {
            let straight = u32::from(texel) * u32::from(base) / u32::from(alpha).max(1);
            u8::try_from(straight).unwrap_or(u8::MAX)
        };
        let opacity = u16::from(opacity) * u16::from(visible) / 255;
        [part(r, red), part(g, green), part(b, blue), u8::try_from(opacity).unwrap_or(u8::MAX)]
    }
}

/// The colours of a row of samples.
struct PainterRow<'a> {
    painter: &'a Painter<'a>,
    /// The first position.
    from: f64,
    /// The numbers of the gradient there, and their change to the right.
    first: [f64; 5],
    step: [f64; 5],
}

impl PainterRow<'_> {
    /// Returns the colour at a position. It is clear where nothing is drawn.
    #[inline]
    fn color(&self, x: f64) -> Color {
        let right = x - self.from;
        let [u, v, red, green, blue] = self.first;
        let [u_step, v_step, red_step, green_step, blue_step] = self.step;
        let [r, g, b, opacity] = match &self.painter.texture {
            Some((texture, level)) => self.painter.textured(texture, level, [u + u_step * right, v + v_step * right]),
            None => self.painter.color,
        };
        [
            lit_part(r, red + red_step * right),
            lit_part(g, green + green_step * right),
            lit_part(b, blue + blue_step * right),
            opacity,
        ]
    }
}

/// Multiplies a part of a colour by a brightness.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn lit_part(part: u8, light: f64) -> u8 {
    // The conversion saturates.
    (f64::from(part) * light) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Color = [255, 0, 0, 255];
    const BLUE: Color = [0, 0, 255, 255];

    /// Draws a face into strips of three rows or fewer.
    fn draw_face(canvas: &mut Canvas, corners: &[[f64; 3]], surface: &Surface<'_>, looks: &[CornerLook]) {
        let strips = canvas.strips(3);
        assert_eq!(strips.iter().map(|strip| strip.rows.clone()).collect::<Vec<_>>(), [0..3, 3..6, 6..8]);
        strips.into_iter().for_each(|mut strip| strip.draw_face(corners, surface, looks));
    }

    /// Draws a face of one colour.
    fn draw(canvas: &mut Canvas, corners: &[[f64; 3]], color: Color) {
        draw_face(canvas, corners, &Surface { color, texture: None }, &[]);
    }

    fn canvas() -> Canvas {
        let mut canvas = Canvas::default();
        canvas.clear(8, 8);
        canvas
    }

    /// Each row as text: a letter for red or blue, a dot for empty samples.
    fn shown(canvas: &Canvas) -> Vec<String> {
        let letter = |sample: &Sample| match sample.color {
            _ if sample.depth.is_infinite() => '.',
            [0, ..] => 'b',
            _ => 'r',
        };
        (0..8).map(|y| canvas.row(y).iter().map(letter).collect()).collect()
    }

    fn square([left, top]: [f64; 2], size: f64, depth: f64) -> Vec<[f64; 3]> {
        let places = [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]];
        places.into_iter().map(|[x, y]| [left + x, top + y, depth]).collect()
    }

    #[test]
    fn the_nearest_face_is_visible_in_any_order() {
        for turn in [false, true] {
            let mut canvas = canvas();
            let mut faces = [(square([0.0, 0.0], 4.0, 5.0), RED), (square([2.0, 2.0], 4.0, 9.0), BLUE)];
            if turn {
                faces.reverse();
            }
            faces.iter().for_each(|(corners, color)| draw(&mut canvas, corners, *color));
            let expected =
                ["rrrr....", "rrrr....", "rrrrbb..", "rrrrbb..", "..bbbb..", "..bbbb..", "........", "........"];
            assert_eq!(shown(&canvas), expected);
        }
    }

    #[test]
    fn faces_that_cross_hide_each_other_in_part() {
        let mut canvas = canvas();
        draw(&mut canvas, &square([0.0, 0.0], 8.0, 4.0), RED);
        draw(&mut canvas, &[[0.0, 0.0, 0.0], [8.0, 0.0, 8.0], [8.0, 8.0, 8.0], [0.0, 8.0, 0.0]], BLUE);
        assert!(shown(&canvas).iter().all(|row| row == "bbbbrrrr"), "{:?}", shown(&canvas));
    }

    #[test]
    fn concave_faces_are_not_drawn_as_fans() {
        let ring = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [6.0, 8.0], [6.0, 2.0], [2.0, 2.0], [2.0, 8.0], [0.0, 8.0]];
        let corners: Vec<[f64; 3]> = ring.iter().map(|&[x, y]| [x, y, 1.0]).collect();
        for turn in 0..corners.len() {
            let mut canvas = canvas();
            let mut corners = corners.clone();
            corners.rotate_left(turn);
            draw(&mut canvas, &corners, RED);
            assert_eq!(shown(&canvas)[1..4], ["rrrrrrrr", "rr....rr", "rr....rr"]);
        }
        // An arrow, starting at any corner.
        let arrow = [[0.0, 0.0, 1.0], [8.0, 4.0, 1.0], [0.0, 8.0, 1.0], [4.0, 4.0, 1.0]];
        for turn in 0..4 {
            let (mut canvas, mut arrow) = (canvas(), arrow);
            arrow.rotate_left(turn);
            draw(&mut canvas, &arrow, RED);
            assert_eq!(shown(&canvas)[4], "...rrrr.", "{turn}");
        }
    }

    #[test]
    fn concave_faces_of_many_corners_are_not_filled_in() {
        // A comb of 2,000 thin teeth, none of which covers the centre of a sample.
        let teeth = (0..2000).flat_map(|tooth| {
            let top = (f64::from(tooth) + 0.5) / 250.0;
            [[6.0, top], [0.0, top], [0.0, top + 1e-6], [6.0, top + 1e-6]]
        });
        let ends = [[6.0, 8.0], [8.0, 8.0], [8.0, 0.0]];
        let corners: Vec<[f64; 3]> = teeth.chain(ends).map(|[x, y]| [x, y, 1.0]).collect();
        for turn in [0, 4001] {
            let (mut canvas, mut corners) = (canvas(), corners.clone());
            corners.rotate_left(turn);
            draw(&mut canvas, &corners, RED);
            assert!(shown(&canvas).iter().all(|row| row == "......rr"), "{:?}", shown(&canvas));
        }
    }

    #[test]
    fn neighbours_leave_no_gap_and_both_sides_are_visible() {
        let mut canvas = canvas();
        let middle = [3.3, 4.7, 2.0];
        let corners = square([0.0, 0.0], 8.0, 2.0);
        for (place, &corner) in corners.iter().enumerate() {
            let next = corners[(place + 1) % 4];
            let corners = if place % 2 == 0 { [corner, next, middle] } else { [next, corner, middle] };
            draw(&mut canvas, &corners, RED);
        }
        assert!(shown(&canvas).iter().all(|row| row == "rrrrrrrr"), "{:?}", shown(&canvas));
    }

    #[test]
    fn translucent_faces_are_a_pattern() {
        let mut canvas = canvas();
        draw(&mut canvas, &square([0.0, 0.0], 8.0, 2.0), [255, 0, 0, 128]);
        draw(&mut canvas, &square([0.0, 0.0], 8.0, 3.0), [0, 0, 255, 0]);
        assert_eq!(shown(&canvas)[..2], ["r.r.r.r.", ".r.r.r.r"]);
    }

    #[test]
    fn degenerate_and_distant_faces_draw_nothing() {
        let mut canvas = canvas();
        draw(&mut canvas, &[], RED);
        draw(&mut canvas, &[[1.0; 3]; 5], RED);
        draw(&mut canvas, &[[0.0; 3], [4.0, 4.0, 0.0], [8.0, 8.0, 0.0]], RED);
        draw(&mut canvas, &square([-1e30, -1e30], 1e29, 0.0), RED);
        draw(&mut canvas, &square([1e30, 1e30], 1e29, 0.0), RED);
        assert!(shown(&canvas).iter().all(|row| row == "........"));
        draw(&mut canvas, &square([-1e30, -1e30], 2e30, 1e300), RED);
        assert!(shown(&canvas).iter().all(|row| row == "rrrrrrrr"));
    }

    #[test]
    fn colours_of_corners_are_interpolated_along_smooth_faces() {
        let mut canvas = canvas();
        let square = square([0.0, 0.0], 8.0, 2.0);
        let surface = Surface { color: [255; 4], texture: None };
        let look = |tint: f64, normal| CornerLook { uv: [0.0; 2], tint: [tint; 3], normal: Some(normal) };
        let towards_eye = [0.0, 0.0, -1.0];
        draw_face(&mut canvas, &square, &surface, &[0.0, 1.0, 1.0, 0.0].map(|tint| look(tint, towards_eye)));
        let row: Vec<u8> = canvas.row(3).iter().map(|sample| sample.color[0]).collect();
        assert!(row.windows(2).all(|pair| pair[0] < pair[1]), "{row:?}");
        // A normal away from the eye belongs to the other side of the face.
        canvas.clear(8, 8);
        draw_face(&mut canvas, &square, &surface, &[1.0; 4].map(|tint| look(tint, [0.0, 0.0, 3.0])));
        let colors = |canvas: &Canvas| canvas.row(3).iter().map(|sample| sample.color).collect::<Vec<_>>();
        let behind = colors(&canvas);
        canvas.clear(8, 8);
        draw(&mut canvas, &square, [255; 4]);
        assert_eq!(behind, colors(&canvas));
    }
}
