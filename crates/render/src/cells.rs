//! Tile layers whose tiles may cover other cells: other layouts than rows and columns, changed images, and images larger than cells.
//!
//! Cells are drawn one over the other, in the order and at the positions of Tiled.

use std::collections::HashMap;
use std::ops::Range;

use mapwright_scene::{Attribute, Cell, CellLayout, Properties, Scene, TileLayer, TileSet, Value};

use crate::appearance::{Appearance, Bitmaps, Flips, Variant};
use crate::colors::{CLEAR, Color, lay};
use crate::raster::{Axis, Frame, Row};
use crate::tiles::LayerAppearance;

/// Maximum number of samples across a pixel of the image.
const MAX_SAMPLES: i64 = 4;
/// Halvings of images that the samples replace: 2² samples.
pub(crate) const SAMPLE_HALVES: u32 = 2;

/// Bits of the column `flips`.
const FLIP_X: u8 = 8;
const FLIP_Y: u8 = 4;
const DIAGONAL: u8 = 2;
const ROTATED: u8 = 1;

/// The column of tile layers that flips tiles, and turns them in hexagonal layers. See
/// [`RenderOptions`](crate::RenderOptions).
const FLIPS: &str = "flips";

/// A tile layer that is drawn cell by cell.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    layer: &'a TileLayer,
    at: [i64; 2],
    /// Width and height of the rectangle around a cell.
    cell: [i64; 2],
    appearance: LayerAppearance<'a>,
    flips: Option<&'a [f64]>,
    offsets: Vec<[i64; 2]>,
    /// Tiles with changed images, by word and flips.
    variants: HashMap<(u32, u8), PlacedImage>,
    /// Distances from the rectangle around a cell to the furthest images: left, top, right, bottom.
    margins: [i64; 4],
    order: DrawOrder,
    /// The pixels of the image, each divided into samples.
    samples: Frame,
    /// Samples across a pixel.
    count: i64,
    part: Row,
    row: Vec<Color>,
    sums: Vec<[u32; 4]>,
}

/// An image, and its position relative to the lower left corner of the rectangle around a cell.
#[derive(Debug, Clone, Copy)]
struct PlacedImage {
    appearance: Appearance,
    at: [i64; 2],
    size: [i64; 2],
}

/// The order in which the cells of layers in rows are drawn.
#[derive(Debug, Clone, Copy, Default)]
struct DrawOrder {
    is_up: bool,
    is_left: bool,
}

impl DrawOrder {
    /// Reads the property `renderorder` of a map.
    fn new(properties: &Properties) -> Self {
        let order = properties.get("renderorder").and_then(Value::as_text).unwrap_or_default();
        Self { is_up: order.ends_with("-up"), is_left: order.starts_with("left-") }
    }
}

/// Cells at equal distances.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// Column and row of the first cell.
    first: [i64; 2],
    /// Columns and rows from one cell to the next.
    step: [i64; 2],
    count: i64,
}

impl Line {
    fn cell(&self, index: i64) -> [i64; 2] {
        let ([column, row], [right, down]) = (self.first, self.step);
        [column + index * right, row + index * down]
    }
}

/// Returns the shift of the tiles of a set.
pub(crate) fn tile_offset(set: &TileSet) -> [i64; 2] {
    let number = |value: Option<&Value>| {
        let number = value.and_then(Value::as_int).unwrap_or(0);
        number.clamp(-crate::level::MAX_DISTANCE, crate::level::MAX_DISTANCE)
    };
    match set.properties.get("tileoffset") {
        Some(Value::List(items)) => [number(items.first()), number(items.get(1))],
        _ => [0; 2],
    }
}

