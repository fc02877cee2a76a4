//! Files to which levels refer: models, images, prefabs and sounds.
//!
//! Files are only looked for beside a level if the build has the feature `fs`. Otherwise its path is ignored.

#[cfg(feature = "fs")]
mod copy;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use mapwright_content::resolve::{Loader, ResolveOptions, resolve, resolve_textures};
use mapwright_io::{Finding, Frame, Severity, format_count};
use mapwright_scene::{FileError, ImageSource, Losses, Scene};

#[cfg(feature = "fs")]
pub use copy::{Copies, CopyFolder, FileToCopy, list_files_to_copy, referenced_files};
pub use mapwright_content::attach_textures;
pub use mapwright_content::resolve::{Outcome, Reference, ReferenceKind, ResolveReport};

use crate::formats::FormatEntry;
use crate::{AnyDocument, ContentSource, ConvertOptions, Format};

/// Maximum depth of prefabs in prefabs.
const PREFAB_DEPTH: usize = 32;

/// The files to which a level may refer.
#[derive(Default)]
pub(crate) struct Files {
    files: ContentSource,
    /// The path of the level below its root.
    name: Option<String>,
    /// The index of the root with the level.
    root: usize,
    /// `false` if a folder has more files than are searched.
    is_complete: bool,
}

impl Files {
    fn find(entry: &FormatEntry, level: Option<&Path>, content: &ContentSource) -> Self {
        let mut found = Self { files: content.without_roots(), name: None, root: 0, is_complete: true };
        #[cfg(feature = "fs")]
        found.add_folder_of_level(entry, level);
        found.files.extend(content);
        #[cfg(feature = "fs")]
        found.add_content_roots(entry, level);
        #[cfg(not(feature = "fs"))]
        let _ = (entry, level);
        found
    }

    /// Adds the folder of a level, if levels of the format are in the folder of their game.
    #[cfg(feature = "fs")]
    fn add_folder_of_level(&mut self, entry: &FormatEntry, level: Option<&Path>) {
        if let Some(level) = level.filter(|_| entry.has_content_beside)
            && let Some(folder) = level.parent()
            && let Ok(all) = self.files.add_folder_of_level(folder)
        {
            self.name = level.file_name().map(|name| path_text(Path::new(name)));
            self.is_complete = all;
        }
    }

    /// Adds the folders to which paths in a level are relative, if the format has such paths.
    #[cfg(feature = "fs")]
    fn add_content_roots(&mut self, entry: &FormatEntry, level: Option<&Path>) {
        let Some((level, roots)) = level.zip(entry.content_roots) else { return };
        for root in roots(level) {
            let index = self.files.root_count();
            let Ok(all) = self.files.add_folder_of_level(&root) else { continue };
            self.is_complete &= all;
            let path = level.canonicalize().ok().and_then(|level| Some(path_text(level.strip_prefix(&root).ok()?)));
            if self.name.is_none() && path.is_some() {
                (self.name, self.root) = (path, index);
            }
        }
    }
}

