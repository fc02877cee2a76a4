//! The picture of a scene.

use std::cmp::Ordering;
use std::io::Write;

use mapwright_scene::Scene;

use crate::colors::{self, Color, fade, opaque, over};
use crate::land::Land;
use crate::level::{FARTHEST, Layer, Level};
use crate::look::Bitmaps;
use crate::marks::{Mark, Marks};
use crate::painted::Painted;
use crate::plan::{Base, plan};
use crate::raster::{Axis, Frame, Row};
use crate::solid::Solid;
use crate::things::{Sprite, Sprites, Turn, order};
use crate::tiles::{Depth, Faces, Looks, Tiles};
use crate::{Error, Layers, Parallax, Ratio, RenderOptions, Things, View, png};

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// How large it is; of solids that were made to fit, the nearest of 2, 3, … and 1/2, 1/3, ….
    pub scale: Ratio,
    /// Left and top of what it shows, in pixels of the level with y down; see [`Area`](crate::Area) for those of land and of solids.
    pub from: [i64; 2],
    /// Width and height of what it shows, in pixels of the level; of solids in units of length, rounded up.
    pub size: [u32; 2],
    /// Layers of tiles, or terrains, that it shows.
    pub layers: usize,
    /// Things that it shows by a picture or, where they wear a tile, by its colour.
    pub sprites: usize,
    /// Things that it shows by a mark.
    pub marks: usize,
    /// Meshes, brushes and terrains of solids, each counted as often as it stands somewhere.
    pub bodies: usize,
    /// Of solids, what is not drawn: brushes whose planes enclose nothing, and copies and faces beyond the limits.
    pub left_out: usize,
    /// Of solids, faces that hid the inside of closed rooms, and so are not drawn; see [`Sides::Open`](crate::Sides::Open).
    pub opened: usize,
    /// Of solids, units of length in a pixel.
    pub pixel: Option<f64>,
}

impl Picture {
    /// Of nothing.
    pub(crate) const fn empty(width: u32, height: u32) -> Self {
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
            left_out: 0,
            opened: 0,
            pixel: None,
        }
    }
}

/// A picture that is drawn row by row, from the top.
#[derive(Debug)]
pub struct Drawing<'a> {
    picture: Picture,
    frame: Frame,
    bitmaps: Bitmaps,
    strata: Vec<Stratum<'a>>,
    background: Color,
    /// From the scene to the picture.
    places: Places,
    y: u32,
    /// Where each stratum draws its part of a row.
    part: Row,
    row: Vec<Color>,
    bytes: Vec<u8>,
}

/// How far right and down in the picture a point of the scene is: what x, y, z and 1 are multiplied by.
pub(crate) type Places = [[f64; 4]; 2];

