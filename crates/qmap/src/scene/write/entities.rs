//! Contents of nodes → entities and their keys.

use mapwright_io::format_count;
use mapwright_scene::angles::MINUS_Z_TO_X;
use mapwright_scene::{Content, EntityId, Light, LightId, LightKind, PathId, Properties, Transform, Value, Visit};

use super::context::{Context, Owner};
use super::items::Item;
use super::numbers::{number, numbers};
use crate::scene::classes::is_source_2_light;
use crate::scene::{AXES, angles, light};

/// Keys that follow from an object and its place.
const OWN_KEYS: [&str; 8] = ["classname", "model", "origin", "angle", "angles", "light", "_light", "_color"];

impl<'a> Context<'a> {
    pub(super) fn entity(&mut self, visit: &Visit<'a>, owner: Owner, id: EntityId, path: &str) {
        let Some(entity) = self.scene.entities.get(id) else { return };
        let mut properties = entity.properties.clone();
        self.add_node_properties(visit, &mut properties, path);
        let place = self.placement_keys(visit, &mut properties, path);
        if !entity.connections.is_empty() {
            self.losses
                .dropped(path, format!("{} of the entity", format_count(entity.connections.len(), "connection")));
        }
        let mut keys = Vec::new();
        keys.extend(entity.model.iter().map(|model| ("model".to_owned(), self.clean(model, path))));
        keys.extend(self.texts(&properties, path));
        let is_world = entity.class == "worldspawn" && !self.has_world;
        if is_world && let Some(world) = self.items.first_mut() {
            self.has_world = true;
            if !matches!(&*visit.node.name, "" | "worldspawn") && !has_name(&properties, &visit.node.name) {
                self.losses.dropped(path, format!("the name {:?} of the world", visit.node.name));
            }
            (world.keys, world.key) = (keys, visit.node.key.clone());
            return;
        }
        keys.extend(self.targetname(visit, &properties, &entity.class));
        let class = self.clean(&entity.class, path);
        let item = Item { key: visit.node.key.clone(), class, place, keys, ..Item::default() };
        let item = self.add_item(item, owner);
        self.owners.insert(visit.id, Owner { item, is_entity: true, ..owner });
    }

    pub(super) fn light(&mut self, visit: &Visit<'a>, owner: Owner, id: LightId, path: &str) {
        let Some(light) = self.scene.lights.get(id) else { return };
        if !matches!(light.kind, LightKind::Point | LightKind::Spot { .. }) {
            return;
        }
        if light::gains_range(light) {
            self.losses.approximated(path, "light without a range: it gets the range of 300 units that games assume");
        }
        let mut keys = light::keys(light, self.scene.color_space, number);
        let mut class = keys.get("classname").and_then(Value::as_text).unwrap_or("light").to_owned();
        // Source 2 stores them in these keys. They are written as keys of Quake.
        let has_source_2_keys = keys.get("color").is_some() || keys.get("range").is_some();
        if class != "light" && (is_source_2_light(&class) || has_source_2_keys) {
            self.losses.approximated(path, format!("class {class:?}, as light"));
            keys.entries.retain(|(key, _)| key != "color" && key != "range");
            if has_no_direction(light, &visit.world) {
                keys.entries.retain(|(key, _)| key != "angles");
            }
            class = "light".to_owned();
        }
        keys.entries.retain(|(key, _)| key != "classname");
        self.add_node_properties(visit, &mut keys, path);
        let place = self.placement_keys(visit, &mut keys, path);
        let mut texts = self.texts(&keys, path);
        if visit.node.name != "light" {
            texts.extend(self.targetname(visit, &keys, &class));
        }
        let class = self.clean(&class, path);
        let item = Item { key: visit.node.key.clone(), class, place, keys: texts, ..Item::default() };
        self.add_item(item, owner);
    }

    /// Returns the key for the name of a node, unless another key or the class is its name.
    fn targetname(&mut self, visit: &Visit<'a>, keys: &Properties, class: &str) -> Option<(String, String)> {
        let name = &visit.node.name;
        let is_known = ["targetname", "_tb_name"].iter().any(|key| keys.get(key).is_some());
        (!name.is_empty() && name != class && !is_known).then(|| ("targetname".to_owned(), self.clean(name, "names")))
    }

