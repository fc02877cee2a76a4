//! Attaches images to a scene.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mapwright_content::{Outcome, ReferenceKind, ResolveReport};
use mapwright_io::{format_count, parallel};
use mapwright_scene::{Cell, Entity, Image, ImageId, ImageSource, Pixels, Scene, Tile, TileSet, TileSetId, Value};
use mapwright_wapart::{FrameSet, Palette};
use mapwright_wwd::{escape_bytes, unescape_bytes};

use super::{AttachOptions, LevelArt, PALETTE};

/// A decoded image file.
pub(super) struct DecodedImage {
    /// The pixels, with opacity.
    pub(super) pixels: Pixels,
    /// Offset from the position of an object to the centre of its image, right and down, in pixels.
    pub(super) offset: [i32; 2],
    /// `true` if the image is grey because its palette is missing.
    pub(super) is_grey: bool,
}

/// Number of images that are decoded at a time. It does not depend on the number of threads, so that results are the same on all machines.
const BATCH: usize = 16;

/// Maximum number of tiles that images of objects add to all sets.
const MAX_TILES: usize = 1 << 18;

/// Returns the frame that an object shows at rest; −1 is the lowest one of its set.
pub(super) fn shown_frame(entity: &Entity) -> i32 {
    let frame = match entity.properties.get("i") {
        Some(Value::Int(frame)) => i32::try_from(*frame).ok(),
        Some(Value::Text(text)) => text.parse().ok(),
        _ => None,
    };
    frame.unwrap_or(-1)
}

/// The frames that objects show with the number of these objects, by the name of their image set in upper case.
type ShownFrames = BTreeMap<String, (String, BTreeMap<i32, u64>)>;

pub(super) struct Attacher<'a> {
    art: &'a LevelArt,
    scene: &'a mut Scene,
    palette: Option<&'a Palette>,
    attaches_objects: bool,
    /// Bytes that images may still take.
    left: u64,
    /// The image of each file and its offset; `None` if it cannot be used.
    images: HashMap<usize, Option<(ImageId, [i32; 2])>>,
    excess: usize,
    grey_images: usize,
    /// Losses, and what is missing.
    report: ResolveReport,
}

impl<'a> Attacher<'a> {
    pub(super) fn new(
        art: &'a LevelArt,
        scene: &'a mut Scene,
        options: &AttachOptions,
        palette: Option<&'a Palette>,
    ) -> Self {
        Self {
            art,
            scene,
            palette,
            attaches_objects: options.objects,
            left: options.max_bytes,
            images: HashMap::new(),
            excess: 0,
            grey_images: 0,
            report: ResolveReport::default(),
        }
    }

    /// Attaches all images. Returns files that cannot be decoded, tiles and objects without an image, and grey images. Also returns the
    /// indices of the files that were read.
    pub(super) fn attach(mut self) -> (ResolveReport, BTreeSet<usize>) {
        self.attach_to_tiles();
        if self.attaches_objects {
            self.attach_to_objects();
        }
        if self.grey_images > 0 {
            if self.art.palette.is_none() {
                self.report.add_uses(ReferenceKind::Other, PALETTE, Outcome::Missing, self.grey_images as u64);
            }
            self.report.losses.approximated(
                "images",
                format!("{} in grey: the palette is missing", format_count(self.grey_images, "image")),
            );
        }
        if self.excess > 0 {
            self.report
                .losses
                .dropped("images", format!("{} beyond the size limit", format_count(self.excess, "image")));
        }
        (self.report, self.images.into_keys().collect())
    }

