//! The classes of several files, with what they inherit.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use mapwright_io::{Finding, Findings, Severity};

use crate::document::{Document, Item};
use crate::{Class, Key, Member, Port};

/// Maximum number of classes that inherit from each other in a row.
pub const MAX_DEPTH: usize = 64;

/// The classes of several files.
///
/// A class that is defined again replaces the earlier one. An `OverrideClass` adds to the class of its name. `@exclude` hides a class that
/// was defined before. Names are compared without case.
#[derive(Debug, Default)]
pub struct Definitions<'a> {
    entries: Vec<Name<'a>>,
    /// The numbers of the entries by their names in lower case.
    numbers: HashMap<String, usize>,
    findings: Findings,
    is_complete: bool,
}

/// All that the files state about one name.
#[derive(Debug, Default)]
struct Name<'a> {
    name: String,
    /// The definition, and those that add to it.
    parts: Vec<Part<'a>>,
    is_excluded: bool,
    /// `true` if a class that this one inherits from is missing, or if there are too many in a row.
    is_incomplete: bool,
}

#[derive(Debug)]
struct Part<'a> {
    class: Class<'a>,
    /// The name of the file.
    file: &'a str,
    /// The numbers of known bases.
    bases: Vec<usize>,
}

impl<'a> Definitions<'a> {
    /// Collects the classes of files, with the names of the files. Included files come before those that include them.
    pub fn new(files: impl IntoIterator<Item = (&'a str, &'a Document)>) -> Self {
        let mut definitions = Self { is_complete: true, ..Self::default() };
        let files: Vec<_> = files.into_iter().collect();
        let names: HashSet<String> = files.iter().map(|(file, _)| file_name(file)).collect();
        let mut missing = HashSet::new();
        for (file, document) in files {
            for name in document.includes().filter(|name| !names.contains(&file_name(name))) {
                definitions.is_complete = false;
                if missing.insert(file_name(&name)) {
                    let message = format!("{file}: the included file {name:?} was not read");
                    definitions.findings.add("fgd-include", Severity::Note, message);
                }
            }
            for item in document.items() {
                definitions.add(file, &item);
            }
        }
        definitions.link_bases();
        definitions.check_bases();
        definitions
    }

    fn add(&mut self, file: &'a str, item: &Item<'a>) {
        let name = match item {
            Item::Class(class) => class.name(),
            Item::Exclude(name) => name.clone(),
        };
        let number = *self.numbers.entry(name.to_ascii_lowercase()).or_insert_with(|| {
            self.entries.push(Name { name: name.into_owned(), ..Name::default() });
            self.entries.len().saturating_sub(1)
        });
        let Some(entry) = self.entries.get_mut(number) else { return };
        match item {
            Item::Class(class) => {
                if !class.is_kind(OVERRIDE) {
                    entry.parts.clear();
                    entry.is_excluded = false;
                }
                entry.parts.push(Part { class: *class, file, bases: Vec::new() });
            }
            Item::Exclude(_) => entry.is_excluded = true,
        }
    }

