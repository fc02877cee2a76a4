//! OPRW.

mod lists;

use mapwright_io::{Budget, Context as _, Input};

use super::count_cells;
use crate::document::{Oprw, Packed, PackedPart};
use crate::packing::Method;
use crate::tree::{self, Value};
use crate::{OprwVersion, ReadError, ReadErrorKind};

pub(crate) use lists::{LONGEST_NAME, is_legacy_object};

pub(super) fn read(input: &mut Input<'_>, budget: &mut Budget) -> Result<Oprw, ReadError> {
    let at = input.position();
    let version = OprwVersion(input.u32_le()?);
    let mut reader = Reader { input, budget, version, packed: Vec::new() };
    match version.0 {
        _ if !version.is_known() => {
            let sizeless = matches!(version.0, 10 | 11);
            let kind = if sizeless { ReadErrorKind::UnknownSize(version) } else { ReadErrorKind::Version(version) };
            Err(ReadError::new(kind, at))
        }
        _ if version.is_legacy() => reader.read_legacy(),
        _ => reader.read_modern(),
    }
}

struct Reader<'a, 'b> {
    input: &'b mut Input<'a>,
    budget: &'b mut Budget,
    version: OprwVersion,
    packed: Vec<Packed>,
}

impl Reader<'_, '_> {
    /// Reads versions 2 and 3.
    fn read_legacy(&mut self) -> Result<Oprw, ReadError> {
        let (land, terrain) = if self.version == OprwVersion::COLD_WAR_CRISIS {
            ([Oprw::COLD_WAR_CRISIS_SIZE; 2], [Oprw::COLD_WAR_CRISIS_SIZE; 2])
        } else {
            (self.read_size()?, self.read_size()?)
        };
        let geography = words(&self.read_block(PackedPart::Geography, land, 4)?);
        let sound = self.read_block(PackedPart::Sound, land, 1)?;
        let peaks = lists::peaks(self.input, self.budget).in_field("peaks")?;
        let cells = shorts(&self.read_block(PackedPart::Cells, land, 2)?);
        let random = words(&self.read_block(PackedPart::Random, land, 4)?);
        let heights = floats(&self.read_block(PackedPart::Heights, terrain, 4)?);
        let materials = lists::materials(self.input, self.budget).in_field("materials")?;
        let models = lists::models(self.input, self.budget).in_field("models").in_field("objects")?;
        let (objects, terminator) = lists::legacy_objects(self.input, models, self.budget)?;
        Ok(Oprw {
            version: self.version,
            app_id: None,
            land,
            terrain,
            cell: Oprw::LEGACY_CELL,
            geography,
            sound,
            peaks,
            cells,
            random,
            grass: Vec::new(),
            primary_texture: Vec::new(),
            heights,
            materials,
            objects,
            shapes: Vec::new(),
            entities: Vec::new(),
            object_offsets: Vec::new(),
            map_offsets: Vec::new(),
            persistent: Vec::new(),
            subdivision: Vec::new(),
            max_object_id: None,
            roads: Vec::new(),
            stated_road_size: None,
            map_info: Vec::new(),
            map_rest: Vec::new(),
            stated_map_size: None,
            terminator,
            after: self.input.read_to_end().to_vec(),
            packed: std::mem::take(&mut self.packed),
        })
    }

