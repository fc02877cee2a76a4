//! Copies of levels with the files that they need.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::{fs, io};

use mapwright_scene::{FileKind, ImageSource};

use super::{Files, Outcome, ResolveReport, list_references};
use crate::{AnyDocument, ContentFile, ContentSource, Error, External, FilesBeside, SaveOptions, save};

/// A file to copy, and its path below the folder of the copies.
#[derive(Debug)]
pub struct FileToCopy {
    /// The path below the folder, with `/`.
    path: String,
    source: Source,
}

impl FileToCopy {
    /// Takes a file on disk. `path` is its path below the folder, with `/`.
    pub fn on_disk(path: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), source: Source::Disk(file.into()) }
    }

    /// Takes a file of content, which keeps its path below its root.
    pub fn in_content(file: ContentFile<'_>, content: &ContentSource) -> Self {
        let path = file.path().to_owned();
        Self { path: path.clone(), source: Source::Content(content.clone(), file.root(), path) }
    }
}

/// The place of a file that is copied.
#[derive(Debug)]
enum Source {
    /// A file of content, by its root and its path below it.
    Content(ContentSource, usize, String),
    Disk(PathBuf),
}

impl Source {
    fn path(&self) -> PathBuf {
        match self {
            Self::Content(files, root, path) => {
                files.find_in_root(*root, path).map(|file| file.to_path_buf()).unwrap_or_default()
            }
            Self::Disk(path) => path.clone(),
        }
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Content(files, root, path) => files.find_in_root(*root, path).ok_or(io::ErrorKind::NotFound)?.read(),
            Self::Disk(path) => fs::read(path),
        }
    }
}

