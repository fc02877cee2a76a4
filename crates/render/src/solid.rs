//! Solids in parallel projection.

mod bodies;
mod canvas;
mod cutaway;
mod edges;
mod faces;
mod fill_budget;
mod materials;
mod surface;
mod textures;
mod window;

use mapwright_io::parallel;
use mapwright_scene::Scene;

use self::bodies::{Bodies, Body};
use self::canvas::{Canvas, Sample};
use self::cutaway::{Cutaway, OcclusionProbe};
use self::fill_budget::FillBudget;
pub(crate) use self::materials::{Materials, multiply};
use self::window::Window;
use crate::colors::{CLEAR, Color, blend_over, lit};
use crate::drawing::SceneToImage;
use crate::marks::Mark;
use crate::orbit::Projection;
use crate::{Error, Objects, RenderInfo, RenderOptions, Sides, View};

/// The bodies of a scene, prepared for rendering.
#[derive(Debug)]
pub(crate) struct Solid<'a> {
    bodies: Bodies<'a>,
    /// The drawn part of each body.
    spans: Vec<Span>,
    projection: Projection,
    sides: Sides,
    /// The faces that are removed to show the interior of closed rooms.
    cutaway: Option<Cutaway>,
    materials: Materials,
    pub(crate) window: Window,
    /// Smallest distance from the eye.
    nearest: f64,
    canvas: Canvas,
    /// The pixels of the band.
    colors: Vec<Color>,
    /// Maximum memory of the canvas in bytes.
    max_bytes: usize,
    /// The rows of the image in the canvas, which has one more row above and below.
    band: std::ops::Range<i64>,
}

/// The drawn part of a body.
#[derive(Debug)]
struct Span {
    /// Top and bottom in units of length.
    rows: [f64; 2],
    /// Top and bottom of the faces of each block, if there are several.
    blocks: Vec<[f64; 2]>,
    /// Number of finite faces that are drawn.
    faces: usize,
    /// `false` if the budget left faces out, so that the faces that are drawn must be counted.
    is_whole: bool,
}

/// The rows of a body without faces.
const NO_ROWS: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

impl Span {
    /// Returns `true` if faces of a block may be between two rows.
    fn may_touch(&self, block: usize, top: f64, bottom: f64) -> bool {
        !self.is_whole || self.blocks.get(block).is_none_or(|rows| rows[0] <= bottom && rows[1] >= top)
    }
}

/// Maximum absolute coordinate. Faces and marks beyond it are not drawn.
const MAX_DISTANCE: f64 = 1e30;
/// Samples per pixel, horizontally and vertically.
const SAMPLES: usize = 2;
/// Number of rows of pixels that a thread computes at a time.
const ROWS: usize = 16;
/// Maximum memory of the samples in bytes.
const MAX_BYTES: usize = 96 << 20;
/// Changes of slope from one sample to the next at which an edge and a silhouette are drawn.
const EDGE_SLOPE: f32 = 1.0;
const BORDER_SLOPE: f32 = 12.0;
/// Brightness of edges and silhouettes.
const EDGE_LIGHT: f64 = 0.65;
const BORDER_LIGHT: f64 = 0.45;

impl<'a> Solid<'a> {
    pub(crate) fn new(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        Self::new_with(scene, options, FillBudget::MIN_SAMPLES)
    }

