//! Saves files atomically: after a failure, the old file is unchanged.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use crate::Error;

mapwright_io::options! {
    /// Options of saving.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SaveOptions {
        /// Replaces existing files. Otherwise saving to an existing file is an error.
        pub overwrite: bool = false, with_overwrite;
    }
}

/// Saves bytes to a path. A new file in the same folder is written and flushed to the disk. Then it replaces the old one.
///
/// A symbolic link is followed, so its target is replaced and the link stays; a dangling link counts as an existing file.
/// On Unix, only this user can read the new file until it is complete. Then it gets the permissions of the old file, without
/// setuid, setgid and the sticky bit, and its owner and group as far as allowed. If the group cannot be kept, the new group gets
/// no permissions. Without an old file, the file gets the permissions of new files in that folder. Devices and pipes are written
/// to directly.
///
/// # Errors
/// [`Error::Exists`] without [`SaveOptions::overwrite`], or [`Error::Save`]. The old file is unchanged then.
pub fn save(path: &Path, bytes: &[u8], options: SaveOptions) -> Result<(), Error> {
    save_set(&[(path, bytes)], options)
}

/// Saves the output of `write` as [`save`] does, without keeping all of it in memory.
///
/// # Errors
/// As for [`save`], and the error of `write`. The old file is unchanged then. Output to a device or pipe cannot be undone.
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
    let (mut temporary, access) = make_for(&target, old).map_err(failed)?;
    let value = buffered(temporary.file.as_file_mut(), write, failed)?;
    finish(&temporary.file, &access).map_err(failed)?;
    move_all_into_place(vec![Ready::File { temporary, target }], options)?;
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

/// Saves several files that belong together. The last one refers to the others.
///
/// All files are written completely before the first one replaces an old file, so that a full disk changes nothing. The old files are
/// replaced in order. If that fails halfway, the last, main file is still the old one.
///
/// A symbolic link in the place of the main file is followed. In the place of another file, which the caller did not name, a link counts
/// as an existing file and is replaced itself.
///
/// # Errors
/// As for [`save`]; [`Error::Save`] if one of several is a device; [`Error::SameFile`] if two of them are the same file. All files are
/// unchanged, unless replacing them failed halfway.
pub fn save_set(files: &[(&Path, &[u8])], options: SaveOptions) -> Result<(), Error> {
    let mut places = HashSet::new();
    let last = files.len().saturating_sub(1);
    for (index, &(path, _)) in files.iter().enumerate() {
        let target = if index == last { follow(path) } else { Ok(path.to_owned()) };
        let target = target.map_err(|error| Error::Save { path: path.to_owned(), error })?;
        if !places.insert(place_of(&target)) {
            return Err(Error::SameFile(path.to_owned()));
        }
    }
    let mut ready = Vec::with_capacity(files.len());
    for (index, (path, bytes)) in files.iter().enumerate() {
        let file = Ready::prepare(path, bytes, options, index == last)?;
        if files.len() > 1 && matches!(file, Ready::Device { .. }) {
            let error = io::Error::new(
                io::ErrorKind::InvalidInput,
                "several files belong together here; write them to a file of a folder",
            );
            return Err(Error::Save { path: path.to_path_buf(), error });
        }
        ready.push(file);
    }
    move_all_into_place(ready, options)
}

