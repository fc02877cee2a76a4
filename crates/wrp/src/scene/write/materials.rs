//! Converts materials and texture cells.

use mapwright_io::{FixedBytes, unescape_bytes};
use mapwright_scene::{Losses, Material, MaterialId, Scene};

use super::names::NameFitter;
use super::surface::Surface;
use crate::document::Wvr;
use crate::loss::counted;
use crate::sample::sample_nearest;

/// Texture of land in a 4WVR whose scene has no texture cells: grass of Operation Flashpoint.
const LAND: &[u8] = b"landtext\\pi.paa";
/// Width of a texture name in 4WVR, in bytes.
const WIDTH: usize = 32;

/// Returns the materials of 8WVR and the material index of each cell.
pub(super) fn to_wvr8_materials(
    scene: &Scene,
    surface: &Surface<'_>,
    losses: &mut Losses,
) -> (Vec<Vec<Vec<u8>>>, Vec<u16>) {
    let materials = surface.terrain.materials.iter().map(|id| {
        let material = id.and_then(|id| scene.materials.get(id));
        material.map(material_name).filter(|name| !name.is_empty()).into_iter().collect::<Vec<_>>()
    });
    let mut beyond = 0_usize;
    let cell = |cell: u32| {
        u16::try_from(cell).unwrap_or_else(|_| {
            beyond = beyond.saturating_add(1);
            u16::MAX
        })
    };
    let cells = surface.cells().into_iter().map(cell).collect();
    if beyond > 0 {
        let indices = counted(beyond, ["index", "indices"]);
        losses.approximated("terrains.cells", format!("{indices} above 16 bits stored as 65535: no material"));
    }
    (materials.collect(), cells)
}

/// Writes the texture slots of 4WVR and the slot index of each cell.
pub(super) fn write_slots(scene: &Scene, surface: &Surface<'_>, terrain: &mut Wvr, losses: &mut Losses) {
    let cells = surface.cells();
    if cells.is_empty() {
        return write_default_slots(terrain, losses);
    }
    let materials = &surface.terrain.materials;
    let shift = slot_shift(materials, terrain);
    fill_slots(scene, materials, shift, terrain, losses);
    let slots = terrain.names.len();
    let (known, mut lost) = (u32::try_from(materials.len()).unwrap_or(u32::MAX), 0_usize);
    let index = |cell: u32| {
        let is_known = cell < known;
        let slot = if is_known { cell.saturating_add(shift) } else { cell };
        // An index that is out of range must not refer to a used slot.
        let name = usize::try_from(slot).ok().and_then(|slot| terrain.names.get(slot));
        if !is_known && name.is_some_and(|name| !name.text().is_empty()) {
            return -1;
        }
        match u16::try_from(slot) {
            Ok(slot) if !is_known || usize::from(slot) < slots => slot.cast_signed(),
            _ => {
                lost = lost.saturating_add(1);
                Wvr::SEA
            }
        }
    };
    let indices: Vec<i16> = cells.into_iter().map(index).collect();
    if lost > 0 {
        let cells = counted(lost, ["cell", "cells"]);
        losses.dropped("terrains.cells", format!("materials above slot 511 of {cells}, stored as sea"));
    }
    // 4WVR has one grid for heights and textures.
    let sampled = sample_nearest(&indices, surface.terrain.cell_size, terrain.size);
    terrain.textures = sampled.map(|index| index.unwrap_or(Wvr::SEA)).collect();
    if surface.terrain.cell_size != terrain.size {
        let [columns, rows] = surface.terrain.cell_size;
        losses.preserved("terrains.cells", format!("{columns}×{rows} cells stored on the grid of the heights"));
    }
}

/// Writes grass for land and sea below it, for a heightmap without texture cells.
fn write_default_slots(terrain: &mut Wvr, losses: &mut Losses) {
    if let (Some(slot), Some(land)) = (terrain.names.get_mut(1), FixedBytes::from_text(LAND)) {
        *slot = land;
    }
    terrain.textures = terrain.heights.iter().map(|height| i16::from(*height > 0)).collect();
    if !terrain.heights.is_empty() {
        losses.synthesized("terrains.cells", "textures: grass above 0 m, sea below");
    }
}

/// Writes the names of materials into their slots.
fn fill_slots(scene: &Scene, materials: &[Option<MaterialId>], shift: u32, terrain: &mut Wvr, losses: &mut Losses) {
    let names: Vec<Option<Vec<u8>>> =
        materials.iter().map(|id| id.and_then(|id| scene.materials.get(id)).map(material_name)).collect();
    let mut fitter = NameFitter::new(WIDTH, "materials", names.iter().flatten().map(Vec::as_slice));
    let shift = usize::try_from(shift).unwrap_or(0);
    for (slot, name) in terrain.names.iter_mut().skip(shift).zip(&names) {
        if let Some(name) = name {
            let fitted = FixedBytes::from_text(&fitter.fit(name, losses));
            *slot = fitted.unwrap_or(FixedBytes { raw: [0; WIDTH] });
        }
    }
}

/// Returns the number of slots by which materials move up: slot 0 is the sea and cannot store a land texture.
pub(super) fn slot_shift(materials: &[Option<MaterialId>], terrain: &Wvr) -> u32 {
    u32::from(terrain.is_sea(0) && materials.first().is_some_and(Option::is_some))
}

/// Returns the name of a material in the file.
pub(super) fn material_name(material: &Material) -> Vec<u8> {
    unescape_bytes(material.reference.as_ref().unwrap_or(&material.name))
}