    fn attach_to_tiles(&mut self) {
        if let Err(wanted) = &self.art.tile_directory {
            let why = match wanted.as_str() {
                "" => "the header of the level names no folder".to_owned(),
                wanted => format!("folder {} not found", escape_bytes(wanted.as_bytes())),
            };
            if !wanted.is_empty() {
                self.report.add(ReferenceKind::Other, &escape_bytes(wanted.as_bytes()), Outcome::Missing);
            }
            self.report.losses.approximated("tile_sets", format!("tiles without images: {why}"));
            return;
        }
        let shown = self.shown_tiles();
        for (id, shown) in self.scene.tile_sets.ids().collect::<Vec<_>>().into_iter().zip(shown) {
            let Some(set) = self.scene.tile_sets.get(id) else { continue };
            let name = unescape_bytes(&set.name);
            let art = self.art;
            let frames = art.sets.get(&name).map(|set| &set.frames);
            let file = |place: usize| u32::try_from(place).ok().and_then(|number| frames?.get(number));
            self.load((0..shown.len()).filter_map(file));
            let mut missing = Vec::new();
            for (place, uses) in shown.into_iter().enumerate() {
                let file = file(place);
                if file.is_none() && uses > 0 {
                    missing.push(place.to_string());
                    if frames.is_some() {
                        let tile = format!("{} {place}", escape_bytes(&name));
                        self.report.add_uses(ReferenceKind::Image, &tile, Outcome::Missing, uses);
                    } else {
                        self.report.add_uses(ReferenceKind::ImageSet, &escape_bytes(&name), Outcome::Missing, uses);
                    }
                }
                let image = file.and_then(|file| self.image(file));
                let tile = self.scene.tile_sets.get_mut(id).and_then(|set| set.tiles.get_mut(place));
                if let (Some(tile), Some((image, _))) = (tile, image) {
                    tile.image = tile.image.or(Some(image));
                }
            }
            if !missing.is_empty() {
                let text = format!("tiles without an image in {:?}: {}", escape_bytes(&name), summarize(&missing));
                self.report.losses.approximated(format!("tile_sets[{}]", id.index()), text);
            }
        }
    }

    /// Returns for each tile of each set the number of cells that show it. The game has no images for some tiles that no cell shows.
    fn shown_tiles(&self) -> Vec<Vec<u64>> {
        let scene = &self.scene;
        let mut shown: Vec<_> = scene.tile_sets.items().iter().map(|set| vec![0_u64; set.tiles.len()]).collect();
        for layer in scene.tile_layers.items() {
            for &word in &layer.cells {
                let Cell::Tile { set, tile } = Cell::from_word(word) else { continue };
                let set = layer.tile_sets.get(usize::from(set)).and_then(|set| shown.get_mut(set.index()));
                if let Some(uses) = set.and_then(|set| set.get_mut(usize::from(tile))) {
                    *uses = uses.saturating_add(1);
                }
            }
        }
        shown
    }

    fn attach_to_objects(&mut self) {
        let sets = self.scene.tile_sets.iter().rev().map(|(id, set)| (set.name.to_ascii_uppercase(), id));
        let mut sets: HashMap<String, TileSetId> = sets.collect();
        let (mut missing_sets, mut missing_frames) = (Vec::new(), Vec::new());
        let mut tiles_left = MAX_TILES;
        let art = self.art;
        let image_sets = self.shown_image_sets();
        self.load(image_sets.values().flat_map(|(model, shown)| {
            let frames = art.sets.get(&unescape_bytes(model)).map(|set| &set.frames);
            shown.keys().filter_map(move |i| Some(frames?.at_rest(*i)?.1))
        }));
        for (key, (model, shown)) in image_sets {
            let Some(set) = art.sets.get(&unescape_bytes(&model)) else {
                missing_sets.push(format!("{model:?}"));
                let uses = shown.values().sum();
                self.report.add_uses(ReferenceKind::ImageSet, &model, Outcome::Missing, uses);
                continue;
            };
            for (i, uses) in shown {
                let Some((number, image, offset)) = self.frame_at_rest(&set.frames, i) else {
                    missing_frames.push(format!("{model:?} {i}"));
                    self.report.add_uses(ReferenceKind::Image, &format!("{model} {i}"), Outcome::Missing, uses);
                    continue;
                };
                let tile_sets = &mut self.scene.tile_sets;
                let id = *sets
                    .entry(key.clone())
                    .or_insert_with(|| tile_sets.push(TileSet { name: model.clone(), ..TileSet::default() }));
                let Some(set) = tile_sets.get_mut(id) else { continue };
                let place = usize::from(number);
                let more = place.saturating_add(1).saturating_sub(set.tiles.len());
                if more > tiles_left {
                    missing_frames.push(format!("{model:?} {i}"));
                    continue;
                }
                tiles_left = tiles_left.saturating_sub(more);
                set.tiles.resize_with(set.tiles.len().saturating_add(more), Tile::default);
                let Some(tile) = set.tiles.get_mut(place) else { continue };
                tile.image = tile.image.or(Some(image));
                for (name, offset) in
                    ["offset_x", "offset_y"].into_iter().zip(offset).filter(|(_, offset)| *offset != 0)
                {
                    tile.properties.set(name, offset);
                }
            }
        }
        for (missing, what) in
            [(missing_sets, "image sets without an image"), (missing_frames, "frames of objects without an image")]
        {
            if !missing.is_empty() {
                self.report.losses.approximated("entities", format!("{what}: {}", summarize(&missing)));
            }
        }
    }

