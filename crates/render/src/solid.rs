//! A scene as solid bodies, in parallel projection.

mod bodies;
mod canvas;
mod cover;
mod edges;
mod faces;
mod lid;
mod materials;
mod window;

use mapwright_scene::Scene;

use self::bodies::{Bodies, Body};
use self::canvas::Canvas;
use self::cover::Cover;
use self::lid::{Lid, Lookout};
use self::materials::Paints;
use self::window::Window;
use crate::colors::{Color, lit, over};
use crate::drawing::Places;
use crate::marks::Mark;
use crate::orbit::Sight;
use crate::{Error, RenderOptions, Sides, Things, View};

/// The bodies of a scene, and what of them a picture shows.
#[derive(Debug)]
pub(crate) struct Solid<'a> {
    bodies: Bodies<'a>,
    /// What is drawn of each body.
    spans: Vec<Span>,
    sight: Sight,
    sides: Sides,
    /// What is left out of rooms that are closed.
    lid: Option<Lid>,
    paints: Paints,
    pub(crate) window: Window,
    /// How far away the nearest is.
    nearest: f64,
    canvas: Canvas,
    /// Bytes that it may take.
    room: usize,
    /// The rows of the picture that the canvas has; it has one more above and below.
    band: std::ops::Range<i64>,
}

/// What is drawn of a body.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// How far down it begins and ends, in units of length.
    rows: [f64; 2],
    /// So many of its faces that are somewhere.
    faces: usize,
}

/// A point that is farther away is none.
const FARTHEST: f64 = 1e30;
/// Samples across and down in a pixel.
const SAMPLES: usize = 2;
/// Bytes that the samples of rows may take.
const MOST_BYTES: usize = 96 << 20;
/// So much do slopes change from one sample to the next in an edge, and in the border to what is behind.
const EDGE: f32 = 1.0;
const BORDER: f32 = 12.0;
/// How much of their light is seen.
const EDGE_LIGHT: f64 = 0.65;
const BORDER_LIGHT: f64 = 0.45;

impl<'a> Solid<'a> {
    pub(crate) fn new(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        Self::new_with(scene, options, Cover::LEAST)
    }

    /// With so many samples at least that faces may cover.
    fn new_with(scene: &'a Scene, options: &RenderOptions, least: f64) -> Result<Self, Error> {
        let bodies = Bodies::new(scene);
        let sight = Sight::new(options.orbit);
        let paints = Paints::new(scene, options.view);
        let mut spans = Vec::with_capacity(bodies.all.len());
        let mut bounds: Option<[[f64; 3]; 2]> = None;
        let may_hide = options.sides == Sides::Open && bodies.all.iter().any(|body| !body.is_ground());
        let mut lookout = may_hide.then(|| Lookout::new(&bodies, &sight)).flatten();
        for body in &bodies.all {
            let mut rows = [f64::INFINITY, f64::NEG_INFINITY];
            bodies.faces(body, &sight, &paints, Sides::Both, |corners, _| {
                if is_somewhere(corners) {
                    bounds = corners.iter().fold(bounds, |bounds, corner| Some(around(bounds, *corner)));
                    rows =
                        corners.iter().fold(rows, |[top, bottom], corner| [top.min(corner[1]), bottom.max(corner[1])]);
                    if let Some(lookout) = &mut lookout {
                        lookout.face(corners, body.is_ground());
                    }
                }
            });
            spans.push(Span { rows, faces: 0 });
        }
        let is_of_tiles = bounds.is_none() && options.view == View::Solid && !scene.tile_layers.is_empty();
        // Marks far from all bodies do not make them smaller; a start alone is nothing.
        if bounds.is_none() && !is_of_tiles && options.things != Things::Hidden {
            let marks = bodies.marks.iter().map(|mark| sight.point(mark.place));
            let marks = marks.filter(|&place| is_somewhere(&[place]));
            bounds = marks.fold(None, |bounds, place| Some(around(bounds, place)));
        }
        let lacking = if is_of_tiles { Error::NoView { view: options.view } } else { Error::Nothing };
        let [low, high] = bounds.ok_or(lacking)?;
        let start = bodies.start.map(|start| sight.point(start)).map(|[right, down, _]| [right, down]);
        let mut window = Window::new([[low[0], low[1]], [high[0], high[1]]], start, options)?;
        let mut lookout = lookout.filter(Lookout::may_be_closed);
        if let Some(lookout) = &mut lookout {
            for body in &bodies.all {
                bodies.faces(body, &sight, &paints, Sides::Front, |corners, _| {
                    if is_somewhere(corners) {
                        lookout.front(corners);
                    }
                });
            }
        }
        let lid = lookout.and_then(Lookout::lid);
        let (mut cover, mut left_out, mut opened) = (Cover::new(&window, SAMPLES, least), bodies.left_out, 0);
        let mut exceeds = false;
        for (body, span) in bodies.all.iter().zip(&mut spans) {
            bodies.faces(body, &sight, &paints, options.sides, |corners, _| {
                if !is_somewhere(corners) {
                    return;
                }
                if hides(lid.as_ref(), body, corners) {
                    opened += 1;
                    return;
                }
                let cost = cover.cost(corners);
                if cover.takes(cost) {
                    span.faces += 1;
                } else if cost > 0.0 {
                    left_out += 1;
                    exceeds = true;
                }
            });
        }
        if exceeds && spans.iter().all(|span| span.faces == 0) {
            return Err(Error::TooComplex);
        }
        (window.picture.bodies, window.picture.left_out, window.picture.opened) = (bodies.count, left_out, opened);
        Ok(Self {
            bodies,
            spans,
            sight,
            sides: options.sides,
            lid,
            paints,
            window,
            nearest: low[2],
            canvas: Canvas::default(),
            room: MOST_BYTES,
            band: 0..0,
        })
    }

