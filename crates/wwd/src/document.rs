//! What a file says.

mod header;
mod image_sets;
pub(crate) mod layout;
mod object;
mod objects;
mod plane;
pub(crate) mod record;
mod tile_property;
mod tiles;

use std::sync::Arc;

use mapwright_io::{Confidence, FormatInfo};

pub use header::Header;
pub(crate) use header::first_number;
pub use image_sets::{ImageSets, NulInName};
pub use layout::{Layout, PlaneLayout, Residue};
pub(crate) use object::OBJECT;
pub use object::{Object, Rect};
pub use objects::Objects;
pub(crate) use plane::PLANE;
pub use plane::Plane;
pub use record::{FieldError, FieldValue};
pub use tile_property::{Shape, TileProperties, TileProperty};
pub use tiles::Tiles;

use crate::Style;
use record::{Field as _, fill};

/// The format's introduction.
pub const FORMAT: FormatInfo = FormatInfo::new("wwd", "WAP32 level (Claw, Gruntz)", &["wwd"]);

/// Whether bytes are a level; the first 1524 suffice. A format without a mark of its own: it is recognised by the size of its
/// header, the place of its planes and words that are zero in all known files.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let word = |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk().copied()).map(u32::from_le_bytes);
    let size = u32::try_from(Header::FILE_SIZE).ok();
    if word(0) != size || word(8).is_none_or(|flags| flags > 0xFF) {
        return Confidence::No;
    }
    let known = word(4) == Some(0) && word(0x0C) == Some(0) && word(0x2E0) == size;
    if known { Confidence::Certain } else { Confidence::Maybe }
}

/// A level: what the file says, in its order.
///
/// Counts, offsets and lengths follow from the rest and are not here; [`layout`](Self::layout) has those that do not follow.
#[derive(Clone)]
pub struct Document {
    /// The header.
    pub header: Header,
    /// The planes in file order, which is also the order in which they are drawn.
    pub planes: Vec<Plane>,
    /// What tiles are to the touch; `None` if the file has no such table.
    pub tile_properties: Option<TileProperties>,
    /// Bytes behind the stored block. WapMap puts its own notes there.
    pub trailer: Vec<u8>,
    /// Where the sections stand, if not in the order in which all known programs write them.
    pub layout: Option<Layout>,
    /// In which program's way the main block is compressed and summed up when it has changed: that of the program that
    /// wrote the file, as far as the file tells.
    pub style: Style,
    // What was read.
    pub(crate) kept: Option<Kept>,
}

/// The stored block that was read.
#[derive(Clone)]
pub(crate) struct Kept {
    /// The main block, which grids and objects share.
    pub(crate) main: Arc<Vec<u8>>,
    /// The zlib stream that it came in; `None` if it came as it is.
    pub(crate) stream: Option<Vec<u8>>,
}

impl Kept {
    /// Whether a main block is this one; where it is borrowed from here, that is seen without a look at its bytes.
    pub(crate) fn is(&self, main: &[u8]) -> bool {
        std::ptr::eq(main, self.main.as_slice()) || *main == **self.main
    }
}

impl Document {
    /// An empty level of the original editor: no planes, no tile properties, compressed.
    pub fn new() -> Self {
        let header = Header {
            header_size: 1524,
            flags: crate::HeaderFlags(crate::HeaderFlags::USE_Z.0 | crate::HeaderFlags::COMPRESS.0),
            ..Header::default()
        };
        Self {
            header,
            planes: Vec::new(),
            tile_properties: None,
            trailer: Vec::new(),
            layout: None,
            style: Style::Editor,
            kept: None,
        }
    }

    /// The plane that the player is on: the first with that flag.
    pub fn main_plane(&self) -> Option<&Plane> {
        self.planes.iter().find(|plane| plane.is_main())
    }

    /// The place of the main plane in [`planes`](Self::planes).
    pub fn main_plane_index(&self) -> Option<usize> {
        self.planes.iter().position(Plane::is_main)
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

/// Documents are equal if they say the same, however the main block was stored.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header
            && self.planes == other.planes
            && self.tile_properties == other.tile_properties
            && self.trailer == other.trailer
            && self.layout == other.layout
            && self.style == other.style
    }
}

impl Eq for Document {}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("header", &self.header)
            .field("planes", &self.planes)
            .field("tile_properties", &self.tile_properties)
            .field("trailer", &self.trailer.escape_ascii().to_string())
            .field("layout", &self.layout)
            .field("style", &self.style)
            .finish_non_exhaustive()
    }
}

/// Cuts the derived words out of the bytes of a record: the fields alone, and the words.
#[inline]
pub(crate) fn split<const FILE: usize, const FIELDS: usize, const WORDS: usize>(
    bytes: &[u8; FILE],
    derived: std::ops::Range<usize>,
) -> ([u8; FIELDS], [u32; WORDS]) {
    let mut fields = [0; FIELDS];
    let (before, behind) = fields.split_at_mut_checked(derived.start).unwrap_or_default();
    fill(before, bytes);
    fill(behind, bytes.get(derived.end..).unwrap_or_default());
    let (words, _) = bytes.get(derived).unwrap_or_default().as_chunks::<4>();
    let mut numbers = [0; WORDS];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = u32::get(word);
    }
    (fields, numbers)
}

/// The opposite of [`split`].
#[inline]
pub(crate) fn join<const FILE: usize, const FIELDS: usize, const WORDS: usize>(
    fields: &[u8; FIELDS],
    words: [u32; WORDS],
    derived: std::ops::Range<usize>,
) -> [u8; FILE] {
    let mut bytes = [0; FILE];
    fill(&mut bytes, fields.get(..derived.start).unwrap_or_default());
    let behind = bytes.get_mut(derived.start..).unwrap_or_default();
    fill(behind, words.map(u32::to_le_bytes).as_flattened());
    let behind = bytes.get_mut(derived.end..).unwrap_or_default();
    fill(behind, fields.get(derived.start..).unwrap_or_default());
    bytes
}
