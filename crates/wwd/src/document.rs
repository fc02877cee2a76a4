//! The document: everything that a file contains.

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

use mapwright_io::{Confidence, FormatInfo, Input};

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

use crate::WriterProfile;
use record::{Field as _, fill};

/// Name, title and file extension of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("wwd", "WAP32 level (Claw, Gruntz)", &["wwd"]);

/// Detects levels; the first 1524 bytes suffice. The format has no signature. It is recognised by the size of its header and by
/// words that have the same value in all known files.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let word = |at: usize| bytes.get(at..).and_then(|rest| Input::new(rest).u32_le().ok());
    let size = u32::try_from(Header::FILE_SIZE).ok();
    if word(0) != size || word(8).is_none_or(|flags| flags > 0xFF) {
        return Confidence::No;
    }
    let known = word(4) == Some(0) && word(0x0C) == Some(0) && word(0x2E0) == size;
    if known { Confidence::Certain } else { Confidence::Maybe }
}

/// A level: the contents of the file, in file order.
///
/// Counts, offsets and lengths are derived and not stored here. [`layout`](Self::layout) contains those that cannot be derived.
#[derive(Clone)]
pub struct Document {
    /// The header.
    pub header: Header,
    /// The planes in file order, which is also the order in which they are drawn.
    pub planes: Vec<Plane>,
    /// Collision attributes of tiles; `None` if the file has no such table.
    pub tile_properties: Option<TileProperties>,
    /// Bytes after the stored block. WapMap puts its own notes there; see [`Notes`](crate::Notes).
    pub trailer: Vec<u8>,
    /// The offsets of the sections, if they are not in the order in which all known programs write them.
    pub layout: Option<Layout>,
    /// The program whose compressor and checksum are used when the main block has changed. Reading sets the program that wrote
    /// the file, as far as the file reveals it.
    pub profile: WriterProfile,
    // The block that was read.
    pub(crate) stored: Option<StoredBlock>,
}

/// The stored block that was read.
#[derive(Clone)]
pub(crate) struct StoredBlock {
    /// The main block. Grids and objects share it.
    pub(crate) main: Arc<Vec<u8>>,
    /// The zlib stream that contained it; `None` if it was not compressed.
    pub(crate) stream: Option<Vec<u8>>,
}

impl StoredBlock {
    /// Returns `true` if a main block equals this one. No bytes are compared if it is borrowed from here.
    pub(crate) fn has_main_block(&self, main: &[u8]) -> bool {
        std::ptr::eq(main, self.main.as_slice()) || *main == **self.main
    }
}

impl Document {
    /// Creates an empty level of the original editor: no planes, no tile properties, compressed.
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
            profile: WriterProfile::Editor,
            stored: None,
        }
    }

    /// Returns the main plane, on which the player is: the first plane with [`PlaneFlags::MAIN`](crate::PlaneFlags::MAIN).
    pub fn main_plane(&self) -> Option<&Plane> {
        self.planes.iter().find(|plane| plane.is_main())
    }

    /// Returns the index of the main plane in [`planes`](Self::planes).
    pub fn main_plane_index(&self) -> Option<usize> {
        self.planes.iter().position(Plane::is_main)
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

/// Documents are equal if their contents are. The form of the stored block is ignored.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header
            && self.planes == other.planes
            && self.tile_properties == other.tile_properties
            && self.trailer == other.trailer
            && self.layout == other.layout
            && self.profile == other.profile
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
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

/// Separates the bytes of a record into its fields and the derived words between them.
#[inline]
pub(crate) fn split<const FILE: usize, const FIELDS: usize, const WORDS: usize>(
    bytes: &[u8; FILE],
    derived: std::ops::Range<usize>,
) -> ([u8; FIELDS], [u32; WORDS]) {
    let mut fields = [0; FIELDS];
    let (before, after) = fields.split_at_mut_checked(derived.start).unwrap_or_default();
    fill(before, bytes);
    fill(after, bytes.get(derived.end..).unwrap_or_default());
    let (words, _) = bytes.get(derived).unwrap_or_default().as_chunks::<4>();
    let mut numbers = [0; WORDS];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = u32::get(word);
    }
    (fields, numbers)
}

/// Joins fields and derived words to the bytes of a record, as [`split`] separated them.
#[inline]
pub(crate) fn join<const FILE: usize, const FIELDS: usize, const WORDS: usize>(
    fields: &[u8; FIELDS],
    words: [u32; WORDS],
    derived: std::ops::Range<usize>,
) -> [u8; FILE] {
    let mut bytes = [0; FILE];
    fill(&mut bytes, fields.get(..derived.start).unwrap_or_default());
    let after = bytes.get_mut(derived.start..).unwrap_or_default();
    for (place, word) in after.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        word.write_to(place);
    }
    let after = bytes.get_mut(derived.end..).unwrap_or_default();
    fill(after, fields.get(derived.start..).unwrap_or_default());
    bytes
}

/// Returns the path of a plane, by which queries and scenes name it.
pub(crate) fn plane_key(plane: usize) -> String {
    format!("planes[{plane}]")
}

/// Returns the path of an object of a plane.
pub(crate) fn object_key((plane, object): (usize, usize)) -> String {
    format!("planes[{plane}].objects[{object}]")
}
