//! Scene → document: a new map, or the changes of an existing one.

mod cameras;
mod document_text;
mod entities;
mod estimate;
mod ids;
mod lights;
mod merge;
mod nodes;
mod outputs;
mod plan;
mod projections;
mod sets;
mod settings;
mod solids;
mod text;
mod values;

use mapwright_scene::{Losses, Scene};

use self::nodes::plan_scene;
use super::capabilities;
use super::options::ExportOptions;
use crate::{Document, Separator, WriteError, WriteErrorKind};

/// Writes a scene as a new map.
pub(super) fn write_scene(scene: &Scene, options: &ExportOptions) -> Result<(Document, Losses), WriteError> {
    check_scene(scene, options.max_bytes)?;
    let separator = options.separator.unwrap_or_else(|| settings::stated_separator(scene).unwrap_or(Separator::Comma));
    let mut plan = plan_scene(scene, None, separator, options.max_bytes)?;
    let mut losses = capabilities().losses(scene);
    let text = document_text::format_map(&mut plan);
    losses.append(plan.finish());
    let document = Document::from_text(text.into_bytes(), false)?;
    Ok((document, losses))
}

/// Applies the differences between the scene of a map and a changed scene to the map.
pub(super) fn merge_scene(
    document: &Document,
    base: &Scene,
    scene: &Scene,
    options: &ExportOptions,
) -> Result<(Document, Losses), WriteError> {
    check_scene(scene, options.max_bytes)?;
    let separator = options.separator.unwrap_or_else(|| document.output_separator());
    let before = plan_scene(base, Some(base), separator, u64::MAX)?;
    let mut after = plan_scene(scene, Some(base), separator, options.max_bytes)?;
    after.losses.append(capabilities().losses(scene));
    let changed = merge::apply_changes(document, &before, &mut after)?;
    // Data that the map stores in its own way is not lost as long as it does not change.
    let mut known = capabilities().losses(base);
    known.append(before.finish());
    let losses = merge::subtract(after.finish(), &known);
    Ok((changed, losses))
}

/// Rejects invalid and too large scenes.
fn check_scene(scene: &Scene, max_bytes: u64) -> Result<(), WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    estimate::check_scene_size(scene, max_bytes)
}
