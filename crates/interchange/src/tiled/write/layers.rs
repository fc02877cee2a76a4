//! Nodes as layers and objects.

use std::borrow::Cow;

use mapwright_io::format_count;
use mapwright_scene::{Content, Losses, Node, NodeId, Properties, Scene, TileLayer, Value};

use super::{
    super::{
        CellEncoding, data,
        encode::{Outgoing, text_out},
        model::{Data, Layer, MAX_DEPTH, MAX_ID, Object},
        names::{self, ID},
    },
    ids::{Ids, last_id},
    tilesets::Sets,
    transform::{exact, write_transform},
};
use crate::{Error, ErrorKind};

pub(super) struct Writer<'a, 's> {
    scene: &'a Scene,
    sets: &'s mut Sets<'a>,
    tile_size: [u32; 2],
    cells: CellEncoding,
    losses: &'s mut Losses,
    /// Layers that are written.
    written: Vec<bool>,
    last_layer: u32,
    layer_ids: Ids,
    object_ids: Ids,
}

impl<'a, 's> Writer<'a, 's> {
    pub(super) fn new(
        scene: &'a Scene,
        sets: &'s mut Sets<'a>,
        tile_size: [u32; 2],
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
        Self { scene, sets, tile_size, cells, losses, written, last_layer: 0, layer_ids, object_ids }
    }

    /// Writes the tree. Also returns the ids of its layers and objects.
    pub(super) fn write(mut self) -> Result<(Vec<Layer>, [Ids; 2]), Error> {
        let layers = self.layers(&self.scene.roots, 0)?;
        for (index, _) in self.written.iter().enumerate().filter(|(_, written)| !**written) {
            self.losses.dropped(format!("tile_layers[{index}]"), "no node of the tree shows this layer");
        }
        Ok((layers, [self.layer_ids, self.object_ids]))
    }

    /// Writes sibling nodes as layers, with objects in their own groups.
    fn layers(&mut self, nodes: &[NodeId], depth: usize) -> Result<Vec<Layer>, Error> {
        if depth >= MAX_DEPTH {
            let limit = ErrorKind::Limit { what: "nested groups", limit: MAX_DEPTH as u64 };
            return Err(Error::on_path(limit, "nodes"));
        }
        let mut layers = Vec::new();
        let mut rest = nodes;
        while let Some((&id, after)) = rest.split_first() {
            let count = rest.iter().take_while(|id| self.is_object(**id)).count();
            if let Some((objects, after)) = rest.split_at_checked(count).filter(|_| count > 0) {
                let mut properties = Outgoing::new(names::GROUP);
                properties.own("belongs", names::TO_GROUP);
                let properties = properties.done();
                let group = Layer { id: self.new_layer_id(""), name: "objects".into(), properties, ..Layer::default() };
                layers.push(self.objects(objects, group)?);
                rest = after;
                continue;
            }
            rest = after;
            if let Some(node) = self.scene.nodes.get(id) {
                self.layer(id, node, depth, &mut layers)?;
            }
        }
        Ok(layers)
    }

    fn is_object(&self, id: NodeId) -> bool {
        let content = self.scene.nodes.get(id).map(|node| &node.content);
        matches!(content, Some(Content::Entity(_) | Content::Marker))
    }

    /// Returns `true` if the nodes form an object group. Object groups without objects are common in maps, and empty groups are not.
    fn are_objects(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().all(|id| self.is_object(*id))
    }

