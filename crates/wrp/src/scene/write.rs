//! Converts scenes to documents.

mod instances;
mod materials;
mod merge;
mod names;
mod surface;

use mapwright_scene::{Estimate, Export, Heights, Losses, Scene};

use super::{ExportOptions, Variant, capabilities};
use crate::WriteError;
use crate::document::{Document, Sentinel, Wvr, Wvr8};
use crate::steps::to_f32;
use surface::Surface;

pub(super) use merge::merge_scene;

/// Converts a scene to a new document.
pub(super) fn write_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    surface::check_scene(scene)?;
    // Estimate before anything is created. A height has at least 16 bits in the file and 32 in memory; an object has a matrix of
    // twelve floats and a name.
    let counts = scene.occurrences().counts(scene);
    let estimate = Estimate::default().with(counts.heights, 2, 8).with(counts.texture_cells, 2, 6);
    let estimate = estimate.with(counts.instances, 48, 200);
    estimate.check(options.max_bytes).map_err(|excess| WriteError::without_position(excess.into()))?;

    let mut losses = capabilities().losses(scene);
    let surface = Surface::find(scene, &mut losses)?.check_range()?;
    // A file has no position: its south-west corner is the origin. Objects move with it, but heights are absolute.
    let [_, height, _] = surface.corner;
    if height != 0.0 {
        losses.approximated("terrains", "height field moved to height 0");
    }
    let document = match options.variant.unwrap_or_else(|| choose_variant(scene, &surface)) {
        Variant::Wvr4 => Document::Wvr(write_wvr4(scene, &surface, &mut losses)),
        Variant::Wvr8 => Document::Wvr8(write_wvr8(scene, &surface, &mut losses)),
    };
    Ok(Export { document, losses })
}

/// Chooses the variant that the scene came from, or the nearest one that can be written.
fn choose_variant(scene: &Scene, surface: &Surface<'_>) -> Variant {
    match scene.properties.get("variant").and_then(|variant| variant.as_text()) {
        Some("1WVR" | "2WVR" | "3WVR" | "4WVR" | "OPRW 2" | "OPRW 3") => Variant::Wvr4,
        Some(variant) if variant == "8WVR" || variant.starts_with("OPRW") => Variant::Wvr8,
        _ if matches!(surface.terrain.heights, Heights::Steps { .. }) => Variant::Wvr4,
        _ => Variant::Wvr8,
    }
}

fn write_wvr4(scene: &Scene, surface: &Surface<'_>, losses: &mut Losses) -> Wvr {
    let mut terrain = Wvr::new([0, 0]);
    terrain.size = surface.terrain.size;
    terrain.cell = square_step(surface.step(), losses);
    if terrain.cell != Wvr::CELL {
        let text = format!("cell size of {} m: 4WVR does not store it, and the game uses 50 m", terrain.cell);
        losses.dropped("terrains.spacing", text);
    }
    // Heights come before textures, because textures without cells depend on them.
    terrain.heights = surface.steps(terrain.height_unit, losses);
    report_sea_level(surface, losses);
    materials::write_slots(scene, surface, &mut terrain, losses);
    // Objects come last: those that fit to the ground need the finished heights.
    let instances = instances::collect_instances(scene, surface.unit, surface.corner, losses);
    terrain.objects = instances::to_objects(&instances, &terrain.ground(), true, losses);
    terrain
}

fn write_wvr8(scene: &Scene, surface: &Surface<'_>, losses: &mut Losses) -> Wvr8 {
    let mut terrain = Wvr8::new([0, 0], 0.0, 1);
    terrain.terrain = surface.terrain.size;
    let step = square_step(surface.step(), losses);
    terrain.heights = surface.metres();
    report_sea_level(surface, losses);
    let cells = surface.cells();
    if cells.is_empty() && !terrain.heights.is_empty() {
        // Terrain Builder requires a material grid that is coarser by an integer factor, for example 4.
        let coarse = |vertices: u32| if vertices.is_multiple_of(4) { vertices / 4 } else { vertices };
        terrain.land = terrain.terrain.map(coarse);
        let count = terrain.land.iter().map(|cells| usize::try_from(*cells).unwrap_or(0)).product();
        terrain.cells = vec![0; count];
        losses.synthesized("terrains.cells", "an unnamed material for all cells");
    } else {
        terrain.land = surface.terrain.cell_size;
        (terrain.materials, terrain.cells) = materials::to_wvr8_materials(scene, surface, losses);
        if terrain.materials.is_empty() {
            terrain.materials.push(Vec::new());
        }
    }
    // The file stores the size of a material cell, which depends on both grids.
    let [vertices, land] = [terrain.terrain, terrain.land].map(|[columns, _]| f64::from(columns));
    terrain.cell = if land > 0.0 { to_f32(f64::from(step) * vertices / land) } else { step };
    // Objects come last: those that fit to the ground need the finished heights.
    let instances = instances::collect_instances(scene, surface.unit, surface.corner, losses);
    terrain.objects = instances::to_objects(&instances, &terrain.ground(), false, losses);
    terrain.sentinel = Some(Sentinel::new());
    terrain
}

/// Returns the step of a grid of squares.
fn square_step([x, z]: [f64; 2], losses: &mut Losses) -> f32 {
    if x != z {
        losses.approximated("terrains.spacing", format!("cells of {x}×{z} m stored as squares of {x} m"));
    }
    to_f32(x)
}

fn report_sea_level(surface: &Surface<'_>, losses: &mut Losses) {
    match surface.terrain.sea_level {
        Some(level) if level != 0.0 => {
            losses.dropped("terrains.sea_level", format!("sea level {level}: the sea is at 0"));
        }
        _ => {}
    }
}
