//! The images of a level, among the files of its game.

use mapwright_scene::{Losses, PixelFormat, Pixels, Scene};
use mapwright_wapart::{Game, Image, Palette};
use mapwright_wwd::art::{Assets, AttachOptions, DecodedImage, attach_images};

use crate::{AnyDocument, ContentSource};

/// The images of one level, as the archive of the game contains them: `LEVEL1/TILES/ACTION/001.PID`.
#[derive(Debug, Clone)]
pub struct LevelArt {
    content: ContentSource,
    assets: Assets,
    /// The game of the level. `None` if the header does not show it; then each image decides.
    game: Option<Game>,
}

/// The result of [`LevelArt::attach_to`].
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct AttachReport {
    /// Tiles and objects without an image, files that cannot be decoded, and images that are grey because the palette is missing.
    pub losses: Losses,
    /// The palette of the level, if it was found. Filled cells use its colours.
    pub palette: Option<Palette>,
}

impl LevelArt {
    /// Finds the images of a level by the folders in its header. Returns `None` for documents of other formats,
    /// and if there is no content.
    pub fn find(document: &AnyDocument, content: &ContentSource) -> Option<Self> {
        let level = document.as_wwd().filter(|_| !content.is_empty())?;
        let assets = Assets::new(content.files().map(|file| file.path()), &level.header);
        let game = Game::from_image_dir(level.header.image_dir.text());
        Some(Self { content: content.clone(), assets, game })
    }

    /// Attaches the images of tiles and objects to the scene of the level. Missing images are reported as losses.
    pub fn attach_to(&self, scene: &mut Scene, options: &AttachOptions) -> AttachReport {
        let mut losses = Losses::new();
        let palette = self.assets.palette().and_then(|path| {
            let palette = self.read(path);
            let palette = palette.and_then(|bytes| Palette::from_bytes(&bytes).map_err(|error| error.to_string()));
            palette.map_err(|error| losses.dropped(path, format!("palette: {error}"))).ok()
        });
        let decode = |path: &str| self.decode(path, palette.as_ref());
        losses.append(attach_images(scene, &self.assets, options, decode));
        AttachReport { losses, palette }
    }

    /// Attaches the images of tiles. Images of objects would become tilesets that no layer uses.
    pub(crate) fn attach_to_tiles(&self, scene: &mut Scene, max_bytes: usize) -> Losses {
        let tiles = AttachOptions::default().with_objects(false);
        self.attach_to(scene, &tiles.with_max_bytes(max_bytes as u64)).losses
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let file = self.content.find(path).ok_or("not found")?;
        file.read().map_err(|error| error.to_string())
    }

    fn decode(&self, path: &str, palette: Option<&Palette>) -> Result<DecodedImage, String> {
        let image = Image::from_file(path.as_bytes(), &self.read(path)?).map_err(|error| error.to_string())?;
        let data = image.to_rgba(self.game.unwrap_or_else(|| image.game()), palette);
        let pixels = Pixels { width: image.width, height: image.height, format: PixelFormat::Rgba8, data };
        Ok(DecodedImage { pixels, offset: image.offset, is_grey: palette.is_none() && image.needs_palette() })
    }
}
