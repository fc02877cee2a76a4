//! The two games, which treat transparency differently.

/// A game. Its colour mode decides which pixels are transparent, and its logics how objects are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Game {
    /// Claw runs with 8 bits per pixel: colour 0 is transparent.
    Claw,
    /// Gruntz runs with 16 or 24 bits per pixel: red 255, green 0, blue 132 is transparent in images that have a colour key.
    Gruntz,
}

impl Game {
    /// The transparent colour of Gruntz: red, green, blue.
    pub const GRUNTZ_KEY: [u8; 3] = [255, 0, 132];

    /// Returns the game of a level by its directory of tile images: `\LEVEL1\TILES` is Claw, `\AREA1\TILEZ` is Gruntz. Returns `None`
    /// for other directories; see [`Image::game`](crate::Image::game).
    pub fn from_image_dir(image_dir: &[u8]) -> Option<Self> {
        let name = image_dir.strip_prefix(b"\\").unwrap_or(image_dir);
        let is = |word: &[u8]| match name.split_at_checked(word.len()) {
            Some((start, [digit, ..])) => start.eq_ignore_ascii_case(word) && digit.is_ascii_digit(),
            _ => false,
        };
        match () {
            () if is(b"LEVEL") => Some(Self::Claw),
            () if is(b"AREA") => Some(Self::Gruntz),
            () => None,
        }
    }
}
