//! The files that a document refers to.
//!
//! Documents may be untrusted, and the files that they refer to end up in the output. A name must therefore lead to a file
//! in the folder of the document or below. Links are resolved here, one component at a time, rather than by the system: a link that
//! leaves the folder is refused before the system looks at its target.

use std::collections::BTreeSet;
#[cfg(feature = "fs")]
use std::fs;
#[cfg(feature = "fs")]
use std::io::Read;
#[cfg(feature = "fs")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use mapwright_io::Losses;
use mapwright_scene::{FileError, FileKind, FileSource};

#[cfg(feature = "fs")]
use crate::folder::find_below;
use crate::{ContentFile, ContentSource};

/// Files outside a document that may be read with it.
#[cfg(feature = "fs")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum External {
    /// No files.
    None,
    /// Files in the folder of the document and below, after links are resolved. The right choice for untrusted documents, if
    /// the folder contains nothing but their files.
    #[default]
    Beside,
    /// Any file that the process can read: also absolute paths, parent folders, links that lead elsewhere and, for images, the
    /// current folder. Only for documents that you trust.
    Any,
}

/// Loads the files that a document on disk refers to, if [`External`] allows them, and files in the folders of a [`ContentSource`].
///
/// A service that converts documents of strangers uses this [`FileSource`] with [`External::Beside`], which never leaves the folder
/// of the document, or [`NoFiles`](mapwright_scene::NoFiles).
///
/// Buffers, material libraries, tilesets, templates, legends and world files are looked for where their name leads. Images are
/// also looked for as Wings 3D does, because tools store the paths of the machine that they ran on: below the folder of the
/// document at the whole path, at the path without its first part, and so on down to the file name. For long paths,
/// at most 32 parts are left out one by one; then only the file name is tried. Files that are not found there are looked for in the
/// content in the same way. In the content, an image is also found by its name alone, in any folder.
/// [`report_substitutes`](Self::report_substitutes) reports the images that were found by a part of their path in the folder of the
/// document.
///
/// Names of network shares and devices (`//host/…`, `\\host\…`, `\\?\…`) are refused before any system call. All files that
/// one `FilesBeside` loads together have a maximum size; reading and converting a document use one each.
///
/// Two cases cannot be detected: a hard link looks like a file of the folder, and the checks do not protect against somebody who
/// changes the folder while it is read.
#[derive(Debug)]
pub struct FilesBeside {
    #[cfg(feature = "fs")]
    external: External,
    /// `None` if the document is not on disk.
    #[cfg(feature = "fs")]
    folder: Option<PathBuf>,
    content: ContentSource,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Bytes that may still be read.
    left: u64,
    loaded: Vec<PathBuf>,
    /// Names of images that cannot be read, and the images with the same end of the path that are used instead.
    substitutes: BTreeSet<(String, PathBuf)>,
}

/// The longest name that is looked for, in bytes. No common system has longer paths.
const MAX_NAME: usize = 4096;
/// Maximum number of parts of an image's path that are left out one by one. Then only the last part is tried.
const MAX_SKIPPED: usize = 32;

impl FilesBeside {
    /// Creates the source for a document. Without its path, only files of the content are found. At most `max_bytes` are loaded from
    /// all files together.
    #[cfg(feature = "fs")]
    pub fn new(document: Option<&Path>, external: External, content: ContentSource, max_bytes: u64) -> Self {
        let folder = document.map(|path| path.parent().unwrap_or(Path::new("")).to_owned());
        Self { external, folder, ..Self::in_content(content, max_bytes) }
    }

    /// Creates the source for a document that is not on disk: only files of the content are found. At most `max_bytes` are loaded from all
    /// files together.
    pub fn in_content(content: ContentSource, max_bytes: u64) -> Self {
        let state = State { left: max_bytes, loaded: Vec::new(), substitutes: BTreeSet::new() };
        Self {
            #[cfg(feature = "fs")]
            external: External::None,
            #[cfg(feature = "fs")]
            folder: None,
            content,
            state: Mutex::new(state),
        }
    }