/// Returns the size of the tiles of a set that are stretched to the cell.
fn stretched_size(set: &TileSet, tile: [i64; 2], cell: [u32; 2]) -> Option<[u32; 2]> {
    let text = |name| set.properties.get(name).and_then(Value::as_text);
    if text("tilerendersize") != Some("grid") || cell.contains(&0) || tile.contains(&0) {
        return None;
    }
    if text("fillmode") != Some("preserve-aspect-fit") {
        return Some(cell);
    }
    let ([width, height], [across, down]) = (tile, cell.map(i64::from));
    let fitted = if across * height <= down * width {
        [across, (height * across + width / 2) / width]
    } else {
        [(width * down + height / 2) / height, down]
    };
    Some(fitted.map(|side| u32::try_from(side.max(1)).unwrap_or(u32::MAX)))
}

/// Returns the change of an image for the flags of a cell or an object.
pub(crate) fn flag_variant(flags: u8, is_hexagonal: bool) -> Variant {
    let flips = Flips { x: flags & FLIP_X != 0, y: flags & FLIP_Y != 0 };
    let has = |flag: u8, turn: i32| if is_hexagonal && flags & flag != 0 { turn } else { 0 };
    Variant {
        flips,
        diagonal: !is_hexagonal && flags & DIAGONAL != 0,
        turn: has(DIAGONAL, 60_000) + has(ROTATED, 120_000),
        size: None,
    }
}

/// Returns the column of flags, if a cell has some.
fn flips_column(layer: &TileLayer) -> Option<&[f64]> {
    let column = |column: &&Attribute| column.name == FLIPS && column.width == 1;
    let values = layer.attributes.iter().find(column)?.values.as_slice();
    values.iter().any(|flags| *flags != 0.0).then_some(values)
}

/// Returns `true` if a layer must be drawn cell by cell, apart from the sizes of its images.
pub(crate) fn has_free_cells(scene: &Scene, layer: &TileLayer) -> bool {
    let is_special = |set: &TileSet| tile_offset(set) != [0; 2] || set.properties.get("tilerendersize").is_some();
    layer.layout != CellLayout::Orthogonal
        || (layer.wrap == [false; 2]
            && (flips_column(layer).is_some()
                || layer.tile_sets.iter().filter_map(|set| scene.tile_sets.get(*set)).any(is_special)))
}

impl<'a> Cells<'a> {
    /// Prepares a layer. `at` is the upper left corner of the rectangle around it.
    pub(crate) fn new(
        scene: &'a Scene,
        layer: &'a TileLayer,
        at: [i64; 2],
        appearance: LayerAppearance<'a>,
        frame: &Frame,
        bitmaps: &mut Bitmaps,
    ) -> Self {
        let cell_size = layer.layout.cell_size(layer.tile_size);
        let sets: Vec<_> = layer.tile_sets.iter().map(|set| scene.tile_sets.get(*set)).collect();
        let offsets = sets.iter().map(|set| set.map_or([0; 2], tile_offset)).collect();
        let count = if frame.mean { largest_ratio(frame).clamp(1, MAX_SAMPLES) } else { 1 };
        let divided = |axis: Axis| Axis { level: axis.level * count, length: axis.length * count, ..axis };
        let samples = Frame { x: divided(frame.x), y: divided(frame.y), mean: false };
        let mut cells = Self {
            layer,
            at,
            cell: cell_size.map(i64::from),
            appearance,
            flips: flips_column(layer),
            offsets,
            variants: HashMap::new(),
            margins: [0; 4],
            order: DrawOrder::new(&scene.properties),
            samples,
            count,
            part: Row::new(&samples),
            row: Vec::new(),
            sums: Vec::new(),
        };
        cells.add_variants(scene, &sets, bitmaps);
        cells.measure_images(bitmaps);
        cells
    }

