//! Tile sets.

use std::collections::HashMap;

use mapwright_io::format_count;
use mapwright_scene::{
    Collision, FileKind, Image, ImageId, ImageSource, Pixels, Properties, Tile, TileSet, TileSetId, images,
};

use super::{
    super::{
        MAX_TILES,
        encode::{Incoming, text_in},
        grid, json,
        model::{self, Tileset},
        xml,
    },
    Reader, parse_runs, text,
};
use crate::{Error, ErrorKind, error::malformed};

/// A tile set of the map, with the numbers of its tiles.
#[derive(Debug)]
pub(super) struct Set {
    pub first: u32,
    pub count: u32,
    pub kind: Kind,
    /// The anchor of objects with a tile of this set: fractions of their width and height from the top left corner.
    pub anchor: [f64; 2],
    tile_size: [u32; 2],
    /// Sizes of tiles with images of their own.
    sizes: HashMap<u32, [u32; 2]>,
}

impl Set {
    /// Returns `true` if the set contains the tile of this number.
    pub(super) fn contains(&self, gid: u32) -> bool {
        gid.checked_sub(self.first).is_some_and(|tile| tile < self.count)
    }

    /// Returns the size of the tile of a number.
    pub(super) fn size_of(&self, gid: u32) -> [u32; 2] {
        self.sizes.get(&gid.wrapping_sub(self.first)).copied().unwrap_or(self.tile_size)
    }
}

/// The anchor of tile objects in maps that do not name another one.
pub(super) const BOTTOM_LEFT: [f64; 2] = [0.0, 1.0];

/// Returns the anchor of tile objects.
fn anchor(alignment: &str) -> [f64; 2] {
    match alignment {
        "topleft" => [0.0, 0.0],
        "top" => [0.5, 0.0],
        "topright" => [1.0, 0.0],
        "left" => [0.0, 0.5],
        "center" => [0.5, 0.5],
        "right" => [1.0, 0.5],
        "bottom" => [0.5, 1.0],
        "bottomright" => [1.0, 1.0],
        _ => BOTTOM_LEFT,
    }
}

#[derive(Debug)]
pub(super) enum Kind {
    Tiles(TileSetId),
    /// The words that the tiles represent.
    Words(HashMap<u32, u32>),
}

