//! Reports outputs whose target disappeared.

use std::collections::{BTreeMap, BTreeSet};

use super::super::names::{self, with_count};
use super::context::WriteContext;
use crate::Document;

/// Returns the names by which outputs find entities, in lower case: earlier engines ignore case. Whether Source 2 does is unknown.
pub(super) fn target_names(map: &Document) -> BTreeSet<Vec<u8>> {
    let entities = map.nodes().filter_map(|visit| visit.node.entity());
    entities.map(|entity| entity.targetname().to_ascii_lowercase()).filter(|name| !name.is_empty()).collect()
}

/// Reports outputs that found their target before the change and do not any more. They keep the name of their target.
pub(super) fn report_dangling_targets(context: &mut WriteContext<'_, '_, '_>, before: &BTreeSet<Vec<u8>>) {
    let map = context.editor.map();
    let now = target_names(map);
    if before.is_subset(&now) {
        return;
    }
    let mut outputs: BTreeMap<&[u8], usize> = BTreeMap::new();
    for output in map.nodes().flat_map(|visit| visit.node.connections()) {
        let target = output.target().to_ascii_lowercase();
        if has_match(before, &target) && !has_match(&now, &target) {
            *outputs.entry(output.target()).or_default() += 1;
        }
    }
    for (name, count) in outputs {
        let text = format!("target of {}: \"{}\" no longer exists", with_count(count, "output"), names::text(name));
        context.losses.dropped("", text);
    }
}

/// Returns `true` if a target matches a name. A target may be the beginning of a name and a star.
fn has_match(names: &BTreeSet<Vec<u8>>, target: &[u8]) -> bool {
    match target.strip_suffix(b"*") {
        Some(start) => names.range(start.to_vec()..).next().is_some_and(|name| name.starts_with(start)),
        None => names.contains(target),
    }
}