/// Returns a path with `/` between its names. Bytes that are not UTF-8 become U+FFFD.
#[cfg(feature = "fs")]
fn path_text(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// Resolves the references of a level to models, images, prefabs and sounds, and attaches textures to its materials.
///
/// Files are looked for in the folder of `level`, if levels of the format are in the folder of their game, and in the content. Those of
/// Source 2 maps are looked for in the content, and then in the [`content_roots`](crate::content_roots) of `level`. Decoded files
/// together take at most `max_bytes`. Formats without models in other files only get textures.
///
/// Without content, no files are read if `level` is `None`. If files would have been looked for beside the level, their number is reported
/// as a loss.
///
/// [`Node::is_resolved`](mapwright_scene::Node::is_resolved) is `true` for the added nodes.
pub fn resolve_references(
    scene: &mut Scene,
    format: Format,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
) -> ResolveReport {
    let options = ConvertOptions::default().with_content(content.clone()).with_max_pixel_bytes(max_bytes);
    resolve_with(scene, format, &options.with_level_path(level), false).0
}

/// Resolves references as [`resolve_references`] does, or only those to prefabs, with the options of a conversion. Also returns the files
/// that were searched.
pub(crate) fn resolve_with(
    scene: &mut Scene,
    format: Format,
    options: &ConvertOptions,
    only_prefabs: bool,
) -> (ResolveReport, Files) {
    let Some(entry) = format.entry() else { return Default::default() };
    let (level, content) = (options.level_path(), &options.content);
    let files = Files::find(entry, level, content);
    let is_disabled = level.is_none() && (entry.has_content_beside || entry.content_roots.is_some());
    // A map of Source 2 in no folder of an addon refers to files, too, which are reported.
    if files.files.is_empty() && !is_disabled && entry.content_roots.is_none() {
        return (ResolveReport::default(), files);
    }
    let report = match entry.loader {
        Some(loader) => {
            let loader = loader(scene, files.name.clone(), options);
            resolve_in(scene, entry, &files, &*loader, options, only_prefabs)
        }
        None if only_prefabs => ResolveReport::default(),
        None => {
            let mut report = resolve_textures(scene, content, options.max_pixel_bytes);
            // Materials of other formats can do without a texture.
            if format != Format::Map {
                report.references.clear();
            }
            report
        }
    };
    (report, files)
}

fn resolve_in(
    scene: &mut Scene,
    entry: &FormatEntry,
    files: &Files,
    loader: &dyn Loader,
    options: &ConvertOptions,
    only_prefabs: bool,
) -> ResolveReport {
    let Files { files, name, root, is_complete } = files;
    let mut limits = ResolveOptions::default().with_max_bytes(options.max_pixel_bytes).with_level_root(*root);
    limits.only_prefabs = only_prefabs;
    limits.level.clone_from(name);
    if entry.content_roots.is_some() {
        limits.max_depth = PREFAB_DEPTH;
    }
    let mut report = resolve(scene, files, loader, &limits);
    if files.is_empty() {
        let count = report.references.iter().filter(|reference| reference.kind != ReferenceKind::Sound).count();
        report.losses = Losses::new();
        if count > 0 {
            let reason = match options.level_path() {
                None => FileError::Disabled.to_string(),
                Some(_) => "their folder is unknown, because the level is below no folder `maps`".to_owned(),
            };
            let text = format!("{} that the level refers to: {reason}", format_count(count, "file"));
            report.losses.dropped("content", text);
        }
        return report;
    }
    if !is_complete && report.references.iter().any(|reference| reference.outcome == Outcome::Missing) {
        report.losses.approximated("content", "the folder of the level has more files than are searched");
    }
    report
}

/// Lists the files to which a document refers, each path once, and finds and decodes them as [`resolve_references`] does. For Source 2
/// maps, also lists files that no scene contains, such as particles and the files of game objects. For levels of Claw and Gruntz, lists
/// images, animations, sounds and the palette. For levels of Gamestudio, also lists the script, and the file of the palette if it exists.
/// For files of Tiled, lists tilesets, templates, maps and images, with paths relative to the document; they are looked for as the options
/// with which the document was read state.
pub fn list_references(
    document: &AnyDocument,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
) -> ResolveReport {
    let format = document.format();
    if let Some(report) = document.list_files(content) {
        return report;
    }
    // Other formats name no files that are listed, so that nothing is decoded for them. Textures of Quake maps are only in content.
    let lists_textures = format == Format::Map && !content.is_empty();
    if format.entry().is_none_or(|entry| entry.loader.is_none()) && !lists_textures {
        return ResolveReport::default();
    }
    // Documents that cannot be converted refer to no files that are known.
    let Ok(import) = document.clone().into_scene() else {
        return ResolveReport::default();
    };
    let mut scene = import.scene;
    let options = ConvertOptions::default().with_content(content.clone()).with_max_pixel_bytes(max_bytes);
    let options = options.with_level_path(level);
    let (mut report, files) = resolve_with(&mut scene, format, &options, false);
    document.list_other_files(&files.files, max_bytes, &mut report);
    report
}

/// Returns the files that an image of a scene lacks: the references whose file is missing or cannot be decoded, and images in other files
/// that were not read. Sounds are left out. The most used is the first.
pub fn list_missing_files(scene: &Scene, references: &[Reference]) -> Vec<Reference> {
    let mut report = ResolveReport::default();
    let is_shown = |it: &&Reference| it.kind != ReferenceKind::Sound && !matches!(it.outcome, Outcome::Found(_));
    for Reference { kind, path, uses, outcome, .. } in references.iter().filter(is_shown) {
        report.add_uses(*kind, path, outcome.clone(), *uses);
    }
    let known: HashSet<&str> =
        references.iter().filter(|it| it.kind == ReferenceKind::Image).map(|it| &*it.path).collect();
    let textures = scene.materials.items().iter().flat_map(|material| &material.textures);
    for texture in textures {
        if let Some(ImageSource::External { path }) = scene.images.get(texture.image).map(|image| &image.source)
            && !known.contains(&**path)
        {
            report.add(ReferenceKind::Image, path, Outcome::Missing);
        }
    }
    let mut missing = report.references;
    missing.sort_by(|a, b| (b.uses, a.kind, &a.path).cmp(&(a.uses, b.kind, &b.path)));
    missing
}

/// Returns the lines of a legend of [missing files](list_missing_files): a heading with the number of files of each kind, and a line for
/// each file. Returns no lines for no files.
pub fn missing_files_legend(missing: &[Reference]) -> Vec<String> {
    let of_kind = |kind| missing.iter().filter(|it| it.kind == kind).count();
    let count = |kind: ReferenceKind| {
        let noun = match kind {
            ReferenceKind::Other => "other file",
            ReferenceKind::Particles => "particle system",
            kind => kind.name(),
        };
        format_count(of_kind(kind), noun)
    };
    let kinds: BTreeSet<ReferenceKind> = missing.iter().map(|it| it.kind).collect();
    let counts: Vec<String> = kinds.into_iter().map(count).collect();
    let heading = (!missing.is_empty()).then(|| format!("Missing: {}", counts.join(", ")));
    let line = |Reference { kind, path, uses, outcome, .. }: &Reference| {
        let kind = if *kind == ReferenceKind::Other { "file" } else { kind.name() };
        let state = if matches!(outcome, Outcome::Undecodable(_)) { " (not readable)" } else { "" };
        let uses = if *uses > 1 { format!(" × {uses}") } else { String::new() };
        format!("{kind} {path}{uses}{state}")
    };
    heading.into_iter().chain(missing.iter().map(line)).collect()
}

/// Returns a finding for each file to which a document refers that is missing (`model-missing`, `image-missing` and so on) or cannot be
/// decoded (`model-damaged`, `image-damaged` and so on). [`AnyDocument::validate_with`] finds those of levels of Claw and Gruntz and of Tiled.
pub fn find_missing_files(
    document: &AnyDocument,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
) -> Vec<Finding> {
    // The findings of these formats are those of `validate_with`.
    if matches!(document.format(), Format::Wwd | Format::Tmx | Format::Tmj) {
        return Vec::new();
    }
    let report = list_references(document, level, content, max_bytes);
    let finding = |reference: &Reference| {
        let Reference { kind, path, outcome, .. } = reference;
        let (code, severity, text) = match outcome {
            Outcome::Missing => (finding_codes(*kind).0, Severity::Warning, kind.missing_text().to_owned()),
            Outcome::Undecodable(reason) => (finding_codes(*kind).1, Severity::Warning, reason.clone()),
            Outcome::Found(file) if document.format() == Format::Vmap && is_replacement(*kind, path, file) => {
                ("file-replaced", Severity::Note, format!("no such file, {file:?} is used instead"))
            }
            _ => return None,
        };
        let message = reference.describe(&text);
        let place = mapwright_io::Path::from_iter([Frame::Name(path.clone())]);
        Some(Finding::new(code, severity, message).with_path(place))
    };
    report.references.iter().filter_map(finding).collect()
}

/// Returns `true` if a model or a material of Source 2 was found as a file of another kind. Images and sounds are often made from files of
/// other kinds.
fn is_replacement(kind: ReferenceKind, path: &str, file: &str) -> bool {
    let extension = |path: &str| Path::new(path).extension().map(std::ffi::OsStr::to_ascii_lowercase);
    matches!(kind, ReferenceKind::Model | ReferenceKind::Material)
        && extension(path).is_some_and(|wanted| extension(file).is_some_and(|found| found != wanted))
}

/// Returns the codes of the findings about a missing and a damaged file.
const fn finding_codes(kind: ReferenceKind) -> (&'static str, &'static str) {
    match kind {
        ReferenceKind::Model => ("model-missing", "model-damaged"),
        ReferenceKind::Material => ("material-missing", "material-damaged"),
        ReferenceKind::Image => ("image-missing", "image-damaged"),
        ReferenceKind::ImageSet => ("image-set-missing", "image-set-damaged"),
        ReferenceKind::Prefab => ("prefab-missing", "prefab-damaged"),
        ReferenceKind::Sound => ("sound-missing", "sound-damaged"),
        ReferenceKind::Particles => ("particles-missing", "particles-damaged"),
        _ => ("file-missing", "file-damaged"),
    }
}