/// What lies over each other.
#[derive(Debug)]
enum Stratum<'a> {
    Tiles(Box<Tiles<'a>>),
    Ground(Box<Painted<'a>>),
    Sprites(Sprites),
    Solid(Box<Solid<'a>>),
    /// A colour over all that is below.
    Veil(Color),
    Marks(Marks),
}

/// How many layers keep a row, lest thousands of them ask for more memory than the picture.
const KEPT: usize = 64;
/// How much of what is below marks is veiled where marks are what is looked for.
const VEIL: u8 = 176;

impl<'a> Drawing<'a> {
    /// Gets everything ready to be drawn.
    ///
    /// # Errors
    /// If there is nothing to draw or nothing of which there is such a view, no such layer or start, if the area is empty, or if the
    /// picture would be too large.
    pub fn new(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        let view = options.view;
        if view == View::Solid {
            return Self::of_solid(scene, options);
        }
        match (Level::new(scene), view) {
            (Ok(level), View::Relief) => match Land::new(scene, &options.layers) {
                Err(Error::Nothing) if !level.layers.is_empty() => Err(Error::NoView { view }),
                land => Self::of_land(&land?, options),
            },
            (Ok(level), _) => Self::of_level(scene, &level, options),
            (Err(_), View::Collision) if Land::new(scene, &Layers::All).is_ok() => Err(Error::NoView { view }),
            (Err(_), _) => match Land::new(scene, &options.layers) {
                Err(Error::Nothing) if view.shows_solids() => Self::of_solid(scene, options),
                Err(Error::Nothing) if !matches!(Solid::new(scene, options), Err(Error::Nothing)) => {
                    Err(Error::NoView { view })
                }
                land => Self::of_land(&land?, options),
            },
        }
    }

    fn of_solid(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        let mut solid = Solid::new(scene, options)?;
        let picture = solid.window.picture;
        let axis = |length: u32| Axis::new(0, Ratio::ONE, length);
        let frame = Frame { x: axis(picture.width), y: axis(picture.height), mean: false };
        let (marks, start) = if options.things.has_marks() { solid.marks() } else { (Vec::new(), None) };
        let places = solid.places();
        let strata = vec![Stratum::Solid(Box::new(solid))];
        Ok(Self::new_with(picture, frame, places, Bitmaps::new(&frame), strata, marks, start, options))
    }

    fn of_land(land: &Land<'a>, options: &RenderOptions) -> Result<Self, Error> {
        let base = Base { at: [0; 2], size: land.size, start: land.start() };
        let (mut picture, frame) = plan(&base, options)?;
        let strata: Vec<_> =
            land.painted(&frame, options).into_iter().map(|ground| Stratum::Ground(Box::new(ground))).collect();
        picture.layers = strata.len();
        let marks = if options.things.has_marks() { land.marks(&frame) } else { Vec::new() };
        let start = land.start_mark(&frame);
        Ok(Self::new_with(picture, frame, land.places(&frame), Bitmaps::new(&frame), strata, marks, start, options))
    }

    fn of_level(scene: &'a Scene, level: &Level<'a>, options: &RenderOptions) -> Result<Self, Error> {
        let only = level.choose(&options.layers)?;
        let base = level.layers.get(only.unwrap_or(level.main)).ok_or(Error::Nothing)?;
        let base = Base { at: base.at, size: base.size(), start: level.start };
        let (mut picture, frame) = plan(&base, options)?;
        let mut bitmaps = Bitmaps::new(&frame);
        let mut faces = Faces::new();
        let mut strata = Vec::new();
        let mut marks = Vec::new();
        let collision = options.view == View::Collision && only.is_none();
        for turn in order(level, only) {
            match turn {
                Turn::Layer(place, layer) => {
                    if layer.size().contains(&0) || (collision && place != level.main) {
                        continue;
                    }
                    let depth = match place.cmp(&level.main) {
                        Ordering::Less if only.is_none() => Depth::Behind,
                        Ordering::Greater if only.is_none() => Depth::Before,
                        _ => Depth::Main,
                    };
                    let looks = Looks::new(scene, layer, depth, options, &mut faces, &mut bitmaps);
                    let (at, wrap) = match only {
                        Some(_) => (layer.at, [false; 2]),
                        None if place == level.main => (layer.at, layer.layer.wrap),
                        None => (stand(layer, &picture, options.parallax), layer.layer.wrap),
                    };
                    strata.push(Stratum::Tiles(Box::new(Tiles::new(
                        layer,
                        at,
                        wrap,
                        looks,
                        &frame,
                        picture.layers < KEPT,
                    ))));
                    picture.layers += 1;
                }
                Turn::Things(things) => {
                    if options.things == Things::Hidden {
                        continue;
                    }
                    let mut sprites = Vec::new();
                    for thing in things {
                        match Sprite::new(scene, level, thing, options, &mut bitmaps) {
                            Some(sprite) => sprites.push(sprite),
                            None => marks.push(Mark::of(&thing.entity.class, frame.place(thing.at))),
                        }
                    }
                    picture.sprites += sprites.len();
                    if !sprites.is_empty() {
                        strata.push(Stratum::Sprites(Sprites::new(sprites, &frame)));
                    }
                }
            }
        }
        let start = level.start.map(|start| Mark::start(frame.place(start)));
        let (across, down) = (per_pixel(&frame.x), per_pixel(&frame.y));
        #[allow(clippy::cast_precision_loss)]
        let [left, top] = [frame.x.origin as f64 * across, frame.y.origin as f64 * down];
        let places = [[across, 0.0, 0.0, -left], [0.0, -down, 0.0, -top]];
        Ok(Self::new_with(picture, frame, places, bitmaps, strata, marks, start, options))
    }

    /// Of what lies below marks.
    #[allow(clippy::too_many_arguments)]
    fn new_with(
        mut picture: Picture,
        frame: Frame,
        places: Places,
        bitmaps: Bitmaps,
        mut strata: Vec<Stratum<'a>>,
        marks: Vec<Mark>,
        start: Option<Mark>,
        options: &RenderOptions,
    ) -> Self {
        let background = opaque(options.background.unwrap_or(colors::BACKGROUND));
        if options.view == View::Objects {
            strata.push(Stratum::Veil(fade(background, VEIL)));
        }
        if options.things.has_marks() {
            let marks = Marks::new(marks, start, &frame);
            picture.marks = marks.things();
            strata.push(Stratum::Marks(marks));
        }
        let (part, row, bytes) = (Row::new(&frame), Vec::new(), Vec::new());
        Self { picture, frame, bitmaps, strata, background, places, y: 0, part, row, bytes }
    }

    /// What the picture shows, and how large it is.
    pub const fn picture(&self) -> Picture {
        self.picture
    }

    /// Where a point of the scene is in the picture: how many pixels right and down of its upper left corner, which may be outside.
    /// What is no place in the scene is none in the picture.
    pub fn place(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        self.places.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }

    /// Draws the next row: red, green and blue of each pixel. `None` below the last.
    pub fn next_row(&mut self) -> Option<&[u8]> {
        if self.y >= self.picture.height {
            return None;
        }
        let y = i64::from(self.y);
        self.y += 1;
        self.row.clear();
        self.row.resize(self.picture.width as usize, self.background);
        for stratum in &mut self.strata {
            match stratum {
                Stratum::Tiles(tiles) => tiles.draw(&self.frame, &self.bitmaps, y, &mut self.part, &mut self.row),
                Stratum::Ground(ground) => ground.draw(y, &mut self.row),
                Stratum::Sprites(sprites) => {
                    sprites.draw(&self.frame, &self.bitmaps, y, &mut self.part, &mut self.row);
                }
                Stratum::Solid(solid) => solid.draw(y, &mut self.row),
                Stratum::Veil(color) => self.row.iter_mut().for_each(|below| over(*color, below)),
                Stratum::Marks(marks) => marks.draw(y, &mut self.row),
            }
        }
        self.bytes.clear();
        self.bytes.extend(self.row.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]));
        Some(&self.bytes)
    }

    /// Writes the rows that are left as a PNG file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_png(mut self, out: impl Write) -> Result<Picture, Error> {
        png::write(out, [self.picture.width, self.picture.height - self.y], |out| {
            while let Some(row) = self.next_row() {
                out.write_all(row)?;
            }
            Ok(())
        })?;
        Ok(self.picture)
    }
}