    /// Returns the number, the image and the offset of the frame that an object shows. An image that cannot be decoded leaves
    /// its number free.
    fn frame_at_rest(&mut self, frames: &FrameSet, i: i32) -> Option<(u16, ImageId, [i32; 2])> {
        let exact = frames.at_rest(i)?;
        let lowest = frames.iter().filter(|_| i == -1);
        let mut candidates = std::iter::once(exact).chain(lowest.skip(1));
        candidates.find_map(|(number, file)| {
            let (image, offset) = self.image(file)?;
            Some((u16::try_from(number).ok()?, image, offset))
        })
    }

    /// Returns the image sets of objects by their names in upper case, with the numbers of the frames that are shown.
    fn shown_image_sets(&self) -> ShownFrames {
        let mut shown = ShownFrames::new();
        for (_, entity) in self.scene.entities.iter() {
            let Some(model) = entity.model.as_ref().filter(|model| !model.is_empty()) else { continue };
            let (_, numbers) =
                shown.entry(model.to_ascii_uppercase()).or_insert_with(|| (model.clone(), BTreeMap::new()));
            *numbers.entry(shown_frame(entity)).or_default() += 1;
        }
        shown
    }

    /// Returns the image of a file and its offset.
    fn image(&mut self, file: usize) -> Option<(ImageId, [i32; 2])> {
        self.load([file]);
        self.images.get(&file).copied().flatten()
    }

    /// Decodes files that were not decoded before, and adds their images to the scene.
    fn load(&mut self, files: impl IntoIterator<Item = usize>) {
        let mut known = HashSet::new();
        let is_new = |file: &usize| !self.images.contains_key(file) && known.insert(*file);
        let new: Vec<usize> = files.into_iter().filter(is_new).collect();
        let (art, palette) = (self.art, self.palette);
        for batch in new.chunks(BATCH) {
            // Together, the images of a batch take at most the bytes that are left. Larger ones are decoded alone.
            let max_pixels = self.left / (BATCH as u64 * 4);
            let decoded = parallel::map(batch.to_vec(), |file| {
                let path = art.paths.get(file).filter(|_| max_pixels > 0)?;
                art.decode(path, palette, max_pixels).ok()
            });
            for (&file, decoded) in batch.iter().zip(decoded) {
                let Some(path) = art.paths.get(file) else { continue };
                let image = self.add(path, decoded);
                self.images.insert(file, image);
            }
        }
    }

    /// Adds an image to the scene, which is decoded now if it was not before. Returns `None` if it cannot be used.
    fn add(&mut self, path: &str, decoded: Option<DecodedImage>) -> Option<(ImageId, [i32; 2])> {
        if self.left == 0 {
            self.excess = self.excess.saturating_add(1);
            return None;
        }
        match decoded.map_or_else(|| self.art.decode(path, self.palette, u64::MAX), Ok) {
            Ok(decoded) => self.push(path, decoded),
            Err(error) => {
                self.report.losses.dropped(path, error.as_str());
                self.report.add(ReferenceKind::Image, path, Outcome::Undecodable(error));
                None
            }
        }
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
}

/// Formats the number of names and the first of them.
pub(super) fn summarize(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let first = names.get(..SHOWN).unwrap_or(names).join(", ");
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{} ({first}{more})", names.len())
}
