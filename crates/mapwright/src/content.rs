//! Files to which levels refer: models, images, prefabs and sounds.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use mapwright_content::resolve::{ResolveOptions, resolve};
use mapwright_io::{Finding, Frame, Severity};
use mapwright_scene::Scene;

pub use mapwright_content::attach_textures;
pub use mapwright_content::resolve::{Outcome, Reference, ReferenceKind, ResolveReport};

use crate::formats::FormatEntry;
use crate::{AnyDocument, ContentSource, Error, Format, SaveOptions, save};

/// Maximum depth of prefabs in prefabs.
const PREFAB_DEPTH: usize = 32;

/// The files to which a level may refer.
struct Files {
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
        let mut found = Self { files: ContentSource::default(), name: None, root: 0, is_complete: true };
        let text = |path: &Path| path.to_str().map(|path| path.replace('\\', "/"));
        if let Some(level) = level.filter(|_| entry.has_content_beside)
            && let Some(folder) = level.parent()
            && let Ok(all) = found.files.add_folder_of_level(folder)
        {
            found.name = level.file_name().and_then(|name| text(Path::new(name)));
            found.is_complete = all;
        }
        found.files.extend(content);
        let Some((level, roots)) = level.zip(entry.content_roots) else { return found };
        for root in roots(level) {
            let index = found.files.root_count();
            let Ok(all) = found.files.add_folder_of_level(&root) else { continue };
            found.is_complete &= all;
            let path = level.canonicalize().ok().and_then(|level| text(level.strip_prefix(&root).ok()?));
            if found.name.is_none() && path.is_some() {
                (found.name, found.root) = (path, index);
            }
        }
        found
    }
}

/// Resolves the references of a level to models, images, prefabs and sounds, and attaches textures to its materials.
///
/// Files are looked for in the folder of `level`, if levels of the format are in the folder of their game, and in the content. Those of
/// Source 2 maps are looked for in the content, and then in the [`content_roots`](crate::content_roots) of `level`. Decoded files
/// together take at most `max_bytes`. Formats without models in other files only get textures. Does nothing without a folder to search.
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
    let Files { files, name, root, is_complete } = Files::find(entry, level, content);
    if files.is_empty() {
        return report;
    }
    let Some(loader) = entry.loader else {
        report.losses = attach_textures(scene, content, max_bytes);
        return report;
    };
    let loader = loader(scene, name.clone());
    let mut options = ResolveOptions::default().with_max_bytes(max_bytes).with_level_root(root);
    options.level = name;
    if entry.content_roots.is_some() {
        options.max_depth = PREFAB_DEPTH;
    }
    report = resolve(scene, &files, &*loader, &options);
    if !is_complete && report.references.iter().any(|reference| reference.outcome == Outcome::Missing) {
        report.losses.approximated("content", "the folder of the level has more files than are searched");
    }
    report
}

/// Lists the files to which a document refers, each path once, and finds and decodes them as [`resolve_references`] does. For Source 2
/// maps, also lists files that no scene contains, such as particles and the files of game objects.
pub fn list_references(
    document: &AnyDocument,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
) -> ResolveReport {
    let format = document.format();
    // Other formats name no files that are listed, so that nothing is decoded for them.
    if format.entry().is_none_or(|entry| entry.loader.is_none()) {
        return ResolveReport::default();
    }
    // Documents that cannot be converted refer to no files that are known.
    let Ok(import) = document.clone().into_scene() else {
        return ResolveReport::default();
    };
    let mut scene = import.scene;
    let report = resolve_references(&mut scene, format, level, content, max_bytes);
    #[cfg(feature = "vmap")]
    let report = match (document.as_vmap(), format.entry()) {
        (Some(map), Some(entry)) => add_map_assets(report, map, &Files::find(entry, level, content).files, max_bytes),
        _ => report,
    };
    report
}

/// Adds the files that a Source 2 map needs and that its scene does not contain.
#[cfg(feature = "vmap")]
fn add_map_assets(
    mut report: ResolveReport,
    map: &crate::vmap::Document,
    files: &ContentSource,
    max_bytes: usize,
) -> ResolveReport {
    let key = |path: &str| path.replace('\\', "/").to_ascii_lowercase();
    let known: HashSet<String> = report.references.iter().map(|it| key(&it.path)).collect();
    for asset in mapwright_content::resolve::list_map_assets(map, files, max_bytes) {
        if !known.contains(&key(&asset.path)) {
            let outcome = asset.file.map_or(Outcome::Missing, |(_, path)| Outcome::Found(path));
            report.add_uses(asset.kind, &asset.path, outcome, asset.uses as u64);
        }
    }
    report
}

