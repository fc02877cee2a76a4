//! Attaches images to a scene.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mapwright_io::format_count;
use mapwright_scene::{Cell, Image, ImageId, ImageSource, Losses, Pixels, Scene, Tile, TileSet, TileSetId};

use super::Assets;
use crate::scene::values::number;
use crate::{escape_bytes, unescape_bytes};

mapwright_io::options! {
    /// Options of [`attach_images`].
    #[derive(Debug, Clone)]
    pub struct AttachOptions {
        /// Attach the images of objects, too. Default: `true`.
        pub objects: bool = true, with_objects;
        /// Maximum size of all decoded images in bytes, at four bytes per pixel. Default: 512 MiB.
        pub max_bytes: u64 = 512 << 20, with_max_bytes;
    }
}

/// A decoded image file.
#[derive(Debug, Clone)]
pub struct DecodedImage {
    /// The pixels, with opacity.
    pub pixels: Pixels,
    /// Offset from the position of an object to the centre of its image, right and down, in pixels.
    pub offset: [i32; 2],
    /// `true` if the image is grey because its palette is missing.
    pub is_grey: bool,
}

/// Maximum number of tiles that images of objects add to all sets.
const MAX_TILES: usize = 1 << 18;

/// Attaches the images of tiles and objects to a scene.
///
/// A tile without an image gets the image with its number. Each image set of objects becomes a tile set of the same name. It contains
/// the images of the frames that objects show, and the first image for animated objects. If the centre of an image is not at the
/// position of its object, the tile has the properties `offset_x` and `offset_y`.
///
/// `decode` is called once for each path of the assets that is needed. The result lists files that cannot be decoded, tiles and objects
/// without an image, and images that are grey.
pub fn attach_images(
    scene: &mut Scene,
    assets: &Assets,
    options: &AttachOptions,
    decode: impl FnMut(&str) -> Result<DecodedImage, String>,
) -> Losses {
    let mut attacher = Attacher {
        scene,
        assets,
        decode,
        left: options.max_bytes,
        images: HashMap::new(),
        excess: 0,
        grey_images: 0,
        losses: Losses::new(),
    };
    attacher.attach_to_tiles();
    if options.objects {
        attacher.attach_to_objects();
    }
    attacher.report()
}

struct Attacher<'a, D> {
    scene: &'a mut Scene,
    assets: &'a Assets,
    decode: D,
    /// Bytes that images may still take.
    left: u64,
    /// The image of each path and its offset; `None` if it cannot be used.
    images: HashMap<&'a str, Option<(ImageId, [i32; 2])>>,
    excess: usize,
    grey_images: usize,
    losses: Losses,
}

impl<'a, D: FnMut(&str) -> Result<DecodedImage, String>> Attacher<'a, D> {
    fn attach_to_tiles(&mut self) {
        if let Err(wanted) = self.assets.tile_folder() {
            let why = match wanted {
                "" => "the header of the level names no folder".to_owned(),
                _ => format!("folder {} not found", escape_bytes(wanted.as_bytes())),
            };
            self.losses.approximated("tile_sets", format!("tiles without images: {why}"));
            return;
        }
        let shown = self.shown_tiles();
        for (id, shown) in self.scene.tile_sets.ids().collect::<Vec<_>>().into_iter().zip(shown) {
            let Some(set) = self.scene.tile_sets.get(id) else { continue };
            let name = unescape_bytes(&set.name);
            let mut missing = Vec::new();
            for (place, is_shown) in shown.into_iter().enumerate() {
                let path = u32::try_from(place).ok().and_then(|number| self.assets.tile(&name, number));
                if path.is_none() && is_shown {
                    missing.push(place.to_string());
                }
                let image = path.and_then(|path| self.image(path));
                let tile = self.scene.tile_sets.get_mut(id).and_then(|set| set.tiles.get_mut(place));
                if let (Some(tile), Some((image, _))) = (tile, image) {
                    tile.image = tile.image.or(Some(image));
                }
            }
            if !missing.is_empty() {
                let text = format!("tiles without an image in {:?}: {}", escape_bytes(&name), summarize(&missing));
                self.losses.approximated(format!("tile_sets[{}]", id.index()), text);
            }
        }
    }

    /// Returns for each tile of each set if a cell shows it. The game has no images for some tiles that no cell shows.
    fn shown_tiles(&self) -> Vec<Vec<bool>> {
        let scene = &self.scene;
        let mut shown: Vec<_> = scene.tile_sets.items().iter().map(|set| vec![false; set.tiles.len()]).collect();
        for layer in scene.tile_layers.items() {
            let mut last = None;
            for &word in &layer.cells {
                if last.replace(word) == Some(word) {
                    continue;
                }
                let Cell::Tile { set, tile } = Cell::from_word(word) else { continue };
                let set = layer.tile_sets.get(usize::from(set)).and_then(|set| shown.get_mut(set.index()));
                if let Some(shown) = set.and_then(|set| set.get_mut(usize::from(tile))) {
                    *shown = true;
                }
            }
        }
        shown
    }

