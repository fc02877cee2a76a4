//! Files in and below a folder that the user names.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use mapwright_interchange::FileError;

/// Maximum number of files and folders. Games have about ten thousand.
const MAX_ENTRIES: usize = 1 << 20;
/// Maximum size of a file in bytes. The largest image that is decoded takes 96 MiB in the least efficient encoding.
const MAX_BYTES: u64 = 128 << 20;

/// Returns the paths of all files below a folder, relative to it and with `/`. Links to folders and to files outside of the folder are
/// not followed.
pub(crate) fn files_below(root: &Path) -> io::Result<BTreeSet<String>> {
    match search_below(root, MAX_ENTRIES, usize::MAX)? {
        (files, true) => Ok(files),
        _ => Err(io::Error::other(format!("it contains more than {MAX_ENTRIES} files and folders"))),
    }
}

/// Returns the paths of files below a folder as [`files_below`] does, from at most `max_entries` files and folders, and at most
/// `max_depth` folders deep. The nearest files come first. The result is `false` if there are more.
pub(crate) fn search_below(root: &Path, max_entries: usize, max_depth: usize) -> io::Result<(BTreeSet<String>, bool)> {
    let mut files = BTreeSet::new();
    let mut left = max_entries;
    let mut is_complete = true;
    // Folders that remain to be searched, with their paths below the root and their depth.
    let mut folders = VecDeque::from([(root.to_owned(), String::new(), 0_usize)]);
    while let Some((folder, above, depth)) = folders.pop_front() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if above.is_empty() => return Err(error),
            // Skip an unreadable folder: its files are reported as missing when they are needed.
            Err(_) => continue,
        };
        for entry in entries.filter_map(Result::ok) {
            let Some(rest) = left.checked_sub(1) else { return Ok((files, false)) };
            left = rest;
            // The names of games are ASCII. A level cannot refer to a name that is not UTF-8.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = above.clone() + &name;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if depth < max_depth {
                    folders.push_back((entry.path(), path + "/", depth.saturating_add(1)));
                } else {
                    is_complete = false;
                }
                continue;
            }
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if !is_link || find(root, &path).is_ok() {
                files.insert(path);
            }
        }
    }
    Ok((files, is_complete))
}

/// Reads a file below a folder. Links that lead out of the folder are not followed.
pub(crate) fn read(root: &Path, path: &str) -> io::Result<Vec<u8>> {
    let path = find(root, path)?;
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    read_at_most(file, size, MAX_BYTES)
}

/// Reads a file of about `size` bytes to its end. The file may grow while it is read.
fn read_at_most(file: impl Read, size: u64, max: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::other(format!("larger than {max} bytes"));
    let capacity = usize::try_from(size).ok().filter(|_| size <= max).ok_or_else(too_large)?;
    let mut bytes = Vec::with_capacity(capacity);
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max { Err(too_large()) } else { Ok(bytes) }
}

fn find(root: &Path, path: &str) -> io::Result<PathBuf> {
    let found = find_below(&root.canonicalize()?, Path::new(path));
    found.map(|below| root.join(below)).map_err(io::Error::other)
}

/// The number of links that are followed in one path, as on Linux.
const MAX_LINKS: usize = 40;

/// Resolves a relative path below a folder and returns the path of the file below the folder, without links. `root` must be canonical.
///
/// Each component is looked at on its own. A link that leads out of the folder ends the search before the system sees the
/// target. Looking at a link to a network share is enough to send credentials there.
pub(crate) fn find_below(root: &Path, path: &Path) -> Result<PathBuf, FileError> {
    let mut at = root.to_owned();
    let mut parts = VecDeque::new();
    let mut links = 0_usize;
    push_front(&mut parts, path);
    while let Some(part) = parts.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        if !at.starts_with(root) {
            // A link led above the root, and the path leads back. The folders above have no links in their names.
            if !root.starts_with(&next) {
                return Err(FileError::Outside);
            }
            at = next;
            continue;
        }
        let metadata = fs::symlink_metadata(&next).map_err(|_| FileError::NotFound)?;
        if !metadata.is_symlink() {
            at = next;
            continue;
        }
        links = links.saturating_add(1);
        let target = fs::read_link(&next).ok().filter(|_| links <= MAX_LINKS).ok_or(FileError::NotFound)?;
        if target.has_root() || matches!(target.components().next(), Some(Component::Prefix(_))) {
            let is_same_disk = root.components().next() == target.components().next();
            at = root.ancestors().last().filter(|_| is_same_disk).ok_or(FileError::Outside)?.to_owned();
        }
        push_front(&mut parts, &target);
    }
    let below = at.strip_prefix(root).map_err(|_| FileError::Outside)?.to_owned();
    // Reading a pipe or device would never end.
    let is_file = fs::symlink_metadata(&at).is_ok_and(|metadata| metadata.is_file());
    if is_file { Ok(below) } else { Err(FileError::NotFound) }
}

