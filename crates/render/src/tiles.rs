//! Layers of tiles, row by row.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use mapwright_scene::{Arena, Cell, Collision, Image, Scene, Tile, TileSetId};

use crate::colors::{self, CLEAR, Color, Weight, fade, lay, opaque};
use crate::level::Layer;
use crate::look::{Bitmaps, Flips, Look};
use crate::raster::{Axis, Frame, Row};
use crate::{RenderOptions, View};

/// A layer that is drawn.
#[derive(Debug)]
pub(crate) struct Tiles<'a> {
    words: &'a [u32],
    /// Words in a row of cells.
    stride: usize,
    /// Columns and rows, none of them 0.
    cells: [i64; 2],
    tile: [i64; 2],
    at: [i64; 2],
    wrap: [bool; 2],
    looks: Looks<'a>,
    /// Whether tiles are so small that one of them stands for all in a pixel.
    sparse: bool,
    /// Whether there is memory to keep a row.
    keeps: bool,
    /// The row of cells that is kept: it fills a row of the picture and looks the same all over.
    shown: Option<i64>,
    kept: Vec<Color>,
}

/// What words of cells look like.
#[derive(Debug)]
pub(crate) struct Looks<'a> {
    sets: Vec<(&'a [Tile], Arc<[Face]>)>,
    fill: Look,
    /// Whether tiles are known by their numbers.
    numbers: bool,
    depth: Depth,
}

/// What a tile of a set looks like, as short as it gets: sets have up to 65,536 of them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Face {
    /// The colour of its number.
    Number(Weight),
    Flat(Color),
    /// As its rectangle of collision.
    Framed,
    /// A place in [`Bitmaps`].
    Picture(u32),
}

/// One table of faces for each set, however many layers name it however often.
pub(crate) type Faces = HashMap<TileSetId, Arc<[Face]>>;

/// Where a layer is, which decides about colours that are made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Behind the main one: hardly to be told from the background.
    Behind,
    /// The main one, or the only one: as they are.
    Main,
    /// In front of the main one, which is seen through it.
    Before,
}

impl<'a> Looks<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        layer: &Layer<'_>,
        depth: Depth,
        options: &RenderOptions,
        faces: &mut Faces,
        bitmaps: &mut Bitmaps,
    ) -> Self {
        let mut sets = Vec::new();
        // Cells have 16 bits for the set.
        for id in layer.layer.tile_sets.iter().take(1 << 16) {
            let tiles = scene.tile_sets.get(*id).map(|set| set.tiles.as_slice()).unwrap_or_default();
            let tiles = tiles.get(..1 << 16).unwrap_or(tiles);
            let table = faces.entry(*id).or_insert_with(|| {
                tiles.iter().map(|tile| Face::new(tile, &scene.images, options.view, bitmaps)).collect()
            });
            sets.push((tiles, Arc::clone(table)));
        }
        let fill = layer.layer.fill.unwrap_or(0);
        // The engine takes the lowest byte.
        let named = options.palette.get((fill & 0xFF) as usize).copied();
        let numbers = options.view != View::Collision;
        let fill = match named {
            _ if !numbers => CLEAR,
            Some(named) => opaque(named),
            None => lean(colors::fill(fill), depth),
        };
        Self { sets, fill: Look::Flat(fill), numbers, depth }
    }

    pub(crate) fn get(&self, word: u32) -> Look {
        let (number, set) = match Cell::from_word(word) {
            Cell::Empty => return Look::Flat(CLEAR),
            Cell::Fill => return self.fill,
            Cell::Tile { set, tile } => (tile, set),
        };
        let place = usize::from(number);
        let (tiles, faces) =
            self.sets.get(usize::from(set)).map(|(tiles, faces)| (*tiles, &**faces)).unwrap_or_default();
        match faces.get(place) {
            Some(Face::Number(weight)) => Look::Flat(numbered(number, set, *weight, self.depth)),
            Some(Face::Flat(color)) => Look::Flat(*color),
            Some(Face::Framed) => tiles.get(place).map_or(Look::Flat(CLEAR), |tile| framed(&tile.collision)),
            Some(Face::Picture(place)) => Look::Picture(*place as usize),
            None if self.numbers => Look::Flat(numbered(number, set, Weight::Middle, self.depth)),
            None => Look::Flat(colors::UNKNOWN),
        }
    }
}

