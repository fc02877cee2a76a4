//! A scene as a level of tile layers and objects, in pixels with y down.

use std::collections::HashMap;

use mapwright_scene::{CellLayout, Content, Entity, Node, NodeId, Properties, Scene, TileLayer, TileSet, Value, Visit};

use crate::{Error, Layers};

/// Maximum distance of objects from the origin, and maximum size of a layer, in pixels.
pub(crate) const MAX_DISTANCE: i64 = 1 << 31;

/// A scene as a level of tile layers.
pub(crate) struct Level<'a> {
    pub(crate) layers: Vec<Layer<'a>>,
    pub(crate) objects: Vec<LevelObject<'a>>,
    pub(crate) start: Option<[i64; 2]>,
    /// The index of the main layer.
    pub(crate) main: usize,
    /// `true` if objects are drawn between layers by their z. Otherwise they are drawn after the main layer.
    pub(crate) by_z: bool,
    /// `true` for a WWD, whose images begin at the upper left of their cell and are cut off at it.
    pub(crate) cuts_images: bool,
    sets: HashMap<String, &'a TileSet>,
}

/// A tile layer.
pub(crate) struct Layer<'a> {
    pub(crate) node: &'a Node,
    pub(crate) layer: &'a TileLayer,
    /// The upper left corner.
    pub(crate) at: [i64; 2],
    /// Columns and rows within [`MAX_DISTANCE`].
    pub(crate) cells: [i64; 2],
    /// Width and height of a cell in pixels.
    pub(crate) tile: [i64; 2],
    pub(crate) visible: bool,
}

/// An object of the level.
pub(crate) struct LevelObject<'a> {
    /// The index of its layer.
    pub(crate) layer: Option<usize>,
    pub(crate) entity: &'a Entity,
    pub(crate) at: [i64; 2],
    pub(crate) z: f64,
    pub(crate) visible: bool,
    parent: Option<NodeId>,
    /// The number of layers before an object that shows a tile. Such objects are drawn in the order of the scene.
    pub(crate) layers_before: Option<usize>,
}

impl<'a> Level<'a> {
    /// Collects the layers and objects of a scene. With `hidden`, all are visible.
    pub(crate) fn new(scene: &'a Scene, hidden: bool) -> Result<Self, Error> {
        let mut layers = Vec::new();
        let mut objects = Vec::new();
        let mut start = None;
        let mut places: HashMap<NodeId, usize> = HashMap::new();
        for visit in scene.walk() {
            match &visit.node.content {
                Content::TileLayer(id) => {
                    let Some(layer) = scene.tile_layers.get(*id) else { continue };
                    places.insert(visit.id, layers.len());
                    layers.push(Layer::new(&visit, layer, hidden));
                }
                Content::Entity(id) => {
                    let Some(entity) = scene.entities.get(*id) else { continue };
                    let layer = visit.parent.and_then(|parent| places.get(&parent).copied());
                    let z = visit.world.matrix()[3][2];
                    let z = if z.is_nan() { 0.0 } else { z };
                    let (at, visible) = (node_position(&visit), visit.visible || hidden);
                    let layers_before = shows_tile(entity).then_some(layers.len());
                    let parent = visit.parent;
                    objects.push(LevelObject { layer, entity, at, z, visible, parent, layers_before });
                }
                _ if is_start(visit.node) => start = start.or(Some(node_position(&visit))),
                _ => {}
            }
        }
        sort_groups(scene, &mut objects);
        let is_marked_main = |layer: &Layer<'_>| {
            [&layer.layer.properties, &layer.node.properties].iter().any(|properties| is_true(properties, "main"))
        };
        let main = layers
            .iter()
            .position(is_marked_main)
            .or_else(|| objects.iter().filter_map(|object| object.layer).min())
            .or_else(|| layers.iter().position(|layer| layer.layer.parallax == [1.0, 1.0] && layer.visible))
            .unwrap_or(0);
        if layers.is_empty() {
            return Err(Error::Nothing);
        }
        // Bit 0 of the flags of a WWD. Other scenes have no flags.
        let flags = read_number(&scene.properties, "flags");
        let (by_z, cuts_images) = (flags.is_none_or(|flags| flags & 1 != 0), flags.is_some());
        let sets = scene.tile_sets.iter().map(|(_, set)| (set.name.to_ascii_uppercase(), set));
        // If several sets have one name, the first one counts.
        let sets = sets.rev().collect();
        Ok(Self { layers, objects, start, main, by_z, cuts_images, sets })
    }

    /// Returns the index of the only layer to draw, or `None` for all layers.
    pub(crate) fn find_layer(&self, layers: &Layers) -> Result<Option<usize>, Error> {
        let names = self.layers.iter().map(|layer| [layer.layer.name.as_str(), layer.node.name.as_str()]);
        find_layer(layers, self.main, &names.collect::<Vec<_>>())
    }

    /// Finds a tile set by name, ignoring case.
    pub(crate) fn set(&self, name: &str) -> Option<&'a TileSet> {
        self.sets.get(&name.to_ascii_uppercase()).copied()
    }
}

