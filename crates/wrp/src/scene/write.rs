//! Converts scenes to documents.

mod instances;
mod materials;
mod merge;
mod names;
mod surface;

use mapwright_scene::{Content, Estimate, Export, Losses, Node, Scene, Value};

use super::{ExportOptions, Variant, capabilities};
use crate::document::{Document, Sentinel, Wvr, Wvr8};
use crate::edit::{EditError, land_size};
use crate::loss::counted;
use crate::steps::to_f32;
use crate::{WriteError, WriteErrorKind};
use surface::{Surface, is_own};

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
    if !is_own(scene) {
        surface.check_heights()?;
        surface.check_squares()?;
    }
    report_properties(scene, &mut losses);
    // A file has no position: its south-west corner is the origin. Objects move with it, but heights are absolute.
    let [east, height, south] = surface.corner;
    if height != 0.0 {
        losses.approximated("terrains", "heightmap moved to height 0");
    }
    if east != 0.0 || south != 0.0 {
        let text = format!("south-west corner {east} m east and {} m north of the origin: moved to it", 0.0 - south);
        losses.approximated("terrains", text);
        if !scene.instance_sets.is_empty() {
            losses.approximated("instance_sets", "positions of objects, moved with the terrain");
        }
    }
    scene.report_unused_materials(scene.terrain_materials(), &mut losses);
    let is_empty_group = |node: &Node| node.content == Content::Group && node.children.is_empty();
    for (id, _) in scene.nodes.iter().filter(|(_, node)| !is_own(scene) && is_empty_group(node)) {
        losses.dropped(format!("nodes[{}]", id.index()), "group without children");
    }
    let variant = options.variant.unwrap_or_else(|| {
        let variant = choose_variant(scene, &surface, options);
        report_choice(scene, &surface, variant, &mut losses);
        variant
    });
    let mut document = match variant {
        Variant::Wvr4 => Document::Wvr(write_wvr4(scene, &surface, &mut losses)),
        Variant::Wvr8 => Document::Wvr8(write_wvr8(scene, &surface, &mut losses)),
    };
    if options.size.is_some() || options.crop.is_some() {
        resize(&mut document, options, &mut losses)?;
        if let Document::Wvr8(terrain) = &mut document
            && surface.cells().is_empty()
        {
            clear_cells(terrain);
        }
    }
    if let Document::Wvr(terrain) = &document
        && terrain.cell != Wvr::CELL
    {
        let text = format!("cell size of {} m: 4WVR does not store it, and the game uses 50 m", terrain.cell);
        losses.dropped("terrains.spacing", text);
    }
    if !is_own(scene) {
        report_size(document.ground().size, &mut losses);
    }
    Ok(Export { document, losses })
}

/// Crops and resamples the heights as the options state.
fn resize(document: &mut Document, options: &ExportOptions, losses: &mut Losses) -> Result<(), WriteError> {
    let failed = |error: EditError| WriteError::without_position(WriteErrorKind::Scene(error.to_string()));
    let [columns, rows] = document.ground().size;
    if let Some(side) = options.crop {
        let land = if let Document::Wvr8(terrain) = &*document { terrain.land[0] } else { columns };
        let factor = columns.checked_div(land).unwrap_or(1).max(1);
        let objects = document.crop([0; 2], [side.checked_div(factor).unwrap_or(side); 2]).map_err(failed)?;
        losses.dropped("terrains.heights", format!("all heights except the {side}×{side} in the south-west"));
        if objects > 0 {
            losses.dropped("objects", counted(objects, ["object outside", "objects outside"]));
        }
    }
    if let Some(side) = options.size.filter(|side| document.ground().size != [*side; 2]) {
        document.resample([side; 2]).map_err(failed)?;
        let [step, _] = document.ground().step;
        let text = format!("{columns}×{rows} heights resampled to {side}×{side}, {step} m apart, over the same area");
        losses.approximated("terrains.heights", text);
    }
    Ok(())
}

/// Creates the material grid that fits to the heights, with the first material everywhere.
fn clear_cells(terrain: &mut Wvr8) {
    let [step, _] = terrain.ground().step;
    terrain.land = land_size(terrain.terrain, step);
    let [columns, rows] = terrain.land.map(|cells| usize::try_from(cells).unwrap_or(0));
    terrain.cells = vec![0; columns.saturating_mul(rows)];
    // The file stores the size of a material cell, which depends on both grids.
    let [vertices, land] = [terrain.terrain, terrain.land].map(|[columns, _]| f64::from(columns));
    terrain.cell = if land > 0.0 { to_f32(step * vertices / land) } else { to_f32(step) };
}

