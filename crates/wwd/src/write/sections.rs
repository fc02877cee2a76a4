//! The sections of the main block.

use mapwright_io::{Budget, Context, Limits};

use super::{count, layout};
use crate::document::join;
use crate::document::record::Field as _;
use crate::read::Sections;
use crate::{Document, Layout, Object, Plane, PlaneLayout, Shape, TileProperties, TileProperty, WriteError};

/// The main block with each section in its place, and the places: the document's own, if they fit, or the usual ones.
pub(super) fn write(document: &Document, start: usize) -> Result<(Vec<u8>, Layout), WriteError> {
    let usual = layout::usual(&document.planes, document.tile_properties.as_ref(), start)?;
    if let Some(own) = document.layout.as_ref().filter(|own| layout::fits(document, own, start)) {
        let main = place(document, own, start)?;
        if says(&main, document, own, start) {
            return Ok((main, own.clone()));
        }
    }
    Ok((place(document, &usual, start)?, usual))
}

/// Whether a main block says what the document says: sections may share bytes that one of them has changed.
fn says(main: &[u8], document: &Document, layout: &Layout, start: usize) -> bool {
    let derived =
        [u32::try_from(document.planes.len()).unwrap_or(u32::MAX), layout.planes_offset, layout.tile_properties_offset];
    let read = Sections::read(main, start, derived, false, &mut Budget::new(&Limits::default()));
    read.is_ok_and(|read| {
        read.planes == document.planes
            && read.tile_properties == document.tile_properties
            && read.layout.as_ref() == Some(layout)
    })
}

fn place(document: &Document, layout: &Layout, start: usize) -> Result<Vec<u8>, WriteError> {
    let mut main = vec![0; usize::try_from(layout.main_block_size).unwrap_or(usize::MAX)];
    for residue in &layout.residue {
        Place::at(&mut main, start, residue.offset).bytes(&residue.bytes);
    }
    let mut headers = Vec::with_capacity(document.planes.len());
    for (index, (plane, layout)) in document.planes.iter().zip(&layout.planes).enumerate() {
        headers.push(plane_header(plane, layout).in_item("planes", index)?);
        tiles(&mut Place::at(&mut main, start, layout.tiles_offset), &plane.tiles);
        Place::at(&mut main, start, layout.image_sets_offset).bytes(plane.image_sets.as_bytes());
        let mut objects = Place::at(&mut main, start, layout.objects_offset);
        for (place, object) in plane.objects.iter().enumerate() {
            write_object(&mut objects, object).in_item("objects", place).in_item("planes", index)?;
        }
    }
    let mut place = Place::at(&mut main, start, layout.planes_offset);
    headers.iter().for_each(|header| place.bytes(header));
    if let Some(table) = &document.tile_properties {
        let mut place = Place::at(&mut main, start, layout.tile_properties_offset);
        tile_properties(&mut place, table)?;
    }
    Ok(main)
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
    160_u32.put(&mut fields);
    if let Some(behind) = fields.last_chunk_mut() {
        *behind = plane.put();
    }
    Ok(join(&fields, derived, Plane::DERIVED))
}

fn tiles(place: &mut Place<'_>, tiles: &[u32]) {
    let (words, _) = place.rest.as_chunks_mut::<4>();
    for (word, tile) in words.iter_mut().zip(tiles) {
        *word = tile.to_le_bytes();
    }
}

fn write_object(place: &mut Place<'_>, object: &Object) -> Result<(), WriteError> {
    let texts = [&object.name, &object.logic, &object.image_set, &object.animation];
    let mut lengths = [0; 4];
    for (length, text) in lengths.iter_mut().zip(texts) {
        *length = count("bytes of a text", text.len())?;
    }
    place.bytes(&join::<{ Object::FILE_SIZE }, _, 4>(&object.put(), lengths, Object::DERIVED));
    texts.iter().for_each(|text| place.bytes(text));
    Ok(())
}

fn tile_properties(place: &mut Place<'_>, table: &TileProperties) -> Result<(), WriteError> {
    place.words([table.size, table.reserved_04, count("tile properties", table.items.len())?]);
    place.words(table.reserved_0c);
    table.items.iter().for_each(|item| tile_property(place, item));
    Ok(())
}

fn tile_property(place: &mut Place<'_>, item: &TileProperty) {
    place.words([item.shape.code(), item.reserved_04, item.width, item.height]);
    match &item.shape {
        Shape::Single(attribute) => place.words([attribute.cast_unsigned()]),
        Shape::Double { outside, inside, rect } => {
            place.words([outside.cast_unsigned(), inside.cast_unsigned()]);
            let mut bytes = [0; 16];
            rect.put(&mut bytes);
            place.bytes(&bytes);
        }
        Shape::Mask(pixels) => place.bytes(pixels),
    }
}

/// A cursor in the main block. Sections were measured before: there is room for all of them.
struct Place<'a> {
    rest: &'a mut [u8],
}

impl<'a> Place<'a> {
    fn at(main: &'a mut [u8], start: usize, offset: u32) -> Self {
        let at = usize::try_from(offset).unwrap_or(usize::MAX).saturating_sub(start);
        Self { rest: main.get_mut(at..).unwrap_or_default() }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let rest = std::mem::take(&mut self.rest);
        let (place, rest) = rest.split_at_mut_checked(bytes.len()).unwrap_or_default();
        if place.len() == bytes.len() {
            place.copy_from_slice(bytes);
        }
        self.rest = rest;
    }

    fn words<const N: usize>(&mut self, words: [u32; N]) {
        words.iter().for_each(|word| self.bytes(&word.to_le_bytes()));
    }
}
