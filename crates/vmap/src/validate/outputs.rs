//! Checks the targets of outputs.

use super::report::{Location, Report, lossy};
use crate::Document;
use crate::document::target_names::Targets;

/// Reports outputs that find no entity. `load` returns the map of a prefab by its path.
pub(super) fn check(report: &mut Report<'_>, load: &mut dyn FnMut(&str) -> Option<Document>) {
    let map = report.map;
    let mut targets = Targets::without_prefabs(map);
    let outputs =
        || map.nodes().flat_map(|visit| visit.node.connections().enumerate().map(move |output| (visit.node, output)));
    if outputs().all(|(_, (_, output))| targets.has_match(output.target())) {
        return;
    }
    targets.add_prefabs(map, load, 0);
    // Another map may contain the target of an output in a prefab. Only a level in which the player starts is complete.
    for (node, (index, output)) in outputs().filter(|(_, (_, output))| !targets.has_match(output.target())) {
        let location = Location::Item(node.element(), "connectionsData", index);
        let [event, target] = [output.output(), output.target()].map(lossy);
        let message = format!("{event} has the target {target:?}, which no entity of the map has as its name or class");
        match targets.unread_prefabs() {
            0 if targets.is_level() => report.warn("output-target", location, message),
            0 => report.note("output-target", location, message),
            1 => report.note("output-target", location, format!("{message}; 1 prefab was not read")),
            unread => report.note("output-target", location, format!("{message}; {unread} prefabs were not read")),
        }
    }
}