/// Pixels of the picture in one of the level.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn per_pixel(axis: &Axis) -> f64 {
    axis.level as f64 / axis.picture as f64
}

/// Draws a scene as a PNG file.
///
/// # Errors
/// Those of [`Drawing::new`], and what the writer says.
pub fn to_png(scene: &Scene, options: &RenderOptions, out: impl Write) -> Result<Picture, Error> {
    Drawing::new(scene, options)?.write_png(out)
}

/// Where a layer has its upper left corner that is not the main one.
fn stand(layer: &Layer<'_>, picture: &Picture, parallax: Parallax) -> [i64; 2] {
    if parallax == Parallax::Still {
        return layer.at;
    }
    let (from, size) = (picture.from, picture.size.map(i64::from));
    let own = layer.size();
    let axis = |axis: usize| {
        let get = |pair: [i64; 2]| pair.get(axis).copied().unwrap_or(0);
        let factor = layer.layer.parallax.get(axis).copied().unwrap_or(1.0);
        let wrap = layer.layer.wrap.get(axis).copied().unwrap_or(false);
        let (from, view, own) = (get(from), get(size), get(own));
        // As the engine does it: the middle is at that share of the camera's, and the view stays in the layer.
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
        let middle = ((from + view / 2) as f64 * factor) as i64;
        let middle = if wrap { middle.rem_euclid(own.max(1)) } else { middle.clamp(0, (own - 1).max(0)) };
        let left = middle - view / 2;
        let left = if wrap { left } else { left.min(own - view).max(0) };
        from - left.clamp(-FARTHEST, FARTHEST)
    };
    [axis(0), axis(1)]
}
