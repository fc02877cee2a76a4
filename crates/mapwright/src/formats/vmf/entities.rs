//! Checks of entities against the definitions of their classes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use mapwright_fgd::{Definitions, ResolvedClass};
use mapwright_io::{Finding, Findings, Frame, Path, Severity, format_count};
use mapwright_query::suggestion;
use mapwright_vmf::{Connection, Document, Entity};

use crate::key_rules::Rule;

/// Keys of all entities, which definitions may leave out. Compilers and the engine read them for every class.
const KEYS: [&str; 13] = [
    "id",
    "classname",
    "targetname",
    "origin",
    "angles",
    "hammerid",
    "parentname",
    "vscripts",
    "spawnflags",
    "mapversion",
    "rendercolor",
    "nodeid",
    "_minlight",
];
/// Outputs of all entities of the engine, which definitions may leave out.
const OUTPUTS: [&str; 5] = ["onuser1", "onuser2", "onuser3", "onuser4", "onkilled"];
/// Inputs of all entities of the engine, which definitions may leave out.
const INPUTS: [&str; 14] = [
    "addcontext",
    "addoutput",
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
    "setparent",
    "use",
];
/// Maximum number of classes, members and choices that are read for all entities together. Those of a game are below 100,000.
const MAX_ITEMS: usize = 2_000_000;
/// Maximum number of names of a wildcard, and of their classes, for which inputs are checked.
const MAX_MATCHES: usize = 64;
/// Maximum length of a text in a message.
const MAX_TEXT: usize = 200;

