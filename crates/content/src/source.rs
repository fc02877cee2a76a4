//! Folders, archives and files in memory that the user names.

use std::collections::{BTreeMap, HashMap};
#[cfg(feature = "fs")]
use std::fs::{self, File};
use std::io;
#[cfg(feature = "fs")]
use std::io::Read;
#[cfg(feature = "fs")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "fs")]
use mapwright_io::Confidence;
use mapwright_rez::{Damage, Document as Archive, File as ArchivedFile, ReadError, ReadErrorKind};

#[cfg(feature = "fs")]
use crate::folder::{Links, files_below, read, search_below};

/// Folders and archives (REZ) with the files of a game, in the order in which they are searched. A root can also be in memory.
///
/// The names of all files are read when a root is added. A file in a folder is read only if it is needed; an archive is read into memory.
/// Clones share the names, the archives and the files in memory.
///
/// Paths are relative to a root, with `/` or `\` between names. Case does not matter. If names in one folder differ only in case, the
/// exact name takes precedence, then the first by bytes. Names in archives that are no valid file names on all systems, such as `..`, are
/// changed as by [`safe_name`](mapwright_rez::safe_name): bytes become `%` and two hexadecimal digits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContentSource {
    roots: Vec<Arc<Root>>,
    /// The links that are followed in folders that are added.
    #[cfg(feature = "fs")]
    links: Links,
}

#[derive(Debug, PartialEq)]
struct Root {
    path: PathBuf,
    /// Paths below the root, with `/`, sorted.
    files: Vec<String>,
    /// Files of an archive whose path an earlier file has, with their paths.
    repeated: Vec<(String, ArchivedFile)>,
    storage: Storage,
    /// Index of the first file of each path in lower case.
    by_path: HashMap<String, usize>,
    /// Index of the file with the fewest folders in its path, for each name in lower case.
    by_name: HashMap<String, usize>,
}

/// The bytes of the files of a root, in the order of their paths.
#[derive(Debug, PartialEq)]
enum Storage {
    /// Files in a folder, and the links that are followed.
    #[cfg(feature = "fs")]
    Folder(Links),
    Archive(Vec<ArchivedFile>),
    Memory(Vec<Vec<u8>>),
}

/// A file of a [`ContentSource`].
#[derive(Debug, Clone, Copy)]
pub struct ContentFile<'a> {
    source: &'a ContentSource,
    root: usize,
    path: &'a str,
}

impl ContentSource {
    /// Opens folders and archives.
    ///
    /// # Errors
    /// As [`add`](Self::add), for the first one that fails.
    #[cfg(feature = "fs")]
    pub fn open<P: AsRef<Path>>(roots: impl IntoIterator<Item = P>) -> io::Result<Self> {
        let mut source = Self::default();
        roots.into_iter().try_for_each(|root| source.add(root.as_ref()))?;
        Ok(source)
    }

    /// Follows links to folders, and links out of a folder, in all folders that are added later, also in those of levels. Only for folders
    /// that you trust. Each folder is searched once as the target of a link.
    #[cfg(feature = "fs")]
    #[must_use]
    pub fn with_links(mut self) -> Self {
        self.links = Links::All;
        self
    }

    /// Returns a source without roots that follows the same links.
    #[must_use]
    pub fn without_roots(&self) -> Self {
        let mut source = self.clone();
        source.roots.clear();
        source
    }

    /// Adds a folder, an archive, or a folder in an archive, which is searched after the existing roots. Links to folders and links out of
    /// the folder are only followed by a source [`with_links`](Self::with_links).
    ///
    /// # Errors
    /// If it is neither a folder nor a REZ archive, contains no files, is a folder with more than 2²⁰ files and folders, or is an archive
    /// of more than 2 GiB or with a damaged directory, whose files would be missing.
    #[cfg(feature = "fs")]
    pub fn add(&mut self, path: &Path) -> io::Result<()> {
        match split_archive(path)? {
            None if path.is_file() => {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is neither a folder nor a REZ archive"));
            }
            None => {
                let links = self.links;
                let files: Vec<String> = files_below(path, links)?.into_iter().collect();
                if files.is_empty() {
                    return Err(no_files());
                }
                self.push(path.to_owned(), files, Vec::new(), Storage::Folder(links));
            }
            Some((archive, folder)) => self.push_archive(path.to_owned(), &open_archive(archive)?, &folder)?,
        }
        Ok(())
    }

