//! Images of tiles and objects. Levels do not contain them: they are files in folders unpacked from the archive of the game.
//!
//! The header of a level names the folders. [`Assets`] finds the files in a list of paths. [`GameImage`] decodes them: PID, the format
//! of the engine, and PCX. This module opens no files: the caller passes paths and bytes.
//!
//! ```
//! use mapwright_wwd::art::{Assets, GameImage};
//! use mapwright_wwd::io::FixedBytes;
//! use mapwright_wwd::Header;
//!
//! let header = Header { image_dir: FixedBytes::from_text(br"\LEVEL1\TILES").unwrap(), ..Header::default() };
//! let assets = Assets::new(["LEVEL1/TILES/ACTION/012.PID", "LEVEL1/PALETTES/MAIN.PAL"], &header);
//! assert_eq!(assets.tile(b"ACTION", 12), Some("LEVEL1/TILES/ACTION/012.PID"));
//! assert_eq!(assets.palette(), Some("LEVEL1/PALETTES/MAIN.PAL"));
//!
//! // An image of 3×1 pixels: twice colour 7, once colour 0.
//! let words = [10, 0, 3, 1, 0, 0, 0, 0_u32];
//! let file: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).chain([0xC2, 7, 0]).collect();
//! assert_eq!(GameImage::from_pid(&file)?.pixels.indices(), Some(&[7, 7, 0][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod index;
mod palette;
mod pcx;
mod pid;
#[cfg(feature = "scene")]
mod scene;

use mapwright_io::{Category, ErrorKind, Fault, FaultKind, Input, Position};

pub use crate::codes::PidFlags;
pub use index::Assets;
pub use palette::Palette;
#[cfg(feature = "scene")]
pub use scene::{AttachOptions, AttachReport, attach_images};

/// An error of decoding an image or palette: its kind and the byte offset in the file.
pub type ArtError = mapwright_io::Error<ArtErrorKind>;

/// The kind of an [`ArtError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtErrorKind {
    /// A primitive read failed, or the image has too many pixels.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The size of the image is not positive.
    #[error("invalid image size {width}×{height}: both sides must be positive")]
    Size {
        /// Width in pixels.
        width: i64,
        /// Height in pixels.
        height: i64,
    },
    /// The file is not a PCX file.
    #[error("not a PCX file: the first byte is {found}, expected 10")]
    NotPcx {
        /// The first byte.
        found: u8,
    },
    /// A PCX file has a pixel format that the games do not use.
    #[error(
        "unsupported PCX pixels: {planes} planes of {bits} bits in encoding {encoding}, expected 1 or 3 planes of 8 bits"
    )]
    PcxPixels {
        /// Bits per pixel of a plane.
        bits: u8,
        /// Number of planes.
        planes: u8,
        /// 0 plain, 1 packed.
        encoding: u8,
    },
    /// The rows of a PCX file are shorter than the image is wide.
    #[error("invalid PCX row size {row}: the image is {width} pixels wide")]
    PcxRow {
        /// Size of a row in bytes.
        row: u16,
        /// Width in pixels.
        width: u32,
    },
    /// The size of a palette is not 768 bytes.
    #[error("invalid palette size {found}: expected 768 bytes")]
    PaletteSize {
        /// Size in bytes.
        found: usize,
    },
    /// The extension of the file is neither `.pid` nor `.pcx`.
    #[error("unknown file extension: expected .pid or .pcx")]
    Extension,
}

impl ErrorKind for ArtErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::PcxPixels { .. } | Self::Extension => Category::Unsupported,
            _ => Category::Malformed,
        }
    }
}

/// A decoded image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameImage {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// Offset from the position of an object to the centre of its image, right and down, in pixels. Tiles ignore it.
    pub offset: [i32; 2],
    /// Flags of a PID image; 0 for PCX. Pixels are in file order, regardless of the flip flags.
    pub flags: PidFlags,
    /// The pixels.
    pub pixels: Pixels,
}

/// Pixels row by row from the top left, without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pixels {
    /// One palette index per pixel; 0 is transparent.
    Indexed {
        /// The palette indices.
        indices: Vec<u8>,
        /// The palette of the image itself. `None`: the palette of the level.
        palette: Option<Palette>,
    },
    /// Red, green and blue of each pixel.
    Rgb(Vec<u8>),
}

impl Pixels {
    /// Returns the palette indices of an indexed image.
    pub fn indices(&self) -> Option<&[u8]> {
        match self {
            Self::Indexed { indices, .. } => Some(indices),
            Self::Rgb(_) => None,
        }
    }
}

