//! Tile layers, row by row.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use mapwright_scene::{Arena, Cell, Collision, Image, Scene, Tile, TileSetId};

use crate::appearance::{Appearance, Bitmaps, Flips};
use crate::colors::{self, CLEAR, Color, Weight, fade, lay, opaque};
use crate::level::Layer;
use crate::raster::{Axis, Frame, Row};
use crate::{RenderOptions, View};

/// A tile layer that is drawn.
#[derive(Debug)]
pub(crate) struct Tiles<'a> {
    words: &'a [u32],
    /// Words in a row of cells.
    stride: usize,
    /// Columns and rows, both positive.
    cells: [i64; 2],
    tile: [i64; 2],
    at: [i64; 2],
    wrap: [bool; 2],
    appearance: LayerAppearance<'a>,
    frame: Frame,
    /// `true` if tiles are so small that one of them represents all in a pixel.
    is_sparse: bool,
    /// `true` if a row may be cached.
    caches_rows: bool,
    /// The cached row of cells. It fills a row of the image with constant appearance from top to bottom.
    cached_line: Option<i64>,
    cached: Vec<Color>,
}

/// Appearance of the cells of a layer.
#[derive(Debug)]
pub(crate) struct LayerAppearance<'a> {
    sets: Vec<(&'a [Tile], Arc<[TileAppearance]>)>,
    fill: Appearance,
    /// `true` if tiles without an image have the colour of their number.
    has_numbers: bool,
    depth: Depth,
}

/// Appearance of a tile of a set. Compact, because sets have up to 65,536 tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TileAppearance {
    /// Colour derived from the number of the tile.
    Number(Weight),
    Flat(Color),
    /// Collision rectangle of the tile.
    Framed,
    /// The index of an image in [`Bitmaps`].
    Image(u32),
}

/// The appearances of each tile set, shared by all layers that use it.
pub(crate) type TileSetAppearances = HashMap<TileSetId, Arc<[TileAppearance]>>;

/// Position of a layer relative to the main one, which changes generated colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Before the main layer in drawing order: close to the background colour.
    Background,
    /// The main or only layer: unchanged.
    Main,
    /// After the main layer in drawing order: translucent.
    Foreground,
}

impl<'a> LayerAppearance<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        layer: &Layer<'_>,
        depth: Depth,
        options: &RenderOptions,
        tables: &mut TileSetAppearances,
        bitmaps: &mut Bitmaps,
    ) -> Self {
        let mut sets = Vec::new();
        // Cells have 16 bits for the set.
        for id in layer.layer.tile_sets.iter().take(1 << 16) {
            let tiles = scene.tile_sets.get(*id).map(|set| set.tiles.as_slice()).unwrap_or_default();
            let tiles = tiles.get(..1 << 16).unwrap_or(tiles);
            let table = tables.entry(*id).or_insert_with(|| {
                tiles.iter().map(|tile| TileAppearance::new(tile, &scene.images, options.view, bitmaps)).collect()
            });
            sets.push((tiles, Arc::clone(table)));
        }
        let fill = layer.layer.fill.unwrap_or(0);
        // The engine uses the lowest byte.
        let named = options.palette.get((fill & 0xFF) as usize).copied();
        let has_numbers = options.view != View::Collision;
        let fill = match named {
            _ if !has_numbers => CLEAR,
            Some(named) => opaque(named),
            None => adjust_depth(colors::fill(fill), depth),
        };
        Self { sets, fill: Appearance::Flat(fill), has_numbers, depth }
    }

    pub(crate) fn get(&self, word: u32) -> Appearance {
        let (number, set) = match Cell::from_word(word) {
            Cell::Empty => return Appearance::Flat(CLEAR),
            Cell::Fill => return self.fill,
            Cell::Tile { set, tile } => (tile, set),
        };
        let place = usize::from(number);
        let (tiles, table) =
            self.sets.get(usize::from(set)).map(|(tiles, table)| (*tiles, &**table)).unwrap_or_default();
        match table.get(place) {
            Some(TileAppearance::Number(weight)) => Appearance::Flat(number_color(number, set, *weight, self.depth)),
            Some(TileAppearance::Flat(color)) => Appearance::Flat(*color),
            Some(TileAppearance::Framed) => {
                tiles.get(place).map_or(Appearance::Flat(CLEAR), |tile| frame_collision(&tile.collision))
            }
            Some(TileAppearance::Image(place)) => Appearance::Image(*place as usize),
            None if self.has_numbers => Appearance::Flat(number_color(number, set, Weight::Middle, self.depth)),
            None => Appearance::Flat(colors::UNKNOWN),
        }
    }
}