    /// Adds an archive in memory, which is searched after the existing roots. `path` is the path of the archive in reports.
    ///
    /// # Errors
    /// If it is no REZ archive, contains no files, or has a damaged directory, whose files would be missing.
    pub fn add_archive(&mut self, path: impl Into<PathBuf>, bytes: Vec<u8>) -> io::Result<()> {
        self.push_archive(path.into(), &read_archive(bytes)?, "")
    }

    /// Adds files in memory, such as those that a user drops on a page, which are searched after the existing roots. Each file has its path
    /// below `path`. If several files have the same path, the last takes precedence.
    pub fn add_files(&mut self, path: impl Into<PathBuf>, files: impl IntoIterator<Item = (String, Vec<u8>)>) {
        let files: BTreeMap<String, Vec<u8>> = files
            .into_iter()
            .map(|(path, bytes)| (normalize(&path), bytes))
            .filter(|(path, _)| !path.is_empty())
            .collect();
        let (paths, bytes) = files.into_iter().unzip();
        self.push(path.into(), paths, Vec::new(), Storage::Memory(bytes));
    }

    /// Adds the files in a folder of an archive.
    fn push_archive(&mut self, path: PathBuf, archive: &Archive, folder: &str) -> io::Result<()> {
        let (files, repeated) = files_in_archive(archive, folder);
        if files.is_empty() {
            return Err(no_files());
        }
        let (paths, archived): (Vec<String>, Vec<ArchivedFile>) = files.into_iter().unzip();
        self.push(path, paths, repeated, Storage::Archive(archived));
        Ok(())
    }

