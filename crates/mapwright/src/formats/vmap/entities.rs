//! Checks of entities against the definitions of their classes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use mapwright_dmx::ElementId;
use mapwright_fgd::{Definitions, ResolvedClass};
use mapwright_io::{Finding, Findings, Frame, Path, Severity, format_count};
use mapwright_query::suggestion;
use mapwright_vmap::{Connection, Document, Entity, Node, NodeKind, Targets};

use crate::key_rules::Rule;

/// Keys of all entities, which definitions may leave out.
const KEYS: [&str; 11] = [
    "classname",
    "targetname",
    "origin",
    "angles",
    "scales",
    "hammeruniqueid",
    "parentname",
    "uselocaloffset",
    "vscripts",
    "tags",
    "force_hidden",
];
/// Outputs of all entities of the engine, which definitions may leave out.
const OUTPUTS: [&str; 5] = ["onuser1", "onuser2", "onuser3", "onuser4", "onkilled"];
/// Inputs of all entities of the engine, which definitions may leave out.
const INPUTS: [&str; 20] = [
    "addcontext",
    "addoutput",
    "callglobalscriptfunction",
    "callprivatescriptfunction",
    "callscriptfunction",
    "clearcontext",
    "clearparent",
    "fireuser1",
    "fireuser2",
    "fireuser3",
    "fireuser4",
    "kill",
    "killhierarchy",
    "removecontext",
    "runscriptcode",
    "runscriptfile",
    "setparent",
    "setparentattachment",
    "setparentattachmentmaintainoffset",
    "use",
];
/// Maximum number of classes, members and choices that are read for all entities together. Those of a game are below 100,000.
const MAX_ITEMS: usize = 2_000_000;
/// Maximum number of names of a wildcard, and of their classes, for which inputs are checked.
const MAX_MATCHES: usize = 64;

/// Returns the findings of all entities.
pub(super) fn validate(map: &Document, definitions: &Definitions<'_>, targets: &Targets) -> Vec<Finding> {
    let mut checker = Checker::new(map, definitions, targets);
    for visit in map.nodes() {
        if let Some(entity) = visit.node.entity() {
            checker.check_entity(entity);
        }
    }
    checker.finish()
}

/// The state of a class.
enum ClassState<'d> {
    Unknown,
    Excluded,
    Incomplete,
    /// The definitions are too large.
    Limited,
    Complete(Rc<ResolvedClass<'d>>),
}

struct Checker<'d, 'm> {
    definitions: &'m Definitions<'d>,
    targets: &'m Targets,
    /// The classes of entities, by lower-case name.
    classes: HashMap<String, ClassState<'d>>,
    /// The rules of values, by class and key in lower case.
    rules: HashMap<(String, String), Rule>,
    /// The classes of the entities of the map itself, by name in lower case.
    named: BTreeMap<Vec<u8>, BTreeSet<String>>,
    /// The names of prefabs, whose inputs are not those of entities.
    prefabs: HashSet<Vec<u8>>,
    /// The named inputs and outputs of the map, in lower case. As a prefab, it exchanges them with other maps through its world.
    plugs: HashSet<Vec<u8>>,
    /// Elements with keys. Hostile maps share one between many nodes.
    checked_properties: HashSet<ElementId>,
    /// Classes that are not checked: their first entity and the number of entities.
    unchecked: BTreeMap<String, (Path, usize)>,
    left_items: usize,
    findings: Findings,
}

/// Returns the class of an entity in lower case.
fn class_name(entity: Entity<'_>) -> String {
    text(entity.classname()).to_ascii_lowercase()
}

/// Decodes a text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Decodes the beginning of a text for a message.
fn excerpt(bytes: &[u8]) -> String {
    text(bytes.get(..200).unwrap_or(bytes))
}

/// Returns the path of a node, as other findings of maps have it.
fn node_path(node: Node<'_>) -> Path {
    let number = node.node_id().and_then(|id| usize::try_from(id.0).ok());
    match number {
        Some(number) => [Frame::Field("nodes"), Frame::Index(number)].into_iter().collect(),
        None => [Frame::Field("elements"), Frame::Index(node.id().index())].into_iter().collect(),
    }
}

/// Returns the path of a part of a node.
fn path_in(node: Node<'_>, part: impl IntoIterator<Item = Frame>) -> Path {
    node_path(node).frames().cloned().chain(part).collect()
}