    /// Prepares rendering. `least` is the minimum number of samples that faces may cover.
    fn new_with(scene: &'a Scene, options: &RenderOptions, least: f64) -> Result<Self, Error> {
        let bodies = Bodies::new(scene, options.hidden);
        let projection = Projection::new(options.orbit);
        let materials = Materials::new(scene, options);
        let mut spans = Vec::with_capacity(bodies.all.len());
        let mut bounds: Option<[[f64; 3]; 2]> = None;
        let mut far_faces = 0;
        let may_hide = options.sides == Sides::Open && bodies.all.iter().any(|body| !body.is_ground());
        let mut probe = may_hide.then(|| OcclusionProbe::new(&bodies, &projection)).flatten();
        // First pass over the faces: the window needs their bounds, and faces that hide objects show if rooms may be closed.
        for body in &bodies.all {
            let mut blocks: Vec<[f64; 2]> = Vec::new();
            bodies.visit_faces(
                body,
                &projection,
                &materials,
                Sides::Both,
                |_| true,
                |block, corners, _| {
                    if !are_in_range(corners) {
                        far_faces += 1;
                    } else {
                        bounds = corners.iter().fold(bounds, |bounds, corner| Some(extend_bounds(bounds, *corner)));
                        if blocks.len() <= block {
                            blocks.resize(block + 1, NO_ROWS);
                        }
                        if let Some(rows) = blocks.get_mut(block) {
                            *rows = corners.iter().fold(*rows, |rows, corner| extend_rows(rows, [corner[1]; 2]));
                        }
                        if let Some(probe) = probe.as_mut().filter(|_| !body.is_placeholder()) {
                            probe.add_occluder(corners, body.is_ground());
                        }
                    }
                },
            );
            let rows = blocks.iter().copied().fold(NO_ROWS, extend_rows);
            // The rows of a single block are those of the body.
            let blocks = if blocks.len() > 1 { blocks } else { Vec::new() };
            spans.push(Span { rows, blocks, faces: 0, is_whole: true });
        }
        let has_only_tiles = bounds.is_none() && options.view == View::Solid && !scene.tile_layers.is_empty();
        // Marks outside of the bodies do not extend the bounds. A start alone is not drawn.
        if bounds.is_none() && !has_only_tiles && options.objects != Objects::Hidden {
            let marks = bodies.marks.iter().map(|mark| projection.project(mark.place));
            let marks = marks.filter(|&place| are_in_range(&[place]));
            bounds = marks.fold(None, |bounds, place| Some(extend_bounds(bounds, place)));
        }
        let lacking = match has_only_tiles {
            true => Error::NoView { view: options.view },
            false if far_faces > 0 => Error::OutOfRange { faces: far_faces },
            false => Error::Nothing,
        };
        let [low, high] = bounds.ok_or(lacking)?;
        let start = bodies.start.map(|start| projection.project(start)).map(|[right, down, _]| [right, down]);
        let mut window = Window::new([[low[0], low[1]], [high[0], high[1]]], start, options)?;
        // Second pass, only if rooms may be closed: the faces seen from their front decide if objects are inside.
        let mut probe = probe.filter(OcclusionProbe::may_be_closed);
        if let Some(probe) = &mut probe {
            for body in bodies.all.iter().filter(|body| !body.is_placeholder()) {
                bodies.visit_all_faces(body, &projection, &materials, Sides::Front, |corners| {
                    if are_in_range(corners) {
                        probe.add_front_face(corners);
                    }
                });
            }
        }
        let cutaway = probe.and_then(OcclusionProbe::into_cutaway);
        // Last pass: the budget depends on the window, and faces that are cut away must not use it.
        let (mut budget, mut left_out, mut cutaway_faces) =
            (FillBudget::new(&window, SAMPLES, least), bodies.left_out, 0);
        let mut exceeds = false;
        for (body, span) in bodies.all.iter().zip(&mut spans) {
            bodies.visit_all_faces(body, &projection, &materials, options.sides, |corners| {
                if !are_in_range(corners) {
                    return;
                }
                if is_cut_away(cutaway.as_ref(), body, corners) {
                    cutaway_faces += 1;
                    return;
                }
                let cost = budget.cost(corners);
                if budget.spend(cost) {
                    span.faces += 1;
                    return;
                }
                span.is_whole = false;
                if cost > 0.0 {
                    left_out += 1;
                    exceeds = true;
                }
            });
        }
        if exceeds && spans.iter().all(|span| span.faces == 0) {
            return Err(Error::TooComplex);
        }
        window.info = RenderInfo {
            bodies: bodies.count,
            boxes: bodies.boxes,
            left_out,
            cutaway_faces,
            missing_textures: materials.count_unreadable(),
            tool_faces: bodies.all.iter().map(|body| bodies.count_undrawn_faces(body, &materials)).sum(),
            ..window.info
        };
        Ok(Self {
            bodies,
            spans,
            projection,
            sides: options.sides,
            cutaway,
            materials,
            window,
            nearest: low[2],
            canvas: Canvas::default(),
            colors: Vec::new(),
            max_bytes: MAX_BYTES,
            band: 0..0,
        })
    }

    /// Returns the transform from the scene to the image.
    pub(crate) fn scene_to_image(&self) -> SceneToImage {
        let ([right, down], [left, top], pixel) = (self.projection.image_rows(), self.window.at, self.window.pixel);
        let place = |[a, b, c, d]: [f64; 4], from: f64| [a / pixel, b / pixel, c / pixel, (d - from) / pixel];
        [place(right, left), place(down, top)]
    }

    /// Returns the marks of objects without a body, and that of the start.
    pub(crate) fn marks(&mut self) -> (Vec<Mark>, Option<Mark>) {
        let (projection, window) = (self.projection, self.window);
        let place = |place: [f64; 3]| {
            let place = projection.project(place);
            are_in_range(&[place]).then(|| window.pixel_at([place[0], place[1]]))
        };
        let marks = std::mem::take(&mut self.bodies.marks);
        let marks = marks.into_iter().filter_map(|marked| Some(marked.mark.moved_to(place(marked.place)?))).collect();
        (marks, self.bodies.start.and_then(place).map(Mark::new_start))
    }