    /// Adds the folder of a level, with the nearest of its files: at most 20,000 files and folders, at most 8 folders deep. It is searched
    /// after the existing roots. Links are followed as by [`add`](Self::add). Returns `false` if the folder contains more.
    ///
    /// # Errors
    /// If the folder cannot be read.
    #[cfg(feature = "fs")]
    pub fn add_folder_of_level(&mut self, path: &Path) -> io::Result<bool> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let links = self.links;
        let (files, is_complete) = search_below(path, MAX_BESIDE, MAX_BESIDE_DEPTH, links)?;
        self.push(path.to_owned(), files.into_iter().collect(), Vec::new(), Storage::Folder(links));
        Ok(is_complete)
    }

    fn push(&mut self, path: PathBuf, files: Vec<String>, repeated: Vec<(String, ArchivedFile)>, storage: Storage) {
        let (mut by_path, mut by_name) = (HashMap::with_capacity(files.len()), HashMap::new());
        let depth = |file: &str| file.matches('/').count();
        for (index, file) in files.iter().enumerate() {
            let key = file.to_ascii_lowercase();
            let name = key.rsplit('/').next().unwrap_or_default().to_owned();
            let nearest = by_name.entry(name).or_insert(index);
            if files.get(*nearest).is_some_and(|nearest| depth(file) < depth(nearest)) {
                *nearest = index;
            }
            by_path.entry(key).or_insert(index);
        }
        self.roots.push(Arc::new(Root { path, files, repeated, storage, by_path, by_name }));
    }

    /// Opens the archive that a path leads into, and returns the path in it: `LEVEL1/WORLDS/WORLD.WWD` for
    /// `CLAW.REZ/LEVEL1/WORLDS/WORLD.WWD`. Returns `None` if the path exists on disk, or if no part of it is an archive.
    ///
    /// # Errors
    /// As [`add`](Self::add), and if `..` leads out of the archive.
    #[cfg(feature = "fs")]
    pub fn open_archive_in(path: &Path) -> io::Result<Option<(Self, String)>> {
        if path.exists() {
            return Ok(None);
        }
        split_archive(path)?.map(|(archive, inner)| Ok((Self::open([archive])?, inner))).transpose()
    }

    /// Adds the roots of another source, which are searched after the existing ones.
    pub fn extend(&mut self, other: &Self) {
        self.roots.extend(other.roots.iter().cloned());
    }

    /// Returns the number of roots.
    pub fn root_count(&self) -> usize {
        self.roots.len()
    }

    /// Returns `true` if there are no roots.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Returns all files, root by root. In each root they are sorted by path.
    pub fn files(&self) -> impl Iterator<Item = ContentFile<'_>> {
        let roots = self.roots.iter().enumerate();
        roots
            .flat_map(move |(root, files)| files.files.iter().map(move |path| ContentFile { source: self, root, path }))
    }

    /// Returns the paths and the bytes of the files in archives whose path an earlier file has. The games find only the first, and so does
    /// this source. The bytes of a damaged file are `None`.
    pub fn repeated_files(&self) -> impl Iterator<Item = (&str, Option<&[u8]>)> {
        let files = self.roots.iter().flat_map(|root| &root.repeated);
        files.map(|(path, file)| (path.as_str(), file.data().ok()))
    }

    /// Finds a file by its path below a root. The first root that contains it takes precedence.
    pub fn find(&self, path: &str) -> Option<ContentFile<'_>> {
        let path = normalize(path);
        self.first(|root| root.find(&path))
    }

    /// Finds a file by its path below one root, given by its index.
    pub fn find_in_root(&self, root: usize, path: &str) -> Option<ContentFile<'_>> {
        let path = normalize(path);
        let files = self.roots.get(root)?;
        let path = files.files.get(files.find(&path)?)?;
        Some(ContentFile { source: self, root, path })
    }

    /// Finds the file of the content that is at an absolute path on disk without `..` and links.
    #[cfg(feature = "fs")]
    pub(crate) fn find_on_disk(&self, path: &Path) -> Option<ContentFile<'_>> {
        let roots = self.roots.iter().enumerate();
        let mut below =
            roots.filter_map(|(index, root)| Some((index, path.strip_prefix(root.path.canonicalize().ok()?).ok()?)));
        below.find_map(|(index, below)| self.find_in_root(index, below.to_str()?))
    }

    /// Finds a file by its name alone, at any depth below a root. The one with the fewest folders in its path takes precedence, then the
    /// first by path. Of files in one folder whose names differ only in case, the one with the case of `name` takes precedence.
    pub fn find_name(&self, name: &str) -> Option<ContentFile<'_>> {
        let key = name.to_ascii_lowercase();
        let found = self.first(|root| root.by_name.get(&key).copied())?;
        Some(found.with_case_of(name))
    }

    /// Returns the file of the first root for which `find` returns an index.
    fn first(&self, find: impl Fn(&Root) -> Option<usize>) -> Option<ContentFile<'_>> {
        self.roots.iter().enumerate().find_map(|(root, files)| {
            let path = files.files.get(find(files)?)?;
            Some(ContentFile { source: self, root, path })
        })
    }
}

impl Root {
    /// Returns the index of the file with a path that [`normalize`] returned.
    fn find(&self, path: &str) -> Option<usize> {
        let exact = self.files.binary_search_by(|file| file.as_str().cmp(path)).ok();
        exact.or_else(|| self.by_path.get(&path.to_ascii_lowercase()).copied())
    }
}