impl Reader<'_> {
    /// Adds a tile set of the map.
    pub(super) fn tile_set(&mut self, set: Tileset, index: usize) -> Result<(), Error> {
        let path = format!("tilesets[{index}]");
        let first = set.firstgid;
        if first == 0 || first & super::super::data::FLIPS != 0 {
            return Err(malformed(format!("{path}.firstgid"), format!("invalid first tile number {first}")));
        }
        let (mut set, folder) = self.resolved(set, &path)?;
        let mut own = self.properties(std::mem::take(&mut set.properties), &path);
        let ids = set.tiles.iter().map(|tile| tile.id.saturating_add(1)).max().unwrap_or(0);
        let count = match set.tilecount {
            0 => ids.max(tiles_in_image(&set)),
            count => ids.max(count),
        };
        if own.flag("words") == Some(true) {
            let word = |tile: model::Tile| Some((tile.id, word(&Incoming::new(tile.properties).text("word")?)?));
            let words = set.tiles.into_iter().filter_map(word).collect();
            let (anchor, tile_size, sizes) = (BOTTOM_LEFT, [set.tilewidth, set.tileheight], HashMap::new());
            self.sets.push(Set { first, count, kind: Kind::Words(words), anchor, tile_size, sizes });
            return Ok(());
        }
        // The last row may be incomplete.
        let tiles =
            own.int("tiles").filter(|tiles| count.checked_sub(*tiles).is_some_and(|more| more < set.columns.max(2)));
        let tiles = tiles.unwrap_or(count).max(ids);
        if tiles > MAX_TILES {
            let limit = ErrorKind::Limit { what: "tiles in a set", limit: MAX_TILES.into() };
            return Err(Error::on_path(limit, path));
        }
        let tiles = tiles as usize;
        self.spend((tiles as u64).saturating_mul(size_of::<Tile>() as u64), &path)?;
        for (is_there, what) in [
            (set.wangsets, "sets of terrain brushes"),
            (set.terrains, "types of terrain"),
            (set.tileoffset, "the offset of the tiles"),
            (set.grid, "the grid of the tile set"),
            (set.transformations, "the allowed transformations of tiles"),
            (set.backgroundcolor, "the background colour of the tile set"),
            (set.transparentcolor, "the transparent colour of the image"),
            (!matches!(set.objectalignment.as_str(), "" | "unspecified"), "the alignment of tile objects"),
            (!matches!(set.tilerendersize.as_str(), "" | "tile"), "the size at which tiles are drawn"),
            (!matches!(set.fillmode.as_str(), "" | "stretch"), "the fill mode of tiles"),
            (set.tiles.iter().any(|tile| !tile.kind.is_empty()), "classes of tiles"),
            (set.tiles.iter().any(|tile| tile.probability.is_some_and(|it| it != 1.0)), "probabilities of tiles"),
            (set.tiles.iter().any(shows_part), "parts of images that tiles show: the whole images"),
            (set.tiles.iter().any(|tile| tile.animation), "animations"),
            (set.tiles.iter().any(|tile| tile.objectgroup), "collision shapes"),
        ] {
            if is_there {
                self.losses.dropped(path.as_str(), what);
            }
        }
        self.report_class(&set.class, &path);
        let drawn = drawn(&mut own, tiles);
        let mut result =
            TileSet { name: text_in(set.name), tiles: vec![Tile::default(); tiles], properties: Properties::new() };
        [result.properties, _] = own.into_remaining();
        let tile_size = [set.tilewidth, set.tileheight];
        let shown = |tile: &model::Tile| match [tile.width, tile.height] {
            [0, 0] => [tile.imagewidth, tile.imageheight],
            part => part,
        };
        let sizes = set.tiles.iter().map(|tile| (tile.id, shown(tile)));
        let sizes = sizes.filter(|(_, size)| *size != [0; 2]).collect();
        let mut named = HashMap::new();
        let mut names = HashMap::new();
        let mut own_images = 0_usize;
        for tile in set.tiles {
            let Some(to) = result.tiles.get_mut(tile.id as usize) else { continue };
            let mut own = self.properties(tile.properties, &format!("{path}.tiles[{}]", tile.id));
            to.collision = collision(&mut own);
            let reference = own.text("image").or_else(|| {
                let file = tile.image?;
                own_images = own_images.saturating_add(1);
                Some(join(&folder, &file))
            });
            let name = own.text("image_name");
            if let Some(path) = reference {
                to.image = Some(*named.entry((path, name)).or_insert_with_key(|(path, name)| {
                    let source = ImageSource::External { path: path.clone() };
                    self.scene.images.push(Image { name: name.clone().unwrap_or_default(), source })
                }));
            } else if let Some(name) = name {
                names.insert(tile.id, name);
            }
            [to.properties, _] = own.into_remaining();
        }
        if own_images > 0 {
            let text =
                format!("{} of tiles: a Tiled map gets one image of all tiles", format_count(own_images, "file"));
            self.losses.approximated(path.as_str(), text);
        }
        if let Some(file) = &set.image {
            let places: Vec<usize> = (0..tiles).filter(|&tile| !drawn.get(tile).copied().unwrap_or(false)).collect();
            let sheet = Sheet {
                tile: [set.tilewidth, set.tileheight],
                columns: set.columns,
                spacing: set.spacing,
                margin: set.margin,
            };
            self.cut(&mut result, &join(&folder, file), &sheet, &places, &mut names, &path)?;
        }
        let id = self.scene.tile_sets.push(result);
        // Cells have 16 bits for the tile.
        let (count, kind) = (count.min(MAX_TILES), Kind::Tiles(id));
        self.sets.push(Set { first, count, kind, anchor: anchor(&set.objectalignment), tile_size, sizes });
        Ok(())
    }

    /// Returns the tile set, from its file if it has one, and the folder of that file.
    fn resolved(&mut self, set: Tileset, path: &str) -> Result<(Tileset, String), Error> {
        let Some(source) = set.source else { return Ok((set, String::new())) };
        let data = match self.files.load(&source, FileKind::Data) {
            Ok(data) => data,
            Err(reason) => return Err(Error::on_path(ErrorKind::MissingFile { name: source, reason }, path)),
        };
        let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&data);
        let max_objects = self.options.max_objects_of(data);
        let set = if data.trim_ascii_start().starts_with(b"{") {
            json::read(data, max_objects)
        } else {
            text(data).and_then(|text| xml::tileset(text, max_objects))
        };
        let set = set.map_err(|error| error.in_file(&*source))?;
        self.losses.approximated(path, format!("the tile set of the file {source:?}: stored in the map"));
        let folder = source.rfind(['/', '\\']).and_then(|end| source.get(..=end)).unwrap_or_default().to_owned();
        Ok((set, folder))
    }

    /// Cuts the images of tiles from the image of the set.
    fn cut(
        &mut self,
        set: &mut TileSet,
        file: &str,
        sheet: &Sheet,
        places: &[usize],
        names: &mut HashMap<u32, String>,
        path: &str,
    ) -> Result<(), Error> {
        let places: Vec<usize> = places
            .iter()
            .copied()
            .filter(|&place| set.tiles.get(place).is_some_and(|tile| tile.image.is_none()))
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        let loaded = self.files.load(file, FileKind::Image);
        let data = loaded.as_deref().unwrap_or_default();
        let size = images::decoded_bytes(data, file).filter(|size| size.saturating_mul(2) <= self.left);
        // Decoders need some memory in addition to the pixels.
        let limit = usize::try_from(self.left).unwrap_or(usize::MAX);
        let pixels = size.and_then(|_| images::decode_image(data, file, limit, path, &mut self.losses));
        let Some(pixels) = pixels else {
            let layout = if [sheet.spacing, sheet.margin] == [0; 2] { "" } else { "; spacing and margin are lost" };
            let result = format!("its tiles get no image, and a Tiled map shows their numbers{layout}");
            self.losses.dropped(path, format!("image {file:?}: {result} ({})", images::unread_reason(loaded)));
            return Ok(());
        };
        self.spend(size.unwrap_or_default(), path)?;
        let written = grid(set.tiles.len());
        let is_written = sheet.columns == written[0] && [sheet.spacing, sheet.margin] == [0; 2];
        if !is_written {
            let [columns, rows] = written;
            let text = format!(
                "image {file:?}: cut into its tiles; a Tiled map gets a new image of {columns} columns and {rows} rows"
            );
            self.losses.approximated(path, text);
        }
        let mut missing = 0_usize;
        for place in places {
            let Some(part) = sheet.part(&pixels, place) else {
                missing = missing.saturating_add(1);
                continue;
            };
            let name = u32::try_from(place).ok().and_then(|place| names.remove(&place)).unwrap_or_default();
            let image: ImageId = self.scene.images.push(Image { name, source: ImageSource::Pixels(part) });
            if let Some(tile) = set.tiles.get_mut(place) {
                tile.image = Some(image);
            }
        }
        if missing > 0 {
            self.losses.dropped(path, format!("{missing} tiles are outside the image {file:?}"));
        }
        Ok(())
    }

    /// Returns the set that contains the tile of this number.
    pub(super) fn set_of(&self, gid: u32) -> Option<&Set> {
        let after = self.sets.partition_point(|set| set.first <= gid);
        after.checked_sub(1).and_then(|index| self.sets.get(index)).filter(|set| set.contains(gid))
    }

    /// Sorts the sets by their first numbers. If sets overlap, a number belongs to the later set.
    pub(super) fn sort_sets(&mut self) -> Result<(), Error> {
        self.sets.sort_by_key(|set| set.first);
        let next: Vec<u32> = self.sets.iter().skip(1).map(|set| set.first).collect();
        for (set, next) in self.sets.iter_mut().zip(next) {
            if set.first == next {
                return Err(malformed("tilesets", format!("two sets have the first number {next}")));
            }
            set.count = set.count.min(next.saturating_sub(set.first));
        }
        Ok(())
    }
}

