//! Offsets of the sections.

use mapwright_io::Frame;

use super::count;
use crate::{
    Document, Layout, Object, Plane, PlaneLayout, Shape, TileProperties, TileProperty, WriteError, WriteErrorKind,
};

/// Computes the offsets at which all known programs write the sections, from the sizes of the sections alone. Fails if the document
/// is inconsistent.
pub(crate) fn usual_layout(
    planes: &[Plane],
    tile_properties: Option<&TileProperties>,
    start: usize,
) -> Result<Layout, WriteError> {
    let mut next = Next { offset: start as u64 };
    let planes_offset = next.take((planes.len() as u64).saturating_mul(Plane::FILE_SIZE as u64))?;
    let mut layouts: Vec<PlaneLayout> = Vec::with_capacity(planes.len());
    for (index, plane) in planes.iter().enumerate() {
        let tiles_offset = next.take(tiles_size(plane).map_err(|error| in_plane(error, index))?)?;
        layouts.push(PlaneLayout { tiles_offset, image_sets_offset: 0, objects_offset: 0, num_objects: 0 });
    }
    for (plane, layout) in planes.iter().zip(&mut layouts) {
        layout.image_sets_offset = next.take(plane.image_sets.as_bytes().len() as u64)?;
    }
    for (plane, layout) in planes.iter().zip(&mut layouts) {
        let size = objects_size(plane);
        let offset = next.take(size)?;
        layout.objects_offset = if plane.objects.is_empty() { 0 } else { offset };
    }
    let tile_properties_offset = match tile_properties {
        Some(table) => next.take(tile_properties_size(table)?)?,
        None => 0,
    };
    let main_block_size = next.offset.saturating_sub(start as u64);
    let main_block_size = u32::try_from(main_block_size).map_err(|_| too_large(main_block_size))?;
    Ok(Layout { planes_offset, planes: layouts, tile_properties_offset, main_block_size, residue: Vec::new() })
}

struct Next {
    offset: u64,
}

impl Next {
    /// Returns the offset of a section and advances by its size in bytes.
    fn take(&mut self, size: u64) -> Result<u32, WriteError> {
        let offset = u32::try_from(self.offset).map_err(|_| too_large(self.offset))?;
        self.offset = self.offset.saturating_add(size);
        Ok(offset)
    }
}

fn too_large(count: u64) -> WriteError {
    WriteError::without_position(WriteErrorKind::TooMany { what: "bytes", count })
}

fn in_plane(error: WriteError, index: usize) -> WriteError {
    error.wrap(Frame::Index(index)).wrap(Frame::Field("planes"))
}

fn tiles_size(plane: &Plane) -> Result<u64, WriteError> {
    let found = plane.tiles.len();
    if !plane.has_all_cells() {
        let kind = WriteErrorKind::Grid { columns: plane.tiles_wide, rows: plane.tiles_high, found };
        return Err(WriteError::without_position(kind).wrap(Frame::Field("tiles")));
    }
    Ok((found as u64).saturating_mul(4))
}

fn objects_size(plane: &Plane) -> u64 {
    match plane.objects.bytes() {
        Some(bytes) => bytes.len() as u64,
        None => plane.objects.iter().map(object_size).fold(0, u64::saturating_add),
    }
}

fn object_size(object: &Object) -> u64 {
    let texts = [&object.name, &object.logic, &object.image_set, &object.animation];
    texts.iter().map(|text| text.len() as u64).fold(Object::FILE_SIZE as u64, u64::saturating_add)
}

fn tile_properties_size(table: &TileProperties) -> Result<u64, WriteError> {
    count("tile properties", table.items.len())?;
    let mut size = 32_u64;
    for (index, item) in table.items.iter().enumerate() {
        let item = tile_property_size(item).map_err(|error| {
            error.wrap(Frame::Index(index)).wrap(Frame::Field("items")).wrap(Frame::Field("tile_properties"))
        })?;
        size = size.saturating_add(item);
    }
    Ok(size)
}

fn tile_property_size(item: &TileProperty) -> Result<u64, WriteError> {
    match &item.shape {
        Shape::Single(_) => Ok(20),
        Shape::Double { .. } => Ok(40),
        Shape::Mask(pixels) => {
            let (width, height) = (item.width, item.height);
            let size = u64::from(width).saturating_mul(height.into());
            if size != pixels.len() as u64 {
                let kind = WriteErrorKind::Mask { width, height, found: pixels.len() };
                return Err(WriteError::without_position(kind));
            }
            Ok(size.saturating_add(16))
        }
    }
}

/// Returns `true` if a layout fits the document: the number of planes is the same, and sections and residue cover the main block
/// without residue in a section.
pub(super) fn fits(document: &Document, layout: &Layout, start: usize) -> bool {
    let planes = &document.planes;
    if planes.len() != layout.planes.len() || document.tile_properties.is_some() != (layout.tile_properties_offset != 0)
    {
        return false;
    }
    let mut ranges = Ranges { start: start as u64, found: Vec::new() };
    ranges.add(layout.planes_offset, (planes.len() as u64).saturating_mul(Plane::FILE_SIZE as u64), false);
    for (plane, layout) in planes.iter().zip(&layout.planes) {
        ranges.add(layout.tiles_offset, (plane.tiles.len() as u64).saturating_mul(4), false);
        ranges.add(layout.image_sets_offset, plane.image_sets.as_bytes().len() as u64, false);
        if layout.objects_offset == 0 && !plane.objects.is_empty() {
            return false;
        }
        ranges.add(layout.objects_offset, objects_size(plane), false);
    }
    let table = document.tile_properties.as_ref().map(tile_properties_size);
    ranges.add(layout.tile_properties_offset, table.and_then(Result::ok).unwrap_or(0), false);
    for residue in &layout.residue {
        ranges.add(residue.offset, residue.bytes.len() as u64, true);
    }
    ranges.covers_exactly(layout.main_block_size.into())
}

struct Ranges {
    start: u64,
    found: Vec<(u64, u64, bool)>,
}

impl Ranges {
    fn add(&mut self, offset: u32, size: u64, residue: bool) {
        if size > 0 {
            // A section in the header is moved past the end, so that `covers_exactly` fails.
            let from = u64::from(offset).checked_sub(self.start).unwrap_or(u64::MAX);
            self.found.push((from, from.saturating_add(size), residue));
        }
    }

    /// Returns `true` if the ranges cover exactly `size` bytes, without residue in another range.
    fn covers_exactly(mut self, size: u64) -> bool {
        self.found.sort_unstable();
        let mut reached = 0;
        let mut free_from = 0;
        for (from, to, residue) in self.found {
            if from > reached || from < free_from || residue && from < reached {
                return false;
            }
            reached = reached.max(to);
            if residue {
                free_from = to;
            }
        }
        reached == size
    }
}
