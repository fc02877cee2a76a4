//! Many small pictures on one.

use std::io::Write;

use crate::colors::BACKGROUND;
use crate::{Drawing, Error, letters, png};

/// Many small pictures on one, in rows, with a name below each.
#[derive(Debug)]
pub struct Sheet {
    /// Pixels across and down of the place of a picture.
    cell: usize,
    items: Vec<Thumbnail>,
}

/// A small picture for a [`Sheet`], with its name.
#[derive(Debug)]
pub struct Thumbnail {
    name: Vec<char>,
    width: usize,
    /// Red, green and blue of each pixel.
    pixels: Vec<u8>,
}

impl Thumbnail {
    /// Draws a picture for a sheet with places of so many pixels across and down, 32 to 512; what is larger than that is cut off.
    pub fn new(name: &str, cell: u32, mut drawing: Drawing<'_>) -> Self {
        let cell = side(cell);
        let width = (drawing.picture().width as usize).min(cell);
        let mut pixels = Vec::new();
        for _ in 0..cell {
            let Some(row) = drawing.next_row() else { break };
            pixels.extend_from_slice(row.get(..width * 3).unwrap_or(row));
        }
        Self { name: name.chars().collect(), width, pixels }
    }
}

/// Pixels across and down that a place of a picture may have.
fn side(cell: u32) -> usize {
    cell.clamp(32, 512) as usize
}

/// Pixels between pictures.
const GAP: usize = 8;
/// How large a pixel of a letter is.
const ZOOM: usize = 2;
/// Lines of a name.
const LINES: usize = 2;
const INK: [u8; 3] = [0xD0, 0xD4, 0xDC];

impl Sheet {
    /// The most pictures on one sheet.
    pub const MOST: usize = 4096;

    /// For pictures of so many pixels across and down, 32 to 512.
    pub fn new(cell: u32) -> Self {
        Self { cell: side(cell), items: Vec::new() }
    }

    /// Pixels across and down of the place of a picture.
    pub fn cell(&self) -> u32 {
        u32::try_from(self.cell).unwrap_or(u32::MAX)
    }

    /// How many pictures there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Puts a picture into the next place; what is larger than that is cut off. False if there are [`MOST`](Self::MOST) already.
    pub fn add(&mut self, mut thumbnail: Thumbnail) -> bool {
        if self.items.len() >= Self::MOST {
            return false;
        }
        // The end of a name tells more than its beginning.
        let (name, letters) = (&mut thumbnail.name, self.line() * LINES);
        if name.len() > letters {
            name.splice(..=name.len() - letters, ['~']);
        }
        self.items.push(thumbnail);
        true
    }

    /// Letters in a line of a name.
    const fn line(&self) -> usize {
        self.cell / (letters::SIZE[0] * ZOOM)
    }

    /// Writes the sheet as a PNG file, with as many pictures across as down, or one more; gives its width and height in pixels.
    ///
    /// # Errors
    /// [`Error::Nothing`] if there are no pictures, and what the writer says.
    pub fn write_png(&self, out: impl Write) -> Result<[u32; 2], Error> {
        if self.items.is_empty() {
            return Err(Error::Nothing);
        }
        let root = self.items.len().isqrt();
        let columns = if root * root < self.items.len() { root + 1 } else { root };
        let (across, down) = (self.cell + GAP, self.cell + GAP + LINES * letters::SIZE[1] * ZOOM);
        let size = [columns * across + GAP, self.items.len().div_ceil(columns) * down + GAP];
        let [width, height] = size.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        png::write(out, [width, height], |out| {
            for y in 0..size[1] {
                let mut row = BACKGROUND.repeat(size[0]);
                if let Some(y) = y.checked_sub(GAP) {
                    let items = self.items.chunks(columns).nth(y / down).unwrap_or_default();
                    for (place, item) in items.iter().enumerate() {
                        let left = GAP + place * across;
                        self.draw(item, y % down, row.get_mut(left * 3..(left + self.cell) * 3).unwrap_or_default());
                    }
                }
                out.write_all(&row)?;
            }
            Ok(())
        })?;
        Ok([width, height])
    }

    /// Draws a row of a place.
    fn draw(&self, item: &Thumbnail, y: usize, row: &mut [u8]) {
        if let Some(y) = y.checked_sub(self.cell + GAP / 2) {
            let y = y / ZOOM;
            let line = item.name.chunks(self.line().max(1)).nth(y / letters::SIZE[1]).unwrap_or_default();
            for (x, pixel) in row.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let (place, x) = (x / ZOOM / letters::SIZE[0], x / ZOOM % letters::SIZE[0]);
                if line.get(place).is_some_and(|&letter| letters::covers(letter, x, y % letters::SIZE[1])) {
                    *pixel = INK;
                }
            }
            return;
        }
        // In the middle of its place, or from its upper left corner on.
        let height = item.pixels.len().checked_div(item.width * 3).unwrap_or(0);
        let (left, top) = (self.cell.saturating_sub(item.width) / 2, self.cell.saturating_sub(height) / 2);
        let line = y.checked_sub(top).filter(|_| y < self.cell);
        let line = line.and_then(|y| item.pixels.chunks(item.width.max(1) * 3).nth(y));
        if let (Some(line), Some(row)) = (line, row.get_mut(left * 3..)) {
            row.iter_mut().zip(line).for_each(|(below, part)| *below = *part);
        }
    }
}
