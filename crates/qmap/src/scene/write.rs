//! Scene → document: fills an empty document, or changes the one that the scene came from.

mod build;
mod context;
mod entities;
mod faces;
mod groups;
mod header;
mod items;
mod materials;
mod merge;
mod numbers;
mod patches;
mod shapes;
mod style;

use mapwright_scene::{Export, Scene};

use self::build::{build, check_size};
use self::context::GroupIds;
use self::header::choose_style;
use super::ExportOptions;
use crate::{Document, ReadError, ReadOptions, WriteError, WriteErrorKind};

pub(super) use self::merge::merge_scene;

/// Writes a scene as a new document.
pub(super) fn write_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let (items, mut losses) = build(scene, options, GroupIds::default())?;
    let style = choose_style(scene, &items, options, &mut losses);
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