    /// Adds the changed images of tiles.
    fn add_variants(&mut self, scene: &Scene, sets: &[Option<&TileSet>], bitmaps: &mut Bitmaps) {
        let is_hexagonal = matches!(self.layer.layout, CellLayout::Hexagonal { .. });
        let has_stretched: Vec<bool> =
            sets.iter().map(|set| set.is_some_and(|set| set.properties.get("tilerendersize").is_some())).collect();
        for (index, &word) in self.layer.cells.iter().enumerate() {
            let flags = self.flags(index);
            let Cell::Tile { set, tile } = Cell::from_word(word) else { continue };
            let is_stretched = has_stretched.get(usize::from(set)).copied().unwrap_or(false);
            if (flags == 0 && !is_stretched) || self.variants.contains_key(&(word, flags)) {
                continue;
            }
            let Appearance::Image(place) = self.appearance.get(word) else { continue };
            let Some(own) = bitmaps.get(place).map(|bitmap| bitmap.size) else { continue };
            let Some(set_of_tile) = sets.get(usize::from(set)).copied().flatten() else { continue };
            let image = set_of_tile.tiles.get(usize::from(tile)).and_then(|tile| tile.image);
            // The cell counts as a whole, so odd pixels are included.
            let size = stretched_size(set_of_tile, own, self.layer.tile_size);
            let variant = Variant { size, ..flag_variant(flags, is_hexagonal) };
            let Some(changed) = image.and_then(|image| bitmaps.add_image(&scene.images, image, variant)) else {
                continue;
            };
            let Some(drawn) = bitmaps.get(changed).map(|bitmap| bitmap.size) else { continue };
            let box_size = if size.is_some() { self.layer.tile_size.map(i64::from) } else { own };
            let stretched = size.map_or(own, |size| size.map(i64::from));
            let at = placed_image(box_size, stretched, drawn, variant);
            let offset = self.offsets.get(usize::from(set)).copied().unwrap_or_default();
            let scaled = |axis: usize| {
                let get = |pair: [i64; 2]| pair.get(axis).copied().unwrap_or(0);
                get(at) + get(offset) * get(stretched) / get(own).max(1)
            };
            let placed =
                PlacedImage { appearance: Appearance::Image(changed), at: [scaled(0), scaled(1)], size: drawn };
            self.variants.insert((word, flags), placed);
        }
    }

    /// Computes the margins.
    fn measure_images(&mut self, bitmaps: &Bitmaps) {
        let height = self.cell[1];
        let mut margins = [0, 0, self.cell[0], height];
        let mut add = |[left, top]: [i64; 2], [width, height_of_image]: [i64; 2]| {
            let [first, upper, last, lower] = margins;
            let top = top + height;
            margins = [first.min(left), upper.min(top), last.max(left + width), lower.max(top + height_of_image)];
        };
        for (set, places) in self.appearance.images().enumerate() {
            let [right, down] = self.offsets.get(set).copied().unwrap_or_default();
            for size in places.filter_map(|place| bitmaps.get(place)).map(|bitmap| bitmap.size) {
                add([right, down - size[1]], size);
            }
        }
        for placed in self.variants.values() {
            add(placed.at, placed.size);
        }
        self.margins = margins;
    }

    /// Returns the flags of a cell.
    fn flags(&self, index: usize) -> u8 {
        let flags = self.flips.and_then(|flips| flips.get(index)).copied().unwrap_or(0.0);
        // NaN becomes 0.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let flags = flags as u8;
        flags & 15
    }

    /// Draws row `y` over the lower layers.
    pub(crate) fn draw(&mut self, bitmaps: &Bitmaps, y: i64, below: &mut [Color]) {
        let length = usize::try_from(self.samples.x.length).unwrap_or(0);
        if self.count == 1 {
            self.draw_samples(bitmaps, y, length);
            return lay(&self.row, below);
        }
        self.sums.clear();
        self.sums.resize(below.len(), [0; 4]);
        let count = usize::try_from(self.count).unwrap_or(1);
        for line in 0..self.count {
            self.draw_samples(bitmaps, y * self.count + line, length);
            for (sum, colors) in self.sums.iter_mut().zip(self.row.chunks(count)) {
                for color in colors {
                    sum.iter_mut().zip(color).for_each(|(sum, part)| *sum += u32::from(*part));
                }
            }
        }
        let area = u32::try_from(count * count).unwrap_or(u32::MAX);
        let mean = |sum: &[u32; 4]| sum.map(|sum| u8::try_from((sum + area / 2) / area).unwrap_or(u8::MAX));
        self.row.clear();
        self.row.extend(self.sums.iter().map(mean));
        lay(&self.row, below);
    }

