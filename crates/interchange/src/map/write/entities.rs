//! Entities and their keys.

use mapwright_io::format_count;
use mapwright_scene::angles::MINUS_Z_TO_X;
use mapwright_scene::{Content, EntityId, Light, LightId, LightKind, PathId, Properties, Transform, Value, Visit};

use super::{Owners, Writer, face::Face, number, numbers};
use crate::Error;
use crate::map::{AXES, angles, light};

/// The entities of a map; the first is `worldspawn`.
pub(super) struct Entities {
    pub items: Vec<Item>,
    /// The entities of nodes with children.
    owners: Owners,
    has_world: bool,
}

impl Default for Entities {
    fn default() -> Self {
        let world = Item { class: "worldspawn".into(), ..Item::default() };
        Self { items: vec![world], owners: Owners::new(), has_world: false }
    }
}

/// An entity.
#[derive(Default)]
pub(super) struct Item {
    class: String,
    /// Position and rotation. Entities with brushes do not store them.
    place: Vec<(&'static str, String)>,
    keys: Vec<(String, String)>,
    pub brushes: Vec<Vec<Face>>,
}

impl Item {
    /// Returns the keys in the order in which they are written.
    pub(super) fn keys(&self, is_valve_world: bool) -> impl Iterator<Item = (&str, &str)> {
        let class = Some(("classname", &*self.class)).filter(|(_, class)| !class.is_empty());
        let version = is_valve_world.then_some(("mapversion", "220"));
        let place = self.place.iter().filter(|_| self.brushes.is_empty()).map(|(key, value)| (*key, &**value));
        let keys = self.keys.iter().map(|(key, value)| (&**key, &**value));
        class.into_iter().chain(version).chain(place).chain(keys)
    }
}

impl Entities {
    /// Returns the entity of a node: its own, or that of its parent.
    pub(super) fn entity_index(&mut self, visit: &Visit<'_>) -> usize {
        let above = visit.parent.and_then(|parent| self.owners.get(&parent)).copied().unwrap_or_default();
        if above != 0 {
            self.owners.insert(visit.id, above);
        }
        above
    }

    pub(super) fn push(&mut self, entity: usize, faces: Vec<Face>) {
        if let Some(item) = self.items.get_mut(entity) {
            item.brushes.push(faces);
        }
    }
}

impl<'a> Writer<'a> {
    pub(super) fn entity(&mut self, visit: &Visit<'a>, id: EntityId, path: &str) -> Result<(), Error> {
        let Some(entity) = self.scene.entities.get(id) else { return Ok(()) };
        let mut keys = entity.properties.clone();
        let place = self.placement_keys(visit, &mut keys, path);
        if !entity.connections.is_empty() {
            self.losses
                .dropped(path, format!("{} of the entity", format_count(entity.connections.len(), "connection")));
        }
        let mut texts = Vec::new();
        texts.extend(entity.model.iter().map(|model| ("model".to_owned(), self.clean(model, path))));
        texts.extend(self.texts(&keys, path));
        let is_world = entity.class == "worldspawn" && !self.entities.has_world;
        if is_world && let Some(world) = self.entities.items.first_mut() {
            self.entities.has_world = true;
            if !matches!(&*visit.node.name, "" | "worldspawn") {
                self.losses.dropped(path, format!("the name {:?} of the world", visit.node.name));
            }
            world.keys = texts;
            return Ok(());
        }
        texts.extend(self.targetname(visit, &keys, &entity.class));
        let class = self.clean(&entity.class, path);
        self.entities.owners.insert(visit.id, self.entities.items.len());
        self.entities.items.push(Item { class, place, keys: texts, brushes: Vec::new() });
        Ok(())
    }

    pub(super) fn light(&mut self, visit: &Visit<'a>, id: LightId, path: &str) {
        let Some(light) = self.scene.lights.get(id) else { return };
        if !matches!(light.kind, LightKind::Point | LightKind::Spot { .. }) {
            return;
        }
        let mut keys = light::keys(light, number);
        let class = keys.get("classname").and_then(Value::as_text).unwrap_or("light").to_owned();
        if class != "light" {
            self.losses.approximated(path, format!("class {class:?}, as light"));
            // Source 2 stores them in these keys. They are written as keys of Quake.
            keys.entries.retain(|(key, _)| key != "color" && key != "range");
            if has_no_direction(light, &visit.world) {
                keys.entries.retain(|(key, _)| key != "angles");
            }
        }
        keys.entries.retain(|(key, _)| key != "classname");
        let place = self.placement_keys(visit, &mut keys, path);
        let mut texts = self.texts(&keys, path);
        if visit.node.name != "light" {
            texts.extend(self.targetname(visit, &keys, &class));
        }
        self.entities.items.push(Item { class: "light".into(), place, keys: texts, brushes: Vec::new() });
    }

    /// Returns the key for the name of a node, unless another key or the class is its name.
    fn targetname(&mut self, visit: &Visit<'a>, keys: &Properties, class: &str) -> Option<(String, String)> {
        let name = &visit.node.name;
        let is_known = ["targetname", "_tb_name"].iter().any(|key| keys.get(key).is_some());
        (!name.is_empty() && name != class && !is_known).then(|| ("targetname".to_owned(), self.clean(name, "names")))
    }

    pub(super) fn marker(&mut self, visit: &Visit<'a>, path: &str) {
        let mut keys = Properties::new();
        if !visit.node.name.is_empty() {
            keys.push("targetname", &*visit.node.name);
        }
        let place = self.placement_keys(visit, &mut keys, path);
        let keys = self.texts(&keys, path);
        self.entities.items.push(Item { class: "info_null".into(), place, keys, brushes: Vec::new() });
    }

    /// Writes a path as a chain of corners, each with the name of the next.
    pub(super) fn path(&mut self, visit: &Visit<'a>, id: PathId) {
        let Some(path) = self.scene.paths.get(id) else { return };
        let place = format!("paths[{}]", id.index());
        if path.points.iter().any(|point| point.tangents.is_some()) || !path.edges.is_empty() {
            self.losses.dropped(&*place, "curves and edges of the path; its points lead to the next ones");
        }
        let name = if path.name.is_empty() { format!("path_{}", id.index()) } else { self.clean(&path.name, &place) };
        let named = |index: usize| format!("{name}_{index}");
        for (index, point) in path.points.iter().enumerate() {
            let origin = numbers(AXES.inverse().apply(visit.world.point(point.position)));
            let mut keys = vec![("targetname".to_owned(), named(index))];
            let next = index + 1;
            if next < path.points.len() {
                keys.push(("target".into(), named(next)));
            } else if path.closed {
                keys.push(("target".into(), named(0)));
            }
            let class = "path_corner".into();
            self.entities.items.push(Item { class, place: vec![("origin", origin)], keys, brushes: Vec::new() });
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
    fn texts(&mut self, properties: &Properties, path: &str) -> Vec<(String, String)> {
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
    fn clean(&mut self, text: &str, path: &str) -> String {
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