    /// Returns the folders and archives that are searched after the folder of the document.
    pub fn content(&self) -> &ContentSource {
        &self.content
    }

    /// Returns the paths of the loaded files, in the order of loading.
    pub fn into_loaded(self) -> Vec<PathBuf> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).loaded
    }

    /// Reports the images that were found by a part of their path, because their whole path cannot be read. They may be other images.
    pub fn report_substitutes(&self, losses: &mut Losses) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, path) in &state.substitutes {
            let text = format!("the image {name:?} cannot be read: {} is used instead", path.display());
            losses.approximated("images", text);
        }
    }

    /// Returns the path of the file that a name leads to, without reading it.
    ///
    /// # Errors
    /// [`FileError`] if there is no such file, or if it may not be read.
    pub fn find(&self, name: &str, kind: FileKind) -> Result<PathBuf, FileError> {
        self.locate(name, kind).map(|location| location.to_path_buf())
    }

    fn locate(&self, name: &str, kind: FileKind) -> Result<Location<'_>, FileError> {
        if is_network(name) {
            return Err(FileError::Network);
        }
        if name.len() > MAX_NAME || name.contains('\0') {
            return Err(FileError::NotFound);
        }
        let name = without_scheme(name).replace('\\', "/");
        #[cfg(not(feature = "fs"))]
        let found = Err(FileError::Disabled);
        #[cfg(feature = "fs")]
        let found = match (&self.folder, self.external) {
            (Some(folder), External::Beside) => find_beside(folder, &name, kind),
            (Some(folder), External::Any) => find_anywhere(folder, &name, kind),
            _ => Err(FileError::Disabled),
        };
        let in_content = || self.find_in_content(&name, kind).map(Location::Content);
        found.or_else(|error| in_content().ok_or(error))
    }

    fn find_in_content(&self, name: &str, kind: FileKind) -> Option<ContentFile<'_>> {
        let parts = parts(name);
        let by_path = shortened_paths(&parts, kind).find_map(|path| self.content.find(&path.join("/")));
        let by_name = || self.content.find_name(parts.last()?).filter(|_| kind == FileKind::Image);
        #[cfg(feature = "fs")]
        let by_path = self.find_from_document(&parts).or(by_path);
        by_path.or_else(by_name)
    }

    /// Finds a file by a path with `..` from the folder of the document, if that leads into the content.
    #[cfg(feature = "fs")]
    fn find_from_document(&self, parts: &[&str]) -> Option<ContentFile<'_>> {
        let folder = self.folder.as_deref().filter(|_| parts.contains(&".."))?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut path = folder.canonicalize().ok()?;
        for part in parts {
            match *part {
                ".." => drop(path.pop()),
                part => path.push(part),
            }
        }
        self.content.find_on_disk(&path)
    }
}

/// The place of a file that a document refers to.
enum Location<'a> {
    #[cfg(feature = "fs")]
    Disk {
        path: PathBuf,
        /// `true` for an image that was found by a part of its path.
        is_substitute: bool,
    },
    Content(ContentFile<'a>),
}

impl Location<'_> {
    fn to_path_buf(&self) -> PathBuf {
        match self {
            #[cfg(feature = "fs")]
            Self::Disk { path, .. } => path.clone(),
            Self::Content(file) => file.to_path_buf(),
        }
    }

    /// Reads the file, unless it has more than `max_bytes`.
    fn read(&self, max_bytes: u64) -> Result<Vec<u8>, FileError> {
        match self {
            #[cfg(feature = "fs")]
            Self::Disk { path, .. } => read_file(path, max_bytes),
            Self::Content(file) => {
                let bytes = file.read().map_err(|_| FileError::Unreadable)?;
                if bytes.len() as u64 > max_bytes { Err(FileError::TooLarge) } else { Ok(bytes) }
            }
        }
    }
}

