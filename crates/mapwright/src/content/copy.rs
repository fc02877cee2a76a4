//! Copies of levels with the files that they need.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use mapwright_scene::{FileKind, ImageSource};

use super::{Files, Outcome, ResolveReport, list_references, path_text};
use crate::{AnyDocument, ContentFile, ContentSource, Error, External, FilesBeside, Format, SaveOptions, save};

/// A file to copy, and its path below the folder of the copies.
#[derive(Debug)]
pub struct FileToCopy {
    /// The path below the folder, with `/`.
    path: String,
    source: Source,
}

impl FileToCopy {
    /// Takes a file on disk. `path` is its path below the folder. In it, bytes that are not UTF-8 become U+FFFD.
    pub fn on_disk(path: impl AsRef<Path>, file: impl Into<PathBuf>) -> Self {
        Self { path: path_text(path.as_ref()), source: Source::Disk(file.into()) }
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
/// and is put into the folder `below`. Files beside it keep their paths relative to it; if one is outside of its folder, the copies have the
/// names of the folders that contain both. Without `level`, only the other files are listed.
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
        let was_read = in_roots.clone().find(|file| needed.contains(&file.to_path_buf()));
        // Loaders do not log the files that are not part of the scene. Formats without a loader log all.
        was_read.or_else(|| files.find(path).filter(|_| entry.loader.is_some()))
    };
    let found = report.references.iter().filter_map(|it| match &it.outcome {
        Outcome::Found(path) => find(path),
        _ => None,
    });
    // The settings of an image of Source 2 are in a text file beside it.
    let with_settings = found.flat_map(|file| {
        let is_image =
            [".png", ".tga", ".jpg", ".tif", ".bmp"].iter().any(|end| file.path().to_ascii_lowercase().ends_with(end));
        let stem = file.path().rsplit_once('.').map_or("", |(stem, _)| stem);
        let has_settings = is_image && document.format() == Format::Vmap;
        let settings = files.find_in_root(file.root(), &format!("{stem}.txt")).filter(|_| has_settings);
        std::iter::once(file).chain(settings)
    });
    let mut of_content: Vec<_> = level_below.into_iter().chain(with_settings).collect();
    // Files that other files need, such as the material library of an OBJ model, are no references of the level.
    for file in &of_content {
        needed.remove(&file.to_path_buf());
    }
    of_content.extend(files.files().filter(|file| !needed.is_empty() && needed.remove(&file.to_path_buf())));
    let in_content = level.and_then(|level| find_in_content(level, content));
    let below = match in_content.and_then(|file| Some(file.path().rsplit_once('/')?.0)) {
        Some(folder) => Path::new(folder),
        None if in_content.is_some() => Path::new(""),
        None => below,
    };
    let is_level =
        |file: &ContentFile<'_>| level_below.is_some_and(|it| (it.root(), it.path()) == (file.root(), file.path()));
    let mut listed: Vec<FileToCopy> = Vec::new();
    for file in of_content {
        let is_beside = entry.has_content_beside && name.is_some() && file.root() == root;
        let FileToCopy { path, mut source } = FileToCopy::in_content(file, &files);
        if let Some(level) = level.filter(|level| is_level(&file) && level.is_file()) {
            // The named file is copied, also if it is a link out of the folder.
            source = Source::Disk(level.to_owned());
        }
        listed.push(FileToCopy { path: if is_beside { path_text(&below.join(path)) } else { path }, source });
    }
    let mut beside = files_beside(document, level, content);
    beside.extend(needed.into_iter().filter(|path| path.is_file()));
    beside.extend(level.filter(|_| level_below.is_none()).map(Path::to_owned));
    let folder = level.and_then(Path::parent).unwrap_or(Path::new(""));
    let (start, placed) = place_beside(folder, below, beside);
    for file in &mut listed {
        file.path = path_text(&start.join(&file.path));
    }
    listed.extend(placed);
    listed
}

/// Finds a file on disk among the files of the content.
fn find_in_content<'a>(file: &Path, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    let (name, whole) = (file.file_name()?.to_str()?, file.canonicalize().ok()?);
    let is_file = |it: &ContentFile<'_>| it.to_path_buf().canonicalize().is_ok_and(|path| path == whole);
    let has_name = |it: &ContentFile<'_>| it.path().rsplit('/').next().is_some_and(|it| it.eq_ignore_ascii_case(name));
    content.files().filter(has_name).find(is_file)
}