    pub(super) fn marker(&mut self, visit: &Visit<'a>, owner: Owner, path: &str) {
        let mut keys = Properties::new();
        let name = &visit.node.name;
        let is_start = name.to_ascii_lowercase().contains("start");
        if !(name.is_empty() || is_start && name.eq_ignore_ascii_case("start")) {
            keys.push("targetname", &**name);
        }
        self.add_node_properties(visit, &mut keys, path);
        let place = self.placement_keys(visit, &mut keys, path);
        let keys = self.texts(&keys, path);
        let class = if is_start { "info_player_start" } else { "info_null" };
        let item = Item { key: visit.node.key.clone(), class: class.into(), place, keys, ..Item::default() };
        self.add_item(item, owner);
    }

    /// Writes a path as a chain of corners, each with the name of the next.
    pub(super) fn path(&mut self, visit: &Visit<'a>, owner: Owner, id: PathId) {
        let Some(path) = self.scene.paths.get(id) else { return };
        let place = format!("paths[{}]", id.index());
        let count = path.points.len();
        let follows = |edge: &mapwright_scene::PathEdge| {
            edge.to as usize == edge.from as usize + 1 || edge.to == 0 && edge.from as usize + 1 == count
        };
        if path.points.iter().any(|point| point.tangents.is_some()) {
            self.losses.dropped(&*place, "curves of the path");
        }
        if !path.edges.iter().all(follows) {
            self.losses.dropped(&*place, "edges of the path; its points lead to the next ones");
        } else if !path.edges.is_empty() {
            self.losses.preserved(&*place, "edges of the path, as targets of its corners");
        }
        if !path.properties.is_empty() || path.points.iter().any(|point| !point.properties.is_empty()) {
            self.losses.dropped(&*place, "properties of the path and its points");
        }
        let is_closed = path.closed || path.edges.iter().any(|edge| edge.to == 0 && edge.from as usize + 1 == count);
        let given = [&path.name, &visit.node.name].into_iter().find(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("path_{}", id.index()), |name| self.clean(name, &place));
        let named = |index: usize| format!("{name}_{index}");
        for (index, point) in path.points.iter().enumerate() {
            let origin = numbers(AXES.inverse().apply(visit.world.point(point.position)));
            let mut keys = vec![("targetname".to_owned(), named(index))];
            let next = index + 1;
            if next < count {
                keys.push(("target".into(), named(next)));
            } else if is_closed {
                keys.push(("target".into(), named(0)));
            }
            let place = vec![("origin", origin)];
            self.add_item(Item { class: "path_corner".into(), place, keys, ..Item::default() }, owner);
        }
    }

    /// Adds the properties of a node to the keys of its entity. Those that would change the object are left out.
    fn add_node_properties(&mut self, visit: &Visit<'a>, keys: &mut Properties, path: &str) {
        for (key, value) in visit.node.properties.iter() {
            match keys.get(key) {
                Some(old) if old == value => {}
                None if !OWN_KEYS.contains(&key) => keys.push(key, value.clone()),
                _ => self.losses.dropped(path, format!("the property {key:?} of the node: a key of the entity itself")),
            }
        }
    }

