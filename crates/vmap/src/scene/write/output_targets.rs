//! Reports outputs whose target disappeared.

use std::collections::{BTreeMap, BTreeSet};

use super::super::names::{self, with_count};
use super::context::WriteContext;
use crate::document::target_names::{has_match, target_names};

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