impl<'d, 'm> Checker<'d, 'm> {
    fn new(map: &Document, definitions: &'m Definitions<'d>, targets: &'m Targets) -> Self {
        let mut named: BTreeMap<Vec<u8>, BTreeSet<String>> = BTreeMap::new();
        let mut prefabs = HashSet::new();
        let plugs = map.world().into_iter().flat_map(|world| world.node().plugs());
        let plugs = plugs.map(|plug| plug.name.to_ascii_lowercase()).collect();
        for node in map.nodes().map(|visit| visit.node) {
            if let NodeKind::Prefab(prefab) = node.kind() {
                prefabs.insert(prefab.target_name().to_ascii_lowercase());
            }
            let Some(entity) = node.entity() else { continue };
            let class = class_name(entity);
            for name in [entity.targetname(), entity.classname()].into_iter().filter(|name| !name.is_empty()) {
                named.entry(name.to_ascii_lowercase()).or_default().insert(class.clone());
            }
        }
        Self {
            definitions,
            targets,
            classes: HashMap::new(),
            rules: HashMap::new(),
            named,
            prefabs,
            plugs,
            checked_properties: HashSet::new(),
            unchecked: BTreeMap::new(),
            left_items: MAX_ITEMS,
            findings: Findings::default(),
        }
    }

    /// Adds a finding. Path and message are only created if it is listed.
    fn add(
        &mut self,
        code: &'static str,
        severity: Severity,
        path: impl FnOnce() -> Path,
        message: impl FnOnce() -> String,
    ) {
        if let Some(finding) = self.findings.add(code, severity, "") {
            finding.message = message();
            finding.path = path();
        }
    }

    fn load_class(&mut self, name: &str) {
        if self.classes.contains_key(name) {
            return;
        }
        let state = if self.definitions.is_excluded(name) {
            ClassState::Excluded
        } else if self.left_items == 0 {
            ClassState::Limited
        } else {
            match self.definitions.resolve(name) {
                None => ClassState::Unknown,
                Some(class) => {
                    self.left_items = self.left_items.saturating_sub(class.read_items());
                    if class.is_complete() { ClassState::Complete(Rc::new(class)) } else { ClassState::Incomplete }
                }
            }
        };
        self.classes.insert(name.to_owned(), state);
    }

