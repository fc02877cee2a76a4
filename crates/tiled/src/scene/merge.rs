//! Writes a changed scene back into its map.

mod cells;
mod properties;

use std::collections::HashMap;

use mapwright_scene::{Content, Entity, FileSource, Losses, Node, NodeId, Properties, Scene, Value};

use super::encode::text_out;
use super::read::{layer_key, object_key, read_with_numbers};
use super::tile_numbers::TileNumbers;
use super::{ImportOptions, capabilities};
use crate::codes::LayerKind;
use crate::edit::{NewShape, Scalar};
use crate::error::invalid;
use crate::view::{self, Layer, Map, Object};
use crate::{Document, Edit, Item, WriteError, WriteErrorKind};
use cells::merge_cells;
use properties::{Owner, merge_properties};

/// See [`super::merge_scene`].
pub(super) fn merge_scene(
    document: &mut Document,
    scene: &Scene,
    files: &dyn FileSource,
    options: &ImportOptions,
) -> Result<Losses, WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    let (old, numbers) = read_with_numbers(document, files, options).map_err(invalid)?;
    let Some(map) = document.as_map() else { return Ok(Losses::new()) };
    let mut merge = Merge::new(map, &old.scene, &numbers, scene);
    merge.scene_properties()?;
    merge.layers()?;
    let added = merge.new_nodes()?;
    let Merge { edit, losses, .. } = merge;
    let mut merged = edit.apply()?;
    // New objects have an element, to which properties can be added, only now.
    for (id, node) in added {
        let mut edit = Edit::new(&merged);
        if let Some(object) = find_object(&merged, id) {
            add_properties(&mut edit, object.item(), scene, node)?;
        }
        merged = edit.apply()?;
    }
    *document = merged;
    Ok(losses)
}

/// The state of a merge.
struct Merge<'a> {
    map: Map<'a>,
    edit: Edit<'a>,
    old: &'a Scene,
    /// The numbers of the tiles of the old scene.
    numbers: &'a TileNumbers,
    new: &'a Scene,
    old_nodes: HashMap<&'a str, NodeId>,
    /// The number of nodes with each key. Damaged maps have several objects with one id.
    old_counts: HashMap<&'a str, usize>,
    new_nodes: HashMap<&'a str, NodeId>,
    losses: Losses,
}

/// Returns the nodes of a scene by their keys. Of several with one key, the first.
fn nodes_by_key(scene: &Scene) -> HashMap<&str, NodeId> {
    let mut nodes = HashMap::new();
    for visit in scene.walk() {
        if let Some(key) = &visit.node.key {
            nodes.entry(key.as_str()).or_insert(visit.id);
        }
    }
    nodes
}

impl<'a> Merge<'a> {
    fn new(map: Map<'a>, old: &'a Scene, numbers: &'a TileNumbers, new: &'a Scene) -> Self {
        let (old_nodes, new_nodes) = (nodes_by_key(old), nodes_by_key(new));
        let mut old_counts: HashMap<&str, usize> = HashMap::new();
        for key in old.walk().filter_map(|visit| visit.node.key.as_deref()) {
            let count = old_counts.entry(key).or_default();
            *count = count.saturating_add(1);
        }
        let edit = Edit::new(map.item().document());
        Self { map, edit, old, numbers, new, old_nodes, old_counts, new_nodes, losses: capabilities().losses(new) }
    }