    /// From the scene to the picture.
    pub(crate) fn places(&self) -> Places {
        let ([right, down], [left, top], pixel) = (self.sight.flat(), self.window.at, self.window.pixel);
        let place = |[a, b, c, d]: [f64; 4], from: f64| [a / pixel, b / pixel, c / pixel, (d - from) / pixel];
        [place(right, left), place(down, top)]
    }

    /// The marks of what has no body, and that of the start.
    pub(crate) fn marks(&mut self) -> (Vec<Mark>, Option<Mark>) {
        let (sight, window) = (self.sight, self.window);
        let place = |place: [f64; 3]| {
            let place = sight.point(place);
            is_somewhere(&[place]).then(|| window.pixel_at([place[0], place[1]]))
        };
        let marks = std::mem::take(&mut self.bodies.marks);
        let marks = marks.into_iter().filter_map(|marked| Some(marked.mark.moved(place(marked.place)?))).collect();
        (marks, self.bodies.start.and_then(place).map(Mark::start))
    }

    /// Draws row `y` over what there is.
    pub(crate) fn draw(&mut self, y: i64, row: &mut [Color]) {
        if !self.band.contains(&y) {
            self.fill(y, row.len());
        }
        let first = usize::try_from(y - self.band.start + 1).unwrap_or(0).saturating_mul(SAMPLES);
        let mut sums = vec![[0_u16; 4]; row.len()];
        for line in first..first + SAMPLES {
            let (depths, colors) = self.canvas.row(line);
            let (above, below) = (self.canvas.row(line.wrapping_sub(1)), self.canvas.row(line + 1));
            for (x, (&depth, &[red, green, blue, opacity])) in depths.iter().zip(colors).enumerate() {
                let Some(sum) = sums.get_mut(x / SAMPLES).filter(|_| depth.is_finite()) else { continue };
                // Where light comes through, samples of what is before and behind stand side by side, which is no edge.
                let at = |(depths, colors): (&[f32], &[Color]), x: usize| match (depths.get(x), colors.get(x)) {
                    (Some(&other), Some([.., 255])) => other,
                    (Some(&other), _) if other.is_infinite() => other,
                    _ => depth,
                };
                let across = at((depths, colors), x.wrapping_sub(1)) + at((depths, colors), x + 1) - 2.0 * depth;
                let down = at(above, x) + at(below, x) - 2.0 * depth;
                // Most samples are no edge.
                let [red, green, blue] = match light(across.max(down), across.min(down)) {
                    light if light < 1.0 && opacity == 255 => lit([red, green, blue], light),
                    _ => [red, green, blue],
                };
                sum.iter_mut().zip([red, green, blue, 255]).for_each(|(sum, part)| *sum += u16::from(part));
            }
        }
        let samples = u16::try_from(SAMPLES * SAMPLES).unwrap_or(u16::MAX);
        for (below, sum) in row.iter_mut().zip(sums) {
            over(sum.map(|part| u8::try_from(part / samples).unwrap_or(u8::MAX)), below);
        }
    }

