//! PID images: eight words, run-length encoded pixels, and in some files a palette.
//!
//! ```
//! use mapwright_wapart::pid::Document;
//!
//! // An image of 3×1 pixels: twice colour 7, once colour 0.
//! let words = [10, 0, 3, 1, 0, 0, 0, 0_u32];
//! let file: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).chain([0xC2, 7, 0]).collect();
//! let mut image = Document::from_bytes(&file)?;
//! assert_eq!(image.indices, [7, 7, 0]);
//!
//! // A changed image is packed like the rest of the file.
//! image.indices[2] = 200;
//! assert!(image.to_bytes()?.ends_with(&[0xC2, 7, 0xC1, 200]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
mod validate;
mod write;

use mapwright_io::{Confidence, FormatInfo, Input};

use crate::runs::Stored;
use crate::{Palette, PidFlags, ReadError, ReadOptions, RunCounts, WriteError, WriteOptions};

/// The names of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("pid", "Claw and Gruntz image", &["pid"]);

/// Size of the eight words in bytes.
pub const HEADER_SIZE: usize = 32;

/// A PID image. The encoding of the pixels does not count for equality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Unknown; Gruntz does not read it. Observed value: 10.
    pub description: u32,
    /// Encoding and kind of the pixels.
    pub flags: PidFlags,
    /// Width in pixels, at least 1. Gruntz rejects images without `SKIPS` whose width is not a multiple of 4.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// Offset from the position of an object to the centre of its image, right and down, in pixels. Tiles ignore it.
    pub offset: [i32; 2],
    /// Colour of skipped pixels in its low byte, with `FILL`.
    pub fill: u32,
    /// Unknown; Gruntz does not read it. Observed value: 0.
    pub reserved_1c: u32,
    /// One palette index per pixel, row by row from the top. Skipped pixels have [`fill_index`](Self::fill_index). With `LIGHT`, strengths
    /// of light.
    pub indices: Vec<u8>,
    /// For each pixel `true` if it is transparent. Empty without `SKIPS`.
    pub skipped: Vec<bool>,
    /// Bytes after the last pixel, before the palette. Observed value: none.
    pub trailing: Vec<u8>,
    /// The palette, with `OWN_PALETTE`.
    pub palette: Option<Palette>,
    stored: Stored,
}

mapwright_io::read_functions!("a PID image");
mapwright_io::write_functions!("the image");

impl Document {
    /// Creates an image without flags.
    pub fn new(width: u32, height: u32, indices: Vec<u8>) -> Self {
        Self {
            description: 10,
            flags: PidFlags(0),
            width,
            height,
            offset: [0; 2],
            fill: 0,
            reserved_1c: 0,
            indices,
            skipped: Vec::new(),
            trailing: Vec::new(),
            palette: None,
            stored: Stored::default(),
        }
    }

    /// Returns the index of skipped pixels.
    pub const fn fill_index(&self) -> u8 {
        let [low, ..] = self.fill.to_le_bytes();
        if self.flags.has(PidFlags::FILL) { low } else { 0 }
    }

    /// Sets or removes the palette and its flag.
    pub fn set_palette(&mut self, palette: Option<Palette>) {
        self.flags = self.flags.with(PidFlags::OWN_PALETTE, palette.is_some());
        self.palette = palette;
    }

    /// Sets the transparent pixels and the flag `SKIPS`. `None` removes both. Transparent pixels get the [`fill_index`](Self::fill_index).
    pub fn set_skipped(&mut self, skipped: Option<Vec<bool>>) {
        self.flags = self.flags.with(PidFlags::SKIPS, skipped.is_some());
        self.skipped = skipped.unwrap_or_default();
        let fill = self.fill_index();
        for (index, _) in self.indices.iter_mut().zip(&self.skipped).filter(|(_, skipped)| **skipped) {
            *index = fill;
        }
    }

    /// Counts unusual runs of the pixels that were read.
    pub fn count_runs(&self) -> RunCounts {
        self.stored.count_runs(self.flags.has(PidFlags::SKIPS))
    }
}

/// Returns the likelihood that bytes are a PID image, from their first 16. The format has no signature.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let words = Input::new(bytes).u32s_le(4);
    match words.as_deref() {
        Ok(&[10, flags, width @ 1..=0xFFFF, height @ 1..=0xFFFF])
            if PidFlags(flags).unknown() == 0
                && u64::from(width).saturating_mul(height.into()) <= crate::MAX_PIXELS =>
        {
            Confidence::Maybe
        }
        _ => Confidence::No,
    }
}
