//! Conversion from levels to scenes.

use std::collections::HashMap;

use mapwright_deflate::adler32;
use mapwright_io::Frame;
use mapwright_scene::{
    Content, Entity, Import, Losses, Node, NodeId, Scene, Tile, TileLayer, TileSet, TileSetId, Transform, Value,
};

use super::fields::{Fields, text};
use super::{AXES, tiles};
use crate::{
    Cell, Checksum, Document, DrawFlags, HeaderFlags, Object, Plane, PlaneFlags, ReadError, ReadErrorKind,
    WriterProfile, escape_bytes,
};

/// Fields of a header, plane and object that scenes store otherwise than as properties.
const HEADER: &[&str] = &["name", "start_x", "start_y"];
const PLANE: &[&str] = &[
    "flags",
    "name",
    "width_px",
    "height_px",
    "tile_w",
    "tile_h",
    "tiles_wide",
    "tiles_high",
    "movement_x",
    "movement_y",
    "fill_color",
    "z_coord",
];
const OBJECT: &[&str] = &["x", "y", "z", "draw_flags", "name", "logic", "image_set"];

/// Size of a tile in pixels if a plane has none.
pub(super) const DEFAULT_TILE: u32 = 64;

/// Maximum number of tiles that are created for cells. Real levels have some thousands; without a limit a cell of four bytes could
/// create 65,536 tiles.
const MAX_TILES: usize = 1 << 18;

/// The property with the Adler-32 of the main block that a preserved checksum belongs to.
pub(super) const CHECKSUM_BLOCK: &str = "checksum_block";

/// Returns the Adler-32 of the main block if its checksum is not the one that the profile produces.
fn block_of_unusual_checksum(document: &Document) -> Option<u32> {
    let (stored, main) = (document.stored_block()?, document.to_main_block().ok()?);
    let compressed = document.header.flags.has(HeaderFlags::COMPRESS);
    let usual = Checksum::from(document.profile).compute(stored, &main, compressed);
    (usual != document.header.checksum).then(|| adler32(&main))
}

/// Converts a level.
pub(super) fn convert(document: &Document) -> Result<Import, ReadError> {
    let mut converter = Converter {
        scene: Scene { name: text(&document.header, "name"), ..Scene::default() },
        losses: Losses::new(),
        sets: HashMap::new(),
        tiles_left: MAX_TILES,
        plane: Fields::new(&Plane::default(), PLANE),
        object: Fields::new(&Object::default(), OBJECT),
    };
    converter.header(document);
    for (index, plane) in document.planes.iter().enumerate() {
        converter.plane(plane).map_err(|error| error.wrap(Frame::Index(index)).wrap(Frame::Field("planes")))?;
    }
    converter.tile_properties(document);
    let start = position(document.header.start_x, document.header.start_y, 0);
    converter.scene.add_node(None, Node { transform: start, ..Node::new("start", Content::Marker) });
    if document.layout.is_some() {
        let checksum = if block_of_unusual_checksum(document).is_some() {
            ", and its checksum, which no known program computes"
        } else {
            ""
        };
        converter.losses.dropped("", format!("offsets of the sections in the file{checksum}"));
    }
    Ok(Import { scene: converter.scene, losses: converter.losses })
}

struct Converter<'a> {
    scene: Scene,
    losses: Losses,
    /// The tile set of each name.
    sets: HashMap<&'a [u8], TileSetId>,
    /// Tiles that may still be created for cells.
    tiles_left: usize,
    plane: Fields,
    object: Fields,
}

impl<'a> Converter<'a> {
    fn header(&mut self, document: &Document) {
        let properties = &mut self.scene.properties;
        properties.push("format", "wwd");
        properties.push("profile", if document.profile == WriterProfile::WapMap { "wapmap" } else { "editor" });
        Fields::new(&Document::new().header, HEADER).to_properties(&document.header, properties);
        let trailer = &document.trailer;
        // Escaped binary data is unreadable and takes four times the space.
        let plain = trailer.iter().filter(|&&byte| matches!(byte, b' '..=b'~')).count();
        match trailer.len() {
            0 => {}
            length if plain >= length / 2 => properties.push("trailer", escape_bytes(trailer)),
            _ => properties.push("trailer", Value::Bytes(trailer.clone())),
        }
        if let Some(block) = block_of_unusual_checksum(document) {
            properties.push(CHECKSUM_BLOCK, block);
        }
    }

