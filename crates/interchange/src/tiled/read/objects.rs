//! Objects.

use mapwright_io::math;
use mapwright_scene::{Content, Entity, LossKind, Node, NodeId};

use super::{
    super::{
        data,
        encode::{Incoming, loses_type, text_in},
        model::{MAX_ID, Object},
        names::ID,
    },
    Reader, read_transform,
    tilesets::BOTTOM_LEFT,
};

/// Data of objects that scenes do not store, or only in part.
const LOST: [(LossKind, &str); 12] = [
    (LossKind::Dropped, "shapes of objects (polygon)"),
    (LossKind::Dropped, "shapes of objects (polyline)"),
    (LossKind::Dropped, "shapes of objects (ellipse)"),
    (LossKind::Dropped, "shapes of objects (capsule)"),
    (LossKind::Dropped, "texts of objects"),
    (LossKind::Dropped, "images of objects"),
    (LossKind::Dropped, "templates of objects (Tiled: detach them)"),
    (LossKind::Dropped, "opacity of objects"),
    (LossKind::Approximated, "types of properties of objects: values without the type"),
    (LossKind::Approximated, "ids of objects that have another property of this name: they get new ids"),
    (LossKind::Repaired, "invalid positions of objects, set to 0"),
    (LossKind::Dropped, "width, height or rotation of objects that have a property of this name"),
];

impl Reader<'_> {
    /// Adds the objects of a group as children of a node, or as roots.
    pub(super) fn objects(&mut self, objects: Vec<Object>, parent: Option<NodeId>, path: &str) {
        // Number of each kind, and the first one.
        let mut counts = [(0_usize, 0_usize); LOST.len()];
        let mut first_text = None;
        for (index, mut object) in objects.into_iter().enumerate() {
            let shapes = [object.polygon, object.polyline, object.ellipse, object.capsule];
            let text = object.text.take();
            let others = [text.is_some(), object.gid.is_some(), object.template, object.opacity != 1.0];
            first_text = first_text.or(text);
            self.anchor_at_top_left(&mut object);
            let is_typed = object.properties.iter().any(loses_type);
            let new_id = self.is_stored_id(object.id).then_some(object.id);
            let [is_moved, hides_size, hides_id] = self.object(object, new_id, parent);
            let found = shapes.into_iter().chain(others).chain([is_typed, hides_id, is_moved, hides_size]);
            for (is_so, (count, first)) in found.zip(&mut counts) {
                if is_so {
                    *first = if *count == 0 { index } else { *first };
                    *count = count.saturating_add(1);
                }
            }
        }
        for ((count, first), (kind, what)) in counts.into_iter().zip(LOST).filter(|((count, _), _)| *count > 0) {
            let here = match &first_text {
                Some(text) if what.starts_with("texts") => format!("the first here, {text:?}"),
                _ => "the first here".to_owned(),
            };
            self.losses.push(kind, format!("{path}.objects[{first}]"), format!("{what}: {count}, {here}"));
        }
    }

    /// Moves the anchor of an object with a tile to its top left corner, where that of other objects is. A missing size is that of the
    /// tile.
    fn anchor_at_top_left(&self, object: &mut Object) {
        let Some(gid) = object.gid else { return };
        let set = self.set_of(gid & !data::FLIPS);
        if let Some(set) = set
            && object.width == 0.0
            && object.height == 0.0
        {
            [object.width, object.height] = set.size_of(gid & !data::FLIPS).map(f64::from);
        }
        let [right, down] = set.map_or(BOTTOM_LEFT, |set| set.anchor);
        let (x, y) = (-right * object.width, -down * object.height);
        // Objects are rotated about their anchor, clockwise.
        let (sin, cos) = math::sin_cos(object.rotation.to_radians());
        let [sin, cos] = if object.rotation % 90.0 == 0.0 { [sin.round(), cos.round()] } else { [sin, cos] };
        object.x += x * cos - y * sin;
        object.y += x * sin + y * cos;
    }

    /// Returns `true` for a valid id that is not one that the writer assigned.
    fn is_stored_id(&self, id: u32) -> bool {
        let after = self.assigned_ids.partition_point(|[first, _]| *first <= id);
        let run = after.checked_sub(1).and_then(|index| self.assigned_ids.get(index));
        (1..MAX_ID).contains(&id) && run.is_none_or(|[_, last]| id > *last)
    }

    /// Adds an object with its id. Returns three flags: the position is invalid, a property of the same name replaces the size or rotation,
    /// and a property of the same name replaces the id.
    fn object(&mut self, object: Object, id: Option<u32>, parent: Option<NodeId>) -> [bool; 3] {
        let mut own = Incoming::new(object.properties);
        let (transform, are_numbers) = read_transform(object.x, object.y, "z", &mut own);
        let locked = own.flag("locked").unwrap_or(false);
        let marker = own.flag("marker").unwrap_or(false);
        let model = if marker { None } else { own.text("model") };
        let [mut properties, node_properties] = own.into_remaining();
        let mut hides_size = false;
        for (name, number) in [("width", object.width), ("height", object.height), ("rotation", object.rotation)] {
            match properties.get(name) {
                None if number != 0.0 => properties.push(name, number),
                Some(_) => hides_size |= number != 0.0,
                None => {}
            }
        }
        // The writer finds the id at the end.
        let mut hides_id = false;
        if let Some(id) = id {
            match properties.get(ID) {
                Some(other) => hides_id = other.as_int() != Some(id.into()),
                None => properties.push(ID, id),
            }
        }
        let mut node = Node {
            name: text_in(object.name),
            transform,
            visible: object.visible,
            locked,
            properties: node_properties,
            ..Node::default()
        };
        node.content = if marker {
            node.properties.entries.append(&mut properties.entries);
            Content::Marker
        } else {
            let entity = Entity { class: text_in(object.kind), model, properties, connections: Vec::new() };
            Content::Entity(self.scene.entities.push(entity))
        };
        self.scene.add_node(parent, node);
        [!are_numbers, hides_size, hides_id]
    }
}