/// Puts the components of a path before the remaining ones, without the root.
fn push_front(parts: &mut VecDeque<OsString>, path: &Path) {
    for component in path.components().rev() {
        if let Component::Normal(_) | Component::ParentDir = component {
            parts.push_front(component.as_os_str().to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_keep_the_nearest_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b/c")).unwrap();
        for path in ["1", "a/2", "a/b/3", "a/b/c/4"] {
            fs::write(folder.path().join(path), b"").unwrap();
        }
        let search = |entries, depth| {
            let (files, is_complete) = search_below(folder.path(), entries, depth).unwrap();
            (files.into_iter().collect::<Vec<_>>(), is_complete)
        };
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(search(7, 3), (named(&["1", "a/2", "a/b/3", "a/b/c/4"]), true));
        assert_eq!(search(7, 1), (named(&["1", "a/2"]), false));
        assert_eq!(search(4, 3), (named(&["1", "a/2"]), false));
    }

    #[test]
    fn folders_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        fs::write(folder.path().join("1.PID"), b"bytes").unwrap();
        assert!(read(folder.path(), "sub").is_err());
        assert_eq!(read(folder.path(), "1.PID").unwrap(), b"bytes");
    }

    #[test]
    fn files_that_grow_are_read_to_their_end_or_rejected() {
        let read = |size| read_at_most(&b"bytes"[..], size, 5).map_err(|error| error.to_string());
        assert_eq!(read(3).as_deref(), Ok(&b"bytes"[..]));
        assert_eq!(read(6), Err("larger than 5 bytes".to_owned()));
        let grown = read_at_most(&b"bytes"[..], 3, 4).map_err(|error| error.to_string());
        assert_eq!(grown, Err("larger than 4 bytes".to_owned()));
    }

    #[test]
    #[cfg(unix)]
    fn links_that_leave_the_folder_are_not_followed() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().canonicalize().unwrap().join("level");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/file"), b"inside").unwrap();
        fs::write(outer.path().join("secret"), b"outside").unwrap();
        let inside = ["a/b/file", "../level/a/b/file", "./a/../a/b/file"].map(PathBuf::from);
        for (number, target) in inside.iter().chain([&root.join("a/b/file")]).enumerate() {
            symlink(target, root.join(format!("in{number}"))).unwrap();
            let found = find_below(&root, Path::new(&format!("in{number}")));
            assert_eq!(found, Ok(PathBuf::from("a/b/file")), "{}", target.display());
        }
        symlink("b", root.join("a/folder")).unwrap();
        assert_eq!(find_below(&root, Path::new("a/folder/file")), Ok(PathBuf::from("a/b/file")));
        let outside = ["../secret", "a/b/../../../secret", "/etc/passwd", "../..", "/"];
        for (number, target) in outside.iter().enumerate() {
            symlink(target, root.join(format!("out{number}"))).unwrap();
            let found = find_below(&root, Path::new(&format!("out{number}")));
            assert_eq!(found, Err(FileError::Outside), "{target}");
        }
        symlink("loop", root.join("loop")).unwrap();
        assert_eq!(find_below(&root, Path::new("loop")), Err(FileError::NotFound));
        assert_eq!(find_below(&root, Path::new("a/b")), Err(FileError::NotFound));
        assert_eq!(find_below(&root, Path::new("missing/file")), Err(FileError::NotFound));
    }
}