/// Returns the findings of all entities.
pub(super) fn validate(map: &Document, definitions: &Definitions<'_>) -> Vec<Finding> {
    let mut checker = Checker::new(map, definitions);
    let mut index = 0;
    for entity in map.all_entities() {
        let path: Path = match entity.is_world() {
            true => [Frame::Field("world")].into_iter().collect(),
            false => [Frame::Field("entities"), Frame::Index(index)].into_iter().collect(),
        };
        index += usize::from(!entity.is_world());
        checker.check_entity(entity, &path);
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
    /// The classes of entities, by lower-case name.
    classes: HashMap<String, ClassState<'d>>,
    /// The rules of values, by class and key in lower case.
    rules: HashMap<(String, String), Rule>,
    /// The classes of the entities with each name or class, in lower case.
    named: BTreeMap<String, BTreeSet<String>>,
    /// Instances may contain the targets of keys.
    has_instances: bool,
    /// Classes that are not checked: their first entity and the number of entities.
    unchecked: BTreeMap<String, (Path, usize)>,
    left_items: usize,
    findings: Findings,
}

fn class_name(entity: Entity<'_>) -> String {
    entity.class().unwrap_or_default().to_ascii_lowercase()
}

/// Returns the beginning of a text for a message.
fn excerpt(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

impl<'d, 'm> Checker<'d, 'm> {
    fn new(map: &Document, definitions: &'m Definitions<'d>) -> Self {
        let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for entity in map.all_entities() {
            let class = class_name(entity);
            let names = [entity.name(), entity.class()].into_iter().flatten().filter(|name| !name.is_empty());
            for name in names {
                named.entry(name.to_ascii_lowercase()).or_default().insert(class.clone());
            }
        }
        Self {
            definitions,
            classes: HashMap::new(),
            rules: HashMap::new(),
            named,
            has_instances: map.entities().any(|entity| entity.as_instance().is_some()),
            unchecked: BTreeMap::new(),
            left_items: MAX_ITEMS,
            findings: Findings::default(),
        }
    }

    /// Adds a finding. The message is only created if it is listed.
    fn add(
        &mut self,
        code: &'static str,
        severity: Severity,
        path: &Path,
        part: impl IntoIterator<Item = Frame>,
        message: impl FnOnce() -> String,
    ) {
        if let Some(finding) = self.findings.add(code, severity, "") {
            finding.message = message();
            finding.path = path.frames().cloned().chain(part).collect();
        }
    }

    /// Returns a class that can be checked.
    fn class(&mut self, name: &str) -> Option<Rc<ResolvedClass<'d>>> {
        if !self.classes.contains_key(name) {
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
        match self.classes.get(name) {
            Some(ClassState::Complete(class)) => Some(Rc::clone(class)),
            _ => None,
        }
    }

    fn check_entity(&mut self, entity: Entity<'_>, path: &Path) {
        let name = class_name(entity);
        // Another finding reports entities without a class.
        if name.is_empty() {
            return;
        }
        if let Some(class) = self.class(&name) {
            self.check_solids(entity, &class, path);
            self.check_keys(entity, &name, &class, path);
            for (index, output) in entity.outputs().enumerate() {
                if let Some(connection) = output.connection() {
                    let part = [Frame::Field("outputs"), Frame::Index(index)];
                    self.check_output(entity, &output.name(), &connection, &class, path, &part);
                }
            }
            return;
        }
        let part = [Frame::Name("classname".to_owned())];
        let class = excerpt(&entity.class().unwrap_or_default());
        match self.classes.get(&name) {
            Some(ClassState::Excluded) => self.add("class-excluded", Severity::Warning, path, part, || {
                format!("class {class:?} is excluded from the game: the entity may not work")
            }),
            Some(ClassState::Unknown) => {
                let definitions = self.definitions;
                // A file that was not read may define it.
                let severity = if definitions.is_complete() { Severity::Warning } else { Severity::Note };
                self.add("class-unknown", severity, path, part, || {
                    let hint = hint(&class, definitions.class_names().map(Cow::Borrowed));
                    format!("class {class:?} is not defined{hint}")
                });
            }
            _ => {
                let place: Path = path.frames().cloned().chain(part).collect();
                let (_, count) = self.unchecked.entry(name).or_insert((place, 0));
                *count += 1;
            }
        }
    }

    /// Compares the solids of an entity with the kind of its class.
    fn check_solids(&mut self, entity: Entity<'_>, class: &ResolvedClass<'_>, path: &Path) {
        let is = |kind: &str| class.kind().eq_ignore_ascii_case(kind);
        let has_solids = entity.solids().next().is_some();
        let problem = match has_solids {
            _ if entity.is_world() => return,
            false if is("SolidClass") => "has no solid, but its class",
            true if is("PointClass") => "has solids, but its class",
            _ => return,
        };
        let (kind, name) = (class.kind().to_owned(), class.name().to_owned());
        self.add("class-meshes", Severity::Warning, path, [], || format!("entity {problem} {name:?} is a {kind}"));
    }

    fn check_keys(&mut self, entity: Entity<'_>, class_name: &str, class: &ResolvedClass<'_>, path: &Path) {
        for item in entity.keys() {
            let name = item.name_text();
            let (lower, shown_name) = (name.to_ascii_lowercase(), excerpt(&name));
            let part = || [Frame::Name(shown_name.clone())];
            let Some(definition) = class.key(&lower) else {
                if !KEYS.contains(&&*lower) {
                    self.add("key-unknown", Severity::Warning, path, part(), || {
                        let hint = hint(&shown_name, class.keys().map(|key| key.name()));
                        format!("class {:?} has no key {shown_name:?}{hint}", class.name())
                    });
                }
                continue;
            };
            let value = item.text().unwrap_or_default();
            // A variable of an instance replaces the value.
            if value.trim().is_empty() || value.contains('$') {
                continue;
            }
            let place = (class_name.to_owned(), lower);
            if !self.rules.contains_key(&place) {
                let rule = if self.left_items == 0 { Rule::Any } else { Rule::new(&definition, class) };
                self.left_items = self.left_items.saturating_sub(rule.choice_count());
                self.rules.insert(place.clone(), rule);
            }
            let Some(rule) = self.rules.get(&place) else { continue };
            let shown = excerpt(&value);
            match rule {
                Rule::Flags(mask) => match value.trim().parse::<u64>() {
                    Ok(flags) if flags & !mask == 0 => {}
                    Ok(flags) => {
                        let unknown = flags & !mask;
                        self.add("key-flags", Severity::Warning, path, part(), || {
                            format!("flags {shown} of {shown_name:?}: class {:?} has no flags {unknown}", class.name())
                        });
                    }
                    Err(_) => self.add("key-value", Severity::Warning, path, part(), || {
                        format!("value {shown:?} of {shown_name:?}: expected flags as a whole number")
                    }),
                },
                Rule::Target if self.has_match(&value) => {}
                Rule::Target => {
                    let (severity, suffix) = match self.has_instances {
                        true => (Severity::Note, "; instances were not read"),
                        false => (Severity::Warning, ""),
                    };
                    self.add("key-target", severity, path, part(), || {
                        format!(
                            "{shown_name:?} has the target {shown:?}, which no entity of the map has as its name or \
                             class{suffix}"
                        )
                    });
                }
                rule => {
                    if let Some(expected) = rule.problem(&value) {
                        self.add("key-value", Severity::Warning, path, part(), || {
                            format!("value {shown:?} of {shown_name:?}: expected {expected}")
                        });
                    }
                }
            }
        }
    }

    /// Returns `true` if a target matches an entity, or one that only the game has.
    fn has_match(&self, target: &str) -> bool {
        let target = target.trim().to_ascii_lowercase();
        if target.starts_with(['!', '@']) || self.named.contains_key(&target) {
            return true;
        }
        let start = target.strip_suffix('*');
        start.is_some_and(|start| {
            let first = self.named.range(start.to_owned()..).next();
            first.is_some_and(|(name, _)| name.starts_with(start))
        })
    }

    fn check_output(
        &mut self,
        entity: Entity<'_>,
        name: &str,
        output: &Connection,
        class: &ResolvedClass<'_>,
        path: &Path,
        part: &[Frame; 2],
    ) {
        let definition = class.output(name);
        let is_known = OUTPUTS.contains(&&*name.to_ascii_lowercase());
        if definition.is_none() && !name.is_empty() && !is_known {
            self.add("output-unknown", Severity::Warning, path, part.clone(), || {
                let shown = excerpt(name);
                let hint = hint(&shown, class.outputs().map(|output| output.name()));
                format!("class {:?} has no output {shown:?}{hint}", class.name())
            });
        }
        // Inputs of an instance are those of entities in it.
        if output.input.is_empty() || output.input.contains(';') || output.input.starts_with("instance:") {
            return;
        }
        let has_value = !output.parameter.is_empty() || definition.is_none_or(|output| output.value_type() != "void");
        for target in self.target_classes(entity, &output.target) {
            let Some(target) = self.class(&target) else { continue };
            let shown = excerpt(&output.input);
            let Some(definition) = target.input(&output.input) else {
                if !INPUTS.contains(&&*output.input.to_ascii_lowercase()) {
                    self.add("input-unknown", Severity::Warning, path, part.clone(), || {
                        let hint = hint(&shown, target.inputs().map(|input| input.name()));
                        format!("class {:?} of the target has no input {shown:?}{hint}", target.name())
                    });
                }
                continue;
            };
            let value_type = definition.value_type();
            let is_void = value_type.is_empty() || value_type == "void";
            let problem = match is_void {
                true if !output.parameter.is_empty() => "gets a parameter, but ignores it".to_owned(),
                false if !has_value => format!("gets no parameter, but expects one of type {value_type}"),
                _ => continue,
            };
            self.add("input-parameter", Severity::Note, path, part.clone(), || {
                format!("input {shown:?} of class {:?} {problem}", target.name())
            });
        }
    }

    /// Returns the classes of the entities of the map that an output triggers, in lower case.
    fn target_classes(&self, entity: Entity<'_>, target: &str) -> Vec<String> {
        let target = target.to_ascii_lowercase();
        if target == "!self" {
            return vec![class_name(entity)];
        }
        let classes: BTreeSet<&String> = match target.strip_suffix('*') {
            Some(start) => {
                let names = self.named.range(start.to_owned()..).take_while(|(name, _)| name.starts_with(start));
                names.take(MAX_MATCHES).flat_map(|(_, classes)| classes).take(MAX_MATCHES).collect()
            }
            None => self.named.get(&target).into_iter().flatten().take(MAX_MATCHES).collect(),
        };
        // The inputs of an instance are outputs of entities in it.
        classes.into_iter().filter(|class| *class != "func_instance").cloned().collect()
    }

    fn finish(mut self) -> Vec<Finding> {
        for (name, (path, count)) in std::mem::take(&mut self.unchecked) {
            let entities = format_count(count, "entity");
            let (code, reason) = match self.classes.get(&name) {
                Some(ClassState::Limited) => ("class-limit", "the definitions are too large"),
                _ => ("class-incomplete", "a class that it inherits from is missing or invalid"),
            };
            self.add(code, Severity::Note, &path, [], || {
                format!("class {name:?} is not checked ({entities}): {reason}")
            });
        }
        self.findings.finish()
    }
}

/// Returns the end of a message with a suggestion. Long names and long lists would take much time.
fn hint<'a>(found: &str, known: impl Iterator<Item = Cow<'a, str>>) -> String {
    let known: HashSet<Cow<'_, str>> = known.filter(|name| name.len() <= MAX_TEXT).take(10_000).collect();
    let mut known: Vec<Cow<'_, str>> = known.into_iter().collect();
    // Members have no order, but messages are always the same.
    known.sort_unstable();
    let nearest = suggestion(found, known.iter().map(|name| &**name));
    nearest.map_or(String::new(), |nearest| format!("; did you mean {nearest:?}?"))
}
