//! Files in and below a folder that the user names.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use mapwright_scene::FileError;

/// Maximum number of files and folders. Games have about ten thousand.
const MAX_ENTRIES: usize = 1 << 20;
/// Maximum size of a file in bytes. The largest image that is decoded takes 96 MiB in the least efficient encoding.
const MAX_BYTES: u64 = 128 << 20;

/// The links in a folder that are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Links {
    /// Links to files in the folder. Those that lead out of it are listed, but cannot be read.
    #[default]
    ToFilesInside,
    /// All links to files and folders that are not on a network.
    All,
}

/// Returns the paths of all files below a folder, relative to it and with `/`.
pub(crate) fn files_below(root: &Path, links: Links) -> io::Result<BTreeSet<String>> {
    match search_below(root, MAX_ENTRIES, usize::MAX, links)? {
        (files, true) => Ok(files),
        _ => Err(io::Error::other(format!("it contains more than {MAX_ENTRIES} files and folders"))),
    }
}

/// Returns the paths of files below a folder as [`files_below`] does, from at most `max_entries` files and folders, and at most
/// `max_depth` folders deep. The nearest files come first. The result is `false` if there are more.
pub(crate) fn search_below(
    root: &Path,
    max_entries: usize,
    max_depth: usize,
    links: Links,
) -> io::Result<(BTreeSet<String>, bool)> {
    let mut files = BTreeSet::new();
    // The targets of links to folders. Each is searched once, so that cycles end.
    let mut targets = HashSet::new();
    let mut left = max_entries;
    let mut is_complete = true;
    let canonical = root.canonicalize().ok();
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
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let is_followed = is_link && links == Links::All;
            let target = if is_followed { follow(&entry.path()) } else { None };
            let is_folder = match &target {
                Some(target) => target.is_dir(),
                None => entry.file_type().is_ok_and(|kind| kind.is_dir()),
            };
            if is_folder {
                if target.is_some_and(|target| is_above(&target, root) || !targets.insert(target)) {
                    continue;
                }
                if depth < max_depth {
                    folders.push_back((entry.path(), path + "/", depth.saturating_add(1)));
                } else {
                    is_complete = false;
                }
                continue;
            }
            let is_file = match (is_link, links) {
                (false, _) => true,
                (true, Links::ToFilesInside) => {
                    let target = find_below(canonical.as_deref().unwrap_or(root), Path::new(&path));
                    matches!(target, Ok(_) | Err(FileError::Outside))
                }
                (true, Links::All) => target.is_some_and(|target| target.is_file()),
            };
            if is_file {
                files.insert(path);
            }
        }
    }
    Ok((files, is_complete))
}

/// Returns the target of a link without links. Returns `None` for links to nothing and to a network.
fn follow(link: &Path) -> Option<PathBuf> {
    let target = fs::read_link(link).ok()?;
    if target.to_string_lossy().starts_with(r"\\") {
        return None;
    }
    link.canonicalize().ok()
}

/// Returns `true` if a folder without links in its path is another one or above it.
fn is_above(folder: &Path, other: &Path) -> bool {
    other.canonicalize().is_ok_and(|other| other.starts_with(folder))
}

/// Reads a file below a folder.
pub(crate) fn read(root: &Path, path: &str, links: Links) -> io::Result<Vec<u8>> {
    let path = match links {
        Links::ToFilesInside => find(root, path)?,
        Links::All => root.join(path),
    };
    // Reading a pipe or device would never end.
    if !fs::metadata(&path)?.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
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
            let (files, is_complete) = search_below(folder.path(), entries, depth, Links::ToFilesInside).unwrap();
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
        for links in [Links::ToFilesInside, Links::All] {
            assert!(read(folder.path(), "sub", links).is_err());
            assert_eq!(read(folder.path(), "1.PID", links).unwrap(), b"bytes");
        }
    }

    #[test]
    #[cfg(unix)]
    fn links_out_of_the_folder_are_followed_only_on_request_and_cycles_end() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let at = |path: &str| outer.path().join(path);
        for (path, bytes) in [("game/1", "own"), ("other/2", "two"), ("other/sub/3", "three")] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), bytes).unwrap();
        }
        for (target, link) in [
            ("../other/2", "game/file"),
            ("../other", "game/folder"),
            ("..", "game/up"),
            (".", "game/same"),
            ("../game", "other/back"),
            ("../other", "other/own"),
            ("nothing", "game/lost"),
            ("/dev/zero", "game/device"),
        ] {
            symlink(target, at(link)).unwrap();
        }
        let files = |links| files_below(&at("game"), links).unwrap().into_iter().collect::<Vec<_>>();
        assert_eq!(files(Links::ToFilesInside), ["1", "device", "file", "folder", "up"]);
        assert_eq!(files(Links::All), ["1", "file", "folder/2", "folder/sub/3"]);
        for (path, bytes) in [("file", "two"), ("folder/sub/3", "three")] {
            assert_eq!(read(&at("game"), path, Links::All).unwrap(), bytes.as_bytes());
            assert!(read(&at("game"), path, Links::ToFilesInside).is_err());
        }
        for path in ["device", "folder", "up"] {
            let error = read(&at("game"), path, Links::ToFilesInside).unwrap_err();
            assert_eq!(error.to_string(), FileError::Outside.to_string());
        }
        assert!(read(&at("game"), "device", Links::All).is_err());
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
