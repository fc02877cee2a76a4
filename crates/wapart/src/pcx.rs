//! PCX files with 8 or 24 bits per pixel: a header of 128 bytes, rows of pixel planes, and the palette at the end.

mod read;
mod validate;
mod write;

use mapwright_io::{Confidence, FormatInfo};

use crate::image::check_size;
use crate::runs::Stored;
use crate::{MAX_PIXELS, Palette, ReadError, ReadOptions, RunCounts, WriteError, WriteErrorKind, WriteOptions};

/// The names of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("pcx", "PCX image", &["pcx"]);

/// Size of the header in bytes.
pub const HEADER_SIZE: usize = 128;

/// The byte before the palette.
pub const PALETTE_MARK: u8 = 12;

/// Maximum size of all rows in bytes, including padding.
pub(crate) const MAX_BYTES: u64 = MAX_PIXELS * 4;

/// A PCX image. The encoding of the pixels does not count for equality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Version of the program. Observed value: 5.
    pub version: u8,
    /// 0 plain, 1 packed.
    pub encoding: u8,
    /// Left and top edge.
    pub min: [u16; 2],
    /// Right and bottom edge, inclusive.
    pub max: [u16; 2],
    /// Horizontal and vertical resolution in dots per inch.
    pub resolution: [u16; 2],
    /// Palette of 16 colours. Unused with 8 bits per pixel.
    pub ega_palette: [u8; 48],
    /// Unknown. Observed value: 0.
    pub reserved_40: u8,
    /// Number of planes: 1 for indices, 3 for red, green and blue.
    pub planes: u8,
    /// Size of a row of a plane in bytes, at least the width. Gruntz ignores it and rejects odd widths.
    pub row: u16,
    /// 1 colour, 2 shades of grey. Observed values: 0 to 2.
    pub palette_kind: u16,
    /// Size of the screen in pixels. Observed value: 0.
    pub screen: [u16; 2],
    /// Unknown. Observed value: 0.
    pub reserved_4a: [u8; 54],
    /// All bytes of the rows, with padding: for each row, [`row`](Self::row) bytes of each plane.
    pub rows: Vec<u8>,
    /// Bytes after the last row, before the palette. Observed value: none.
    pub trailing: Vec<u8>,
    /// The palette of an image with one plane. `None` if it uses the palette of the level.
    pub palette: Option<Palette>,
    stored: Stored,
}

mapwright_io::read_functions!("a PCX file");
mapwright_io::write_functions!("the file");

impl Document {
    /// Creates a file with 8 bits per pixel.
    ///
    /// # Errors
    /// If a side is 0, the width exceeds 65,534, the height exceeds 65,536, there are more than [`MAX_PIXELS`] pixels, or the number of
    /// indices does not match.
    pub fn from_indices(width: u32, height: u32, indices: &[u8], palette: Option<Palette>) -> Result<Self, WriteError> {
        let (columns, count) = check_size(width, height)?;
        let error = WriteError::without_position;
        if indices.len() != count {
            let found = indices.len();
            return Err(error(WriteErrorKind::Count { what: "pixels", expected: count, found }));
        }
        // Rows have an even number of bytes.
        let row = u16::try_from(width.next_multiple_of(2));
        let last = |side: u32| u16::try_from(side.saturating_sub(1));
        let (Ok(row), Ok(right), Ok(bottom)) = (row, last(width), last(height)) else {
            return Err(error(WriteErrorKind::PcxSize { width, height }));
        };
        let padding = vec![0; usize::from(row).saturating_sub(columns)];
        let rows = indices.chunks(columns).flat_map(|row| row.iter().chain(&padding)).copied().collect();
        Ok(Self {
            version: 5,
            encoding: 1,
            min: [0; 2],
            max: [right, bottom],
            resolution: [72; 2],
            ega_palette: [0; 48],
            reserved_40: 0,
            planes: 1,
            row,
            palette_kind: 1,
            screen: [0; 2],
            reserved_4a: [0; 54],
            rows,
            trailing: Vec::new(),
            palette,
            stored: Stored::default(),
        })
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        side(self.min[0], self.max[0])
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> u32 {
        side(self.min[1], self.max[1])
    }

    /// Returns the palette indices without padding, or `None` for three planes.
    pub fn indices(&self) -> Option<Vec<u8>> {
        (self.planes == 1).then(|| self.row_bytes().flat_map(|row| row.iter().take(self.columns())).copied().collect())
    }

    /// Returns red, green and blue of each pixel, or `None` for one plane.
    pub fn rgb(&self) -> Option<Vec<u8>> {
        if self.planes != 3 {
            return None;
        }
        let mut rgb = Vec::with_capacity(self.rows.len());
        for row in self.row_bytes() {
            let (red, rest) = row.split_at_checked(self.row.into())?;
            let (green, blue) = rest.split_at_checked(self.row.into())?;
            let pixels = red.iter().zip(green).zip(blue).take(self.columns());
            rgb.extend(pixels.flat_map(|((red, green), blue)| [*red, *green, *blue]));
        }
        Some(rgb)
    }

    /// Counts unusual runs of the rows that were read. Rows include all planes.
    pub fn count_runs(&self) -> RunCounts {
        self.stored.count_runs(false)
    }

    /// Returns the bytes of each row, with all planes and padding.
    fn row_bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.rows.chunks(self.stride().max(1))
    }

    /// Returns the size of a row of all planes in bytes.
    fn stride(&self) -> usize {
        usize::from(self.row).saturating_mul(self.planes.into())
    }

    fn columns(&self) -> usize {
        usize::try_from(self.width()).unwrap_or(usize::MAX)
    }
}

/// Returns the length of a side with inclusive edges, 0 if they are in the wrong order.
fn side(min: u16, max: u16) -> u32 {
    u32::from(max).saturating_add(1).saturating_sub(min.into())
}

/// Returns the likelihood that bytes are a PCX file with 8 or 24 bits per pixel, from their first 66.
pub fn sniff(bytes: &[u8]) -> Confidence {
    match bytes {
        [10, 0..=5, 0..=1, 8, ..] if matches!(bytes.get(65), Some(1 | 3)) => Confidence::Certain,
        _ => Confidence::No,
    }
}
