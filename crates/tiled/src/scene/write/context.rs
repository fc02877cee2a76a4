//! The state of writing layers and objects.

use mapwright_scene::{Content, Losses, Scene};

use super::super::CellEncoding;
use super::super::layout::Grid;
use super::ids::Ids;
use super::tilesets::Sets;

/// A scene of which layers and objects are written, and state that they share.
pub(super) struct Writer<'a, 's> {
    pub(super) scene: &'a Scene,
    pub(super) sets: &'s mut Sets<'a>,
    pub(super) tile_size: [u32; 2],
    pub(super) grid: Grid,
    pub(super) cells: CellEncoding,
    pub(super) losses: &'s mut Losses,
    /// Layers that are written.
    pub(super) written: Vec<bool>,
    pub(super) last_layer: u32,
    pub(super) layer_ids: Ids,
    pub(super) object_ids: Ids,
}

impl<'a, 's> Writer<'a, 's> {
    pub(super) fn new(
        scene: &'a Scene,
        sets: &'s mut Sets<'a>,
        tile_size: [u32; 2],
        grid: Grid,
        cells: CellEncoding,
        losses: &'s mut Losses,
    ) -> Self {
        let written = vec![false; scene.tile_layers.len()];
        let layers = scene.tile_layers.items().iter().map(|layer| &layer.properties);
        let layers = scene.nodes.items().iter().map(|node| &node.properties).chain(layers);
        let entities = scene.entities.items().iter().map(|entity| &entity.properties);
        let markers = scene.nodes.items().iter().filter(|node| matches!(node.content, Content::Marker));
        let objects = entities.chain(markers.map(|node| &node.properties));
        let (layer_ids, object_ids) = (Ids::new(layers), Ids::new(objects));
        Self { scene, sets, tile_size, grid, cells, losses, written, last_layer: 0, layer_ids, object_ids }
    }
}