    /// Reads versions 12 to 25.
    fn read_modern(&mut self) -> Result<Oprw, ReadError> {
        let version = self.version;
        let app_id = if version.has_app_id() { Some(self.input.u32_le()?) } else { None };
        let land = [self.input.u32_le()?, self.input.u32_le()?];
        let terrain = [self.input.u32_le()?, self.input.u32_le()?];
        let cell = self.input.f32_le()?;
        // Each cell has a 4-byte number of roads. This bounds the number of cells before the trees, which can be tiny, are unpacked.
        count_cells(self.input, land, 4, "cells")?;
        let geography = self.read_tree::<u16>(PackedPart::Geography, land)?.into_iter().map(u32::from).collect();
        let sound = self.read_tree(PackedPart::Sound, Oprw::sound_size(version, land))?;
        let peaks = lists::peaks(self.input, self.budget).in_field("peaks")?;
        let cells = self.read_tree(PackedPart::Cells, land)?;
        let random = if version.has_random() { self.read_block(PackedPart::Random, land, 2)? } else { Vec::new() };
        let random = shorts(&random).into_iter().map(u32::from).collect();
        let grass = if version.has_grass() { self.read_block(PackedPart::Grass, terrain, 1)? } else { Vec::new() };
        let has_primary = version.has_primary_texture();
        let primary_texture =
            if has_primary { self.read_block(PackedPart::PrimaryTexture, terrain, 1)? } else { Vec::new() };
        let heights = floats(&self.read_block(PackedPart::Heights, terrain, 4)?);
        let materials = lists::materials(self.input, self.budget).in_field("materials")?;
        let models = lists::models(self.input, self.budget).in_field("models").in_field("objects")?;
        let has_entities = version.has_entities();
        let entities = if has_entities { lists::entities(self.input, self.budget)? } else { Vec::new() };
        let object_offsets = self.read_tree(PackedPart::ObjectOffsets, land)?;
        let (at, size) = (self.input.position(), self.input.u32_le()?);
        let record = version.record_size();
        if !size.is_multiple_of(record) {
            return Err(ReadError::new(ReadErrorKind::ObjectSize { size, record }, at)).in_field("objects");
        }
        let map_offsets = self.read_tree(PackedPart::MapOffsets, land)?;
        let map_size = self.input.u32_le()?;
        let persistent = self.read_block(PackedPart::Persistent, land, 1)?;
        let subdivision = self.read_block(PackedPart::Subdivision, terrain, 1)?;
        let max_object_id = Some(self.input.u32_le()?);
        let road_size = self.input.u32_le()?;
        let before = self.input.consumed();
        let roads = lists::roads(self.input, version, land, self.budget).in_field("roads")?;
        let size_of_roads = self.input.consumed().saturating_sub(before);
        let stated_road_size = (u32::try_from(size_of_roads) != Ok(road_size)).then_some(road_size);
        let (objects, shapes) = lists::objects(self.input, version, size, models, self.budget).in_field("objects")?;
        let length = usize::try_from(map_size).unwrap_or(usize::MAX);
        let stated_map_size = (length > self.input.remaining()).then_some(map_size);
        let mut map = self.input.sub(length.min(self.input.remaining()))?;
        let map_info = lists::map_info(&mut map, self.budget).in_field("map_info")?;
        Ok(Oprw {
            version,
            app_id,
            land,
            terrain,
            cell,
            geography,
            sound,
            peaks,
            cells,
            random,
            grass,
            primary_texture,
            heights,
            materials,
            objects,
            shapes,
            entities,
            object_offsets,
            map_offsets,
            persistent,
            subdivision,
            max_object_id,
            roads,
            stated_road_size,
            map_info,
            map_rest: map.read_to_end().to_vec(),
            stated_map_size,
            terminator: None,
            after: self.input.read_to_end().to_vec(),
            packed: std::mem::take(&mut self.packed),
        })
    }

    /// Reads the size of a grid of version 3.
    fn read_size(&mut self) -> Result<[u32; 2], ReadError> {
        let at = self.input.position();
        let (columns, rows) = (self.input.i32_le()?, self.input.i32_le()?);
        match (u32::try_from(columns), u32::try_from(rows)) {
            (Ok(x), Ok(z)) => Ok([x, z]),
            _ => Err(ReadError::new(ReadErrorKind::Grid { columns, rows }, at)),
        }
    }

    /// Reads the bytes of a grid whose values have `width` bytes.
    fn read_block(&mut self, part: PackedPart, size: [u32; 2], width: u64) -> Result<Vec<u8>, ReadError> {
        let size = self.unpacked_size(size, width).in_field(part.name())?;
        let method = Method::for_block(self.version, size);
        let before = self.input.clone();
        let bytes = method.unpack(self.input, size).in_field(part.name())?;
        if method != Method::Raw {
            self.preserve_packed(part, &before);
        }
        Ok(bytes)
    }

    /// Reads the values of a grid that is stored as a tree.
    fn read_tree<T: Value>(&mut self, part: PackedPart, size: [u32; 2]) -> Result<Vec<T>, ReadError> {
        self.unpacked_size(size, size_of::<T>() as u64).in_field(part.name())?;
        let before = self.input.clone();
        let values = tree::unpack(self.input, size).in_field(part.name())?;
        self.preserve_packed(part, &before);
        Ok(values)
    }

    /// Returns the unpacked size of a grid in bytes and takes it from the budget.
    fn unpacked_size(&mut self, [columns, rows]: [u32; 2], width: u64) -> Result<usize, ReadError> {
        let size = u64::from(columns).saturating_mul(rows.into()).saturating_mul(width);
        self.budget.take_decompressed(size, self.input.position())?;
        Ok(usize::try_from(size).unwrap_or(usize::MAX))
    }

    /// Preserves the packed bytes that were read since `before`.
    fn preserve_packed(&mut self, part: PackedPart, before: &Input<'_>) {
        let length = self.input.consumed().saturating_sub(before.consumed());
        let bytes = before.peek().get(..length).unwrap_or_default().to_vec();
        self.packed.push(Packed { part, bytes });
    }
}

fn shorts(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}
