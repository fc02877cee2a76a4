//! Renders a scene to an image.

use std::cmp::Ordering;
use std::io::Write;

use mapwright_scene::Scene;

use crate::appearance::Bitmaps;
use crate::cells::{Cells, SAMPLE_HALVES, has_free_cells};
use crate::colors::{self, Color, blend_over, fade, opaque};
use crate::ground_painter::GroundPainter;
use crate::land::Land;
use crate::legend::Legend;
use crate::level::{Layer, Level, MAX_DISTANCE};
use crate::marks::{Mark, Marks};
use crate::plan::{Extent, plan};
use crate::raster::{Axis, Frame, Row};
use crate::solid::Solid;
use crate::sprites::{DrawStep, Sprite, Sprites, draw_order};
use crate::tiles::{Depth, LayerAppearance, TileSetAppearances, Tiles};
use crate::{Error, Layers, Objects, Parallax, Ratio, RenderOptions, View, png};

/// Size and content of an image.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RenderInfo {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Scale of the image. For solids that were scaled to fit, the nearest of 2, 3, … and 1/2, 1/3, ….
    pub scale: Ratio,
    /// Left and top of the visible area in pixels of the level, y down. See [`Area`](crate::Area) for terrain and solids.
    pub from: [i64; 2],
    /// Width and height of the visible area in pixels of the level. For solids in units of length, rounded up.
    pub size: [u32; 2],
    /// Number of tile layers or terrains.
    pub layers: usize,
    /// Number of objects that are drawn as an image, or as a tile in its colour.
    pub sprites: usize,
    /// Number of objects that are drawn as a mark.
    pub marks: usize,
    /// Number of meshes, brushes and terrains that are drawn as solids, including instances.
    pub bodies: usize,
    /// Number of entities whose model is in another file, drawn as a box.
    pub boxes: usize,
    /// Number of solids that are not drawn: brushes without volume, and copies and faces beyond the limits.
    pub left_out: usize,
    /// Number of faces that are removed to show the interior of closed rooms; see [`Sides::Open`](crate::Sides::Open).
    pub cutaway_faces: usize,
    /// Number of textures of solids that are not drawn, because their image is missing, unreadable or beyond the limits.
    pub missing_textures: usize,
    /// Number of faces that are not drawn because of their [tool material](mapwright_scene::Material::is_tool).
    pub tool_faces: usize,
    /// Units of length per pixel, for solids.
    pub units_per_pixel: Option<f64>,
}

impl RenderInfo {
    /// Creates the information for an image without content.
    pub(crate) const fn new_empty(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            scale: Ratio::ONE,
            from: [0; 2],
            size: [width, height],
            layers: 0,
            sprites: 0,
            marks: 0,
            bodies: 0,
            boxes: 0,
            left_out: 0,
            cutaway_faces: 0,
            missing_textures: 0,
            tool_faces: 0,
            units_per_pixel: None,
        }
    }
}

/// Renders a scene row by row, from the top.
#[derive(Debug)]
pub struct Drawing<'a> {
    info: RenderInfo,
    frame: Frame,
    bitmaps: Bitmaps,
    strata: Vec<Stratum<'a>>,
    /// Above all layers. It does not make an image visible, so no layer contains it.
    legend: Option<Legend>,
    background: Color,
    /// From the scene to the image.
    scene_to_image: SceneToImage,
    y: u32,
    /// Number of the next rows that are known to be empty.
    empty_rows: u32,
    /// `true` if the row after the empty ones is already in the buffer.
    is_ahead: bool,
    /// Buffer in which each stratum draws its part of a row.
    part: Row,
    row: Vec<Color>,
    bytes: Vec<u8>,
}

/// A transform from the scene to the image. It gives the columns and rows as factors of x, y, z and 1.
pub(crate) type SceneToImage = [[f64; 4]; 2];

