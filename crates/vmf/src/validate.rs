//! Problems of maps: data that Hammer and compilers misread, reject or drop, and references to nothing.

mod entities;
mod solids;

use std::collections::HashSet;
use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Position, Severity};
use mapwright_keyvalues::kv1::Item;

use crate::{Document, EditorData, VisGroup};

/// Coordinates beyond this are outside of the largest map of most games.
const MAX_COORDINATE: f64 = 16_384.0;

impl Document {
    /// Reports problems with their path, such as `entities[3].solids[2].sides[1]`, and their line and column.
    ///
    /// | code | severity | problem |
    /// |---|---|---|
    /// | `side-plane` | error | a side without a plane |
    /// | `value-malformed` | error | a plane, texture axis, position or angle with other numbers than it must have |
    /// | `quote-unescaped` | warning | a quote in a value, which ends the value, and a key without a name |
    /// | `world-missing`, `world-several` | warning | no block `world`, or a further one |
    /// | `class-missing` | warning | an entity without `classname` |
    /// | `id-duplicate` | warning | an id of an earlier entity, solid, side, group or visgroup |
    /// | `solid-invalid` | warning | sides that do not bound a body; Hammer removes such solids |
    /// | `vertices-differ` | warning | a vertex of Hammer++ that is not at a corner of the side |
    /// | `scale-zero` | warning | a texture scale of 0 |
    /// | `displacement-invalid` | warning | a displacement with a wrong power or array, or on a side without four corners |
    /// | `coordinate-far` | warning | a point beyond ±16384, where most games end |
    /// | `output-fields` | warning | an output without five fields |
    /// | `output-target` | warning | an output whose target matches no name, class or instance |
    /// | `side-unknown` | warning | an overlay or cubemap with the id of a side that does not exist |
    /// | `visgroup-unknown`, `group-unknown` | warning | an object in a visgroup or group that does not exist |
    /// | `instance-file` | warning | an instance without a file |
    ///
    /// At most 100 findings of one code are listed individually.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report { document: self, findings: Findings::default() };
        check_quotes(self, &mut report);
        check_worlds(self, &mut report);
        let known = Known::new(self, &mut report);
        let mut entities = 0_usize;
        let mut worlds = 0_usize;
        for entity in self.all_entities() {
            let (list, count) = if entity.is_world() { ("world", &mut worlds) } else { ("entities", &mut entities) };
            // Only further worlds have a number.
            let path =
                if entity.is_world() && *count == 0 { vec![Frame::Field(list)] } else { frames(&[(list, *count)]) };
            *count = count.saturating_add(1);
            entities::check(entity, &path, &known, &mut report);
            solids::check(entity, &path, &known, &mut report);
        }
        report.findings.finish()
    }
}

/// The ids that a map contains.
struct Known {
    sides: HashSet<i64>,
    visgroups: HashSet<i64>,
    groups: HashSet<i64>,
    targets: entities::Targets,
}

impl Known {
    /// Collects the ids, and reports those of several objects.
    fn new(map: &Document, report: &mut Report<'_>) -> Self {
        let mut visgroups = Ids::new("visgroup");
        // The nesting of blocks is limited by the reader, but not the depth of the stack of this function.
        let mut open: Vec<VisGroup<'_>> = map.visgroups().collect();
        while let Some(visgroup) = open.pop() {
            visgroups.add(visgroup.id(), visgroup.item(), report);
            open.extend(visgroup.visgroups());
        }
        let [mut entities, mut groups, mut solids, mut sides] = ["entity", "group", "solid", "side"].map(Ids::new);
        for entity in map.all_entities() {
            if !entity.is_world() {
                entities.add(entity.id(), entity.item(), report);
            }
            entity.groups().for_each(|group| groups.add(group.id(), group.item(), report));
            for solid in entity.solids() {
                solids.add(solid.id(), solid.item(), report);
                solid.sides().for_each(|side| sides.add(side.id(), side.item(), report));
            }
        }
        let targets = entities::Targets::new(map);
        Self { sides: sides.found, visgroups: visgroups.found, groups: groups.found, targets }
    }