impl GameImage {
    /// Maximum number of pixels, 2²⁴. Images of the games have less than 2²⁰.
    pub const MAX_PIXELS: u64 = 1 << 24;

    /// Decodes a file by its extension, `.pid` or `.pcx`, regardless of case.
    ///
    /// # Errors
    /// If the extension is another one, and as [`from_pid`](Self::from_pid) and [`from_pcx`](Self::from_pcx).
    pub fn from_file(path: &str, bytes: &[u8]) -> Result<Self, ArtError> {
        match extension(path) {
            Some(Extension::Pid) => Self::from_pid(bytes),
            Some(Extension::Pcx) => Self::from_pcx(bytes),
            None => Err(ArtError::without_position(ArtErrorKind::Extension)),
        }
    }

    /// Decodes a PID image. Bytes after the last pixel are ignored.
    ///
    /// # Errors
    /// If it ends early, has no pixels, or more than [`MAX_PIXELS`](Self::MAX_PIXELS).
    pub fn from_pid(bytes: &[u8]) -> Result<Self, ArtError> {
        pid::decode(bytes)
    }

    /// Decodes a PCX file with 8 or 24 bits per pixel.
    ///
    /// # Errors
    /// If it is not a PCX file, ends early, has an unsupported pixel format, no pixels, or more than [`MAX_PIXELS`](Self::MAX_PIXELS).
    pub fn from_pcx(bytes: &[u8]) -> Result<Self, ArtError> {
        pcx::decode(bytes)
    }

    /// Converts the image to red, green, blue and opacity per pixel. Colour 0 is transparent. The image's own palette takes precedence
    /// over that of the level.
    pub fn rgba(&self, level: &Palette) -> Vec<u8> {
        match &self.pixels {
            Pixels::Indexed { indices, palette } => {
                let palette = palette.as_ref().unwrap_or(level);
                let colors = indices.iter().flat_map(|&index| match (index, palette.color(index)) {
                    (0, _) => [0; 4],
                    (_, [red, green, blue]) => [red, green, blue, 255],
                });
                colors.collect()
            }
            Pixels::Rgb(bytes) => {
                let (colors, _) = bytes.as_chunks::<3>();
                colors.iter().flat_map(|&[red, green, blue]| [red, green, blue, 255]).collect()
            }
        }
    }

    /// Returns `true` if the image needs the palette of the level.
    pub fn needs_palette(&self) -> bool {
        matches!(self.pixels, Pixels::Indexed { palette: None, .. })
    }
}

/// The two file formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extension {
    Pid,
    Pcx,
}

pub(crate) fn extension(path: &str) -> Option<Extension> {
    let (_, extension) = path.rsplit_once('.')?;
    match extension {
        _ if extension.eq_ignore_ascii_case("pid") => Some(Extension::Pid),
        _ if extension.eq_ignore_ascii_case("pcx") => Some(Extension::Pcx),
        _ => None,
    }
}

/// Checks the size of an image and returns it with the number of pixels.
fn area(width: i64, height: i64, at: Position) -> Result<(u32, u32, usize), ArtError> {
    let size = || ArtError::new(ArtErrorKind::Size { width, height }, at);
    let across = u32::try_from(width).ok().filter(|&width| width > 0).ok_or_else(size)?;
    let down = u32::try_from(height).ok().filter(|&height| height > 0).ok_or_else(size)?;
    let asked = u64::from(across).saturating_mul(down.into());
    let limit = GameImage::MAX_PIXELS;
    let count = usize::try_from(asked).ok().filter(|_| asked <= limit);
    let count = count.ok_or(Fault { kind: FaultKind::Limit { what: "pixels", asked, limit }, at })?;
    Ok((across, down, count))
}

/// Unpacks the run-length encoding of PCX and most PID images. A byte whose two highest bits are set is the length of a run of the
/// next byte; any other byte is a literal. The last run is cut at the end of the image.
fn unpack(input: &mut Input<'_>, count: usize) -> Result<Vec<u8>, Fault> {
    /// Maximum number of pixels per packed byte: 63 for two bytes, rounded up.
    const MAX_RUN: usize = 32;
    input.count((count as u64).div_ceil(MAX_RUN as u64), 1, "packed bytes")?;
    let mut bytes = Vec::with_capacity(count);
    while bytes.len() < count {
        let byte = input.u8()?;
        let (run, byte) = if byte >= 0xC0 { (usize::from(byte & 0x3F), input.u8()?) } else { (1, byte) };
        let end = bytes.len().saturating_add(run).min(count);
        bytes.resize(end, byte);
    }
    Ok(bytes)
}
