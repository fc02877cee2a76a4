//! Layers.

use std::collections::HashMap;

use mapwright_io::format_count;
use mapwright_scene::{Attribute, Cell, Content, Node, NodeId, Properties, TileLayer, TileSetId, Transform};

use super::super::encode::{Incoming, text_in};
use super::super::flips::flips_column;
use super::super::{MAX_DEPTH, MAX_ID, names};
use super::attributes::layer_attributes;
use super::context::{EarlyGroup, Reader};
use super::numbered_sets::SetKind;
use super::transform::{NO_NUMBER, exact, finite, has_invalid_number, read_transform};
use crate::cells::Chunk;
use crate::codes::{Gid, LayerKind};
use crate::edit::Record;
use crate::geometry::Placement;
use crate::view::Layer;
use crate::{ReadError, ReadErrorKind};

/// Returns `true` for the group of a tile layer, which repeats the parallax of that layer.
fn is_owned(group: Layer<'_>) -> bool {
    group.properties().get("belongs").is_some()
}

/// The key of the node of a layer. Old files have no ids of layers: the place of the item replaces it.
pub(in crate::scene) fn layer_key(layer: Layer<'_>) -> String {
    Record::Layer(layer).key().unwrap_or_else(|| format!("layer at {}", layer.item().index()))
}

/// Column and row of the first cell of a chunk, and its columns and rows.
type Place = ([i32; 2], [u32; 2]);

/// Joined chunks.
struct Block {
    /// Column and row of the first cell.
    first: [i32; 2],
    size: [u32; 2],
    gids: Vec<Gid>,
}

