//! Checks the targets of outputs.

use std::collections::{BTreeSet, HashSet};

use super::report::{Location, Report, lossy};
use crate::document::target_names::{has_match, target_names};
use crate::{Document, NodeKind};

/// Entities of every game, which maps do not contain.
const GLOBAL: [&[u8]; 3] = [b"player", b"world", b"worldspawn"];
/// Maximum depth of prefabs in prefabs.
const MAX_DEPTH: u32 = 8;

/// Reports outputs that find no entity. `load` returns the map of a prefab by its path.
pub(super) fn check(report: &mut Report<'_>, load: &mut dyn FnMut(&str) -> Option<Document>) {
    let map = report.map;
    let mut names = names_and_classes(map);
    let is_missing = |names: &BTreeSet<Vec<u8>>, target: &[u8]| {
        let target = target.to_ascii_lowercase();
        // `!self` and others depend on the event. A star within a name is rare.
        let is_special = target.starts_with(b"!") || target.iter().rev().skip(1).any(|byte| *byte == b'*');
        !is_special && !GLOBAL.contains(&&*target) && !has_match(names, &target)
    };
    let outputs =
        || map.nodes().flat_map(|visit| visit.node.connections().enumerate().map(move |output| (visit.node, output)));
    if !outputs().any(|(_, (_, output))| is_missing(&names, output.target())) {
        return;
    }
    let mut prefabs = Prefabs { load, known: HashSet::new(), unread: 0, is_level: false };
    prefabs.add_names(map, &mut names, 0);
    // Another map may contain the target of an output in a prefab. Only a level in which the player starts is complete.
    let Prefabs { unread, is_level, .. } = prefabs;
    for (node, (index, output)) in outputs().filter(|(_, (_, output))| is_missing(&names, output.target())) {
        let location = Location::Item(node.element(), "connectionsData", index);
        let [event, target] = [output.output(), output.target()].map(lossy);
        let message = format!("{event} has the target {target:?}, which no entity of the map has as its name or class");
        match unread {
            0 if is_level => report.warn("output-target", location, message),
            0 => report.note("output-target", location, message),
            1 => report.note("output-target", location, format!("{message}; 1 prefab was not read")),
            _ => report.note("output-target", location, format!("{message}; {unread} prefabs were not read")),
        }
    }
}

/// Returns the names and classes of entities in lower case.
fn names_and_classes(map: &Document) -> BTreeSet<Vec<u8>> {
    target_names(map).into_iter().chain(classes(map)).collect()
}

/// Returns the classes of entities in lower case.
fn classes(map: &Document) -> impl Iterator<Item = Vec<u8>> {
    map.nodes().filter_map(|visit| Some(visit.node.entity()?.classname().to_ascii_lowercase()))
}

/// The maps of prefabs, each read once.
struct Prefabs<'l> {
    load: &'l mut dyn FnMut(&str) -> Option<Document>,
    known: HashSet<String>,
    unread: usize,
    /// `true` if the player starts in one of the maps.
    is_level: bool,
}

impl Prefabs<'_> {
    /// Adds the names in the prefabs of a map, and searches the map for the start of the player.
    fn add_names(&mut self, map: &Document, names: &mut BTreeSet<Vec<u8>>, depth: u32) {
        self.is_level |= classes(map).any(|class| class.starts_with(b"info_player"));
        for node in map.nodes().map(|visit| visit.node) {
            let NodeKind::Prefab(prefab) = node.kind() else { continue };
            let path = String::from_utf8_lossy(prefab.path()).into_owned();
            if !self.known.insert(path.clone()) {
                continue;
            }
            match if depth < MAX_DEPTH { (self.load)(&path) } else { None } {
                Some(map) => {
                    names.append(&mut names_and_classes(&map));
                    self.add_names(&map, names, depth.saturating_add(1));
                }
                None => self.unread = self.unread.saturating_add(1),
            }
        }
    }
}
