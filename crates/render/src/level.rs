//! A scene as a level of layers and things, in pixels with y down.

use std::collections::HashMap;

use mapwright_scene::{Content, Entity, Node, NodeId, Properties, Scene, TileLayer, TileSet, Value, Visit};

use crate::{Error, Layers};

/// How far from the origin something may stand, and how large a layer may be, in pixels.
pub(crate) const FARTHEST: i64 = 1 << 31;

/// A scene as a level.
pub(crate) struct Level<'a> {
    pub(crate) layers: Vec<Layer<'a>>,
    pub(crate) things: Vec<Thing<'a>>,
    pub(crate) start: Option<[i64; 2]>,
    /// The place of the main layer.
    pub(crate) main: usize,
    /// Whether things stand between layers by their z; else they stand behind the main layer's followers.
    pub(crate) by_z: bool,
    sets: HashMap<String, &'a TileSet>,
}

/// A layer of tiles.
pub(crate) struct Layer<'a> {
    pub(crate) node: &'a Node,
    pub(crate) layer: &'a TileLayer,
    /// Its upper left corner.
    pub(crate) at: [i64; 2],
    /// Columns and rows, as many as are not too far away.
    pub(crate) cells: [i64; 2],
    /// Width and height of a cell.
    pub(crate) tile: [i64; 2],
    pub(crate) visible: bool,
}

/// A thing of the game.
pub(crate) struct Thing<'a> {
    /// The place of the layer that it is on.
    pub(crate) layer: Option<usize>,
    pub(crate) entity: &'a Entity,
    pub(crate) at: [i64; 2],
    pub(crate) z: f64,
    pub(crate) visible: bool,
}

impl<'a> Level<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Result<Self, Error> {
        let mut layers = Vec::new();
        let mut things = Vec::new();
        let mut start = None;
        let mut places: HashMap<NodeId, usize> = HashMap::new();
        for visit in scene.walk() {
            match &visit.node.content {
                Content::TileLayer(id) => {
                    let Some(layer) = scene.tile_layers.get(*id) else { continue };
                    places.insert(visit.id, layers.len());
                    layers.push(Layer::new(&visit, layer));
                }
                Content::Entity(id) => {
                    let Some(entity) = scene.entities.get(*id) else { continue };
                    let layer = visit.parent.and_then(|parent| places.get(&parent).copied());
                    let z = visit.world.matrix()[3][2];
                    let z = if z.is_nan() { 0.0 } else { z };
                    things.push(Thing { layer, entity, at: place(&visit), z, visible: visit.visible });
                }
                _ if is_start(visit.node) => start = start.or(Some(place(&visit))),
                _ => {}
            }
        }
        let said = |layer: &Layer<'_>| {
            [&layer.layer.properties, &layer.node.properties].iter().any(|properties| truth(properties, "main"))
        };
        let main = layers
            .iter()
            .position(said)
            .or_else(|| things.iter().filter_map(|thing| thing.layer).min())
            .or_else(|| layers.iter().position(|layer| layer.layer.parallax == [1.0, 1.0] && layer.visible))
            .unwrap_or(0);
        if layers.is_empty() {
            return Err(Error::Nothing);
        }
        // Bit 0 of the flags of a WWD; scenes of other origin have none.
        let by_z = number(&scene.properties, "flags").is_none_or(|flags| flags & 1 != 0);
        let sets = scene.tile_sets.iter().map(|(_, set)| (set.name.to_ascii_uppercase(), set));
        // The first of a name counts.
        let sets = sets.rev().collect();
        Ok(Self { layers, things, start, main, by_z, sets })
    }

    /// The place of the one layer that is drawn; `None` for all.
    pub(crate) fn choose(&self, layers: &Layers) -> Result<Option<usize>, Error> {
        let names = self.layers.iter().map(|layer| [layer.layer.name.as_str(), layer.node.name.as_str()]);
        choose(layers, self.main, &names.collect::<Vec<_>>())
    }

    /// The tiles of that name, in upper or lower case.
    pub(crate) fn set(&self, name: &str) -> Option<&'a TileSet> {
        self.sets.get(&name.to_ascii_uppercase()).copied()
    }
}

impl<'a> Layer<'a> {
    fn new(visit: &Visit<'a>, layer: &'a TileLayer) -> Self {
        let tile = layer.tile_size.map(i64::from);
        let count = |cells: u32, tile: i64| i64::from(cells).min(FARTHEST.checked_div(tile).unwrap_or(0));
        let [columns, rows] = layer.size;
        let cells = [count(columns, tile[0]), count(rows, tile[1])];
        Self { node: visit.node, layer, at: place(visit), cells, tile, visible: visit.visible }
    }

    /// Pixels across and down.
    pub(crate) fn size(&self) -> [i64; 2] {
        [self.cells[0] * self.tile[0], self.cells[1] * self.tile[1]]
    }
}

/// The place of the one layer that is drawn of some with two names each; `None` for all.
pub(crate) fn choose(layers: &Layers, main: usize, names: &[[&str; 2]]) -> Result<Option<usize>, Error> {
    let (found, wanted) = match layers {
        Layers::All => return Ok(None),
        Layers::Main => (Some(main), String::new()),
        Layers::At(place) => (Some(*place).filter(|&place| place < names.len()), place.to_string()),
        Layers::Named(name) => (names.iter().position(|names| names.contains(&name.as_str())), format!("{name:?}")),
    };
    let list = || {
        let names = names.iter().take(100).enumerate();
        names.map(|(place, [name, _])| format!("{place} {name:?}")).collect::<Vec<_>>().join(", ")
    };
    found.map(Some).ok_or_else(|| Error::NoLayer { wanted, layers: list() })
}

/// Whether a node is where the player starts.
pub(crate) fn is_start(node: &Node) -> bool {
    matches!(node.content, Content::Marker) && node.name == "start"
}

/// Where a node is, in whole pixels.
fn place(visit: &Visit<'_>) -> [i64; 2] {
    let [x, y, ..] = visit.world.matrix()[3];
    // Numbers that are none become 0.
    #[allow(clippy::cast_possible_truncation)]
    [x, -y].map(|place| (place.round() as i64).clamp(-FARTHEST, FARTHEST))
}

fn truth(properties: &Properties, name: &str) -> bool {
    match properties.get(name) {
        Some(Value::Text(text)) => text == "true",
        Some(value) => value.as_bool().or(value.as_int().map(|number| number != 0)).unwrap_or(false),
        None => false,
    }
}

/// A whole number, also as programs in between may have spelled it.
pub(crate) fn number(properties: &Properties, name: &str) -> Option<i64> {
    match properties.get(name)? {
        Value::Int(number) => Some(*number),
        #[allow(clippy::cast_possible_truncation)]
        Value::Float(number) => Some(*number as i64),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}