    /// Draws as many rows from `y` on as there is room for.
    fn fill(&mut self, y: i64, pixels: usize) {
        let width = pixels * SAMPLES;
        let room = self.room / (width * SAMPLES * Canvas::SAMPLE).max(1);
        let rows = i64::try_from(room).unwrap_or(i64::MAX).clamp(1, (i64::from(self.window.picture.height) - y).max(1));
        self.band = y..y + rows;
        let lines = usize::try_from(rows + 2).unwrap_or(0).saturating_mul(SAMPLES);
        self.canvas.clear(width, lines);
        let Window { at, pixel, .. } = self.window;
        #[allow(clippy::cast_precision_loss)]
        let (scale, top) = (SAMPLES as f64 / pixel, at[1] + (y - 1) as f64 * pixel);
        #[allow(clippy::cast_precision_loss)]
        let bottom = top + (rows + 2) as f64 * pixel;
        let mut moved = Vec::new();
        for (body, span) in self.bodies.all.iter().zip(&self.spans) {
            if span.rows[0] > bottom || span.rows[1] < top {
                continue;
            }
            let (canvas, lid, nearest, mut left) = (&mut self.canvas, self.lid.as_ref(), self.nearest, span.faces);
            self.bodies.faces(body, &self.sight, &self.paints, self.sides, |corners, color| {
                if left == 0 || !is_somewhere(corners) || hides(lid, body, corners) {
                    return;
                }
                left -= 1;
                // What lies above or below all of the rows covers no sample of them.
                let touches =
                    corners.iter().any(|corner| corner[1] >= top) && corners.iter().any(|corner| corner[1] <= bottom);
                if touches {
                    moved.clear();
                    moved.extend(corners.iter().map(|corner| {
                        [(corner[0] - at[0]) * scale, (corner[1] - top) * scale, (corner[2] - nearest) * scale]
                    }));
                    canvas.face(&moved, color());
                }
            });
        }
    }
}

/// Whether a face is left out, for it hides the inside.
fn hides(lid: Option<&Lid>, body: &Body<'_>, corners: &[[f64; 3]]) -> bool {
    lid.is_some_and(|lid| !body.is_ground() && lid.hides(corners))
}

/// How much of its light a sample has, by how much slopes change there at most and at least.
fn light(most: f32, least: f32) -> f64 {
    match most.max(-least) {
        _ if most > BORDER => BORDER_LIGHT,
        change if change > EDGE => EDGE_LIGHT,
        _ => 1.0,
    }
}

/// Whether all of some points are somewhere.
fn is_somewhere(points: &[[f64; 3]]) -> bool {
    points.iter().flatten().all(|place| place.abs() <= FARTHEST)
}