    /// Draws a row of samples.
    fn draw_samples(&mut self, bitmaps: &Bitmaps, y: i64, length: usize) {
        self.row.clear();
        self.row.resize(length, CLEAR);
        let (mut part, mut row) = (std::mem::take(&mut self.part), std::mem::take(&mut self.row));
        let [unit, _] = self.samples.y.footprint(y, false);
        // The row of pixels of the layer that the samples show, and the columns.
        let level_y = unit.div_euclid(self.samples.y.level) + self.samples.y.origin - self.at[1];
        let columns = [0, self.samples.x.length].map(|pixel| {
            (pixel * self.samples.x.image).div_euclid(self.samples.x.level) + self.samples.x.origin - self.at[0]
        });
        let lines = self.lines_at(level_y);
        for index in 0..lines.end - lines.start {
            let line = if self.order.is_up && self.is_in_rows() { lines.end - 1 - index } else { lines.start + index };
            let line = self.line(line);
            let cells = self.cells_between(&line, columns);
            for index in 0..cells.end - cells.start {
                let is_left = self.order.is_left && self.is_in_rows();
                let place = line.cell(if is_left { cells.end - 1 - index } else { cells.start + index });
                self.draw_cell(bitmaps, place, [y, level_y], &mut part, &mut row);
            }
        }
        (self.part, self.row) = (part, row);
    }

    /// Returns `true` if the order of drawing is that of the map. Other layouts are drawn from the top.
    const fn is_in_rows(&self) -> bool {
        matches!(self.layer.layout, CellLayout::Orthogonal | CellLayout::Oblique { .. })
    }

    /// Returns the number of lines.
    fn line_count(&self) -> i64 {
        let [columns, rows] = self.layer.size.map(i64::from);
        match self.layer.layout {
            _ if columns == 0 || rows == 0 => 0,
            CellLayout::Isometric => columns + rows - 1,
            CellLayout::Staggered(stagger) | CellLayout::Hexagonal { stagger, .. } if stagger.columns => rows * 2,
            _ => rows,
        }
    }

    /// Returns a line. Lines follow each other from the top to the bottom.
    fn line(&self, index: i64) -> Line {
        let [columns, rows] = self.layer.size.map(i64::from);
        match self.layer.layout {
            CellLayout::Isometric => {
                let first = (index - (rows - 1)).max(0);
                let last = index.min(columns - 1);
                Line { first: [first, index - first], step: [1, -1], count: last - first + 1 }
            }
            CellLayout::Staggered(stagger) | CellLayout::Hexagonal { stagger, .. } if stagger.columns => {
                // The columns that are not shifted come first.
                let first = (index & 1) ^ i64::from(stagger.even);
                Line { first: [first, index >> 1], step: [2, 0], count: (columns - first + 1) / 2 }
            }
            _ => Line { first: [0, index], step: [1, 0], count: columns },
        }
    }

    /// Returns the lines with images in a row of pixels.
    fn lines_at(&self, y: i64) -> Range<i64> {
        let [_, top, _, bottom] = self.margins;
        let end = self.line_count();
        let heights = |index: i64| {
            let line = self.line(index);
            let [first, last] = [0, line.count.max(1) - 1].map(|cell| self.layer.cell_position(line.cell(cell))[1]);
            [first.min(last), first.max(last)]
        };
        let first = partition(end, |index| heights(index)[1].saturating_add(bottom) <= y);
        let last = partition(end, |index| heights(index)[0].saturating_add(top) <= y);
        first..last.max(first)
    }