/// Returns a path with `/` between its names, without empty names and `.`, and without `..` except for one that leads out of the root: no
/// file has such a path.
pub(crate) fn normalize(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split(['/', '\\']) {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/")
}

impl<'a> ContentFile<'a> {
    /// Returns the file with a name in the same folder, which differs from the name of this file in case, or this file.
    pub(crate) fn with_case_of(self, name: &str) -> Self {
        let folder = self.path.rfind('/').and_then(|slash| self.path.get(..=slash)).unwrap_or_default();
        let files = &self.files().files;
        let exact = files.binary_search(&format!("{folder}{name}")).ok().and_then(|index| files.get(index));
        exact.map_or(self, |path| Self { path, ..self })
    }

    /// Returns the path below the root, with `/`.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the index of the root that contains the file.
    pub fn root(&self) -> usize {
        self.root
    }

    /// Returns the path of the file. For a file in an archive, this is the path of the archive and the path in it.
    pub fn to_path_buf(&self) -> PathBuf {
        self.files().path.join(self.path)
    }

    fn files(&self) -> &'a Root {
        self.source.roots.get(self.root).expect("a file belongs to a root")
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If a file in a folder was removed, was replaced by a link out of the folder, has more than 128 MiB or cannot be read, or if a file
    /// in an archive is damaged.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let root = self.files();
        let index = || root.files.binary_search_by(|path| path.as_str().cmp(self.path)).ok();
        match &root.storage {
            #[cfg(feature = "fs")]
            Storage::Folder(links) => read(&root.path, self.path, *links),
            Storage::Archive(files) => {
                let file = index().and_then(|index| files.get(index)).ok_or(io::ErrorKind::NotFound)?;
                file.data().map(<[u8]>::to_vec).map_err(io::Error::other)
            }
            Storage::Memory(files) => {
                Ok(index().and_then(|index| files.get(index)).ok_or(io::ErrorKind::NotFound)?.clone())
            }
        }
    }
}

/// Maximum size of an archive in bytes, because archives are read into memory. The games use positions of 31 bits.
#[cfg(feature = "fs")]
const MAX_ARCHIVE: u64 = 1 << 31;

/// Maximum number of files and folders that are searched in the folder of a level.
#[cfg(feature = "fs")]
const MAX_BESIDE: usize = 20_000;
/// Maximum number of folders inside each other that are searched in the folder of a level.
#[cfg(feature = "fs")]
const MAX_BESIDE_DEPTH: usize = 8;

/// Returns `true` if the file begins like a REZ archive.
#[cfg(feature = "fs")]
pub fn is_archive(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = |file: File| file.take(256).read_to_end(&mut start);
    path.is_file() && File::open(path).and_then(read).is_ok() && mapwright_rez::sniff(&start) != Confidence::No
}

/// Returns the archive that a path names or leads into, and the path in it with `/` and without `..`. Returns `None` for paths of other
/// files on disk.
///
/// # Errors
/// If `..` leads out of the archive.
#[cfg(feature = "fs")]
pub fn split_archive(path: &Path) -> io::Result<Option<(&Path, String)>> {
    if path.is_dir() {
        return Ok(None);
    }
    let archive = path.ancestors().find(|root| is_archive(root));
    let split = archive.and_then(|archive| Some((archive, normalize(path.strip_prefix(archive).ok()?.to_str()?))));
    if split.as_ref().is_some_and(|(_, inner)| inner.split('/').next() == Some("..")) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path leads out of the archive"));
    }
    Ok(split)
}

/// Paths of files in an archive and the files.
type ArchivedFiles = Vec<(String, ArchivedFile)>;

/// Returns the paths of all files in a folder of an archive, sorted, and the files. Files whose path another one has are separate.
fn files_in_archive(archive: &Archive, folder: &str) -> (ArchivedFiles, ArchivedFiles) {
    let below = |path: &str| {
        let (start, rest) = path.split_at_checked(folder.len())?;
        let rest = if folder.is_empty() { Some(rest) } else { rest.strip_prefix('/') };
        rest.filter(|_| start.eq_ignore_ascii_case(folder)).map(str::to_owned)
    };
    let files = archive.files().filter_map(|(item, file)| Some((below(&item.safe_path())?, file)));
    let mut files: Vec<(String, &ArchivedFile)> = files.collect();
    // If several files have the same path, the games find only the first.
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut first, mut repeated): (ArchivedFiles, ArchivedFiles) = (Vec::new(), Vec::new());
    for (path, file) in files {
        let is_repeated = first.last().is_some_and(|(last, _)| *last == path);
        let files = if is_repeated { &mut repeated } else { &mut first };
        files.push((path, file.clone()));
    }
    (first, repeated)
}