    /// Writes a node that is not an object.
    fn layer(&mut self, id: NodeId, node: &'a Node, depth: usize, layers: &mut Vec<Layer>) -> Result<(), Error> {
        let path = format!("nodes[{}]", id.index());
        let shown = match node.content {
            Content::TileLayer(shown) => self.scene.tile_layers.get(shown).map(|layer| (shown, layer)),
            // Losses report nodes that cannot be written, unless they have children.
            Content::Group => None,
            _ if node.children.is_empty() => return Ok(()),
            _ => {
                self.losses.approximated(
                    path.as_str(),
                    "node written as a group: its children are stored, its content is not",
                );
                None
            }
        };
        if let Some((shown, tile_layer)) = shown {
            let is_again = self.written.get_mut(shown.index()).is_some_and(|written| std::mem::replace(written, true));
            if is_again {
                self.losses.approximated(path.as_str(), "a layer that other nodes show as well is written once more");
            }
            let layer = self.tile_layer(node, tile_layer, shown.index(), &path)?;
            let mut below = Outgoing::new(names::GROUP);
            below.own("belongs", names::TO_LAYER);
            // They move and are hidden together with the layer.
            let below = Layer {
                id: if node.children.is_empty() { 0 } else { self.new_layer_id("") },
                name: text_out(&names::objects_of(&node.name)),
                visible: layer.visible,
                offsetx: layer.offsetx,
                offsety: layer.offsety,
                parallaxx: layer.parallaxx,
                parallaxy: layer.parallaxy,
                properties: below.done(),
                ..Layer::default()
            };
            layers.push(layer);
            if !node.children.is_empty() {
                layers.push(if self.are_objects(&node.children) {
                    self.objects(&node.children, below)?
                } else {
                    self.group(below, &node.children, depth)?
                });
            }
            return Ok(());
        }
        let mut properties = Outgoing::new(names::GROUP);
        let [offsetx, offsety] = write_transform(&node.transform, "depth", &mut properties);
        let (id, free) = self.layer_id(&node.properties, &path);
        properties.free(&free, &path, self.losses);
        let group = Layer {
            id,
            name: text_out(&node.name),
            visible: node.visible,
            locked: node.locked,
            offsetx,
            offsety,
            properties: properties.done(),
            ..Layer::default()
        };
        layers.push(if self.are_objects(&node.children) {
            self.objects(&node.children, group)?
        } else {
            self.group(group, &node.children, depth)?
        });
        Ok(())
    }

    fn group(&mut self, group: Layer, nodes: &[NodeId], depth: usize) -> Result<Layer, Error> {
        let layers = self.layers(nodes, depth + 1)?;
        Ok(Layer { kind: "group".into(), layers: Some(layers), ..group })
    }

