//! Objects.

use mapwright_scene::{Content, Entity, LossKind, Node, NodeId};

use super::{
    super::{
        encode::{Incoming, loses_type, text_in},
        model::Object,
    },
    Reader, read_transform,
};

impl Reader<'_> {
    /// Adds the objects of a group as children of a node, or as roots.
    pub(super) fn objects(&mut self, objects: Vec<Object>, parent: Option<NodeId>, path: &str) {
        // Number of each kind, and the first one.
        let mut counts = [(0_usize, 0_usize); 8];
        for (index, object) in objects.into_iter().enumerate() {
            let has_shape = object.polygon || object.polyline || object.ellipse || object.capsule;
            let has_reference = object.properties.iter().any(|property| property.kind == "object");
            let [has_text, has_image, has_template] = [object.text, object.gid, object.template];
            let has_opacity = object.opacity != 1.0;
            let is_typed = object.properties.iter().any(loses_type);
            let are_numbers = self.object(object, parent, path);
            let found =
                [has_shape, has_text, has_image, has_template, has_opacity, is_typed, has_reference, !are_numbers];
            for (is_so, (count, first)) in found.into_iter().zip(&mut counts) {
                if is_so {
                    *first = if *count == 0 { index } else { *first };
                    *count = count.saturating_add(1);
                }
            }
        }
        let whats = [
            (LossKind::Dropped, "shapes of objects"),
            (LossKind::Dropped, "texts of objects"),
            (LossKind::Dropped, "images of objects"),
            (LossKind::Dropped, "templates of objects (Tiled: detach them)"),
            (LossKind::Dropped, "opacity of objects"),
            (LossKind::Approximated, "types of properties of objects: values without the type"),
            (LossKind::Approximated, "references to objects: objects get new ids"),
            (LossKind::Repaired, "invalid positions of objects, set to 0"),
        ];
        for ((count, first), (kind, what)) in counts.into_iter().zip(whats).filter(|((count, _), _)| *count > 0) {
            self.losses.push(kind, format!("{path}.objects[{first}]"), format!("{what}: {count}, the first here"));
        }
    }

    /// Adds an object. Returns `true` if its position is finite.
    fn object(&mut self, object: Object, parent: Option<NodeId>, path: &str) -> bool {
        let mut own = Incoming::new(object.properties);
        let (transform, are_numbers) = read_transform(object.x, object.y, "z", &mut own);
        let locked = own.flag("locked").unwrap_or(false);
        let marker = own.flag("marker").unwrap_or(false);
        let model = if marker { None } else { own.text("model") };
        let [mut properties, node_properties] = own.into_remaining();
        for (name, number) in [("width", object.width), ("height", object.height), ("rotation", object.rotation)] {
            match properties.get(name) {
                None if number != 0.0 => properties.push(name, number),
                Some(_) if number != 0.0 => {
                    self.losses.dropped(path, format!("{name} of an object that has a property of this name"));
                }
                _ => {}
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
        are_numbers
    }
}
