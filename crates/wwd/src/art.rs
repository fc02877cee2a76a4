//! Pictures of tiles and objects, which lie beside the levels: in folders unpacked from the archive of the game.
//!
//! A level names its pictures by the folders that the header says; [`Assets`] finds their files in a list of paths. [`Picture`]
//! decodes them: PID, the format of the engine, and PCX. Nothing here opens a file: paths and bytes are handed in.
//!
//! ```
//! use mapwright_wwd::art::{Assets, Picture};
//! use mapwright_wwd::io::FixedBytes;
//! use mapwright_wwd::Header;
//!
//! let header = Header { image_dir: FixedBytes::from_text(br"\LEVEL1\TILES").unwrap(), ..Header::default() };
//! let assets = Assets::new(["LEVEL1/TILES/ACTION/012.PID", "LEVEL1/PALETTES/MAIN.PAL"], &header);
//! assert_eq!(assets.tile(b"ACTION", 12), Some("LEVEL1/TILES/ACTION/012.PID"));
//! assert_eq!(assets.palette(), Some("LEVEL1/PALETTES/MAIN.PAL"));
//!
//! // A picture of 3 by 1 pixels: twice colour 7, once colour 0.
//! let words = [10, 0, 3, 1, 0, 0, 0, 0_u32];
//! let file: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).chain([0xC2, 7, 0]).collect();
//! assert_eq!(Picture::from_pid(&file)?.pixels.indices(), Some(&[7, 7, 0][..]));
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
pub use scene::{Put, PutOptions, put_into};

/// An error of decoding a picture or palette: what, and at which byte of its file.
pub type ArtError = mapwright_io::Error<ArtErrorKind>;

/// What is wrong with a picture or palette.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtErrorKind {
    /// A primitive read failed, or the picture has more pixels than are decoded.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// A picture without pixels.
    #[error("a picture of {width} by {height} pixels")]
    Size {
        /// Width as stated.
        width: i64,
        /// Height as stated.
        height: i64,
    },
    /// Not a PCX file.
    #[error("not a PCX file: it starts with {found}, not with 10")]
    NotPcx {
        /// The first byte.
        found: u8,
    },
    /// A PCX file with other pixels than the games have.
    #[error(
        "a PCX file of {planes} times {bits} bits per pixel in encoding {encoding}: 8 bits once or three times are read"
    )]
    PcxPixels {
        /// Bits per pixel of a plane.
        bits: u8,
        /// Planes.
        planes: u8,
        /// 0 plain, 1 packed.
        encoding: u8,
    },
    /// A PCX file whose rows are shorter than the picture is wide.
    #[error("rows of {row} bytes for a width of {width} pixels")]
    PcxRow {
        /// Bytes of a row.
        row: u16,
        /// Pixels of a row.
        width: u32,
    },
    /// A palette of another size than 768 bytes.
    #[error("a palette has 768 bytes, not {found}")]
    PaletteSize {
        /// Bytes that there are.
        found: usize,
    },
    /// A file whose name ends with neither `.pid` nor `.pcx`.
    #[error("the name ends with neither .pid nor .pcx")]
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

/// A decoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// How far right and down of its place the middle of a picture of an object stands. Tiles are drawn without.
    pub offset: [i32; 2],
    /// What a PID says; 0 for PCX. Pixels are as they stand in the file, whatever it says of flips.
    pub flags: PidFlags,
    /// The pixels.
    pub pixels: Pixels,
}

/// Pixels in rows from the top, from the left, without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pixels {
    /// A byte per pixel: a place in the palette; 0 is transparent.
    Indexed {
        /// The bytes.
        indices: Vec<u8>,
        /// The palette of the picture itself. `None`: that of the level.
        palette: Option<Palette>,
    },
    /// Red, green, blue of each pixel.
    Rgb(Vec<u8>),
}

impl Pixels {
    /// The places in the palette, if the pixels are such.
    pub fn indices(&self) -> Option<&[u8]> {
        match self {
            Self::Indexed { indices, .. } => Some(indices),
            Self::Rgb(_) => None,
        }
    }
}

impl Picture {
    /// The most pixels that a picture may have, 2²⁴. Those of the games have less than 2²⁰.
    pub const MAX_PIXELS: u64 = 1 << 24;

    /// Decodes a file by the end of its name, `.pid` or `.pcx` in capitals or not.
    ///
    /// # Errors
    /// When the name ends otherwise, or as [`from_pid`](Self::from_pid) and [`from_pcx`](Self::from_pcx).
    pub fn from_file(path: &str, bytes: &[u8]) -> Result<Self, ArtError> {
        match extension(path) {
            Some(Extension::Pid) => Self::from_pid(bytes),
            Some(Extension::Pcx) => Self::from_pcx(bytes),
            None => Err(ArtError::without_position(ArtErrorKind::Extension)),
        }
    }

    /// Decodes a PID image. Bytes behind the last pixel do not matter.
    ///
    /// # Errors
    /// When it ends early, has no pixels, or more than [`MAX_PIXELS`](Self::MAX_PIXELS).
    pub fn from_pid(bytes: &[u8]) -> Result<Self, ArtError> {
        pid::decode(bytes)
    }

    /// Decodes a PCX file of 8 bits per pixel or of 24.
    ///
    /// # Errors
    /// When it is none, ends early, has other pixels, no pixels, or more than [`MAX_PIXELS`](Self::MAX_PIXELS).
    pub fn from_pcx(bytes: &[u8]) -> Result<Self, ArtError> {
        pcx::decode(bytes)
    }

    /// Red, green, blue and opacity of each pixel; colour 0 is transparent. The picture's own palette goes before that of the
    /// level.
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

    /// Whether its colours are those of the level's palette.
    pub fn needs_palette(&self) -> bool {
        matches!(self.pixels, Pixels::Indexed { palette: None, .. })
    }
}

/// The two kinds of files.
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

/// The number of pixels, which is neither 0 nor too much.
fn area(width: i64, height: i64, at: Position) -> Result<(u32, u32, usize), ArtError> {
    let size = || ArtError::new(ArtErrorKind::Size { width, height }, at);
    let across = u32::try_from(width).ok().filter(|&width| width > 0).ok_or_else(size)?;
    let down = u32::try_from(height).ok().filter(|&height| height > 0).ok_or_else(size)?;
    let asked = u64::from(across).saturating_mul(down.into());
    let limit = Picture::MAX_PIXELS;
    let count = usize::try_from(asked).ok().filter(|_| asked <= limit);
    let count = count.ok_or(Fault { kind: FaultKind::Limit { what: "pixels", asked, limit }, at })?;
    Ok((across, down, count))
}

/// Bytes as PCX and most PID pack them: one whose two highest bits are set is the length of a run of the next byte, any other
/// stands for itself. What the last run has too much is cut off.
fn unpack(input: &mut Input<'_>, count: usize) -> Result<Vec<u8>, Fault> {
    /// The most bytes that one stands for: 63 for two, rounded up.
    const MOST: usize = 32;
    input.count((count as u64).div_ceil(MOST as u64), 1, "packed bytes")?;
    let mut bytes = Vec::with_capacity(count);
    while bytes.len() < count {
        let byte = input.u8()?;
        let (run, byte) = if byte >= 0xC0 { (usize::from(byte & 0x3F), input.u8()?) } else { (1, byte) };
        let end = bytes.len().saturating_add(run).min(count);
        bytes.resize(end, byte);
    }
    Ok(bytes)
}