    /// Returns the cells of a line with images between two columns of pixels.
    fn cells_between(&self, line: &Line, [from, to]: [i64; 2]) -> Range<i64> {
        let [left, _, right, _] = self.margins;
        let place = |index: i64| self.layer.cell_position(line.cell(index))[0];
        let end = line.count.max(0);
        let first = partition(end, |index| place(index).saturating_add(right) <= from);
        let last = partition(end, |index| place(index).saturating_add(left) <= to);
        first..last.max(first)
    }

    /// Draws the part of a cell in a row of samples, of which the number and the row of pixels of the layer are given.
    fn draw_cell(
        &self,
        bitmaps: &Bitmaps,
        [column, row]: [i64; 2],
        [y, level_y]: [i64; 2],
        part: &mut Row,
        below: &mut [Color],
    ) {
        let index = row.checked_mul(i64::from(self.layer.size[0])).and_then(|start| start.checked_add(column));
        let Some(index) = index.and_then(|index| usize::try_from(index).ok()) else { return };
        let Some(&word) = self.layer.cells.get(index).filter(|word| **word != Cell::EMPTY) else { return };
        let [left, top] = self.layer.cell_position([column, row]);
        let lower = top + self.cell[1];
        let placed = match self.variants.get(&(word, self.flags(index))) {
            Some(placed) => *placed,
            None => {
                let appearance = self.appearance.get(word);
                match appearance {
                    Appearance::Image(place) => {
                        let Some(size) = bitmaps.get(place).map(|bitmap| bitmap.size) else { return };
                        let set = usize::try_from(word >> 16).unwrap_or(usize::MAX);
                        let [right, down] = self.offsets.get(set).copied().unwrap_or_default();
                        PlacedImage { appearance, at: [right, down - size[1]], size }
                    }
                    _ => PlacedImage { appearance, at: [0, -self.cell[1]], size: self.cell },
                }
            }
        };
        let ([right, down], [width, height]) = (placed.at, placed.size);
        let (upper, left) = (lower + down, left + right);
        if level_y < upper || level_y >= upper + height {
            return;
        }
        // Colours have the shape of the cell.
        let is_colored = placed.appearance.flat().is_some();
        let inset = if is_colored { self.layer.layout.inset(self.layer.tile_size, level_y - upper) } else { None };
        #[allow(clippy::cast_possible_truncation, reason = "at most half of the width of a cell")]
        let [before, after] = inset.map_or([0; 2], |inset| [inset.floor() as i64, inset.ceil() as i64]);
        let at = [self.at[0] + left + before, self.at[1] + upper];
        let size = [width - before - after, height];
        let window = self.samples.x.image_pixels(at[0], at[0] + size[0]);
        if size[0] <= 0 || window[0] >= window[1] {
            return;
        }
        part.begin(&self.samples, window);
        placed.appearance.draw(part, &self.samples, bitmaps, y, at, size);
        let (start, colors) = part.finish();
        lay(colors, below.get_mut(start..).unwrap_or_default());
    }
}

/// Returns the position of a changed image relative to the lower left corner of its box, which is at the lower left of a cell.
pub(crate) fn placed_image(box_size: [i64; 2], stretched: [i64; 2], drawn: [i64; 2], variant: Variant) -> [i64; 2] {
    let (([box_width, box_height], [width, height]), [across, down]) = ((box_size, stretched), drawn);
    if variant.diagonal {
        // The lower left corner stays.
        return [0, -down];
    }
    if variant.turn != 0 || box_size != stretched {
        // The middle stays.
        debug_assert!(variant.turn != 0 || [width, height] == drawn);
        return [(box_width - across).div_euclid(2), -box_height + (box_height - down).div_euclid(2)];
    }
    [0, -down]
}

/// Returns the number of pixels of the level across a pixel of the image, rounded up.
fn largest_ratio(frame: &Frame) -> i64 {
    let ratio = |axis: &Axis| (axis.image + axis.level - 1) / axis.level.max(1);
    ratio(&frame.x).max(ratio(&frame.y))
}

/// Returns the first number below `end` for which the condition is wrong. It must be right for all numbers before.
fn partition(end: i64, is_before: impl Fn(i64) -> bool) -> i64 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