/// Reads a file on disk, unless it has more than `max_bytes`.
#[cfg(feature = "fs")]
fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|_| FileError::Unreadable)?;
    if file.metadata().is_ok_and(|metadata| metadata.len() > max_bytes) {
        return Err(FileError::TooLarge);
    }
    // One byte more than the limit shows that the file grew while it was read.
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|_| FileError::Unreadable)?;
    Ok(bytes)
}

impl FileSource for FilesBeside {
    fn load(&self, name: &str, kind: FileKind) -> Result<Vec<u8>, FileError> {
        let location = self.locate(name, kind)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = location.read(state.left)?;
        state.left = state.left.checked_sub(bytes.len() as u64).ok_or(FileError::TooLarge)?;
        let path = location.to_path_buf();
        #[cfg(feature = "fs")]
        if matches!(location, Location::Disk { is_substitute: true, .. }) {
            state.substitutes.insert((name.to_owned(), path.clone()));
        }
        state.loaded.push(path);
        Ok(bytes)
    }
}

/// Looks for a file in the folder of the document and below.
#[cfg(feature = "fs")]
fn find_beside(folder: &Path, name: &str, kind: FileKind) -> Result<Location<'static>, FileError> {
    let parts = parts(name);
    let leaves = is_absolute(name) || parts.contains(&"..");
    if leaves && kind == FileKind::Data {
        return Err(FileError::Outside);
    }
    let root = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let root = root.canonicalize().map_err(|_| FileError::NotFound)?;
    let mut error = if leaves { FileError::Outside } else { FileError::NotFound };
    let is_below = |(_, path): &(usize, &[&str])| !path.iter().any(|part| *part == ".." || is_drive(part));
    for (left_out, path) in shortened_paths(&parts, kind).enumerate().filter(is_below) {
        match find_below(&root, &path.iter().collect::<PathBuf>()) {
            Ok(below) => {
                let is_substitute = left_out > 0 || is_absolute(name);
                return Ok(Location::Disk { path: folder.join(below), is_substitute });
            }
            Err(FileError::NotFound) => {}
            Err(other) => error = other,
        }
    }
    Err(error)
}

/// Looks for a file where its name leads, and for an image also as Wings 3D does.
#[cfg(feature = "fs")]
fn find_anywhere(folder: &Path, name: &str, kind: FileKind) -> Result<Location<'static>, FileError> {
    // On other systems than Windows, remove the drive of a path.
    let path = if is_drive(name) && !cfg!(windows) { name.get(2..).unwrap_or_default() } else { name };
    // `join` returns an absolute path unchanged.
    let whole = folder.join(path);
    let parts = parts(path);
    let shortened = shortened_paths(&parts, kind).filter(|_| kind == FileKind::Image);
    let below = shortened.flat_map(|path| {
        let path: PathBuf = path.iter().collect();
        [folder.join(&path), path]
    });
    let places = std::iter::once((whole, false)).chain(below.map(|path| (path, true)));
    let found = places.into_iter().find(|(path, _)| path.is_file());
    found.map(|(path, is_substitute)| Location::Disk { path, is_substitute }).ok_or(FileError::NotFound)
}

/// Returns the parts of a path, without empty parts and `.`.
fn parts(name: &str) -> Vec<&str> {
    name.split('/').filter(|part| !part.is_empty() && *part != ".").collect()
}

