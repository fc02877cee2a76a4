//! Converts data to a document.

use mapwright_io::Context;
use serde::{Deserialize, Deserializer, de};

use super::cells::CellRun;
use super::fields::Fields;
use super::{LevelData, PlaneData, Stored};
use crate::{
    Document, Header, HeaderSize, ImageSets, Object, Plane, ReadError, ReadErrorKind, ReadOptions, WriteError,
};

/// A level as it was read from data, before a document is built from it.
///
/// Fields have the names of the document; those that are 0 or empty are left out. Texts are escaped as
/// [`escape_bytes`](crate::escape_bytes) does, other bytes are hexadecimal digits. A rectangle is `[left, top, right, bottom]`. A row
/// of tiles is a list of cells: a number, null for an empty cell, `"fill"` for a filled one, `[count, cell]` for a run. `stored` is
/// the form of the stored block, for as long as the main block has the given Adler-32.
///
/// It takes memory in proportion to the data. The document can take far more: a few letters describe a large grid. Use it instead of
/// [`Document`] to set the limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct DocumentData(LevelData<'static, OwnedPlane>);

type OwnedPlane = PlaneData<ImageSets, Vec<Vec<CellRun>>, Vec<Fields<Object>>>;

/// Words of an object in the main block, without its strings: an empty one is two letters of JSON.
const OBJECT_WORDS: u64 = 71;

impl DocumentData {
    /// Builds the level. Its main block may be as long as the options let one inflate to.
    ///
    /// # Errors
    /// [`ReadErrorKind::Data`] with the path of the faulty value, or an error of reading the stored block.
    pub fn into_document(self, options: &ReadOptions) -> Result<Document, ReadError> {
        let LevelData { profile, stored, header, planes, tile_properties, trailer, layout } = self.0;
        let mut level = Document::new();
        level.profile = profile;
        level.header = Header::default();
        header.apply_to(&mut level.header).map_err(invalid).in_field("header")?;
        let mut words = Words { left: options.limits.max_decompressed / 4 };
        for (index, plane) in planes.into_iter().enumerate() {
            level.planes.push(build_plane(plane, &mut words).in_item("planes", index)?);
        }
        level.tile_properties = tile_properties.map(std::borrow::Cow::into_owned);
        level.trailer = trailer.0.into_owned();
        level.layout = layout.map(std::borrow::Cow::into_owned);
        match stored {
            Some(stored) if stored.adler32 == level.main_block_adler32().map_err(unwritable)? => {
                restore_block(level, stored, options)
            }
            // The data was changed: the block is compressed again when the level is written.
            _ => Ok(level),
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        DocumentData::deserialize(deserializer)?.into_document(&ReadOptions::default()).map_err(de::Error::custom)
    }
}

/// The words that the main block may still take.
struct Words {
    left: u64,
}

impl Words {
    fn take(&mut self, words: u64) -> Result<(), ReadError> {
        let left = self.left.checked_sub(words);
        self.left = left.ok_or_else(|| invalid("more cells and objects than the limit of inflated bytes allows"))?;
        Ok(())
    }
}

fn invalid(message: impl std::fmt::Display) -> ReadError {
    ReadError::without_position(ReadErrorKind::Data(message.to_string()))
}

/// An error of a document that contradicts itself.
fn unwritable(error: WriteError) -> ReadError {
    error.map_kind(|kind| ReadErrorKind::Data(kind.to_string()))
}

fn build_plane(data: OwnedPlane, words: &mut Words) -> Result<Plane, ReadError> {
    let mut plane = Plane { image_sets: data.image_sets, ..Plane::default() };
    data.fields.apply_to(&mut plane).map_err(invalid).in_field("fields")?;
    let columns = plane.size().0 as usize;
    let mut tiles = Vec::new();
    for (index, row) in data.tiles.into_iter().enumerate() {
        push_row(&mut tiles, &row, columns, words).in_item("tiles", index)?;
    }
    plane.tiles = tiles.into();
    for (index, fields) in data.objects.into_iter().enumerate() {
        plane.objects.push(build_object(fields, words).in_item("objects", index)?);
    }
    Ok(plane)
}

fn push_row(tiles: &mut Vec<u32>, row: &[CellRun], columns: usize, words: &mut Words) -> Result<(), ReadError> {
    words.take(columns as u64)?;
    let mut left = columns;
    for CellRun { count, word } in row {
        left =
            left.checked_sub(*count).ok_or_else(|| invalid(format_args!("more cells than the {columns} columns")))?;
        tiles.extend(std::iter::repeat_n(*word, *count));
    }
    match left {
        0 => Ok(()),
        left => {
            Err(invalid(format_args!("invalid number of cells {}: expected {columns}", columns.saturating_sub(left))))
        }
    }
}

fn build_object(fields: Fields<Object>, words: &mut Words) -> Result<Object, ReadError> {
    words.take(OBJECT_WORDS)?;
    let mut object = Object::default();
    fields.apply_to(&mut object).map_err(invalid)?;
    Ok(object)
}

/// Gives the level the block that it was stored in.
fn restore_block(mut level: Document, stored: Stored<'_>, options: &ReadOptions) -> Result<Document, ReadError> {
    level.store(stored.by.unwrap_or(level.profile)).map_err(unwritable)?;
    let Some(stream) = stored.zlib else { return Ok(level) };
    // The file as it was, read again: the stream has to be checked like that of any file.
    let own = level.to_bytes().map_err(unwritable)?;
    let after_header = level.stored_block().map_or(0, <[u8]>::len).saturating_add(level.trailer.len());
    let header = own.get(..own.len().saturating_sub(after_header)).unwrap_or_default();
    let file = [header, &stream.0, &level.trailer].concat();
    let mut read = Document::from_bytes_with(&file, &options.clone().with_header_size(HeaderSize::Any))?;
    if read.to_main_block().map_err(unwritable)? != level.to_main_block().map_err(unwritable)? {
        return Err(invalid("the stream inflates to another block")).in_field("zlib").in_field("stored");
    }
    read.profile = level.profile;
    Ok(read)
}
