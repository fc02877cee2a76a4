//! Names of entities in files that a level uses more than once.

use std::collections::BTreeSet;

use mapwright_io::Losses;
use mapwright_scene::{Content, Entity, Node, NodeId, Properties, Scene, Value};

/// The key with the name of an entity.
const NAME: &str = "targetname";
/// The property with the name of a nested file.
const NESTED_NAME: &str = "targetName";
/// Keys that contain names of other entities.
const REFERENCES: [&str; 3] = ["parentname", "target", "filtername"];

/// Texts that a game puts around the names of entities in a file, so that several uses of the file have different names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameAffixes {
    /// The text before a name.
    pub prefix: String,
    /// The text after a name.
    pub suffix: String,
    /// `true` if nested files have names that change like those of entities, from which their own texts follow. Their names of entities then
    /// only get these. Names of entities in the values of their variables change, too.
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

    /// Returns the texts for a nested file, whose own ones are given: these around them.
    pub(super) fn around(&self, inner: &Self) -> Self {
        if self.changes_nested {
            return inner.clone();
        }
        Self {
            prefix: format!("{}{}", self.prefix, inner.prefix),
            suffix: format!("{}{}", inner.suffix, self.suffix),
            changes_nested: inner.changes_nested,
        }
    }

    /// Changes a name. The `*` after the start of names stays the last letter.
    fn change(&self, name: &mut String) {
        name.insert_str(0, &self.prefix);
        let end = name.strip_suffix('*').map_or(name.len(), str::len);
        name.insert_str(end, &self.suffix);
    }

    /// Puts the texts around the names that the entities of added nodes define, and around references to these names. References to other
    /// names stay as they are.
    ///
    /// Uses of a file share its entities, so changed ones are copied. Returns the bytes that remain of `left` after that, or `None` if it
    /// is not enough; the names stay as they are then.
    pub(super) fn add(&self, scene: &mut Scene, nodes: &[NodeId], left: usize, losses: &mut Losses) -> Option<usize> {
        let names: BTreeSet<String> =
            nodes.iter().filter_map(|id| Some(name(entity_of(scene, *id)?)?.to_owned())).collect();
        let mut left = left;
        if self.changes_nested {
            left = self.change_nested(scene, nodes, &names, left)?;
        }
        if names.is_empty() {
            return Some(left);
        }
        let mut changed = Vec::new();
        for &id in nodes {
            let Some(entity) = entity_of(scene, id) else { continue };
            let count = count_names(entity, &names);
            if count > 0 {
                // The name of the node changes, too.
                let added = count.saturating_add(1).saturating_mul(self.len());
                left = left.checked_sub(size(entity).saturating_add(added))?;
                changed.push(id);
            }
        }
        let mut others: BTreeSet<String> = BTreeSet::new();
        for id in changed {
            let Some(mut entity) = entity_of(scene, id).cloned() else { continue };
            let old_name = name(&entity).map(str::to_owned);
            for (key, value) in &mut entity.properties.entries {
                let Value::Text(text) = value else { continue };
                if !is_defined(text, &names) {
                    continue;
                }
                self.change(text);
                if key != NAME && !REFERENCES.contains(&&**key) {
                    others.insert(key.clone());
                }
            }
            for connection in entity.connections.iter_mut().filter(|it| is_defined(&it.target, &names)) {
                self.change(&mut connection.target);
            }
            let copy = scene.entities.push(entity);
            let Some(node) = scene.nodes.get_mut(id) else { continue };
            node.content = Content::Entity(copy);
            if old_name.is_some_and(|old| old == node.name) {
                self.change(&mut node.name);
            }
        }
        if !others.is_empty() {
            let keys = others.into_iter().collect::<Vec<_>>().join(", ");
            let text = format!("names of entities in the keys {keys} change as the names in their prefab do");
            losses.approximated("entities", text);
        }
        Some(left)
    }

    /// Changes the names of nested files, and the values of their variables that are names. Returns the bytes that remain of `left`.
    fn change_nested(
        &self,
        scene: &mut Scene,
        nodes: &[NodeId],
        names: &BTreeSet<String>,
        mut left: usize,
    ) -> Option<usize> {
        for id in nodes {
            let Some(Node { name, content: Content::Prefab(prefab), properties, .. }) = scene.nodes.get_mut(*id) else {
                continue;
            };
            for (_, value) in &mut prefab.overrides.entries {
                let Value::Text(text) = value else { continue };
                if is_defined(text, names) {
                    left = left.checked_sub(self.len())?;
                    self.change(text);
                }
            }
            let own = properties.entries.iter_mut().find(|(key, _)| key == NESTED_NAME);
            if let Some((_, Value::Text(own))) = own.filter(|(_, own)| own.as_text().is_some_and(is_local)) {
                left = left.checked_sub(self.len().saturating_mul(2))?;
                if name == own {
                    self.change(name);
                }
                self.change(own);
            }
        }
        Some(left)
    }
}

fn entity_of(scene: &Scene, node: NodeId) -> Option<&Entity> {
    let Content::Entity(id) = scene.nodes.get(node)?.content else { return None };
    scene.entities.get(id)
}

/// Returns the name that an entity defines. Names with `@` are the same in all files, and those with `!` have a meaning.
fn name(entity: &Entity) -> Option<&str> {
    entity.properties.get(NAME)?.as_text().filter(|name| is_local(name))
}

fn is_local(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(['@', '!'])
}

/// Returns `true` if a text is a name, or matches one with `*` at its end.
fn is_defined(text: &str, names: &BTreeSet<String>) -> bool {
    match text.strip_suffix('*') {
        Some("") => false,
        Some(start) => names.range(start.to_owned()..).next().is_some_and(|name| name.starts_with(start)),
        None => names.contains(text),
    }
}

/// Returns the number of texts of an entity that are names.
fn count_names(entity: &Entity, names: &BTreeSet<String>) -> usize {
    let values = entity.properties.iter().filter_map(|(_, value)| value.as_text());
    let targets = entity.connections.iter().map(|connection| &*connection.target);
    values.chain(targets).filter(|text| is_defined(text, names)).count()
}

/// Returns roughly the memory of an entity in bytes.
fn size(entity: &Entity) -> usize {
    const CONNECTION: usize = 128;
    let connections = entity.connections.iter().map(|it| {
        let texts = [&it.output, &it.target, &it.input, &it.parameter];
        texts.iter().map(|text| text.len()).sum::<usize>().saturating_add(CONNECTION)
    });
    let texts = entity.class.len().saturating_add(entity.model.as_ref().map_or(0, String::len));
    connections.fold(texts.saturating_add(properties_memory(&entity.properties)), usize::saturating_add)
}

pub(super) fn properties_memory(properties: &Properties) -> usize {
    const ENTRY: usize = 64;
    let entries = properties.iter().map(|(name, value)| name.len().saturating_add(value_size(value)));
    entries.fold(0, |sum, entry| sum.saturating_add(entry).saturating_add(ENTRY))
}

/// Values nest at most [`Value::MAX_DEPTH`] deep.
fn value_size(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(items) => items.iter().map(value_size).fold(items.len().saturating_mul(32), usize::saturating_add),
        Value::Map(properties) => properties_memory(properties),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    }
}
