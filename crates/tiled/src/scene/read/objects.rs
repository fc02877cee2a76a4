//! Objects.

use mapwright_io::math;
use mapwright_scene::{Content, Entity, LossKind, Node, NodeId, Value};

use super::super::encode::{Incoming, loses_type, text_in};
use super::super::flips::get_flips;
use super::super::{MAX_ID, names::ID};
use super::attributes::{id_of, object_attributes, shape_attributes};
use super::context::{Reader, push_attributes};
use super::numbered_sets::{BOTTOM_LEFT, SetKind};
use super::transform::{has_invalid_number, read_transform};
use crate::ReadError;
use crate::codes::Gid;
use crate::view::{Instance, Layer, Object, Property, Shape, Template};

/// Data of objects that scenes do not store, or only in part.
const LOST: [(LossKind, &str); 6] = [
    (LossKind::Dropped, "templates of objects whose file is missing: they have only their own values"),
    (LossKind::Dropped, "tiles of objects without a tile set"),
    (LossKind::Approximated, "types of properties of objects: values without the type"),
    (LossKind::Approximated, "ids of objects that have another property of this name: they get new ids"),
    (LossKind::Repaired, "invalid numbers of objects: read as the default"),
    (LossKind::Dropped, "attributes of objects that have a property of this name"),
];

/// The key of the node of an object. The place of the item replaces a missing id.
pub(in crate::scene) fn object_key(object: Object<'_>) -> String {
    match object.id() {
        id @ 1.. => format!("object {id}"),
        _ => format!("object at {}", object.item().index()),
    }
}

/// The values of an object, with those of its template.
struct Values<'a> {
    name: String,
    class: String,
    place: [f64; 2],
    /// The largest error of the place by rounding numbers in the map.
    error: f64,
    size: [f64; 2],
    rotation: f64,
    opacity: f64,
    visible: bool,
    shape: Shape<'a>,
    properties: Vec<Property<'a>>,
    /// The index of the set, the tile and the flags of a tile object.
    tile: Option<(usize, u32, Gid)>,
}

impl<'a> Reader<'a> {
    /// Adds the objects of a group as children of a node, or as roots.
    pub(super) fn objects(&mut self, group: Layer<'a>, parent: Option<NodeId>, path: &str) -> Result<(), ReadError> {
        // Number of each kind, and the first one.
        let mut counts = [(0_usize, 0_usize); LOST.len()];
        let placement = self.map.placement();
        for (index, object) in group.objects().enumerate() {
            let (mut values, is_missing) = self.values(object)?;
            let has_no_set = matches!(values.shape, Shape::Tile(_)) && values.tile.is_none();
            // Sizes and rotations of tile objects are those of the drawn map.
            values.error = placement.rounding_error(values.place);
            values.place = placement.drawn(values.place);
            self.anchor_at_top_left(&mut values);
            let is_typed = values.properties.iter().any(|property| loses_type(*property));
            let new_id = self.is_stored_id(id_of(object)).then(|| id_of(object));
            let [is_moved, hides_attributes, hides_id] = self.object(object, values, new_id, parent);
            let found = [is_missing, has_no_set, is_typed, hides_id, is_moved, hides_attributes];
            for (is_so, (count, first)) in found.into_iter().zip(&mut counts) {
                if is_so {
                    *first = if *count == 0 { index } else { *first };
                    *count = count.saturating_add(1);
                }
            }
        }
        for ((count, first), (kind, what)) in counts.into_iter().zip(LOST).filter(|((count, _), _)| *count > 0) {
            let path = format!("{path}.objects[{first}]");
            self.losses.push(kind, path, format!("{what}: {count}, the first here"));
        }
        Ok(())
    }

    /// Returns the values of an object and its template, and `true` if the template is missing.
    fn values(&mut self, object: Object<'a>) -> Result<(Values<'a>, bool), ReadError> {
        let Some(file) = object.template() else { return Ok((self.own_values(object), false)) };
        let external = self.external;
        let template = external.template(&file);
        let Some((template, of_template)) = template.and_then(|it| Some((it, Template::object(it)?))) else {
            let reason = external.template_problem(&file);
            self.losses.dropped(format!("template {file:?}"), reason);
            return Ok((self.own_values(object), true));
        };
        let instance = object.with_template(of_template);
        let gid = instance.gid().filter(|gid| !gid.is_empty());
        let tile = match gid {
            Some(gid) if instance.has_own_tile() => self.tile_of(gid).map(|(set, tile)| (set, tile, gid)),
            // The number counts in the tileset of the template.
            Some(gid) => match template.tileset() {
                Some(set) => {
                    let tile = gid.id().saturating_sub(set.first_gid().max(1));
                    self.template_set(&file, set)?.map(|set| (set, tile, gid))
                }
                None => None,
            },
            None => None,
        };
        let values = Values {
            name: text_in(&instance.name()),
            class: text_in(&instance.class()),
            place: [object.x(), object.y()],
            error: 0.0,
            size: instance.size(),
            rotation: instance.rotation(),
            opacity: instance.opacity(),
            visible: instance.visible(),
            shape: instance.shape(),
            properties: Instance::properties(instance),
            tile,
        };
        Ok((values, false))
    }