    /// Draws row `y` over the lower layers.
    pub(crate) fn draw(&mut self, y: i64, row: &mut [Color]) {
        if !self.band.contains(&y) {
            self.fill(y, row.len());
        }
        let first = usize::try_from(y - self.band.start).unwrap_or(0).saturating_mul(row.len());
        let colors = self.colors.get(first..).unwrap_or_default();
        row.iter_mut().zip(colors).for_each(|(below, color)| blend_over(*color, below));
    }

    /// Draws a band of rows from `y` on into the canvas, as many as fit the memory.
    fn fill(&mut self, y: i64, pixels: usize) {
        let width = pixels * SAMPLES;
        let rows = self.max_bytes / (width * SAMPLES * Canvas::SAMPLE).max(1);
        let rows = i64::try_from(rows).unwrap_or(i64::MAX).clamp(1, (i64::from(self.window.info.height) - y).max(1));
        self.band = y..y + rows;
        let lines = usize::try_from(rows + 2).unwrap_or(0).saturating_mul(SAMPLES);
        self.canvas.clear(width, lines);
        let Window { at, pixel, .. } = self.window;
        #[allow(clippy::cast_precision_loss)]
        let (scale, top) = (SAMPLES as f64 / pixel, at[1] + (y - 1) as f64 * pixel);
        #[allow(clippy::cast_precision_loss)]
        let bottom = top + (rows + 2) as f64 * pixel;
        let (bodies, spans, cutaway) = (&self.bodies, &self.spans, self.cutaway.as_ref());
        let (projection, materials, sides, nearest) = (&self.projection, &self.materials, self.sides, self.nearest);
        let is_in_band = |span: &Span| span.faces > 0 && span.rows[0] <= bottom && span.rows[1] >= top;
        // Each thread draws all faces that touch its rows, in the same order as the others.
        parallel::map(self.canvas.strips(parallel::threads()), |mut strip| {
            let (mut moved, mut looks) = (Vec::new(), Vec::new());
            // A row more on both sides, because of rounding.
            #[allow(clippy::cast_precision_loss)]
            let place = |line: usize| top + line as f64 / scale;
            let (above, below) = (place(strip.rows.start) - 1.0 / scale, place(strip.rows.end) + 1.0 / scale);
            for (body, span) in bodies.all.iter().zip(spans).filter(|(_, span)| is_in_band(span)) {
                let mut left = span.faces;
                let is_wanted = |block: usize| span.may_touch(block, above, below);
                bodies.visit_faces(body, projection, materials, sides, is_wanted, |_, corners, look| {
                    if left == 0 || !are_in_range(corners) || is_cut_away(cutaway, body, corners) {
                        return;
                    }
                    left -= 1;
                    let touches = corners.iter().any(|corner| corner[1] >= above)
                        && corners.iter().any(|corner| corner[1] <= below);
                    if touches {
                        moved.clear();
                        moved.extend(corners.iter().map(|corner| {
                            [(corner[0] - at[0]) * scale, (corner[1] - top) * scale, (corner[2] - nearest) * scale]
                        }));
                        looks.clear();
                        let surface = look(&mut looks);
                        strip.draw_face(&moved, &surface, &looks);
                    }
                });
            }
        });
        self.colors.clear();
        self.colors.resize(pixels * usize::try_from(rows).unwrap_or(0), CLEAR);
        let canvas = &self.canvas;
        parallel::fill(&mut self.colors, (pixels * ROWS).max(1), |number, part| {
            for (place, row) in part.chunks_mut(pixels.max(1)).enumerate() {
                average(canvas, (number * ROWS + place + 1) * SAMPLES, row);
            }
        });
    }
}

/// Computes a row of pixels from the samples of its lines, from line `first` on.
fn average(canvas: &Canvas, first: usize, row: &mut [Color]) {
    let mut sums = vec![[0_u16; 4]; row.len()];
    for line in first..first + SAMPLES {
        let samples = canvas.row(line);
        let (above, below) = (canvas.row(line.wrapping_sub(1)), canvas.row(line + 1));
        for (x, &Sample { depth, color: [red, green, blue, opacity] }) in samples.iter().enumerate() {
            let Some(sum) = sums.get_mut(x / SAMPLES).filter(|_| depth.is_finite()) else { continue };
            // In translucent faces, samples of the face and of those after it alternate. That is not an edge.
            let at = |samples: &[Sample], x: usize| match samples.get(x) {
                Some(other) if other.color[3] == 255 || other.depth.is_infinite() => other.depth,
                _ => depth,
            };
            let across = at(samples, x.wrapping_sub(1)) + at(samples, x + 1) - 2.0 * depth;
            let down = at(above, x) + at(below, x) - 2.0 * depth;
            // Fast path: most samples are not at an edge.
            let [red, green, blue] = match edge_light(across.max(down), across.min(down)) {
                edge_light if edge_light < 1.0 && opacity == 255 => lit([red, green, blue], edge_light),
                _ => [red, green, blue],
            };
            sum.iter_mut().zip([red, green, blue, 255]).for_each(|(sum, part)| *sum += u16::from(part));
        }
    }
    let samples = u16::try_from(SAMPLES * SAMPLES).unwrap_or(u16::MAX);
    for (color, sum) in row.iter_mut().zip(sums) {
        *color = sum.map(|part| u8::try_from(part / samples).unwrap_or(u8::MAX));
    }
}