/// A layer of the image. Layers are drawn over each other.
#[derive(Debug)]
enum Stratum<'a> {
    Tiles(Box<Tiles<'a>>),
    Cells(Box<Cells<'a>>),
    Ground(Box<GroundPainter<'a>>),
    Sprites(Sprites),
    Solid(Box<Solid<'a>>),
    /// A colour over all lower layers.
    Veil(Color),
    Marks(Marks),
}

/// Maximum number of layers that cache a row. Thousands of caches would need more memory than the image.
const MAX_ROW_CACHES: usize = 64;
/// Opacity of the background colour between the level and its marks in [`View::Objects`].
const VEIL_OPACITY: u8 = 176;

impl<'a> Drawing<'a> {
    /// Prepares rendering.
    ///
    /// # Errors
    /// If the scene has no content for the view, no such layer or no start, if the area is empty, or if the image would be too
    /// large.
    pub fn new(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        let drawing = Self::from_scene(scene, options)?;
        let RenderInfo { width, height, .. } = drawing.info;
        match options.max_pixels.filter(|limit| u64::from(width) * u64::from(height) > *limit) {
            Some(limit) => Err(Error::TooManyPixels { width, height, limit }),
            None => Ok(drawing),
        }
    }

    fn from_scene(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        let view = options.view;
        if view == View::Solid {
            return Self::from_solid(scene, options);
        }
        match (Level::new(scene, options.hidden), view) {
            (Ok(level), View::Relief) => match Land::new(scene, &options.layers, options.hidden) {
                Err(Error::Nothing) if !level.layers.is_empty() => Err(Error::NoView { view }),
                land => Self::from_land(scene, &land?, options),
            },
            (Ok(level), _) => Self::from_level(scene, &level, options),
            (Err(_), View::Collision) if Land::new(scene, &Layers::All, true).is_ok() => Err(Error::NoView { view }),
            (Err(_), _) => match Land::new(scene, &options.layers, options.hidden) {
                Err(Error::Nothing) if view.shows_solids() => Self::from_solid(scene, options),
                Err(Error::Nothing) if !matches!(Solid::new(scene, options), Err(Error::Nothing)) => {
                    Err(Error::NoView { view })
                }
                land => Self::from_land(scene, &land?, options),
            },
        }
    }

    fn from_solid(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        let mut solid = Solid::new(scene, options)?;
        let info = solid.window.info;
        let axis = |length: u32| Axis::new(0, Ratio::ONE, length);
        let frame = Frame { x: axis(info.width), y: axis(info.height), mean: false };
        let (marks, start) = if options.objects.has_marks() { solid.marks() } else { (Vec::new(), None) };
        let scene_to_image = solid.scene_to_image();
        let strata = vec![Stratum::Solid(Box::new(solid))];
        Ok(Self::new_with(info, frame, scene_to_image, Bitmaps::new(&frame), strata, marks, start, options))
    }

    fn from_land(scene: &Scene, land: &Land<'a>, options: &RenderOptions) -> Result<Self, Error> {
        let extent = Extent { at: [0; 2], size: land.size, start: land.start() };
        let (mut info, frame) = plan(&extent, options)?;
        let strata: Vec<_> =
            land.painters(scene, &frame, options).into_iter().map(|ground| Stratum::Ground(Box::new(ground))).collect();
        info.layers = strata.len();
        let marks = if options.objects.has_marks() { land.marks(&frame) } else { Vec::new() };
        let start = land.start_mark(&frame);
        Ok(Self::new_with(
            info,
            frame,
            land.scene_to_image(&frame),
            Bitmaps::new(&frame),
            strata,
            marks,
            start,
            options,
        ))
    }

    fn from_level(scene: &'a Scene, level: &Level<'a>, options: &RenderOptions) -> Result<Self, Error> {
        let only = level.find_layer(&options.layers)?;
        let extent = level.layers.get(only.unwrap_or(level.main)).ok_or(Error::Nothing)?;
        let extent = Extent { at: extent.at, size: extent.size(), start: level.start };
        let (mut info, frame) = plan(&extent, options)?;
        let frame_of = |layer: &Layer<'_>, place: usize| match options.parallax {
            Parallax::Stretched if only.is_none() && place != level.main => frame.stretched(layer.layer.parallax),
            _ => frame,
        };
        // Images are as fine as the layer needs that is enlarged the most. A layer that hardly moves shows few of its pixels.
        let is_moved = |layer: &Layer<'_>| layer.layer.parallax.iter().all(|factor| *factor >= 0.1);
        let frames = level.layers.iter().enumerate().filter(|(_, layer)| is_moved(layer));
        let frames = frames.map(|(place, layer)| frame_of(layer, place));
        let finest = frames.min_by_key(|frame| frame.x.image / frame.x.level.max(1)).unwrap_or(frame);
        let mut bitmaps = Bitmaps::new(&finest);
        if level.layers.iter().any(|layer| has_free_cells(scene, layer.layer)) {
            bitmaps.keep_finer(SAMPLE_HALVES);
        }
        let mut appearances = TileSetAppearances::new();
        let mut strata = Vec::new();
        let mut marks = Vec::new();
        let collision = options.view == View::Collision && only.is_none();
        for step in draw_order(level, only) {
            match step {
                DrawStep::Layer(place, layer) => {
                    if layer.size().contains(&0) || (collision && place != level.main) {
                        continue;
                    }
                    let depth = match place.cmp(&level.main) {
                        Ordering::Less if only.is_none() => Depth::Background,
                        Ordering::Greater if only.is_none() => Depth::Foreground,
                        _ => Depth::Main,
                    };
                    let appearance = LayerAppearance::new(scene, layer, depth, options, &mut appearances, &mut bitmaps);
                    let (at, wrap) = match only {
                        Some(_) => (layer.at, [false; 2]),
                        None if place == level.main => (layer.at, layer.layer.wrap),
                        None => (layer_corner(layer, &info, options.parallax), layer.layer.wrap),
                    };
                    let frame = frame_of(layer, place);
                    let has_other_size = |place: usize| bitmaps.get(place).is_some_and(|it| it.size != layer.tile);
                    let is_free = has_free_cells(scene, layer.layer)
                        || (wrap == [false; 2]
                            && !level.cuts_images
                            && options.view != View::Collision
                            && appearance.images().flatten().any(has_other_size));
                    strata.push(if is_free {
                        Stratum::Cells(Box::new(Cells::new(scene, layer.layer, at, appearance, &frame, &mut bitmaps)))
                    } else {
                        let caches_rows = info.layers < MAX_ROW_CACHES;
                        Stratum::Tiles(Box::new(Tiles::new(layer, at, wrap, appearance, &frame, caches_rows)))
                    });
                    info.layers += 1;
                }
                DrawStep::Objects(objects) => {
                    if options.objects == Objects::Hidden {
                        continue;
                    }
                    let mut sprites = Vec::new();
                    for object in objects {
                        match Sprite::new(scene, level, object, options, &mut bitmaps) {
                            Some(sprite) => sprites.push(sprite),
                            None => marks.push(Mark::from_class(&object.entity.class, frame.image_pixel(object.at))),
                        }
                    }
                    info.sprites += sprites.len();
                    if !sprites.is_empty() {
                        strata.push(Stratum::Sprites(Sprites::new(sprites, &frame)));
                    }
                }
            }
        }
        let start = level.start.map(|start| Mark::new_start(frame.image_pixel(start)));
        let (across, down) = (per_pixel(&frame.x), per_pixel(&frame.y));
        #[allow(clippy::cast_precision_loss)]
        let [left, top] = [frame.x.origin as f64 * across, frame.y.origin as f64 * down];
        let scene_to_image = [[across, 0.0, 0.0, -left], [0.0, -down, 0.0, -top]];
        Ok(Self::new_with(info, frame, scene_to_image, bitmaps, strata, marks, start, options))
    }

    /// Adds the marks to the lower layers.
    #[allow(clippy::too_many_arguments)]
    fn new_with(
        mut info: RenderInfo,
        frame: Frame,
        scene_to_image: SceneToImage,
        bitmaps: Bitmaps,
        mut strata: Vec<Stratum<'a>>,
        marks: Vec<Mark>,
        start: Option<Mark>,
        options: &RenderOptions,
    ) -> Self {
        let background = opaque(options.background.unwrap_or(colors::BACKGROUND));
        if options.view == View::Objects {
            strata.push(Stratum::Veil(fade(background, VEIL_OPACITY)));
        }
        if options.objects.has_marks() {
            let marks = Marks::new(marks, start, &frame);
            info.marks = marks.count_objects();
            strata.push(Stratum::Marks(marks));
        }
        let (part, row, bytes) = (Row::new(&frame), Vec::new(), Vec::new());
        Self {
            info,
            frame,
            bitmaps,
            strata,
            legend: Legend::new(&options.legend, [info.width, info.height]),
            background,
            scene_to_image,
            y: 0,
            empty_rows: 0,
            is_ahead: false,
            part,
            row,
            bytes,
        }
    }

    /// Returns the size and content of the image.
    pub const fn info(&self) -> RenderInfo {
        self.info
    }

    /// Transforms a point of the scene to columns and rows of the image. It may lie outside. Points that are not finite give results
    /// that are not finite.
    pub fn to_image(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        self.scene_to_image.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }

    /// Renders the next row as red, green and blue of each pixel. Returns `None` after the last one.
    pub fn next_row(&mut self) -> Option<&[u8]> {
        if self.y >= self.info.height {
            return None;
        }
        let y = self.y;
        self.y += 1;
        if self.empty_rows > 0 {
            self.empty_rows -= 1;
            let [red, green, blue, _] = self.empty_color();
            self.bytes.clear();
            self.bytes.extend([red, green, blue].repeat(self.info.width as usize));
        } else {
            if !std::mem::take(&mut self.is_ahead) {
                self.draw_row(y);
            }
            self.bytes.clear();
            self.bytes.extend(self.row.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]));
        }
        if let Some(legend) = &self.legend {
            legend.draw(y, &mut self.bytes);
        }
        Some(&self.bytes)
    }

    /// Returns the colour of a pixel without content.
    fn empty_color(&self) -> Color {
        let mut color = self.background;
        for stratum in &self.strata {
            if let Stratum::Veil(veil) = stratum {
                blend_over(*veil, &mut color);
            }
        }
        color
    }

    /// Draws rows until one shows something. Rows that were drawn are not drawn again when the image is written.
    ///
    /// # Errors
    /// [`Error::NothingVisible`] if no row shows anything.
    pub fn check_visible(&mut self) -> Result<(), Error> {
        if self.y > 0 || self.is_ahead {
            return Ok(());
        }
        let empty = self.empty_color();
        for y in 0..self.info.height {
            self.draw_row(y);
            if self.row.iter().any(|color| *color != empty) {
                (self.empty_rows, self.is_ahead) = (y, true);
                return Ok(());
            }
        }
        Err(Error::NothingVisible { info: Box::new(self.info) })
    }

    /// Draws a row into the buffer. Rows must be drawn from the top.
    fn draw_row(&mut self, y: u32) {
        let y = i64::from(y);
        self.row.clear();
        self.row.resize(self.info.width as usize, self.background);
        for stratum in &mut self.strata {
            match stratum {
                Stratum::Tiles(tiles) => tiles.draw(&self.bitmaps, y, &mut self.part, &mut self.row),
                Stratum::Cells(cells) => cells.draw(&self.bitmaps, y, &mut self.row),
                Stratum::Ground(ground) => ground.draw(y, &mut self.row),
                Stratum::Sprites(sprites) => {
                    sprites.draw(&self.frame, &self.bitmaps, y, &mut self.part, &mut self.row);
                }
                Stratum::Solid(solid) => solid.draw(y, &mut self.row),
                Stratum::Veil(color) => self.row.iter_mut().for_each(|below| blend_over(*color, below)),
                Stratum::Marks(marks) => marks.draw(y, &mut self.row),
            }
        }
    }

    /// Renders the remaining rows to a PNG file.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_png(self, out: impl Write) -> Result<RenderInfo, Error> {
        self.write_png_with(out, |_| {})
    }

    /// Renders the remaining rows like [`write_png`](Self::write_png). Calls `progress` with the number of finished rows after each row.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_png_with(mut self, out: impl Write, mut progress: impl FnMut(u32)) -> Result<RenderInfo, Error> {
        png::write(out, [self.info.width, self.info.height - self.y], |out| {
            while let Some(row) = self.next_row() {
                out.write_all(row)?;
                progress(self.y);
            }
            Ok(())
        })?;
        Ok(self.info)
    }
}