    fn own_values(&self, object: Object<'a>) -> Values<'a> {
        let gid = object.gid().filter(|gid| !gid.is_empty());
        Values {
            name: text_in(&object.name()),
            class: text_in(&object.class()),
            place: [object.x(), object.y()],
            error: 0.0,
            size: [object.width(), object.height()],
            rotation: object.rotation(),
            opacity: object.opacity(),
            visible: object.visible(),
            shape: object.shape(),
            properties: object.properties().iter().collect(),
            tile: gid.and_then(|gid| self.tile_of(gid).map(|(set, tile)| (set, tile, gid))),
        }
    }

    /// Moves the anchor of an object with a tile to its top left corner, where that of other objects is. A missing size is that of the
    /// tile.
    fn anchor_at_top_left(&self, values: &mut Values<'_>) {
        if !matches!(values.shape, Shape::Tile(_)) {
            return;
        }
        let set = values.tile.and_then(|(set, tile, _)| Some((self.sets.get(set)?, tile)));
        if let Some((set, tile)) = set
            && values.size == [0.0; 2]
        {
            values.size = set.size_of(tile).map(f64::from);
        }
        let [right, down] = set.map_or(BOTTOM_LEFT, |(set, _)| set.anchor);
        let [width, height] = values.size;
        let (x, y) = (-right * width, -down * height);
        // Objects are rotated about their anchor, clockwise.
        let (sin, cos) = math::sin_cos(values.rotation.to_radians());
        let [sin, cos] = if values.rotation % 90.0 == 0.0 { [sin.round(), cos.round()] } else { [sin, cos] };
        let [left, top] = values.place;
        values.place = [left + (x * cos - y * sin), top + (x * sin + y * cos)];
    }

    /// Returns `true` for a valid id that is not one that the writer assigned.
    fn is_stored_id(&self, id: u32) -> bool {
        let after = self.assigned_ids.partition_point(|[first, _]| *first <= id);
        let run = after.checked_sub(1).and_then(|index| self.assigned_ids.get(index));
        (1..MAX_ID).contains(&id) && run.is_none_or(|[_, last]| id > *last)
    }

    /// Returns the properties of a tile object, and the name of the tile set.
    fn tile_attributes(&mut self, tile: Option<(usize, u32, Gid)>) -> (Vec<(&'static str, Value)>, Option<String>) {
        let found = tile.and_then(|(set, tile, gid)| {
            let SetKind::Tiles(id) = self.sets.get(set)?.kind else { return None };
            self.show(set, tile).then_some((id, tile, gid))
        });
        let Some((id, tile, gid)) = found else { return (Vec::new(), None) };
        let number = Value::from(u32::try_from(id.index()).unwrap_or(u32::MAX));
        let mut attributes = vec![("tile_set", number), ("tile", tile.into())];
        let flips = get_flips(gid);
        attributes.extend((flips != 0).then(|| ("flips", flips.into())));
        (attributes, self.scene.tile_sets.get(id).map(|set| set.name.clone()))
    }

    /// Adds an object with its id. Returns three flags: the position is invalid, a property of the same name replaces an attribute, and a
    /// property of the same name replaces the id.
    fn object(&mut self, object: Object<'_>, values: Values<'_>, id: Option<u32>, parent: Option<NodeId>) -> [bool; 3] {
        let mut own = Incoming::new(values.properties);
        let (transform, are_numbers) = read_transform(values.place, values.error, "z", &mut own);
        let locked = own.flag("locked").unwrap_or(false);
        let marker = own.flag("marker").unwrap_or(false);
        let model = if marker { None } else { own.text("model") };
        let [mut properties, node_properties] = own.into_remaining();
        let mut attributes = shape_attributes(&values.shape);
        let (tile, set) = if marker { (Vec::new(), None) } else { self.tile_attributes(values.tile) };
        attributes.extend(tile);
        attributes.extend(object_attributes(values.opacity, values.size, values.rotation));
        let hides_attributes = !push_attributes(&mut properties, attributes).is_empty();
        // The writer finds the id at the end.
        let mut hides_id = false;
        if let Some(id) = id {
            match properties.get(ID) {
                Some(other) => hides_id = other.as_int() != Some(id.into()),
                None => properties.push(ID, id),
            }
        }
        let mut node = Node {
            name: values.name,
            transform,
            visible: values.visible,
            locked,
            properties: node_properties,
            key: Some(object_key(object)),
            ..Node::default()
        };
        node.content = if marker {
            node.properties.entries.append(&mut properties.entries);
            Content::Marker
        } else {
            let model = model.or(set);
            let entity = Entity { class: values.class, model, properties, connections: Vec::new() };
            Content::Entity(self.scene.entities.push(entity))
        };
        self.scene.add_node(parent, node);
        let is_invalid = has_invalid_number(object.item(), &["x", "y", "width", "height", "rotation", "opacity"]);
        [!are_numbers || is_invalid, hides_attributes, hides_id]
    }
}
