//! Nodes as layers.

use std::borrow::Cow;

use mapwright_scene::{Content, Node, NodeId, Properties, TileLayer};

use super::super::encode::{Outgoing, properties_element, text_out};
use super::super::flips::{is_flips, parse_flips, with_flips};
use super::super::names::{self, ID};
use super::super::{CellEncoding, MAX_DEPTH};
use super::attributes::{LayerAttributes, take_layer};
use super::context::Writer;
use super::ids::{Ids, last_id};
use super::transform::{exact, write_transform};
use crate::build::Element;
use crate::cells::encode_base64;
use crate::codes::{Compression, Gid};
use crate::geometry::Placement;
use crate::{WriteError, WriteErrorKind};

/// A layer without its content. Groups of tile layers repeat the attributes of these.
#[derive(Debug, Clone)]
struct Frame {
    name: String,
    id: u32,
    /// Visibility, lock, offset and parallax.
    attributes: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    properties: Option<Element<'static>>,
}

impl Frame {
    /// Returns the element of the layer.
    fn into_element(self, element: &'static str, size: Option<[u32; 2]>) -> Element<'static> {
        let mut layer = Element::new(element).with("id", self.id).with("name", self.name);
        if let Some([width, height]) = size {
            layer = layer.with("width", width).with("height", height);
        }
        layer.attributes.extend(self.attributes);
        layer.children.extend(self.properties);
        layer
    }
}

/// Returns the attributes for visibility, lock and offset.
fn place_attributes(
    node: &Node,
    [offset_x, offset_y]: [f64; 2],
    [parallax_x, parallax_y]: [f64; 2],
) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
    let place = Element::new("")
        .with_unless(1, "visible", u8::from(node.visible))
        .with_unless(0, "locked", u8::from(node.locked))
        .with_unless(0.0, "offsetx", offset_x)
        .with_unless(0.0, "offsety", offset_y)
        .with_unless(1.0, "parallaxx", parallax_x)
        .with_unless(1.0, "parallaxy", parallax_y);
    place.attributes
}

