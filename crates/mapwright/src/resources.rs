//! Where the pictures are that a file only names.

use std::path::{Path, PathBuf};

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
}