/// Returns the error for a root without files.
fn no_files() -> io::Error {
    io::Error::other("it contains no files")
}

#[cfg(feature = "fs")]
fn open_archive(path: &Path) -> io::Result<Archive> {
    if fs::metadata(path)?.len() > MAX_ARCHIVE {
        return Err(io::Error::other(format!("larger than {MAX_ARCHIVE} bytes")));
    }
    read_archive(fs::read(path)?)
}

fn read_archive(bytes: Vec<u8>) -> io::Result<Archive> {
    let archive = Archive::from_vec(bytes).map_err(io::Error::other)?;
    // A damaged file is reported when it is read. Files of a damaged directory would be missing without a report.
    let is_of_file = |error: &ReadError| matches!(error.kind(), ReadErrorKind::Damage(Damage::PayloadOutside { .. }));
    if let Some(error) = archive.damage().find(|error| !is_of_file(error)) {
        return Err(io::Error::other(error));
    }
    Ok(archive)
}

#[cfg(test)]
mod memory_tests {
    use super::*;

    #[test]
    fn files_in_memory_are_found_as_files_in_folders() {
        let mut content = ContentSource::default();
        let file = |path: &str, bytes: &[u8]| (path.to_owned(), bytes.to_vec());
        content.add_files(
            "dropped",
            [
                file("Tex\\Wall.png", b"old"),
                file("./a.bin", b"data"),
                file("Tex//Wall.png", b"new"),
                file("", b"nameless"),
            ],
        );
        assert_eq!(content.files().map(|file| file.path()).collect::<Vec<_>>(), ["Tex/Wall.png", "a.bin"]);
        let wall = content.find("tex/wall.PNG").unwrap();
        assert_eq!(
            (wall.read().unwrap(), wall.to_path_buf()),
            (b"new".to_vec(), PathBuf::from("dropped/Tex/Wall.png"))
        );
        assert_eq!(content.find_name("A.BIN").unwrap().read().unwrap(), b"data");
        assert!(content.find("../a.bin").is_none() && content.find("").is_none());
    }

    #[test]
    fn archives_in_memory_are_searched() {
        let mut archive = Archive::new();
        archive.add("LEVEL1\\MAIN.PAL", b"main".to_vec(), None).unwrap();
        let mut content = ContentSource::default();
        content.add_archive("game.rez", archive.to_bytes().unwrap()).unwrap();
        assert_eq!(content.find("level1/main.pal").unwrap().read().unwrap(), b"main");
        assert!(content.add_archive("term.rez", vec![131, 106]).is_err());
        assert!(content.add_archive("empty.rez", Archive::new().to_bytes().unwrap()).is_err());
        assert_eq!(content.root_count(), 1);
    }
}

