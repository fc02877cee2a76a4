//! Reads texture archives: WAD2 of Quake, WAD3 of Half-Life, WAD7 of 3D GameStudio.
//!
//! ```
//! # fn le(number: u32) -> [u8; 4] { number.to_le_bytes() }
//! # let name = *b"brick\0\0\0\0\0\0\0\0\0\0\0";
//! # let texture: Vec<u8> = [&name[..], &le(16), &le(16), &le(40), &[0; 12], &[7; 256]].concat();
//! # let palette = [9; 768];
//! # let entry = |at: usize, size: usize, kind: u8, name: &[u8; 16]| {
//! #     [&le(at as u32)[..], &le(size as u32), &le(size as u32), &[kind, 0, 0, 0], name].concat()
//! # };
//! # let end = 12 + texture.len() + 768;
//! # let file = [&b"WAD2"[..], &le(2), &le(end as u32), &texture, &palette,
//! #     &entry(12, texture.len(), 0x44, &name), &entry(12 + texture.len(), 768, 0x40, b"palette\0\0\0\0\0\0\0\0\0")].concat();
//! use mapwright_interchange::wad::Wad;
//!
//! let wad = Wad::from_bytes(&file)?;
//! let brick = wad.texture("BRICK").unwrap();
//! assert_eq!((brick.size, brick.pixels().unwrap().data[..4].to_vec()), ([16, 16], vec![9, 9, 9, 255]));
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! The images of WAD2 need the palette of the game. If the archive has none, only their sizes are known. Unknown entries of
//! WAD7 are ignored.

mod texels;

use mapwright_io::FaultKind;
use mapwright_scene::Pixels;

use self::texels::Encoding;
use crate::{Error, ErrorKind, Position};

/// An archive. Images are decoded on request.
#[derive(Debug, Clone, PartialEq)]
pub struct Wad<'a> {
    /// The textures in the order of the directory, without other entries.
    pub textures: Vec<Texture<'a>>,
}

/// A texture of an archive.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture<'a> {
    /// The name.
    pub name: String,
    /// Width and height in texels.
    pub size: [u32; 2],
    encoding: Encoding<'a>,
}

/// Size of a directory entry in bytes.
const ENTRY: usize = 32;

impl<'a> Wad<'a> {
    /// Reads the directory and the sizes of the textures. Textures outside the file or with invalid headers are ignored.
    ///
    /// # Errors
    /// [`NotTheFormat`](ErrorKind::NotTheFormat) for files without the signature of an archive, [`Fault`](ErrorKind::Fault) if
    /// the directory is not inside the file.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        let is_seven = match bytes.get(..4) {
            Some(b"WAD2" | b"WAD3") => false,
            Some(b"WAD7") => true,
            other => {
                let found = format!("{:?}", String::from_utf8_lossy(other.unwrap_or(bytes)));
                let kind = ErrorKind::NotTheFormat { format: "WAD", found, expected: "WAD2, WAD3 or WAD7" };
                return Err(Error::new(kind, Position::file(0)));
            }
        };
        let truncated = |needed: u64| {
            let kind = FaultKind::Truncated { needed, available: bytes.len() as u64 }.into();
            Error::on_path(kind, "directory").at(Position::file(4))
        };
        let (count, start) = (u32_at(bytes, 4), u32_at(bytes, 8));
        let (Some(count), Some(start)) = (count, start) else { return Err(truncated(12)) };
        let size = u64::from(count).saturating_mul(ENTRY as u64);
        let directory = bytes.get(index(start)..).and_then(|rest| rest.get(..usize::try_from(size).ok()?));
        let directory = directory.ok_or_else(|| truncated(size.saturating_add(start.into())))?;
        let entries = || directory.chunks_exact(ENTRY).filter_map(|entry| Entry::new(bytes, entry));
        let palette = entries().find(|entry| entry.kind == PALETTE).and_then(|entry| entry.data.get(..768));
        let textures = entries().filter_map(|entry| entry.texture(is_seven, palette)).collect();
        Ok(Self { textures })
    }

    /// Returns the first texture with a name, ignoring case.
    pub fn texture(&self, name: &str) -> Option<&Texture<'a>> {
        self.textures.iter().find(|texture| texture.name.eq_ignore_ascii_case(name))
    }
}

impl Texture<'_> {
    /// Returns the pixels with opacity, or `None` if the archive does not contain all of them or their palette. Takes four
    /// bytes per texel of the file.
    pub fn pixels(&self) -> Option<Pixels> {
        self.encoding.pixels(self.size, self.name.starts_with('{'))
    }
}

/// Entry type of palettes.
const PALETTE: u8 = 0x40;
/// Entry types of textures: with their own palette (WAD3), with that of the game, and those of WAD7.
const OWN_PALETTE: u8 = 0x43;
const GAME_PALETTE: u8 = 0x44;
const WORDS: u8 = 0x08;
const HALF_WORDS: u8 = 0x0a;

struct Entry<'a> {
    kind: u8,
    name: &'a [u8],
    /// The entry, from its first byte.
    data: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Returns `None` for compressed entries, which no known archive has, and for entries outside the file.
    fn new(bytes: &'a [u8], entry: &'a [u8]) -> Option<Self> {
        let (start, size) = (index(u32_at(entry, 0)?), index(u32_at(entry, 4)?));
        let (kind, compression) = (*entry.get(12)?, *entry.get(13)?);
        let data = bytes.get(start..)?.get(..size)?;
        (compression == 0).then_some(Self { kind, name: entry.get(16..)?, data })
    }

    fn texture(&self, is_seven: bool, palette: Option<&'a [u8]>) -> Option<Texture<'a>> {
        let size @ [width, height] = [u32_at(self.data, 16)?, u32_at(self.data, 20)?];
        // Sizes beyond those of any graphics card are invalid, and could overflow.
        if [width, height].iter().any(|side| !(1..=1 << 14).contains(side)) {
            return None;
        }
        let texels = index(width).checked_mul(index(height))?;
        // WAD7 has one more number before the offsets of its images.
        let first =
            if is_seven && u32_at(self.data, 24) != Some(40) { u32_at(self.data, 28)? } else { u32_at(self.data, 24)? };
        let data = self.data.get(index(first)..).unwrap_or_default();
        let encoding = match self.kind {
            GAME_PALETTE => Encoding::Indexed(data, palette),
            // The palette follows four mipmaps, each half as wide and high, and the number of colours.
            OWN_PALETTE => {
                let all = [0, 2, 4, 6].iter().map(|shift| texels >> shift).sum::<usize>();
                let own = data.get(all..).and_then(|rest| rest.get(2..770));
                Encoding::Indexed(data, own.or(palette))
            }
            WORDS if is_seven => Encoding::Words(data),
            HALF_WORDS if is_seven => Encoding::HalfWords(data),
            _ => return None,
        };
        let name = self.name.split(|&byte| byte == 0).next().unwrap_or_default();
        Some(Texture { name: name.iter().copied().map(char::from).collect(), size, encoding })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: WAD2 and WAD3 entry types, and WAD7 entry types, which repeat the pixel format: 10 is RGB565 with mipmaps.
    #[test]
    fn entries_have_the_published_types() {
        assert_eq!((PALETTE, OWN_PALETTE, GAME_PALETTE), (0x40, 0x43, 0x44));
        assert_eq!(HALF_WORDS, 2 | 8);
        assert_eq!(ENTRY, 32);
    }
}
