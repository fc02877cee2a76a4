//! The names by which outputs and keys find entities.

use std::collections::{BTreeSet, HashSet};

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

/// Entities of every game, which maps do not contain.
const GLOBAL: [&[u8]; 3] = [b"player", b"world", b"worldspawn"];
/// Maximum depth of prefabs in prefabs.
const MAX_DEPTH: u32 = 8;

/// The names and classes of the entities of a map and its prefabs; see [`Document::targets`].
#[derive(Debug, Clone)]
pub struct Targets {
    /// In lower case.
    names: BTreeSet<Vec<u8>>,
    /// Numbers and names of prefabs in lower case. A compiled map has them before the names of entities in prefabs.
    prefixes: HashSet<Vec<u8>>,
    known_paths: HashSet<String>,
    unread_prefabs: usize,
    is_level: bool,
}

impl Document {
    /// Returns the names and classes by which outputs and keys find entities, with those in prefabs. `load` returns the map of a prefab
    /// by its path.
    pub fn targets(&self, load: &mut dyn FnMut(&str) -> Option<Self>) -> Targets {
        let mut targets = Targets::without_prefabs(self);
        targets.add_prefabs(self, load, 0);
        targets
    }
}

impl Targets {
    pub(crate) fn without_prefabs(map: &Document) -> Self {
        let mut targets = Self {
            names: BTreeSet::new(),
            prefixes: HashSet::new(),
            known_paths: HashSet::new(),
            unread_prefabs: 0,
            is_level: false,
        };
        targets.add_names(map);
        targets
    }

    fn add_names(&mut self, map: &Document) {
        self.names.append(&mut target_names(map));
        for node in map.nodes().map(|visit| visit.node) {
            if let NodeKind::Prefab(prefab) = node.kind() {
                let number = node.node_id().map(|id| id.0.to_string().into_bytes());
                let name = prefab.target_name().to_ascii_lowercase();
                self.prefixes.extend(number.into_iter().chain([name]).filter(|prefix| !prefix.is_empty()));
                // A variable of the prefab may be the name of an entity.
                self.names.extend(prefab.overrides().map(|(_, value)| value.to_ascii_lowercase()));
            }
            if let Some(entity) = node.entity() {
                let class = entity.classname().to_ascii_lowercase();
                self.is_level |= class.starts_with(b"info_player");
                self.names.insert(class);
            }
        }
    }

    /// Adds the names in the prefabs of a map.
    pub(crate) fn add_prefabs(&mut self, map: &Document, load: &mut dyn FnMut(&str) -> Option<Document>, depth: u32) {
        for node in map.nodes().map(|visit| visit.node) {
            let NodeKind::Prefab(prefab) = node.kind() else { continue };
            let path = String::from_utf8_lossy(prefab.path()).into_owned();
            if !self.known_paths.insert(path.clone()) {
                continue;
            }
            match if depth < MAX_DEPTH { load(&path) } else { None } {
                Some(map) => {
                    self.add_names(&map);
                    self.add_prefabs(&map, load, depth.saturating_add(1));
                }
                None => self.unread_prefabs = self.unread_prefabs.saturating_add(1),
            }
        }
    }

    /// Returns `true` if a target finds an entity, or if that cannot be known: `!self` and other words that begin with `!` depend on the
    /// event, and names that begin with `@` may be in another map.
    ///
    /// A target that ends with `*` matches all names that start with the text before it. Entities in prefabs also have the number or name
    /// of the prefab before their names, as in `2_lamp`.
    pub fn has_match(&self, target: &[u8]) -> bool {
        let target = target.to_ascii_lowercase();
        // A star within a name is rare.
        let is_special = matches!(*target, [b'!' | b'@', ..]) || target.iter().rev().skip(1).any(|byte| *byte == b'*');
        is_special || GLOBAL.contains(&&*target) || has_match(&self.names, &target) || self.has_match_in_prefab(&target)
    }

    /// Finds a name after the numbers or names of prefabs.
    fn has_match_in_prefab(&self, target: &[u8]) -> bool {
        let mut rest = target;
        for _ in 0..MAX_DEPTH {
            // Names of prefabs may contain underscores, so the longest one is taken.
            let ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'_').map(|(end, _)| end).take(16);
            let prefix = |end: &usize| rest.get(..*end).is_some_and(|prefix| self.prefixes.contains(prefix));
            let Some(end) = ends.filter(prefix).last() else { return false };
            rest = rest.get(end.saturating_add(1)..).unwrap_or_default();
            if has_match(&self.names, rest) {
                return true;
            }
        }
        false
    }

    /// Returns the number of prefabs that could not be read. They may contain further names.
    pub fn unread_prefabs(&self) -> usize {
        self.unread_prefabs
    }

    /// Returns `true` if the player starts in the map or a prefab. Other maps are parts of levels, which may contain further names.
    pub fn is_level(&self) -> bool {
        self.is_level
    }
}