impl LayerAppearance<'_> {
    /// Returns the indices of the images of each tile set.
    pub(crate) fn images(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        self.sets.iter().map(|(_, table)| {
            table.iter().filter_map(|tile| match tile {
                TileAppearance::Image(place) => Some(*place as usize),
                _ => None,
            })
        })
    }
}

impl TileAppearance {
    fn new(tile: &Tile, images: &Arena<Image>, view: View, bitmaps: &mut Bitmaps) -> Self {
        let image = match view {
            View::Collision => return Self::from_collision(&tile.collision, bitmaps),
            View::Numbers => None,
            _ => tile.image.and_then(|image| bitmaps.add_image(images, image, Flips::default())),
        };
        image.and_then(Self::from_bitmap).unwrap_or_else(|| Self::Number(tile_weight(tile)))
    }

    fn from_bitmap(place: usize) -> Option<Self> {
        u32::try_from(place).ok().map(Self::Image)
    }

    /// Returns the appearance of collision attributes.
    fn from_collision(collision: &Collision, bitmaps: &mut Bitmaps) -> Self {
        match collision {
            Collision::Unknown => Self::Flat(colors::UNKNOWN),
            Collision::Uniform(attribute) => Self::Flat(colors::attribute(*attribute)),
            Collision::Rectangle { .. } => Self::Framed,
            Collision::Mask { width, height, attributes } => {
                let area = u64::from(*width) * u64::from(*height);
                let fits = attributes.len() as u64 >= area && bitmaps.has_room(area);
                let made = usize::try_from(*width).ok().filter(|&width| width > 0 && fits).and_then(|width| {
                    let whole = attributes.chunks_exact(width).take(usize::try_from(*height).unwrap_or(0));
                    let colors = whole.flatten().map(|&attribute| colors::attribute(attribute)).collect();
                    bitmaps.add_colors(width, colors)
                });
                made.and_then(Self::from_bitmap).unwrap_or(Self::Flat(colors::UNKNOWN))
            }
        }
    }
}

/// Returns the appearance of a collision rectangle.
fn frame_collision(collision: &Collision) -> Appearance {
    match *collision {
        Collision::Rectangle { outside, inside, bounds: [left, top, right, bottom] } => Appearance::Framed {
            outside: colors::attribute(outside),
            inside: colors::attribute(inside),
            bounds: [i64::from(left), i64::from(top), i64::from(right) + 1, i64::from(bottom) + 1],
        },
        _ => Appearance::Flat(CLEAR),
    }
}

/// Returns the visual weight of a tile: tiles that collide are brighter.
pub(crate) fn tile_weight(tile: &Tile) -> Weight {
    match tile.collision {
        Collision::Uniform(0) => Weight::Light,
        Collision::Unknown => Weight::Middle,
        _ => Weight::Heavy,
    }
}

/// Returns the colour of a tile number.
pub(crate) fn number_color(number: u16, set: u16, weight: Weight, depth: Depth) -> Color {
    adjust_depth(colors::number(number, set, weight), depth)
}

fn adjust_depth(color: [u8; 3], depth: Depth) -> Color {
    match depth {
        Depth::Background => opaque(colors::mix(color, colors::BACKGROUND, 208)),
        Depth::Main => opaque(color),
        Depth::Foreground => fade(opaque(color), 80),
    }
}

impl<'a> Tiles<'a> {
    /// Prepares a layer that has cells. `at` is its upper left corner. Caching rows only affects the speed.
    pub(crate) fn new(
        layer: &Layer<'a>,
        at: [i64; 2],
        wrap: [bool; 2],
        appearance: LayerAppearance<'a>,
        frame: &Frame,
        caches_rows: bool,
    ) -> Self {
        // 16 cells across a pixel suffice for a representative colour. Without a limit, the time for a wrapping layer would be
        // unbounded.
        let small = |tile: i64, axis: &Axis| tile * axis.level * 16 < axis.image;
        let is_sparse = small(layer.tile[0], &frame.x) || small(layer.tile[1], &frame.y);
        Self {
            words: &layer.layer.cells,
            stride: layer.layer.size[0] as usize,
            cells: layer.cells,
            tile: layer.tile,
            at,
            wrap,
            appearance,
            frame: *frame,
            is_sparse,
            caches_rows,
            cached_line: None,
            cached: Vec::new(),
        }
    }