/// Lists the level and the files that a document needs, as [`CopyFolder::copy`] copies them. `report` is the result of
/// [`list_references`].
///
/// Files of the content keep their paths below their roots, and the level its path if it is below one. The level otherwise keeps its name,
/// and files beside it their paths below its folder; both are put into the folder `below`. Without `level`, only the other files are listed.
pub fn list_files_to_copy(
    document: &AnyDocument,
    report: &ResolveReport,
    level: Option<&Path>,
    content: &ContentSource,
    below: &Path,
) -> Vec<FileToCopy> {
    let Some(entry) = document.format().entry() else { return Vec::new() };
    let Files { files, name, root, .. } = Files::find(entry, level, content);
    let level_below = name.as_deref().and_then(|name| files.find_in_root(root, name));
    let mut needed: HashSet<PathBuf> = report.files.iter().cloned().collect();
    // Files of several roots may have the same path. The one that was read is the right one.
    let find = |path: &str| {
        let in_roots = (0..files.root_count()).filter_map(|root| files.find_in_root(root, path));
        in_roots.clone().find(|file| needed.contains(&file.to_path_buf())).or_else(|| files.find(path))
    };
    let found = report.references.iter().filter_map(|it| match &it.outcome {
        Outcome::Found(path) => find(path),
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
    // Files that other files need, such as the material library of an OBJ model, are no references of the level.
    for file in &of_content {
        needed.remove(&file.to_path_buf());
    }
    of_content.extend(files.files().filter(|file| !needed.is_empty() && needed.remove(&file.to_path_buf())));
    let below = below.to_str().map(|below| below.replace(MAIN_SEPARATOR, "/")).filter(|below| !below.is_empty());
    let put_below = |path: String| below.as_ref().map_or_else(|| path.clone(), |below| format!("{below}/{path}"));
    let of_content = of_content.into_iter().map(|file| {
        let is_beside = entry.has_content_beside && name.is_some() && file.root() == root;
        let FileToCopy { path, source } = FileToCopy::in_content(file, &files);
        FileToCopy { path: if is_beside { put_below(path) } else { path }, source }
    });
    let mut beside = files_beside(document, level, content);
    if level_below.is_none() {
        beside.extend(level.map(Path::to_owned));
    }
    let level_folder = level.and_then(Path::parent).unwrap_or(Path::new(""));
    let of_disk = beside
        .into_iter()
        .filter_map(|path| Some(FileToCopy::on_disk(put_below(path_below(level_folder, &path)?), path)));
    of_content.chain(of_disk).collect()
}

/// A folder for copies of levels and of the files that they need.
///
/// Each file is saved as [`save`] does. A copy that exists with the same bytes stays as it is. No file is written outside of the folder,
/// also if the folder contains links.
#[derive(Debug)]
pub struct CopyFolder {
    folder: PathBuf,
    options: SaveOptions,
    /// The length and hash of the bytes of each copy, by its path in lower case, because some file systems do not distinguish case.
    copied: HashMap<String, (usize, u64)>,
}

/// The result of [`CopyFolder::copy`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Copies {
    /// The paths of the copies.
    pub paths: Vec<PathBuf>,
    /// The files that were not copied: those that cannot be read, such as links out of their content folder, and those whose path is that
    /// of another copy ([`Error::CopiedTwice`]).
    pub failed: Vec<(PathBuf, Error)>,
}

impl CopyFolder {
    /// Names the folder. It is created with the first copy.
    pub fn new(folder: impl Into<PathBuf>, options: SaveOptions) -> Self {
        Self { folder: folder.into(), options, copied: HashMap::new() }
    }

    /// Copies files. Two of them may only have the same path if they have the same bytes, also in several calls.
    ///
    /// # Errors
    /// Errors of saving, [`Error::Save`] for a link in the folder and for a file whose path leads out of the folder, and
    /// [`Error::ReplacesInput`] for a copy that would replace another one of these files. Files before it are copied then.
    pub fn copy(&mut self, files: &[FileToCopy]) -> Result<Copies, Error> {
        let read: HashSet<PathBuf> = files.iter().filter_map(|file| file.source.path().canonicalize().ok()).collect();
        let mut copies = Copies::default();
        let mut known = HashSet::new();
        for FileToCopy { path, source } in files {
            let source_path = source.path();
            if !known.insert((path, source_path.clone())) {
                continue;
            }
            let target = self.folder.join(path);
            let old = target.canonicalize().ok();
            let is_in_place = old.is_some() && old == source_path.canonicalize().ok();
            if !is_in_place && old.is_some_and(|old| read.contains(&old)) {
                return Err(Error::ReplacesInput(target));
            }
            let bytes = match source.read() {
                Ok(bytes) => bytes,
                Err(error) => {
                    copies.failed.push((source_path, error.into()));
                    continue;
                }
            };
            match self.copy_file(path, &bytes, is_in_place) {
                Ok(()) if copies.paths.contains(&target) => {}
                Ok(()) => copies.paths.push(target),
                Err(error @ Error::CopiedTwice(_)) => copies.failed.push((source_path, error)),
                Err(error) => return Err(error),
            }
        }
        Ok(copies)
    }

    /// Saves a file at a path below the folder, unless it is there already.
    fn copy_file(&mut self, path: &str, bytes: &[u8], is_in_place: bool) -> Result<(), Error> {
        let target = self.folder.join(path);
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let content = (bytes.len(), hasher.finish());
        let key = path.to_lowercase();
        if let Some(first) = self.copied.get(&key) {
            return if *first == content { Ok(()) } else { Err(Error::CopiedTwice(target)) };
        }
        if !is_in_place {
            create_folders(&self.folder, path).map_err(|error| Error::Save { path: target.clone(), error })?;
            let has_same_length = fs::metadata(&target).is_ok_and(|old| old.len() == bytes.len() as u64);
            if !(has_same_length && fs::read(&target).is_ok_and(|old| old == bytes)) {
                save(&target, bytes, self.options)?;
            }
        }
        self.copied.insert(key, content);
        Ok(())
    }
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
    Some(below.to_str()?.replace(MAIN_SEPARATOR, "/"))
}

/// Creates the folders of a path below a folder. Links are rejected, because they could lead out of it, and so are the names `..` and
/// drives, which files in archives can have.
fn create_folders(folder: &Path, path: &str) -> io::Result<()> {
    let is_name = |part: Component<'_>| matches!(part, Component::Normal(_));
    if !Path::new(path).components().all(is_name) || path.contains(':') {
        return Err(io::Error::other("the path leads out of the folder"));
    }
    fs::create_dir_all(folder)?;
    let mut at = folder.to_owned();
    let mut names = Path::new(path).components().peekable();
    while let Some(name) = names.next() {
        at.push(name);
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => return Err(io::Error::other("the folder contains a link")),
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
