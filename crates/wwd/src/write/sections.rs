//! The sections of the main block.

use std::borrow::Cow;
use std::sync::Arc;

use mapwright_io::{Budget, Context, Limits};

use super::{count, layout};
use crate::document::join;
use crate::document::record::Field as _;
use crate::read::Sections;
use crate::{
    Document, Layout, Object, Objects, Plane, PlaneLayout, Shape, TileProperties, TileProperty, Tiles, WriteError,
};

/// Returns the main block and the offsets of its sections: the document's own layout, if it fits, or the usual one. The block is
/// borrowed if it was read and has not changed.
pub(super) fn write_main_block(document: &Document, start: usize) -> Result<(Cow<'_, [u8]>, Layout), WriteError> {
    let usual = layout::usual_layout(&document.planes, document.tile_properties.as_ref(), start)?;
    if let Some(own) = document.layout.as_ref().filter(|own| layout::fits(document, own, start)) {
        let main = Arc::new(main_block(document, own, start)?);
        if reads_back(&main, document, own, start) {
            return Ok((Arc::unwrap_or_clone(main).into(), own.clone()));
        }
    } else if let Some(stored) =
        document.stored.as_ref().filter(|stored| stored.main.len() as u64 == u64::from(usual.main_block_size))
    {
        let mut comparison = Comparison { main: &stored.main, is_equal: true };
        write_sections(document, &usual, start, &mut comparison)?;
        if comparison.is_equal {
            return Ok((stored.main.as_slice().into(), usual));
        }
    }
    Ok((main_block(document, &usual, start)?.into(), usual))
}

/// Returns `true` if the document is read back from a main block. Sections may share bytes that one of them has changed.
fn reads_back(main: &Arc<Vec<u8>>, document: &Document, layout: &Layout, start: usize) -> bool {
    let derived =
        [u32::try_from(document.planes.len()).unwrap_or(u32::MAX), layout.planes_offset, layout.tile_properties_offset];
    let read = Sections::read(main, start, derived, false, &mut Budget::new(&Limits::default()));
    read.is_ok_and(|read| {
        read.planes == document.planes
            && read.tile_properties == document.tile_properties
            && read.layout.as_ref() == Some(layout)
    })
}

fn main_block(document: &Document, layout: &Layout, start: usize) -> Result<Vec<u8>, WriteError> {
    let mut main = vec![0; usize::try_from(layout.main_block_size).unwrap_or(usize::MAX)];
    write_sections(document, layout, start, &mut main)?;
    Ok(main)
}

/// Writes each section at its offset.
fn write_sections(
    document: &Document,
    layout: &Layout,
    start: usize,
    block: &mut impl Block,
) -> Result<(), WriteError> {
    for residue in &layout.residue {
        Cursor::at(block, start, residue.offset).bytes(&residue.bytes);
    }
    let mut headers = Vec::with_capacity(document.planes.len());
    for (index, (plane, layout)) in document.planes.iter().zip(&layout.planes).enumerate() {
        headers.push(plane_header(plane, layout).in_item("planes", index)?);
        Cursor::at(block, start, layout.tiles_offset).tiles(&plane.tiles);
        Cursor::at(block, start, layout.image_sets_offset).bytes(plane.image_sets.as_bytes());
        Cursor::at(block, start, layout.objects_offset).objects(&plane.objects).in_item("planes", index)?;
    }
    Cursor::at(block, start, layout.planes_offset).bytes(headers.as_flattened());
    if let Some(table) = &document.tile_properties {
        tile_properties(&mut Cursor::at(block, start, layout.tile_properties_offset), table)?;
    }
    Ok(())
}

fn plane_header(plane: &Plane, layout: &PlaneLayout) -> Result<[u8; Plane::FILE_SIZE], WriteError> {
    let num_objects = match layout.objects_offset {
        0 => layout.num_objects,
        _ => count("objects", plane.objects.len())?,
    };
    let derived = [
        count("image sets", plane.image_sets.len())?,
        num_objects,
        layout.tiles_offset,
        layout.image_sets_offset,
        layout.objects_offset,
    ];
    let mut fields = [0; Plane::SIZE + 4];
    160_u32.write_to(&mut fields);
    if let Some(after_size) = fields.last_chunk_mut() {
        *after_size = plane.to_record_bytes();
    }
    Ok(join(&fields, derived, Plane::DERIVED))
}