    fn plane(&mut self, plane: &'a Plane) -> Result<(), ReadError> {
        let (columns, rows) = plane.size();
        if !plane.has_all_cells() {
            let kind = ReadErrorKind::Grid { columns: plane.tiles_wide, rows: plane.tiles_high };
            return Err(ReadError::without_position(kind));
        }
        let name = text(plane, "name");
        let mut layer = TileLayer {
            name: name.clone(),
            size: [columns, rows],
            tile_size: [pixels(plane.tile_w), pixels(plane.tile_h)],
            cells: plane.tiles.to_vec(),
            tile_sets: self.tile_sets(plane),
            wrap: [plane.flags.has(PlaneFlags::WRAP_X), plane.flags.has(PlaneFlags::WRAP_Y)],
            parallax: [plane.movement_x, plane.movement_y].map(|percent| f64::from(percent) / 100.0),
            z: plane.z_coord,
            fill: Some(plane.fill_color),
            attributes: Vec::new(),
            properties: Default::default(),
        };
        let properties = &mut layer.properties;
        if plane.is_main() {
            properties.push("main", true);
        }
        let rest = PLANE_FLAGS.iter().fold(plane.flags, |rest, flag| rest.with(*flag, false));
        if rest.0 != 0 {
            properties.push("flags", rest.0);
        }
        let sides = [("tile_w", "width_px", plane.tile_w, plane.tiles_wide, plane.width_px)];
        let sides = sides.into_iter().chain([("tile_h", "height_px", plane.tile_h, plane.tiles_high, plane.height_px)]);
        for (tile_name, name, tile, tiles, pixels) in sides {
            if tile <= 0 {
                properties.push(tile_name, tile);
            }
            if i64::from(tile).saturating_mul(tiles.into()) != i64::from(pixels) {
                properties.push(name, pixels);
            }
        }
        self.plane.to_properties(plane, properties);
        let layer = self.scene.tile_layers.push(layer);
        let visible = !plane.flags.has(PlaneFlags::NO_DRAW);
        let node = self.scene.add_node(None, Node { visible, ..Node::new(name, Content::TileLayer(layer)) });
        plane.objects.iter().for_each(|object| self.object(object, node));
        Ok(())
    }

    /// Returns the tile sets of a plane's image sets, with a tile for each frame that a cell shows.
    fn tile_sets(&mut self, plane: &'a Plane) -> Vec<TileSetId> {
        let scene = &mut self.scene;
        let mut set = |name: &'a [u8]| {
            *self
                .sets
                .entry(name)
                .or_insert_with(|| scene.tile_sets.push(TileSet { name: escape_bytes(name), ..TileSet::default() }))
        };
        let sets: Vec<TileSetId> = plane.image_sets.iter().map(&mut set).collect();
        let mut counts = vec![0_usize; sets.len()];
        for word in &plane.tiles {
            if let Cell::Tile { image_set, frame } = Cell::from_word(*word)
                && let Some(count) = counts.get_mut(usize::from(image_set))
            {
                *count = usize::from(frame).saturating_add(1).max(*count);
            }
        }
        for (set, count) in sets.iter().zip(counts) {
            let set = scene.tile_sets.get_mut(*set).expect("the set was added above");
            let more = count.saturating_sub(set.tiles.len()).min(self.tiles_left);
            self.tiles_left = self.tiles_left.saturating_sub(more);
            set.tiles.resize_with(set.tiles.len().saturating_add(more), Tile::default);
        }
        sets
    }

    fn object(&mut self, object: &Object, plane: NodeId) {
        let mut entity = Entity {
            class: escape_bytes(&object.logic),
            model: (!object.image_set.is_empty()).then(|| escape_bytes(&object.image_set)),
            ..Entity::default()
        };
        self.object.to_properties(object, &mut entity.properties);
        let flags = object.draw_flags.with(DrawFlags::NO_DRAW, false);
        if flags.0 != 0 {
            entity.properties.push("draw_flags", flags.0);
        }
        let entity = self.scene.entities.push(entity);
        let node = Node {
            transform: position(object.x, object.y, object.z),
            visible: !object.draw_flags.has(DrawFlags::NO_DRAW),
            ..Node::new(escape_bytes(&object.name), Content::Entity(entity))
        };
        self.scene.add_node(Some(plane), node);
    }

    fn tile_properties(&mut self, document: &Document) {
        let Some(table) = &document.tile_properties else { return };
        let layers = self.scene.tile_layers.items();
        let planes = document.planes.iter().map(|plane| (plane.is_main(), !plane.image_sets.is_empty()));
        let layer = tiles::find_owner(&planes.collect::<Vec<_>>()).and_then(|index| layers.get(index));
        let default_size = layer.map_or([DEFAULT_TILE; 2], |layer| layer.tile_size);
        let set = match layer.and_then(|layer| layer.tile_sets.first()) {
            Some(set) => *set,
            None => self.scene.tile_sets.push(TileSet::default()),
        };
        if let Some(set) = self.scene.tile_sets.get_mut(set) {
            tiles::to_tile_set(table, default_size, set);
        }
    }
}

/// Flags of planes that scenes store otherwise than as properties.
pub(super) const PLANE_FLAGS: [PlaneFlags; 4] =
    [PlaneFlags::MAIN, PlaneFlags::NO_DRAW, PlaneFlags::WRAP_X, PlaneFlags::WRAP_Y];

/// Returns the size of a tile in pixels, or the default.
pub(super) fn pixels(tile: i32) -> u32 {
    u32::try_from(tile).ok().filter(|pixels| *pixels > 0).unwrap_or(DEFAULT_TILE)
}

/// Returns the transform of a position in a level.
fn position(x: i32, y: i32, z: i32) -> Transform {
    // Adding 0 removes negative zeros.
    Transform::translation(AXES.apply([x, y, z].map(f64::from)).map(|number| number + 0.0))
}
