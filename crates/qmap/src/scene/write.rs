//! Scene → document: fills an empty document, or changes the one that the scene came from.

mod context;
mod entities;
mod faces;
mod groups;
mod header;
mod items;
mod merge;
mod patches;
mod shapes;

use mapwright_scene::{Estimate, Export, GrowthCheck, Losses, Scene};

use self::context::{Context, GroupIds};
use self::faces::Face;
use self::header::Style;
use self::items::Item;
use super::ExportOptions;
use crate::{Document, ReadError, ReadOptions, WriteError, WriteErrorKind};

pub(super) use self::merge::merge_scene;

/// Writes a scene as a new document.
pub(super) fn write_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let (items, mut losses) = build(scene, options, GroupIds::default())?;
    let style = Style::choose(scene, &items, options, &mut losses);
    let mut text = Vec::new();
    style.write_header(&mut text);
    for (index, item) in items.iter().enumerate() {
        item.write(index == 0, &style, b"\n", &mut text);
        check_size(text.len() as u64, options.max_bytes)?;
    }
    let mut reading = ReadOptions::default().with_max_entities(usize::MAX).with_max_faces(usize::MAX);
    (reading.max_text, reading.max_patch) = (usize::MAX, usize::MAX);
    reading.limits = reading.limits.with_max_input(options.max_bytes).with_max_items(u64::MAX);
    let invalid = |error: ReadError| error.map_kind(|kind| WriteErrorKind::Invalid(Box::new(kind)));
    let document = Document::from_vec_with(text, &reading).map_err(invalid)?;
    Ok(Export { document, losses })
}

/// Converts a scene to entities. The first one is `worldspawn`.
fn build(scene: &Scene, options: &ExportOptions, ids: GroupIds) -> Result<(Vec<Item>, Losses), WriteError> {
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
fn check_size(needed: u64, limit: u64) -> Result<(), WriteError> {
    let excess = mapwright_scene::Excess::Limit { needed, limit };
    if needed > limit { Err(WriteError::without_position(excess.into())) } else { Ok(()) }
}

/// Formats a number with the fewest digits that read back the same, and without negative zero.
fn number(number: f64) -> String {
    crate::format_number(number + 0.0)
}

/// Formats numbers with spaces between them.
fn numbers(all: impl IntoIterator<Item = f64>) -> String {
    all.into_iter().map(number).collect::<Vec<_>>().join(" ")
}
