//! OPRW.

mod check;
mod lists;

use mapwright_io::{Context as _, Input, Output};

use super::to_u32;
use crate::document::{Oprw, PackedPart};
use crate::packing::Method;
use crate::tree::{self, Value};
use crate::{WriteError, WriteErrorKind};

pub(super) fn write(terrain: &Oprw) -> Result<Vec<u8>, WriteError> {
    check::check(terrain)?;
    let packed = terrain.packed.iter().map(|packed| packed.bytes.len());
    let objects = terrain.objects.len().saturating_mul(60);
    let mut output = Output::with_capacity(packed.fold(objects, usize::saturating_add));
    output.bytes(b"OPRW");
    output.u32_le(terrain.version.0);
    let mut writer = Writer { terrain, output };
    if terrain.version.is_legacy() {
        writer.write_legacy()?;
    } else {
        writer.write_modern()?;
    }
    writer.output.bytes(&terrain.after);
    Ok(writer.output.into_bytes())
}

struct Writer<'a> {
    terrain: &'a Oprw,
    output: Output,
}

impl<'a> Writer<'a> {
    /// Writes versions 2 and 3.
    fn write_legacy(&mut self) -> Result<(), WriteError> {
        let terrain = self.terrain;
        if terrain.version != crate::OprwVersion::COLD_WAR_CRISIS {
            for cells in terrain.land.into_iter().chain(terrain.terrain) {
                self.output.u32_le(cells);
            }
        }
        self.write_block(PackedPart::Geography, encode(&terrain.geography, u32::to_le_bytes));
        self.write_block(PackedPart::Sound, terrain.sound.clone());
        lists::write_peaks(terrain, &mut self.output)?;
        self.write_block(PackedPart::Cells, encode(&terrain.cells, u16::to_le_bytes));
        self.write_block(PackedPart::Random, encode(&terrain.random, u32::to_le_bytes));
        self.write_block(PackedPart::Heights, encode(&terrain.heights, f32::to_le_bytes));
        lists::write_materials(terrain, &mut self.output)?;
        lists::write_models(terrain, &mut self.output)?;
        lists::write_objects(terrain, &mut self.output);
        if let Some(terminator) = terrain.terminator {
            self.output.i32_le(terminator);
        }
        Ok(())
    }

    /// Writes versions 12 to 25.
    fn write_modern(&mut self) -> Result<(), WriteError> {
        let terrain = self.terrain;
        let version = terrain.version;
        if let Some(app_id) = terrain.app_id {
            self.output.u32_le(app_id);
        }
        for cells in terrain.land.into_iter().chain(terrain.terrain) {
            self.output.u32_le(cells);
        }
        self.output.f32_le(terrain.cell);
        let land = terrain.land;
        self.write_tree(PackedPart::Geography, &to_u16s("geography", &terrain.geography)?, land);
        self.write_tree(PackedPart::Sound, &terrain.sound, Oprw::sound_size(version, land));
        lists::write_peaks(terrain, &mut self.output)?;
        self.write_tree(PackedPart::Cells, &terrain.cells, land);
        if version.has_random() {
            self.write_block(PackedPart::Random, encode(&to_u16s("random", &terrain.random)?, u16::to_le_bytes));
        }
        if version.has_grass() {
            self.write_block(PackedPart::Grass, terrain.grass.clone());
        }
        if version.has_primary_texture() {
            self.write_block(PackedPart::PrimaryTexture, terrain.primary_texture.clone());
        }
        self.write_block(PackedPart::Heights, encode(&terrain.heights, f32::to_le_bytes));
        lists::write_materials(terrain, &mut self.output)?;
        lists::write_models(terrain, &mut self.output)?;
        if version.has_entities() {
            lists::write_entities(terrain, &mut self.output)?;
        }
        self.write_tree(PackedPart::ObjectOffsets, &terrain.object_offsets, land);
        let record = usize::try_from(version.record_size()).unwrap_or(usize::MAX);
        self.output.u32_le(to_u32("bytes of objects", terrain.objects.len().saturating_mul(record))?);
        self.write_tree(PackedPart::MapOffsets, &terrain.map_offsets, land);
        let mut map = Output::new();
        terrain.map_info.iter().for_each(|item| item.write(&mut map));
        map.bytes(&terrain.map_rest);
        self.output.u32_le(lists::map_size(terrain, map.len())?);
        self.write_block(PackedPart::Persistent, terrain.persistent.clone());
        self.write_block(PackedPart::Subdivision, terrain.subdivision.clone());
        self.output.u32_le(terrain.max_object_id.unwrap_or_default());
        lists::write_roads(terrain, &mut self.output)?;
        lists::write_objects(terrain, &mut self.output);
        self.output.bytes(map.as_bytes());
        Ok(())
    }

    /// Writes the bytes of a grid. Reuses the original block if it still unpacks to them.
    fn write_block(&mut self, part: PackedPart, bytes: Vec<u8>) {
        let method = Method::for_block(self.terrain.version, bytes.len());
        let is_same = |input: &mut Input<'_>| method.unpack(input, bytes.len()).is_ok_and(|stored| stored == bytes);
        match self.find_packed(part, is_same) {
            Some(stored) if method != Method::Raw => self.output.bytes(stored),
            _ => self.output.bytes(&method.pack(bytes)),
        }
    }

    /// Writes the values of a grid as a tree. Reuses the original tree if it still unpacks to them.
    fn write_tree<T: Value>(&mut self, part: PackedPart, values: &[T], size: [u32; 2]) {
        let stored =
            self.find_packed(part, |input| tree::unpack::<T>(input, size).is_ok_and(|stored| stored == values));
        match stored {
            Some(stored) => self.output.bytes(stored),
            None => self.output.bytes(&tree::pack(values, size)),
        }
    }

    /// Returns the original packed bytes of a part if `is_same` accepts and consumes all of them.
    fn find_packed(&self, part: PackedPart, is_same: impl FnOnce(&mut Input<'_>) -> bool) -> Option<&'a [u8]> {
        let packed = self.terrain.packed.iter().find(|packed| packed.part == part)?;
        let mut input = Input::new(&packed.bytes);
        (is_same(&mut input) && input.is_empty()).then_some(packed.bytes.as_slice())
    }
}

/// Encodes values.
fn encode<T: Copy, const N: usize>(values: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|value| to_bytes(*value)).collect()
}

/// Converts values that the version stores in 16 bits.
fn to_u16s(what: &'static str, values: &[u32]) -> Result<Vec<u16>, WriteError> {
    let half =
        |(index, value): (usize, &u32)| u16::try_from(*value).map_err(|_| too_wide(what, *value)).in_item(what, index);
    values.iter().enumerate().map(half).collect()
}

#[cold]
fn too_wide(what: &'static str, value: u32) -> WriteError {
    WriteError::without_position(WriteErrorKind::TooWide { what, value })
}

#[cold]
fn ambiguous(what: &'static str) -> WriteError {
    WriteError::without_position(WriteErrorKind::Ambiguous(what))
}