impl Face {
    fn new(tile: &Tile, images: &Arena<Image>, view: View, bitmaps: &mut Bitmaps) -> Self {
        let picture = match view {
            View::Collision => return Self::touch(&tile.collision, bitmaps),
            View::Numbers => None,
            _ => tile.image.and_then(|image| bitmaps.take(images, image, Flips::default())),
        };
        picture.and_then(Self::picture).unwrap_or_else(|| Self::Number(weight(tile)))
    }

    fn picture(place: usize) -> Option<Self> {
        u32::try_from(place).ok().map(Self::Picture)
    }

    /// What a tile is to the touch.
    fn touch(collision: &Collision, bitmaps: &mut Bitmaps) -> Self {
        match collision {
            Collision::Unknown => Self::Flat(colors::UNKNOWN),
            Collision::Uniform(attribute) => Self::Flat(colors::attribute(*attribute)),
            Collision::Rectangle { .. } => Self::Framed,
            Collision::Mask { width, height, attributes } => {
                let area = u64::from(*width) * u64::from(*height);
                let fits = attributes.len() as u64 >= area && bitmaps.fits(area);
                let made = usize::try_from(*width).ok().filter(|&width| width > 0 && fits).and_then(|width| {
                    let whole = attributes.chunks_exact(width).take(usize::try_from(*height).unwrap_or(0));
                    let colors = whole.flatten().map(|&attribute| colors::attribute(attribute)).collect();
                    bitmaps.make(width, colors)
                });
                made.and_then(Self::picture).unwrap_or(Self::Flat(colors::UNKNOWN))
            }
        }
    }
}

/// The rectangle of collision of a tile.
fn framed(collision: &Collision) -> Look {
    match *collision {
        Collision::Rectangle { outside, inside, bounds: [left, top, right, bottom] } => Look::Framed {
            outside: colors::attribute(outside),
            inside: colors::attribute(inside),
            bounds: [i64::from(left), i64::from(top), i64::from(right) + 1, i64::from(bottom) + 1],
        },
        _ => Look::Flat(CLEAR),
    }
}

/// How much a tile stands out: what stands in the way is brighter than what does not.
pub(crate) fn weight(tile: &Tile) -> Weight {
    match tile.collision {
        Collision::Uniform(0) => Weight::Light,
        Collision::Unknown => Weight::Middle,
        _ => Weight::Heavy,
    }
}

/// The colour of a tile number.
pub(crate) fn numbered(number: u16, set: u16, weight: Weight, depth: Depth) -> Color {
    lean(colors::number(number, set, weight), depth)
}

fn lean(color: [u8; 3], depth: Depth) -> Color {
    match depth {
        Depth::Behind => opaque(colors::mix(color, colors::BACKGROUND, 208)),
        Depth::Main => opaque(color),
        Depth::Before => fade(opaque(color), 80),
    }
}

impl<'a> Tiles<'a> {
    /// A layer with its upper left corner at `at`, which must have cells. Whether it keeps a row decides about its pace, not about
    /// how it looks.
    pub(crate) fn new(
        layer: &Layer<'a>,
        at: [i64; 2],
        wrap: [bool; 2],
        looks: Looks<'a>,
        frame: &Frame,
        keeps: bool,
    ) -> Self {
        // 16 cells across a pixel are enough to see what there is most of; without a bound, a layer that repeats could ask
        // for any amount of work.
        let small = |tile: i64, axis: &Axis| tile * axis.level * 16 < axis.picture;
        let sparse = small(layer.tile[0], &frame.x) || small(layer.tile[1], &frame.y);
        Self {
            words: &layer.layer.cells,
            stride: layer.layer.size[0] as usize,
            cells: layer.cells,
            tile: layer.tile,
            at,
            wrap,
            looks,
            sparse,
            keeps,
            shown: None,
            kept: Vec::new(),
        }
    }

