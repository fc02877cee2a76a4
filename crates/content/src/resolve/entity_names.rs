//! Names of entities in files that a level uses more than once.

use std::collections::BTreeSet;

use mapwright_io::Losses;
use mapwright_scene::{Content, Entity, NodeId, Properties, Scene, Value};

/// The key with the name of an entity.
const NAME: &str = "targetname";
/// Keys that contain names of other entities.
const REFERENCES: [&str; 3] = ["parentname", "target", "filtername"];

/// Puts a text before the names that the entities of added nodes define, and before references to these names. References to other names
/// stay as they are.
///
/// Uses of a file share its entities, so changed ones are copied. Returns the bytes that remain of `left` after that, or `None` if it is
/// not enough; the names stay as they are then.
pub(super) fn add_prefix(
    scene: &mut Scene,
    nodes: &[NodeId],
    prefix: &str,
    left: usize,
    losses: &mut Losses,
) -> Option<usize> {
    let names: BTreeSet<String> =
        nodes.iter().filter_map(|id| Some(name(entity_of(scene, *id)?)?.to_owned())).collect();
    if names.is_empty() {
        return Some(left);
    }
    let mut left = left;
    let mut changed = Vec::new();
    for &id in nodes {
        let Some(entity) = entity_of(scene, id) else { continue };
        let count = count_names(entity, &names);
        if count > 0 {
            // The name of the node gets the prefix, too.
            let prefixes = count.saturating_add(1).saturating_mul(prefix.len());
            left = left.checked_sub(size(entity).saturating_add(prefixes))?;
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
            text.insert_str(0, prefix);
            if key != NAME && !REFERENCES.contains(&&**key) {
                others.insert(key.clone());
            }
        }
        for connection in entity.connections.iter_mut().filter(|it| is_defined(&it.target, &names)) {
            connection.target.insert_str(0, prefix);
        }
        let copy = scene.entities.push(entity);
        let Some(node) = scene.nodes.get_mut(id) else { continue };
        node.content = Content::Entity(copy);
        if old_name.is_some_and(|old| old == node.name) {
            node.name.insert_str(0, prefix);
        }
    }
    if !others.is_empty() {
        let keys = others.into_iter().collect::<Vec<_>>().join(", ");
        losses.approximated("entities", format!("names of entities in the keys {keys} get the prefix of their prefab"));
    }
    Some(left)
}

fn entity_of(scene: &Scene, node: NodeId) -> Option<&Entity> {
    let Content::Entity(id) = scene.nodes.get(node)?.content else { return None };
    scene.entities.get(id)
}

/// Returns the name that an entity defines. Names with `@` are the same in all files, and those with `!` have a meaning.
fn name(entity: &Entity) -> Option<&str> {
    let name = entity.properties.get(NAME)?.as_text()?;
    (!name.is_empty() && !name.starts_with(['@', '!'])).then_some(name)
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
    connections.fold(texts.saturating_add(properties_size(&entity.properties)), usize::saturating_add)
}

fn properties_size(properties: &Properties) -> usize {
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
        Value::Map(properties) => properties_size(properties),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    }
}
