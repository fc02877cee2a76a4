//! The images of a level, among the files of its game.

use std::io;

use mapwright_scene::{Losses, Scene};
use mapwright_wwd::art::{Assets, AttachOptions, AttachReport, attach_images};

use crate::{AnyDocument, ContentSource};

/// The images of one level, as the archive of the game contains them: `LEVEL1/TILES/ACTION/001.PID`.
#[derive(Debug, Clone)]
pub struct LevelArt {
    content: ContentSource,
    assets: Assets,
}

impl LevelArt {
    /// Finds the images of a level by the folders in its header. Returns `None` for other documents, which name no images of games, and
    /// if there is no content.
    pub fn find(document: &AnyDocument, content: &ContentSource) -> Option<Self> {
        let level = document.as_wwd().filter(|_| !content.is_empty())?;
        let assets = Assets::new(content.files().map(|file| file.path()), &level.header);
        Some(Self { content: content.clone(), assets })
    }

    /// Attaches the images of tiles and objects to the scene of the level. Missing images are reported as losses.
    pub fn attach_to(&self, scene: &mut Scene, options: &AttachOptions) -> AttachReport {
        attach_images(scene, &self.assets, options, |path| {
            self.content.find(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?.read()
        })
    }

    /// Attaches the images of tiles. Images of objects would become tilesets that no layer uses.
    pub(crate) fn attach_to_tiles(&self, scene: &mut Scene, max_bytes: usize) -> Losses {
        let tiles = AttachOptions::default().with_objects(false);
        self.attach_to(scene, &tiles.with_max_bytes(max_bytes as u64)).losses
    }
}