impl<'a> Layer<'a> {
    fn new(visit: &Visit<'a>, layer: &'a TileLayer, hidden: bool) -> Self {
        let tile = layer.tile_size.map(i64::from);
        let count = |cells: u32, tile: i64| i64::from(cells).min(MAX_DISTANCE.checked_div(tile).unwrap_or(0));
        let [columns, rows] = layer.size;
        let cells = [count(columns, tile[0]), count(rows, tile[1])];
        Self { node: visit.node, layer, at: node_position(visit), cells, tile, visible: visit.visible || hidden }
    }

    /// Returns the width and height in pixels.
    pub(crate) fn size(&self) -> [i64; 2] {
        match self.layer.layout {
            CellLayout::Orthogonal => [self.cells[0] * self.tile[0], self.cells[1] * self.tile[1]],
            _ => self.layer.extent().map(|length| length.min(MAX_DISTANCE)),
        }
    }
}

/// Finds the only layer to draw among layers with two names each. Returns `None` for all layers.
pub(crate) fn find_layer(layers: &Layers, main: usize, names: &[[&str; 2]]) -> Result<Option<usize>, Error> {
    let (found, wanted) = match layers {
        Layers::All => return Ok(None),
        Layers::Main => (Some(main), String::new()),
        Layers::At(index) => (Some(*index).filter(|&index| index < names.len()), index.to_string()),
        Layers::Named(name) => (names.iter().position(|names| names.contains(&name.as_str())), format!("{name:?}")),
    };
    let list = || {
        let names = names.iter().take(100).enumerate();
        names.map(|(index, [name, _])| format!("{index} {name:?}")).collect::<Vec<_>>().join(", ")
    };
    found.map(Some).ok_or_else(|| Error::NoLayer { wanted, layers: list() })
}

/// Returns `true` if an entity states the tile that it shows.
fn shows_tile(entity: &Entity) -> bool {
    ["tile_set", "tile"].iter().all(|name| read_number(&entity.properties, name).is_some())
}

/// Sorts objects that show tiles from the top to the bottom of their group, as Tiled does. The property `draworder` of the group prevents
/// this.
fn sort_groups(scene: &Scene, objects: &mut [LevelObject<'_>]) {
    let is_sorted = |parent: Option<NodeId>| {
        let group = parent.and_then(|parent| scene.nodes.get(parent));
        group.and_then(|group| group.properties.get("draworder")).and_then(Value::as_text) != Some("index")
    };
    let tiles_of = |object: &LevelObject<'_>| object.layers_before.map(|_| object.parent);
    for group in objects.chunk_by_mut(|a, b| tiles_of(a).is_some() && tiles_of(a) == tiles_of(b)) {
        if group.first().is_some_and(|first| first.layers_before.is_some() && is_sorted(first.parent)) {
            group.sort_by_key(|object| object.at[1]);
        }
    }
}

/// Returns `true` if a node is the start of the player.
pub(crate) fn is_start(node: &Node) -> bool {
    matches!(node.content, Content::Marker) && node.name == "start"
}

/// Returns the position of a node in whole pixels.
fn node_position(visit: &Visit<'_>) -> [i64; 2] {
    let [x, y, ..] = visit.world.matrix()[3];
    // NaN becomes 0.
    #[allow(clippy::cast_possible_truncation)]
    [x, -y].map(|coordinate| (coordinate.round() as i64).clamp(-MAX_DISTANCE, MAX_DISTANCE))
}

fn is_true(properties: &Properties, name: &str) -> bool {
    match properties.get(name) {
        Some(Value::Text(text)) => text == "true",
        Some(value) => value.as_bool().or(value.as_int().map(|read_number| read_number != 0)).unwrap_or(false),
        None => false,
    }
}

/// Reads an integer. Other programs may have converted it to a float or a string.
pub(crate) fn read_number(properties: &Properties, name: &str) -> Option<i64> {
    match properties.get(name)? {
        Value::Int(read_number) => Some(*read_number),
        #[allow(clippy::cast_possible_truncation)]
        Value::Float(read_number) => Some(*read_number as i64),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}
