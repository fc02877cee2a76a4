//! The files that a command reads.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, Read, StdinLock};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use mapwright::heightmap::is_georeferenced;
use mapwright::{ContentSource, Error, Format, Input, PREFIX, ReadOptions, detect, is_archive, to_utf8};

/// One file to process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// The path; `-` for standard input. It can lead into an archive.
    pub(crate) path: PathBuf,
    /// The folder or archive that the command line named, if the file was found in one.
    pub(crate) folder: Option<PathBuf>,
    /// The archive that contains the file, and the path in it.
    archive: Option<(ContentSource, String)>,
    /// `true` for an archive whose files were asked for and cannot be listed.
    is_unlisted: bool,
    /// The first bytes of a file in an archive whose path an earlier file has.
    repeated: Option<Vec<u8>>,
}

impl Item {
    /// Creates an item for a path that the command line names.
    pub(crate) fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        // An archive that cannot be read is reported when the path is opened.
        let archive = ContentSource::open_archive_in(&path).ok().flatten();
        Self { archive, ..Self::on_disk(path) }
    }

    /// Creates an item for a file in a folder that the command line names.
    pub(crate) fn in_folder(path: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..Self::on_disk(path.into()) }
    }

    /// Creates an item for a file that is in no archive.
    const fn on_disk(path: PathBuf) -> Self {
        Self { path, folder: None, archive: None, is_unlisted: false, repeated: None }
    }

    /// Returns the path of the file on disk. For a file in an archive, this is the path of the archive.
    pub(crate) fn disk_path(&self) -> PathBuf {
        self.path.ancestors().find(|path| self.is_archived() && path.is_file()).unwrap_or(&self.path).to_owned()
    }

    /// Returns `true` for a file in an archive.
    pub(crate) fn is_archived(&self) -> bool {
        self.archive.is_some()
    }

    /// Returns `true` for a file in an archive whose path an earlier file has. It cannot be opened.
    pub(crate) fn is_repeated(&self) -> bool {
        self.repeated.is_some()
    }

    /// Returns the path of a file in its archive.
    pub(crate) fn path_in_archive(&self) -> Option<&str> {
        self.archive.as_ref().map(|(_, inner)| inner.as_str())
    }

    /// Returns the content folders, followed by the archive that contains the file.
    pub(crate) fn content(&self, global: &ContentSource) -> ContentSource {
        let mut content = global.clone();
        if let Some((archive, _)) = &self.archive {
            content.extend(archive);
        }
        content
    }

    /// Returns the error of the archive that the path names or leads into, if the archive cannot be read.
    pub(crate) fn archive_fault(&self) -> Option<io::Error> {
        match is_archive(&self.path) {
            true => ContentSource::open([&self.path]).err(),
            false => ContentSource::open_archive_in(&self.path).err(),
        }
    }

    /// Opens a file for reading.
    fn reader(&self) -> io::Result<Box<dyn Read>> {
        if self.is_unlisted {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if let Some(start) = &self.repeated {
            return Ok(Box::new(io::Cursor::new(start.clone())));
        }
        Ok(match &self.archive {
            Some((archive, inner)) => {
                let file = archive.find(inner).ok_or(io::ErrorKind::NotFound)?;
                Box::new(io::Cursor::new(file.read()?))
            }
            None => Box::new(fs::File::open(&self.path)?),
        })
    }

    /// Returns the name in messages.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.path.display().to_string() }
    }

    /// Returns the path below the named folder, or only the file name.
    pub(crate) fn relative_path(&self) -> &Path {
        match &self.folder {
            Some(folder) => self.path.strip_prefix(folder).unwrap_or(&self.path),
            None => self.path.file_name().map_or(&self.path, Path::new),
        }
    }

    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Returns the first bytes of the file, enough to detect its format. Fails for standard input, which can be read only once.
    pub(crate) fn start(&self) -> io::Result<Vec<u8>> {
        if self.is_stdin() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let mut start = Vec::new();
        self.reader()?.take(PREFIX as u64).read_to_end(&mut start)?;
        Ok(start)
    }

    /// Returns `true` if the start of the file, or its name, gives a format that can be converted to another one.
    pub(crate) fn is_convertible(&self, to: Format) -> bool {
        self.has_format(|format| format.converts_to(to))
    }

    /// Returns `true` if the format of the file, by its start or its name, satisfies a condition.
    pub(crate) fn has_format(&self, is_wanted: impl Fn(Format) -> bool) -> bool {
        let is_fit = |format: Format| is_wanted(format) && !self.is_folder_image(format);
        match self.start() {
            Ok(start) => detect(&start, Some(&self.path)).format.is_some_and(is_fit),
            // Reading the file again reports the error.
            Err(_) => true,
        }
    }

    /// Reads the file into memory.
    ///
    /// # Errors
    /// Errors of [`Input::open`], `UnexpectedEof` for empty standard input, and `AlreadyExists` for a repeated file.
    pub(crate) fn open(&self, from: Option<Format>, options: &ReadOptions) -> Result<Input, Error> {
        self.check_listable()?;
        if let Some(start) = &self.repeated {
            // Files that the command skips are no failures.
            let is_known = from.is_some() || detect(start, Some(&self.path)).format.is_some();
            return Err(if is_known {
                io::Error::from(io::ErrorKind::AlreadyExists).into()
            } else {
                Error::UnknownFormat
            });
        }
        let input = match self.is_stdin() {
            true => {
                let mut stdin = stdin()?;
                // Nothing could be detected in no bytes.
                if stdin.fill_buf()?.is_empty() {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                }
                Input::read(stdin, None, from, options)
            }
            false if self.is_archived() || self.is_unlisted => {
                Input::read(self.reader()?, Some(&self.path), from, options)
            }
            false => Input::open(&self.path, from, options),
        }?;
        if from.is_none() && self.is_folder_image(input.format) { Err(Error::UnknownFormat) } else { Ok(input) }
    }

    /// Returns `true` for an image in a folder: most of these are textures, not heightmaps. Only a heightmap has a position on Earth.
    fn is_folder_image(&self, format: Format) -> bool {
        let bytes = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            self.reader()?.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let is_georeferenced = || bytes().is_ok_and(|bytes| is_georeferenced(&bytes));
        self.folder.is_some() && format.is_image() && !is_georeferenced()
    }

    /// Returns `true` for an image that [`open`](Self::open) rejects only because it is in a folder.
    pub(crate) fn is_skipped_image(&self) -> bool {
        let format = || detect(&self.start().ok()?, Some(&self.path)).format;
        self.folder.is_some() && format().is_some_and(|format| self.is_folder_image(format))
    }

    /// Returns `true` for a folder without files that can be read.
    pub(crate) fn is_empty_folder(&self) -> bool {
        self.folder.as_ref() == Some(&self.path) && fs::read_dir(&self.path).is_ok()
    }

    /// Returns the error of a folder that is empty or cannot be listed.
    pub(crate) fn check_listable(&self) -> Result<(), Error> {
        if self.path.is_dir() {
            fs::read_dir(&self.path)?;
        }
        if self.is_empty_folder() { Err(Error::UnknownFormat) } else { Ok(()) }
    }

    /// Reads text into memory. UTF-16 and byte order marks are converted to plain UTF-8.
    pub(crate) fn text(&self, options: &ReadOptions) -> Result<Vec<u8>, Error> {
        self.check_listable()?;
        let limit = options.limits.max_input;
        let mut bytes = Vec::new();
        let most = limit.saturating_add(1);
        match self.is_stdin() {
            true => stdin()?.take(most).read_to_end(&mut bytes)?,
            false => self.reader()?.take(most).read_to_end(&mut bytes)?,
        };
        if bytes.len() as u64 > limit {
            return Err(Error::InputLimit { limit });
        }
        Ok(to_utf8(&bytes).map_err(|_| Error::Utf16)?.into_owned())
    }
}

