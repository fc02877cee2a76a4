//! Layers.

use std::collections::HashMap;

use mapwright_io::format_count;
use mapwright_scene::{Cell, Content, Node, NodeId, TileLayer, TileSetId, Transform};

use super::{
    super::{
        data,
        encode::{Incoming, text_in},
        model::{Chunk, Json, Layer, MAX_ID, Property},
        names,
    },
    NO_NUMBER, Reader, exact, finite, read_transform,
    tilesets::{Kind, Set},
};
use crate::{Error, ErrorKind, error::malformed};

/// Returns `true` for the group of a tile layer, which repeats the parallax of that layer.
fn is_owned(group: &Layer) -> bool {
    group.properties.iter().any(|property| property.name == "belongs")
}

/// Joined chunks.
struct Block {
    /// Column and row of the first cell.
    first: [i32; 2],
    size: [u32; 2],
    gids: Vec<u32>,
}

/// A group for a tile layer of which only the name is known.
pub(super) struct Early {
    group: Layer,
    own: Incoming,
    path: String,
    /// The name of the group, which contains the name of the tile layer.
    name: String,
    /// The previous tile layer.
    last: Option<NodeId>,
    parent: Option<NodeId>,
}

impl Reader<'_> {
    /// Adds layers as children of a node, or as roots. The readers of the text limit the depth of groups.
    pub(super) fn layers(&mut self, layers: Vec<Layer>, parent: Option<NodeId>, path: &str) -> Result<(), Error> {
        let mut last = None;
        for (index, mut layer) in layers.into_iter().enumerate() {
            let path = format!("{path}layers[{index}]");
            self.store_layer_id(&mut layer, &path);
            if layer.opacity != 1.0 || layer.tintcolor {
                self.losses.dropped(path.as_str(), "opacity and colour of the layer");
            }
            self.report_class(&layer.class, &path);
            let is_parallax = [layer.parallaxx, layer.parallaxy] != [1.0; 2];
            for (is_lost, what) in [
                (!matches!(layer.mode.as_str(), "" | "normal"), "the blend mode of the layer"),
                (!matches!(layer.draworder.as_str(), "" | "topdown"), "the draw order of the objects"),
                (layer.color, "the colour of the objects"),
                ([layer.x, layer.y] != [0; 2], "the position of the layer in tiles"),
                (layer.kind != "tilelayer" && is_parallax && !is_owned(&layer), "the parallax of the group"),
            ] {
                if is_lost {
                    self.losses.dropped(path.as_str(), what);
                }
            }
            match layer.kind.as_str() {
                "tilelayer" => {
                    let at = layer.at;
                    let added = self.tile_layer(layer, parent, &path);
                    last = Some(added.map_err(|error| match at {
                        Some(at) if error.position().is_none() => error.at(at),
                        _ => error,
                    })?);
                }
                "objectgroup" | "group" => self.group(layer, parent, last, path)?,
                kind => self.losses.dropped(path, format!("layer of type {kind:?}")),
            }
        }
        Ok(())
    }

    /// Stores the id of a layer as a property, unless the writer gives it this id anyway.
    fn store_layer_id(&mut self, layer: &mut Layer, path: &str) {
        if !matches!(layer.kind.as_str(), "tilelayer" | "objectgroup" | "group") {
            return;
        }
        let next = self.last_layer.saturating_add(1);
        self.last_layer = next;
        if matches!(layer.id, 0 | MAX_ID..) || layer.id == next || is_owned(layer) {
            return;
        }
        if layer.properties.iter().any(|property| property.name == names::ID) {
            self.losses.approximated(path, "id of a layer that has another property of this name: it gets a new id");
            return;
        }
        self.last_layer = layer.id;
        let value = Json::Int(layer.id.into());
        layer.properties.push(Property { name: names::ID.into(), kind: "int".into(), value, ..Property::default() });
    }

    /// Adds a group with its content: as a node, or to the node that it belongs to.
    fn group(
        &mut self,
        mut group: Layer,
        parent: Option<NodeId>,
        last: Option<NodeId>,
        path: String,
    ) -> Result<(), Error> {
        let mut own = self.properties(std::mem::take(&mut group.properties), &path);
        let name = text_in(std::mem::take(&mut group.name));
        match own.text("belongs").as_deref() {
            Some(names::TO_GROUP) => return self.add_group_content(group, parent, &path),
            // By name, because layers can be moved in Tiled.
            Some(names::TO_LAYER) => {
                match self.owners.get(&name) {
                    Some(&owner) => self.add_group_content(group, Some(owner), &path)?,
                    None => self.early.push(Early { group, own, path, name, last, parent }),
                }
                return Ok(());
            }
            _ => {}
        }
        self.group_node(group, own, name, parent, &path)
    }

    /// Adds a group as a node.
    fn group_node(
        &mut self,
        group: Layer,
        mut own: Incoming,
        name: String,
        parent: Option<NodeId>,
        path: &str,
    ) -> Result<(), Error> {
        if group.kind == "group" && group.layers.as_deref().is_none_or(<[Layer]>::is_empty) {
            self.losses.approximated(path, "a group without layers: an object group without objects in a Tiled map");
        }
        let transform = self.layer_place([group.offsetx, group.offsety], &mut own, path);
        let [properties, _] = own.into_remaining();
        let (visible, locked) = (group.visible, group.locked);
        let node = Node { name, transform, visible, locked, properties, ..Node::default() };
        let node = self.scene.add_node(parent, node);
        self.add_group_content(group, Some(node), path)
    }

    /// Adds the content of a group as children of a node, or as roots.
    fn add_group_content(&mut self, mut group: Layer, node: Option<NodeId>, path: &str) -> Result<(), Error> {
        let (objects, groups) = (group.objects.take(), group.layers.take());
        self.objects(objects.unwrap_or_default(), node, path);
        self.layers(groups.unwrap_or_default(), node, &format!("{path}."))
    }

    /// Adds the groups whose tile layers were unknown.
    pub(super) fn add_late_groups(&mut self) -> Result<(), Error> {
        // They may contain other groups.
        while !self.early.is_empty() {
            for Early { group, own, path, name, last, parent } in std::mem::take(&mut self.early) {
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
                        self.group_node(group, own, name, parent, &path)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the transform of a layer.
    fn layer_place(&mut self, [x, y]: [f64; 2], own: &mut Incoming, path: &str) -> Transform {
        let (transform, are_numbers) = read_transform(x, y, "depth", own);
        if !are_numbers {
            self.losses.repaired(path, NO_NUMBER);
        }
        transform
    }

    fn tile_layer(&mut self, mut layer: Layer, parent: Option<NodeId>, path: &str) -> Result<NodeId, Error> {
        let mut own = self.properties(std::mem::take(&mut layer.properties), path);
        let name = text_in(std::mem::take(&mut layer.name));
        let [map_width, map_height] = self.tile_size;
        let tile_size = [own.int("tile_width").unwrap_or(map_width), own.int("tile_height").unwrap_or(map_height)];
        let mut transform = [layer.offsetx, layer.offsety];
        let (visible, locked) = (layer.visible, layer.locked);
        let parallax =
            [exact(layer.parallaxx, own.float("parallax_x")), exact(layer.parallaxy, own.float("parallax_y"))];
        let listed = own.text("tile_sets");
        let (size, gids) = if layer.chunks.is_empty() {
            let [width, height] = self.size;
            let size = [layer.width.unwrap_or(width), layer.height.unwrap_or(height)];
            let count = self.room(size.map(u64::from), path)?;
            (size, data::unpack(layer.data, &layer.encoding, &layer.compression, count, &format!("{path}.data"))?)
        } else {
            let Block { first, size, gids } = self.chunks(layer, path)?;
            let moved = first.into_iter().zip(tile_size).map(|(cells, edge)| f64::from(cells) * f64::from(edge));
            transform.iter_mut().zip(moved).for_each(|(offset, moved)| *offset += moved);
            self.losses.approximated(path, "an infinite layer: cropped to its stored cells");
            (size, gids)
        };
        let (cells, tile_sets) = self.cells(gids, size, listed.as_deref(), path)?;
        let [x, y] = transform;
        let transform = self.layer_place([x, y], &mut own, path);
        if parallax.iter().any(|number| !number.is_finite()) {
            self.losses.repaired(path, NO_NUMBER);
        }
        let tile_layer = TileLayer {
            name: own.text("layer_name").unwrap_or_else(|| name.clone()),
            size,
            tile_size,
            cells,
            tile_sets,
            wrap: ["wrap_x", "wrap_y"].map(|name| own.flag(name).unwrap_or(false)),
            parallax: parallax.map(finite),
            z: own.int("z").unwrap_or(0),
            fill: own.int("fill"),
            attributes: Vec::new(),
            properties: Default::default(),
        };
        let [properties, node_properties] = own.into_remaining();
        let content = Content::TileLayer(self.scene.tile_layers.push(TileLayer { properties, ..tile_layer }));
        let objects = names::objects_of(&name);
        let node = Node { name, transform, content, visible, locked, properties: node_properties, ..Node::default() };
        let id = self.scene.add_node(parent, node);
        self.owners.insert(objects, id);
        Ok(id)
    }

    /// Returns the number of cells, if the limit allows them.
    fn room(&mut self, [width, height]: [u64; 2], path: &str) -> Result<usize, Error> {
        let count = width.saturating_mul(height);
        self.spend(count.saturating_mul(4), path)?;
        usize::try_from(count).map_err(|_| malformed(path, format!("{width} × {height} cells")))
    }

    /// Joins the chunks of an infinite layer.
    fn chunks(&mut self, layer: Layer, path: &str) -> Result<Block, Error> {
        let edges = |start: fn(&Chunk) -> i32, length: fn(&Chunk) -> u32| {
            let first = layer.chunks.iter().map(start).min().unwrap_or(0);
            let end = layer.chunks.iter().map(|chunk| i64::from(start(chunk)) + i64::from(length(chunk))).max();
            (first, end.unwrap_or(0).saturating_sub(first.into()).unsigned_abs())
        };
        let (left, width) = edges(|chunk| chunk.x, |chunk| chunk.width);
        let (top, height) = edges(|chunk| chunk.y, |chunk| chunk.height);
        let count = self.room([width, height], path)?;
        let size = [width, height].map(u32::try_from);
        let [Ok(columns), Ok(rows)] = size else {
            return Err(malformed(path, format!("{width} × {height} cells")));
        };
        let mut gids = vec![0; count];
        for (index, chunk) in layer.chunks.into_iter().enumerate() {
            let path = format!("{path}.chunks[{index}]");
            let count = self.room([chunk.width.into(), chunk.height.into()], &path)?;
            let cells = data::unpack(chunk.data, &layer.encoding, &layer.compression, count, &path)?;
            let x = usize::try_from(i64::from(chunk.x) - i64::from(left)).unwrap_or(usize::MAX);
            let y = usize::try_from(i64::from(chunk.y) - i64::from(top)).unwrap_or(usize::MAX);
            for (row, cells) in cells.chunks(chunk.width.max(1) as usize).enumerate() {
                let start = y.saturating_add(row).saturating_mul(columns as usize).saturating_add(x);
                let end = start.saturating_add(cells.len());
                if let Some(to) = gids.get_mut(start..end) {
                    to.copy_from_slice(cells);
                }
            }
        }
        Ok(Block { first: [left, top], size: [columns, rows], gids })
    }

    /// Converts tile numbers to cells. Also returns the tile sets of the layer: those listed, and others that it uses.
    fn cells(
        &mut self,
        gids: Vec<u32>,
        size: [u32; 2],
        listed: Option<&str>,
        path: &str,
    ) -> Result<(Vec<u32>, Vec<TileSetId>), Error> {
        let place = |index: usize| {
            let columns = (size[0] as usize).max(1);
            format!("column {}, row {}", index % columns, index / columns)
        };
        let mut tile_sets = Vec::new();
        for number in listed.iter().flat_map(|list| list.split_whitespace()) {
            let known = number.parse().ok().map(TileSetId::new).filter(|id| self.scene.tile_sets.contains(*id));
            let missing =
                || malformed(format!("{path}.properties.tile_sets"), format!("tile set {number} does not exist"));
            tile_sets.push(known.ok_or_else(missing)?);
        }
        let path = &format!("{path}.data");
        let mut places: HashMap<TileSetId, usize> = HashMap::new();
        for (place, &set) in tile_sets.iter().enumerate() {
            places.entry(set).or_insert(place);
        }
        let (mut flipped, mut unknown) = (None, None);
        let mut last: Option<(&Set, u32)> = None;
        let mut cells = gids;
        for (index, cell) in cells.iter_mut().enumerate() {
            let gid = *cell & !data::FLIPS;
            if gid != *cell {
                flipped.get_or_insert((index, 0_usize)).1 += 1;
            }
            if gid == 0 {
                *cell = Cell::EMPTY;
                continue;
            }
            let (set, place) = match last {
                Some(last) if last.0.contains(gid) => last,
                _ => {
                    let Some(set) = self.set_of(gid) else {
                        let all = self.sets.last().map_or(0, |set| set.first.saturating_add(set.count));
                        let kind = ErrorKind::BadIndex { index: gid.into(), count: all.into() };
                        return Err(Error::on_path(kind, format!("{path}[{index}]")));
                    };
                    let place = match set.kind {
                        Kind::Words(_) => 0,
                        Kind::Tiles(id) => *places.entry(id).or_insert_with(|| {
                            tile_sets.push(id);
                            tile_sets.len() - 1
                        }),
                    };
                    // The highest words have other meanings.
                    let place =
                        u32::try_from(place).ok().filter(|place| *place < Cell::FILL >> 16).ok_or_else(|| {
                            Error::on_path(ErrorKind::Unsupported("a layer of more than 61,166 tile sets".into()), path)
                        })?;
                    (set, place)
                }
            };
            last = Some((set, place));
            let tile = gid - set.first;
            *cell = match &set.kind {
                Kind::Tiles(_) => place << 16 | tile,
                Kind::Words(words) => words.get(&tile).copied().unwrap_or_else(|| {
                    unknown.get_or_insert((index, 0_usize)).1 += 1;
                    Cell::EMPTY
                }),
            };
        }
        if let Some((index, count)) = flipped {
            self.losses.approximated(
                path,
                format!(
                    "{}, the first at {}: stored unrotated",
                    format_count(count, "flipped or rotated cell"),
                    place(index)
                ),
            );
        }
        if let Some((index, count)) = unknown {
            self.losses.repaired(
                path,
                format!("{} without a known tile, the first at {}: empty", format_count(count, "cell"), place(index)),
            );
        }
        Ok((cells, tile_sets))
    }
}