    /// Finds the bases of all classes, and reports those that are missing.
    fn link_bases(&mut self) {
        // A file that was not read may define them.
        let severity = if self.is_complete { Severity::Warning } else { Severity::Note };
        let is_defined: Vec<bool> = self.entries.iter().map(|entry| !entry.parts.is_empty()).collect();
        let mut missing = HashSet::new();
        for entry in &mut self.entries {
            // An override without the class that it adds to.
            if let Some(part) = entry.parts.first().filter(|part| part.class.is_kind(OVERRIDE)) {
                let message = format!("{}: class {:?} is overridden but not defined", part.file, entry.name);
                self.findings.add("fgd-override", Severity::Note, message);
                entry.is_incomplete = true;
            }
            for part in &mut entry.parts {
                for name in part.class.bases() {
                    let number = self.numbers.get(&name.to_ascii_lowercase());
                    match number.filter(|&&number| is_defined.get(number) == Some(&true)) {
                        Some(&number) => part.bases.push(number),
                        None => {
                            entry.is_incomplete = true;
                            if missing.insert(name.to_ascii_lowercase()) {
                                let message =
                                    format!("{}: base class {name:?} of {:?} is not defined", part.file, entry.name);
                                self.findings.add("fgd-base", severity, message);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Reports classes that inherit from themselves or from too many in a row, and marks all classes that inherit from incomplete ones.
    fn check_bases(&mut self) {
        let mut states = vec![State::New; self.entries.len()];
        for start in 0..self.entries.len() {
            let mut path = vec![(start, self.bases_of(start))];
            if states.get(start) != Some(&State::New) {
                continue;
            }
            set(&mut states, start, State::Open);
            while let Some((number, bases)) = path.last_mut() {
                let number = *number;
                let Some(base) = bases.pop() else {
                    path.pop();
                    let is_incomplete = self.finish(number, &mut states);
                    if let Some(entry) = self.entries.get_mut(number) {
                        entry.is_incomplete |= is_incomplete;
                    }
                    continue;
                };
                match states.get(base).copied().unwrap_or_default() {
                    State::New => {
                        set(&mut states, base, State::Open);
                        path.push((base, self.bases_of(base)));
                    }
                    State::Open => self.report_cycle(base, number),
                    State::Done(_) => {}
                }
            }
        }
    }

    /// Returns the bases of a class, the first one last.
    fn bases_of(&self, number: usize) -> Vec<usize> {
        let parts = self.entries.get(number).into_iter().flat_map(|entry| &entry.parts);
        let mut bases: Vec<usize> = parts.flat_map(|part| part.bases.iter().copied()).collect();
        bases.reverse();
        bases
    }

    /// Stores the depth of a class whose bases are done. Returns `true` if one of them is incomplete.
    fn finish(&mut self, number: usize, states: &mut [State]) -> bool {
        let mut depth = 1_usize;
        let mut is_incomplete = false;
        for base in self.bases_of(number) {
            if let Some(State::Done(below)) = states.get(base) {
                depth = depth.max(below.saturating_add(1));
            }
            is_incomplete |= self.entries.get(base).is_some_and(|base| base.is_incomplete);
        }
        set(states, number, State::Done(depth));
        if depth > MAX_DEPTH {
            // Reported once for a chain, not for each class after it.
            if depth == MAX_DEPTH.saturating_add(1) {
                let name = self.entries.get(number).map_or("", |entry| &entry.name);
                let message = format!("class {name:?} inherits from more than {MAX_DEPTH} classes in a row");
                self.findings.add("fgd-depth", Severity::Error, message);
            }
            is_incomplete = true;
        }
        is_incomplete
    }

    fn report_cycle(&mut self, base: usize, from: usize) {
        let name = |number: usize| self.entries.get(number).map_or("", |entry| &entry.name);
        let message = if base == from {
            format!("class {:?} inherits from itself", name(base))
        } else {
            format!("class {:?} inherits from itself through {:?}", name(base), name(from))
        };
        self.findings.add("fgd-cycle", Severity::Error, message);
        for number in [base, from] {
            if let Some(entry) = self.entries.get_mut(number) {
                entry.is_incomplete = true;
            }
        }
    }

    /// Returns the problems of the definitions, the most severe first.
    ///
    /// | code | severity | problem |
    /// |---|---|---|
    /// | `fgd-cycle` | error | a class inherits from itself |
    /// | `fgd-depth` | error | a class inherits from more than [`MAX_DEPTH`] classes in a row |
    /// | `fgd-base` | warning, note | a base class is not defined. Reported once for each name. A note if an included file is missing |
    /// | `fgd-include` | note | an included file is not among the files. Only the last parts of paths are compared |
    /// | `fgd-override` | note | an `OverrideClass` adds to a class that is not defined |
    pub fn findings(&self) -> Vec<Finding> {
        self.findings.clone().finish()
    }

    /// Returns `false` if an included file is missing. It may define further classes.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the names of all classes that are defined and not excluded, in the order of their first definition.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().filter(|entry| !entry.parts.is_empty() && !entry.is_excluded);
        entries.map(|entry| &*entry.name)
    }

    /// Returns `true` if a class is excluded, whether it is defined or not.
    pub fn is_excluded(&self, name: &str) -> bool {
        self.number(name).and_then(|number| self.entries.get(number)).is_some_and(|entry| entry.is_excluded)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(&name.to_ascii_lowercase()).copied()
    }

    /// Returns a class with what it inherits, or `None` if it is not defined. An excluded class is returned as well.
    ///
    /// The keys of the class itself win, then those of its later bases. Takes time in proportion to the members of all these classes.
    pub fn resolve(&self, name: &str) -> Option<ResolvedClass<'a>> {
        let start = self.number(name)?;
        let entry = self.entries.get(start)?;
        let first = entry.parts.first()?;
        let mut resolved = ResolvedClass {
            name: first.class.name(),
            kind: first.class.kind(),
            is_complete: !entry.is_incomplete,
            keys: HashMap::new(),
            inherited_flags: Vec::new(),
            inputs: HashMap::new(),
            outputs: HashMap::new(),
            read_items: 0,
        };
        // The strongest definitions come first, so that weaker ones are skipped. A second visit of a class would add nothing.
        let mut removed = RemovedKeys::default();
        let mut visited = HashSet::new();
        let mut steps = vec![Step::Class(start)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Class(number) => {
                    let is_new = visited.insert(number);
                    let Some(entry) = self.entries.get(number).filter(|_| is_new) else { continue };
                    resolved.read_items = resolved.read_items.saturating_add(1);
                    removed.scopes.push(Vec::new());
                    steps.push(Step::End);
                    for (index, part) in entry.parts.iter().enumerate() {
                        steps.extend(part.bases.iter().map(|&base| Step::Class(base)));
                        steps.push(Step::Members(number, index));
                    }
                }
                Step::Members(number, index) => {
                    let part = self.entries.get(number).and_then(|entry| entry.parts.get(index));
                    let members = part.into_iter().flat_map(|part| part.class.members());
                    resolved.add(members.collect(), &mut removed);
                }
                Step::End => removed.end_scope(),
            }
        }
        Some(resolved)
    }
}

/// Returns the last part of a path in lower case.
fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase()
}

/// The kind of classes that add to others.
const OVERRIDE: &str = "OverrideClass";

/// The state of a class while bases are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    New,
    /// One of the classes that inherit from each other at present.
    Open,
    /// The number of classes that inherit from each other in a row.
    Done(usize),
}

fn set(states: &mut [State], number: usize, state: State) {
    if let Some(place) = states.get_mut(number) {
        *place = state;
    }
}

/// A step of resolving a class.
enum Step {
    Class(usize),
    /// The members of a part of a class.
    Members(usize, usize),
    /// The end of a class and its bases.
    End,
}

/// Keys that classes remove from what they inherit.
#[derive(Debug, Default)]
struct RemovedKeys {
    /// Names in lower case, with the number of classes that remove them at present.
    names: HashMap<String, usize>,
    /// The names that each of these classes removes.
    scopes: Vec<Vec<String>>,
}

impl RemovedKeys {
    fn contains(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|&count| count > 0)
    }

    fn insert(&mut self, name: String) {
        let count = self.names.entry(name.clone()).or_default();
        *count = count.saturating_add(1);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name);
        }
    }

    fn end_scope(&mut self) {
        for name in self.scopes.pop().unwrap_or_default() {
            if let Some(count) = self.names.get_mut(&name) {
                *count = count.saturating_sub(1);
            }
        }
    }
}

