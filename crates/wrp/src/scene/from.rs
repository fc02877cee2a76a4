//! Scene → document.

use mapwright_io::{FixedBytes, unescape_bytes};
use mapwright_scene::{Estimate, Export, Heights, Losses, Material, MaterialId, Scene};

use super::names::Names;
use super::objects;
use super::surface::Surface;
use super::{ExportOptions, Variant, capabilities};
use crate::document::{Document, Sentinel, Wvr, Wvr8};
use crate::sample::nearest;
use crate::steps::narrow;
use crate::{WriteError, WriteErrorKind};

/// What land looks like in a 4WVR whose scene does not say: grass of Operation Flashpoint.
const LAND: &[u8] = b"landtext\\pi.paa";

/// The document of a scene.
pub(super) fn write(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    check(scene)?;
    // A height has at least 16 bits in the file and 32 in memory. An object has a matrix of twelve floats and a name.
    let counts = scene.shown().counts(scene);
    let estimate = Estimate::default().with(counts.heights, 2, 8).with(counts.texture_cells, 2, 6);
    let estimate = estimate.with(counts.instances, 48, 200);
    estimate.check(options.max_bytes).map_err(|excess| WriteError::without_position(excess.into()))?;
    let mut losses = capabilities().losses(scene);
    let surface = Surface::find(scene, &mut losses)?.within_numbers()?;
    // The file has no place but its own corner; heights stay what they are.
    let [_, height, _] = surface.corner;
    if height != 0.0 {
        losses.approximated("terrains", "where the height field stands above 0: heights count from there");
    }
    let document = match options.variant.unwrap_or_else(|| variant(scene, &surface)) {
        Variant::Wvr4 => Document::Wvr(wvr4(scene, &surface, &mut losses)),
        Variant::Wvr8 => Document::Wvr8(wvr8(scene, &surface, &mut losses)),
    };
    Ok(Export { document, losses })
}

/// Refuses a scene that contradicts itself.
pub(super) fn check(scene: &Scene) -> Result<(), WriteError> {
    match scene.first_error() {
        Some(finding) => Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path)),
        None => Ok(()),
    }
}

fn variant(scene: &Scene, surface: &Surface<'_>) -> Variant {
    match scene.properties.get("variant").and_then(|variant| variant.as_text()) {
        Some("1WVR" | "2WVR" | "3WVR" | "4WVR" | "OPRW 2" | "OPRW 3") => Variant::Wvr4,
        Some(variant) if variant == "8WVR" || variant.starts_with("OPRW") => Variant::Wvr8,
        _ if matches!(surface.terrain.heights, Heights::Steps { .. }) => Variant::Wvr4,
        _ => Variant::Wvr8,
    }
}

fn wvr4(scene: &Scene, surface: &Surface<'_>, losses: &mut Losses) -> Wvr {
    let mut terrain = Wvr::new([0, 0]);
    terrain.size = surface.terrain.size;
    terrain.cell = square(surface.step(), losses);
    if terrain.cell != Wvr::CELL {
        let text = format!("cells of {} m: the file does not say it, and the game takes 50", terrain.cell);
        losses.dropped("terrains.spacing", text);
    }
    terrain.heights = surface.steps(terrain.height_unit, losses);
    sea(surface, losses);
    slots(scene, surface, &mut terrain, losses);
    let rows = objects::rows(scene, surface.unit, surface.corner, losses);
    terrain.objects = objects::objects(&rows, &terrain.ground(), true, losses);
    terrain
}

fn wvr8(scene: &Scene, surface: &Surface<'_>, losses: &mut Losses) -> Wvr8 {
    let mut terrain = Wvr8::new([0, 0], 0.0, 1);
    terrain.terrain = surface.terrain.size;
    let step = square(surface.step(), losses);
    terrain.heights = surface.metres();
    sea(surface, losses);
    let cells = surface.cells();
    if cells.is_empty() && !terrain.heights.is_empty() {
        // Terrain Builder wants the material grid four times as coarse or so, and a whole multiple.
        let coarse = |vertices: u32| if vertices.is_multiple_of(4) { vertices / 4 } else { vertices };
        terrain.land = terrain.terrain.map(coarse);
        let count = terrain.land.iter().map(|cells| usize::try_from(*cells).unwrap_or(0)).product();
        terrain.cells = vec![0; count];
        losses.synthesized("terrains.cells", "a material without a name for all cells");
    } else {
        terrain.land = surface.terrain.cell_size;
        (terrain.materials, terrain.cells) = materials(scene, surface, losses);
        if terrain.materials.is_empty() {
            terrain.materials.push(Vec::new());
        }
    }
    let [terr, land] = [terrain.terrain, terrain.land].map(|[columns, _]| f64::from(columns));
    terrain.cell = if land > 0.0 { narrow(f64::from(step) * terr / land) } else { step };
    let rows = objects::rows(scene, surface.unit, surface.corner, losses);
    terrain.objects = objects::objects(&rows, &terrain.ground(), false, losses);
    terrain.sentinel = Some(Sentinel::new());
    terrain
}

