//! Lists and renames assets.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, StringId, Value};

use super::{Editor, text};
use crate::WriteError;

/// The prefix attribute that lists assets.
pub(super) const LIST: &str = "map_asset_references";

impl Editor<'_> {
    /// Adds an asset to the list in the prefix, unless the list contains it or the map has no list, as in formats
    /// 16 and 18.
    ///
    /// # Errors
    /// If the path contains a zero byte.
    pub fn add_asset(&mut self, path: impl AsRef<[u8]>) -> Result<(), WriteError> {
        let path = text(path.as_ref())?;
        if !path.is_empty() {
            self.assets.push(path.to_vec());
        }
        Ok(())
    }

    /// Writes the added assets to the list. Each single addition would copy the list.
    pub(super) fn list_assets(&mut self) {
        let added = std::mem::take(&mut self.assets);
        let Some(Value::StringArray(list)) = self.map.graph().prefix_value(LIST) else { return };
        let mut list = list.to_vec();
        let (old, mut listed) = (list.len(), HashSet::new());
        listed.extend(self.map.asset_references().map(<[u8]>::to_ascii_lowercase));
        for path in added {
            if listed.insert(path.to_ascii_lowercase()) {
                list.push(self.map.graph_mut().intern(path));
            }
        }
        if list.len() > old {
            self.map.graph_mut().set_prefix(LIST, Value::StringArray(list.into()));
        }
    }

    /// Replaces an asset by another in the whole map: materials of meshes, models and other values of keys,
    /// prefabs, variables, the list in the prefix. The case of ASCII letters is ignored. Returns the number of
    /// changed references. JSON of s&box is not searched.
    ///
    /// If a mesh used both materials, it has the new one once, unless another mesh shares the data of its faces.
    ///
    /// # Errors
    /// If the new path contains a zero byte.
    pub fn rename_asset(&mut self, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> Result<usize, WriteError> {
        let (from, to) = (from.as_ref(), text(to.as_ref())?);
        if from.is_empty() || from == to {
            return Ok(0);
        }
        self.flush();
        self.list_assets();
        let new = self.map.graph_mut().intern(to);
        let mut rename = Rename { new, found: HashMap::new(), count: 0 };
        let graph = self.map.graph_mut();
        let strings = &graph.strings;
        let mut is_old = |id: StringId| {
            let old = strings.get(id);
            old.eq_ignore_ascii_case(from) && old != to
        };
        let mut meshes = Vec::new();
        for (index, element) in graph.elements.iter_mut().enumerate() {
            for attribute in &mut element.attributes {
                let changed = rename.replace_in(&mut attribute.value, &mut is_old);
                if changed && strings.get(attribute.name) == b"materials" {
                    meshes.extend(u32::try_from(index).map(ElementId));
                }
            }
        }
        let count = rename.count;
        for attribute in graph.prefix.iter_mut().flatten() {
            rename.replace_in(&mut attribute.value, &mut is_old);
        }
        self.merge_materials(&meshes);
        self.remove_repeated_assets();
        Ok(count)
    }

    /// Removes repeated assets from the list.
    fn remove_repeated_assets(&mut self) {
        let Some(Value::StringArray(list)) = self.map.graph().prefix_value(LIST) else { return };
        let mut seen = HashSet::new();
        let graph = self.map.graph();
        let once: Vec<StringId> = list.iter().copied().filter(|id| seen.insert(graph.string(*id))).collect();
        if once.len() < list.len() {
            self.map.graph_mut().set_prefix(LIST, Value::StringArray(once.into()));
        }
    }
}

/// Replaces a string in values.
struct Rename {
    new: StringId,
    /// `true` for strings with the old path. Most strings are used many times.
    found: HashMap<StringId, bool>,
    count: usize,
}

impl Rename {
    fn replace_in(&mut self, value: &mut Value, is_old: &mut impl FnMut(StringId) -> bool) -> bool {
        let ids = match value {
            Value::String(id) => std::slice::from_mut(id),
            Value::StringArray(ids) => ids,
            _ => return false,
        };
        let before = self.count;
        for id in ids {
            if *self.found.entry(*id).or_insert_with(|| is_old(*id)) {
                *id = self.new;
                self.count = self.count.saturating_add(1);
            }
        }
        self.count != before
    }
}
