//! Estimates of the size of a map, checked before it is created and while its parts are planned.

use mapwright_scene::{Estimate, Scene};

use crate::WriteError;

/// Checks the least size of the map of a scene.
pub(super) fn check_scene_size(scene: &Scene, max_bytes: u64) -> Result<(), WriteError> {
    let counts = scene.occurrences().counts(scene);
    let names = counts.names.saturating_add(counts.material_names);
    check(estimate_sides(counts.brush_sides).with(counts.nodes, 0, 200).with(names, 0, 1), max_bytes)
}

/// Checks the least size of sides.
pub(super) fn check_sides(sides: u64, max_bytes: u64) -> Result<(), WriteError> {
    check(estimate_sides(sides), max_bytes)
}

/// Estimates the least text of sides, and their memory: their keys, and the index of the text.
fn estimate_sides(sides: u64) -> Estimate {
    Estimate::default().with(sides, 150, 1_000)
}

fn check(estimate: Estimate, max_bytes: u64) -> Result<(), WriteError> {
    estimate.check(max_bytes).map_err(|excess| WriteError::without_position(excess.into()))
}
