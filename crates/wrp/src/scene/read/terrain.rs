//! Converts the grids of a document to a heightmap.

use mapwright_io::escape_bytes;
use mapwright_scene::{Diagonal, Heights, Material, MaterialId, Properties, Scene, Terrain};

use crate::document::{Document, Elevations, Wvr};
use crate::steps::to_shortest_decimal;
use crate::{ReadError, ReadErrorKind};

/// Converts the grids to a heightmap and adds the materials to the scene.
pub(super) fn read_terrain(document: &Document, scene: &mut Scene) -> Result<Terrain, ReadError> {
    let ground = document.ground();
    let (cell_size, cells, materials) = match document {
        Document::Wvr(terrain) => {
            let materials = terrain.names.iter().enumerate().map(|(slot, name)| {
                // Slot 0 is the sea, even if it has a name.
                let is_land = (slot > 0 || !terrain.is_sea(0)) && !name.text().is_empty();
                is_land.then(|| add_material(scene, name.text()))
            });
            let materials = materials.collect();
            let cells = terrain.textures.iter().map(|index| u32::from(index.cast_unsigned())).collect::<Vec<_>>();
            (terrain.size, cells, materials)
        }
        Document::Wvr8(terrain) => {
            let materials = terrain.materials.iter().map(|names| Some(add_material(scene, names.first()?))).collect();
            (terrain.land, terrain.cells.iter().copied().map(u32::from).collect(), materials)
        }
        Document::Oprw(terrain) => {
            let names = terrain.materials.iter().map(|material| material.name.as_slice());
            let materials = names.map(|name| (!name.is_empty()).then(|| add_material(scene, name))).collect();
            (terrain.land, terrain.cells.iter().copied().map(u32::from).collect(), materials)
        }
    };
    // An edited document may be inconsistent.
    for (size, found) in [(ground.size, ground.heights.len()), (cell_size, cells.len())] {
        let [columns, rows] = size;
        if u64::from(columns).saturating_mul(rows.into()) != found as u64 {
            let [columns, rows] = size.map(|cells| i32::try_from(cells).unwrap_or(i32::MAX));
            return Err(ReadError::without_position(ReadErrorKind::Grid { columns, rows }));
        }
    }
    // A grid without cells has no step, and a negative step would reverse the rows.
    let [x, z] = ground.step.map(|step| if is_valid_step(step) { step } else { f64::from(Wvr::CELL) });
    Ok(Terrain {
        name: String::new(),
        size: ground.size,
        spacing: [x, -z],
        heights: match ground.heights {
            Elevations::Steps(values, step) => {
                Heights::Steps { step: to_shortest_decimal(step), values: values.to_vec() }
            }
            Elevations::Metres(heights) => Heights::F32(heights.to_vec()),
        },
        diagonal: Diagonal::Anti,
        cell_size,
        cells,
        materials,
        sea_level: Some(0.0),
        attributes: Vec::new(),
        properties: Properties::new(),
    })
}

/// Returns `true` if a number is a possible distance between vertices.
pub(super) fn is_valid_step(step: f64) -> bool {
    step.is_finite() && step > 0.0
}

fn add_material(scene: &mut Scene, name: &[u8]) -> MaterialId {
    let reference = escape_bytes(name);
    let short = reference.rsplit('\\').next().unwrap_or_default().to_owned();
    scene.materials.push(Material { reference: Some(reference), ..Material::new(short) })
}