/// Returns standard input, once.
pub(crate) fn stdin() -> io::Result<StdinLock<'static>> {
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    match IS_TAKEN.swap(true, Ordering::Relaxed) {
        true => Err(io::Error::other("standard input can be read only once")),
        false => Ok(io::stdin().lock()),
    }
}

/// Returns all files that the command line names, those of folders and archives sorted by name.
///
/// A file that cannot be read is an item too: opening it reports the reason. In folders, links to folders, links that lead out of the
/// folder, pipes, devices and names that begin with a point are skipped.
pub(crate) fn expand<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Vec<Item> {
    expand_as(paths, Archives::Folders)
}

/// The meaning of a REZ archive that the command line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Archives {
    /// A folder: all files in it.
    Folders,
    /// A file.
    Files,
    /// A file, and all files in it.
    Both,
}

/// Returns all files as [`expand`] does, with this meaning of archives.
pub(crate) fn expand_as<'p>(paths: impl IntoIterator<Item = &'p PathBuf>, archives: Archives) -> Vec<Item> {
    let mut items = Vec::new();
    for path in paths {
        // `CLAW.REZ/`, as shells complete it, is no path of a file.
        let whole: PathBuf = path.components().collect();
        let path = if is_archive(&whole) { &whole } else { path };
        if path.is_dir() {
            let before = items.len();
            walk(path, &mut items);
            if items.len() == before {
                // Reading the folder itself reports that it is empty.
                items.push(Item::in_folder(path, path));
            }
        } else {
            let is_file = archives != Archives::Folders && is_archive(path);
            if is_file {
                items.push(Item::on_disk(path.to_owned()));
            }
            if !is_file || archives == Archives::Both {
                let before = items.len();
                list_file(path, &mut items);
                // An archive that cannot be listed is an item already.
                if is_file && items.get(before).is_some_and(|item| item.path == *path) {
                    items.truncate(before);
                }
            }
        }
    }
    items
}

