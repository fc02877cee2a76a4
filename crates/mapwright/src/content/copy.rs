//! Copies of levels with the files that they need.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use mapwright_scene::{FileKind, ImageSource};

use super::{Files, Outcome, ResolveReport, list_references};
use crate::{AnyDocument, ContentFile, ContentSource, Error, External, FilesBeside, SaveOptions, save};

/// Copies the level and the files that a document needs into a folder. Returns the paths of the copies. A copy that exists with the same
/// bytes stays as it is. The report is that of [`list_references`].
///
/// Files of the content keep their paths below their roots, and the level its path if it is below one. The level otherwise keeps its name,
/// and files beside it their paths below its folder. Without `level`, only the other files are copied.
///
/// Each file is saved as [`save`] does. No file is written outside of the folder, also if the folder contains links.
///
/// # Errors
/// Errors of reading and saving, [`Error::Save`] for a link in the folder and for a file whose path leads out of the folder, and
/// [`Error::ReplacesInput`] for a copy that would replace another one of these files. Files before it are copied then.
pub fn copy_references(
    document: &AnyDocument,
    report: &ResolveReport,
    level: Option<&Path>,
    content: &ContentSource,
    folder: &Path,
    options: SaveOptions,
) -> Result<Vec<PathBuf>, Error> {
    let Some(entry) = document.format().entry() else { return Ok(Vec::new()) };
    let Files { files, name, root, .. } = Files::find(entry, level, content);
    let level_below = name.as_deref().and_then(|name| files.find_in_root(root, name));
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
    let mut of_content: Vec<_> = level_below.into_iter().chain(with_settings).collect();
    // Files that other files need, such as the material library of an OBJ model, are no references of the level. A file that is below
    // two roots is copied once.
    let mut needed: HashSet<PathBuf> = report.files.iter().cloned().collect();
    for file in &of_content {
        needed.remove(&file.to_path_buf());
    }
    of_content.extend(files.files().filter(|file| !needed.is_empty() && needed.remove(&file.to_path_buf())));
    let of_content = of_content.into_iter().map(|file| (file.path().to_owned(), Source::Content(file)));
    let mut beside = files_beside(document, level, content);
    if level_below.is_none() {
        beside.extend(level.map(Path::to_owned));
    }
    let level_folder = level.and_then(Path::parent).unwrap_or(Path::new(""));
    let of_disk = beside.into_iter().filter_map(|path| Some((path_below(level_folder, &path)?, Source::Disk(path))));
    let all: Vec<(String, Source<'_>)> = of_content.chain(of_disk).collect();
    let read: HashSet<PathBuf> = all.iter().filter_map(|(_, source)| source.path().canonicalize().ok()).collect();
    let mut copies = Vec::new();
    let mut known = HashSet::new();
    for (path, source) in &all {
        if !known.insert(path) {
            continue;
        }
        let target = folder.join(path);
        let old = target.canonicalize().ok();
        if old.is_some() && old == source.path().canonicalize().ok() {
            copies.push(target);
            continue;
        }
        if old.is_some_and(|old| read.contains(&old)) {
            return Err(Error::ReplacesInput(target));
        }
        let bytes = source.read().map_err(|error| Error::Save { path: source.path(), error })?;
        copies.push(copy_file(folder, path, &bytes, options)?);
    }
    Ok(copies)
}

/// Returns the files to which a document refers, and those that were read for it or for its models. Programs that write files must not
/// replace them. The arguments are those of [`list_references`].
pub fn referenced_files(
    document: &AnyDocument,
    level: Option<&Path>,
    content: &ContentSource,
    max_bytes: usize,
) -> Vec<PathBuf> {
    let mut paths = files_beside(document, level, content);
    if let Some(entry) = document.format().entry() {
        let report = list_references(document, level, content, max_bytes);
        let Files { files, .. } = Files::find(entry, level, content);
        paths.extend(report.references.iter().filter_map(|it| match &it.outcome {
            Outcome::Found(path) => files.find(path).map(|file| file.to_path_buf()),
            _ => None,
        }));
        paths.extend(report.files);
    }
    paths
}

/// The place of a file that is copied.
enum Source<'a> {
    Content(ContentFile<'a>),
    Disk(PathBuf),
}

impl Source<'_> {
    fn path(&self) -> PathBuf {
        match self {
            Self::Content(file) => file.to_path_buf(),
            Self::Disk(path) => path.clone(),
        }
    }

    fn read(&self) -> std::io::Result<Vec<u8>> {
        match self {
            Self::Content(file) => file.read(),
            Self::Disk(path) => fs::read(path),
        }
    }
}

/// Returns the files that were read for a document, and its images in other files.
fn files_beside(document: &AnyDocument, level: Option<&Path>, content: &ContentSource) -> Vec<PathBuf> {
    let mut beside = document.side_files().to_vec();
    let Some(file) = document.as_scene_file() else { return beside };
    let external = if level.is_some() { External::Beside } else { External::None };
    let files = FilesBeside::new(level, external, content.clone(), u64::MAX);
    let images = file.import.scene.images.items().iter().filter_map(|image| match &image.source {
        ImageSource::External { path } => files.find(path, FileKind::Image).ok(),
        _ => None,
    });
    beside.extend(images);
    beside.retain(|path| path.is_file());
    beside
}

/// Returns the path of a file below a folder, or its name if it is elsewhere.
fn path_below(folder: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(folder).ok();
    let below = below.filter(|below| below.components().all(|part| matches!(part, Component::Normal(_))));
    let below = below.or(path.file_name().map(Path::new))?;
    Some(below.to_str()?.replace('\\', "/"))
}

/// Saves a file at a path below a folder, as [`copy_references`] does. Returns its path.
///
/// # Errors
/// Errors of saving, and [`Error::Save`] for a link in the folder.
pub fn copy_file(folder: &Path, path: &str, bytes: &[u8], options: SaveOptions) -> Result<PathBuf, Error> {
    let target = folder.join(path);
    create_folders(folder, path).map_err(|error| Error::Save { path: target.clone(), error })?;
    let is_same = || fs::read(&target).is_ok_and(|old| old == bytes);
    if !is_same() {
        match save(&target, bytes, options) {
            // Another thread may copy the same file for another level.
            Err(Error::Exists { .. }) if is_same() => {}
            result => result?,
        }
    }
    Ok(target)
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
