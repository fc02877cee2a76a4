//! The images of a level, among the files of its game.

mod atlas;
mod attach;
mod check;
mod game_view;
mod layers;

use std::path::PathBuf;

use mapwright_content::Reference;
use mapwright_io::Limits;
use mapwright_scene::{Losses, PixelFormat, Pixels, Scene};
use mapwright_wapart::{Game, Image, ImageSets, Palette, ReadOptions, gruntz_roots};
use mapwright_wwd::{Document, Header};

use crate::document::TileArt;
use crate::{AnyDocument, ContentSource};
use attach::{Attacher, DecodedImage};
#[cfg(feature = "textures")]
pub(super) use check::list_art;
pub(super) use check::validate_art;

/// The path of the palette beside the directory of tiles.
const PALETTE: &str = "PALETTES/MAIN.PAL";

mapwright_io::options! {
    /// Options of [`LevelArt::attach_to`].
    #[derive(Debug, Clone)]
    pub struct AttachOptions {
        /// Attach the images of objects, too. Default: `true`.
        pub objects: bool = true, with_objects;
        /// Move, sort and hide objects as the game does: see [`LevelArt::attach_to`]. Default: `false`.
        pub game_view: bool = false, with_game_view;
        /// Maximum size of all decoded images in bytes, at four bytes per pixel. Default: 512 MiB.
        pub max_bytes: u64 = 512 << 20, with_max_bytes;
    }
}

/// The images of one level, as the archive of the game contains them: `LEVEL1/TILES/ACTION/001.PID`.
#[derive(Debug, Clone)]
pub struct LevelArt {
    content: ContentSource,
    /// The paths of all files. Image sets contain their indices.
    paths: Vec<String>,
    sets: ImageSets,
    /// The directory of tile images that the header names. `Err` if no path contains it.
    tile_directory: Result<String, String>,
    /// The path of the palette.
    palette: Option<String>,
    /// The game of the level. `None` if the header does not show it; then each image decides.
    game: Option<Game>,
    /// Width and height of the main plane in pixels.
    main_plane: [i64; 2],
}

/// The result of [`LevelArt::attach_to`].
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct AttachReport {
    /// Tiles and objects without an image, files that cannot be decoded, and images that are grey because the palette is
    /// missing.
    pub losses: Losses,
    /// The palette of the level, if it was found. Filled cells use its colours.
    pub palette: Option<Palette>,
    /// The paths of the palette and the images that were read.
    pub files: Vec<PathBuf>,
    /// The image sets, tiles, frames and files that are missing or cannot be decoded. Tiles and frames have the name of their set and their
    /// number.
    pub missing: Vec<Reference>,
}

impl LevelArt {
    /// Finds the images of a level by the folders in its header. Returns `None` for documents of other formats,
    /// and if there is no content.
    pub fn find(document: &AnyDocument, content: &ContentSource) -> Option<Self> {
        Self::find_in(document.as_wwd()?, content)
    }

    /// Finds the images of a level, unless there is no content.
    pub(super) fn find_in(level: &Document, content: &ContentSource) -> Option<Self> {
        (!content.is_empty()).then(|| Self::from_level(level, content))
    }

    fn from_level(level: &Document, content: &ContentSource) -> Self {
        let header = &level.header;
        let paths: Vec<String> = content.files().map(|file| file.path().to_owned()).collect();
        let game = Game::from_image_dir(header.image_dir.text());
        let mut sets = ImageSets::new(&paths);
        // Gruntz does not read the folders in the header. Its editor does, so they come second.
        if let Some(area) = gruntz_area(header).filter(|_| game == Some(Game::Gruntz)) {
            for (root, prefix) in gruntz_roots(area) {
                sets.add_root(root.as_bytes(), prefix.as_bytes());
            }
        }
        for (root, prefix) in [
            (&header.image_set_1, &header.prefix_1),
            (&header.image_set_2, &header.prefix_2),
            (&header.image_set_3, &header.prefix_3),
            (&header.image_set_4, &header.prefix_4),
        ] {
            sets.add_root(root.text(), prefix.text());
        }
        sets.add_root(header.image_dir.text(), b"");
        let tiles = sets.find_directory(header.image_dir.text());
        let palette = find_palette(&paths, header, tiles.as_deref());
        let tiles = tiles.ok_or(header.image_dir.text());
        let main = level.planes.iter().find(|plane| plane.is_main());
        let size = |plane: &mapwright_wwd::Plane| {
            let side = |tiles: i32, tile: i32| i64::from(tiles).saturating_mul(tile.into());
            [side(plane.tiles_wide, plane.tile_w), side(plane.tiles_high, plane.tile_h)]
        };
        Self {
            content: content.clone(),
            tile_directory: tiles.map(|found| normalize(&found)).map_err(normalize),
            palette,
            game,
            main_plane: main.map(size).unwrap_or_default(),
            sets,
            paths,
        }
    }