    /// Returns the keys of position and rotation. Existing keys stay if they match, and are replaced otherwise.
    fn placement_keys(&mut self, visit: &Visit<'a>, keys: &mut Properties, path: &str) -> Vec<(&'static str, String)> {
        let mut place = Vec::new();
        // Brushes below the node contain the transform in their points.
        let has_body = |&child: &_| {
            let content = self.scene.nodes.get(child).map(|node| &node.content);
            matches!(content, Some(Content::Brush(_) | Content::Mesh(_)))
        };
        if visit.node.children.iter().any(has_body) {
            if !visit.world.is_identity() {
                self.losses.approximated(path, "transform of the entity, applied to its brushes");
            }
            return place;
        }
        let origin = visit.world.origin();
        if origin != [0.0; 3] {
            place.push(("origin", numbers(AXES.inverse().apply(origin))));
        }
        let light = match visit.node.content {
            Content::Light(id) => self.scene.lights.get(id),
            _ => None,
        };
        let world = if light.is_some() { visit.world.turned(&MINUS_Z_TO_X) } else { visit.world };
        let Some((_, rotation, scale)) = world.to_trs() else {
            self.losses.dropped(path, "rotation and shear of the entity");
            return place;
        };
        if scale.iter().any(|factor| (factor - 1.0).abs() > 1e-9) {
            self.losses.dropped(path, format!("the scale {scale:?} of the entity"));
        }
        let has_no_turn = light.is_some_and(|light| has_no_direction(light, &visit.world));
        if !has_no_turn && !angles::is_same_rotation(angles::rotation(keys).unwrap_or([0.0, 0.0, 0.0, 1.0]), rotation) {
            keys.entries.retain(|(key, _)| key != "angle" && key != "angles");
            // After reading the map again, they are among the keys.
            keys.entries.insert(0, ("angles".to_owned(), numbers(angles::degrees(rotation)).into()));
        }
        place
    }

    /// Converts properties to texts.
    pub(super) fn texts(&mut self, properties: &Properties, path: &str) -> Vec<(String, String)> {
        let mut texts = Vec::with_capacity(properties.len());
        for (key, value) in properties.iter() {
            let Some(text) = text(value) else {
                self.losses.dropped(path, format!("the property {key:?}: not text"));
                continue;
            };
            let mut key = self.clean(key, path);
            // A backslash escapes the quote after it, except at the end of a line.
            if key.len().saturating_sub(key.trim_end_matches('\\').len()) % 2 == 1 {
                self.losses.approximated(path, format!("the last backslash of the key {key:?}, which is doubled"));
                key.push('\\');
            }
            texts.push((key, self.clean(&text, path)));
        }
        texts
    }

    /// Replaces characters that cannot be between quotes.
    pub(super) fn clean(&mut self, text: &str, path: &str) -> String {
        let mut plain = text.replace("\r\n", "\\n").replace(['\n', '\r'], "\\n").replace('\0', "");
        if plain.contains(['"', '\\']) {
            plain = escape_quotes(&plain);
        }
        if plain != text {
            self.losses.approximated(path, format!("quotes and line ends in {text:?}"));
        }
        plain
    }
}

/// Returns `true` if a key of the editor is the name.
fn has_name(properties: &Properties, name: &str) -> bool {
    ["targetname", "_tb_name"].into_iter().any(|key| properties.get(key).and_then(Value::as_text) == Some(name))
}

/// Returns `true` for a point light that nothing turns: its direction has no effect. Angles of other formats are rounded.
fn has_no_direction(light: &Light, world: &Transform) -> bool {
    let mut parts = world.linear().into_iter().flatten().zip(Transform::IDENTITY.linear().into_iter().flatten());
    light.kind == LightKind::Point && parts.all(|(a, b)| (a - b).abs() < 1e-9)
}

/// Escapes quotes that are not escaped. A quote before a brace would end the text.
fn escape_quotes(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut is_escaped = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if letters.peek() == Some(&'}') => escaped.push_str(if is_escaped { "\\'" } else { "'" }),
            '"' if !is_escaped => escaped.push_str("\\\""),
            _ => escaped.push(letter),
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    escaped
}

/// Formats a value. Returns `None` for values that maps cannot store.
fn text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Bool(flag) => u8::from(*flag).to_string(),
        Value::Int(whole) => whole.to_string(),
        Value::Float(float) => number(*float),
        Value::Text(text) => text.clone(),
        Value::List(items) => {
            let words = items.iter().map(|item| match item {
                Value::List(_) => None,
                item => text(item),
            });
            words.collect::<Option<Vec<_>>>()?.join(" ")
        }
        Value::Bytes(_) | Value::Map(_) => return None,
    })
}
