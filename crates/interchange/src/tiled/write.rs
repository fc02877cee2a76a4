//! Converts a scene to a Tiled map.

mod atlas;
mod ids;
mod layers;
mod tilesets;
mod transform;

use std::{cmp::Reverse, collections::BTreeSet};

use mapwright_scene::{ColorSpace, Content, Estimate, Export, FileSource, Files, ImageId, Scene, TileLayer};

use super::{CellEncoding, ExportOptions, Format, capabilities, encode::Outgoing, json, model::Map, names, xml};
use crate::{
    Error,
    error::{check, exceeded},
};

/// See [`super::from_scene`].
pub(super) fn from_scene(
    scene: &Scene,
    files: &dyn FileSource,
    options: &ExportOptions,
) -> Result<Export<Files>, Error> {
    check(scene)?;
    // A cell has at least a digit and a comma, and 32 bits in memory. A layer or an object contains several texts.
    let counts = scene.occurrences().counts(scene);
    let cell = if options.cells == CellEncoding::Plain { 2 } else { 0 };
    let estimate = Estimate::default().with(counts.tiles, cell, 8).with(counts.nodes, 0, 400);
    estimate.check(options.max_bytes).map_err(exceeded)?;
    let mut losses = capabilities().losses(scene);
    let mut properties = Outgoing::new(names::MAP);
    if !scene.name.is_empty() {
        properties.own("name", scene.name.as_str());
    }
    if let Some(metres) = scene.metres_per_unit {
        properties.own("metres_per_unit", metres);
    }
    if scene.color_space == ColorSpace::Linear {
        properties.own("linear_colors", true);
    }
    properties.free(&scene.properties, "", &mut losses);

    let mut map = Map::default();
    let [width, height] = main_layer(scene).map_or([0; 2], |layer| layer.size);
    (map.width, map.height) = (width.clamp(1, MAX_SIZE), height.clamp(1, MAX_SIZE));
    let tile_size = main_layer(scene).map_or([32; 2], |layer| layer.tile_size);
    let [tile_width, tile_height] = tile_size.map(|edge| if (1..=MAX_TILE).contains(&edge) { edge } else { 64 });
    (map.tilewidth, map.tileheight) = (tile_width, tile_height);

    let mut sets = tilesets::Sets::new(scene)?;
    let writer = layers::Writer::new(scene, &mut sets, [tile_width, tile_height], options.cells, &mut losses);
    let (layers, [layer_ids, object_ids]) = writer.write()?;
    (map.layers, map.nextlayerid, map.nextobjectid) = (layers, layer_ids.next(), object_ids.next());
    let assigned = object_ids.assigned_runs();
    if !assigned.is_empty() {
        properties.own(names::ASSIGNED_IDS, assigned);
    }
    map.properties = properties.done();
    let mut side = Vec::new();
    map.tilesets = sets.write([tile_width, tile_height], files, options, &mut side, &mut losses)?;
    let shown = scene.tile_sets.items().iter().flat_map(|set| &set.tiles).filter_map(|tile| tile.image);
    let shown: BTreeSet<ImageId> = shown.collect();
    for id in scene.images.ids().filter(|id| !shown.contains(id)) {
        losses.dropped(format!("images[{}]", id.index()), "an image without a tile");
    }
    let main = match options.format {
        Format::Tmx => xml::write(&map),
        Format::Tmj => json::write(&map),
    };
    let document = Files { main, side };
    document.check_size(options.max_bytes).map_err(exceeded)?;
    Ok(Export { document, losses })
}

/// Maximum size of a map and of a tile in Tiled. Layers store their own size.
const MAX_SIZE: u32 = 1 << 20;
const MAX_TILE: u32 = 1024;

/// Returns the layer whose grid becomes that of the map: the one with the most children, and of these the first that moves with
/// the camera.
fn main_layer(scene: &Scene) -> Option<&TileLayer> {
    let layers = scene.walk().filter_map(|visit| match visit.node.content {
        Content::TileLayer(id) => Some((visit.node.children.len(), scene.tile_layers.get(id)?)),
        _ => None,
    });
    let weighed = layers
        .enumerate()
        .max_by_key(|(index, (children, layer))| (*children, layer.parallax == [1.0; 2], Reverse(*index)));
    weighed.map(|(_, (_, layer))| layer)
}
