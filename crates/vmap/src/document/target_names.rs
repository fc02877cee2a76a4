//! The names by which outputs find entities.

use std::collections::BTreeSet;

use crate::{Document, NodeKind};

/// Returns the names of entities and prefabs in lower case: earlier engines ignore case. Whether Source 2 does is unknown.
pub(crate) fn target_names(map: &Document) -> BTreeSet<Vec<u8>> {
    let names = map.nodes().filter_map(|visit| match visit.node.kind() {
        NodeKind::Prefab(prefab) => Some(prefab.target_name()),
        _ => visit.node.entity().map(crate::Entity::targetname),
    });
    names.filter(|name| !name.is_empty()).map(<[u8]>::to_ascii_lowercase).collect()
}

/// Returns `true` if a target in lower case matches a name. A target that ends with `*` matches all names that
/// start with the text before it.
pub(crate) fn has_match(names: &BTreeSet<Vec<u8>>, target: &[u8]) -> bool {
    match target.strip_suffix(b"*") {
        Some(start) => names.range(start.to_vec()..).next().is_some_and(|name| name.starts_with(start)),
        None => names.contains(target),
    }
}
