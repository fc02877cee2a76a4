//! Stores levels and their differences through serde.
//! [`DocumentData`] documents the fields.

mod cells;
mod data;
mod diff;
mod fields;
mod text;
mod tile_property;

use std::borrow::Cow;

use mapwright_io::serial::Hex;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Document, Header, HeaderFlags, ImageSets, Layout, Object, Plane, Rect, TileProperties, WriterProfile};
use cells::Rows;
use fields::{Fields, Records};
use text::Text;

pub use data::DocumentData;
pub(crate) use diff::{old_new, old_new_bytes, texts};
pub(crate) use tile_property::TilePropertyData;

/// A level as data. The type of planes differs between writing and reading.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelData<'a, P> {
    /// Older data calls it `style`.
    #[serde(alias = "style")]
    profile: WriterProfile,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<Stored<'a>>,
    header: Fields<Header>,
    planes: Vec<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tile_properties: Option<Cow<'a, TileProperties>>,
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    trailer: Text<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<Cow<'a, Layout>>,
}

/// The stored block, for as long as the main block has this checksum.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored<'a> {
    adler32: u32,
    /// The program whose compressor produced the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<WriterProfile>,
    /// The block itself, if no known compressor produces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    zlib: Option<Hex<'a>>,
}

/// A plane as data.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaneData<I, T, O> {
    fields: Fields<Plane>,
    image_sets: I,
    tiles: T,
    objects: O,
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        LevelData {
            profile: self.profile,
            stored: Stored::from_document(self),
            header: Fields::from_record(&self.header),
            planes: self.planes.iter().map(PlaneView::from_plane).collect(),
            tile_properties: self.tile_properties.as_ref().map(Cow::Borrowed),
            trailer: Text::from(&self.trailer),
            layout: self.layout.as_ref().map(Cow::Borrowed),
        }
        .serialize(serializer)
    }
}

impl<'a> Stored<'a> {
    fn from_document(document: &'a Document) -> Option<Self> {
        let block = document.stored_block()?;
        let adler32 = document.main_block_adler32().ok()?;
        let compressed = document.header.flags.has(HeaderFlags::COMPRESS);
        let by = if compressed { document.compressor() } else { None };
        Some(Self { adler32, by, zlib: (compressed && by.is_none()).then(|| Hex(block.into())) })
    }
}

type PlaneView<'a> = PlaneData<&'a ImageSets, Rows<'a>, Records<'a, Object>>;

impl<'a> PlaneView<'a> {
    fn from_plane(plane: &'a Plane) -> Self {
        let columns = plane.size().0.max(1) as usize;
        Self {
            fields: Fields::from_record(plane),
            image_sets: &plane.image_sets,
            tiles: Rows { words: &plane.tiles, columns },
            objects: Records(&plane.objects),
        }
    }
}

impl From<Rect> for [i32; 4] {
    fn from(Rect { left, top, right, bottom }: Rect) -> Self {
        [left, top, right, bottom]
    }
}

impl From<[i32; 4]> for Rect {
    fn from([left, top, right, bottom]: [i32; 4]) -> Self {
        Self { left, top, right, bottom }
    }
}