/// Gives files their paths relative to the level, whose folder is put into the folder `below`. If a file is outside of it, all paths start
/// with the names of folders that contain both, which are returned, too.
fn place_beside(folder: &Path, below: &Path, files: Vec<PathBuf>) -> (PathBuf, Vec<FileToCopy>) {
    let Some(folder) = without_parents(folder) else { return Default::default() };
    let placed: Vec<(PathBuf, PathBuf)> = files
        .into_iter()
        .filter_map(|file| Some((join(below, &relative_path(&folder, &without_parents(&file)?)), file)))
        .collect();
    let parents = |path: &Path| path.components().take_while(|part| *part == Component::ParentDir).count();
    let outside = placed.iter().map(|(path, _)| parents(path)).max().unwrap_or(0);
    let root = folder.ancestors().nth(below.components().count()).unwrap_or(&folder);
    let names: Vec<Component<'_>> = root.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    let start: PathBuf = names.get(names.len().saturating_sub(outside)..).unwrap_or_default().iter().collect();
    let copies = placed.into_iter().map(|(path, file)| FileToCopy::on_disk(join(&start, &path), file));
    let copies = copies.collect();
    (start, copies)
}

/// Returns an absolute path without `..`, as the names in it are written.
fn without_parents(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    Some(join(Path::new(""), &std::path::absolute(path).ok()?))
}

/// Appends a path to another one, and resolves `..` where it follows a name.
fn join(folder: &Path, path: &Path) -> PathBuf {
    let mut joined = folder.to_owned();
    for part in path.components() {
        match part {
            Component::ParentDir if joined.file_name().is_some() => drop(joined.pop()),
            Component::CurDir => {}
            part => joined.push(part),
        }
    }
    joined
}

/// Returns the path of a file relative to a folder, which may start with `..`. Both are absolute.
fn relative_path(folder: &Path, file: &Path) -> PathBuf {
    let same = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(same).map(|_| Component::ParentDir);
    up.chain(file.components().skip(same)).collect()
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
    /// Errors of saving, [`Error::Save`] for a link in the folder, and [`Error::ReplacesInput`] for a copy that would replace another one
    /// of these files. Files before it are copied then. [`Error::Exists`] for a file with other bytes that the options do not replace:
    /// nothing is copied then.
    pub fn copy(&mut self, files: &[FileToCopy]) -> Result<Copies, Error> {
        let read: HashSet<PathBuf> = files.iter().filter_map(|file| file.source.path().canonicalize().ok()).collect();
        self.check_existing(files)?;
        let mut copies = Copies::default();
        let (mut known, mut listed) = (HashSet::new(), HashSet::new());
        for FileToCopy { path, source } in files {
            let source_path = source.path();
            if !known.insert((path, source_path.clone())) {
                continue;
            }
            let target = self.folder.join(path);
            if !is_inside(path) {
                copies.failed.push((source_path, Error::Save { path: target, error: leads_out() }));
                continue;
            }
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
                Ok(()) if !listed.insert(target.clone()) => {}
                Ok(()) => copies.paths.push(target),
                Err(error @ Error::CopiedTwice(_)) => copies.failed.push((source_path, error)),
                Err(error) => return Err(error),
            }
        }
        Ok(copies)
    }

    /// Fails before anything is copied if a copy would replace a file with other bytes, and the options forbid that.
    fn check_existing(&self, files: &[FileToCopy]) -> Result<(), Error> {
        for FileToCopy { path, source } in files.iter().filter(|_| !self.options.overwrite) {
            let target = self.folder.join(path);
            let is_copied = self.copied.contains_key(&path.to_lowercase());
            let is_in_place = || source.path().canonicalize().ok() == target.canonicalize().ok();
            let differs = || source.read().is_ok_and(|bytes| !has_bytes(&target, &bytes));
            let is_file = is_inside(path) && fs::symlink_metadata(&target).is_ok_and(|metadata| metadata.is_file());
            if is_file && !is_copied && !is_in_place() && differs() {
                return Err(Error::Exists(target));
            }
        }
        Ok(())
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
            if !has_bytes(&target, bytes) {
                save(&target, bytes, self.options)?;
            }
        }
        self.copied.insert(key, content);
        Ok(())
    }
}

/// Returns `true` for a file with these bytes.
fn has_bytes(file: &Path, bytes: &[u8]) -> bool {
    let has_length = fs::metadata(file).is_ok_and(|metadata| metadata.len() == bytes.len() as u64);
    has_length && fs::read(file).is_ok_and(|old| old == bytes)
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

/// Returns `false` for a path that leads out of a folder.
fn is_inside(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) && !path.contains(':')
}

fn leads_out() -> io::Error {
    io::Error::other("the path leads out of the folder")
}

/// Creates the folders of a path below a folder. Links are rejected, because they could lead out of it, and so are the names `..` and
/// drives, which files in archives can have.
fn create_folders(folder: &Path, path: &str) -> io::Result<()> {
    if !is_inside(path) {
        return Err(leads_out());
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
