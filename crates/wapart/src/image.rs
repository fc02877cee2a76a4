//! Decoded images of all formats, and their conversion to colours.

use mapwright_io::{Fault, FaultKind, Position};

use crate::{Game, Palette, PidFlags, ReadError, ReadErrorKind, ReadOptions, WriteError, WriteErrorKind, pcx, pid};

/// Maximum number of pixels of an image, 2²⁴. Images of the games have less than 2²⁰.
pub const MAX_PIXELS: u64 = 1 << 24;

/// A file format of images, in the order in which the games look for files with the same frame number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImageFormat {
    /// PID, the format of sprites and most tiles.
    Pid,
    /// Windows bitmap. The games read it, but do not use it; this crate does not decode it.
    Bmp,
    /// PCX, the format of some tiles and of screens.
    Pcx,
    /// RID: unpacked PID. The games read it, but do not use it.
    Rid,
}

impl ImageFormat {
    /// Returns the format of a file by its name: `FRAME001.PID`, in any case. Returns `None` if the file is not an image.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        let (_, extension) = split_extension(name);
        let formats = [(Self::Pid, "pid"), (Self::Bmp, "bmp"), (Self::Pcx, "pcx"), (Self::Rid, "rid")];
        formats.into_iter().find(|(_, name)| extension.eq_ignore_ascii_case(name.as_bytes())).map(|(format, _)| format)
    }
}

/// Splits a file name into the part before the last dot and the extension after it.
pub(crate) fn split_extension(name: &[u8]) -> (&[u8], &[u8]) {
    match name.iter().rposition(|byte| *byte == b'.') {
        Some(point) => {
            let (stem, extension) = name.split_at_checked(point).unwrap_or((name, &[]));
            (stem, extension.get(1..).unwrap_or_default())
        }
        None => (name, &[]),
    }
}

/// A decoded image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// Offset from the position of an object to the centre of its image, right and down, in pixels. Tiles ignore it.
    pub offset: [i32; 2],
    /// The pixels.
    pub pixels: Pixels,
}

/// Pixels row by row from the top left, without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pixels {
    /// One palette index per pixel.
    Indexed {
        /// The palette indices.
        indices: Vec<u8>,
        /// The palette of the image itself. `None` if it uses the palette of the level.
        palette: Option<Palette>,
        /// The transparent pixels.
        transparency: Transparency,
    },
    /// Red, green and blue of each pixel. The colour key of Gruntz is transparent.
    Rgb(Vec<u8>),
    /// The strength of light per pixel: 0 does not change the pixel below.
    Light(Vec<u8>),
}

/// The transparent pixels of an indexed image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transparency {
    /// For each pixel `true` if it is transparent, regardless of its colour.
    Skipped(Vec<bool>),
    /// The colour key of the game: colour 0 in Claw, [`Game::GRUNTZ_KEY`] in Gruntz.
    Key,
    /// All pixels are opaque in Gruntz. In Claw, colour 0 is transparent, as in the editors of its levels.
    Unkeyed,
}

impl Image {
    /// Decodes a file by its extension: `.pid`, `.pcx` or `.rid` in any case.
    ///
    /// # Errors
    /// If the extension is a different one, or if the reader of the format fails.
    pub fn from_file(name: &[u8], bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_file_with(name, bytes, &ReadOptions::default())
    }

    /// Decodes a file by its extension with the given options.
    ///
    /// # Errors
    /// As [`from_file`](Self::from_file).
    pub fn from_file_with(name: &[u8], bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        match ImageFormat::from_name(name) {
            Some(ImageFormat::Pid) => pid::Document::from_bytes_with(bytes, options).map(Self::from),
            Some(ImageFormat::Pcx) => pcx::Document::from_bytes_with(bytes, options).map(Self::from),
            Some(ImageFormat::Rid) => pid::Document::from_rid(bytes, options).map(Self::from),
            Some(ImageFormat::Bmp) | None => Err(ReadError::without_position(ReadErrorKind::Extension)),
        }
    }

    /// Returns `true` if the image needs the palette of the level.
    pub const fn needs_palette(&self) -> bool {
        matches!(self.pixels, Pixels::Indexed { palette: None, .. })
    }

    /// Returns the likely game of the image, for levels whose directories do not name it: Gruntz if the image has a palette of its own with
    /// the colour key.
    pub fn game(&self) -> Game {
        match &self.pixels {
            Pixels::Indexed { palette: Some(palette), .. } if palette.colors().contains(&Game::GRUNTZ_KEY) => {
                Game::Gruntz
            }
            _ => Game::Claw,
        }
    }