#[cfg(all(test, feature = "fs"))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_found_in_the_order_of_the_roots_in_any_case() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a/Tex/BRICK.tga", "b/tex/brick.TGA", "b/deep/er/wall.png", "b/far/wall.png", "b/Z.png", "b/z.png"]
        {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), name).unwrap();
        }
        let content = ContentSource::open([at("a"), at("b")]).unwrap();
        let find = |path: &str| content.find(path).map(|file| String::from_utf8(file.read().unwrap()).unwrap());
        assert_eq!(find("tex/brick.tga").as_deref(), Some("a/Tex/BRICK.tga"));
        assert_eq!(find("deep/..\\far/wall.png").as_deref(), Some("b/far/wall.png"));
        assert_eq!(content.find_name("z.png").map(|file| file.path()), Some("z.png"));
        assert_eq!(find("\\DEEP\\.\\er//wall.png").as_deref(), Some("b/deep/er/wall.png"));
        assert_eq!(
            [find("z.png"), find("Z.png"), find("Z.PNG")].map(Option::unwrap),
            ["b/z.png", "b/Z.png", "b/Z.png"]
        );
        for path in ["", "tex", "../a/Tex/BRICK.tga", "deep/../../far/wall.png", "missing"] {
            assert_eq!(find(path), None, "{path}");
        }
        assert_eq!(content.find_name("WALL.png").map(|file| file.path()), Some("far/wall.png"));
        assert!(content.find_name("far/wall.png").is_none());
        let files: Vec<_> = content.files().map(|file| file.to_path_buf()).collect();
        assert_eq!((files.len(), &files[0]), (6, &at("a").join("Tex/BRICK.tga")));
    }

    #[test]
    fn archives_are_searched_as_folders_are() {
        let folder = tempfile::tempdir().unwrap();
        let mut archive = Archive::new();
        for (path, bytes) in [("LEVEL1\\TILES\\001.PID", b"tile"), ("LEVEL1\\MAIN.PAL", b"main")] {
            archive.add(path, bytes.to_vec(), None).unwrap();
        }
        let path = folder.path().join("game.rez");
        fs::write(&path, archive.to_bytes().unwrap()).unwrap();
        let content = ContentSource::open([&path]).unwrap();
        let file = content.find("\\level1\\tiles\\001.pid").unwrap();
        assert_eq!((file.path(), file.read().unwrap()), ("LEVEL1/TILES/001.PID", b"tile".to_vec()));
        assert_eq!(content.find_name("main.pal").unwrap().to_path_buf(), path.join("LEVEL1/MAIN.PAL"));
        let inner = path.join("LEVEL1/MAIN.PAL");
        let (inside, name) = ContentSource::open_archive_in(&inner).unwrap().unwrap();
        assert_eq!((inside.find(&name).unwrap().read().unwrap(), name.as_str()), (b"main".to_vec(), "LEVEL1/MAIN.PAL"));
        for other in [path.clone(), folder.path().join("missing/a"), folder.path().to_owned()] {
            assert!(ContentSource::open_archive_in(&other).unwrap().is_none(), "{}", other.display());
        }
        archive.add(b"LEVEL1\\\xC9.PID", b"name".to_vec(), None).unwrap();
        fs::write(&path, archive.to_bytes().unwrap()).unwrap();
        let content = ContentSource::open([&path]).unwrap();
        let unusual = content.files().find(|file| file.path().contains('%')).unwrap();
        assert_eq!((unusual.path(), unusual.read().unwrap()), ("LEVEL1/%c9.PID", b"name".to_vec()));
        assert_eq!(content.find("level1/%c9.pid").unwrap().read().unwrap(), b"name");
        // A folder in an archive, and names that would lead out of it.
        let folder_in = ContentSource::open([path.join("level1")]).unwrap();
        assert_eq!(folder_in.find("main.pal").unwrap().read().unwrap(), b"main");
        assert!(ContentSource::open([path.join("LEVEL2")]).is_err());
        let bytes = archive.to_bytes().unwrap();
        let patched: Vec<u8> = bytes
            .windows(7)
            .position(|name| name == b"LEVEL1\0")
            .map_or(bytes.clone(), |at| [&bytes[..at], b"../../\0", &bytes[at + 7..]].concat());
        fs::write(&path, patched).unwrap();
        let content = ContentSource::open([&path]).unwrap();
        let paths: Vec<_> = content.files().map(|file| file.path()).collect();
        assert_eq!(paths[0], "..%2f..%2f/%c9.PID");
        assert!(content.files().all(|file| file.read().is_ok()), "{paths:?}");
        fs::write(&path, &bytes[..170]).unwrap();
        assert!(ContentSource::open([&path]).is_err());
    }

    #[test]
    fn missing_empty_and_wrong_roots_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), b"").unwrap();
        fs::create_dir(folder.path().join("empty")).unwrap();
        let error = |name: &str| ContentSource::open([folder.path().join(name)]).unwrap_err();
        assert_eq!(error("missing").kind(), io::ErrorKind::NotFound);
        assert_eq!(error("file").kind(), io::ErrorKind::NotADirectory);
        assert!(error("empty").to_string().contains("contains no files"));
        assert!(ContentSource::default().is_empty() && ContentSource::default().find("a").is_none());
    }
}
