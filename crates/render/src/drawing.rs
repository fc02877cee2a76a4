//! The picture of a scene.

use std::cmp::Ordering;
use std::io::Write;

use mapwright_scene::Scene;

use crate::colors::{self, Color, fade, opaque, over};
use crate::level::{FARTHEST, Layer, Level};
use crate::look::Bitmaps;
use crate::marks::{Mark, Marks};
use crate::raster::{Axis, Frame, Row};
use crate::things::{Sprite, Sprites, Turn, order};
use crate::tiles::{Depth, Faces, Looks, Tiles};
use crate::{Area, Error, Filter, Parallax, Ratio, RenderOptions, Scale, Things, View};

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// How large it is.
    pub scale: Ratio,
    /// Left and top of what it shows, in pixels of the level with y down.
    pub from: [i64; 2],
    /// Width and height of what it shows, in pixels of the level.
    pub size: [u32; 2],
    /// Layers of tiles that it shows.
    pub layers: usize,
    /// Things that it shows by a picture or, where they wear a tile, by its colour.
    pub sprites: usize,
    /// Things that it shows by a mark.
    pub marks: usize,
}

/// A picture that is drawn row by row, from the top.
#[derive(Debug)]
pub struct Drawing<'a> {
    picture: Picture,
    frame: Frame,
    bitmaps: Bitmaps,
    strata: Vec<Stratum<'a>>,
    background: Color,
    y: u32,
    /// Where each stratum draws its part of a row.
    part: Row,
    row: Vec<Color>,
    bytes: Vec<u8>,
}

/// What lies over each other. Another kind of content, such as ground with hills, would be another of these.
#[derive(Debug)]
enum Stratum<'a> {
    Tiles(Box<Tiles<'a>>),
    Sprites(Sprites),
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
    /// If there is nothing to draw, no such layer or start, or if the picture would be too large.
    pub fn new(scene: &'a Scene, options: &RenderOptions) -> Result<Self, Error> {
        let level = Level::new(scene)?;
        let only = level.choose(&options.layers)?;
        let base = level.layers.get(only.unwrap_or(level.main)).ok_or(Error::Nothing)?;
        let (from, size) = area(&level, base, options.area)?;
        let (scale, [width, height]) = scaled(size, options)?;
        let exact = scale.level() == 1;
        let frame = Frame {
            x: Axis::new(from[0], scale, width),
            y: Axis::new(from[1], scale, height),
            // Where a pixel never covers more than one, the nearest is their mean.
            mean: options.filter == Filter::Mean && !exact,
        };
        let mut bitmaps = Bitmaps::new(&frame);
        let mut faces = Faces::new();
        let mut strata = Vec::new();
        let mut marks = Vec::new();
        let mut picture = Picture { width, height, scale, from, size: [0; 2], layers: 0, sprites: 0, marks: 0 };
        picture.size = size.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        let collision = options.view == View::Collision && only.is_none();
        for turn in order(&level, only) {
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
                        None => (stand(layer, place == level.main, from, size, options.parallax), layer.layer.wrap),
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
                        match Sprite::new(scene, &level, thing, options, &mut bitmaps) {
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
        let background = opaque(options.background.unwrap_or(colors::BACKGROUND));
        if options.view == View::Objects {
            strata.push(Stratum::Veil(fade(background, VEIL)));
        }
        if options.things != Things::Hidden {
            let start = level.start.map(|start| Mark::start(frame.place(start)));
            let marks = Marks::new(marks, start, &frame);
            picture.marks = marks.things();
            strata.push(Stratum::Marks(marks));
        }
        let (part, row, bytes) = (Row::new(&frame), Vec::new(), Vec::new());
        Ok(Self { picture, frame, bitmaps, strata, background, y: 0, part, row, bytes })
    }

    /// What the picture shows, and how large it is.
    pub const fn picture(&self) -> Picture {
        self.picture
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
                Stratum::Sprites(sprites) => {
                    sprites.draw(&self.frame, &self.bitmaps, y, &mut self.part, &mut self.row);
                }
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
        let mut encoder = png::Encoder::new(out, self.picture.width, self.picture.height - self.y);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        let mut stream = writer.stream_writer_with_size(1 << 16)?;
        while let Some(row) = self.next_row() {
            stream.write_all(row).map_err(Error::Write)?;
        }
        stream.finish()?;
        writer.finish()?;
        Ok(self.picture)
    }
}

/// Draws a scene as a PNG file.
///
/// # Errors
/// If there is nothing to draw, no such layer or start, if the picture would be too large, and what the writer says.
pub fn to_png(scene: &Scene, options: &RenderOptions, out: impl Write) -> Result<Picture, Error> {
    Drawing::new(scene, options)?.write_png(out)
}

/// The part that is drawn, as its upper left corner and its size.
fn area(level: &Level<'_>, base: &Layer<'_>, area: Area) -> Result<([i64; 2], [i64; 2]), Error> {
    let (from, size) = match area {
        Area::Whole => (base.at, base.size()),
        Area::Rectangle { from, size } => {
            let [x, y] = from.map(i64::from);
            ([base.at[0] + x, base.at[1] + y], size.map(|length| i64::from(length).min(FARTHEST)))
        }
        Area::AroundStart(size) => {
            let start = level.start.ok_or(Error::NoStart)?;
            let (whole, size) = (base.size(), size.map(i64::from));
            let left = |axis: usize, start: i64, at: i64, size: i64| {
                let whole = if axis == 0 { whole[0] } else { whole[1] };
                (start - size / 2).min(at + whole - size).max(at)
            };
            let from = [left(0, start[0], base.at[0], size[0]), left(1, start[1], base.at[1], size[1])];
            (from, [size[0].min(whole[0]), size[1].min(whole[1])])
        }
    };
    match (size.contains(&0), area) {
        (false, _) => Ok((from, size)),
        (true, Area::Whole) => Err(Error::Nothing),
        (true, _) => Err(Error::EmptyArea),
    }
}

/// The scale and the size of the picture.
fn scaled(size: [i64; 2], options: &RenderOptions) -> Result<(Ratio, [u32; 2]), Error> {
    let limit = options.max_size.unwrap_or(1 << 15);
    let size = size.map(i64::unsigned_abs);
    let longest = size[0].max(size[1]);
    let fitting = Ratio::fitting(longest, limit);
    let scale = match options.scale {
        Scale::Exactly(scale) => Some(scale),
        Scale::Fit(most) => Ratio::fitting(longest, most.min(limit)),
    };
    let [width, height] = size.map(|length| scale.unwrap_or_default().length(length));
    match (scale, u32::try_from(width), u32::try_from(height)) {
        (Some(scale), Ok(width), Ok(height)) if width <= limit && height <= limit => Ok((scale, [width, height])),
        _ => Err(Error::TooLarge { width, height, limit, fitting }),
    }
}

/// Where a layer has its upper left corner.
fn stand(layer: &Layer<'_>, main: bool, from: [i64; 2], size: [i64; 2], parallax: Parallax) -> [i64; 2] {
    if main || parallax == Parallax::Still {
        return layer.at;
    }
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
