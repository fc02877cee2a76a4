//! The summary of a file of Tiled.

use std::collections::BTreeMap;

use mapwright_io::Budget;
use mapwright_tiled::view::{Layer, Map, Object, Shape, Template, Tileset};
use mapwright_tiled::{Cells, Document, Orientation};
use serde::Serialize;

use crate::info::UseCount;

/// A summary of a map, tileset, template or world of Tiled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TiledInfo {
    /// The kind of content: `map`, `tileset`, `template` or `world`.
    pub kind: &'static str,
    /// The version of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The version of the program that wrote the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The arrangement of cells, of maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<&'static str>,
    /// Columns and rows, of maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[i32; 2]>,
    /// Width and height of a cell in pixels, of maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile_size: Option<[i32; 2]>,
    /// `true` if cells are stored in chunks without limits.
    pub infinite: bool,
    /// The layers, each group before the layers in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<TiledLayer>,
    /// The tilesets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tilesets: Vec<TiledSet>,
    /// Number of objects.
    pub objects: usize,
    /// Objects by class, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<UseCount>,
    /// Objects by shape, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<UseCount>,
    /// Templates of objects, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<UseCount>,
    /// Maps of a world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<String>,
}

/// A layer of a map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TiledLayer {
    /// The kind: `tilelayer`, `objectgroup`, `imagelayer` or `group`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// Number of cells with a tile. `None` for other layers, and if the cells are damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<usize>,
    /// Number of objects, of layers of objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<usize>,
    /// `false` if the layer is hidden.
    pub visible: bool,
}

/// A tileset.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TiledSet {
    /// The name, or the file of the tileset.
    pub name: String,
    /// The number of the first tile, in maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// Number of tiles. `None` for tilesets in other files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<i32>,
}

impl TiledInfo {
    /// Summarizes a document.
    pub fn new(document: &Document) -> Self {
        let map = document.as_map();
        let tileset = document.as_tileset();
        let text = |text: Option<std::borrow::Cow<'_, str>>| text.map(std::borrow::Cow::into_owned);
        let version = map.and_then(Map::version).or_else(|| tileset.and_then(Tileset::version));
        let program = map.and_then(Map::tiled_version).or_else(|| tileset.and_then(Tileset::tiled_version));
        let mut budget = Budget::new(&Default::default());
        let layers: Vec<Layer<'_>> = map.into_iter().flat_map(Map::all_layers).collect();
        let objects = layers.iter().flat_map(|layer| layer.objects());
        let objects: Vec<Object<'_>> = objects.chain(document.as_template().and_then(Template::object)).collect();
        let tilesets = map.into_iter().flat_map(Map::tilesets).chain(tileset);
        let count = |names: Vec<String>| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for name in names.into_iter().filter(|name| !name.is_empty()) {
                *counts.entry(name).or_default() += 1;
            }
            let mut uses: Vec<UseCount> = counts.into_iter().map(|(name, count)| UseCount { name, count }).collect();
            uses.sort_by_key(|one| std::cmp::Reverse(one.count));
            uses
        };
        Self {
            kind: document.kind().name(),
            version: text(version),
            program: text(program),
            orientation: map.and_then(Map::orientation).map(Orientation::name),
            size: map.map(|map| [map.width(), map.height()]),
            tile_size: map.map(|map| [map.tile_width(), map.tile_height()]),
            infinite: map.is_some_and(Map::infinite),
            layers: layers.iter().map(|layer| TiledLayer::new(*layer, &mut budget)).collect(),
            tilesets: tilesets.map(TiledSet::new).collect(),
            objects: objects.len(),
            classes: count(objects.iter().map(|object| object.class().into_owned()).collect()),
            shapes: count(objects.iter().map(|object| shape(*object).to_owned()).collect()),
            templates: count(objects.iter().filter_map(|object| text(object.template())).collect()),
            maps: document
                .as_world()
                .into_iter()
                .flat_map(mapwright_tiled::view::World::maps)
                .map(|map| map.file_name().into_owned())
                .collect(),
        }
    }
}

impl TiledLayer {
    fn new(layer: Layer<'_>, budget: &mut Budget) -> Self {
        let tiles = layer.cells().and_then(|cells| {
            let counts = Cells::chunks(cells).map(|chunk| {
                let gids = chunk.decode(budget).ok()?;
                Some(gids.iter().filter(|gid| !gid.is_empty()).count())
            });
            counts.sum::<Option<usize>>()
        });
        let is_objects = layer.kind() == mapwright_tiled::LayerKind::Objects;
        Self {
            kind: layer.kind().name(),
            name: layer.name().into_owned(),
            tiles,
            objects: is_objects.then(|| layer.objects().count()),
            visible: layer.visible(),
        }
    }
}

impl TiledSet {
    fn new(tileset: Tileset<'_>) -> Self {
        let name = tileset.source().unwrap_or_else(|| tileset.name());
        Self {
            name: name.into_owned(),
            first: Some(tileset.first_gid()).filter(|first| *first > 0),
            tiles: tileset.source().is_none().then(|| tileset.tile_count()),
        }
    }
}

fn shape(object: Object<'_>) -> &'static str {
    match object.shape() {
        Shape::Ellipse => "ellipse",
        Shape::Point => "point",
        Shape::Capsule => "capsule",
        Shape::Polygon(_) => "polygon",
        Shape::Polyline(_) => "polyline",
        Shape::Text(_) => "text",
        Shape::Tile(_) => "tile",
        _ => "rectangle",
    }
}
