//! Palettes.

use std::fmt;

use mapwright_io::Position;

use super::{ArtError, ArtErrorKind};

/// A palette of 256 colours with red, green and blue.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette {
    colors: Box<[[u8; 3]; 256]>,
}

impl Palette {
    /// Size of a palette in bytes.
    pub const SIZE: usize = 768;

    /// Reads a palette: the 768 bytes of a `.PAL` file.
    ///
    /// # Errors
    /// If there are more or fewer bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArtError> {
        let (colors, _) = bytes.as_chunks::<3>();
        match <[[u8; 3]; 256]>::try_from(colors) {
            Ok(colors) if bytes.len() == Self::SIZE => Ok(Self { colors: Box::new(colors) }),
            _ => {
                Err(ArtError::new(ArtErrorKind::PaletteSize { found: bytes.len() }, Position::file(bytes.len() as u64)))
            }
        }
    }

    /// Creates a palette of shades of grey, for images whose palette is unknown.
    pub fn grey() -> Self {
        let mut colors = Box::new([[0; 3]; 256]);
        for (color, shade) in colors.iter_mut().zip(0..=u8::MAX) {
            *color = [shade; 3];
        }
        Self { colors }
    }

    /// Returns all colours in order.
    pub const fn colors(&self) -> &[[u8; 3]; 256] {
        &self.colors
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