/// Reports a grid that the games reject.
fn report_size([columns, rows]: [u32; 2], losses: &mut Losses) {
    let least = columns.min(rows);
    if columns != rows || !columns.is_power_of_two() {
        let crop = 1_u32.checked_shl(least.max(1).ilog2()).unwrap_or(1);
        let size = if least.saturating_sub(crop) > crop / 2 { crop.saturating_mul(2) } else { crop };
        let text = format!(
            "{columns}×{rows} heights stored as they are: the games require a square with a power of two as its side; \
             --size {size} resamples, --crop {crop} cuts"
        );
        losses.approximated("terrains.heights", text);
    }
}

/// Reports the properties that a terrain does not store.
fn report_properties(scene: &Scene, losses: &mut Losses) {
    let names = scene.properties.iter().map(|(name, _)| name);
    let names: Vec<&str> = names.filter(|name| !(is_own(scene) && matches!(*name, "format" | "variant"))).collect();
    if let Some(Value::Map(crs)) = scene.properties.get("crs") {
        let code = crs.get("epsg").and_then(Value::as_int).map(|code| format!(" EPSG:{code}"));
        losses.dropped("properties.crs", format!("coordinate reference system{}", code.unwrap_or_default()));
    }
    let others: Vec<&str> = names.into_iter().filter(|name| *name != "crs").collect();
    if !others.is_empty() {
        losses.dropped("properties", format!("properties {}", others.join(", ")));
    }
}

/// Returns the name of the variant that the scene came from.
fn own_variant(scene: &Scene) -> Option<&str> {
    scene.properties.get("variant").and_then(|variant| variant.as_text())
}

/// Chooses the variant that the scene came from, or the nearest one that can be written.
fn choose_variant(scene: &Scene, surface: &Surface<'_>, options: &ExportOptions) -> Variant {
    let side = options.crop.unwrap_or(surface.terrain.size[0]);
    match own_variant(scene) {
        // 4WVR does not store the size of cells, so a scaled terrain would not fit its objects.
        Some("1WVR" | "2WVR" | "3WVR" | "4WVR" | "OPRW 2" | "OPRW 3") if surface.has_game_cells() => Variant::Wvr4,
        Some(variant) if variant == "8WVR" || variant.starts_with("OPRW") => Variant::Wvr8,
        // 4WVR does not store the step of resampled heights.
        _ if options.size.is_some_and(|size| size != side) => Variant::Wvr8,
        // Only terrains like those of the game are exact.
        _ if surface.has_game_steps() && surface.has_game_cells() => Variant::Wvr4,
        _ => Variant::Wvr8,
    }
}

/// Reports the reason for a variant that is not that of the scene.
fn report_choice(scene: &Scene, surface: &Surface<'_>, variant: Variant, losses: &mut Losses) {
    let is_scaled = variant == Variant::Wvr8 && own_variant(scene) == Some("4WVR");
    if own_variant(scene).is_some() && !is_scaled {
        return;
    }
    let (cell, [width, depth]) = (Wvr::CELL, surface.step());
    let text = match variant {
        Variant::Wvr4 => {
            format!("4WVR, whose cells of {cell} m and heights in steps of {} m are exact", Wvr::HEIGHT_UNIT)
        }
        Variant::Wvr8 if !surface.has_game_cells() => {
            format!("8WVR, because the cells are {width}×{depth} m and those of 4WVR are {cell}×{cell} m")
        }
        Variant::Wvr8 if !surface.has_game_steps() => {
            format!("8WVR, because heights of 4WVR are steps of {} m and these are any numbers", Wvr::HEIGHT_UNIT)
        }
        Variant::Wvr8 => format!("8WVR, because the cells are resampled and those of 4WVR are {cell}×{cell} m"),
    };
    losses.preserved("variant", text);
}

fn write_wvr4(scene: &Scene, surface: &Surface<'_>, losses: &mut Losses) -> Wvr {
    let mut terrain = Wvr::new([0, 0]);
    terrain.size = surface.terrain.size;
    terrain.cell = square_step(surface.step(), losses);
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
        (terrain.land, terrain.cell) = (terrain.terrain, step);
        clear_cells(&mut terrain);
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
        // It floods land below 0.
        None => losses.synthesized("terrains.sea_level", "the sea at 0, which all terrains have"),
        _ => {}
    }
}