    /// Converts the image to red, green, blue and opacity per pixel.
    ///
    /// Transparent pixels are `[0; 4]`. The palette of the image takes precedence over the palette of the level. Without any, indices are
    /// shades of grey. Light is white with its strength as opacity.
    pub fn to_rgba(&self, game: Game, level: Option<&Palette>) -> Vec<u8> {
        let pixels: Vec<[u8; 4]> = match &self.pixels {
            Pixels::Indexed { indices, palette, transparency } => {
                let grey;
                let palette = match palette.as_ref().or(level) {
                    Some(palette) => palette,
                    None => {
                        grey = Palette::grey();
                        &grey
                    }
                };
                match transparency {
                    Transparency::Skipped(skipped) => {
                        let pixels = indices.iter().zip(skipped);
                        pixels.map(|(&index, &skip)| if skip { [0; 4] } else { opaque(palette.color(index)) }).collect()
                    }
                    key => {
                        let is_keyed = game == Game::Claw || *key == Transparency::Key;
                        let table = key_table(palette, game, is_keyed);
                        let color = |index: &u8| table.get(usize::from(*index)).copied().unwrap_or_default();
                        indices.iter().map(color).collect()
                    }
                }
            }
            Pixels::Rgb(bytes) => {
                let is_key = |color: &[u8; 3]| game == Game::Gruntz && *color == Game::GRUNTZ_KEY;
                let (colors, _) = bytes.as_chunks::<3>();
                colors.iter().map(|color| if is_key(color) { [0; 4] } else { opaque(*color) }).collect()
            }
            Pixels::Light(strengths) => strengths.iter().map(|&strength| [255, 255, 255, strength]).collect(),
        };
        pixels.into_flattened()
    }
}

fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

/// Returns the colour of each index. With `is_keyed`, the key of the game is transparent.
fn key_table(palette: &Palette, game: Game, is_keyed: bool) -> [[u8; 4]; 256] {
    let mut table = palette.colors().map(opaque);
    for (index, (color, shown)) in palette.colors().iter().zip(&mut table).enumerate() {
        let is_key = match game {
            Game::Claw => index == 0,
            Game::Gruntz => *color == Game::GRUNTZ_KEY,
        };
        if is_keyed && is_key {
            *shown = [0; 4];
        }
    }
    table
}

impl From<pid::Document> for Image {
    fn from(document: pid::Document) -> Self {
        let pid::Document { flags, width, height, offset, mut indices, skipped, palette, .. } = document;
        let pixels = if flags.has(PidFlags::LIGHT) {
            indices.iter_mut().zip(&skipped).filter(|(_, skipped)| **skipped).for_each(|(strength, _)| *strength = 0);
            Pixels::Light(indices)
        } else {
            let transparency = if flags.has(PidFlags::SKIPS) {
                Transparency::Skipped(skipped)
            } else if flags.has(PidFlags::TRANSPARENT) {
                Transparency::Key
            } else {
                Transparency::Unkeyed
            };
            Pixels::Indexed { indices, palette, transparency }
        };
        Self { width, height, offset, pixels }
    }
}

impl From<pcx::Document> for Image {
    fn from(document: pcx::Document) -> Self {
        let pixels = match document.rgb() {
            Some(rgb) => Pixels::Rgb(rgb),
            None => Pixels::Indexed {
                indices: document.indices().unwrap_or_default(),
                transparency: Transparency::Key,
                palette: document.palette.clone(),
            },
        };
        Self { width: document.width(), height: document.height(), offset: [0; 2], pixels }
    }
}

/// Checks the size of an image and returns it with the number of pixels.
pub(crate) fn area(width: i64, height: i64, at: Position) -> Result<(u32, u32, usize), ReadError> {
    let size = || ReadError::new(ReadErrorKind::Size { width, height }, at);
    let across = u32::try_from(width).ok().filter(|&width| width > 0).ok_or_else(size)?;
    let down = u32::try_from(height).ok().filter(|&height| height > 0).ok_or_else(size)?;
    let asked = u64::from(across).saturating_mul(down.into());
    let count = usize::try_from(asked).ok().filter(|_| asked <= MAX_PIXELS);
    let limit = FaultKind::Limit { what: "pixels", asked, limit: MAX_PIXELS };
    let count = count.ok_or(Fault { kind: limit, at })?;
    Ok((across, down, count))
}

/// Checks the size of an image that is written. Returns its width and the number of pixels.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(usize, usize), WriteError> {
    match area(width.into(), height.into(), Position::default()) {
        Ok((across, _, count)) => Ok((usize::try_from(across).unwrap_or(usize::MAX), count)),
        Err(_) => Err(WriteError::without_position(WriteErrorKind::Size { width, height })),
    }
}
