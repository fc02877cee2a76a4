//! The scene that an image of a document shows.

use std::path::PathBuf;

#[cfg(feature = "wwd")]
use mapwright_render::{Objects, View};
use mapwright_render::{RenderOptions, approximations};
use mapwright_scene::{Import, Losses, Scene};

#[cfg(feature = "wwd")]
use crate::LevelArt;
use crate::content::{Reference, list_missing_files, resolve_with};
use crate::{AnyDocument, ConvertOptions, Error};

/// A scene with all that an image of it shows: the images of a game, and the models, textures and prefabs to which the document refers.
#[derive(Debug)]
#[non_exhaustive]
pub struct Drawable {
    /// The scene.
    pub scene: Scene,
    /// The options of drawing, with the palette of the level.
    pub render: RenderOptions,
    /// Losses of converting the document to the scene.
    pub imported: Losses,
    /// Losses of adding the images, models, textures and prefabs, and the [`approximations`] of the image.
    pub losses: Losses,
    /// The files that the image lacks, as [`list_missing_files`] returns them.
    pub missing: Vec<Reference>,
    /// The files that were read, except the document itself.
    pub files: Vec<PathBuf>,
}

impl AnyDocument {
    /// Converts the document to a scene for [`render`](crate::render) and [`page`](crate::page). Images of games are only added for views
    /// that show them. Other files are looked for as by [`resolve_references`](crate::content::resolve_references), with the level, the
    /// content and the memory of the options of conversions.
    ///
    /// # Errors
    /// As [`into_scene`](Self::into_scene).
    pub fn into_drawable(self, render: RenderOptions, options: &ConvertOptions) -> Result<Drawable, Error> {
        let format = self.format();
        let mut files = self.side_files().to_vec();
        #[cfg(feature = "wwd")]
        let art = LevelArt::find(&self, &options.content);
        let Import { mut scene, losses: imported, .. } = self.into_scene()?;
        #[allow(unused_mut, reason = "a build may lack formats with images of games")]
        let (mut render, mut losses, mut references) = (render, Losses::new(), Vec::new());
        #[cfg(feature = "wwd")]
        if let Some(art) = art.filter(|_| matches!(render.view, View::Level | View::Objects)) {
            let has_sprites = matches!(render.objects, Objects::Drawn | Objects::Sprites);
            let attach = crate::AttachOptions::default().with_objects(has_sprites).with_game_view(has_sprites);
            let report = art.attach_to(&mut scene, &attach.with_max_bytes(options.max_pixel_bytes as u64));
            losses = report.losses;
            references = report.missing;
            files.extend(report.files);
            render.palette = report.palette.map(|palette| palette.colors().to_vec()).unwrap_or_default();
        }
        let (report, _) = resolve_with(&mut scene, format, options, false);
        losses.append(report.losses);
        references.extend(report.references);
        files.extend(report.files);
        // Map entities of other maps have hidden faces, too.
        format.mark_tools(&mut scene);
        losses.append(approximations(&scene));
        let missing = list_missing_files(&scene, &references);
        Ok(Drawable { scene, render, imported, losses, missing, files })
    }
}