fn move_all_into_place(ready: Vec<Ready<'_>>, options: SaveOptions) -> Result<(), Error> {
    let mut folders: Vec<PathBuf> = ready.iter().filter_map(Ready::folder).collect();
    folders.sort();
    folders.dedup();
    for file in ready {
        file.move_into_place(options)?;
    }
    // New names are on the disk only after their folders are flushed. Not every system supports that.
    for folder in folders {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// The kind of a path to save to.
enum Place {
    /// A file or nothing, after links are followed, with the metadata of the file.
    File {
        target: PathBuf,
        old: Option<fs::Metadata>,
    },
    Device,
}

impl Place {
    fn find(path: &Path, options: SaveOptions) -> Result<Self, Error> {
        let failed = |error| Error::Save { path: path.to_owned(), error };
        // Links to pipes in /dev cannot be followed by name.
        if fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
            return Ok(Self::Device);
        }
        let target = follow(path).map_err(failed)?;
        match fs::metadata(&target) {
            Ok(old) if old.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(_) if !options.overwrite => Err(Error::Exists(path.to_owned())),
            Ok(old) => Ok(Self::File { target, old: Some(old) }),
            // Somebody else may have created the dangling link, to redirect the output.
            Err(error) if error.kind() == io::ErrorKind::NotFound && target != path && !options.overwrite => {
                Err(Error::Exists(path.to_owned()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::File { target, old: None }),
            Err(error) => Err(failed(error)),
        }
    }
}

/// A file that is written, but has not yet replaced the old one.
enum Ready<'a> {
    File { temporary: Temporary, target: PathBuf },
    Device { path: &'a Path, bytes: &'a [u8] },
}

impl<'a> Ready<'a> {
    fn prepare(path: &'a Path, bytes: &'a [u8], options: SaveOptions, is_main: bool) -> Result<Self, Error> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let place = match is_link && !is_main {
            true if options.overwrite => Place::File { target: path.to_owned(), old: None },
            true => return Err(Error::Exists(path.to_owned())),
            false => Place::find(path, options)?,
        };
        let Place::File { target, old } = place else {
            return Ok(Self::Device { path, bytes });
        };
        let write = || {
            let (mut temporary, access) = make_for(&target, old)?;
            temporary.file.as_file_mut().write_all(bytes)?;
            finish(&temporary.file, &access)?;
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

    fn move_into_place(self, options: SaveOptions) -> Result<(), Error> {
        match self {
            Self::Device { path, bytes } => {
                let written = File::options().write(true).open(path).and_then(|mut device| device.write_all(bytes));
                written.map_err(|error| Error::Save { path: path.to_owned(), error })
            }
            Self::File { temporary, target } => {
                let Temporary { file, path: _path } = temporary;
                let put = if options.overwrite {
                    file.persist(&target)
                } else {
                    // Another process may have created the file in the meantime.
                    match file.persist_noclobber(&target) {
                        // File systems such as exFAT support neither this nor links.
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

/// A new file beside the one that it will replace.
struct Temporary {
    file: NamedTempFile,
    path: TemporaryPath,
}

/// The paths of all temporary files.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The path of a temporary file. It is listed as long as the file may exist.
struct TemporaryPath(PathBuf);

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        temporary().remove(&self.0);
    }
}

fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes incomplete files, for a process that is about to end, for example because of a signal.
///
/// Nothing can be saved afterwards: a thread that tries blocks forever. If another thread needs more than a second to create a file, as
/// in a network folder that does not respond, nothing is removed.
pub fn abandon_saves() {
    let start = Instant::now();
    let temporary = loop {
        match TEMPORARY.try_lock() {
            Ok(temporary) => break temporary,
            Err(TryLockError::Poisoned(error)) => break error.into_inner(),
            Err(TryLockError::WouldBlock) if start.elapsed() >= Duration::from_secs(1) => return,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
        }
    };
    for path in temporary.iter() {
        // It may have been renamed already.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(temporary);
}

/// The permissions of a complete file.
enum Access {
    Old(fs::Metadata),
    New(fs::Permissions),
}

/// Creates the file to be written, and determines its final permissions.
fn make_for(target: &Path, old: Option<fs::Metadata>) -> io::Result<(Temporary, Access)> {
    let access = match old {
        Some(old) => Access::Old(old),
        // An empty file shows the permissions of new files here. The umask cannot be read without setting it, and it does not apply
        // to folders with an access control list for new files.
        None => Access::New(make_beside(target, 0o666)?.file.as_file().metadata()?.permissions()),
    };
    Ok((make_beside(target, 0o600)?, access))
}

/// Creates an empty file with at most the permissions of `mode`, which applies only on Unix.
fn make_beside(target: &Path, mode: u32) -> io::Result<Temporary> {
    // No file is created while all are being removed.
    let mut paths = temporary();
    // Errors refer to the file itself. Other functions would add the temporary name, which nobody knows.
    let create = |path: &Path| {
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        with_mode(&mut options, mode).open(path)
    };
    let file = tempfile::Builder::new().prefix(".mapwright-").make_in(folder_of(target), create)?;
    paths.insert(file.path().to_owned());
    Ok(Temporary { path: TemporaryPath(file.path().to_owned()), file })
}

#[cfg(unix)]
fn with_mode(options: &mut fs::OpenOptions, mode: u32) -> &mut fs::OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, mode)
}

#[cfg(not(unix))]
fn with_mode(options: &mut fs::OpenOptions, _: u32) -> &mut fs::OpenOptions {
    options
}

/// Gives a complete file its owner and permissions, and flushes it to the disk.
fn finish(temporary: &NamedTempFile, access: &Access) -> io::Result<()> {
    let file = temporary.as_file();
    let permissions = match access {
        Access::Old(old) => {
            let keeps_group = keep_owner(file, old);
            without_special_bits(&old.permissions(), keeps_group)
        }
        Access::New(permissions) => without_special_bits(permissions, true),
    };
    file.set_permissions(permissions)?;
    file.sync_all()
}

/// Returns permissions without setuid, setgid and the sticky bit, because nobody has checked the new content. A group other than the one
/// that the permissions are for gets none.
#[cfg(unix)]
fn without_special_bits(permissions: &fs::Permissions, keeps_group: bool) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(permissions.mode() & if keeps_group { 0o777 } else { 0o707 })
}

#[cfg(not(unix))]
fn without_special_bits(permissions: &fs::Permissions, _: bool) -> fs::Permissions {
    permissions.clone()
}

/// Gives the new file the owner and group of the old one, if this user may do that. Returns `true` if it has the group.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let Ok(new) = file.metadata() else { return false };
    (new.uid(), new.gid()) == (old.uid(), old.gid())
        || fchown(file, Some(old.uid()), Some(old.gid())).is_ok()
        || new.gid() == old.gid()
        || fchown(file, None, Some(old.gid())).is_ok()
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> bool {
    true
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the folder and the name of a file. Names that some file systems do not distinguish are equal.
fn place_of(path: &Path) -> (PathBuf, OsString) {
    let folder = folder_of(path);
    let name = path.file_name().unwrap_or_default();
    let name = name.to_str().map_or_else(|| name.to_owned(), |name| name.to_lowercase().into());
    (folder.canonicalize().unwrap_or_else(|_| folder.to_owned()), name)
}

/// Follows the symbolic links of a path, even if the target does not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    /// The limit of Linux.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            // Not a link, or no file.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_fails_halfway_keeps_the_main_file() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second, main] = ["first", "second", "main"].map(|name| folder.path().join(name));
        fs::write(&main, b"old").unwrap();
        let options = SaveOptions::default().with_overwrite(true);
        let ready = [&first, &second, &main].map(|path| Ready::prepare(path, b"new", options, true).unwrap());
        // Another process creates a folder with that name.
        fs::create_dir(&second).unwrap();
        assert!(matches!(move_all_into_place(ready.into(), options), Err(Error::Save { path, .. }) if path == second));
        assert_eq!((fs::read(&first).unwrap(), fs::read(&main).unwrap()), (b"new".to_vec(), b"old".to_vec()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no temporary file stays");
    }

    #[test]
    fn abandoning_saves_does_not_wait_for_a_file_that_is_never_created() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map");
        let (sender, receiver) = std::sync::mpsc::channel();
        let creating = temporary();
        thread::spawn(move || {
            abandon_saves();
            sender.send(()).unwrap();
        });
        let ended = receiver.recv_timeout(Duration::from_secs(60));
        drop(creating);
        ended.unwrap();
        save(&path, b"new", SaveOptions::default()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn files_are_private_until_they_are_complete() {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        let folder = tempfile::tempdir().unwrap();
        let [target, plain] = ["target", "plain"].map(|name| folder.path().join(name));
        fs::write(&plain, b"").unwrap();
        let save = || {
            save_with(&target, SaveOptions::default().with_overwrite(true), |out| {
                out.write_all(b"new").and_then(|()| out.flush()).unwrap();
                let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
                let hidden = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b".mapwright-"));
                Ok::<_, Error>(hidden.map(|entry| mode(&entry.path())).collect::<Vec<_>>())
            })
        };
        assert_eq!((save().unwrap(), mode(&target)), (vec![0o600], mode(&plain)));
        fs::set_permissions(&target, fs::Permissions::from_mode(0o7750)).unwrap();
        assert_eq!((save().unwrap(), mode(&target)), (vec![0o600], 0o750));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn another_group_gets_no_permissions() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        for (mode, kept, other) in [(0o660, 0o660, 0o600), (0o7775, 0o775, 0o705), (0o100_644, 0o644, 0o604)] {
            let mode_of = |keeps_group| without_special_bits(&fs::Permissions::from_mode(mode), keeps_group).mode();
            assert_eq!((mode_of(true), mode_of(false)), (kept, other), "{mode:o}");
        }
        let file = tempfile::tempfile().unwrap();
        assert!(keep_owner(&file, &file.metadata().unwrap()));
        // Most users may not give files to the group of this folder.
        let root = fs::metadata("/").unwrap();
        assert_eq!(keep_owner(&file, &root), file.metadata().unwrap().gid() == root.gid());
    }

    #[cfg(unix)]
    #[test]
    fn dangling_links_are_followed_only_with_overwrite() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target] = ["link", "target"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("target", &link).unwrap();
        let saved = save(&link, b"new", SaveOptions::default());
        assert!(matches!(saved, Err(Error::Exists(path)) if path == link) && !target.exists());
        save(&link, b"new", SaveOptions::default().with_overwrite(true)).unwrap();
        assert_eq!((fs::read(&target).unwrap(), link.is_symlink()), (b"new".to_vec(), true));
    }
}
