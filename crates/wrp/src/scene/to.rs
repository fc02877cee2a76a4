//! Document → scene.

use mapwright_io::{FixedBytes, escape, escape_bytes};
use mapwright_scene::{
    Content, Diagonal, Heights, Import, Losses, Material, MaterialId, Node, Properties, Scene, Terrain,
};

use super::objects;
use crate::document::{Document, Elevations, Wvr};
use crate::steps::decimal;
use crate::{ReadError, ReadErrorKind};

/// The scene of a document.
pub(super) fn read(document: &Document) -> Result<Import, ReadError> {
    let mut scene = Scene { metres_per_unit: Some(1.0), ..Scene::default() };
    let mut losses = Losses::new();
    scene.properties.push("format", "wrp");
    scene.properties.push("variant", document.variant());
    let terrain = terrain(document, &mut scene)?;
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("terrain", Content::Terrain(terrain)));
    objects::say(document, &mut scene, &mut losses);
    report(document, &mut losses);
    Ok(Import { scene, losses })
}

/// The height field.
pub(super) fn terrain(document: &Document, scene: &mut Scene) -> Result<Terrain, ReadError> {
    let ground = document.ground();
    let (cell_size, cells, materials) = match document {
        Document::Wvr(terrain) => {
            let materials = terrain.names.iter().enumerate().map(|(slot, name)| {
                // Slot 0 is the sea, whatever it says.
                let is_land = (slot > 0 || !terrain.is_sea(0)) && !name.text().is_empty();
                is_land.then(|| material(scene, name.text()))
            });
            let materials = materials.collect();
            let cells = terrain.textures.iter().map(|index| u32::from(index.cast_unsigned())).collect::<Vec<_>>();
            (terrain.size, cells, materials)
        }
        Document::Wvr8(terrain) => {
            let materials = terrain.materials.iter().map(|names| Some(material(scene, names.first()?))).collect();
            (terrain.land, terrain.cells.iter().copied().map(u32::from).collect(), materials)
        }
        Document::Oprw(terrain) => {
            let names = terrain.materials.iter().map(|material| material.name.as_slice());
            let materials = names.map(|name| (!name.is_empty()).then(|| material(scene, name))).collect();
            (terrain.land, terrain.cells.iter().copied().map(u32::from).collect(), materials)
        }
    };
    for (size, found) in [(ground.size, ground.heights.len()), (cell_size, cells.len())] {
        let [columns, rows] = size;
        if u64::from(columns).saturating_mul(rows.into()) != found as u64 {
            let [columns, rows] = size.map(|cells| i32::try_from(cells).unwrap_or(i32::MAX));
            return Err(ReadError::without_position(ReadErrorKind::Grid { columns, rows }));
        }
    }
    // A grid without cells has no step, and rows of cells below 0 m would run south.
    let [x, z] = ground.step.map(|step| if is_step(step) { step } else { f64::from(Wvr::CELL) });
    Ok(Terrain {
        name: String::new(),
        size: ground.size,
        spacing: [x, -z],
        heights: match ground.heights {
            Elevations::Steps(values, step) => Heights::Steps { step: decimal(step), values: values.to_vec() },
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

/// Whether that can be between vertices.
fn is_step(step: f64) -> bool {
    step.is_finite() && step > 0.0
}

fn material(scene: &mut Scene, name: &[u8]) -> MaterialId {
    let reference = escape_bytes(name);
    let short = reference.rsplit('\\').next().unwrap_or_default().to_owned();
    scene.materials.push(Material { reference: Some(reference), ..Material::new(short) })
}

/// What of the document is not in the scene.
fn report(document: &Document, losses: &mut Losses) {
    if !document.ground().step.into_iter().all(is_step) {
        let text = format!("cells of no size that a grid can have: {} m", Wvr::CELL);
        losses.repaired("terrains.spacing", text);
    }
    match document {
        Document::Wvr(terrain) => {
            if let Some(nets) = &terrain.nets {
                losses.dropped("nets", format!("{} roads", nets.nets.len()));
            }
            let first = terrain
                .names
                .first()
                .filter(|_| terrain.is_sea(0))
                .map(FixedBytes::text)
                .filter(|name| !name.is_empty());
            if let Some(name) = first {
                losses.dropped("names[0]", format!("\"{}\": slot 0 is the sea", escape(name)));
            }
            let behind = terrain.names.iter().filter(|name| name.residue().iter().any(|&byte| byte != 0)).count();
            if behind > 0 {
                losses.dropped("names", format!("{behind} names with bytes behind them: those bytes"));
            }
            if terrain.terminator.as_ref().is_some_and(|record| record.iter().any(|&byte| byte != 0)) {
                losses.dropped("terminator", "a record with old bytes at the end of the list");
            }
            left(&terrain.after, losses);
        }
        Document::Wvr8(terrain) => {
            let more = terrain.materials.iter().filter(|names| names.len() > 1).count();
            if more > 0 {
                losses.approximated("materials", format!("{more} of several files, by the first"));
            }
            left(&terrain.after, losses);
        }
        Document::Oprw(_) => {
            losses.dropped("", "what the game computed beforehand: geography, sounds, roads, map, hints for drawing");
        }
    }
}

fn left(after: &[u8], losses: &mut Losses) {
    if !after.is_empty() {
        losses.dropped("after", format!("{} bytes behind the objects", after.len()));
    }
}
