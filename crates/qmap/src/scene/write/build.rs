//! Scene → entities, within the limits of the options.

use mapwright_scene::{Estimate, GrowthCheck, Losses, Scene};

use super::context::{Context, GroupIds};
use super::faces::Face;
use super::items::Item;
use crate::scene::ExportOptions;
use crate::{WriteError, WriteErrorKind};

/// Converts a scene to entities. The first one is `worldspawn`.
pub(super) fn build(scene: &Scene, options: &ExportOptions, ids: GroupIds) -> Result<(Vec<Item>, Losses), WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    let counts = scene.occurrences_where(|node| node.visible).counts(scene);
    let names = counts.names.saturating_add(counts.material_names);
    let estimate_of_nodes = estimate(counts.brush_sides).with(counts.nodes, 0, 200).with(names, 0, 1);
    check(estimate_of_nodes, options.max_bytes)?;
    let mut context = Context::new(scene, options, ids);
    // The number of sides is unknown until meshes are converted.
    let mut growth = GrowthCheck::default();
    for visit in scene.walk() {
        context.write_node(&visit)?;
        if growth.is_due(context.faces) {
            let path = format!("nodes[{}]", visit.id.index());
            check(estimate(context.faces), options.max_bytes).map_err(|error| error.with_path(path))?;
        }
    }
    context.report();
    Ok((context.items, context.losses))
}

/// Estimates the text and memory for faces of brushes.
fn estimate(faces: u64) -> Estimate {
    Estimate::default().with(faces, Face::MIN_BYTES, size_of::<Face>() as u64 + 64)
}

fn check(estimate: Estimate, max_bytes: u64) -> Result<(), WriteError> {
    estimate.check(max_bytes).map_err(|excess| WriteError::without_position(excess.into()))
}

/// Rejects a text that is longer than the options allow.
pub(super) fn check_size(needed: u64, limit: u64) -> Result<(), WriteError> {
    let excess = mapwright_scene::Excess::Limit { needed, limit };
    if needed > limit { Err(WriteError::without_position(excess.into())) } else { Ok(()) }
}