impl<'a> Writer<'a, '_> {
    /// Writes the tree. Also returns the ids of its layers and objects.
    pub(super) fn write(mut self) -> Result<(Vec<Element<'static>>, [Ids; 2]), WriteError> {
        let layers = self.layers(&self.scene.roots, 0)?;
        for (index, _) in self.written.iter().enumerate().filter(|(_, written)| !**written) {
            self.losses.dropped(format!("tile_layers[{index}]"), "no node of the tree shows this layer");
        }
        Ok((layers, [self.layer_ids, self.object_ids]))
    }

    /// Writes sibling nodes as layers, with objects in their own groups. The depth is limited.
    fn layers(&mut self, nodes: &[NodeId], depth: usize) -> Result<Vec<Element<'static>>, WriteError> {
        if depth >= MAX_DEPTH {
            let limit = WriteErrorKind::SceneLimit { what: "nested groups", limit: MAX_DEPTH as u64 };
            return Err(WriteError::on_path(limit, "nodes"));
        }
        let mut layers = Vec::new();
        let mut rest = nodes;
        while let Some((&id, after)) = rest.split_first() {
            let count = rest.iter().take_while(|id| self.is_object(**id)).count();
            if let Some((objects, after)) = rest.split_at_checked(count).filter(|_| count > 0) {
                let mut properties = Outgoing::new(names::GROUP);
                properties.own("belongs", names::TO_GROUP);
                let properties = properties_element(properties.done());
                let id = self.new_layer_id("");
                let frame = Frame { name: "objects".into(), id, attributes: Vec::new(), properties };
                layers.push(self.objects(objects, frame.into_element("objectgroup", None))?);
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
    fn layer(
        &mut self,
        id: NodeId,
        node: &'a Node,
        depth: usize,
        layers: &mut Vec<Element<'static>>,
    ) -> Result<(), WriteError> {
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
            let (element, place) = self.tile_layer(node, tile_layer, shown.index(), &path)?;
            layers.push(element);
            if node.children.is_empty() {
                return Ok(());
            }
            // They move and are hidden together with the layer.
            let mut below = Outgoing::new(names::GROUP);
            below.own("belongs", names::TO_LAYER);
            let below = Frame {
                name: text_out(&names::objects_of(&node.name)),
                id: self.new_layer_id(""),
                attributes: place.into_iter().filter(|(name, _)| name != "locked").collect(),
                properties: properties_element(below.done()),
            };
            layers.push(self.content(below, &node.children, depth)?);
            return Ok(());
        }
        let mut properties = Outgoing::new(names::GROUP);
        let offset = write_transform(&node.transform, "depth", Placement::IDENTITY, &mut properties);
        let (id, mut free) = self.layer_id(&node.properties, &path);
        let kind = if self.are_objects(&node.children) { LayerAttributes::Objects } else { LayerAttributes::Group };
        let own = take_layer(free.to_mut(), kind);
        properties.free(&free, &path, self.losses);
        let mut attributes = place_attributes(node, offset, [1.0; 2]);
        attributes.extend(own);
        let properties = properties_element(properties.done());
        let frame = Frame { name: text_out(&node.name), id, attributes, properties };
        layers.push(self.content(frame, &node.children, depth)?);
        Ok(())
    }

    /// Writes nodes as the content of a group: as objects if all are objects, else as layers.
    fn content(&mut self, frame: Frame, nodes: &[NodeId], depth: usize) -> Result<Element<'static>, WriteError> {
        if self.are_objects(nodes) {
            return self.objects(nodes, frame.into_element("objectgroup", None));
        }
        let mut group = frame.into_element("group", None);
        group.children.extend(self.layers(nodes, depth + 1)?);
        Ok(group)
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

    /// Writes a tile layer. Also returns its place, which the group of its objects has, too.
    #[allow(clippy::type_complexity, reason = "the attributes of an element")]
    fn tile_layer(
        &mut self,
        node: &Node,
        layer: &TileLayer,
        index: usize,
        path: &str,
    ) -> Result<(Element<'static>, Vec<(Cow<'static, str>, Cow<'static, str>)>), WriteError> {
        let mut properties = Outgoing::new(names::LAYER);
        let layer_path = format!("tile_layers[{index}]");
        if layer.layout != self.grid.layout {
            let text = format!("{} cells: {} as in the map", layer.layout.name(), self.grid.layout.name());
            self.losses.approximated(layer_path.as_str(), text);
        }
        let placement = Placement::translation(self.grid.layer_position(layer, [0; 2]));
        let offset = write_transform(&node.transform, "depth", placement, &mut properties);
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
        let [parallax_x, parallax_y] = layer.parallax;
        exact("parallax_x", parallax_x, &mut properties);
        exact("parallax_y", parallax_y, &mut properties);
        let (id, mut free) = self.layer_id(&layer.properties, &layer_path);
        let own = take_layer(free.to_mut(), LayerAttributes::Tiles);
        properties.free(&free, &layer_path, self.losses);
        properties.node(&node.properties, path, self.losses);

        let [width, height] = layer.size;
        if width.max(height) > i32::MAX.unsigned_abs() {
            let kind = WriteErrorKind::Unsupported(format!("a layer of {width} × {height} cells"));
            return Err(WriteError::on_path(kind, format!("{layer_path}.size")));
        }
        let mut gids = self.sets.gids(layer, index)?;
        self.add_flips(layer, &mut gids, &layer_path);
        let data = match self.cells {
            CellEncoding::Zlib => Element {
                text: encode_base64(&gids, Compression::Zlib, -1, "").into(),
                ..Element::new("data").with("encoding", "base64").with("compression", "zlib")
            },
            CellEncoding::Plain => {
                Element { text: plain(&gids, width).into(), ..Element::new("data").with("encoding", "csv") }
            }
        };
        let place = place_attributes(node, offset, [parallax_x, parallax_y]);
        let attributes = place.iter().cloned().chain(own).collect();
        let properties = properties_element(properties.done());
        let frame = Frame { name: text_out(&node.name), id, attributes, properties };
        // Objects are relative to the node, not to the first cell of the map.
        let place = if placement.is_identity() {
            place
        } else {
            place_attributes(node, placement.drawn(offset), [parallax_x, parallax_y])
        };
        let mut element = frame.into_element("layer", Some([width, height]));
        element.children.push(data);
        Ok((element, place))
    }

    /// Adds the flags of cells. Reports columns that a map cannot store.
    fn add_flips(&mut self, layer: &TileLayer, gids: &mut [Gid], path: &str) {
        for column in &layer.attributes {
            let flips: Option<Vec<u32>> = column.values.iter().map(|number| parse_flips(*number)).collect();
            match flips.filter(|_| is_flips(column)) {
                Some(flips) => {
                    for (gid, flips) in gids.iter_mut().zip(flips) {
                        *gid = with_flips(gid.0, flips);
                    }
                }
                None => self.losses.dropped(path, format!("attribute {}", column.name)),
            }
        }
    }
}

/// Encodes cells as numbers, row by row.
fn plain(gids: &[Gid], columns: u32) -> String {
    let rows = gids.chunks(columns.max(1) as usize).map(|row| {
        let row: Vec<String> = row.iter().map(|gid| gid.0.to_string()).collect();
        row.join(",")
    });
    let rows = rows.collect::<Vec<String>>().join(",\n");
    if rows.is_empty() { rows } else { format!("\n{rows}\n") }
}
