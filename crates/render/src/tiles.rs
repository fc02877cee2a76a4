//! Layers of tiles, row by row.

use std::ops::Range;

use mapwright_scene::{Cell, Collision, Scene, Tile};

use crate::colors::{self, CLEAR, Color, opaque};
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
    looks: Looks,
    /// Whether tiles are so small that one of them stands for all in a pixel.
    sparse: bool,
    /// The row of cells that the row shows, if it shows nothing else and looks the same all over.
    shown: Option<i64>,
    row: Row,
}

/// What words of cells look like.
#[derive(Debug)]
pub(crate) struct Looks {
    sets: Vec<Vec<Look>>,
    fill: Look,
    /// How tiles look that no set has.
    strange: Strange,
}

#[derive(Debug, Clone, Copy)]
enum Strange {
    Number(Depth),
    Color(Color),
}

/// Which way colours lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// As they are.
    Near,
    /// Paler: a layer behind the main one.
    Far,
}

impl Looks {
    pub(crate) fn new(
        scene: &Scene,
        layer: &Layer<'_>,
        depth: Depth,
        options: &RenderOptions,
        bitmaps: &mut Bitmaps,
    ) -> Self {
        let mut sets = Vec::new();
        for (set, id) in (0..=u16::MAX).zip(&layer.layer.tile_sets) {
            let tiles = scene.tile_sets.get(*id).map(|set| set.tiles.as_slice()).unwrap_or_default();
            let looks = (0..=u16::MAX).zip(tiles).map(|(number, tile)| match options.view {
                View::Collision => touch(&tile.collision, bitmaps),
                View::Numbers => Look::Flat(numbered(number, set, Some(tile), depth)),
                View::Level => {
                    match tile.image.and_then(|image| bitmaps.take(&scene.images, image, Flips::default())) {
                        Some(place) => Look::Picture(place),
                        None => Look::Flat(numbered(number, set, Some(tile), depth)),
                    }
                }
            });
            sets.push(looks.collect());
        }
        let fill = layer.layer.fill.unwrap_or(0);
        let made_up = || lean(colors::fill(fill), depth);
        // The engine takes the lowest byte.
        let named = options.palette.get((fill & 0xFF) as usize).copied();
        let (fill, strange) = match options.view {
            View::Collision => (Look::Flat(CLEAR), Strange::Color(colors::UNKNOWN)),
            View::Numbers | View::Level => (Look::Flat(opaque(named.unwrap_or_else(made_up))), Strange::Number(depth)),
        };
        Self { sets, fill, strange }
    }

    pub(crate) fn get(&self, word: u32) -> Look {
        match Cell::from_word(word) {
            Cell::Empty => Look::Flat(CLEAR),
            Cell::Fill => self.fill,
            Cell::Tile { set, tile } => {
                let known = self.sets.get(usize::from(set)).and_then(|looks| looks.get(usize::from(tile)));
                known.copied().unwrap_or_else(|| match self.strange {
                    Strange::Number(depth) => Look::Flat(numbered(tile, set, None, depth)),
                    Strange::Color(color) => Look::Flat(color),
                })
            }
        }
    }
}

/// The colour of a tile number; what stands in the way is brighter than what does not.
pub(crate) fn numbered(number: u16, set: u16, tile: Option<&Tile>, depth: Depth) -> Color {
    let weight = match tile.map(|tile| &tile.collision) {
        Some(Collision::Uniform(0)) => colors::Weight::Light,
        None | Some(Collision::Unknown) => colors::Weight::Middle,
        Some(_) => colors::Weight::Heavy,
    };
    opaque(lean(colors::number(number, set, weight), depth))
}

fn lean(color: [u8; 3], depth: Depth) -> [u8; 3] {
    match depth {
        Depth::Near => color,
        Depth::Far => colors::mix(color, colors::BACKGROUND, 160),
    }
}

/// What a tile is to the touch.
fn touch(collision: &Collision, bitmaps: &mut Bitmaps) -> Look {
    match collision {
        Collision::Unknown => Look::Flat(colors::UNKNOWN),
        Collision::Uniform(attribute) => Look::Flat(colors::attribute(*attribute)),
        Collision::Rectangle { outside, inside, bounds: [left, top, right, bottom] } => Look::Framed {
            outside: colors::attribute(*outside),
            inside: colors::attribute(*inside),
            bounds: [i64::from(*left), i64::from(*top), i64::from(*right) + 1, i64::from(*bottom) + 1],
        },
        Collision::Mask { width, height, attributes } => {
            let area = u64::from(*width) * u64::from(*height);
            match usize::try_from(*width) {
                Ok(width) if width > 0 && attributes.len() as u64 >= area => {
                    let whole = attributes.chunks_exact(width).take(usize::try_from(*height).unwrap_or(0));
                    let colors = whole.flatten().map(|&attribute| colors::attribute(attribute)).collect();
                    Look::Picture(bitmaps.make(width, colors))
                }
                _ => Look::Flat(colors::UNKNOWN),
            }
        }
    }
}

impl<'a> Tiles<'a> {
    /// A layer with its upper left corner at `at`, which must have cells.
    pub(crate) fn new(layer: &Layer<'a>, at: [i64; 2], wrap: [bool; 2], looks: Looks, frame: &Frame) -> Self {
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
            shown: None,
            row: Row::new(frame),
        }
    }

    /// Row `y` of the picture.
    pub(crate) fn row(&mut self, frame: &Frame, bitmaps: &Bitmaps, y: i64) -> &[Color] {
        let rows = frame.y.footprint(y, frame.mean && !self.sparse);
        let top = frame.y.unit(self.at[1]);
        let (lines, step) = self.span(1, rows, top, frame.y.level);
        // Most rows of a picture show the same as the row above.
        let only = Some(lines.start)
            .filter(|line| lines.end - line == 1 && top + line * step <= rows[0] && rows[1] <= top + (line + 1) * step);
        if only.is_some() && only == self.shown {
            return self.row.drawn();
        }
        self.row.begin([0, frame.x.length]);
        let mut same = true;
        for line in lines {
            if self.sparse {
                self.sparse_line(frame, bitmaps, line);
            } else {
                same &= self.line(frame, bitmaps, y, line);
            }
        }
        self.shown = only.filter(|_| same);
        self.row.finish().1
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
    fn line(&mut self, frame: &Frame, bitmaps: &Bitmaps, y: i64, line: i64) -> bool {
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
            look.draw(&mut self.row, frame, bitmaps, y, at, [count * self.tile[0], self.tile[1]]);
            column += count;
        }
        same
    }

    /// Draws of a row of cells those in the middle of pixels.
    fn sparse_line(&mut self, frame: &Frame, bitmaps: &Bitmaps, line: i64) {
        let words = self.words(line);
        let left = frame.x.unit(self.at[0]);
        for pixel in 0..frame.x.length {
            let middle = frame.x.footprint(pixel, false);
            let (columns, _) = self.span(0, middle, left, frame.x.level);
            if !columns.is_empty() {
                let word = word(words, columns.start.rem_euclid(self.cells[0]));
                self.row.set(pixel, self.looks.get(word).middle(bitmaps));
            }
        }
    }
}

/// The word of a cell in its row.
fn word(words: &[u32], column: i64) -> u32 {
    usize::try_from(column).ok().and_then(|column| words.get(column)).copied().unwrap_or(Cell::EMPTY)
}
