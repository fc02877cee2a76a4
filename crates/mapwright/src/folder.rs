//! What is in a folder that the user names.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Files and folders that are looked at. The games have some ten thousand.
const MOST_ENTRIES: usize = 1 << 20;
/// Bytes of a file. The largest picture that is decoded, packed as badly as can be, has 96 MiB.
const MOST_BYTES: u64 = 128 << 20;

/// The paths below a folder, with `/`, of the files in it and below whose extension is wanted, in any case. Links to folders are
/// not followed.
pub(crate) fn files_below(root: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    let mut left = MOST_ENTRIES;
    // Folders that are still to be looked into, with their paths below the root.
    let mut folders = vec![(root.to_owned(), String::new())];
    while let Some((folder, above)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if above.is_empty() => return Err(error),
            // What it holds is missing then, and said to be where somebody asks for it.
            Err(_) => continue,
        };
        for entry in entries.filter_map(Result::ok) {
            left = left.checked_sub(1).ok_or_else(|| {
                io::Error::other(format!("it has more than {MOST_ENTRIES} files and folders in it and below"))
            })?;
            // The names of the games are ASCII.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = above.clone() + &name;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push((entry.path(), path + "/"));
                continue;
            }
            if extension(&name).is_some_and(|extension| is_wanted(&extension)) {
                files.insert(path);
            }
        }
    }
    Ok(files)
}

/// The extension of a name, in lower case.
pub(crate) fn extension(name: &str) -> Option<String> {
    Path::new(name).extension()?.to_str().map(str::to_ascii_lowercase)
}

/// A file of bounded size. What is none, as a pipe, would keep waiting.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() || metadata.len() > MOST_BYTES {
        return Err(io::Error::other(format!("no file of at most {MOST_BYTES} bytes")));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).is_err());
        fs::write(folder.path().join("1.PID"), b"bytes").unwrap();
        assert_eq!(read(&folder.path().join("1.PID")).unwrap(), b"bytes");
    }
}
