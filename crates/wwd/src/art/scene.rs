//! Pictures into a scene.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;

use mapwright_scene::{
    Cell, Image, ImageId, ImageSource, Losses, PixelFormat, Pixels, Scene, Tile, TileSet, TileSetId,
};

use super::{Assets, Palette, Picture};
use crate::scene::fields::number;
use crate::{escape_bytes, unescape_bytes};

/// Which pictures to put into a scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PutOptions {
    /// Those of objects, too.
    pub objects: bool,
    /// The most bytes that all pictures may have together, decoded at four bytes per pixel.
    pub max_bytes: u64,
}

impl Default for PutOptions {
    /// Those of objects, too, and at most 512 MiB.
    fn default() -> Self {
        Self { objects: true, max_bytes: 512 << 20 }
    }
}

impl PutOptions {
    /// Changes [`objects`](Self::objects).
    #[must_use]
    pub fn with_objects(mut self, objects: bool) -> Self {
        self.objects = objects;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }
}

/// What came of putting pictures into a scene.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Put {
    /// What has no picture, or not its own.
    pub losses: Losses,
    /// The palette of the level, if it was found: the colours that filled cells name.
    pub palette: Option<Palette>,
}

/// Tiles that the pictures of objects add, over all sets.
const MOST_TILES: usize = 1 << 18;

/// Gives the tiles of a scene their pictures, and objects those that they show.
///
/// Tiles without a picture get that of their number. For each image set that objects name there is a tile set of that name in the
/// end, with the picture of each frame that an object shows, and the first for those that are animated; where the middle of a
/// picture does not stand on its object, the tile has the properties `offset_x` and `offset_y`.
///
/// `read` gets one of the paths that the assets were made of. What cannot be read or decoded is in the report, and has no picture.
pub fn put_into(
    scene: &mut Scene,
    assets: &Assets,
    options: &PutOptions,
    mut read: impl FnMut(&str) -> io::Result<Vec<u8>>,
) -> Put {
    let mut losses = Losses::new();
    let palette = assets.palette().and_then(|path| {
        let palette = read(path).map_err(|error| error.to_string());
        let palette = palette.and_then(|bytes| Palette::from_bytes(&bytes).map_err(|error| error.to_string()));
        palette.map_err(|error| losses.dropped(path, format!("the palette: {error}"))).ok()
    });
    let mut putter = Putter {
        scene,
        assets,
        read,
        grey: palette.is_none(),
        palette: palette.clone().unwrap_or_else(Palette::grey),
        left: options.max_bytes,
        taken: HashMap::new(),
        too_much: 0,
        greyed: 0,
        losses,
    };
    putter.tiles();
    if options.objects {
        putter.objects();
    }
    Put { losses: putter.report(), palette }
}

struct Putter<'a, R> {
    scene: &'a mut Scene,
    assets: &'a Assets,
    read: R,
    palette: Palette,
    /// Whether the level's palette is not at hand.
    grey: bool,
    /// Bytes that pictures may still have.
    left: u64,
    /// The picture of each path and its offset; `None` if it has none.
    taken: HashMap<&'a str, Option<(ImageId, [i32; 2])>>,
    too_much: usize,
    greyed: usize,
    losses: Losses,
}

