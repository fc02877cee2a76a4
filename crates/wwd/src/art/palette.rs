//! Palettes.

use std::fmt;

use mapwright_io::Position;

use super::{ArtError, ArtErrorKind};

/// 256 colours: red, green, blue.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette {
    colors: Box<[[u8; 3]; 256]>,
}

impl Palette {
    /// Bytes of a palette.
    pub const SIZE: usize = 768;

    /// Reads a palette: the 768 bytes that a `.PAL` file is.
    ///
    /// # Errors
    /// When there are more or fewer bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArtError> {
        let (colors, _) = bytes.as_chunks::<3>();
        match <[[u8; 3]; 256]>::try_from(colors) {
            Ok(colors) if bytes.len() == Self::SIZE => Ok(Self { colors: Box::new(colors) }),
            _ => {
                Err(ArtError::new(ArtErrorKind::PaletteSize { found: bytes.len() }, Position::file(bytes.len() as u64)))
            }
        }
    }

    /// Shades of grey, for pictures of which the palette is not at hand.
    pub fn grey() -> Self {
        let mut colors = Box::new([[0; 3]; 256]);
        for (color, shade) in colors.iter_mut().zip(0..=u8::MAX) {
            *color = [shade; 3];
        }
        Self { colors }
    }

    /// All colours, in order.
    pub const fn colors(&self) -> &[[u8; 3]; 256] {
        &self.colors
    }

    /// A colour.
    pub fn color(&self, index: u8) -> [u8; 3] {
        self.colors.get(usize::from(index)).copied().unwrap_or_default()
    }
}

impl fmt::Debug for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Palette").finish_non_exhaustive()
    }
}