/// Returns the width of a pixel of the level in pixels of the image.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn per_pixel(axis: &Axis) -> f64 {
    axis.level as f64 / axis.image as f64
}

/// Renders a scene to a PNG file.
///
/// # Errors
/// Errors of [`Drawing::new`], and errors of the writer.
pub fn to_png(scene: &Scene, options: &RenderOptions, out: impl Write) -> Result<RenderInfo, Error> {
    Drawing::new(scene, options)?.write_png(out)
}

/// Returns the upper left corner of a layer that is not the main one.
fn layer_corner(layer: &Layer<'_>, info: &RenderInfo, parallax: Parallax) -> [i64; 2] {
    if parallax != Parallax::Camera {
        return layer.at;
    }
    let (from, size) = (info.from, info.size.map(i64::from));
    let own = layer.size();
    let axis = |axis: usize| {
        let get = |pair: [i64; 2]| pair.get(axis).copied().unwrap_or(0);
        let factor = layer.layer.parallax.get(axis).copied().unwrap_or(1.0);
        let wrap = layer.layer.wrap.get(axis).copied().unwrap_or(false);
        let (from, view, own) = (get(from), get(size), get(own));
        // As in the engine: the layer moves by its factor of the camera's way in single precision, and the view stays inside the
        // layer. A smaller layer is at the end of the view.
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
        let middle = ((from + view / 2) as f32 * factor as f32) as i64;
        let middle = if wrap { middle.rem_euclid(own.max(1)) } else { middle.clamp(0, (own - 1).max(0)) };
        let left = middle - view / 2;
        let left = if wrap { left } else { left.max(0).min(own - view) };
        from - left.clamp(-MAX_DISTANCE, MAX_DISTANCE)
    };
    [axis(0), axis(1)]
}