/// Returns the whole path. For images, also returns the path without its first part, and so on, and always the last part alone.
fn shortened_paths<'a>(parts: &'a [&'a str], kind: FileKind) -> impl Iterator<Item = &'a [&'a str]> {
    let most = if kind == FileKind::Image { MAX_SKIPPED } else { 0 };
    let last = parts.len().checked_sub(1).filter(|last| kind == FileKind::Image && *last > most);
    (0..=most).chain(last).filter_map(|skip| parts.get(skip..)).filter(|path| !path.is_empty())
}

/// The characters between the parts of a path, on any system.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// Returns `true` for the name of a network share or device: it begins with two separators, even after the scheme of a URI, or `\??\`.
fn is_network(name: &str) -> bool {
    let path = without_scheme(name);
    let is_share = path.strip_prefix(SEPARATORS).is_some_and(|rest| rest.starts_with(SEPARATORS));
    // `file://host/…`, where a local path would have a third separator or a drive.
    let authority = scheme(name).and_then(|rest| rest.strip_prefix("//"));
    let has_host = authority.is_some_and(|rest| !rest.starts_with(SEPARATORS) && !is_drive(rest));
    is_share || has_host || path.starts_with("\\??\\")
}

/// Returns the part of a `file:` URI after the scheme, or `None` for other names.
fn scheme(name: &str) -> Option<&str> {
    let (scheme, rest) = name.split_at_checked(5)?;
    scheme.eq_ignore_ascii_case("file:").then_some(rest)
}

/// Returns the path of a `file:` URI, or the name as it is. `file:///C:/a` is `C:/a`.
fn without_scheme(name: &str) -> &str {
    let Some(rest) = scheme(name) else { return name };
    let path = rest.strip_prefix("//").unwrap_or(rest);
    path.strip_prefix(SEPARATORS).filter(|path| is_drive(path)).unwrap_or(path)
}

/// Returns `true` for an absolute path of any system.
#[cfg(feature = "fs")]
fn is_absolute(name: &str) -> bool {
    name.starts_with('/') || is_drive(name)
}

/// Returns `true` for a path that begins with a drive of Windows.
fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic())
}

#[cfg(all(test, feature = "fs"))]
mod tests {
    use super::*;

    /// The URI of an absolute path.
    fn uri(path: &Path) -> String {
        let path = path.display().to_string().replace('\\', "/");
        let root = if path.starts_with('/') { "" } else { "/" };
        format!("file://{root}{path}")
    }

    fn files(path: &Path, external: External) -> FilesBeside {
        FilesBeside::new(Some(path), external, ContentSource::default(), 1 << 20)
    }

