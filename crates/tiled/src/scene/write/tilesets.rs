//! Tile sets, and cells as numbers of their tiles.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mapwright_scene::images::{self, ImageBudget};
use mapwright_scene::{
    Cell, Collision, FileKind, FileSource, Image, ImageSource, Losses, MAX_FILE_STEM, Pixels, Properties, Scene,
    SideFile, Tile, TileLayer, TileSet, Value, name_prefix,
};

use super::super::encode::{Outgoing, Property, properties_element, text_out};
use super::super::{ExportOptions, MAX_TILES, grid, names, shapes};
use super::atlas::{Atlas, max_pixels};
use super::attributes::{take_tile, take_tileset};
use crate::build::Element;
use crate::codes::Gid;
use crate::{WriteError, WriteErrorKind};

/// Maximum number of sets. Each has an image file, but a set of a level takes only two bytes.
const MAX_SETS: usize = 512;
/// Maximum width and height of a tile in Tiled.
const MAX_TILE_EDGE: u32 = 1024;
/// Maximum number of different words without a tile.
const MAX_WORDS: usize = 1 << 20;

/// The tile sets of a scene with a number for each tile. The last set contains tiles for words without a tile: the fill colour
/// and invalid references.
pub(super) struct Sets<'a> {
    scene: &'a Scene,
    /// Number of the first tile of each set.
    first: Vec<u32>,
    /// Tile size of each set: that of the first layer with the set.
    tile_size: Vec<Option<[u32; 2]>>,
    words_first: u32,
    words: Vec<u32>,
    word_tiles: HashMap<u32, u32>,
    /// The sets with a tile that an object shows.
    of_objects: BTreeSet<usize>,
}

/// Returns `true` if tiles can have a width or height in Tiled.
pub(super) fn is_valid_edge(edge: u32) -> bool {
    (1..=MAX_TILE_EDGE).contains(&edge)
}

fn slots(count: usize) -> u32 {
    let [columns, rows] = grid(count);
    columns.saturating_mul(rows)
}

impl<'a> Sets<'a> {
    pub(super) fn new(scene: &'a Scene) -> Result<Self, WriteError> {
        if scene.tile_sets.len() > MAX_SETS {
            let limit = WriteErrorKind::SceneLimit { what: "tile sets", limit: MAX_SETS as u64 };
            return Err(WriteError::on_path(limit, "tile_sets"));
        }
        if let Some((id, _)) = scene.tile_sets.iter().find(|(_, set)| set.tiles.len() > MAX_TILES as usize) {
            let limit = WriteErrorKind::SceneLimit { what: "tiles in a set", limit: MAX_TILES.into() };
            return Err(WriteError::on_path(limit, format!("tile_sets[{}]", id.index())));
        }
        let mut next = 1_u32;
        let mut take = |set: &TileSet| {
            let first = next;
            next = next.saturating_add(slots(set.tiles.len()));
            first
        };
        let first = scene.tile_sets.items().iter().map(&mut take).collect();
        let tile_size = vec![None; scene.tile_sets.len()];
        let mut sets = Self {
            scene,
            first,
            tile_size,
            words_first: next,
            words: Vec::new(),
            word_tiles: HashMap::new(),
            of_objects: BTreeSet::new(),
        };
        if scene.tile_layers.items().iter().any(|layer| layer.fill.is_some()) {
            // Present even without filled cells, so that it can be painted with.
            sets.word(Cell::FILL);
        }
        Ok(sets)
    }

    /// Returns the tile of the last set for a word.
    fn word(&mut self, word: u32) -> u32 {
        match self.word_tiles.entry(word) {
            Entry::Occupied(tile) => *tile.get(),
            Entry::Vacant(place) => {
                let tile = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
                self.words.push(word);
                *place.insert(tile)
            }
        }
    }