/// Returns a finding for each file to which a document refers that is missing (`file-missing`) or cannot be decoded
/// (`file-undecodable`).
pub fn find_missing_files(
    document: &AnyDocument,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
) -> Vec<Finding> {
    let report = list_references(document, level, content, max_bytes);
    let finding = |reference: &Reference| {
        let Reference { kind, path, uses, outcome, .. } = reference;
        let (code, text) = match outcome {
            Outcome::Missing => ("file-missing", "no such file"),
            Outcome::Undecodable(reason) => ("file-undecodable", &**reason),
            _ => return None,
        };
        let message = format!("{} {path:?}: {text}; uses: {uses}", kind.name());
        let place = mapwright_io::Path::from_iter([Frame::Name(path.clone())]);
        Some(Finding::new(code, Severity::Warning, message).with_path(place))
    };
    report.references.iter().filter_map(finding).collect()
}

/// Copies the files that a document needs into a folder, at their paths below their roots, and the level itself if it is below a root.
/// Returns the paths of the copies. A copy that exists with the same bytes stays as it is.
///
/// Each file is saved as [`save`] does. No file is written outside of the folder, also if the folder contains links.
///
/// # Errors
/// Errors of reading and saving, and [`Error::Save`] for a link in the folder and for a file of an archive whose path leads out of the
/// folder. Files before it are copied then.
pub fn copy_references(
    document: &AnyDocument,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
    folder: &Path,
    options: SaveOptions,
) -> Result<Vec<PathBuf>, Error> {
    let report = list_references(document, level, content, max_bytes);
    let Some(entry) = document.format().entry() else { return Ok(Vec::new()) };
    let Files { files, name, root, .. } = Files::find(entry, level, content);
    let level = name.as_deref().and_then(|name| files.find_in_root(root, name));
    let found = report.references.iter().filter_map(|it| match &it.outcome {
        Outcome::Found(path) => files.find(path),
        _ => None,
    });
    // The settings of an image are in a text file beside it.
    let with_settings = found.flat_map(|file| {
        let is_image =
            [".png", ".tga", ".jpg", ".tif", ".bmp"].iter().any(|end| file.path().to_ascii_lowercase().ends_with(end));
        let stem = file.path().rsplit_once('.').map_or("", |(stem, _)| stem);
        let settings = files.find_in_root(file.root(), &format!("{stem}.txt")).filter(|_| is_image);
        std::iter::once(file).chain(settings)
    });
    let mut copies = Vec::new();
    let mut known = HashSet::new();
    for file in level.into_iter().chain(with_settings) {
        if known.insert(file.path()) {
            let target = folder.join(file.path());
            let failed = |error| Error::Save { path: target.clone(), error };
            let bytes = file.read().map_err(|error| Error::Save { path: file.to_path_buf(), error })?;
            create_folders(folder, file.path()).map_err(failed)?;
            let is_same = || fs::read(&target).is_ok_and(|old| old == bytes);
            if !is_same() {
                match save(&target, &bytes, options) {
                    // Another thread may copy the same file for another level.
                    Err(Error::Exists { .. }) if is_same() => {}
                    result => result?,
                }
            }
            copies.push(target);
        }
    }
    Ok(copies)
}

/// Creates the folders of a path below a folder. Links are rejected, because they could lead out of it, and so are the names `..` and
/// drives, which files in archives can have.
fn create_folders(folder: &Path, path: &str) -> std::io::Result<()> {
    let is_name = |part: Component<'_>| matches!(part, Component::Normal(_));
    if !Path::new(path).components().all(is_name) || path.contains(':') {
        return Err(std::io::Error::other("the path leads out of the folder"));
    }
    fs::create_dir_all(folder)?;
    let mut at = folder.to_owned();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        at.push(name);
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => return Err(std::io::Error::other("the folder contains a link")),
            Ok(_) => {}
            Err(_) if names.peek().is_some() => fs::create_dir(&at)?,
            Err(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_only_created_below_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("copies");
        for path in ["../other/a.mdl", "a/../../other/a.mdl", "/other/a.mdl", "c:/other/a.mdl"] {
            let error = create_folders(&folder, path).unwrap_err();
            assert_eq!(error.to_string(), "the path leads out of the folder", "{path}");
        }
        create_folders(&folder, "a/b/c.mdl").unwrap();
        assert!(folder.join("a/b").is_dir() && !folder.join("a/b/c.mdl").exists());
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
    }
}
