//! OPRW.

mod check;
mod lists;

use mapwright_io::{Context as _, Input, Output};

use super::count;
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
    if terrain.version.is_elder() {
        writer.elder()?;
    } else {
        writer.modern()?;
    }
    writer.output.bytes(&terrain.after);
    Ok(writer.output.into_bytes())
}

struct Writer<'a> {
    terrain: &'a Oprw,
    output: Output,
}

impl<'a> Writer<'a> {
    /// Versions 2 and 3.
    fn elder(&mut self) -> Result<(), WriteError> {
        let terrain = self.terrain;
        if terrain.version != crate::OprwVersion::COLD_WAR_CRISIS {
            for cells in terrain.land.into_iter().chain(terrain.terrain) {
                self.output.u32_le(cells);
            }
        }
        self.block(PackedPart::Geography, bytes(&terrain.geography, u32::to_le_bytes));
        self.block(PackedPart::Sound, terrain.sound.clone());
        lists::peaks(terrain, &mut self.output)?;
        self.block(PackedPart::Cells, bytes(&terrain.cells, u16::to_le_bytes));
        self.block(PackedPart::Random, bytes(&terrain.random, u32::to_le_bytes));
        self.block(PackedPart::Heights, bytes(&terrain.heights, f32::to_le_bytes));
        lists::materials(terrain, &mut self.output)?;
        lists::models(terrain, &mut self.output)?;
        lists::objects(terrain, &mut self.output);
        if let Some(terminator) = terrain.terminator {
            self.output.i32_le(terminator);
        }
        Ok(())
    }

    /// Versions 12 to 25.
    fn modern(&mut self) -> Result<(), WriteError> {
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
        self.tree(PackedPart::Geography, &halves("geography", &terrain.geography)?, land);
        self.tree(PackedPart::Sound, &terrain.sound, Oprw::sound_size(version, land));
        lists::peaks(terrain, &mut self.output)?;
        self.tree(PackedPart::Cells, &terrain.cells, land);
        if version.has_random() {
            self.block(PackedPart::Random, bytes(&halves("random", &terrain.random)?, u16::to_le_bytes));
        }
        if version.has_grass() {
            self.block(PackedPart::Grass, terrain.grass.clone());
        }
        if version.has_primary_texture() {
            self.block(PackedPart::PrimaryTexture, terrain.primary_texture.clone());
        }
        self.block(PackedPart::Heights, bytes(&terrain.heights, f32::to_le_bytes));
        lists::materials(terrain, &mut self.output)?;
        lists::models(terrain, &mut self.output)?;
        if version.has_entities() {
            lists::entities(terrain, &mut self.output)?;
        }
        self.tree(PackedPart::ObjectOffsets, &terrain.object_offsets, land);
        let record = usize::try_from(version.record()).unwrap_or(usize::MAX);
        self.output.u32_le(count("bytes of objects", terrain.objects.len().saturating_mul(record))?);
        self.tree(PackedPart::MapOffsets, &terrain.map_offsets, land);
        let mut map = Output::new();
        terrain.map_info.iter().for_each(|thing| thing.write(&mut map));
        map.bytes(&terrain.map_rest);
        self.output.u32_le(lists::map_size(terrain, map.len())?);
        self.block(PackedPart::Persistent, terrain.persistent.clone());
        self.block(PackedPart::Subdivision, terrain.subdivision.clone());
        self.output.u32_le(terrain.max_object_id.unwrap_or_default());
        lists::roads(terrain, &mut self.output)?;
        lists::objects(terrain, &mut self.output);
        self.output.bytes(map.as_bytes());
        Ok(())
    }

    /// The bytes of a grid: as they were read if they are still those.
    fn block(&mut self, part: PackedPart, bytes: Vec<u8>) {
        let method = Method::of(self.terrain.version, bytes.len());
        let is_same = |input: &mut Input<'_>| method.unpack(input, bytes.len()).is_ok_and(|stored| stored == bytes);
        match self.stored(part, is_same) {
            Some(stored) if method != Method::Raw => self.output.bytes(stored),
            _ => self.output.bytes(&method.pack(bytes)),
        }
    }

    /// The values of a grid that is a tree: as they were read if they are still those.
    fn tree<T: Value>(&mut self, part: PackedPart, values: &[T], size: [u32; 2]) {
        let stored = self.stored(part, |input| tree::unpack::<T>(input, size).is_ok_and(|stored| stored == values));
        match stored {
            Some(stored) => self.output.bytes(stored),
            None => self.output.bytes(&tree::pack(values, size)),
        }
    }

    /// The packed bytes of a part as they were read, if all of them give the same.
    fn stored(&self, part: PackedPart, is_same: impl FnOnce(&mut Input<'_>) -> bool) -> Option<&'a [u8]> {
        let packed = self.terrain.packed.iter().find(|packed| packed.part == part)?;
        let mut input = Input::new(&packed.bytes);
        (is_same(&mut input) && input.is_empty()).then_some(packed.bytes.as_slice())
    }
}

/// Little-endian values.
fn bytes<T: Copy, const N: usize>(values: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|value| to_bytes(*value)).collect()
}

/// Values that this version keeps in 16 bits.
fn halves(what: &'static str, values: &[u32]) -> Result<Vec<u16>, WriteError> {
    let half =
        |(place, value): (usize, &u32)| u16::try_from(*value).map_err(|_| wide(what, *value)).in_item(what, place);
    values.iter().enumerate().map(half).collect()
}

#[cold]
fn wide(what: &'static str, value: u32) -> WriteError {
    WriteError::without_position(WriteErrorKind::Wide { what, value })
}

#[cold]
fn ambiguous(what: &'static str) -> WriteError {
    WriteError::without_position(WriteErrorKind::Ambiguous(what))
}