    /// Converts the cells of a layer to tile numbers.
    pub(super) fn gids(&mut self, layer: &TileLayer, index: usize) -> Result<Vec<Gid>, WriteError> {
        // A set that a layer contains twice has only one number for each tile.
        let mut named = HashSet::new();
        let mut tiles = Vec::with_capacity(layer.tile_sets.len());
        for set in &layer.tile_sets {
            let count = self.scene.tile_sets.get(*set).map_or(0, |set| set.tiles.len());
            let first = self.first.get(set.index()).copied().unwrap_or_default();
            tiles.push(if named.insert(*set) { (first, count) } else { (0, 0) });
            if let Some(size @ None) = self.tile_size.get_mut(set.index()) {
                *size = Some(layer.tile_size);
            }
        }
        let gid = |&word: &u32| match Cell::from_word(word) {
            Cell::Empty => 0,
            Cell::Tile { set, tile } => match tiles.get(usize::from(set)) {
                Some(&(first, count)) if usize::from(tile) < count => first.saturating_add(tile.into()),
                _ => self.words_first.saturating_add(self.word(word)),
            },
            Cell::Fill => self.words_first.saturating_add(self.word(word)),
        };
        let gids = layer.cells.iter().map(gid).map(Gid).collect();
        let end = self.words_first.saturating_add(slots(self.words.len()));
        let path = || format!("tile_layers[{index}].cells");
        if self.words.len() > MAX_WORDS {
            let limit =
                WriteErrorKind::SceneLimit { what: "different words that no tile stands for", limit: MAX_WORDS as u64 };
            return Err(WriteError::on_path(limit, path()));
        }
        if end > !Gid::FLAGS {
            return Err(WriteError::on_path(
                WriteErrorKind::Unsupported("a map of more than 2^28 tiles".into()),
                path(),
            ));
        }
        Ok(gids)
    }

    /// Returns `true` if a set has a tile.
    pub(super) fn contains(&self, set: usize, tile: u32) -> bool {
        self.scene.tile_sets.items().get(set).is_some_and(|set| (tile as usize) < set.tiles.len())
    }

    /// Returns the number of the tile of an object, whose set must contain it.
    pub(super) fn gid_of_object(&mut self, set: usize, tile: u32) -> u32 {
        self.of_objects.insert(set);
        self.first.get(set).copied().unwrap_or_default().saturating_add(tile)
    }

