//! Compiled levels: WMB2, WMB3, WMB4, WMB6 and WMB7.
//!
//! This crate only reads the parts that conversions need: the palette, the textures and the faces.

mod faces;

pub use faces::{FaceCorner, LevelFace, LevelMesh};

use mapwright_io::{Budget, Confidence, Context as _, FormatInfo, Input, Position};

use crate::model::read_magic;
use crate::skin::{error_at, to_usize};
use crate::texture::{HEADER, Texture, TextureHeader};
use crate::{Palette, PixelFormat, ReadError, ReadErrorKind, ReadOptions};

/// Names and extensions of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("wmb", "compiled 3D Gamestudio level", &["wmb"]);

/// Returns the likelihood that bytes are a compiled level. The first four suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if WmbVersion::from_magic(bytes).is_some() { Confidence::Certain } else { Confidence::No }
}

/// A compiled level. Images and faces are decoded on request.
#[derive(Debug, Clone)]
pub struct Wmb<'a> {
    /// The version.
    pub version: WmbVersion,
    /// The palette of the level.
    pub palette: Option<Palette>,
    lists: Vec<Input<'a>>,
    /// The list of textures, to which offsets refer.
    texture_data: &'a [u8],
    /// The offset of each texture.
    offsets: Vec<u32>,
    /// The same offsets in ascending order, without repetitions. A texture ends where the next one begins.
    starts: Vec<u32>,
}

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WmbVersion {
    /// WMB2: A4.
    Wmb2,
    /// WMB3: A4 and A5.
    Wmb3,
    /// WMB4: A5.
    Wmb4,
    /// WMB6: A6.
    Wmb6,
    /// WMB7: A7 and A8.
    Wmb7,
}

impl WmbVersion {
    fn from_magic(bytes: &[u8]) -> Option<Self> {
        Some(match bytes.first_chunk()? {
            b"WMB2" => Self::Wmb2,
            b"WMB3" => Self::Wmb3,
            b"WMB4" => Self::Wmb4,
            b"WMB6" => Self::Wmb6,
            b"WMB7" => Self::Wmb7,
            _ => return None,
        })
    }

    /// Number of lists in the header.
    const fn list_count(self) -> usize {
        match self {
            Self::Wmb2 | Self::Wmb3 | Self::Wmb4 => 16,
            Self::Wmb6 => 17,
            Self::Wmb7 => 20,
        }
    }
}

/// A list of a compiled level, by its index in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Palettes = 0,
    Textures = 2,
    Vertices = 3,
    Materials = 6,
    Faces = 7,
    Edges = 12,
    /// The edges of all faces, one face after another.
    Loops = 13,
    /// WMB7.
    Blocks = 17,
}

/// Bytes before the colours of the palette.
const PALETTE_HEADER: usize = 16;
const PALETTE_SIZE: usize = 768;
/// The word in the header of a texture of old levels: the offset of the image.
const IMAGE_OFFSET: u32 = 40;

impl<'a> Wmb<'a> {
    /// Reads the header and the list of textures.
    ///
    /// # Errors
    /// If the bytes are not a compiled level, or if a list is not inside the file.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let found = read_magic(&mut input, "a compiled level")?;
        let Some(version) = WmbVersion::from_magic(&found) else {
            let kind =
                ReadErrorKind::Magic { format: "a compiled level", found, expected: "WMB2 to WMB4, WMB6 or WMB7" };
            return Err(error_at(Position::file(0), kind));
        };
        let mut lists = Vec::with_capacity(version.list_count());
        for list in 0..version.list_count() {
            let [start, length] = [input.u32_le()?, input.u32_le()?].map(to_usize);
            let mut all = Input::new(bytes);
            // An empty list may have any offset.
            all.take(if length == 0 { 0 } else { start }).in_item("lists", list)?;
            lists.push(all.sub(length).in_item("lists", list)?);
        }
        let mut level =
            Self { version, palette: None, lists, texture_data: &[], offsets: Vec::new(), starts: Vec::new() };
        let palette = level.list(List::Palettes).peek().get(PALETTE_HEADER..);
        level.palette = palette.and_then(|bytes| bytes.get(..PALETTE_SIZE)).map(Palette::from_rgb);
        let mut textures = level.list(List::Textures);
        level.texture_data = textures.peek();
        if !textures.is_empty() {
            let count = textures.u32_le().in_field("textures")?;
            let count = textures.count(count.into(), 4, "textures").in_field("textures")?;
            level.offsets = textures.u32s_le(count)?;
        }
        level.starts.clone_from(&level.offsets);
        level.starts.sort_unstable();
        level.starts.dedup();
        Ok(level)
    }

    /// Returns a cursor over a list.
    fn list(&self, list: List) -> Input<'a> {
        self.lists.get(list as usize).cloned().unwrap_or(Input::new(&[]))
    }

    /// Returns the number of textures, including empty slots.
    pub fn texture_count(&self) -> usize {
        self.offsets.len()
    }

    /// Returns a texture by the index that faces use. Returns `None` for an empty slot.
    pub fn texture(&self, index: usize) -> Option<Texture<'a>> {
        let offset = *self.offsets.get(index)?;
        let next = self.starts.get(self.starts.partition_point(|start| *start <= offset));
        let end = next.map_or(usize::MAX, |next| to_usize(*next)).min(self.texture_data.len());
        let data = self.texture_data.get(to_usize(offset)..end)?;
        let header = TextureHeader::read(data)?;
        let image = data.get(HEADER..).unwrap_or_default();
        let format = if self.version == WmbVersion::Wmb7 || header.word != IMAGE_OFFSET {
            PixelFormat(header.word)
        } else {
            // Old levels do not store the format. Infer it from the space for the image and its mipmaps.
            let texels = to_usize(header.size[0]).saturating_mul(to_usize(header.size[1]));
            let all = [0, 2, 4, 6].iter().map(|shift| texels >> shift).fold(0, usize::saturating_add);
            let is_high_color = image.len() >= all.saturating_mul(2);
            PixelFormat(PixelFormat::MIPMAPS | if is_high_color { PixelFormat::RGB565 } else { PixelFormat::PALETTE })
        };
        Some(header.texture_with_own_name(format, image))
    }

    /// Iterates over the textures, without empty slots.
    pub fn textures(&self) -> impl Iterator<Item = Texture<'a>> {
        (0..self.texture_count()).filter_map(|index| self.texture(index))
    }

    /// Reads the faces with the default options.
    ///
    /// # Errors
    /// If a face refers to data outside the file.
    pub fn faces(&self) -> Result<LevelMesh, ReadError> {
        self.faces_with(&ReadOptions::default())
    }

    /// Reads the faces with the given options.
    ///
    /// # Errors
    /// If a face refers to data outside the file, or if a limit is exceeded.
    pub fn faces_with(&self, options: &ReadOptions) -> Result<LevelMesh, ReadError> {
        faces::read(self, &mut Budget::new(&options.limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the order of lists in the format description of libgamestudio.
    #[test]
    fn lists_have_the_published_order() {
        let lists = [List::Palettes, List::Textures, List::Vertices, List::Materials, List::Faces];
        assert_eq!(lists.map(|list| list as usize), [0, 2, 3, 6, 7]);
        assert_eq!([List::Edges, List::Loops, List::Blocks].map(|list| list as usize), [12, 13, 17]);
        let counts = [WmbVersion::Wmb2, WmbVersion::Wmb3, WmbVersion::Wmb4, WmbVersion::Wmb6, WmbVersion::Wmb7];
        assert_eq!(counts.map(WmbVersion::list_count), [16, 16, 16, 17, 20]);
    }
}