/// What is around a point and all others.
fn around(bounds: Option<[[f64; 3]; 2]>, [x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    let [low, high] = bounds.unwrap_or([[x, y, z]; 2]);
    [[low[0].min(x), low[1].min(y), low[2].min(z)], [high[0].max(x), high[1].max(y), high[2].max(z)]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Content, Mesh, Node};

    /// The rows of a picture, over a colour that no face has.
    fn drawn(mut solid: Solid<'_>) -> Vec<Vec<Color>> {
        let size = [solid.window.picture.width, solid.window.picture.height].map(|length| length as usize);
        let mut rows = vec![vec![[9, 9, 9, 255]; size[0]]; size[1]];
        (0..).zip(&mut rows).for_each(|(y, row)| solid.draw(y, row));
        rows
    }

    #[test]
    fn faces_beyond_what_may_be_covered_are_left_out() {
        // Squares before each other, the last of which is nearest and of another colour.
        let squares = |count: u32| {
            let mut scene = Scene::default();
            let material = scene.materials.push(mapwright_scene::Material::new("paint"));
            let square = |z: u32| [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]].map(|[x, y]| [x, y, f64::from(z)]);
            let positions = (0..count).flat_map(square).collect();
            let faces = (0..count).map(|face| [0, 1, 2, 3].map(|corner| face * 4 + corner)).collect();
            let face_materials = (0..count).map(|face| (face == 1999).then_some(material)).collect();
            let mesh = scene.meshes.push(Mesh { positions, faces, face_materials, ..Mesh::default() });
            scene.add_node(None, Node::new("", Content::Mesh(mesh)));
            scene
        };
        let orbit = crate::Orbit::new(180.0, 0.0).unwrap();
        let options = RenderOptions::default().with_scale(crate::Scale::Fit(8)).with_orbit(orbit);
        let (all, some) = (squares(2000), squares(1000));
        // Each covers all of sixteen samples across and down.
        let most = 16 * 16 * 24 / (16 * 2 * 3 + 16 * 16);
        let left_out = |solid: &Solid<'_>| solid.window.picture.left_out;
        let solid = Solid::new_with(&all, &options, 0.0).unwrap();
        assert_eq!((left_out(&solid), solid.window.picture.bodies), (2000 - most, 1));
        let rows = drawn(solid);
        let solid = Solid::new(&some, &options).unwrap();
        assert_eq!(left_out(&solid), 0);
        assert_eq!(rows, drawn(solid));
        let solid = Solid::new(&all, &options).unwrap();
        assert_eq!(left_out(&solid), 0);
        assert_ne!(rows, drawn(solid));

        // A comb with 400,000 teeth as high as the picture.
        let teeth = (0..400_000).flat_map(|tooth| {
            let left = f64::from(tooth) / 4.0;
            [[left, 0.0], [left + 0.1, 1e5]]
        });
        let positions: Vec<[f64; 3]> = teeth.chain([[1e5, 1e5], [0.0, 1e5]]).map(|[x, y]| [x, y, 0.0]).collect();
        let ring: Vec<u32> = (0..).take(positions.len()).collect();
        let mut scene = Scene::default();
        let mesh = Mesh { positions, faces: [ring].into_iter().collect(), ..Mesh::default() };
        let mesh = scene.meshes.push(mesh);
        scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        let options = options.with_scale(crate::Scale::Fit(4096));
        assert!(matches!(Solid::new(&scene, &options), Err(Error::TooComplex)));
    }

    #[test]
    fn a_picture_of_many_bands_is_that_of_one() {
        let mut scene = Scene::default();
        let positions = (0..90).map(|place| [place * 37 % 100, place * 61 % 100, place * 83 % 100].map(f64::from));
        let faces = (0..30).map(|face| [face * 3, face * 3 + 1, face * 3 + 2]).collect();
        let mesh = scene.meshes.push(Mesh { positions: positions.collect(), faces, ..Mesh::default() });
        scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        // Between a floor and a ceiling, which is not drawn and counts in no band.
        let square = [[-50.0, 0.0, -50.0], [-50.0, 0.0, 150.0], [150.0, 0.0, 150.0], [150.0, 0.0, -50.0]];
        let faces = [[0, 1, 2, 3]].into_iter().collect();
        let square = scene.meshes.push(Mesh { positions: square.to_vec(), faces, ..Mesh::default() });
        let mut put = |place: [f64; 3], content: Content| {
            let transform = mapwright_scene::Transform::translation(place);
            scene.add_node(None, Node { transform, ..Node::new("", content) });
        };
        [-40.0, -20.0].into_iter().for_each(|height| put([0.0, height, 0.0], Content::Mesh(square)));
        [110.0, 115.0, 120.0, 125.0].into_iter().for_each(|place| put([place, -30.0, place], Content::Marker));
        let options = RenderOptions::default().with_scale(crate::Scale::Fit(60));
        let draw = |room: usize| drawn(Solid { room, ..Solid::new(&scene, &options).unwrap() });
        let whole = draw(MOST_BYTES);
        assert_eq!(Solid::new(&scene, &options).unwrap().window.picture.opened, 1);
        assert!(whole.iter().flatten().filter(|color| **color != [9, 9, 9, 255]).count() > 500);
        for rows in [0, 5, 17] {
            assert!(draw(rows * 60 * SAMPLES * SAMPLES * Canvas::SAMPLE) == whole, "{rows}");
        }
    }
}
