//! Files to which levels refer: models, images, prefabs and sounds.

use std::path::Path;

use mapwright_content::resolve::{ResolveOptions, resolve};
use mapwright_scene::Scene;

pub use mapwright_content::resolve::{Outcome, Reference, ReferenceKind, ResolveReport};

use crate::{ContentSource, Format, attach_textures};

/// Resolves the references of a level to models, images, prefabs and sounds, and attaches textures to its materials.
///
/// Files are looked for in the folder of `level`, if levels of the format are in the folder of their game, and in the content. Decoded files
/// together take at most `max_bytes`. Formats without models in other files only get textures. Does nothing if there is nowhere to look.
///
/// [`Node::is_resolved`](mapwright_scene::Node::is_resolved) is `true` for the added nodes.
pub fn resolve_references(
    scene: &mut Scene,
    format: Format,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
) -> ResolveReport {
    let mut report = ResolveReport::default();
    let Some(entry) = format.entry() else { return report };
    let mut files = ContentSource::default();
    let mut name = None;
    let mut is_complete = true;
    if let Some(level) = level.filter(|_| entry.has_content_beside)
        && let Some(folder) = level.parent()
        && let Ok(all) = files.add_folder_of_level(folder)
    {
        name = level.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        is_complete = all;
    }
    files.extend(content);
    if files.is_empty() {
        return report;
    }
    let Some(loader) = entry.loader else {
        report.losses = attach_textures(scene, content, max_bytes);
        return report;
    };
    let loader = loader(scene, name.clone());
    let mut options = ResolveOptions::default().with_max_bytes(max_bytes);
    options.level = name;
    report = resolve(scene, &files, &*loader, &options);
    if !is_complete && report.references.iter().any(|reference| reference.outcome == Outcome::Missing) {
        report.losses.approximated("content", "the folder of the level has more files than are searched");
    }
    report
}
