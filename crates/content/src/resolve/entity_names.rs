//! Names of entities in files that a level uses more than once.

use std::collections::BTreeSet;
use std::ops::Range;

use mapwright_io::Losses;
use mapwright_scene::{Connection, Content, Node, NodeId, Properties, Scene, Value};

use super::memory::{entity_memory, properties_memory};

/// The key with the name of an entity.
const NAME: &str = "targetname";
/// The property with the name of a nested file.
const NESTED_NAME: &str = "targetName";
/// Keys that contain names of other entities.
const REFERENCES: [&str; 3] = ["parentname", "target", "filtername"];
/// Keys that contain other texts, which may equal a name.
const TEXTS: [&str; 2] = ["classname", "message"];
/// The input whose parameter is the name of an entity.
const SET_PARENT: &str = "SetParent";

/// Texts that a game puts around the names of entities in a file, so that several uses of the file have different names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameAffixes {
    /// The text before a name.
    pub prefix: String,
    /// The text after a name.
    pub suffix: String,
    /// `true` if the names of nested files change, too. Their own texts contain these names, and are all that their entities get. Otherwise
    /// the texts of a file are around those of the files in it.
    pub changes_nested: bool,
}

impl NameAffixes {
    /// Returns `true` if names stay as they are.
    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.suffix.is_empty()
    }

    /// Returns the length of both texts in bytes.
    pub(super) fn len(&self) -> usize {
        self.prefix.len().saturating_add(self.suffix.len())
    }

    /// Returns the texts for the entities of a file that is nested in a file with these texts.
    pub(super) fn for_nested(&self, own: &Self) -> Self {
        if self.changes_nested {
            return own.clone();
        }
        Self {
            prefix: format!("{}{}", self.prefix, own.prefix),
            suffix: format!("{}{}", own.suffix, self.suffix),
            changes_nested: own.changes_nested,
        }
    }

    /// Puts the texts around a name. A `*` at the end, which stands for any further characters, stays there.
    pub(super) fn change(&self, name: &mut String) {
        name.insert_str(0, &self.prefix);
        let end = name.strip_suffix('*').map_or(name.len(), str::len);
        name.insert_str(end, &self.suffix);
    }

    /// Changes a name or a reference. A reference to an entity in a nested file contains the name of that file, and only this part changes.
    fn change_reference(&self, text: &mut String, names: &Names) {
        let Some(part) = names.find_nested(text) else { return self.change(text) };
        let mut nested = text.get(part.clone()).unwrap_or_default().to_owned();
        self.change(&mut nested);
        text.replace_range(part, &nested);
    }

    /// Changes the names that added nodes define, and references to them.
    ///
    /// Uses of a file share its entities and lights, so changed ones are copied. Returns the bytes that remain of `left` after that, or
    /// `None` if it is not enough; nothing changes then.
    pub(super) fn apply_to_nodes(
        &self,
        scene: &mut Scene,
        nodes: &[NodeId],
        left: usize,
        losses: &mut Losses,
    ) -> Option<usize> {
        let names = Names::of_nodes(scene, nodes, self.changes_nested);
        if names.names.is_empty() {
            return Some(left);
        }
        let mut left = left;
        let mut changed = Vec::new();
        for &id in nodes {
            let needed = self.memory_of_change(scene, id, &names);
            if needed > 0 {
                left = left.checked_sub(needed)?;
                changed.push(id);
            }
        }
        let mut others: BTreeSet<String> = BTreeSet::new();
        changed.into_iter().for_each(|id| self.change_node(scene, id, &names, &mut others));
        if !others.is_empty() {
            let keys = others.into_iter().collect::<Vec<_>>().join(", ");
            let text = format!("names of entities in the keys {keys} change as the names in their prefab do");
            losses.approximated("entities", text);
        }
        Some(left)
    }

    /// Returns the memory that the change of a node takes, in bytes. 0 if it does not change.
    fn memory_of_change(&self, scene: &Scene, id: NodeId, names: &Names) -> usize {
        let Some(node) = scene.nodes.get(id) else { return 0 };
        let (count, copied) = match &node.content {
            Content::Entity(id) => {
                let Some(entity) = scene.entities.get(*id) else { return 0 };
                let targets = entity.connections.iter().filter(|it| names.contain(&it.target)).count();
                let parameters = entity.connections.iter().filter(|it| names.contain_parameter(it)).count();
                let texts = targets.saturating_add(parameters);
                (names.count_in(&entity.properties).saturating_add(texts), entity_memory(entity))
            }
            Content::Light(id) => {
                let Some(light) = scene.lights.get(*id) else { return 0 };
                let copied = properties_memory(&light.properties).saturating_add(size_of_val(light));
                (names.count_in(&light.properties), copied)
            }
            Content::Prefab(prefab) if self.changes_nested => {
                let own = usize::from(nested_name(&node.properties).is_some());
                (names.count_in(&prefab.overrides).saturating_add(own), 0)
            }
            _ => return 0,
        };
        // The name of the node changes, too.
        if count == 0 { 0 } else { count.saturating_add(1).saturating_mul(self.len()).saturating_add(copied) }
    }

    fn change_node(&self, scene: &mut Scene, id: NodeId, names: &Names, others: &mut BTreeSet<String>) {
        let Some(node) = scene.nodes.get_mut(id) else { return };
        let old = match &mut node.content {
            Content::Entity(id) => {
                let Some(mut entity) = scene.entities.get(*id).cloned() else { return };
                let old = self.change_keys(&mut entity.properties, names, others);
                for connection in &mut entity.connections {
                    if names.contain_parameter(connection) {
                        self.change_reference(&mut connection.parameter, names);
                    }
                    if names.contain(&connection.target) {
                        self.change_reference(&mut connection.target, names);
                    }
                }
                *id = scene.entities.push(entity);
                old
            }
            Content::Light(id) => {
                let Some(mut light) = scene.lights.get(*id).cloned() else { return };
                let old = self.change_keys(&mut light.properties, names, others);
                *id = scene.lights.push(light);
                old
            }
            Content::Prefab(prefab) => {
                let values =
                    prefab.overrides.entries.iter_mut().filter_map(|(key, value)| Some((key, text_mut(value)?)));
                values
                    .filter(|(key, value)| names.contain_in_key(key, value))
                    .for_each(|(_, value)| self.change_reference(value, names));
                let old = nested_name(&node.properties).map(str::to_owned);
                let own = node.properties.entries.iter_mut().find(|(key, _)| key == NESTED_NAME);
                own.and_then(|(_, own)| text_mut(own))
                    .filter(|_| old.is_some())
                    .into_iter()
                    .for_each(|own| self.change(own));
                old
            }
            _ => None,
        };
        if old.is_some_and(|old| old == node.name) {
            self.change(&mut node.name);
        }
    }

    /// Changes the names in keys. Returns the old name of the entity. Adds further keys that change to `others`.
    fn change_keys(&self, keys: &mut Properties, names: &Names, others: &mut BTreeSet<String>) -> Option<String> {
        let mut old = None;
        for (key, value) in &mut keys.entries {
            let Some(text) = text_mut(value).filter(|text| names.contain_in_key(key, text)) else { continue };
            if key.eq_ignore_ascii_case(NAME) {
                old.get_or_insert_with(|| text.clone());
            } else if !is_name_key(key) {
                others.insert(key.clone());
            }
            self.change_reference(text, names);
        }
        old
    }
}

