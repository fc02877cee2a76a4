//! Contact sheets.

use std::io::Write;

use crate::colors::BACKGROUND;
use crate::font::{HEIGHT, INK, Label};
use crate::{Drawing, Error, png};

/// A contact sheet: small images in rows, each with a name.
#[derive(Debug)]
pub struct Sheet {
    /// Width and height of a cell in pixels.
    cell: usize,
    items: Vec<Thumbnail>,
}

/// A small image for a [`Sheet`], with its name.
#[derive(Debug)]
pub struct Thumbnail {
    name: Label,
    width: usize,
    /// Red, green and blue of each pixel.
    pixels: Vec<u8>,
}

impl Thumbnail {
    /// Renders an image for cells of a width and height of 32 to 512 pixels. Larger images are cut off.
    pub fn new(name: &str, cell: u32, mut drawing: Drawing<'_>) -> Self {
        let cell = clamp_cell(cell);
        let width = (drawing.info().width as usize).min(cell);
        let mut pixels = Vec::new();
        for _ in 0..cell {
            let Some(row) = drawing.next_row() else { break };
            pixels.extend_from_slice(row.get(..width * 3).unwrap_or(row));
        }
        Self { name: Label::new(name, cell, LINES), width, pixels }
    }
}

/// Limits the size of a cell.
fn clamp_cell(cell: u32) -> usize {
    cell.clamp(32, 512) as usize
}

/// Pixels between images.
const GAP: usize = 8;
/// Lines of a name.
const LINES: usize = 2;

impl Sheet {
    /// Maximum number of images on one sheet.
    pub const MAX_IMAGES: usize = 4096;

    /// Creates a sheet with cells of 32 to 512 pixels.
    pub fn new(cell: u32) -> Self {
        Self { cell: clamp_cell(cell), items: Vec::new() }
    }

    /// Returns the width and height of a cell in pixels.
    pub fn cell(&self) -> u32 {
        u32::try_from(self.cell).unwrap_or(u32::MAX)
    }

    /// Returns the number of images.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns `true` if there are no images.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds an image, cut off at the size of a cell. Returns `false` if there are already [`MAX_IMAGES`](Self::MAX_IMAGES).
    pub fn add(&mut self, thumbnail: Thumbnail) -> bool {
        if self.items.len() >= Self::MAX_IMAGES {
            return false;
        }
        self.items.push(thumbnail);
        true
    }

    /// Writes the sheet as PNG. The cells form a square, or one column more. Returns its width and height in pixels.
    ///
    /// # Errors
    /// [`Error::Nothing`] if there are no images, and errors of the writer.
    pub fn write_png(&self, out: impl Write) -> Result<[u32; 2], Error> {
        if self.items.is_empty() {
            return Err(Error::Nothing);
        }
        let root = self.items.len().isqrt();
        let columns = if root * root < self.items.len() { root + 1 } else { root };
        let (across, down) = (self.cell + GAP, self.cell + GAP + LINES * HEIGHT);
        let size = [columns * across + GAP, self.items.len().div_ceil(columns) * down + GAP];
        let [width, height] = size.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        png::write(out, [width, height], |out| {
            for y in 0..size[1] {
                let mut row = BACKGROUND.repeat(size[0]);
                if let Some(y) = y.checked_sub(GAP) {
                    let items = self.items.chunks(columns).nth(y / down).unwrap_or_default();
                    for (place, item) in items.iter().enumerate() {
                        let left = GAP + place * across;
                        self.draw_row(
                            item,
                            y % down,
                            row.get_mut(left * 3..(left + self.cell) * 3).unwrap_or_default(),
                        );
                    }
                }
                out.write_all(&row)?;
            }
            Ok(())
        })?;
        Ok([width, height])
    }

    /// Draws a row of a cell.
    fn draw_row(&self, item: &Thumbnail, y: usize, row: &mut [u8]) {
        if let Some(y) = y.checked_sub(self.cell + GAP / 2) {
            for (x, pixel) in row.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                if item.name.covers(x, y) {
                    *pixel = INK;
                }
            }
            return;
        }
        // Centred, or at the upper left corner if it is larger than the cell.
        let height = item.pixels.len().checked_div(item.width * 3).unwrap_or(0);
        let (left, top) = (self.cell.saturating_sub(item.width) / 2, self.cell.saturating_sub(height) / 2);
        let line = y.checked_sub(top).filter(|_| y < self.cell);
        let line = line.and_then(|y| item.pixels.chunks(item.width.max(1) * 3).nth(y));
        if let (Some(line), Some(row)) = (line, row.get_mut(left * 3..)) {
            row.iter_mut().zip(line).for_each(|(below, part)| *below = *part);
        }
    }
}
