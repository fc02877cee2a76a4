//! Findings about entities and their outputs.

use std::collections::HashSet;

use mapwright_io::{Frame, Severity};

use super::{Known, Report, below, is_far};
use crate::{Document, Entity, Output};

/// Keys that list ids of sides.
const SIDE_LISTS: [&str; 2] = ["sides", "sides2"];
/// The number of dashes of a target that are tried as the end of the name of an instance.
const MAX_DASHES: usize = 32;

pub(super) fn check(entity: Entity<'_>, path: &[Frame], known: &Known, report: &mut Report<'_>) {
    let item = entity.item();
    if entity.class().is_none_or(|class| class.is_empty()) {
        report.add("class-missing", Severity::Warning, path, item, "the entity has no class: games ignore it");
    }
    report.check_numbers::<3>(item, "origin", path);
    report.check_numbers::<3>(item, "angles", path);
    if entity.origin().is_some_and(is_far) {
        let message = "the position is beyond ±16384, where most games end";
        report.add("coordinate-far", Severity::Warning, path, item, message);
    }
    known.check_editor(entity.editor(), path, report);
    for (index, group) in entity.groups().enumerate() {
        known.check_editor(group.editor(), &below(path, "groups", index), report);
    }
    for key in SIDE_LISTS {
        for id in entity.side_ids(key).into_iter().filter(|id| !known.sides.contains(id)) {
            let message = format_args!("{key} refers to side {id}, which does not exist");
            report.add("side-unknown", Severity::Warning, path, item, message);
        }
    }
    if entity.as_instance().is_some_and(|instance| instance.file().is_none_or(|file| file.is_empty())) {
        report.add("instance-file", Severity::Warning, path, item, "the instance has no file");
    }
    for (index, output) in entity.outputs().enumerate() {
        check_output(output, &below(path, "outputs", index), known, report);
    }
}

fn check_output(output: Output<'_>, path: &[Frame], known: &Known, report: &mut Report<'_>) {
    let Some(connection) = output.connection() else {
        let (name, text) = (output.name(), output.text());
        let text = text.escape_debug();
        let message = format_args!("{name} is \"{text}\": expected target, input, parameter, delay and times");
        report.add("output-fields", Severity::Warning, path, output.item(), message);
        return;
    };
    if !known.targets.contain(&connection.target) {
        let message = format_args!(
            "the target of {} is \"{}\", which no entity has as its name",
            output.name(),
            connection.target
        );
        report.add("output-target", Severity::Warning, path, output.item(), message);
    }
}

/// The names that outputs can have as targets, in lower case.
pub(super) struct Targets {
    /// Names and classes.
    names: HashSet<String>,
    /// Names in order, for targets with a wildcard.
    sorted: Vec<String>,
    /// Names of instances, which are parts of the names of entities in them.
    instances: HashSet<String>,
    has_unnamed_instances: bool,
}

impl Targets {
    pub(super) fn new(map: &Document) -> Self {
        let lower = |entity: Entity<'_>| entity.name().map(|name| name.to_lowercase());
        let mut sorted: Vec<String> = map.entities().filter_map(lower).collect();
        sorted.sort_unstable();
        let classes = map.all_entities().filter_map(|entity| entity.class().map(|class| class.to_lowercase()));
        let names = sorted.iter().cloned().chain(classes).collect();
        let instances = || map.entities().filter(|entity| entity.as_instance().is_some());
        Self {
            names,
            sorted,
            instances: instances().filter_map(lower).filter(|name| !name.is_empty()).collect(),
            has_unnamed_instances: instances().any(|entity| entity.name().is_none_or(|name| name.is_empty())),
        }
    }

    /// Returns `true` if a target matches an entity, or may match one in an instance.
    fn contain(&self, target: &str) -> bool {
        let target = target.to_lowercase();
        // The player has its name in the game only.
        if target.starts_with(['!', '$', '@']) || target == "player" || self.names.contains(&target) {
            return true;
        }
        if let Some(start) = target.strip_suffix('*') {
            let first = self.sorted.partition_point(|name| name.as_str() < start);
            if self.sorted.get(first).is_some_and(|name| name.starts_with(start)) {
                return true;
            }
        }
        // A dash separates the names of an instance and of an entity in it. Names with many dashes would take quadratic time.
        let mut dashes = target.match_indices('-').take(MAX_DASHES).map(|(at, _)| target.split_at(at));
        dashes.any(|(before, after)| {
            let is_instance = |name: &str| self.instances.contains(name);
            self.has_unnamed_instances || is_instance(before) || after.strip_prefix('-').is_some_and(is_instance)
        })
    }
}