fn write_object(cursor: &mut Cursor<'_, impl Block>, object: &Object) -> Result<(), WriteError> {
    let texts = [&object.name, &object.logic, &object.image_set, &object.animation];
    let mut lengths = [0; 4];
    for (length, text) in lengths.iter_mut().zip(texts) {
        *length = count("bytes of a string", text.len())?;
    }
    cursor.bytes(&join::<{ Object::FILE_SIZE }, _, 4>(&object.to_record_bytes(), lengths, Object::DERIVED));
    texts.iter().for_each(|text| cursor.bytes(text));
    Ok(())
}

fn tile_properties(cursor: &mut Cursor<'_, impl Block>, table: &TileProperties) -> Result<(), WriteError> {
    cursor.words([table.size, table.reserved_04, count("tile properties", table.items.len())?]);
    cursor.words(table.reserved_0c);
    table.items.iter().for_each(|item| tile_property(cursor, item));
    Ok(())
}

fn tile_property(cursor: &mut Cursor<'_, impl Block>, item: &TileProperty) {
    cursor.words([item.shape.code(), item.reserved_04, item.width, item.height]);
    match &item.shape {
        Shape::Single(attribute) => cursor.words([attribute.cast_unsigned()]),
        Shape::Double { outside, inside, rect } => {
            cursor.words([outside.cast_unsigned(), inside.cast_unsigned()]);
            let mut bytes = [0; 16];
            rect.write_to(&mut bytes);
            cursor.bytes(&bytes);
        }
        Shape::Mask(pixels) => cursor.bytes(pixels),
    }
}

/// A main block that is written or compared.
trait Block {
    fn write(&mut self, at: usize, bytes: &[u8]);

    fn write_tiles(&mut self, at: usize, tiles: &Tiles) {
        self.write(at, &tiles.bytes());
    }

    /// Writes objects whose encoded bytes are known.
    fn write_objects(&mut self, at: usize, _objects: &Objects, bytes: &[u8]) {
        self.write(at, bytes);
    }
}

/// Writes the block. Its size was computed from the sections: all of them fit.
impl Block for Vec<u8> {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        let place = at.checked_add(bytes.len()).and_then(|end| self.get_mut(at..end));
        place.into_iter().for_each(|place| place.copy_from_slice(bytes));
    }
}

/// Compares the block with one that was read.
struct Comparison<'a> {
    main: &'a Arc<Vec<u8>>,
    is_equal: bool,
}

impl Block for Comparison<'_> {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        // Most texts are empty, and comparing empty slices is not free: with AVX-512 it reads their address.
        if !bytes.is_empty() {
            self.is_equal = self.is_equal && self.main.get(at..).is_some_and(|rest| rest.starts_with(bytes));
        }
    }

    fn write_tiles(&mut self, at: usize, tiles: &Tiles) {
        if !tiles.are_stored_at(self.main, at) {
            self.write(at, &tiles.bytes());
        }
    }

    fn write_objects(&mut self, at: usize, objects: &Objects, bytes: &[u8]) {
        if !objects.are_stored_at(self.main, at) {
            self.write(at, bytes);
        }
    }
}

/// A cursor in the main block.
struct Cursor<'a, B> {
    block: &'a mut B,
    at: usize,
}

impl<'a, B: Block> Cursor<'a, B> {
    fn at(block: &'a mut B, start: usize, offset: u32) -> Self {
        let at = usize::try_from(offset).unwrap_or(usize::MAX).saturating_sub(start);
        Self { block, at }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.block.write(self.at, bytes);
        self.at = self.at.saturating_add(bytes.len());
    }

    fn tiles(&mut self, tiles: &Tiles) {
        self.block.write_tiles(self.at, tiles);
    }

    fn objects(&mut self, objects: &Objects) -> Result<(), WriteError> {
        if let Some(bytes) = objects.bytes() {
            self.block.write_objects(self.at, objects, bytes);
            return Ok(());
        }
        objects.iter().enumerate().try_for_each(|(index, object)| write_object(self, object).in_item("objects", index))
    }

    fn words<const N: usize>(&mut self, words: [u32; N]) {
        let mut bytes = [[0; 4]; N];
        for (place, word) in bytes.iter_mut().zip(words) {
            word.write_to(place);
        }
        self.bytes(bytes.as_flattened());
    }
}