/// Returns `true` if a face is removed because it hides the interior.
fn is_cut_away(cutaway: Option<&Cutaway>, body: &Body<'_>, corners: &[[f64; 3]]) -> bool {
    let may_be_wall = !body.is_ground() && !body.is_placeholder();
    cutaway.is_some_and(|cutaway| may_be_wall && cutaway.hides_interior(corners))
}

/// Returns the brightness of a sample by the largest and the smallest change of slope.
fn edge_light(most: f32, least: f32) -> f64 {
    match most.max(-least) {
        _ if most > BORDER_SLOPE => BORDER_LIGHT,
        change if change > EDGE_SLOPE => EDGE_LIGHT,
        _ => 1.0,
    }
}

/// Returns `true` if all coordinates are within [`MAX_DISTANCE`].
fn are_in_range(points: &[[f64; 3]]) -> bool {
    points.iter().flatten().all(|place| place.abs() <= MAX_DISTANCE)
}

/// Extends the rows of a body by others.
fn extend_rows(rows: [f64; 2], others: [f64; 2]) -> [f64; 2] {
    [rows[0].min(others[0]), rows[1].max(others[1])]
}

/// Extends bounds by a point.
fn extend_bounds(bounds: Option<[[f64; 3]; 2]>, [x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    let [low, high] = bounds.unwrap_or([[x, y, z]; 2]);
    [[low[0].min(x), low[1].min(y), low[2].min(z)], [high[0].max(x), high[1].max(y), high[2].max(z)]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Content, Mesh, Node};

    /// Renders all rows over a colour that no face has.
    fn draw_all(mut solid: Solid<'_>) -> Vec<Vec<Color>> {
        let size = [solid.window.info.width, solid.window.info.height].map(|length| length as usize);
        let mut rows = vec![vec![[9, 9, 9, 255]; size[0]]; size[1]];
        (0..).zip(&mut rows).for_each(|(y, row)| solid.draw(y, row));
        rows
    }

    #[test]
    fn faces_beyond_the_fill_budget_are_left_out() {
        // Squares in front of each other. The last one is nearest and has another colour.
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
        // Each covers sixteen by sixteen samples.
        let most = 16 * 16 * 24 / (16 * 2 * 3 + 16 * 16);
        let left_out = |solid: &Solid<'_>| solid.window.info.left_out;
        let solid = Solid::new_with(&all, &options, 0.0).unwrap();
        assert_eq!((left_out(&solid), solid.window.info.bodies), (2000 - most, 1));
        let rows = draw_all(solid);
        let solid = Solid::new(&some, &options).unwrap();
        assert_eq!(left_out(&solid), 0);
        assert_eq!(rows, draw_all(solid));
        let solid = Solid::new(&all, &options).unwrap();
        assert_eq!(left_out(&solid), 0);
        assert_ne!(rows, draw_all(solid));

        // A comb with 400,000 teeth as high as the image.
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
    fn an_image_of_many_bands_equals_that_of_one() {
        let mut scene = Scene::default();
        // Several blocks of faces.
        let positions = (0..1800).map(|place| [place * 37 % 101, place * 61 % 103, place * 83 % 107].map(f64::from));
        let faces = (0..600).map(|face| [face * 3, face * 3 + 1, face * 3 + 2]).collect();
        let mesh = scene.meshes.push(Mesh { positions: positions.collect(), faces, ..Mesh::default() });
        scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        // Between a floor and a ceiling, which is removed in every band.
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
        let draw = |max_bytes: usize| draw_all(Solid { max_bytes, ..Solid::new(&scene, &options).unwrap() });
        let whole = draw(MAX_BYTES);
        assert_eq!(Solid::new(&scene, &options).unwrap().window.info.cutaway_faces, 1);
        assert!(whole.iter().flatten().filter(|color| **color != [9, 9, 9, 255]).count() > 500);
        for rows in [0, 5, 17] {
            assert!(draw(rows * 60 * SAMPLES * SAMPLES * Canvas::SAMPLE) == whole, "{rows}");
        }
    }
}
