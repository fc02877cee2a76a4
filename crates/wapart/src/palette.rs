//! Palettes.

use std::fmt;

use mapwright_io::{FormatInfo, Position};

use crate::{ReadError, ReadErrorKind};

/// A palette of 256 colours with red, green and blue: the content of a `.PAL` file.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette {
    colors: Box<[[u8; 3]; 256]>,
}

impl Palette {
    /// The names of the format.
    pub const FORMAT: FormatInfo = FormatInfo::new("pal", "Claw and Gruntz palette", &["pal"]);

    /// Size of a palette in bytes.
    pub const SIZE: usize = 768;

    /// Creates a palette from its colours.
    pub fn new(colors: [[u8; 3]; 256]) -> Self {
        Self { colors: Box::new(colors) }
    }

    /// Reads a palette: the 768 bytes of a `.PAL` file.
    ///
    /// # Errors
    /// If there are more or fewer bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        let (colors, _) = bytes.as_chunks::<3>();
        match <[[u8; 3]; 256]>::try_from(colors) {
            Ok(colors) if bytes.len() == Self::SIZE => Ok(Self::new(colors)),
            _ => {
                let found = bytes.len();
                Err(ReadError::new(ReadErrorKind::PaletteSize { found }, Position::file(found as u64)))
            }
        }
    }

    /// Returns the 768 bytes of the `.PAL` file.
    pub fn as_bytes(&self) -> &[u8] {
        self.colors.as_flattened()
    }

    /// Creates a palette of shades of grey, for images whose palette is unknown.
    pub fn grey() -> Self {
        let mut colors = [[0; 3]; 256];
        for (color, shade) in colors.iter_mut().zip(0..=u8::MAX) {
            *color = [shade; 3];
        }
        Self::new(colors)
    }

    /// Returns all colours in order.
    pub const fn colors(&self) -> &[[u8; 3]; 256] {
        &self.colors
    }

    /// Returns all colours in order, to change them.
    pub const fn colors_mut(&mut self) -> &mut [[u8; 3]; 256] {
        &mut self.colors
    }

    /// Returns a colour.
    pub fn color(&self, index: u8) -> [u8; 3] {
        self.colors.get(usize::from(index)).copied().unwrap_or_default()
    }
}

impl fmt::Debug for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Palette").finish_non_exhaustive()
    }
}