    /// Draws row `y` over what there is.
    pub(crate) fn draw(&mut self, frame: &Frame, bitmaps: &Bitmaps, y: i64, row: &mut Row, below: &mut [Color]) {
        let rows = frame.y.footprint(y, frame.mean && !self.sparse);
        let top = frame.y.unit(self.at[1]);
        let (lines, step) = self.span(1, rows, top, frame.y.level);
        // Most rows of a picture show the same as the row above.
        let only = Some(lines.start)
            .filter(|line| lines.end - line == 1 && top + line * step <= rows[0] && rows[1] <= top + (line + 1) * step);
        if only.is_some() && only == self.shown {
            return lay(&self.kept, below);
        }
        row.begin([0, frame.x.length]);
        let mut same = true;
        for line in lines {
            if self.sparse {
                self.sparse_line(frame, bitmaps, line, row);
            } else {
                same &= self.line(frame, bitmaps, y, line, row);
            }
        }
        let (_, colors) = row.finish();
        lay(colors, below);
        self.shown = only.filter(|_| same && self.keeps);
        if self.shown.is_some() {
            self.kept.clear();
            self.kept.extend_from_slice(colors);
        }
    }

    /// The columns (0) or rows (1) of cells that some units touch, and how many units one takes.
    fn span(&self, axis: usize, units: [i64; 2], start: i64, level: i64) -> (Range<i64>, i64) {
        let ([columns, rows], [width, height], [wrap_x, wrap_y]) = (self.cells, self.tile, self.wrap);
        let (cells, tile, wrap) = if axis == 0 { (columns, width, wrap_x) } else { (rows, height, wrap_y) };
        let step = tile * level;
        let (first, end) = ((units[0] - start).div_euclid(step), (units[1] - 1 - start).div_euclid(step) + 1);
        (if wrap { first..end } else { first.clamp(0, cells)..end.clamp(0, cells) }, step)
    }

    /// The words of a row of cells.
    fn words(&self, line: i64) -> &'a [u32] {
        let line = usize::try_from(line.rem_euclid(self.cells[1])).unwrap_or(0);
        let words = line.checked_mul(self.stride).and_then(|start| self.words.get(start..)).unwrap_or_default();
        words.get(..self.stride).unwrap_or(words)
    }

    /// Draws a row of cells; whether it looks the same all the way down.
    fn line(&self, frame: &Frame, bitmaps: &Bitmaps, y: i64, line: i64, row: &mut Row) -> bool {
        let words = self.words(line);
        let all = [0, frame.x.length * frame.x.picture];
        let (columns, _) = self.span(0, all, frame.x.unit(self.at[0]), frame.x.level);
        let mut same = true;
        let mut column = columns.start;
        while column < columns.end {
            let place = column.rem_euclid(self.cells[0]);
            let word = word(words, place);
            let look = self.looks.get(word);
            let mut count = 1;
            if look.flat().is_some() {
                let most = (columns.end - column).min(self.cells[0] - place);
                while count < most && self::word(words, place + count) == word {
                    count += 1;
                }
            } else {
                same = false;
            }
            let at = [self.at[0] + column * self.tile[0], self.at[1] + line * self.tile[1]];
            look.draw(row, frame, bitmaps, y, at, [count * self.tile[0], self.tile[1]]);
            column += count;
        }
        same
    }

    /// Draws of a row of cells those in the middle of pixels.
    fn sparse_line(&self, frame: &Frame, bitmaps: &Bitmaps, line: i64, row: &mut Row) {
        let words = self.words(line);
        let left = frame.x.unit(self.at[0]);
        for pixel in 0..frame.x.length {
            let middle = frame.x.footprint(pixel, false);
            let (columns, _) = self.span(0, middle, left, frame.x.level);
            if !columns.is_empty() {
                let word = word(words, columns.start.rem_euclid(self.cells[0]));
                row.set(pixel, self.looks.get(word).middle(bitmaps));
            }
        }
    }
}

/// The word of a cell in its row.
fn word(words: &[u32], column: i64) -> u32 {
    usize::try_from(column).ok().and_then(|column| words.get(column)).copied().unwrap_or(Cell::EMPTY)
}