/// The names that added nodes define, in lower case: games ignore their case.
struct Names {
    /// The names of entities, lights and nested files.
    names: BTreeSet<String>,
    /// The names of nested files.
    nested: BTreeSet<String>,
}

impl Names {
    fn of_nodes(scene: &Scene, nodes: &[NodeId], has_nested: bool) -> Self {
        let nodes = || nodes.iter().filter_map(|id| scene.nodes.get(*id));
        let prefabs = nodes().filter(|node| has_nested && matches!(node.content, Content::Prefab(_)));
        let nested: BTreeSet<String> =
            prefabs.filter_map(|node| nested_name(&node.properties)).map(str::to_ascii_lowercase).collect();
        let names = nodes().filter_map(|node| name(scene, node)).map(str::to_ascii_lowercase);
        Self { names: names.chain(nested.iter().cloned()).collect(), nested }
    }

    /// Returns `true` if a text is a name, matches one with `*` at its end, or is the name of an entity in a nested file.
    fn contain(&self, text: &str) -> bool {
        self.contain_whole(text) || self.find_nested(text).is_some()
    }

    fn contain_whole(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let matches = |start: &str| self.names.range(start.to_owned()..).next().is_some_and(|it| it.starts_with(start));
        let start = text.strip_suffix('*').filter(|start| !start.is_empty());
        self.names.contains(&text) || start.is_some_and(matches)
    }

    /// Returns the name of a nested file in the name of an entity in it, before or after `-`.
    fn find_nested(&self, text: &str) -> Option<Range<usize>> {
        if self.nested.is_empty() || self.contain_whole(text) {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let parts = lower.match_indices('-').flat_map(|(at, _)| [0..at, at.saturating_add(1)..lower.len()]);
        // Longer parts are no names, and there can be many of them.
        let longest = self.nested.iter().map(String::len).max().unwrap_or(0);
        parts
            .filter(|part| part.len() <= longest)
            .find(|part| lower.get(part.clone()).is_some_and(|name| self.nested.contains(name)))
    }

    /// Returns `true` if the parameter of a connection is a name.
    fn contain_parameter(&self, connection: &Connection) -> bool {
        connection.input.eq_ignore_ascii_case(SET_PARENT) && self.contain(&connection.parameter)
    }

    /// Returns `true` if the value of a key is a name. Numbers and texts of other keys may equal one.
    fn contain_in_key(&self, key: &str, value: &str) -> bool {
        let is_number = || value.contains(|letter: char| letter.is_ascii_digit()) && value.parse::<f64>().is_ok();
        let is_other = TEXTS.iter().any(|text| key.eq_ignore_ascii_case(text)) || is_number();
        (is_name_key(key) || !is_other) && self.contain(value)
    }

    fn count_in(&self, keys: &Properties) -> usize {
        keys.iter().filter(|(key, value)| value.as_text().is_some_and(|text| self.contain_in_key(key, text))).count()
    }
}

/// Returns the name that an entity or light defines.
fn name<'a>(scene: &'a Scene, node: &Node) -> Option<&'a str> {
    let keys = match node.content {
        Content::Entity(id) => &scene.entities.get(id)?.properties,
        Content::Light(id) => &scene.lights.get(id)?.properties,
        _ => return None,
    };
    keys.get(NAME)?.as_text().filter(|name| is_local(name))
}

/// Returns the name of a nested file.
fn nested_name(properties: &Properties) -> Option<&str> {
    properties.get(NESTED_NAME)?.as_text().filter(|name| is_local(name))
}

/// Returns `true` for a name of one file. Names with `@` are the same in all files, and those with `!` have a meaning.
fn is_local(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(['@', '!'])
}

fn is_name_key(key: &str) -> bool {
    [NAME].iter().chain(&REFERENCES).any(|name| key.eq_ignore_ascii_case(name))
}

fn text_mut(value: &mut Value) -> Option<&mut String> {
    if let Value::Text(text) = value { Some(text) } else { None }
}
