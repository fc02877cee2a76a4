//! Saving so that a failure leaves the old file as it was.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::Error;

/// How to save.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SaveOptions {
    /// Whether a file that exists is replaced. Without it saving there fails.
    pub overwrite: bool,
}

impl SaveOptions {
    /// Changes [`overwrite`](Self::overwrite).
    #[must_use]
    pub fn with_overwrite(mut self, overwrite: bool) -> Self {
        self.overwrite = overwrite;
        self
    }
}

/// Saves bytes to a path: as a new file in the same folder, flushed to the disk, which then takes the old one's place.
///
/// A symbolic link is followed, so its target is replaced and the link stays. The permissions and, as far as allowed, the
/// owner of the old file are kept; a new file gets those that the process gives new files. Devices and pipes are written to
/// directly.
///
/// # Errors
/// [`Error::Exists`] without [`SaveOptions::overwrite`], or [`Error::Save`]; the old file is then as it was.
pub fn save(path: &Path, bytes: &[u8], options: SaveOptions) -> Result<(), Error> {
    save_set(&[(path, bytes)], options)
}

/// Saves what `write` writes, as [`save`] does, without having all of it in memory.
///
/// # Errors
/// As [`save`], and that of `write`: then the old file is as it was. What was written to a device or pipe stays.
pub fn save_with<T, E: From<Error>>(
    path: &Path,
    options: SaveOptions,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let failed = |error| E::from(Error::Save { path: path.to_owned(), error });
    let Place::File { target, old } = Place::find(path, options)? else {
        let device = File::options().write(true).open(path).map_err(failed)?;
        return buffered(&device, write, failed);
    };
    let mut temporary = make_beside(&target).map_err(failed)?;
    let value = buffered(temporary.file.as_file_mut(), write, failed)?;
    finish(&temporary.file, old.as_ref()).map_err(failed)?;
    put_all(vec![Ready::File { temporary, target }], options)?;
    Ok(value)
}

fn buffered<T, E>(
    file: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    failed: impl Fn(io::Error) -> E,
) -> Result<T, E> {
    let mut file = io::BufWriter::with_capacity(1 << 16, file);
    let value = write(&mut file)?;
    file.flush().map_err(failed)?;
    Ok(value)
}

/// Saves several files that belong together, the last of which names the others.
///
/// All are written beside their places before the first is put there, so that a full disk changes nothing. They are put
/// there in order: should that fail halfway, the last, main file is still the old one.
///
/// # Errors
/// As [`save`], [`Error::Save`] where one of several is a device, and [`Error::SameFile`] where two of them are one file. No file has changed unless putting them in place
/// failed halfway.
pub fn save_set(files: &[(&Path, &[u8])], options: SaveOptions) -> Result<(), Error> {
    let mut places = HashSet::new();
    for &(path, _) in files {
        let target = follow(path).map_err(|error| Error::Save { path: path.to_owned(), error })?;
        if !places.insert(place_of(&target)) {
            return Err(Error::SameFile(path.to_owned()));
        }
    }
    let mut ready = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let file = Ready::prepare(path, bytes, options)?;
        if files.len() > 1 && matches!(file, Ready::Device { .. }) {
            let error = io::Error::new(
                io::ErrorKind::InvalidInput,
                "several files belong together here; write them to a file of a folder",
            );
            return Err(Error::Save { path: path.to_path_buf(), error });
        }
        ready.push(file);
    }
    put_all(ready, options)
}