    /// Attaches the images of tiles and objects to the scene of the level. Missing images are reported as losses.
    ///
    /// A tile without an image gets the image with its number. Each image set of objects becomes a tile set of the same
    /// name. It contains the frames that objects show. If the centre of an image is not at the position of its object, the
    /// tile has the properties `offset_x` and `offset_y`.
    ///
    /// With [`game_view`](AttachOptions::game_view), objects that the game hides are hidden, objects that it drops are
    /// hidden and have no model, and objects of Gruntz are moved to the middle of their tile and get another z if their logic
    /// demands it. The scene then shows the level as the game does, but it is not the scene of the file any more.
    pub fn attach_to(&self, scene: &mut Scene, options: &AttachOptions) -> AttachReport {
        let mut losses = Losses::new();
        let palette = self.palette.as_ref().and_then(|path| {
            let palette = self.read(path);
            let palette = palette.and_then(|bytes| Palette::from_bytes(&bytes).map_err(|error| error.to_string()));
            palette.map_err(|error| losses.dropped(path, format!("palette: {error}"))).ok()
        });
        // Dropped objects need no image.
        if options.game_view {
            self.drop_objects(scene);
        }
        let (attached, images) = Attacher::new(self, scene, options, palette.as_ref()).attach();
        losses.append(attached.losses);
        let images = images.into_iter().filter_map(|image| self.paths.get(image));
        let files = self.palette.iter().chain(images).filter_map(|path| Some(self.content.find(path)?.to_path_buf()));
        let files = files.collect();
        if options.game_view {
            self.place_objects(scene);
        }
        AttachReport { losses, palette, files, missing: attached.references }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let file = self.content.find(path).ok_or("not found")?;
        file.read().map_err(|error| error.to_string())
    }

    /// Decodes an image. Fails if it has more than `max_pixels`.
    fn decode(&self, path: &str, palette: Option<&Palette>, max_pixels: u64) -> Result<DecodedImage, String> {
        let limits = Limits::default();
        let max_pixels = max_pixels.min(limits.max_decompressed);
        let options = ReadOptions::default().with_limits(limits.with_max_decompressed(max_pixels));
        let image = Image::from_file_with(path.as_bytes(), &self.read(path)?, &options);
        let image = image.map_err(|error| error.to_string())?;
        let data = image.to_rgba(self.game.unwrap_or_else(|| image.game()), palette);
        let pixels = Pixels { width: image.width, height: image.height, format: PixelFormat::Rgba8, data };
        Ok(DecodedImage { pixels, offset: image.offset, is_grey: palette.is_none() && image.needs_palette() })
    }
}

impl TileArt for LevelArt {
    fn attach_to_tiles(&self, scene: &mut Scene, max_bytes: usize, objects: bool) -> (Losses, Vec<PathBuf>) {
        let options = AttachOptions::default().with_objects(objects).with_max_bytes(max_bytes as u64);
        let AttachReport { losses, files, .. } = self.attach_to(scene, &options);
        if objects {
            mapwright_wwd::scene::show_object_tiles(scene);
        }
        (losses, files)
    }

    fn draw_layers(&self, scene: &mut Scene, max_bytes: usize, hidden: bool) -> (Losses, Vec<PathBuf>) {
        let options = AttachOptions::default().with_game_view(true).with_max_bytes(max_bytes as u64);
        let AttachReport { mut losses, palette, files, .. } = self.attach_to(scene, &options);
        if hidden {
            scene.nodes.iter_mut().for_each(|(_, node)| node.visible = true);
        }
        losses.append(layers::draw_layers(scene, palette.as_ref(), layers::MAX_QUADS));
        (losses, files)
    }
}

/// Returns the number of the area of a level of Gruntz, from its directory of tiles: `\AREA1\TILEZ`.
fn gruntz_area(header: &Header) -> Option<u32> {
    let directory = normalize(header.image_dir.text());
    let digits = directory.strip_prefix("AREA")?;
    let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    digits.get(..end)?.parse().ok()
}

/// Finds the palette: the file that the header names, else `PALETTES\MAIN.PAL` next to the directory of tiles.
fn find_palette(paths: &[String], header: &Header, tiles: Option<&[u8]>) -> Option<String> {
    let named = normalize(header.pal_rez.text());
    let beside = tiles.map(normalize).map(|tiles| match tiles.rsplit_once('/') {
        Some((level, _)) => format!("{level}/{PALETTE}"),
        None => PALETTE.to_owned(),
    });
    [Some(named), beside].into_iter().flatten().filter(|wanted| !wanted.is_empty()).find_map(|wanted| {
        let found = paths.iter().enumerate().filter_map(|(place, path)| {
            let above = normalize(path.as_bytes()).strip_suffix(&wanted)?.len();
            let is_whole = above == 0 || path.as_bytes().get(above.saturating_sub(1)) == Some(&b'/');
            is_whole.then_some((above, place))
        });
        paths.get(found.min()?.1).cloned()
    })
}

/// Normalizes a path: upper case, single `/` between names.
fn normalize(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path).to_ascii_uppercase();
    let names = path.split(['/', '\\']).filter(|name| !matches!(*name, "" | "."));
    names.collect::<Vec<_>>().join("/")
}