/// Adds the file that a path names: on disk or in an archive. Of an archive, or a folder in one, adds all files.
fn list_file(root: &Path, items: &mut Vec<Item>) {
    let opened = match is_archive(root) {
        true => ContentSource::open([root]).map(|archive| Some((archive, String::new()))),
        false => ContentSource::open_archive_in(root),
    };
    // An archive that cannot be read is reported when the path is opened.
    let Ok(Some((archive, inner))) = opened else {
        items.push(Item { is_unlisted: is_archive(root), ..Item::on_disk(root.to_owned()) });
        return;
    };
    let folder = inner.trim_end_matches('/');
    let item = |file: &str, repeated: Option<Vec<u8>>| {
        let (start, rest) = file.split_at_checked(folder.len())?;
        let rest = if folder.is_empty() { Some(rest) } else { rest.strip_prefix('/') };
        let path = root.join(rest.filter(|_| start.eq_ignore_ascii_case(folder))?);
        Some(Item {
            folder: Some(root.to_owned()),
            archive: Some((archive.clone(), file.to_owned())),
            repeated,
            ..Item::on_disk(path)
        })
    };
    let before = items.len();
    items.extend(archive.files().filter_map(|file| item(file.path(), None)));
    if items.len() > before {
        let start = |bytes: Option<&[u8]>| bytes.unwrap_or_default().iter().take(PREFIX).copied().collect();
        items.extend(archive.repeated_files().filter_map(|(file, bytes)| item(file, Some(start(bytes)))));
        // The files of the archive are sorted by name.
        items.get_mut(before..).unwrap_or_default().sort_by(|a, b| a.path_in_archive().cmp(&b.path_in_archive()));
    }
    if items.len() == before {
        items.push(Item { archive: Some((archive.clone(), inner)), ..Item::on_disk(root.to_owned()) });
    }
}

fn walk(root: &Path, items: &mut Vec<Item>) {
    let item = |path: PathBuf| Item::in_folder(path, root);
    // What is still to be looked at, the next last.
    let mut stack = vec![root.to_owned()];
    while let Some(path) = stack.pop() {
        let is_folder = path == root || fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if !is_folder {
            // Pipes and devices would keep the command waiting. A folder of strangers may link to files of others.
            let is_file = fs::metadata(&path).map_or(true, |metadata| metadata.is_file());
            if is_file && !leads_out(&path, root) {
                items.push(item(path));
            }
            continue;
        }
        let Ok(entries) = fs::read_dir(&path) else {
            items.push(item(path));
            continue;
        };
        let below: BTreeSet<PathBuf> = entries
            .filter_map(Result::ok)
            .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
            .map(|entry| entry.path())
            .collect();
        stack.extend(below.into_iter().rev());
    }
}

/// Returns `true` for a link to a file outside a folder.
fn leads_out(path: &Path, root: &Path) -> bool {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    is_link && path.canonicalize().is_ok_and(|target| root.canonicalize().is_ok_and(|root| !target.starts_with(root)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/c")).unwrap();
        for name in ["z", "b/2", "b/c/1", "a", ".hidden"] {
            fs::write(at(name), b"").unwrap();
        }
        #[cfg(unix)]
        for (target, link) in [("..", "b/up"), ("../a", "b/in"), ("/etc/passwd", "b/out"), ("lost", "lost")] {
            std::os::unix::fs::symlink(target, at(link)).unwrap();
        }
        let paths: Vec<PathBuf> = expand(&[folder.path().to_owned()]).into_iter().map(|item| item.path).collect();
        // A link to nothing is kept: opening it reports the reason.
        let expected =
            if cfg!(unix) { vec!["a", "b/2", "b/c/1", "b/in", "lost", "z"] } else { vec!["a", "b/2", "b/c/1", "z"] };
        assert_eq!(paths, expected.into_iter().map(at).collect::<Vec<_>>());
        assert_eq!(expand(&[at("missing")]), [Item::new(at("missing"))]);
    }
}