fn put_all(ready: Vec<Ready<'_>>, options: SaveOptions) -> Result<(), Error> {
    let mut folders: Vec<PathBuf> = ready.iter().filter_map(Ready::folder).collect();
    folders.sort();
    folders.dedup();
    for file in ready {
        file.put_in_place(options)?;
    }
    // The new names are on the disk only when their folders are. Not every system can do that.
    for folder in folders {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// What stands where something is to be saved.
enum Place {
    /// A file or nothing: where links lead to, and what is there.
    File {
        target: PathBuf,
        old: Option<fs::Metadata>,
    },
    Device,
}

impl Place {
    fn find(path: &Path, options: SaveOptions) -> Result<Self, Error> {
        let failed = |error| Error::Save { path: path.to_owned(), error };
        // The links to pipes in /dev lead nowhere that can be followed by name.
        if fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
            return Ok(Self::Device);
        }
        let target = follow(path).map_err(failed)?;
        match fs::metadata(&target) {
            Ok(old) if old.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(_) if !options.overwrite => Err(Error::Exists(path.to_owned())),
            Ok(old) => Ok(Self::File { target, old: Some(old) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::File { target, old: None }),
            Err(error) => Err(failed(error)),
        }
    }
}

/// A file that is written, but not yet in its place.
enum Ready<'a> {
    File { temporary: Temporary, target: PathBuf },
    Device { path: &'a Path, bytes: &'a [u8] },
}

impl<'a> Ready<'a> {
    fn prepare(path: &'a Path, bytes: &'a [u8], options: SaveOptions) -> Result<Self, Error> {
        let Place::File { target, old } = Place::find(path, options)? else {
            return Ok(Self::Device { path, bytes });
        };
        let write = || {
            let mut temporary = make_beside(&target)?;
            temporary.file.as_file_mut().write_all(bytes)?;
            finish(&temporary.file, old.as_ref())?;
            Ok(temporary)
        };
        let temporary = write().map_err(|error| Error::Save { path: path.to_owned(), error })?;
        Ok(Self::File { temporary, target })
    }

    fn folder(&self) -> Option<PathBuf> {
        match self {
            Self::File { target, .. } => Some(folder_of(target).to_owned()),
            Self::Device { .. } => None,
        }
    }

    fn put_in_place(self, options: SaveOptions) -> Result<(), Error> {
        match self {
            Self::Device { path, bytes } => {
                let written = File::options().write(true).open(path).and_then(|mut device| device.write_all(bytes));
                written.map_err(|error| Error::Save { path: path.to_owned(), error })
            }
            Self::File { temporary, target } => {
                let Temporary { file, known: _known } = temporary;
                let put = if options.overwrite {
                    file.persist(&target)
                } else {
                    // Somebody may have made the file in the meantime.
                    match file.persist_noclobber(&target) {
                        // File systems as exFAT can neither do that nor link.
                        Err(error) if !target.exists() => error.file.persist(&target),
                        put => put,
                    }
                };
                match put {
                    Ok(_) => Ok(()),
                    Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(Error::Exists(target)),
                    Err(error) => Err(Error::Save { path: target, error: error.error }),
                }
            }
        }
    }
}

/// A new file beside the one that it becomes.
struct Temporary {
    file: NamedTempFile,
    known: Known,
}

/// The temporary files that there are.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file of them, as long as it may be there.
struct Known(PathBuf);

impl Drop for Known {
    fn drop(&mut self) {
        temporary().remove(&self.0);
    }
}

fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is only half saved, for a process that ends now, as one that is told to by a signal: nothing can be saved
/// afterwards, whoever tries waits for ever.
pub fn abandon_saves() {
    let temporary = temporary();
    for path in temporary.iter() {
        // It may be in its place already.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(temporary);
}

fn make_beside(target: &Path) -> io::Result<Temporary> {
    // None is made while all are removed.
    let mut known = temporary();
    // Made as any new file, with the permissions that the umask leaves. Errors are those of the file itself: the other ways
    // to make it and to write to it add its name, which nobody knows.
    let made = tempfile::Builder::new().prefix(".mapwright-").make_in(folder_of(target), |path| File::create_new(path));
    let file = made?;
    known.insert(file.path().to_owned());
    Ok(Temporary { known: Known(file.path().to_owned()), file })
}

/// Gives a file that is written what the old one has, and sees it to the disk.
fn finish(temporary: &NamedTempFile, old: Option<&fs::Metadata>) -> io::Result<()> {
    if let Some(old) = old {
        keep_owner(temporary.as_file(), old);
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()
}

/// Gives the new file to the owner of the old one, where this user may.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let differs = file.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid()));
    if differs && fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        let _ = fchown(file, None, Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The folder and the name of a file, alike for names that some file systems take for one.
fn place_of(path: &Path) -> (PathBuf, OsString) {
    let folder = folder_of(path);
    let name = path.file_name().unwrap_or_default();
    let name = name.to_str().map_or_else(|| name.to_owned(), |name| name.to_lowercase().into());
    (folder.canonicalize().unwrap_or_else(|_| folder.to_owned()), name)
}

/// Where a path leads through symbolic links, also when nothing is there.
fn follow(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            // Not a link, or nothing at all.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_fails_halfway_leaves_the_main_file() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second, main] = ["first", "second", "main"].map(|name| folder.path().join(name));
        fs::write(&main, b"old").unwrap();
        let options = SaveOptions::default().with_overwrite(true);
        let ready = [&first, &second, &main].map(|path| Ready::prepare(path, b"new", options).unwrap());
        // Somebody else makes a folder of that name.
        fs::create_dir(&second).unwrap();
        assert!(matches!(put_all(ready.into(), options), Err(Error::Save { path, .. }) if path == second));
        assert_eq!((fs::read(&first).unwrap(), fs::read(&main).unwrap()), (b"new".to_vec(), b"old".to_vec()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no temporary file stays");
    }
}
