//! The images of a game, in a folder that the user names.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mapwright_scene::{Losses, PixelFormat, Pixels, Scene};
use mapwright_wapart::{Game, Image, Palette};
use mapwright_wwd::art::{Assets, AttachOptions, DecodedImage, attach_images};

use crate::folder::{extension, files_below, read};
use crate::{AnyDocument, Error};

/// A folder with the images of a game, as its archive contains them: `LEVEL1/TILES/ACTION/001.PID`.
///
/// The names of its files are read once. A file is read only if a level needs it. Clones share the names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtFolder {
    folder: PathBuf,
    /// Paths of images and palettes below the folder, with `/`, sorted.
    files: Arc<[String]>,
}

impl ArtFolder {
    /// Lists the images in a folder and below. Links to folders and links out of the folder are not followed.
    ///
    /// # Errors
    /// [`Error::Folder`] if it is not a folder, contains no images (`.pid`, `.pcx`), or contains too many files.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        let folder = folder.into();
        match list(&folder) {
            Ok(files) => Ok(Self { folder, files: files.into() }),
            Err(error) => Err(Error::Folder { folder, expected: EXPECTED, error }),
        }
    }

    /// Finds the images of a level by the folders in its header.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for documents other than levels: they name no images of games.
    pub fn find(&self, document: &AnyDocument) -> Result<LevelArt, Error> {
        let unsupported =
            || Error::Unsupported { format: document.format(), what: "combined with the images of a game" };
        let level = document.as_wwd().ok_or_else(unsupported)?;
        let assets = Assets::new(self.files.iter().cloned(), &level.header);
        let game = Game::from_image_dir(level.header.image_dir.text());
        Ok(LevelArt { folder: self.folder.clone(), assets, game })
    }
}

/// The images of one level.
#[derive(Debug, Clone)]
pub struct LevelArt {
    folder: PathBuf,
    assets: Assets,
    /// `None`: the header does not name the game, so each image decides.
    game: Option<Game>,
}

/// The result of [`LevelArt::attach_to`].
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct AttachReport {
    /// Tiles and objects without an image, and images with wrong colours.
    pub losses: Losses,
    /// The palette of the level, if it was found. It has the colours of filled cells.
    pub palette: Option<Palette>,
}

impl LevelArt {
    /// Attaches the images of tiles and objects to the scene of the level. Missing images are reported as losses.
    pub fn attach_to(&self, scene: &mut Scene, options: &AttachOptions) -> AttachReport {
        let mut losses = Losses::new();
        let palette = self.assets.palette().and_then(|path| {
            let palette =
                self.read(path).and_then(|bytes| Palette::from_bytes(&bytes).map_err(|error| error.to_string()));
            palette.map_err(|error| losses.dropped(path, format!("palette: {error}"))).ok()
        });
        let decode = |path: &str| self.decode(path, palette.as_ref());
        losses.append(attach_images(scene, &self.assets, options, decode));
        AttachReport { losses, palette }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        read(&self.folder, path).map_err(|error| error.to_string())
    }

    fn decode(&self, path: &str, palette: Option<&Palette>) -> Result<DecodedImage, String> {
        let image = Image::from_file(path.as_bytes(), &self.read(path)?).map_err(|error| error.to_string())?;
        let data = image.to_rgba(self.game.unwrap_or_else(|| image.game()), palette);
        let pixels = Pixels { width: image.width, height: image.height, format: PixelFormat::Rgba8, data };
        Ok(DecodedImage { pixels, offset: image.offset, is_grey: palette.is_none() && image.needs_palette() })
    }
}

/// The contents of a suitable folder, as help for users.
const EXPECTED: &str = "name the folder into which the archive of the game was unpacked, with LEVEL1, GAME, … in it";

/// Lists the images and palettes in a folder and below.
fn list(root: &Path) -> io::Result<Vec<String>> {
    let files = files_below(root, |extension| matches!(extension, "pid" | "pcx" | "pal"))?;
    if !files.iter().any(|file| extension(file).is_some_and(|extension| extension != "pal")) {
        return Err(io::Error::other("it contains no images (.pid, .pcx)"));
    }
    Ok(files.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn images_and_palettes_are_listed_in_order() {
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
        assert!(matches!(wrong(at("missing")), Error::Folder { error, .. } if error.kind() == io::ErrorKind::NotFound));
        assert!(matches!(wrong(at("z.PCX")), Error::Folder { .. }), "a file");
        fs::create_dir(at("empty")).unwrap();
        fs::write(at("empty/MAIN.PAL"), b"").unwrap();
        assert!(wrong(at("empty")).to_string().contains("no images"));
    }
}
