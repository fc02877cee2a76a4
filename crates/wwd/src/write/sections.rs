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

/// The main block with each section in its place, and the places: the document's own, if they fit, or the usual ones. It is the one
/// that was read where that says the same.
pub(super) fn write(document: &Document, start: usize) -> Result<(Cow<'_, [u8]>, Layout), WriteError> {
    let usual = layout::usual(&document.planes, document.tile_properties.as_ref(), start)?;
    if let Some(own) = document.layout.as_ref().filter(|own| layout::fits(document, own, start)) {
        let main = Arc::new(main_block(document, own, start)?);
        if says(&main, document, own, start) {
            return Ok((Arc::unwrap_or_clone(main).into(), own.clone()));
        }
    } else if let Some(kept) =
        document.kept.as_ref().filter(|kept| kept.main.len() as u64 == usual.main_block_size.into())
    {
        let mut same = Same { main: &kept.main, yes: true };
        place(document, &usual, start, &mut same)?;
        if same.yes {
            return Ok((kept.main.as_slice().into(), usual));
        }
    }
    Ok((main_block(document, &usual, start)?.into(), usual))
}

/// Whether a main block says what the document says: sections may share bytes that one of them has changed.
fn says(main: &Arc<Vec<u8>>, document: &Document, layout: &Layout, start: usize) -> bool {
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
    place(document, layout, start, &mut main)?;
    Ok(main)
}

/// Gives each section to the block at its place.
fn place(document: &Document, layout: &Layout, start: usize, block: &mut impl Block) -> Result<(), WriteError> {
    for residue in &layout.residue {
        Place::at(block, start, residue.offset).bytes(&residue.bytes);
    }
    let mut headers = Vec::with_capacity(document.planes.len());
    for (index, (plane, layout)) in document.planes.iter().zip(&layout.planes).enumerate() {
        headers.push(plane_header(plane, layout).in_item("planes", index)?);
        Place::at(block, start, layout.tiles_offset).tiles(&plane.tiles);
        Place::at(block, start, layout.image_sets_offset).bytes(plane.image_sets.as_bytes());
        Place::at(block, start, layout.objects_offset).objects(&plane.objects).in_item("planes", index)?;
    }
    Place::at(block, start, layout.planes_offset).bytes(headers.as_flattened());
    if let Some(table) = &document.tile_properties {
        tile_properties(&mut Place::at(block, start, layout.tile_properties_offset), table)?;
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
    160_u32.put(&mut fields);
    if let Some(behind) = fields.last_chunk_mut() {
        *behind = plane.put();
    }
    Ok(join(&fields, derived, Plane::DERIVED))
}

fn write_object(place: &mut Place<'_, impl Block>, object: &Object) -> Result<(), WriteError> {
    let texts = [&object.name, &object.logic, &object.image_set, &object.animation];
    let mut lengths = [0; 4];
    for (length, text) in lengths.iter_mut().zip(texts) {
        *length = count("bytes of a text", text.len())?;
    }
    place.bytes(&join::<{ Object::FILE_SIZE }, _, 4>(&object.put(), lengths, Object::DERIVED));
    texts.iter().for_each(|text| place.bytes(text));
    Ok(())
}

fn tile_properties(place: &mut Place<'_, impl Block>, table: &TileProperties) -> Result<(), WriteError> {
    place.words([table.size, table.reserved_04, count("tile properties", table.items.len())?]);
    place.words(table.reserved_0c);
    table.items.iter().for_each(|item| tile_property(place, item));
    Ok(())
}

fn tile_property(place: &mut Place<'_, impl Block>, item: &TileProperty) {
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

/// What takes bytes of the main block at their places.
trait Block {
    fn put(&mut self, at: usize, bytes: &[u8]);

    fn put_tiles(&mut self, at: usize, tiles: &Tiles) {
        self.put(at, &tiles.bytes());
    }

    /// Takes objects that have their bytes.
    fn put_objects(&mut self, at: usize, _objects: &Objects, bytes: &[u8]) {
        self.put(at, bytes);
    }
}

/// The block is written. Sections were measured before: there is room for all of them.
impl Block for Vec<u8> {
    fn put(&mut self, at: usize, bytes: &[u8]) {
        let place = at.checked_add(bytes.len()).and_then(|end| self.get_mut(at..end));
        place.into_iter().for_each(|place| place.copy_from_slice(bytes));
    }
}

/// The block is compared.
struct Same<'a> {
    main: &'a Arc<Vec<u8>>,
    yes: bool,
}

impl Block for Same<'_> {
    fn put(&mut self, at: usize, bytes: &[u8]) {
        // Most texts are empty, and comparing nothing is not free: with AVX-512 it looks at where the nothing stands.
        if !bytes.is_empty() {
            self.yes = self.yes && self.main.get(at..).is_some_and(|rest| rest.starts_with(bytes));
        }
    }

    fn put_tiles(&mut self, at: usize, tiles: &Tiles) {
        if !tiles.stand_at(self.main, at) {
            self.put(at, &tiles.bytes());
        }
    }

    fn put_objects(&mut self, at: usize, objects: &Objects, bytes: &[u8]) {
        if !objects.stand_at(self.main, at) {
            self.put(at, bytes);
        }
    }
}

/// A cursor in the main block.
struct Place<'a, B> {
    block: &'a mut B,
    at: usize,
}

impl<'a, B: Block> Place<'a, B> {
    fn at(block: &'a mut B, start: usize, offset: u32) -> Self {
        let at = usize::try_from(offset).unwrap_or(usize::MAX).saturating_sub(start);
        Self { block, at }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.block.put(self.at, bytes);
        self.at = self.at.saturating_add(bytes.len());
    }

    fn tiles(&mut self, tiles: &Tiles) {
        self.block.put_tiles(self.at, tiles);
    }

    fn objects(&mut self, objects: &Objects) -> Result<(), WriteError> {
        if let Some(bytes) = objects.bytes() {
            self.block.put_objects(self.at, objects, bytes);
            return Ok(());
        }
        objects.iter().enumerate().try_for_each(|(index, object)| write_object(self, object).in_item("objects", index))
    }

    fn words<const N: usize>(&mut self, words: [u32; N]) {
        self.bytes(words.map(u32::to_le_bytes).as_flattened());
    }
}