    /// Writes the sets, and their images beside the map.
    pub(super) fn write(
        &self,
        tile_size: [u32; 2],
        files: &dyn FileSource,
        options: &ExportOptions,
        side: &mut Vec<SideFile>,
        losses: &mut Losses,
    ) -> Result<Vec<Element<'static>>, WriteError> {
        let mut budget = ImageBudget::new(options.max_image_bytes);
        let mut taken = HashSet::new();
        let mut sets = Vec::new();
        let size_of = |index: usize| {
            let size = self.tile_size.get(index).copied().flatten();
            size.filter(|size| size.iter().all(|edge| is_valid_edge(*edge))).unwrap_or(tile_size)
        };
        let image_sizes = self.scene.tile_sets.items().iter().enumerate();
        let image_sizes: Vec<_> = image_sizes.map(|(index, set)| [grid(set.tiles.len()), size_of(index)]).collect();
        let most = max_pixels(&image_sizes);
        for ((index, set), first) in self.scene.tile_sets.items().iter().enumerate().zip(&self.first) {
            let path = format!("tile_sets[{index}]");
            let mut images = match self.is_collection(index, tile_size) {
                true => TileImages::Files(BTreeMap::new()),
                false => TileImages::Atlas(Atlas::new(grid(set.tiles.len()), size_of(index), set.tiles.len(), most)),
            };
            let is_atlas = matches!(images, TileImages::Atlas(_));
            let mut properties = Outgoing::new(names::TILESET);
            if is_atlas && slots(set.tiles.len()) as usize != set.tiles.len() {
                properties.own("tiles", Value::Int(i64::try_from(set.tiles.len()).unwrap_or(i64::MAX)));
            }
            let mut drawn_tiles = Vec::new();
            let mut tiles = Vec::new();
            for (place, tile) in set.tiles.iter().enumerate() {
                let path = format!("{path}.tiles[{place}]");
                let image = tile.image.and_then(|image| self.scene.images.get(image));
                if let Some(image) = image {
                    match pixels(image, files, &mut budget, &path, losses) {
                        Ok(pixels) => {
                            drawn_tiles.push(place);
                            match &mut images {
                                TileImages::Atlas(atlas) => {
                                    if !atlas.draw(place, &pixels) {
                                        let text = "an image with another size than the tile is cut or padded";
                                        losses.approximated(path.as_str(), text);
                                    }
                                }
                                TileImages::Files(files) => {
                                    let name = file_name(&options.name, &format!("{}-{place}", set.name), &mut taken);
                                    files.insert(place, image_file(&pixels, name, &path, side)?);
                                }
                            }
                        }
                        Err(reason) => {
                            let result = if is_atlas { "replaced by a square with its number" } else { "left out" };
                            let text = format!("image {:?}: {reason}; {result}", image.name);
                            losses.approximated(path.as_str(), text);
                        }
                    }
                }
                let mut free = tile.properties.clone();
                let (attributes, animation) = take_tile(&mut free);
                let properties = tile_properties(tile, &free, image, &path, losses);
                let file = if let TileImages::Files(files) = &images { files.get(&place) } else { None };
                // The last tile shows how many there are.
                let is_counted = !is_atlas && place.saturating_add(1) == set.tiles.len();
                // Tiles of a halved image have other pixels than their collision.
                let size = match &images {
                    TileImages::Atlas(atlas) => Some(atlas.tile).filter(|size| *size == size_of(index)),
                    TileImages::Files(_) => file.map(|(_, size)| *size),
                };
                let shapes = size.and_then(|size| shapes::layer(&tile.collision, size));
                let is_plain =
                    properties.is_empty() && attributes.is_empty() && shapes.is_none() && animation.is_none();
                if !is_plain || file.is_some() || is_counted {
                    let mut element = Element::new("tile").with("id", place);
                    element.attributes.extend(attributes);
                    element.children.extend(properties_element(properties));
                    element.children.extend(file.map(|(image, _)| image.clone()));
                    element.children.extend(shapes);
                    element.children.extend(animation);
                    tiles.push(element);
                }
            }
            if is_atlas && drawn_tiles.is_empty() {
                properties.own("drawn", true);
            } else if is_atlas && drawn_tiles.len() < set.tiles.len() {
                properties.own("drawn", format_missing_runs(&drawn_tiles, set.tiles.len()));
            }
            let mut free = set.properties.clone();
            let (mut attributes, offset) = take_tileset(&mut free);
            properties.free(&free, &path, losses);
            if self.of_objects.contains(&index) {
                // Objects of scenes are at their top left corner.
                attributes.push((Cow::Borrowed("objectalignment"), Cow::Borrowed("topleft")));
            }
            let numbers = NewSet { first: *first, name: text_out(&set.name), attributes, offset };
            sets.push(match images {
                TileImages::Atlas(atlas) => {
                    let file = file_name(&options.name, &set.name, &mut taken);
                    finish(numbers, properties.done(), tiles, atlas, file, side)?
                }
                TileImages::Files(files) => {
                    let largest = files.values().fold([1, 1], |[w, h], (_, size)| [w.max(size[0]), h.max(size[1])]);
                    tileset(numbers, largest, [tiles.len(), 0], properties.done(), None, tiles)
                }
            });
        }
        if !self.words.is_empty() {
            let mut properties = Outgoing::new(names::TILESET);
            properties.own("words", true);
            let tiles = self.words.iter().zip(0_u32..).map(|(word, id)| {
                let mut properties = Outgoing::new(names::TILE);
                properties.own("word", format!("{word:#010x}"));
                let mut tile = Element::new("tile").with("id", id);
                tile.children.extend(properties_element(properties.done()));
                tile
            });
            let tiles: Vec<Element<'static>> = tiles.collect();
            let atlas = Atlas::new(grid(self.words.len()), tile_size, self.words.len(), most);
            let file = file_name(&options.name, "words", &mut taken);
            let numbers =
                NewSet { first: self.words_first, name: "words".into(), attributes: Vec::new(), offset: None };
            sets.push(finish(numbers, properties.done(), tiles, atlas, file, side)?);
        }
        Ok(sets)
    }

    /// Returns `true` if a set needs a file for each image: only objects show it, and its images have other sizes than tiles.
    fn is_collection(&self, index: usize, tile_size: [u32; 2]) -> bool {
        let is_of_objects = self.of_objects.contains(&index) && self.tile_size.get(index) == Some(&None);
        let tiles = self.scene.tile_sets.items().get(index).map_or(&[][..], |set| &set.tiles);
        let images = tiles.iter().filter_map(|tile| self.scene.images.get(tile.image?));
        let mut sizes = images.map(|image| match &image.source {
            ImageSource::Pixels(pixels) => Some([pixels.width, pixels.height]),
            ImageSource::Encoded { data, .. } => images::image_size(data, false),
            ImageSource::External { .. } => None,
        });
        is_of_objects && sizes.any(|size| size != Some(tile_size))
    }
}