/// The arrangement of tiles in an image.
struct Sheet {
    tile: [u32; 2],
    columns: u32,
    spacing: u32,
    margin: u32,
}

impl Sheet {
    /// Returns the part of an image for a tile, or `None` if it is outside.
    fn part(&self, pixels: &Pixels, place: usize) -> Option<Pixels> {
        let [width, height] = self.tile;
        let step = |edge: u32| u64::from(edge) + u64::from(self.spacing);
        let room = (u64::from(pixels.width) + u64::from(self.spacing)).checked_sub(self.margin.into())?;
        let columns = if self.columns == 0 { room.checked_div(step(width))? } else { self.columns.into() };
        let (column, row) = ((place as u64).checked_rem(columns)?, (place as u64).checked_div(columns)?);
        let at = |index: u64, edge: u32| index.checked_mul(step(edge))?.checked_add(self.margin.into());
        let [left, top] = [usize::try_from(at(column, width)?).ok()?, usize::try_from(at(row, height)?).ok()?];
        let channels = pixels.format.channels();
        let inside = left.checked_add(width as usize)? <= pixels.width as usize
            && top.checked_add(height as usize)? <= pixels.height as usize;
        if !inside || width == 0 || height == 0 {
            return None;
        }
        let mut data = Vec::with_capacity((width as usize).checked_mul(height as usize)?.checked_mul(channels)?);
        for y in top..top.checked_add(height as usize)? {
            let start = y.checked_mul(pixels.width as usize)?.checked_add(left)?.checked_mul(channels)?;
            data.extend_from_slice(
                pixels.data.get(start..start.checked_add((width as usize).checked_mul(channels)?)?)?,
            );
        }
        Some(Pixels { width, height, format: pixels.format, data })
    }
}

