//! Converts documents to scenes.

mod instances;
mod terrain;

use mapwright_io::{FixedBytes, escape_bytes};
use mapwright_scene::{Content, Import, Losses, Node, Scene};

use crate::ReadError;
use crate::document::{Document, Wvr};
use crate::loss::{OLD_NAMES, counted};

/// Converts a document to a scene.
pub(super) fn read_scene(document: &Document) -> Result<Import, ReadError> {
    let mut scene = Scene { metres_per_unit: Some(1.0), ..Scene::default() };
    let mut losses = Losses::new();
    // The writer chooses the variant of a new document by these properties.
    scene.properties.push("format", "wrp");
    scene.properties.push("variant", document.variant());
    // The heightmap is the first node: exporters take the first one.
    let terrain = terrain::read_terrain(document, &mut scene)?;
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("terrain", Content::Terrain(terrain)));
    instances::add_instances(document, &mut scene, &mut losses);
    report_losses(document, &mut losses);
    Ok(Import { scene, losses })
}

/// Reports the parts of the document that are not in the scene.
fn report_losses(document: &Document, losses: &mut Losses) {
    if !document.ground().step.into_iter().all(terrain::is_valid_step) {
        losses.repaired("terrains.spacing", format!("invalid distance of vertices replaced by {} m", Wvr::CELL));
    }
    match document {
        Document::Wvr(terrain) => {
            if let Some(nets) = &terrain.nets {
                losses.dropped("nets", counted(nets.nets.len(), ["road", "roads"]));
            }
            let sea = terrain.names.first().filter(|_| terrain.is_sea(0)).map(FixedBytes::text);
            if let Some(name) = sea.filter(|name| !name.is_empty()) {
                losses.dropped("names[0]", format!("name \"{}\" of slot 0 (the sea)", escape_bytes(name)));
            }
            let residues = terrain.names.iter().filter(|name| name.residue().iter().any(|&byte| byte != 0)).count();
            if residues > 0 {
                losses.dropped("names", counted(residues, OLD_NAMES));
            }
            if terrain.terminator.as_ref().is_some_and(|record| record.iter().any(|&byte| byte != 0)) {
                losses.dropped("terminator", "bytes of an older name in the terminator");
            }
            report_trailing_bytes(&terrain.after, losses);
        }
        Document::Wvr8(terrain) => {
            let several = terrain.materials.iter().filter(|names| names.len() > 1).count();
            if several > 0 {
                let materials = counted(several, ["material of several files", "materials of several files"]);
                losses.approximated("materials", format!("{materials}: only the first file is used"));
            }
            report_trailing_bytes(&terrain.after, losses);
        }
        Document::Oprw(_) => {
            losses.dropped("", "precomputed data: geography, sounds, roads, map, drawing hints");
        }
    }
}

fn report_trailing_bytes(after: &[u8], losses: &mut Losses) {
    if !after.is_empty() {
        losses.dropped("after", counted(after.len(), ["trailing byte", "trailing bytes"]));
    }
}