/// The images of the tiles of a set.
enum TileImages {
    /// All in one file.
    Atlas(Atlas),
    /// A file each: its element and size.
    Files(BTreeMap<usize, (Element<'static>, [u32; 2])>),
}

/// Writes an image of a tile beside the map. Returns its element and size.
fn image_file(
    pixels: &Pixels,
    file: String,
    path: &str,
    side: &mut Vec<SideFile>,
) -> Result<(Element<'static>, [u32; 2]), WriteError> {
    let size = [pixels.width, pixels.height];
    let image = Element::new("image").with("source", &file).with("width", size[0]).with("height", size[1]);
    let data = images::encode_png(pixels).ok_or_else(|| {
        let kind = WriteErrorKind::Unsupported(format!("an image of {} × {} pixels", size[0], size[1]));
        WriteError::on_path(kind, path)
    })?;
    side.push(SideFile { name: file, data });
    Ok((image, size))
}

/// A tile set to write, without its image and tiles.
struct NewSet {
    first: u32,
    name: String,
    attributes: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    offset: Option<Element<'static>>,
}

/// Writes the image beside the map, and returns the tileset.
fn finish(
    set: NewSet,
    properties: Vec<Property>,
    tiles: Vec<Element<'static>>,
    atlas: Atlas,
    file: String,
    side: &mut Vec<SideFile>,
) -> Result<Element<'static>, WriteError> {
    let [tile_width, tile_height] = atlas.tile;
    let [columns, rows] = atlas.grid;
    let pixels = atlas.pixels();
    let data = images::encode_png(&pixels).ok_or_else(|| {
        let kind = WriteErrorKind::Unsupported(format!("an image of {columns} × {rows} tiles"));
        WriteError::on_path(kind, "tile_sets")
    })?;
    let image = Element::new("image").with("source", &file).with("width", pixels.width).with("height", pixels.height);
    side.push(SideFile { name: file, data });
    let counts = [columns.saturating_mul(rows), columns].map(|count| count as usize);
    Ok(tileset(set, [tile_width, tile_height], counts, properties, Some(image), tiles))
}

/// Returns a tileset with its number of tiles and of columns.
fn tileset(
    set: NewSet,
    [tile_width, tile_height]: [u32; 2],
    [count, columns]: [usize; 2],
    properties: Vec<Property>,
    image: Option<Element<'static>>,
    tiles: Vec<Element<'static>>,
) -> Element<'static> {
    let mut tileset = Element::new("tileset")
        .with("firstgid", set.first)
        .with("name", set.name)
        .with("tilewidth", tile_width)
        .with("tileheight", tile_height)
        .with("tilecount", count)
        .with("columns", columns);
    tileset.attributes.extend(set.attributes);
    tileset.children.extend(properties_element(properties));
    tileset.children.extend(set.offset);
    tileset.children.extend(image);
    tileset.children.extend(tiles);
    tileset
}