/// Returns the number of tiles in an image, if the set does not store it.
fn tiles_in_image(set: &Tileset) -> u32 {
    let fitting = |room: u32, edge: u32| {
        let room = room.saturating_sub(set.margin).saturating_add(set.spacing);
        room.checked_div(edge.saturating_add(set.spacing)).unwrap_or(0)
    };
    fitting(set.imagewidth, set.tilewidth).saturating_mul(fitting(set.imageheight, set.tileheight))
}

/// Returns `true` if a tile shows only a part of its image.
fn shows_part(tile: &model::Tile) -> bool {
    ![[0, 0], [tile.imagewidth, tile.imageheight]].contains(&[tile.width, tile.height])
}

/// Marks tiles that are only squares with their number.
fn drawn(own: &mut Incoming, count: usize) -> Vec<bool> {
    if let Some(all) = own.flag("drawn") {
        return vec![all; count];
    }
    let mut drawn = vec![false; count];
    for [first, last] in own.text("drawn").iter().flat_map(|runs| parse_runs(runs)) {
        let end = (last as usize).saturating_add(1).min(count);
        drawn.get_mut(first as usize..end).unwrap_or_default().fill(true);
    }
    drawn
}

/// Parses a word in any format.
fn word(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn collision(own: &mut Incoming) -> Collision {
    if let Some(attribute) = own.int("attribute") {
        return Collision::Uniform(attribute);
    }
    let (outside, inside) = (own.int("outside"), own.int("inside"));
    if outside.is_some() || inside.is_some() {
        let bounds = ["left", "top", "right", "bottom"].map(|name| own.int(name).unwrap_or(0));
        return Collision::Rectangle { outside: outside.unwrap_or(0), inside: inside.unwrap_or(0), bounds };
    }
    let (bytes, words) = (own.bytes("mask"), own.bytes("mask_words"));
    let attributes = match (bytes, words) {
        (Some(bytes), _) => bytes.into_iter().map(u32::from).collect(),
        (None, Some(words)) => words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect(),
        (None, None) => return Collision::Unknown,
    };
    let [width, height] = ["mask_width", "mask_height"].map(|name| own.int(name).unwrap_or(0));
    Collision::Mask { width, height, attributes }
}

/// Resolves the path of a file relative to another file.
fn join(folder: &str, file: &str) -> String {
    let is_absolute = file.starts_with(['/', '\\']) || file.get(1..2) == Some(":");
    if is_absolute { file.to_owned() } else { format!("{folder}{file}") }
}