impl<'a> Reader<'a> {
    /// Adds layers as children of a node, or as roots. The depth of groups is limited.
    pub(super) fn layers(
        &mut self,
        layers: impl Iterator<Item = Layer<'a>>,
        parent: Option<NodeId>,
        path: &str,
    ) -> Result<(), ReadError> {
        if self.depth >= MAX_DEPTH {
            let limit = ReadErrorKind::Limit { what: "nested groups", limit: MAX_DEPTH as u64 };
            return Err(ReadError::on_path(limit, path));
        }
        self.depth = self.depth.saturating_add(1);
        let mut last = None;
        for (index, layer) in layers.enumerate() {
            let path = format!("{path}layers[{index}]");
            // Images of old files have their position there.
            if layer.kind() != LayerKind::Image && [layer.x(), layer.y()] != [0.0; 2] {
                self.losses.dropped(path.as_str(), "the position of the layer in tiles");
            }
            if has_invalid_number(layer.item(), &["offsetx", "offsety", "parallaxx", "parallaxy", "opacity"]) {
                self.losses.repaired(path.as_str(), NO_NUMBER);
            }
            match layer.kind() {
                LayerKind::Tiles => last = Some(self.tile_layer(layer, parent, &path)?),
                LayerKind::Image => self.image_layer(layer, parent, &path),
                LayerKind::Objects | LayerKind::Group => self.group(layer, parent, last, path)?,
            }
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    /// Returns the id of a layer that its properties must store, because the writer would give it another one.
    fn stored_layer_id(&mut self, layer: Layer<'_>, own: &Incoming, path: &str) -> Option<u32> {
        let id = u32::try_from(layer.id()).unwrap_or(0);
        let next = self.last_layer.saturating_add(1);
        self.last_layer = next;
        if matches!(id, 0 | MAX_ID..) || id == next || is_owned(layer) {
            return None;
        }
        if own.contains(names::ID) {
            self.losses.approximated(path, "id of a layer that has another property of this name: it gets a new id");
            return None;
        }
        self.last_layer = id;
        Some(id)
    }

    /// Adds properties for the attributes of a layer, and its id.
    fn push_layer_attributes(
        &mut self,
        properties: &mut Properties,
        layer: Layer<'_>,
        has_parallax: bool,
        id: Option<u32>,
        path: &str,
    ) {
        self.push_attributes(properties, layer_attributes(layer, has_parallax), path);
        // The writer finds the id at the end.
        if let Some(id) = id {
            properties.push(names::ID, id);
        }
    }

    /// Adds a group with its content: as a node, or to the node that it belongs to.
    fn group(
        &mut self,
        group: Layer<'a>,
        parent: Option<NodeId>,
        last: Option<NodeId>,
        path: String,
    ) -> Result<(), ReadError> {
        let mut own = self.properties(group.properties(), &path);
        let name = text_in(&group.name());
        let id = self.stored_layer_id(group, &own, &path);
        match own.text("belongs").as_deref() {
            Some(names::TO_GROUP) => return self.add_group_content(group, parent, &path),
            // By name, because layers can be moved in Tiled.
            Some(names::TO_LAYER) => {
                match self.owners.get(&name) {
                    Some(&owner) => self.add_group_content(group, Some(owner), &path)?,
                    None => self.early.push(EarlyGroup { group, own, path, name, last, parent }),
                }
                return Ok(());
            }
            _ => {}
        }
        self.group_node(group, own, name, id, parent, &path)
    }

    /// Adds a group as a node.
    fn group_node(
        &mut self,
        group: Layer<'a>,
        mut own: Incoming,
        name: String,
        id: Option<u32>,
        parent: Option<NodeId>,
        path: &str,
    ) -> Result<(), ReadError> {
        if group.kind() == LayerKind::Group && group.layers().next().is_none() {
            self.losses.approximated(path, "a group without layers: an object group without objects in a Tiled map");
        }
        let transform = self.layer_place([group.offset_x(), group.offset_y()], Placement::IDENTITY, &mut own, path);
        let [mut properties, _] = own.into_remaining();
        self.push_layer_attributes(&mut properties, group, true, id, path);
        let (visible, locked, key) = (group.visible(), group.locked(), Some(layer_key(group)));
        let node = Node { name, transform, visible, locked, properties, key, ..Node::default() };
        let node = self.scene.add_node(parent, node);
        self.add_group_content(group, Some(node), path)
    }

    /// Adds the content of a group as children of a node, or as roots.
    fn add_group_content(&mut self, group: Layer<'a>, node: Option<NodeId>, path: &str) -> Result<(), ReadError> {
        match group.kind() {
            LayerKind::Group => self.layers(group.layers(), node, &format!("{path}.")),
            _ => self.objects(group, node, path),
        }
    }

    /// Adds the groups whose tile layers were unknown.
    pub(super) fn add_late_groups(&mut self) -> Result<(), ReadError> {
        // They may contain other groups.
        while !self.early.is_empty() {
            for EarlyGroup { group, own, path, name, last, parent } in std::mem::take(&mut self.early) {
                if let Some(&owner) = self.owners.get(&name) {
                    self.add_group_content(group, Some(owner), &path)?;
                    continue;
                }
                // Layers may be renamed in Tiled.
                let none = format!("no tile layer is named as the group {name:?} requires");
                match last.and_then(|last| Some((last, self.scene.nodes.get(last)?))) {
                    Some((last, layer)) => {
                        let text = format!("{none}: its content is added to the previous layer, {:?}", layer.name);
                        self.losses.approximated(path.as_str(), text);
                        self.add_group_content(group, Some(last), &path)?;
                    }
                    None => {
                        self.losses.approximated(path.as_str(), format!("{none}: it is a group of its own"));
                        self.group_node(group, own, name, None, parent, &path)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the transform of a layer.
    fn layer_place(&mut self, offset: [f64; 2], placement: Placement, own: &mut Incoming, path: &str) -> Transform {
        let error = placement.rounding_error(offset);
        let (transform, are_numbers) = read_transform(placement.drawn(offset), error, "depth", own);
        if !are_numbers {
            self.losses.repaired(path, NO_NUMBER);
        }
        transform
    }

    fn tile_layer(&mut self, layer: Layer<'a>, parent: Option<NodeId>, path: &str) -> Result<NodeId, ReadError> {
        let mut own = self.properties(layer.properties(), path);
        let name = text_in(&layer.name());
        let layer_id = self.stored_layer_id(layer, &own, path);
        let [map_width, map_height] = self.tile_size();
        let tile_size = [own.int("tile_width").unwrap_or(map_width), own.int("tile_height").unwrap_or(map_height)];
        let [offset_x, offset_y] = [layer.offset_x(), layer.offset_y()];
        let parallax =
            [exact(layer.parallax_x(), own.float("parallax_x")), exact(layer.parallax_y(), own.float("parallax_y"))];
        let listed = own.text("tile_sets");
        let Block { first: [left, top], size, gids } = self.block(layer, path)?;
        let (cells, tile_sets, attributes) = self.cells(&gids, size, listed.as_deref(), path);
        if parallax.iter().any(|number| !number.is_finite()) {
            self.losses.repaired(path, NO_NUMBER);
        }
        let tile_layer = TileLayer {
            name: own.text("layer_name").unwrap_or_else(|| name.clone()),
            size,
            tile_size,
            layout: self.grid.layout.beginning_at([left, top]),
            cells,
            tile_sets,
            wrap: ["wrap_x", "wrap_y"].map(|name| own.flag(name).unwrap_or(false)),
            parallax: parallax.map(finite),
            z: own.int("z").unwrap_or(0),
            fill: own.int("fill"),
            attributes,
            properties: Properties::new(),
        };
        let placement = Placement::translation(self.grid.layer_position(&tile_layer, [left, top]));
        let transform = self.layer_place([offset_x, offset_y], placement, &mut own, path);
        let [mut properties, node_properties] = own.into_remaining();
        self.push_layer_attributes(&mut properties, layer, false, layer_id, path);
        let content = Content::TileLayer(self.scene.tile_layers.push(TileLayer { properties, ..tile_layer }));
        let objects = names::objects_of(&name);
        let node = Node {
            name,
            transform,
            content,
            visible: layer.visible(),
            locked: layer.locked(),
            properties: node_properties,
            key: Some(layer_key(layer)),
            ..Node::default()
        };
        let id = self.scene.add_node(parent, node);
        self.owners.insert(objects, id);
        Ok(id)
    }

    /// Adds the image of a layer as a tile layer of one tile.
    fn image_layer(&mut self, layer: Layer<'a>, parent: Option<NodeId>, path: &str) {
        let mut own = self.properties(layer.properties(), path);
        let name = text_in(&layer.name());
        let id = self.stored_layer_id(layer, &own, path);
        let image = layer.image();
        let Some(file) = image.and_then(crate::view::Image::source) else {
            self.losses.dropped(path, "an image layer without the path of an image");
            return;
        };
        self.losses.approximated(path, format!("image layer with the image {file:?}: a tile layer of one tile"));
        // Without the size of the image, it is that of a cell.
        let size = image.map_or([0; 2], crate::view::Image::size).map(|side| u32::try_from(side).unwrap_or(0));
        let tile_size = if size.contains(&0) { self.tile_size() } else { size };
        let set = self.image_set(&name, file.into_owned());
        let tile_layer = TileLayer {
            name: name.clone(),
            size: [1, 1],
            tile_size,
            cells: vec![0],
            tile_sets: vec![set],
            wrap: [layer.repeat_x(), layer.repeat_y()],
            parallax: [layer.parallax_x(), layer.parallax_y()].map(finite),
            ..TileLayer::default()
        };
        let transform = self.layer_place(layer.image_offset(), Placement::IDENTITY, &mut own, path);
        let [mut properties, node_properties] = own.into_remaining();
        self.push_layer_attributes(&mut properties, layer, false, id, path);
        let content = Content::TileLayer(self.scene.tile_layers.push(TileLayer { properties, ..tile_layer }));
        let node = Node {
            name,
            transform,
            content,
            visible: layer.visible(),
            locked: layer.locked(),
            properties: node_properties,
            key: Some(layer_key(layer)),
            ..Node::default()
        };
        self.scene.add_node(parent, node);
    }

    /// Returns the number of cells, if the limit allows them.
    fn room(&mut self, [width, height]: [u64; 2], path: &str) -> Result<usize, ReadError> {
        let limit = || ReadErrorKind::Limit { what: "cells in a layer", limit: u32::MAX.into() };
        let count = width.saturating_mul(height);
        self.spend(count.saturating_mul(4), path)?;
        usize::try_from(count).map_err(|_| ReadError::on_path(limit(), path))
    }

    /// Decodes the cells of a layer. Chunks are joined.
    fn block(&mut self, layer: Layer<'a>, path: &str) -> Result<Block, ReadError> {
        let data_path = format!("{path}.data");
        let at_path = |error: ReadError, path: &str| error.with_path(path);
        let Some(cells) = layer.cells() else {
            let size = [layer.width(), layer.height()].map(|side| u32::try_from(side).unwrap_or(0));
            let count = self.room(size.map(u64::from), path)?;
            return Ok(Block { first: [0; 2], size, gids: vec![Gid(0); count] });
        };
        if !cells.has_chunks() {
            let Some(chunk) = cells.chunks().next() else {
                return Ok(Block { first: [0; 2], size: [0; 2], gids: Vec::new() });
            };
            let size = chunk.size().map_err(|error| at_path(error, &data_path))?;
            self.room(size.map(u64::from), path)?;
            let gids = chunk.decode(&mut self.budget).map_err(|error| at_path(error, &data_path))?;
            return Ok(Block { first: [0; 2], size, gids });
        }
        let chunks: Vec<Chunk<'_>> = cells.chunks().collect();
        let mut places = Vec::with_capacity(chunks.len());
        for (index, chunk) in chunks.iter().enumerate() {
            let size = chunk.size().map_err(|error| at_path(error, &format!("{path}.chunks[{index}]")))?;
            places.push((chunk.origin(), size));
        }
        if !places.is_empty() {
            self.losses.approximated(path, "an infinite layer: cropped to its stored cells");
        }
        let edges = |axis: fn(&Place) -> (i32, u32)| {
            let first = places.iter().map(|place| axis(place).0).min().unwrap_or(0);
            let ends = places.iter().map(|place| i64::from(axis(place).0).saturating_add(axis(place).1.into()));
            (first, ends.max().unwrap_or(0).saturating_sub(first.into()).unsigned_abs())
        };
        let (left, width) = edges(|([x, _], [width, _])| (*x, *width));
        let (top, height) = edges(|([_, y], [_, height])| (*y, *height));
        let count = self.room([width, height], path)?;
        let size = [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        let mut gids = vec![Gid(0); count];
        for (index, (chunk, ([x, y], [columns, rows]))) in chunks.into_iter().zip(places).enumerate() {
            let path = format!("{path}.chunks[{index}]");
            self.room([columns.into(), rows.into()], &path)?;
            let cells = chunk.decode(&mut self.budget).map_err(|error| at_path(error, &path))?;
            let distance = |at: i32, first: i32| usize::try_from(i64::from(at).saturating_sub(first.into()));
            let (Ok(x), Ok(y)) = (distance(x, left), distance(y, top)) else { continue };
            for (row, cells) in cells.chunks(columns.max(1) as usize).enumerate() {
                let start = y.saturating_add(row).saturating_mul(size[0] as usize).saturating_add(x);
                let end = start.saturating_add(cells.len());
                if let Some(to) = gids.get_mut(start..end) {
                    to.copy_from_slice(cells);
                }
            }
        }
        Ok(Block { first: [left, top], size, gids })
    }

    /// Converts tile numbers to cells. Also returns the tile sets of the layer, which are those listed and others that it uses, and the
    /// column of flags.
    fn cells(
        &mut self,
        gids: &[Gid],
        [columns, _]: [u32; 2],
        listed: Option<&str>,
        path: &str,
    ) -> (Vec<u32>, Vec<TileSetId>, Vec<Attribute>) {
        let place_of = |index: usize| {
            let columns = (columns as usize).max(1);
            let (row, column) = (index.checked_div(columns), index.checked_rem(columns));
            format!("column {}, row {}", column.unwrap_or(0), row.unwrap_or(0))
        };
        let path = &format!("{path}.data");
        let mut tile_sets = Vec::new();
        for number in listed.iter().flat_map(|list| list.split_whitespace()) {
            let id = number.parse().ok().map(TileSetId::new).filter(|id| self.scene.tile_sets.contains(*id));
            match id {
                Some(id) => tile_sets.push(id),
                None => self.losses.repaired(path.as_str(), format!("tile set {number} does not exist: left out")),
            }
        }
        let mut places: HashMap<TileSetId, usize> = HashMap::new();
        for (place, &set) in tile_sets.iter().enumerate() {
            places.entry(set).or_insert(place);
        }
        let (mut unknown, mut has_flips) = (None, false);
        let mut cells = Vec::with_capacity(gids.len());
        for (index, gid) in gids.iter().enumerate() {
            has_flips |= gid.flags() != 0;
            if gid.is_empty() {
                cells.push(Cell::EMPTY);
                continue;
            }
            let cell = self.cell(*gid, &mut tile_sets, &mut places);
            if cell.is_none() {
                let (_, count) = unknown.get_or_insert((index, 0_usize));
                *count = count.saturating_add(1);
            }
            cells.push(cell.unwrap_or(Cell::EMPTY));
        }
        if let Some((index, count)) = unknown {
            let text = format!(
                "{} without a known tile, the first at {}: empty",
                format_count(count, "cell"),
                place_of(index)
            );
            self.losses.repaired(path.as_str(), text);
        }
        let column = has_flips.then(|| flips_column(gids));
        (cells, tile_sets, column.into_iter().collect())
    }

    /// Returns the cell for the number of a tile.
    fn cell(
        &mut self,
        gid: Gid,
        tile_sets: &mut Vec<TileSetId>,
        places: &mut HashMap<TileSetId, usize>,
    ) -> Option<u32> {
        let (index, tile) = self.tile_of(gid)?;
        let id = match &self.sets.get(index)?.kind {
            SetKind::Words(words) => return words.get(&tile).copied(),
            SetKind::Tiles(id) => *id,
        };
        let place = *places.entry(id).or_insert_with(|| {
            tile_sets.push(id);
            tile_sets.len().saturating_sub(1)
        });
        // The highest words have other meanings.
        let place = u32::try_from(place).ok().filter(|place| *place < Cell::FILL >> 16)?;
        (self.show(index, tile)).then_some(place << 16 | tile)
    }
}