/// Returns a unique name for an image.
fn file_name(map: &str, set: &str, taken: &mut HashSet<String>) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    let set = if set.is_empty() { "tiles" } else { name_prefix(set, MAX_FILE_STEM) };
    let stem: String = map.chars().chain("-".chars()).chain(set.chars()).map(plain).collect();
    let mut name = format!("{stem}.png");
    let mut number = 1_u64;
    while !taken.insert(name.to_lowercase()) {
        number = number.saturating_add(1);
        name = format!("{stem}-{number}.png");
    }
    name
}

/// Returns the pixels of an image.
///
/// # Errors
/// The reason to report if it cannot be loaded or decoded.
fn pixels<'p>(
    image: &'p Image,
    files: &dyn FileSource,
    budget: &mut ImageBudget,
    path: &str,
    losses: &mut Losses,
) -> Result<Cow<'p, Pixels>, String> {
    let mut decode =
        |data: &[u8], name: &str| budget.decode(data, name, path, losses).map(Cow::Owned).map_err(str::to_owned);
    match &image.source {
        ImageSource::Pixels(pixels) => Ok(Cow::Borrowed(pixels)),
        ImageSource::Encoded { data, .. } => decode(data, ""),
        ImageSource::External { path } => {
            decode(&files.load(path, FileKind::Image).map_err(|error| error.to_string())?, path)
        }
    }
}

/// Returns the runs of tiles that are not in a sorted list.
fn format_missing_runs(tiles: &[usize], count: usize) -> String {
    let mut runs = Vec::new();
    let mut start = 0;
    for &tile in tiles.iter().chain([&count]) {
        if start < tile {
            runs.push(if tile - start == 1 { start.to_string() } else { format!("{start}-{}", tile - 1) });
        }
        start = tile.saturating_add(1);
    }
    runs.join(",")
}

fn tile_properties(
    tile: &Tile,
    free: &Properties,
    image: Option<&Image>,
    path: &str,
    losses: &mut Losses,
) -> Vec<Property> {
    let mut properties = Outgoing::new(names::TILE);
    match &tile.collision {
        Collision::Unknown => {}
        Collision::Uniform(attribute) => properties.own("attribute", *attribute),
        Collision::Rectangle { outside, inside, bounds } => {
            properties.own("outside", *outside);
            properties.own("inside", *inside);
            for (name, bound) in ["left", "top", "right", "bottom"].into_iter().zip(bounds) {
                properties.own(name, *bound);
            }
        }
        Collision::Mask { width, height, attributes } => {
            properties.own("mask_width", *width);
            properties.own("mask_height", *height);
            let bytes: Result<Vec<u8>, _> = attributes.iter().map(|&attribute| u8::try_from(attribute)).collect();
            match bytes {
                Ok(bytes) => properties.own("mask", BASE64_STANDARD.encode(bytes)),
                Err(_) => {
                    let words: Vec<u8> = attributes.iter().flat_map(|word| word.to_le_bytes()).collect();
                    properties.own("mask_words", BASE64_STANDARD.encode(words));
                }
            }
        }
    }
    if let Some(image) = image {
        if let ImageSource::External { path } = &image.source {
            properties.own("image", path.as_str());
        }
        if !image.name.is_empty() {
            properties.own("image_name", image.name.as_str());
        }
    }
    properties.free(free, path, losses);
    properties.done()
}