    /// Draws row `y` over the lower layers.
    pub(crate) fn draw(&mut self, bitmaps: &Bitmaps, y: i64, row: &mut Row, below: &mut [Color]) {
        let frame = &{ self.frame };
        let rows = frame.y.footprint(y, frame.mean && !self.is_sparse);
        let top = frame.y.unit(self.at[1]);
        let (lines, step) = self.cells_in(1, rows, top, frame.y.level);
        // Most rows of an image are equal to the row above.
        let only = Some(lines.start)
            .filter(|line| lines.end - line == 1 && top + line * step <= rows[0] && rows[1] <= top + (line + 1) * step);
        if only.is_some() && only == self.cached_line {
            return lay(&self.cached, below);
        }
        row.begin(frame, [0, frame.x.length]);
        let mut same = true;
        for line in lines {
            if self.is_sparse {
                self.draw_sparse_line(frame, bitmaps, line, row);
            } else {
                same &= self.draw_line(frame, bitmaps, y, line, row);
            }
        }
        let (_, colors) = row.finish();
        lay(colors, below);
        self.cached_line = only.filter(|_| same && self.caches_rows);
        if self.cached_line.is_some() {
            self.cached.clear();
            self.cached.extend_from_slice(colors);
        }
    }

    /// Returns the columns (axis 0) or rows (axis 1) of cells that a range of units touches, and the units in one of them.
    fn cells_in(&self, axis: usize, units: [i64; 2], start: i64, level: i64) -> (Range<i64>, i64) {
        let ([columns, rows], [width, height], [wrap_x, wrap_y]) = (self.cells, self.tile, self.wrap);
        let (cells, tile, wrap) = if axis == 0 { (columns, width, wrap_x) } else { (rows, height, wrap_y) };
        let step = tile * level;
        let (first, end) = ((units[0] - start).div_euclid(step), (units[1] - 1 - start).div_euclid(step) + 1);
        (if wrap { first..end } else { first.clamp(0, cells)..end.clamp(0, cells) }, step)
    }

    /// Returns the words of a row of cells.
    fn words(&self, line: i64) -> &'a [u32] {
        let line = usize::try_from(line.rem_euclid(self.cells[1])).unwrap_or(0);
        let words = line.checked_mul(self.stride).and_then(|start| self.words.get(start..)).unwrap_or_default();
        words.get(..self.stride).unwrap_or(words)
    }

    /// Draws a row of cells. Returns `true` if its appearance is constant from top to bottom.
    fn draw_line(&self, frame: &Frame, bitmaps: &Bitmaps, y: i64, line: i64, row: &mut Row) -> bool {
        let words = self.words(line);
        let all = [0, frame.x.length * frame.x.image];
        let (columns, _) = self.cells_in(0, all, frame.x.unit(self.at[0]), frame.x.level);
        let mut same = true;
        let mut column = columns.start;
        while column < columns.end {
            let place = column.rem_euclid(self.cells[0]);
            let word = word_at(words, place);
            let appearance = self.appearance.get(word);
            let mut count = 1;
            if appearance.flat().is_some() {
                let most = (columns.end - column).min(self.cells[0] - place);
                while count < most && self::word_at(words, place + count) == word {
                    count += 1;
                }
            } else {
                same = false;
            }
            let at = [self.at[0] + column * self.tile[0], self.at[1] + line * self.tile[1]];
            appearance.draw(row, frame, bitmaps, y, at, [count * self.tile[0], self.tile[1]]);
            column += count;
        }
        same
    }

    /// Draws the cells of a row that are at the centre of pixels.
    fn draw_sparse_line(&self, frame: &Frame, bitmaps: &Bitmaps, line: i64, row: &mut Row) {
        let words = self.words(line);
        let left = frame.x.unit(self.at[0]);
        for pixel in 0..frame.x.length {
            let middle = frame.x.footprint(pixel, false);
            let (columns, _) = self.cells_in(0, middle, left, frame.x.level);
            if !columns.is_empty() {
                let word = word_at(words, columns.start.rem_euclid(self.cells[0]));
                row.set(pixel, self.appearance.get(word).middle_color(bitmaps));
            }
        }
    }
}

/// Returns the word of a cell in its row.
fn word_at(words: &[u32], column: i64) -> u32 {
    usize::try_from(column).ok().and_then(|column| words.get(column)).copied().unwrap_or(Cell::EMPTY)
}