    /// Checks the groups and visgroups of an object.
    fn check_editor(&self, editor: Option<EditorData<'_>>, path: &[Frame], report: &mut Report<'_>) {
        let Some(editor) = editor else { return };
        for id in editor.visgroup_ids().filter(|id| !self.visgroups.contains(id)) {
            let message = format_args!("there is no visgroup {id}");
            report.add("visgroup-unknown", Severity::Warning, path, editor.item(), message);
        }
        if let Some(id) = editor.group_id().filter(|id| !self.groups.contains(id)) {
            let message = format_args!("there is no group {id}");
            report.add("group-unknown", Severity::Warning, path, editor.item(), message);
        }
    }
}

/// The ids of one kind of object.
struct Ids {
    kind: &'static str,
    found: HashSet<i64>,
}

impl Ids {
    fn new(kind: &'static str) -> Self {
        Self { kind, found: HashSet::new() }
    }

    fn add(&mut self, id: Option<i64>, item: Item<'_>, report: &mut Report<'_>) {
        if let Some(id) = id.filter(|&id| !self.found.insert(id)) {
            let message = format_args!("another {} has the id {id}: references to it are ambiguous", self.kind);
            report.add("id-duplicate", Severity::Warning, &[], item, message);
        }
    }
}

/// Checks for quotes that a mapper typed: Hammer does not escape them.
fn check_quotes(map: &Document, report: &mut Report<'_>) {
    for item in map.text.walk().filter(|item| !item.is_block()) {
        let follows_quote = || {
            let before = item.range().start.checked_sub(1);
            item.lead().is_empty() && before.and_then(|at| map.as_bytes().get(at)) == Some(&b'"')
        };
        let message = if follows_quote() {
            "a value contains a quote, which ends it: the rest of the line is read as another key"
        } else if item.name().is_empty() {
            "a key has no name, as after a quote in a value"
        } else {
            continue;
        };
        report.add("quote-unescaped", Severity::Warning, &[], item, message);
    }
}

fn check_worlds(map: &Document, report: &mut Report<'_>) {
    let mut worlds = map.blocks("world");
    if worlds.next().is_none() {
        report.findings.add("world-missing", Severity::Warning, "the map has no block `world`");
    }
    for world in worlds {
        let message = "a further block `world`: programs read only one";
        report.add("world-several", Severity::Warning, &[], world, message);
    }
}

/// The findings, and the map for positions.
struct Report<'a> {
    document: &'a Document,
    findings: Findings,
}

impl Report<'_> {
    /// Adds a finding at an item of the text.
    fn add(
        &mut self,
        code: &'static str,
        severity: Severity,
        path: &[Frame],
        item: Item<'_>,
        message: impl fmt::Display,
    ) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            finding.path = path.iter().cloned().collect();
            finding.at = Some(Position::in_text(self.document.as_bytes(), item.range().start));
        }
    }

    /// Checks that a key, if there is one, consists of N finite numbers.
    fn check_numbers<const N: usize>(&mut self, block: Item<'_>, key: &'static str, path: &[Frame]) {
        if let Some(item) = crate::document::value::key(block, key)
            && crate::document::value::numbers::<N>(block, key).is_none()
        {
            let text = item.text().unwrap_or_default();
            let message = format_args!("{key} is \"{}\": expected {N} numbers", text.escape_debug());
            self.add("value-malformed", Severity::Error, path, item, message);
        }
    }
}

/// Returns the frames of parts in lists.
fn frames(parts: &[(&'static str, usize)]) -> Vec<Frame> {
    parts.iter().flat_map(|&(list, index)| [Frame::Field(list), Frame::Index(index)]).collect()
}

/// Returns the path of a part in a list of another part.
fn below(path: &[Frame], list: &'static str, index: usize) -> Vec<Frame> {
    path.iter().cloned().chain(frames(&[(list, index)])).collect()
}

fn is_far(point: [f64; 3]) -> bool {
    point.iter().any(|part| part.abs() > MAX_COORDINATE)
}
