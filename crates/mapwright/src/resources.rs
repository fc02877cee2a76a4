//! The files that a file only names.

use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mapwright_interchange::FileSource;

use crate::ReadOptions;

/// Gives the files that stand beside a file.
///
/// What a file names is not to be trusted: from its own folder and those below any file is given, from elsewhere only
/// pictures, for which see [`find_picture`].
#[derive(Debug)]
pub struct FilesBeside {
    path: Option<PathBuf>,
    max_bytes: u64,
    loaded: Mutex<Vec<PathBuf>>,
}

impl FilesBeside {
    /// The files beside the file that the options say is read.
    pub fn new(options: &ReadOptions) -> Self {
        Self { path: options.path.clone(), max_bytes: options.limits.max_input, loaded: Mutex::default() }
    }

    /// The files that were given, in that order.
    pub fn into_loaded(self) -> Vec<PathBuf> {
        self.loaded.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        let path = self.path.as_deref()?;
        let relative = Path::new(name);
        let inside = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let folder = path.parent().unwrap_or(Path::new("")).join(".");
        let beside = folder.join(relative);
        // A link may lead out of the folder.
        let leads_inside = || match (beside.canonicalize(), folder.canonicalize()) {
            (Ok(beside), Ok(folder)) => beside.starts_with(folder),
            _ => false,
        };
        if inside && beside.is_file() && leads_inside() { Some(beside) } else { find_picture(name, path) }
    }
}

impl FileSource for FilesBeside {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.find(name)?;
        let is_small = std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= self.max_bytes);
        let bytes = if is_small { std::fs::read(&path).ok() } else { None }?;
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).push(path);
        Some(bytes)
    }
}

/// Looks for a picture as Wings 3D does: at the path as it is spelled; then, from the folder of the file and from the current
/// one, at the whole path, at the path without its first part, and so on down to the bare name.
///
/// `None` if it is nowhere, or what is there is no picture: a file says any path, and what is found goes into what is
/// written.
pub fn find_picture(spelled: &str, file: &Path) -> Option<PathBuf> {
    let candidates = candidates(spelled, file);
    candidates.into_iter().find(|path| path.is_file() && is_picture(path))
}

fn candidates(spelled: &str, file: &Path) -> Vec<PathBuf> {
    // Paths of Windows, elsewhere than there, lose their drive.
    let path = spelled.replace('\\', "/");
    let path = match path.as_bytes() {
        [drive, b':', ..] if drive.is_ascii_alphabetic() && !cfg!(windows) => path.get(2..).unwrap_or_default(),
        _ => &path,
    };
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut all = vec![PathBuf::from(path)];
    for base in [folder, Path::new("")] {
        for skipped in 0..parts.len() {
            all.push(base.join(parts.get(skipped..).unwrap_or_default().iter().collect::<PathBuf>()));
        }
    }
    all
}

/// Whether a file begins as pictures do. TGA has no mark: its name must do.
fn is_picture(path: &Path) -> bool {
    use std::io::Read;
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(12).read_to_end(&mut start));
    let is_tga = || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"));
    read.is_ok()
        && match *start {
            [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, 0xff, ..] | [b'B', b'M', ..] | [b'G', b'I', b'F', b'8', ..] => {
                true
            }
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => true,
            _ => is_tga(),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_io::Limits;

    #[test]
    fn pictures_are_looked_for_as_wings_does() {
        let all = candidates("c:\\art\\tex\\a.png", Path::new("models/cube.wings"));
        let expected = [
            "/art/tex/a.png",
            "models/art/tex/a.png",
            "models/tex/a.png",
            "models/a.png",
            "art/tex/a.png",
            "tex/a.png",
            "a.png",
        ];
        if cfg!(not(windows)) {
            assert_eq!(all, expected.map(PathBuf::from));
        }
    }

    #[test]
    fn only_pictures_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cube.wings");
        std::fs::create_dir(folder.path().join("tex")).unwrap();
        std::fs::write(folder.path().join("tex/a.png"), b"\x89PNG\r\n\x1a\n").unwrap();
        std::fs::write(folder.path().join("secret"), b"root:x:0:0").unwrap();
        assert_eq!(find_picture("/home/me/tex/a.png", &file), Some(folder.path().join("tex/a.png")));
        assert_eq!(find_picture("/home/me/a.png", &file), None);
        assert_eq!(find_picture("secret", &file), None);
        assert_eq!(find_picture("", &file), None);
        assert_eq!(find_picture("..", &file), None);
    }

    #[test]
    fn files_are_given_from_the_folder_and_below_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("models/sub")).unwrap();
        for name in ["secret", "models/a.mtl", "models/sub/b.bin"] {
            std::fs::write(at(name), name).unwrap();
        }
        std::fs::write(at("a.png"), b"\x89PNG\r\n\x1a\n").unwrap();
        let files = FilesBeside::new(&ReadOptions::default().with_path(at("models/cube.obj")));
        assert_eq!(files.load("a.mtl").as_deref(), Some(&b"models/a.mtl"[..]));
        assert_eq!(files.load("./sub/b.bin").as_deref(), Some(&b"models/sub/b.bin"[..]));
        assert!(files.load("../a.png").is_some(), "pictures may be elsewhere");
        assert_eq!(files.load("../secret"), None);
        assert_eq!(files.load(&at("secret").to_string_lossy()), None);
        assert_eq!(files.load("sub"), None);
        let loaded = files.into_loaded();
        let names: Vec<&str> = loaded.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, ["a.mtl", "b.bin", "a.png"]);
        #[cfg(unix)]
        {
            let files = FilesBeside::new(&ReadOptions::default().with_path(at("models/cube.obj")));
            std::os::unix::fs::symlink("../secret", at("models/link")).unwrap();
            assert_eq!(files.load("link"), None);
        }
        let little = FilesBeside::new(
            &ReadOptions::default().with_path(at("models/cube.obj")).with_limits(Limits::default().with_max_input(3)),
        );
        assert_eq!(little.load("a.mtl"), None);
        assert_eq!(FilesBeside::new(&ReadOptions::default()).load("a.mtl"), None);
    }
}