    /// Returns the id of a layer, and its other properties. The reader stores ids that do not follow the one before.
    fn layer_id<'p>(&mut self, properties: &'p Properties, path: &str) -> (u32, Cow<'p, Properties>) {
        let next = self.last_layer.saturating_add(1);
        if let Some(id) = last_id(properties).filter(|id| self.layer_ids.keep(*id)) {
            self.last_layer = id;
            let mut others = Cow::Borrowed(properties);
            if id != next {
                others.to_mut().entries.pop();
            }
            return (id, others);
        }
        // An id that stays a property is the only one that the reader finds.
        let is_stored = properties.get(ID).is_some();
        (self.new_layer_id(if is_stored { "" } else { path }), Cow::Borrowed(properties))
    }

    /// Returns an id for a layer without one. Reports it if it is not the number after the previous layer's id.
    fn new_layer_id(&mut self, path: &str) -> u32 {
        let next = self.last_layer.saturating_add(1);
        self.last_layer = self.layer_ids.assign(next);
        if self.last_layer != next && !path.is_empty() {
            self.losses.synthesized(path, format!("id {} of the layer", self.last_layer));
        }
        self.last_layer
    }

    fn tile_layer(&mut self, node: &Node, layer: &TileLayer, index: usize, path: &str) -> Result<Layer, Error> {
        let mut properties = Outgoing::new(names::LAYER);
        let [offsetx, offsety] = write_transform(&node.transform, "depth", &mut properties);
        if node.name != layer.name {
            properties.own("layer_name", layer.name.as_str());
        }
        if layer.z != 0 {
            properties.own("z", layer.z);
        }
        if let Some(fill) = layer.fill {
            properties.own("fill", fill);
        }
        for (name, _) in ["wrap_x", "wrap_y"].into_iter().zip(layer.wrap).filter(|(_, wrap)| *wrap) {
            properties.own(name, true);
        }
        let edges = layer.tile_size.into_iter().zip(self.tile_size);
        for (name, (edge, _)) in ["tile_width", "tile_height"].into_iter().zip(edges).filter(|(_, (a, b))| a != b) {
            properties.own(name, edge);
        }
        if !layer.tile_sets.is_empty() {
            let sets: Vec<String> = layer.tile_sets.iter().map(|set| set.index().to_string()).collect();
            properties.own("tile_sets", sets.join(" "));
        }
        let [parallaxx, parallaxy] = layer.parallax;
        exact("parallax_x", parallaxx, &mut properties);
        exact("parallax_y", parallaxy, &mut properties);
        let layer_path = format!("tile_layers[{index}]");
        let (id, free) = self.layer_id(&layer.properties, &layer_path);
        properties.free(&free, &layer_path, self.losses);
        properties.node(&node.properties, path, self.losses);

        let [width, height] = layer.size;
        if width.max(height) > i32::MAX.unsigned_abs() {
            let kind = ErrorKind::Unsupported(format!("a layer of {width} × {height} cells"));
            return Err(Error::on_path(kind, format!("tile_layers[{index}].size")));
        }
        let gids = self.sets.gids(layer, index)?;
        let (encoding, compression, data) = match self.cells {
            CellEncoding::Zlib => ("base64", "zlib", Data::Text(data::pack(&gids))),
            CellEncoding::Plain => ("csv", "", Data::Gids(gids)),
        };
        Ok(Layer {
            kind: "tilelayer".into(),
            id,
            name: text_out(&node.name),
            visible: node.visible,
            locked: node.locked,
            offsetx,
            offsety,
            parallaxx,
            parallaxy,
            width: Some(width),
            height: Some(height),
            encoding: encoding.into(),
            compression: compression.into(),
            data: Some(data),
            properties: properties.done(),
            ..Layer::default()
        })
    }

    fn objects(&mut self, nodes: &[NodeId], group: Layer) -> Result<Layer, Error> {
        let scene = self.scene;
        let nodes = nodes.iter().filter_map(|id| Some((id.index(), scene.nodes.get(*id)?)));
        let objects: Vec<Object> = nodes.map(|(index, node)| self.object(node, index)).collect();
        if self.object_ids.next() > MAX_ID {
            return Err(Error::on_path(ErrorKind::Unsupported("a map of more than 2^31 objects".into()), "nodes"));
        }
        Ok(Layer { kind: "objectgroup".into(), objects: Some(objects), ..group })
    }

    fn object(&mut self, node: &Node, index: usize) -> Object {
        let path = format!("nodes[{index}]");
        let mut properties = Outgoing::new(names::OBJECT);
        let [x, y] = write_transform(&node.transform, "z", &mut properties);
        if node.locked {
            properties.own("locked", true);
        }
        let (mut kind, mut object_id) = (String::new(), None);
        let [mut width, mut height, mut rotation] = [0.0; 3];
        match node.content {
            Content::Entity(id) => {
                if let Some(entity) = self.scene.entities.get(id) {
                    kind = text_out(&entity.class);
                    if let Some(model) = &entity.model {
                        properties.own("model", Value::Text(model.clone()));
                    }
                    let path = format!("entities[{}]", id.index());
                    // The reader adds them last, in the opposite order.
                    let mut free = entity.properties.clone();
                    object_id = self.object_ids.take(&mut free);
                    for (name, number) in [("rotation", &mut rotation), ("height", &mut height), ("width", &mut width)]
                    {
                        let is_size =
                            |size: &f64| size.is_finite() && *size != 0.0 && (*size > 0.0 || name == "rotation");
                        if let Some((key, Value::Float(size))) = free.entries.last()
                            && key == name
                            && is_size(size)
                        {
                            *number = *size;
                            free.entries.pop();
                        }
                    }
                    properties.free(&free, &path, self.losses);
                    if !entity.connections.is_empty() {
                        self.losses.dropped(path, format_count(entity.connections.len(), "connection"));
                    }
                }
            }
            _ => properties.own("marker", true),
        }
        // A marker has no other properties.
        match node.content {
            Content::Entity(_) => properties.node(&node.properties, &path, self.losses),
            _ => {
                let mut free = node.properties.clone();
                object_id = self.object_ids.take(&mut free);
                properties.free(&free, &path, self.losses);
            }
        }
        if !node.children.is_empty() {
            self.losses.dropped(path, format!("{} below an object", format_count(node.children.len(), "node")));
        }
        Object {
            id: object_id.unwrap_or_else(|| self.object_ids.assign_lowest()),
            name: text_out(&node.name),
            kind,
            x,
            y,
            width,
            height,
            rotation,
            visible: node.visible,
            point: [width, height] == [0.0; 2],
            properties: properties.done(),
            ..Object::default()
        }
    }
}