    fn attach_to_objects(&mut self) {
        let sets = self.scene.tile_sets.iter().rev().map(|(id, set)| (set.name.to_ascii_uppercase(), id));
        let mut sets: HashMap<String, TileSetId> = sets.collect();
        let mut missing = Vec::new();
        let mut most_tiles = MAX_TILES;
        for (key, (model, shown)) in self.shown_image_sets() {
            let files: Vec<(u32, &str)> = self.assets.sprite(&unescape_bytes(&model)).collect();
            let mut found = false;
            for (at, (number, path)) in files.into_iter().enumerate() {
                // Animations, and objects whose frame does not exist, show the first image.
                let place = usize::try_from(number).ok().filter(|place| *place <= usize::from(u16::MAX));
                let Some(place) = place.filter(|_| at == 0 || shown.contains(&number)) else { continue };
                let Some((image, offset)) = self.image(path) else { continue };
                found = true;
                let tile_sets = &mut self.scene.tile_sets;
                let id = *sets
                    .entry(key.clone())
                    .or_insert_with(|| tile_sets.push(TileSet { name: model.clone(), ..TileSet::default() }));
                let Some(set) = tile_sets.get_mut(id) else { continue };
                let more = place.saturating_add(1).saturating_sub(set.tiles.len());
                if more > most_tiles {
                    continue;
                }
                most_tiles = most_tiles.saturating_sub(more);
                set.tiles.resize_with(set.tiles.len().saturating_add(more), Tile::default);
                let Some(tile) = set.tiles.get_mut(place) else { continue };
                tile.image = tile.image.or(Some(image));
                for (name, offset) in
                    ["offset_x", "offset_y"].into_iter().zip(offset).filter(|(_, offset)| *offset != 0)
                {
                    tile.properties.set(name, offset);
                }
            }
            if !found {
                missing.push(format!("{model:?}"));
            }
        }
        if !missing.is_empty() {
            let text = format!("image sets without an image: {}", summarize(&missing));
            self.losses.approximated("entities", text);
        }
    }

    /// Returns the image sets of objects by their names in upper case, with the numbers of the frames that are shown.
    fn shown_image_sets(&self) -> BTreeMap<String, (String, BTreeSet<u32>)> {
        let mut shown: BTreeMap<String, (String, BTreeSet<u32>)> = BTreeMap::new();
        for (_, entity) in self.scene.entities.iter() {
            let Some(model) = entity.model.as_ref().filter(|model| !model.is_empty()) else { continue };
            let (_, numbers) =
                shown.entry(model.to_ascii_uppercase()).or_insert_with(|| (model.clone(), BTreeSet::new()));
            numbers.insert(entity.properties.get("i").and_then(number).unwrap_or(0));
        }
        shown
    }

    /// Returns the image of a path and its offset.
    fn image(&mut self, path: &'a str) -> Option<(ImageId, [i32; 2])> {
        if let Some(image) = self.images.get(path) {
            return *image;
        }
        let image = if self.left == 0 {
            self.excess = self.excess.saturating_add(1);
            None
        } else {
            match (self.decode)(path) {
                Ok(decoded) => self.push(path, decoded),
                Err(error) => {
                    self.losses.dropped(path, error);
                    None
                }
            }
        };
        self.images.insert(path, image);
        image
    }

    /// Adds an image to the scene. Returns `None` if it exceeds the limit.
    fn push(&mut self, path: &str, decoded: DecodedImage) -> Option<(ImageId, [i32; 2])> {
        let DecodedImage { pixels, offset, is_grey } = decoded;
        let bytes = u64::from(pixels.width).saturating_mul(pixels.height.into()).saturating_mul(4);
        let Some(left) = self.left.checked_sub(bytes) else {
            self.left = 0;
            self.excess = self.excess.saturating_add(1);
            return None;
        };
        self.left = left;
        self.grey_images = self.grey_images.saturating_add(usize::from(is_grey));
        let image = Image { name: path.to_owned(), source: ImageSource::Pixels(pixels) };
        Some((self.scene.images.push(image), offset))
    }

    fn report(mut self) -> Losses {
        if self.grey_images > 0 {
            self.losses.approximated(
                "images",
                format!("{} in grey: the palette is missing", format_count(self.grey_images, "image")),
            );
        }
        if self.excess > 0 {
            self.losses.dropped("images", format!("{} beyond the size limit", format_count(self.excess, "image")));
        }
        self.losses
    }
}

/// Formats the number of names and the first of them.
fn summarize(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let first = names.get(..SHOWN).unwrap_or(names).join(", ");
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{} ({first}{more})", names.len())
}