impl<'a, R: FnMut(&str) -> io::Result<Vec<u8>>> Putter<'a, R> {
    fn tiles(&mut self) {
        if let Err(wanted) = self.assets.tile_folder() {
            let why = match wanted {
                "" => "the level names no folder of them".to_owned(),
                _ => format!("there is no folder {}", escape_bytes(wanted.as_bytes())),
            };
            self.losses.approximated("tile_sets", format!("tiles without pictures: {why}"));
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
                let image = path.and_then(|path| self.take(path));
                let tile = self.scene.tile_sets.get_mut(id).and_then(|set| set.tiles.get_mut(place));
                if let (Some(tile), Some((image, _))) = (tile, image) {
                    tile.image = tile.image.or(Some(image));
                }
            }
            if !missing.is_empty() {
                let text = format!("tiles without a picture in {:?}: {}", escape_bytes(&name), some(&missing));
                self.losses.approximated(format!("tile_sets[{}]", id.index()), text);
            }
        }
    }

    /// Of each set and each of its tiles, whether a cell shows it: sets have tiles that the game has no pictures of.
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

    fn objects(&mut self) {
        let sets = self.scene.tile_sets.iter().rev().map(|(id, set)| (set.name.to_ascii_uppercase(), id));
        let mut sets: HashMap<String, TileSetId> = sets.collect();
        let mut missing = Vec::new();
        let mut most_tiles = MOST_TILES;
        for (key, (model, shown)) in self.shown() {
            let files: Vec<(u32, &str)> = self.assets.sprite(&unescape_bytes(&model)).collect();
            let mut found = false;
            for (at, (number, path)) in files.into_iter().enumerate() {
                // The first stands for animations, and for numbers that there are not.
                let place = usize::try_from(number).ok().filter(|place| *place <= usize::from(u16::MAX));
                let Some(place) = place.filter(|_| at == 0 || shown.contains(&number)) else { continue };
                let Some((image, offset)) = self.take(path) else { continue };
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
            let text = format!("image sets without a picture: {}", some(&missing));
            self.losses.approximated("entities", text);
        }
    }

    /// The image sets that objects name, by their names in capitals, with the numbers of the pictures that they show.
    fn shown(&self) -> BTreeMap<String, (String, BTreeSet<u32>)> {
        let mut shown: BTreeMap<String, (String, BTreeSet<u32>)> = BTreeMap::new();
        for (_, entity) in self.scene.entities.iter() {
            let Some(model) = entity.model.as_ref().filter(|model| !model.is_empty()) else { continue };
            let (_, numbers) =
                shown.entry(model.to_ascii_uppercase()).or_insert_with(|| (model.clone(), BTreeSet::new()));
            numbers.insert(entity.properties.get("i").and_then(number).unwrap_or(0));
        }
        shown
    }

    /// The picture of a path and its offset.
    fn take(&mut self, path: &'a str) -> Option<(ImageId, [i32; 2])> {
        if let Some(taken) = self.taken.get(path) {
            return *taken;
        }
        let taken = match self.decode(path) {
            Ok(picture) => picture.and_then(|picture| self.put(path, &picture)),
            Err(error) => {
                self.losses.dropped(path, error);
                None
            }
        };
        self.taken.insert(path, taken);
        taken
    }

    /// Decodes a picture; nothing once there is no room for any.
    fn decode(&mut self, path: &str) -> Result<Option<Picture>, String> {
        if self.left == 0 {
            self.too_much = self.too_much.saturating_add(1);
            return Ok(None);
        }
        let bytes = (self.read)(path).map_err(|error| error.to_string())?;
        Picture::from_file(path, &bytes).map(Some).map_err(|error| error.to_string())
    }

    fn put(&mut self, path: &str, picture: &Picture) -> Option<(ImageId, [i32; 2])> {
        let bytes = u64::from(picture.width).saturating_mul(picture.height.into()).saturating_mul(4);
        let Some(left) = self.left.checked_sub(bytes) else {
            self.left = 0;
            self.too_much = self.too_much.saturating_add(1);
            return None;
        };
        self.left = left;
        self.greyed = self.greyed.saturating_add(usize::from(self.grey && picture.needs_palette()));
        let pixels = Pixels {
            width: picture.width,
            height: picture.height,
            format: PixelFormat::Rgba8,
            data: picture.rgba(&self.palette),
        };
        let image = Image { name: path.to_owned(), source: ImageSource::Pixels(pixels) };
        Some((self.scene.images.push(image), picture.offset))
    }

    fn report(mut self) -> Losses {
        if self.greyed > 0 {
            self.losses.approximated("images", format!("{} pictures in grey: there is no palette", self.greyed));
        }
        if self.too_much > 0 {
            self.losses.dropped("images", format!("{} pictures beyond the limit of bytes", self.too_much));
        }
        self.losses
    }
}

/// How many there are, and the first of them.
fn some(names: &[String]) -> String {
    const MOST: usize = 5;
    let first = names.get(..MOST).unwrap_or(names).join(", ");
    let more = if names.len() > MOST { ", …" } else { "" };
    format!("{} ({first}{more})", names.len())
}
