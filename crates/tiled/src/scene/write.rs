//! Converts scenes to maps.

mod atlas;
mod attributes;
mod context;
mod ids;
mod layers;
mod objects;
mod tilesets;
mod transform;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use mapwright_scene::{
    ColorSpace, Content, Estimate, Excess, Export, FileSource, Files, ImageId, Losses, Scene, SideFile, TileLayer,
};

use super::encode::{Outgoing, properties_element};
use super::layout::{Arrangement, Grid};
use super::{CellEncoding, ExportOptions, capabilities, names};
use crate::build::Element;
use crate::{Document, ReadOptions, WriteError, WriteErrorKind};

/// A map that was created from a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenMap {
    /// The map.
    pub document: Document,
    /// The images beside it, one for each tile set.
    pub images: Vec<SideFile>,
}

impl WrittenMap {
    /// Returns the bytes of the map and of the images.
    pub fn into_files(self) -> Files {
        Files { main: self.document.as_str().as_bytes().to_vec(), side: self.images }
    }
}

/// See [`super::from_scene`].
pub(super) fn write_scene(
    scene: &Scene,
    files: &dyn FileSource,
    options: &ExportOptions,
) -> Result<Export<WrittenMap>, WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    // A cell has at least a digit and a comma, and 32 bits in memory. A layer or an object contains several texts.
    let counts = scene.occurrences().counts(scene);
    let cell = if options.cells == CellEncoding::Plain { 2 } else { 0 };
    let estimate = Estimate::default().with(counts.tiles, cell, 8).with(counts.nodes, 0, 400);
    estimate.check(options.max_bytes).map_err(|excess| WriteError::without_position(excess.into()))?;
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
    let mut free = scene.properties.clone();
    let mut attributes = attributes::take_map(&mut free);
    // Properties state the layout of maps without tile layers. Otherwise, a layer must have it: the layout of layers may have changed.
    let stated = attributes.arrangement().layout();
    let is_stated = |layer: &TileLayer| layer.layout == stated;
    let layout = main_layer(scene).filter(|_| !scene.tile_layers.items().iter().any(is_stated));
    let layout = layout.map_or(stated, |layer| layer.layout);
    if layout != stated {
        attributes.set_arrangement(Arrangement::from_layout(layout));
    }
    properties.free(&free, "", &mut losses);

    let [width, height] = main_layer(scene).map_or([0; 2], |layer| layer.size).map(|side| side.clamp(1, MAX_SIZE));
    let tile_size = main_layer(scene).map_or([32; 2], |layer| layer.tile_size);
    let tile_size = tile_size.map(|edge| if tilesets::is_valid_edge(edge) { edge } else { 64 });
    // Cells come before tilesets, because words without a tile become tiles.
    let mut sets = tilesets::Sets::new(scene)?;
    let grid = Grid { layout, size: [width, height] };
    let writer = context::Writer::new(scene, &mut sets, tile_size, grid, options.cells, &mut losses);
    let (layers, [layer_ids, object_ids]) = writer.write()?;
    let [next_layer, next_object] = [layer_ids.next(), object_ids.next()];
    let assigned = object_ids.assigned_runs();
    if !assigned.is_empty() {
        properties.own(names::ASSIGNED_IDS, assigned);
    }
    let mut images = Vec::new();
    let tilesets = sets.write(tile_size, files, options, &mut images, &mut losses)?;
    let shown = scene.tile_sets.items().iter().flat_map(|set| &set.tiles).filter_map(|tile| tile.image);
    let shown: BTreeSet<ImageId> = shown.collect();
    for id in scene.images.ids().filter(|id| !shown.contains(id)) {
        losses.dropped(format!("images[{}]", id.index()), "an image without a tile");
    }
    // The oldest version that supports everything that is written.
    let mut map = Element::new("map").with("version", "1.8").with("tiledversion", "1.8.2");
    map.attributes.extend(attributes.before);
    map = map.with("width", width).with("height", height);
    map = map.with("tilewidth", tile_size[0]).with("tileheight", tile_size[1]).with("infinite", 0);
    map.attributes.extend(attributes.after);
    map = map.with("nextlayerid", next_layer).with("nextobjectid", next_object);
    map.children.extend(properties_element(properties.done()));
    map.children.extend(tilesets);
    map.children.extend(layers);
    let document = to_document(&map, options, &mut losses)?;
    let written = WrittenMap { document, images };
    let sizes = written.images.iter().map(|file| file.data.len()).chain([written.document.as_str().len()]);
    let needed = sizes.map(|size| size as u64).fold(0, u64::saturating_add);
    if needed > options.max_bytes {
        let excess = Excess::Limit { needed, limit: options.max_bytes };
        return Err(WriteError::without_position(excess.into()));
    }
    Ok(Export { document: written, losses })
}

/// Builds the document. Its size is limited by the options only.
fn to_document(map: &Element<'_>, options: &ExportOptions, losses: &mut Losses) -> Result<Document, WriteError> {
    let reading = ReadOptions::default();
    let limits = reading.limits.clone().with_max_items(u64::MAX).with_max_input(options.max_bytes);
    map.to_document(options.syntax, &reading.with_limits(limits), losses)
}

/// Maximum size of a map in Tiled. Layers store their own size.
const MAX_SIZE: u32 = 1 << 20;

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
