//! Options of reading and writing.

use mapwright_io::Limits;

mapwright_io::options! {
    /// Options of reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of memory and items. Pixels count as decompressed bytes, records of animations as items. Images also have at most
        /// [`MAX_PIXELS`](crate::MAX_PIXELS) pixels.
        pub limits: Limits = Limits::default(), with_limits;
    }
}

mapwright_io::options! {
    /// Options of writing.
    #[derive(Debug, Clone)]
    pub struct WriteOptions {
        /// The program whose packed pixels are reproduced. With `None`, unchanged pixels are written as they were read. Changed pixels
        /// are packed by the profile that reproduces the original ones, else by [`WriterProfile::Tiles`]. Skips have no profile.
        pub profile: Option<WriterProfile> = None, with_profile(WriterProfile);
    }
}

/// The program whose run lengths are reproduced. Both pack each row separately, and equal bytes as runs of at most 63.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum WriterProfile {
    /// The program that packed the tiles and menus of Gruntz: single bytes below 0xC0 are literals.
    #[default]
    Tiles,
    /// The program that packed the sprites of grunts: single bytes below 0x40 are literals, others are runs of 1.
    Sprites,
}

impl WriterProfile {
    /// All profiles.
    pub const ALL: [Self; 2] = [Self::Tiles, Self::Sprites];

    /// Returns the lowest byte that is packed as a run even if it is single.
    pub(crate) const fn literal_end(self) -> u8 {
        match self {
            Self::Tiles => 0xC0,
            Self::Sprites => 0x40,
        }
    }
}