    /// A folder with a document in `models`, files beside it, below it and above it.
    fn tree() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("models/sub/tex")).unwrap();
        for name in ["secret.png", "models/a.mtl", "models/sub/b.bin", "models/sub/tex/c.png"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        folder
    }

    #[test]
    fn data_is_found_in_the_folder_and_below() {
        let folder = tree();
        let files = files(&folder.path().join("models/cube.obj"), External::Beside);
        for (name, file) in [
            ("a.mtl", "a.mtl"),
            ("./sub/b.bin", "sub/b.bin"),
            ("sub\\b.bin", "sub/b.bin"),
            ("sub//./b.bin", "sub/b.bin"),
        ] {
            let expected = format!("models/{file}").into_bytes();
            assert_eq!(files.load(name, FileKind::Data), Ok(expected), "{name}");
        }
        assert_eq!(files.load("sub", FileKind::Data), Err(FileError::NotFound));
        assert_eq!(files.load("", FileKind::Data), Err(FileError::NotFound));
        let loaded = files.into_loaded();
        assert_eq!((loaded.len(), &loaded[1]), (4, &folder.path().join("models/sub/b.bin")));
    }

    #[test]
    fn substitutes_of_images_are_reported() {
        let folder = tree();
        for (external, names) in
            [(External::Beside, ["../c.png", "/x/c.png"]), (External::Any, ["../sub/c.png", "/x/c.png"])]
        {
            let files = files(&folder.path().join("models/sub/tex/cube.obj"), external);
            let report = |files: &FilesBeside| {
                let mut losses = Losses::new();
                files.report_substitutes(&mut losses);
                losses.iter().map(ToString::to_string).collect::<Vec<_>>()
            };
            files.load("c.png", FileKind::Image).unwrap();
            assert_eq!(report(&files), Vec::<String>::new());
            for name in names {
                files.load(name, FileKind::Image).unwrap();
                files.load(name, FileKind::Image).unwrap();
            }
            let texts = report(&files);
            assert_eq!(texts.len(), 2, "{texts:?}");
            assert!(texts[0].contains(names[0]) && texts[0].contains("c.png is used instead"), "{texts:?}");
        }
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let folder = tree();
        let files = files(&folder.path().join("models/cube.obj"), External::Beside);
        let secret = folder.path().join("secret.png");
        let names = ["../secret.png", "..\\secret.png", "sub/../../secret.png", "C:\\secret.png"];
        for name in names.into_iter().chain([&*secret.to_string_lossy(), &uri(&secret)]) {
            for kind in [FileKind::Data, FileKind::Image] {
                assert_eq!(files.load(name, kind), Err(FileError::Outside), "{name}");
            }
        }
    }

    #[test]
    fn images_are_found_without_the_folders_of_another_machine() {
        let folder = tree();
        let at = |name: &str| folder.path().join(name);
        let files = files(&at("models/cube.wings"), External::Beside);
        for name in
            ["C:\\art\\sub\\tex\\c.png", "/home/me/sub/tex/c.png", "../sub/tex/c.png", "file:///art/sub/tex/c.png"]
        {
            assert_eq!(files.find(name, FileKind::Image), Ok(at("models/sub/tex/c.png")), "{name}");
            assert_eq!(files.find(name, FileKind::Data), Err(FileError::Outside), "{name}");
        }
        assert_eq!(files.find("elsewhere/tex/c.png", FileKind::Image), Err(FileError::NotFound));
    }

    #[test]
    fn long_paths_of_images_are_shortened_to_the_file_name() {
        let folder = tree();
        for external in [External::Beside, External::Any] {
            let files = files(&folder.path().join("models/cube.wings"), external);
            for count in 1..100 {
                let name = "a/".repeat(count) + "a.mtl";
                assert_eq!(files.find(&name, FileKind::Image), Ok(folder.path().join("models/a.mtl")), "{count}");
                assert_eq!(files.find(&name, FileKind::Data), Err(FileError::NotFound), "{count}");
            }
        }
    }

    #[test]
    fn network_and_device_names_are_refused_by_every_choice() {
        let folder = tree();
        let names = [
            "//host/share/a.mtl",
            "\\\\host\\share\\a.mtl",
            "/\\host/a.mtl",
            "\\\\?\\C:\\a.mtl",
            "\\\\.\\pipe\\x",
            "\\??\\C:\\a.mtl",
            "file://host/share/a.mtl",
            "FILE:////host/share/a.mtl",
        ];
        for external in [External::Beside, External::Any] {
            let files = files(&folder.path().join("models/cube.obj"), external);
            for name in names {
                for kind in [FileKind::Data, FileKind::Image] {
                    assert_eq!(files.find(name, kind), Err(FileError::Network), "{name}");
                }
            }
        }
    }

    #[test]
    fn uris_lead_to_drives_and_paths() {
        for (name, path) in [
            ("file:///C:/a/b.png", "C:/a/b.png"),
            ("file:///C:\\a\\b.png", "C:\\a\\b.png"),
            ("file:/C:/b.png", "C:/b.png"),
            ("file://C:/b.png", "C:/b.png"),
            ("File:C:/b.png", "C:/b.png"),
            ("file:///a/b.png", "/a/b.png"),
            ("file:///ab:/b.png", "/ab:/b.png"),
            ("file:/a/b.png", "/a/b.png"),
            ("file:b.png", "b.png"),
            ("a/b.png", "a/b.png"),
            ("/C:/b.png", "/C:/b.png"),
        ] {
            assert_eq!((without_scheme(name), is_network(name)), (path, false), "{name}");
        }
        for name in ["file://c/b.png", "file://host:80/b.png", "file:////C:/b.png", "file:\\\\C:\\b.png", "file://"] {
            assert!(is_network(name), "{name}");
        }
    }

    #[test]
    fn external_any_reads_all_folders_and_none_reads_nothing() {
        let folder = tree();
        let path = folder.path().join("models/cube.obj");
        let trusted = files(&path, External::Any);
        let secret = folder.path().join("secret.png");
        for name in ["../secret.png".to_owned(), secret.display().to_string(), uri(&secret)] {
            assert_eq!(trusted.load(&name, FileKind::Data).as_deref(), Ok(&b"secret.png"[..]), "{name}");
        }
        assert!(trusted.find("D:\\art\\tex\\c.png", FileKind::Image).is_err());
        assert!(trusted.find("D:\\art\\sub\\tex\\c.png", FileKind::Image).is_ok());
        assert_eq!(files(&path, External::None).load("a.mtl", FileKind::Data), Err(FileError::Disabled));
        let without_path = FilesBeside::new(None, External::Any, ContentSource::default(), 1 << 20);
        assert_eq!(without_path.load("a.mtl", FileKind::Data), Err(FileError::Disabled));
    }

    #[test]
    fn all_files_together_stay_within_the_limit() {
        let folder = tree();
        let path = folder.path().join("models/cube.obj");
        let files = FilesBeside::new(Some(&path), External::Beside, ContentSource::default(), 20);
        assert!(files.load("a.mtl", FileKind::Data).is_ok());
        assert_eq!(files.load("sub/b.bin", FileKind::Data), Err(FileError::TooLarge));
    }

    #[test]
    fn files_that_are_not_beside_the_document_are_found_in_the_content() {
        let (folder, content) = (tree(), tree());
        fs::write(content.path().join("models/a.mtl"), "content").unwrap();
        fs::write(content.path().join("models/sub/Wall.PNG"), "wall").unwrap();
        let path = folder.path().join("models/cube.obj");
        let files =
            |external| FilesBeside::new(Some(&path), external, ContentSource::open([content.path()]).unwrap(), 1 << 20);
        let beside = files(External::Beside);
        assert_eq!(beside.load("a.mtl", FileKind::Data).as_deref(), Ok(&b"models/a.mtl"[..]));
        assert_eq!(beside.load("models/a.mtl", FileKind::Data).as_deref(), Ok(&b"content"[..]));
        assert_eq!(beside.load("C:\\art\\SUB\\wall.png", FileKind::Image).as_deref(), Ok(&b"wall"[..]));
        assert_eq!(beside.load("wall.png", FileKind::Data), Err(FileError::NotFound));
        assert_eq!(beside.load("../a.mtl", FileKind::Data), Err(FileError::Outside));
        assert_eq!(files(External::None).load("models/a.mtl", FileKind::Data).as_deref(), Ok(&b"content"[..]));
    }

    #[test]
    fn paths_through_folders_above_lead_into_the_content() {
        let folder = tree();
        let path = folder.path().join("models/sub/cube.obj");
        let content = ContentSource::open([folder.path().join("models")]).unwrap();
        let files = FilesBeside::new(Some(&path), External::Beside, content, 1 << 20);
        assert_eq!(files.load("../a.mtl", FileKind::Data).as_deref(), Ok(&b"models/a.mtl"[..]));
        assert_eq!(files.load("../sub/./b.bin", FileKind::Data).as_deref(), Ok(&b"models/sub/b.bin"[..]));
        for name in ["../../secret.png", "../../models/../secret.png", "../missing.mtl"] {
            assert_eq!(files.load(name, FileKind::Data), Err(FileError::Outside), "{name}");
        }
    }

    #[test]
    fn files_in_archives_are_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let mut archive = mapwright_rez::Document::new();
        archive.add("TEXTURES\\WALL.PNG", b"wall".to_vec(), None).unwrap();
        let path = folder.path().join("game.rez");
        fs::write(&path, archive.to_bytes().unwrap()).unwrap();
        let content = ContentSource::open([&path]).unwrap();
        let files = |max_bytes| FilesBeside::new(None, External::Beside, content.clone(), max_bytes);
        let found = files(4);
        assert_eq!(found.load("C:\\art\\textures\\wall.png", FileKind::Image).as_deref(), Ok(&b"wall"[..]));
        assert_eq!(found.into_loaded(), [path.join("TEXTURES/WALL.PNG")]);
        assert_eq!(files(3).load("wall.png", FileKind::Image), Err(FileError::TooLarge));
    }
}