    /// Returns the old and the new node with a key, if the old scene has it.
    fn pair(&self, key: &str) -> Option<(&'a Node, Option<(NodeId, &'a Node)>)> {
        let old = self.old.nodes.get(*self.old_nodes.get(key)?)?;
        let new = self.new_nodes.get(key).and_then(|id| Some((*id, self.new.nodes.get(*id)?)));
        Some((old, new))
    }

    fn scene_properties(&mut self) -> Result<(), WriteError> {
        let (old, new) = (self.old, self.new);
        let item = self.map.item();
        if old.name != new.name {
            self.edit.set_property(item, "name", text_out(&new.name))?;
        }
        let owner = Owner { item, path: String::new(), attributes: Vec::new(), elsewhere: &["name"] };
        merge_properties(&mut self.edit, owner, [&old.properties, &new.properties], &mut self.losses)
    }

    fn layers(&mut self) -> Result<(), WriteError> {
        let mut removed = 0;
        for layer in self.map.all_layers() {
            if layer.item().index() < removed {
                continue;
            }
            let key = layer_key(layer);
            match self.pair(&key) {
                Some((_, None)) => {
                    self.edit.remove(layer.item());
                    removed = layer.item().node().next as usize;
                    continue;
                }
                Some((old, Some((id, new)))) => self.layer(layer, old, id, new)?,
                None => {}
            }
            if layer.kind() == LayerKind::Objects {
                for object in layer.objects() {
                    let key = object_key(object);
                    match self.pair(&key) {
                        Some((_, None)) => self.edit.remove(object.item()),
                        Some((old, Some((id, new)))) => self.object(object, old, id, new)?,
                        None => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the changes of a layer.
    fn layer(&mut self, layer: Layer<'a>, old: &Node, id: NodeId, new: &Node) -> Result<(), WriteError> {
        let (item, path) = (layer.item(), format!("nodes[{}]", id.index()));
        self.node(item, old, new, &path)?;
        if old.locked != new.locked {
            self.edit.set(item, "locked", new.locked)?;
        }
        let [dx, dy] = self.movement(old, new, &path);
        for (name, offset, change) in [("offsetx", layer.offset_x(), dx), ("offsety", layer.offset_y(), dy)] {
            if change != 0.0 {
                self.edit.set(item, name, offset + change)?;
            }
        }
        let layers = match (&old.content, &new.content) {
            (Content::TileLayer(old), Content::TileLayer(new)) => {
                self.old.tile_layers.get(*old).zip(self.new.tile_layers.get(*new))
            }
            _ => None,
        };
        let own = layer_names(layer);
        match layers {
            Some((old_layer, new_layer)) => {
                if layer.kind() == LayerKind::Tiles {
                    merge_cells(&mut self.edit, layer, [old_layer, new_layer], self.numbers, &path, &mut self.losses)?;
                }
                for (name, axis) in ["parallaxx", "parallaxy"].into_iter().zip(0..) {
                    let at = |parallax: [f64; 2]| if axis == 0 { parallax[0] } else { parallax[1] };
                    if at(old_layer.parallax) != at(new_layer.parallax) {
                        self.edit.set(item, name, at(new_layer.parallax))?;
                    }
                }
                if old_layer.layout != new_layer.layout {
                    self.losses
                        .dropped(path.as_str(), "another layout of the tile layer: the map has one for all layers");
                }
                self.layer_fields(item, old_layer, new_layer)?;
                let owner = Owner { item, path, attributes: own, elsewhere: &[] };
                let properties = [&old_layer.properties, &new_layer.properties];
                merge_properties(&mut self.edit, owner, properties, &mut self.losses)
            }
            None => {
                let owner = Owner { item, path, attributes: own, elsewhere: &[] };
                merge_properties(&mut self.edit, owner, [&old.properties, &new.properties], &mut self.losses)
            }
        }
    }

    /// Writes the fields of tile layers that are properties of maps.
    fn layer_fields(
        &mut self,
        item: Item<'a>,
        old: &mapwright_scene::TileLayer,
        new: &mapwright_scene::TileLayer,
    ) -> Result<(), WriteError> {
        if old.z != new.z {
            self.edit.set_property(item, "z", new.z)?;
        }
        if old.fill != new.fill {
            match new.fill.map(i64::from) {
                Some(fill) => self.edit.set_property(item, "fill", fill)?,
                None => drop(self.edit.remove_property(item, "fill")),
            }
        }
        for (name, (old, new)) in ["wrap_x", "wrap_y"].into_iter().zip(old.wrap.into_iter().zip(new.wrap)) {
            if old != new {
                self.edit.set_property(item, name, new)?;
            }
        }
        Ok(())
    }

    /// Writes name and visibility.
    fn node(&mut self, item: Item<'a>, old: &Node, new: &Node, path: &str) -> Result<(), WriteError> {
        if old.name != new.name {
            self.edit.set(item, "name", text_out(&new.name))?;
        }
        if old.visible != new.visible {
            self.edit.set(item, "visible", new.visible)?;
        }
        if std::mem::discriminant(&old.content) != std::mem::discriminant(&new.content) {
            self.losses.dropped(path, "another kind of content");
        }
        Ok(())
    }

    /// Returns the movement of a node in pixels, y down. Reports other changes of its transform.
    fn movement(&mut self, old: &Node, new: &Node, path: &str) -> [f64; 2] {
        if old.transform.linear() != new.transform.linear() {
            self.losses.dropped(path, "rotation and scale");
        }
        let ([old_x, old_y, old_z], [x, y, z]) = (old.transform.origin(), new.transform.origin());
        if old_z != z {
            self.losses.dropped(path, "depth");
        }
        [x - old_x, old_y - y]
    }

    /// Writes the changes of an object.
    fn object(&mut self, object: Object<'a>, old: &Node, id: NodeId, new: &Node) -> Result<(), WriteError> {
        let (item, path) = (object.item(), format!("nodes[{}]", id.index()));
        self.node(item, old, new, &path)?;
        if old.locked != new.locked {
            self.edit.set_property(item, "locked", new.locked)?;
        }
        let entities = entity_of(self.old, old).zip(entity_of(self.new, new));
        let change = self.movement(old, new, &path);
        let [dx, dy] = match entities {
            Some((old, new)) => {
                let [x, y] = anchor_movement(object, [&old.properties, &new.properties]);
                let [dx, dy] = change;
                [dx + x, dy + y]
            }
            None => change,
        };
        let [dx, dy] = self.map.placement().stored_movement([dx, dy]);
        for (name, place, change) in [("x", object.x(), dx), ("y", object.y(), dy)] {
            if change != 0.0 {
                self.edit.set(item, name, place + change)?;
            }
        }
        let attributes = vec!["width", "height", "rotation", "opacity"];
        let elsewhere = &["id", "shape", "points", "text", "tile_set", "tile", "flips"];
        let owner = Owner { item, path, attributes, elsewhere };
        let Some((old, new)) = entities else {
            return merge_properties(&mut self.edit, owner, [&old.properties, &new.properties], &mut self.losses);
        };
        if old.class != new.class {
            let class = text_out(&new.class);
            match object.class_item() {
                Some(item) => self.edit.set_value(item, class)?,
                None => self.edit.set(item, "type", class)?,
            }
        }
        if old.model != new.model {
            match &new.model {
                Some(model) => self.edit.set_property(item, "model", text_out(model))?,
                None => drop(self.edit.remove_property(item, "model")),
            }
        }
        for name in elsewhere.iter().filter(|name| **name != "id") {
            if old.properties.get(name) != new.properties.get(name) {
                self.losses.dropped(owner.path.as_str(), format!("change of the property {name:?}"));
            }
        }
        merge_properties(&mut self.edit, owner, [&old.properties, &new.properties], &mut self.losses)
    }

    /// Adds the nodes that the old scene does not have. Returns the ids of new objects, with their nodes.
    fn new_nodes(&mut self) -> Result<Vec<(i32, NodeId)>, WriteError> {
        let mut added = Vec::new();
        let scene = self.new;
        let mut left = self.old_counts.clone();
        for visit in scene.walk() {
            let is_known = |key: &str| match left.get_mut(key) {
                Some(count @ 1..) => {
                    *count = count.saturating_sub(1);
                    true
                }
                _ => false,
            };
            if visit.node.key.as_deref().is_some_and(is_known) {
                continue;
            }
            let path = format!("nodes[{}]", visit.id.index());
            if !matches!(visit.node.content, Content::Entity(_) | Content::Marker) {
                self.losses.dropped(path, "a new layer: layers are added in Tiled");
                continue;
            }
            let parent = scene.nodes.iter().find(|(_, node)| node.children.contains(&visit.id));
            let parent = parent.and_then(|(_, node)| Some((node.key.as_deref()?, node)));
            let Some(layer) = self.layer_for(parent) else {
                self.losses.dropped(path, "a new object: the map has no layer of objects for it");
                continue;
            };
            let [x, y, _] = visit.node.transform.origin();
            let entity = entity_of(scene, visit.node);
            let mut attributes: Vec<(&str, Scalar<'a>)> = Vec::new();
            if !visit.node.name.is_empty() {
                attributes.push(("name", text_out(&visit.node.name).into()));
            }
            if let Some(entity) = entity.filter(|entity| !entity.class.is_empty()) {
                attributes.push(("type", text_out(&entity.class).into()));
            }
            let [x, y] = self.map.placement().stored([x, 0.0 - y]);
            attributes.extend([("x", x.into()), ("y", y.into())]);
            let number = |name| entity?.properties.get(name)?.as_f64().filter(|number| *number > 0.0);
            let sizes = ["width", "height"].map(number);
            attributes.extend(
                ["width", "height"].into_iter().zip(sizes).filter_map(|(name, size)| Some((name, size?.into()))),
            );
            if !visit.node.visible {
                attributes.push(("visible", false.into()));
            }
            let shape = if sizes == [None; 2] { Some(NewShape::Point) } else { None };
            let id = self.edit.add_object(layer, &attributes, shape)?;
            added.push((id, visit.id));
        }
        Ok(added)
    }

    /// Returns the layer for new objects below a node: the layer itself, the group of a tile layer, or the last layer of objects.
    fn layer_for(&self, parent: Option<(&str, &Node)>) -> Option<Layer<'a>> {
        let is_objects = |layer: &Layer<'_>| layer.kind() == LayerKind::Objects;
        let layers = || self.map.all_layers().filter(is_objects);
        if let Some((key, node)) = parent {
            let own = layers().find(|layer| layer_key(*layer) == key);
            let group = super::names::objects_of(&node.name);
            return own.or_else(|| layers().find(|layer| layer.name() == text_out(&group)));
        }
        layers().last()
    }
}

/// Returns the names of properties that are attributes of a layer.
fn layer_names(layer: Layer<'_>) -> Vec<&'static str> {
    let mut names = vec!["class", "opacity", "tintcolor", "mode"];
    if layer.kind() == LayerKind::Objects {
        names.extend(["draworder", "color"]);
    }
    if layer.kind() != LayerKind::Tiles {
        names.extend(["parallaxx", "parallaxy"]);
    }
    names
}

fn entity_of<'s>(scene: &'s Scene, node: &Node) -> Option<&'s Entity> {
    match node.content {
        Content::Entity(id) => scene.entities.get(id),
        _ => None,
    }
}

/// Returns the movement of the anchor of a tile object when its size or rotation changes, while its top left corner stays.
fn anchor_movement(object: Object<'_>, properties: [&Properties; 2]) -> [f64; 2] {
    use mapwright_io::math;
    if properties.iter().any(|properties| properties.get("tile").is_none()) {
        return [0.0; 2];
    }
    let number = |properties: &Properties, name| properties.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let [old, new] = properties.map(|properties| ["width", "height", "rotation"].map(|name| number(properties, name)));
    if old == new {
        return [0.0; 2];
    }
    let map = object.item().document().as_map();
    let is_isometric = map.and_then(Map::orientation) == Some(crate::Orientation::Isometric);
    // Only the default anchor is known without the tileset: at the bottom left, or in the middle of the bottom.
    let anchor = |[width, height, rotation]: [f64; 3]| {
        let right = if is_isometric { width / 2.0 } else { 0.0 };
        let (sin, cos) = math::sin_cos(rotation.to_radians());
        [right * cos - height * sin, right * sin + height * cos]
    };
    let is_default = |set: view::Tileset<'_>| set.object_alignment() == crate::ObjectAlignment::Unspecified;
    let is_bottom = map.is_some_and(|map| map.tilesets().all(is_default));
    let ([old_x, old_y], [x, y]) = (anchor(old), anchor(new));
    if is_bottom { [x - old_x, y - old_y] } else { [0.0; 2] }
}

fn find_object(document: &Document, id: i32) -> Option<Object<'_>> {
    document.as_map()?.all_layers().flat_map(Layer::objects).find(|object| object.id() == id)
}

/// Adds the properties of a new object.
fn add_properties<'d>(edit: &mut Edit<'d>, item: Item<'d>, scene: &Scene, node: NodeId) -> Result<(), WriteError> {
    let Some(node) = scene.nodes.get(node) else { return Ok(()) };
    let entity = entity_of(scene, node);
    if entity.is_none() {
        edit.set_property(item, "marker", true)?;
    }
    if let Some(model) = entity.and_then(|entity| entity.model.as_ref()) {
        edit.set_property(item, "model", text_out(model))?;
    }
    let properties = entity.map_or(&node.properties, |entity| &entity.properties);
    let mut losses = Losses::new();
    let elsewhere = &["id", "width", "height"];
    let owner = Owner { item, path: String::new(), attributes: vec!["rotation", "opacity"], elsewhere };
    merge_properties(edit, owner, [&Properties::new(), properties], &mut losses)
}