    /// Returns a class that can be checked.
    fn class(&mut self, name: &str) -> Option<Rc<ResolvedClass<'d>>> {
        self.load_class(name);
        match self.classes.get(name) {
            Some(ClassState::Complete(class)) => Some(Rc::clone(class)),
            _ => None,
        }
    }

    fn check_entity(&mut self, entity: Entity<'_>) {
        let name = class_name(entity);
        // Another finding reports entities without a class.
        if name.is_empty() {
            return;
        }
        let node = entity.node();
        if let Some(class) = self.class(&name) {
            self.check_meshes(node, &class);
            self.check_keys(entity, &name, &class);
            for (index, output) in node.connections().enumerate() {
                self.check_output(entity, index, output, &class);
            }
            return;
        }
        let path = || path_in(node, [Frame::Name("classname".to_owned())]);
        let class = excerpt(entity.classname());
        match self.classes.get(&name) {
            Some(ClassState::Excluded) => self.add("class-excluded", Severity::Warning, path, || {
                format!("class {class:?} is excluded from the game: the entity may not work")
            }),
            Some(ClassState::Unknown) => {
                let definitions = self.definitions;
                // A file that was not read may define it.
                let severity = if definitions.is_complete() { Severity::Warning } else { Severity::Note };
                self.add("class-unknown", severity, path, || {
                    let hint = hint(&class, definitions.class_names().map(Cow::Borrowed));
                    format!("class {class:?} is not defined{hint}")
                });
            }
            _ => {
                let (_, count) = self.unchecked.entry(name).or_insert_with(|| (path(), 0));
                *count += 1;
            }
        }
    }

    /// Compares the meshes of an entity with the kind of its class.
    fn check_meshes(&mut self, node: Node<'_>, class: &ResolvedClass<'_>) {
        if matches!(node.kind(), NodeKind::World(_)) {
            return;
        }
        let is = |kind: &str| class.kind().eq_ignore_ascii_case(kind);
        let problem = if is("SolidClass") && has_meshes(node) == Some(false) {
            "has no mesh, but its class"
        } else if is("PointClass") && has_meshes(node) == Some(true) {
            "has meshes, but its class"
        } else {
            return;
        };
        let (kind, name) = (class.kind(), class.name());
        self.add(
            "class-meshes",
            Severity::Warning,
            || node_path(node),
            || format!("entity {problem} {name:?} is a {kind}"),
        );
    }

    fn check_keys(&mut self, entity: Entity<'_>, class_name: &str, class: &ResolvedClass<'_>) {
        let node = entity.node();
        if !self.checked_properties.insert(entity.properties().id()) {
            return;
        }
        let bound: HashSet<Vec<u8>> = node.bindings().map(|binding| binding.key.to_ascii_lowercase()).collect();
        for (key, value) in entity.keys() {
            let name = text(key);
            let lower = name.to_ascii_lowercase();
            let path = || path_in(node, [Frame::Name(excerpt(key))]);
            let Some(definition) = class.key(&lower) else {
                if !KEYS.contains(&&*lower) && !lower.starts_with("local.") {
                    self.add("key-unknown", Severity::Warning, path, || {
                        let shown = excerpt(key);
                        let hint = hint(&shown, class.keys().map(|key| key.name()));
                        format!("class {:?} has no key {shown:?}{hint}", class.name())
                    });
                }
                continue;
            };
            // A variable of the prefab replaces the value.
            let is_bound = bound.contains(lower.as_bytes());
            let value = text(value);
            if value.trim().is_empty() || is_bound {
                continue;
            }
            let place = (class_name.to_owned(), lower);
            if !self.rules.contains_key(&place) {
                let rule = if self.left_items == 0 { Rule::Any } else { Rule::new(&definition, class) };
                self.left_items = self.left_items.saturating_sub(rule.choice_count());
                self.rules.insert(place.clone(), rule);
            }
            let Some(rule) = self.rules.get(&place) else { continue };
            let shown = excerpt(value.as_bytes());
            match rule {
                Rule::Flags(mask) => match value.trim().parse::<u64>() {
                    Ok(flags) if flags & !mask == 0 => {}
                    Ok(flags) => {
                        let unknown = flags & !mask;
                        self.add("key-flags", Severity::Warning, path, || {
                            format!("flags {shown} of {name:?}: class {:?} has no flags {unknown}", class.name())
                        });
                    }
                    Err(_) => self.add("key-value", Severity::Warning, path, || {
                        format!("value {shown:?} of {name:?}: expected flags as a whole number")
                    }),
                },
                Rule::Target => {
                    if !self.targets.has_match(value.as_bytes()) {
                        let (severity, suffix) = self.target_severity();
                        self.add("key-target", severity, path, || {
                            format!(
                                "{name:?} has the target {shown:?}, which no entity of the map has as its name or \
                                 class{suffix}"
                            )
                        });
                    }
                }
                rule => {
                    if let Some(expected) = rule.problem(&value) {
                        self.add("key-value", Severity::Warning, path, || {
                            format!("value {shown:?} of {name:?}: expected {expected}")
                        });
                    }
                }
            }
        }
    }

    /// Returns `true` if the map has a named input or output of a name.
    fn is_plug(&self, name: &str) -> bool {
        self.plugs.contains(name.to_ascii_lowercase().as_bytes())
    }

    /// Returns the severity of a target without entities, and the reason for a low one.
    fn target_severity(&self) -> (Severity, String) {
        match self.targets.unread_prefabs() {
            0 if self.targets.is_level() => (Severity::Warning, String::new()),
            // Another map may contain the target of a key in a prefab.
            0 => (Severity::Note, String::new()),
            1 => (Severity::Note, "; 1 prefab was not read".to_owned()),
            unread => (Severity::Note, format!("; {unread} prefabs were not read")),
        }
    }

    fn check_output(&mut self, entity: Entity<'_>, index: usize, output: Connection<'_>, class: &ResolvedClass<'_>) {
        let node = entity.node();
        let path = || path_in(node, [Frame::Field("connectionsData"), Frame::Index(index)]);
        let name = text(output.output());
        let definition = class.output(&name);
        let is_world = matches!(node.kind(), NodeKind::World(_));
        let is_known = OUTPUTS.contains(&&*name.to_ascii_lowercase()) || (is_world && self.is_plug(&name));
        if definition.is_none() && !name.is_empty() && !is_known {
            self.add("output-unknown", Severity::Warning, path, || {
                let shown = excerpt(output.output());
                let hint = hint(&shown, class.outputs().map(|output| output.name()));
                format!("class {:?} has no output {shown:?}{hint}", class.name())
            });
        }
        let input = text(output.input());
        if input.is_empty() {
            return;
        }
        let has_value = !output.parameter().is_empty() || definition.is_none_or(|output| output.value_type() != "void");
        for target in self.target_classes(entity, output.target()) {
            let Some(target) = self.class(&target) else { continue };
            let Some(definition) = target.input(&input) else {
                let is_world = target.name().eq_ignore_ascii_case("worldspawn");
                let is_known = INPUTS.contains(&&*input.to_ascii_lowercase()) || (is_world && self.is_plug(&input));
                if !is_known {
                    self.add("input-unknown", Severity::Warning, path, || {
                        let (class, shown) = (target.name(), excerpt(output.input()));
                        let hint = hint(&shown, target.inputs().map(|input| input.name()));
                        format!("class {class:?} of the target has no input {shown:?}{hint}")
                    });
                }
                continue;
            };
            let value_type = definition.value_type();
            let is_void = value_type.is_empty() || value_type == "void";
            let problem = match is_void {
                true if !output.parameter().is_empty() => "gets a parameter, but ignores it".to_owned(),
                false if !has_value => format!("gets no parameter, but expects one of type {value_type}"),
                _ => continue,
            };
            self.add("input-parameter", Severity::Note, path, || {
                format!("input {:?} of class {:?} {problem}", excerpt(output.input()), target.name())
            });
        }
    }

    /// Returns the classes of the entities of the map that an output triggers, in lower case.
    fn target_classes(&self, entity: Entity<'_>, target: &[u8]) -> Vec<String> {
        let target = target.to_ascii_lowercase();
        if target == b"!self" {
            return vec![class_name(entity)];
        }
        // Prefabs have inputs of their own.
        if self.prefabs.contains(&target) {
            return Vec::new();
        }
        let classes: BTreeSet<&String> = match target.strip_suffix(b"*") {
            Some(start) => {
                let names = self.named.range(start.to_vec()..).take_while(|(name, _)| name.starts_with(start));
                names.take(MAX_MATCHES).flat_map(|(_, classes)| classes).take(MAX_MATCHES).collect()
            }
            None => self.named.get(&target).into_iter().flatten().take(MAX_MATCHES).collect(),
        };
        classes.into_iter().cloned().collect()
    }

    fn finish(mut self) -> Vec<Finding> {
        for (name, (path, count)) in std::mem::take(&mut self.unchecked) {
            let entities = format_count(count, "entity");
            let (code, reason) = match self.classes.get(&name) {
                Some(ClassState::Limited) => ("class-limit", "the definitions are too large"),
                _ => ("class-incomplete", "a class that it inherits from is missing or invalid"),
            };
            self.add(code, Severity::Note, || path, || format!("class {name:?} is not checked ({entities}): {reason}"));
        }
        self.findings.finish()
    }
}

