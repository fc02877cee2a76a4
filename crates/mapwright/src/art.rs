//! The pictures of a game, in a folder that the user names.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mapwright_scene::Scene;
use mapwright_wwd::art::{Assets, AttachOptions, AttachReport, attach_images};

use crate::folder::{extension, files_below, read};
use crate::{AnyDocument, Error};

/// A folder with the pictures of a game, as its archive holds them: `LEVEL1/TILES/ACTION/001.PID`.
///
/// The names of its files are taken in once; a file is read only when a level shows it. Clones share the names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtFolder {
    folder: PathBuf,
    /// Paths of pictures and palettes below the folder, with `/`, in order.
    files: Arc<[String]>,
}

impl ArtFolder {
    /// Lists the images in a folder and below. Links to folders and links out of the folder are not followed.
    ///
    /// # Errors
    /// [`Error::ArtFolder`] if it is no folder, has no pictures (`.pid`, `.pcx`) in it or below, or very many files.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        let folder = folder.into();
        match list(&folder) {
            Ok(files) => Ok(Self { folder, files: files.into() }),
            Err(error) => Err(Error::ArtFolder { folder, error }),
        }
    }

    /// Finds the pictures of a level by what its header says.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for documents other than levels: they name no pictures of games.
    pub fn of(&self, document: &AnyDocument) -> Result<LevelArt, Error> {
        let AnyDocument::Wwd(level) = document else {
            return Err(Error::Unsupported { format: document.format(), what: "given the pictures of a game" });
        };
        Ok(LevelArt { folder: self.folder.clone(), assets: Assets::new(self.files.iter().cloned(), &level.header) })
    }
}

/// The pictures of one level.
#[derive(Debug, Clone)]
pub struct LevelArt {
    folder: PathBuf,
    assets: Assets,
}

impl LevelArt {
    /// Gives the tiles of the level's scene their pictures, and objects those that they show. What has none is in the losses.
    pub fn put_into(&self, scene: &mut Scene, options: &AttachOptions) -> AttachReport {
        attach_images(scene, &self.assets, options, |path| read(&self.folder, path))
    }
}

/// The pictures and palettes in a folder and below.
fn list(root: &Path) -> io::Result<Vec<String>> {
    let files = files_below(root, |extension| matches!(extension, "pid" | "pcx" | "pal"))?;
    if !files.iter().any(|file| extension(file).is_some_and(|extension| extension != "pal")) {
        return Err(io::Error::other("it has no pictures (.pid, .pcx) in it or below"));
    }
    Ok(files.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn pictures_and_palettes_are_listed_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("LEVEL1/TILES/ACTION")).unwrap();
        for name in ["z.PCX", "LEVEL1/TILES/ACTION/2.pid", "LEVEL1/TILES/ACTION/10.PID", "LEVEL1/a.Pal", "LEVEL1/a.WAV"]
        {
            fs::write(at(name), b"").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("..", at("LEVEL1/up")).unwrap();
        let art = ArtFolder::open(folder.path()).unwrap();
        let expected = ["LEVEL1/TILES/ACTION/10.PID", "LEVEL1/TILES/ACTION/2.pid", "LEVEL1/a.Pal", "z.PCX"];
        assert_eq!(*art.files, expected);
        let wrong = |folder: PathBuf| ArtFolder::open(folder).unwrap_err();
        assert!(
            matches!(wrong(at("nowhere")), Error::ArtFolder { error, .. } if error.kind() == io::ErrorKind::NotFound)
        );
        assert!(matches!(wrong(at("z.PCX")), Error::ArtFolder { .. }), "a file");
        fs::create_dir(at("empty")).unwrap();
        fs::write(at("empty/MAIN.PAL"), b"").unwrap();
        assert!(wrong(at("empty")).to_string().contains("no pictures"));
    }
}