/// A class with all that it inherits.
#[derive(Debug, Clone)]
pub struct ResolvedClass<'a> {
    name: Cow<'a, str>,
    kind: Cow<'a, str>,
    is_complete: bool,
    // By names in lower case.
    keys: HashMap<String, Key<'a>>,
    /// Keys of type `flags` that stronger ones replace. Hammer merges the flags of both.
    inherited_flags: Vec<Key<'a>>,
    inputs: HashMap<String, Port<'a>>,
    outputs: HashMap<String, Port<'a>>,
    read_items: usize,
}

impl<'a> ResolvedClass<'a> {
    /// Adds the members of a class, unless stronger ones have their names. The last of several with one name wins.
    fn add(&mut self, members: Vec<Member<'a>>, removed: &mut RemovedKeys) {
        self.read_items = self.read_items.saturating_add(members.len());
        let mut new_removed = Vec::new();
        for member in members.into_iter().rev() {
            match member {
                Member::Key(key) => {
                    let name = key.name().to_ascii_lowercase();
                    let value_type = key.value_type();
                    if value_type == "remove_key" {
                        new_removed.push(name);
                    } else if !removed.contains(&name) {
                        match self.keys.entry(name) {
                            Entry::Vacant(place) => drop(place.insert(key)),
                            Entry::Occupied(_) if value_type == "flags" => self.inherited_flags.push(key),
                            Entry::Occupied(_) => {}
                        }
                    }
                }
                Member::Input(port) => drop(self.inputs.entry(port.name().to_ascii_lowercase()).or_insert(port)),
                Member::Output(port) => drop(self.outputs.entry(port.name().to_ascii_lowercase()).or_insert(port)),
            }
        }
        new_removed.into_iter().for_each(|name| removed.insert(name));
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind without its `@`, such as `PointClass`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns `false` if a base class is missing, or if bases form a cycle or too long a row. The class may then have more members.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the number of keys, inputs and outputs.
    pub fn member_count(&self) -> usize {
        self.keys.len().saturating_add(self.inputs.len()).saturating_add(self.outputs.len())
    }

    /// Returns the number of classes and members that were read to resolve the class, with those that stronger ones replace. Code that
    /// resolves many classes of untrusted files limits the sum.
    pub fn read_items(&self) -> usize {
        self.read_items
    }

    /// Returns all keys, in no order.
    pub fn keys(&self) -> impl Iterator<Item = Key<'a>> {
        self.keys.values().copied()
    }

