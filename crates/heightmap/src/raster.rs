//! PNG images with their text chunks.

use std::io::Cursor;

use mapwright_io::FaultKind;
use mapwright_scene::check_memory;
use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Transformations};

use crate::{
    Error, ErrorKind,
    error::{exceeded, malformed},
};

/// The pixels of a PNG, and its metadata.
pub(super) struct Raster {
    pub(super) size: [u32; 2],
    pub(super) color: ColorType,
    pub(super) depth: BitDepth,
    /// Row by row from the top. Each row starts with a new byte.
    pub(super) data: Vec<u8>,
    /// Red, green and blue of each index.
    pub(super) palette: Vec<u8>,
    /// Transparency as the PNG stores it.
    pub(super) transparent: Vec<u8>,
    /// Keywords and texts.
    pub(super) texts: Vec<(String, String)>,
}

/// The path of errors.
pub(super) const PATH: &str = "pixels";

impl Raster {
    /// Reads a PNG whose pixel type `is_wanted` accepts. Only texts with the given keywords are returned.
    ///
    /// `max_bytes` limits the decoded size, with 4 bytes per pixel.
    pub(super) fn read(
        bytes: &[u8],
        max_bytes: u64,
        keywords: &[&str],
        is_wanted: impl Fn(ColorType, BitDepth) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        // A deflate stream expands by at most a factor of 1032. A larger claim is truncated or not an image.
        let most = (bytes.len() as u64).saturating_mul(1032).saturating_add(1 << 20).min(max_bytes);
        let limits = Limits { bytes: usize::try_from(most).unwrap_or(usize::MAX) };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_transformations(Transformations::IDENTITY);
        decoder.set_ignore_iccp_chunk(true);
        let failed = |error| failed(error, bytes, most);
        let mut reader = decoder.read_info().map_err(failed)?;
        let Info { width, height, color_type: color, bit_depth: depth, interlaced, .. } = *reader.info();
        is_wanted(color, depth)?;
        if u64::from(width).saturating_mul(height.into()).saturating_mul(4) > max_bytes {
            return Err(Error::on_path(ErrorKind::Limit { what: "bytes of heights", limit: max_bytes }, PATH));
        }
        let size = reader.output_buffer_size().filter(|&size| size as u64 <= most);
        // An image that claims more than its bytes can contain is truncated. Otherwise, the pixels become a list of 16-bit
        // numbers, which doubles as it grows, and then 32-bit heights.
        if let Some(size) = size {
            let pixels = u64::from(width).saturating_mul(height.into());
            check_memory(pixels.saturating_mul(8).saturating_add(size as u64)).map_err(exceeded)?;
        }
        let mut data = Vec::new();
        if interlaced {
            // Its rows come in seven passes, so it is decoded as a whole.
            data = vec![0; size.ok_or_else(|| failed(DecodingError::LimitsExceeded))?];
            reader.next_frame(&mut data).map_err(failed)?;
        } else {
            while let Some(row) = reader.next_row().map_err(failed)? {
                data.extend_from_slice(row.data());
            }
        }
        // Texts may follow the pixels. Errors there do not affect pixels.
        let _ = reader.finish();
        let info = reader.info();
        let texts = info.uncompressed_latin1_text.iter().filter(|chunk| keywords.contains(&chunk.keyword.as_str()));
        Ok(Self {
            size: [width, height],
            color,
            depth,
            data,
            palette: info.palette.as_deref().unwrap_or_default().to_vec(),
            transparent: info.trns.as_deref().unwrap_or_default().to_vec(),
            texts: texts.map(|chunk| (chunk.keyword.clone(), chunk.text.clone())).collect(),
        })
    }

    /// Returns the numbers of the pixels: levels of grey, or indices into the palette.
    pub(super) fn numbers(&self) -> Vec<u16> {
        let channels = self.color.samples();
        let width = self.size[0] as usize;
        match self.depth {
            BitDepth::Sixteen => {
                let pixels = self.data.chunks_exact(2 * channels);
                pixels.filter_map(|pixel| Some(u16::from_be_bytes(*pixel.first_chunk()?))).collect()
            }
            BitDepth::Eight => {
                self.data.chunks_exact(channels).filter_map(|pixel| Some(u16::from(*pixel.first()?))).collect()
            }
            packed => {
                let bits = packed as usize;
                let line = width.saturating_mul(bits).div_ceil(8).max(1);
                let pixel = |row: &[u8], column: usize| {
                    let bit = column.saturating_mul(bits);
                    let byte = u16::from(row.get(bit / 8).copied().unwrap_or_default());
                    (byte >> (8 - bits - bit % 8)) & ((1 << bits) - 1)
                };
                let rows = self.data.chunks_exact(line);
                rows.flat_map(|row| (0..width).map(move |column| pixel(row, column))).collect()
            }
        }
    }

    pub(super) fn text(&self, keyword: &str) -> Option<&str> {
        self.texts.iter().find(|(name, _)| name == keyword).map(|(_, text)| text.as_str())
    }
}

fn failed(error: DecodingError, bytes: &[u8], most: u64) -> Error {
    let left = bytes.len() as u64;
    match error {
        DecodingError::LimitsExceeded => {
            Error::on_path(ErrorKind::Limit { what: "bytes of heights", limit: most }, PATH)
        }
        DecodingError::IoError(_) => {
            Error::on_path(FaultKind::Truncated { needed: left.saturating_add(1), available: left }.into(), PATH)
        }
        other => malformed(PATH, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_of_any_depth_are_numbers() {
        let numbers = |depth, data: &[u8]| {
            let (color, data) = (ColorType::Grayscale, data.to_vec());
            let (palette, transparent, texts) = (Vec::new(), Vec::new(), Vec::new());
            Raster { size: [3, 2], color, depth, data, palette, transparent, texts }.numbers()
        };
        assert_eq!(numbers(BitDepth::One, &[0b1010_0000, 0b0111_1111]), [1, 0, 1, 0, 1, 1]);
        assert_eq!(numbers(BitDepth::Two, &[0b0001_1011, 0b1110_0100]), [0, 1, 2, 3, 2, 1]);
        assert_eq!(numbers(BitDepth::Four, &[0x12, 0x30, 0xab, 0xcf]), [1, 2, 3, 10, 11, 12]);
        assert_eq!(numbers(BitDepth::Eight, &[1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6]);
        assert_eq!(numbers(BitDepth::Sixteen, &[0, 1, 0, 2, 0, 3, 1, 4, 1, 5, 1, 6]), [1, 2, 3, 260, 261, 262]);
    }
}