/// The materials, and which one each cell shows.
pub(super) fn materials(scene: &Scene, surface: &Surface<'_>, losses: &mut Losses) -> (Vec<Vec<Vec<u8>>>, Vec<u16>) {
    let materials = surface.terrain.materials.iter().map(|id| {
        let material = id.and_then(|id| scene.materials.get(id));
        material.map(name).filter(|name| !name.is_empty()).into_iter().collect::<Vec<_>>()
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
        losses.approximated("terrains.cells", format!("{beyond} numbers beyond 16 bits, as 65535: no material"));
    }
    (materials.collect(), cells)
}

/// The step of a grid of squares.
fn square([x, z]: [f64; 2], losses: &mut Losses) -> f32 {
    if x != z {
        losses.approximated("terrains.spacing", format!("cells of {x} m by {z} m, as squares of {x} m"));
    }
    narrow(x)
}

fn sea(surface: &Surface<'_>, losses: &mut Losses) {
    match surface.terrain.sea_level {
        Some(level) if level != 0.0 => losses.dropped("terrains.sea_level", format!("{level}: the sea is at 0")),
        _ => {}
    }
}

/// The texture slots, and which one each cell shows.
pub(super) fn slots(scene: &Scene, surface: &Surface<'_>, terrain: &mut Wvr, losses: &mut Losses) {
    let cells = surface.cells();
    let empty = FixedBytes { raw: [0; 32] };
    if cells.is_empty() {
        let mut land = empty;
        if let Some(name) = FixedBytes::from_text(LAND) {
            land = name;
        }
        if let Some(slot) = terrain.names.get_mut(1) {
            *slot = land;
        }
        // Water where the ground is below it, so that a shore has its land.
        terrain.textures = terrain.heights.iter().map(|height| i16::from(*height > 0)).collect();
        if !terrain.heights.is_empty() {
            losses.synthesized("terrains.cells", "textures: grass above 0 m, sea below");
        }
        return;
    }
    let materials = &surface.terrain.materials;
    let shift = shift(materials, terrain);
    let all: Vec<Vec<u8>> = materials.iter().flatten().filter_map(|id| scene.materials.get(*id)).map(name).collect();
    let mut names = Names::new(32, "materials", all.iter().map(Vec::as_slice));
    for (place, id) in (shift..).zip(materials) {
        let Some(material) = id.and_then(|id| scene.materials.get(id)) else { continue };
        let Some(slot) = usize::try_from(place).ok().and_then(|place| terrain.names.get_mut(place)) else { continue };
        *slot = FixedBytes::from_text(&names.fit(&name(material), losses)).unwrap_or(empty);
    }
    let slots = terrain.names.len();
    let (known, mut lost) = (u32::try_from(materials.len()).unwrap_or(u32::MAX), 0_usize);
    let index = |cell: u32| {
        let named = cell < known;
        let slot = if named { cell.saturating_add(shift) } else { cell };
        // A number without a meaning must not get that of a slot.
        let taken = |slot: u32| usize::try_from(slot).ok().and_then(|slot| terrain.names.get(slot));
        if !named && taken(slot).is_some_and(|name| !name.text().is_empty()) {
            return -1;
        }
        match u16::try_from(slot) {
            Ok(slot) if !named || usize::from(slot) < slots => slot.cast_signed(),
            _ => {
                lost = lost.saturating_add(1);
                Wvr::SEA
            }
        }
    };
    let indices: Vec<i16> = cells.into_iter().map(index).collect();
    if lost > 0 {
        losses.dropped("terrains.cells", format!("{lost} cells of materials beyond slot 511, which became sea"));
    }
    let fitted = nearest(&indices, surface.terrain.cell_size, terrain.size);
    terrain.textures = fitted.map(|index| index.unwrap_or(Wvr::SEA)).collect();
    if surface.terrain.cell_size != terrain.size {
        let [columns, rows] = surface.terrain.cell_size;
        losses.preserved("terrains.cells", format!("{columns} by {rows} cells, on the grid of the heights"));
    }
}

/// How many slots materials move up: where slot 0 is the sea, land may not come there.
pub(super) fn shift(materials: &[Option<MaterialId>], terrain: &Wvr) -> u32 {
    u32::from(terrain.is_sea(0) && materials.first().is_some_and(Option::is_some))
}

/// How the file calls a material.
pub(super) fn name(material: &Material) -> Vec<u8> {
    unescape_bytes(material.reference.as_ref().unwrap_or(&material.name))
}