/// Returns the end of a message with a suggestion. Long names and long lists would take much time.
fn hint<'a>(found: &str, known: impl Iterator<Item = Cow<'a, str>>) -> String {
    let mut known: Vec<Cow<'_, str>> = known.filter(|name| name.len() <= 200).take(10_000).collect();
    // Members have no order, but messages are always the same.
    known.sort_unstable();
    let nearest = suggestion(found, known.iter().map(|name| &**name));
    nearest.map_or(String::new(), |nearest| format!("; did you mean {nearest:?}?"))
}

/// Maximum number of nodes that are searched for the meshes of an entity.
const MAX_NODES: usize = 10_000;

/// Returns `true` if a node has meshes, directly or in groups. Other entities below it have their own. Returns `None` if there are too many
/// nodes.
fn has_meshes(node: Node<'_>) -> Option<bool> {
    let (mut groups, mut seen, mut left) = (vec![node], HashSet::new(), MAX_NODES);
    while let Some(group) = groups.pop() {
        for child in group.children() {
            left = left.checked_sub(1)?;
            match child.kind() {
                NodeKind::Mesh(_) => return Some(true),
                NodeKind::Group(_) if seen.insert(child.id()) => groups.push(child),
                _ => {}
            }
        }
    }
    Some(false)
}