    /// Returns all inputs, in no order.
    pub fn inputs(&self) -> impl Iterator<Item = Port<'a>> {
        self.inputs.values().copied()
    }

    /// Returns all outputs, in no order.
    pub fn outputs(&self) -> impl Iterator<Item = Port<'a>> {
        self.outputs.values().copied()
    }

    /// Returns a key by its name.
    pub fn key(&self, name: &str) -> Option<Key<'a>> {
        self.keys.get(&name.to_ascii_lowercase()).copied()
    }

    /// Returns an input by its name.
    pub fn input(&self, name: &str) -> Option<Port<'a>> {
        self.inputs.get(&name.to_ascii_lowercase()).copied()
    }

    /// Returns an output by its name.
    pub fn output(&self, name: &str) -> Option<Port<'a>> {
        self.outputs.get(&name.to_ascii_lowercase()).copied()
    }

    /// Returns all flags of a key of type `flags` as a mask, with those of the bases. Returns `None` for other keys.
    pub fn flag_mask(&self, name: &str) -> Option<u64> {
        let key = self.key(name).filter(|key| key.value_type() == "flags")?;
        let inherited = self.inherited_flags.iter().filter(|other| other.name().eq_ignore_ascii_case(name));
        let keys = std::iter::once(&key).chain(inherited);
        Some(keys.flat_map(Key::choices).filter_map(|choice| choice.flag()).fold(0, |mask, flag| mask | flag))
    }
}
