//! The image of a tile set.

use mapwright_scene::{PixelFormat, Pixels};

/// Maximum number of pixels of an image: 64 MiB. Tiles of larger images are halved until they fit.
const MAX_PIXELS: u64 = 1 << 24;
/// Maximum number of pixels of all images of a map. Each image gets an equal part.
const MAX_ALL_PIXELS: u64 = 1 << 27;

/// Digits of 3 × 5 dots; each row from the left, the top row first.
const DIGITS: [u16; 10] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_010_010_010,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
];

/// Returns the maximum number of pixels of each image. Images have a grid and a tile size.
pub(super) fn max_pixels(images: &[[[u32; 2]; 2]]) -> u64 {
    let pixels = images.iter().map(|[grid, tile]| area(*grid).saturating_mul(area(*tile)).min(MAX_PIXELS));
    if pixels.fold(0, u64::saturating_add) <= MAX_ALL_PIXELS {
        return MAX_PIXELS;
    }
    MAX_PIXELS.min(MAX_ALL_PIXELS / images.len().max(1) as u64)
}

fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width).saturating_mul(height.into())
}

/// Tiles side by side, 4 bytes per pixel. Initially, every tile is a coloured square with its number.
pub(super) struct Atlas {
    /// Number of columns and rows.
    pub(super) grid: [u32; 2],
    /// Width and height of a tile.
    pub(super) tile: [u32; 2],
    data: Vec<u8>,
}

impl Atlas {
    /// Creates the image of `count` tiles with at most `most` pixels.
    pub(super) fn new(grid: [u32; 2], tile: [u32; 2], count: usize, most: u64) -> Self {
        let mut tile = tile;
        while area(grid).saturating_mul(area(tile)) > most && tile != [1, 1] {
            tile = tile.map(|edge| (edge / 2).max(1));
        }
        let pixels = usize::try_from(area(grid).saturating_mul(area(tile))).unwrap_or(usize::MAX);
        let mut atlas = Self { grid, tile, data: vec![0; pixels.saturating_mul(4)] };
        (0..count).for_each(|place| atlas.placeholder(place));
        atlas
    }

    pub(super) fn pixels(self) -> Pixels {
        let ([columns, rows], [width, height]) = (self.grid, self.tile);
        let (width, height) = (columns.saturating_mul(width), rows.saturating_mul(height));
        Pixels { width, height, format: PixelFormat::Rgba8, data: self.data }
    }

    fn set(&mut self, place: usize, x: u32, y: u32, color: [u8; 4]) {
        let ([columns, _], [width, height]) = (self.grid, self.tile);
        let (column, row) = (place as u64 % u64::from(columns), place as u64 / u64::from(columns));
        let line = row * u64::from(height) + u64::from(y);
        let pixel = line * u64::from(columns) * u64::from(width) + column * u64::from(width) + u64::from(x);
        let start = usize::try_from(pixel * 4).unwrap_or(usize::MAX);
        if let Some(pixel) = start.checked_add(4).and_then(|end| self.data.get_mut(start..end)) {
            pixel.copy_from_slice(&color);
        }
    }

    /// Draws an image on a tile, at its top left. Returns `true` if it has the size of the tile.
    pub(super) fn draw(&mut self, place: usize, pixels: &Pixels) -> bool {
        let [width, height] = self.tile;
        let channels = pixels.format.channels();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let start =
                (y as usize).saturating_mul(pixels.width as usize).saturating_add(x as usize).saturating_mul(channels);
            let inside = x < pixels.width && y < pixels.height;
            let pixel = pixels.data.get(start..).filter(|_| inside).unwrap_or_default();
            let color = match (pixels.format, pixel) {
                (PixelFormat::L8, [l, ..]) => [*l, *l, *l, 255],
                (PixelFormat::A8, [a, ..]) => [255, 255, 255, *a],
                (PixelFormat::La8, [l, a, ..]) => [*l, *l, *l, *a],
                (PixelFormat::Rgb8, [r, g, b, ..]) => [*r, *g, *b, 255],
                (PixelFormat::Rgba8, [r, g, b, a, ..]) => [*r, *g, *b, *a],
                _ => [0; 4],
            };
            self.set(place, x, y, color);
        }
        [pixels.width, pixels.height] == self.tile
    }

    /// Draws a square with a border, and the number of the tile if there is room for it.
    fn placeholder(&mut self, place: usize) {
        let [width, height] = self.tile;
        let [color, edge] = colors(place);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let is_edge = width.min(height) >= 8 && (x == 0 || y == 0 || x + 1 == width || y + 1 == height);
            self.set(place, x, y, if is_edge { edge } else { color });
        }
        let number = place.to_string();
        let count = u32::try_from(number.len()).unwrap_or(u32::MAX);
        let columns = count.saturating_mul(4) - 1;
        let dot = (width.saturating_sub(4) / columns).min(height.saturating_sub(4) / 5).min(4);
        let [left, top] = [width.saturating_sub(columns * dot) / 2, height.saturating_sub(5 * dot) / 2];
        for (digit, at) in number.bytes().zip(0..) {
            let dots = DIGITS.get(usize::from(digit.wrapping_sub(b'0'))).copied().unwrap_or_default();
            for (x, y) in (0..5 * dot).flat_map(|y| (0..3 * dot).map(move |x| (x, y))) {
                if dots >> (14 - (y / dot * 3 + x / dot)) & 1 == 1 {
                    self.set(place, left + at * 4 * dot + x, top + y, edge);
                }
            }
        }
    }
}

/// The colour of a number, and a darker one. Numbers beside each other differ by the golden angle.
fn colors(place: usize) -> [[u8; 4]; 2] {
    let turn = (place as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    let hue = (turn * 1536) >> 32;
    let channel = |shift: u64| {
        let at = (hue + shift) % 1536;
        // Up, high twice, down, low twice.
        let level = match at / 256 {
            0 => at % 256,
            1 | 2 => 255,
            3 => 255 - at % 256,
            _ => 0,
        };
        u8::try_from(96 + level / 2).unwrap_or(u8::MAX)
    };
    let [r, g, b] = [512, 0, 1024].map(channel);
    [[r, g, b, 255], [r / 3, g / 3, b / 3, 255]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_large_images_are_reduced() {
        let tile = |others: usize, other: u32| {
            let all = [vec![[[31, 31], [64, 64]]], vec![[[1, 1], [other, other]]; others]].concat();
            Atlas::new([31, 31], [64, 64], 1, max_pixels(&all)).tile
        };
        // Some hundred small ones leave the tiles of a level as they are.
        assert_eq!([tile(0, 64), tile(400, 64), tile(400, 1024)], [[64; 2], [64; 2], [16; 2]]);
    }
}
