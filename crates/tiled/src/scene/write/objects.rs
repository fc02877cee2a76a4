//! Nodes as objects.

use mapwright_io::format_count;
use mapwright_scene::{Content, Node, NodeId, Value};

use super::super::encode::{Outgoing, properties_element, text_out};
use super::super::flips::with_flips;
use super::super::{MAX_ID, names};
use super::attributes::{ObjectParts, take_object};
use super::context::Writer;
use super::transform::write_transform;
use crate::build::Element;
use crate::{WriteError, WriteErrorKind};

impl Writer<'_, '_> {
    /// Adds objects to an object group.
    pub(super) fn objects(
        &mut self,
        nodes: &[NodeId],
        mut group: Element<'static>,
    ) -> Result<Element<'static>, WriteError> {
        let scene = self.scene;
        let nodes = nodes.iter().filter_map(|id| Some((id.index(), scene.nodes.get(*id)?)));
        for (index, node) in nodes {
            group.children.push(self.object(node, index));
        }
        if self.object_ids.next() > MAX_ID {
            let kind = WriteErrorKind::Unsupported("a map of more than 2^31 objects".into());
            return Err(WriteError::on_path(kind, "nodes"));
        }
        Ok(group)
    }

    fn object(&mut self, node: &Node, index: usize) -> Element<'static> {
        let path = format!("nodes[{index}]");
        let mut properties = Outgoing::new(names::OBJECT);
        let placement = self.grid.placement(self.tile_size);
        let [x, y] = write_transform(&node.transform, "z", placement, &mut properties);
        if node.locked {
            properties.own("locked", true);
        }
        let (mut class, mut object_id, mut parts) = (String::new(), None, ObjectParts::default());
        match node.content {
            Content::Entity(id) => {
                if let Some(entity) = self.scene.entities.get(id) {
                    class = text_out(&entity.class);
                    let path = format!("entities[{}]", id.index());
                    let mut free = entity.properties.clone();
                    object_id = self.object_ids.take(&mut free);
                    let model = entity.model.as_deref();
                    // The model of a tile object is its tile set, unless it has a property.
                    parts = take_object(&mut free, |set, tile| model.is_some() && self.sets.contains(set, tile));
                    let set = parts.tile.and_then(|(set, ..)| self.scene.tile_sets.items().get(set));
                    if let Some(model) = model.filter(|model| set.is_none_or(|set| set.name != *model)) {
                        properties.own("model", Value::Text(model.to_owned()));
                    }
                    properties.free(&free, &path, self.losses);
                    if !entity.connections.is_empty() {
                        self.losses.dropped(path, format_count(entity.connections.len(), "connection"));
                    }
                }
                properties.node(&node.properties, &path, self.losses);
            }
            // A marker has no other properties.
            _ => {
                properties.own("marker", true);
                let mut free = node.properties.clone();
                object_id = self.object_ids.take(&mut free);
                properties.free(&free, &path, self.losses);
            }
        }
        if !node.children.is_empty() {
            self.losses.dropped(path, format!("{} below an object", format_count(node.children.len(), "node")));
        }
        let id = object_id.unwrap_or_else(|| self.object_ids.assign_lowest());
        let mut object = Element::new("object").with("id", id);
        object = object.with_unless(String::new(), "name", text_out(&node.name));
        object = object.with_unless(String::new(), "type", class);
        if let Some((set, tile, flips)) = parts.tile {
            object = object.with("gid", with_flips(self.sets.gid_of_object(set, tile), flips).0);
        }
        object = object.with("x", x).with("y", y).with_unless(1, "visible", u8::from(node.visible));
        let has_size = parts.attributes.iter().any(|(name, _)| name == "width" || name == "height");
        object.attributes.extend(parts.attributes);
        object.children.extend(properties_element(properties.done()));
        match parts.shape {
            Some(shape) => object.children.push(shape),
            None if !has_size && parts.tile.is_none() => object.children.push(Element::new("point")),
            None => {}
        }
        object
    }
}
